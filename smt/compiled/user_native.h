/* Native code of bitcode: made by LLVM, run in a child process, which may crash, end or hang. */
#ifndef WARPCHECK_COMPILED_USER_NATIVE_H
#define WARPCHECK_COMPILED_USER_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

/* Memory that parent and children share; NULL when there is none. */
void *native_memory(size_t size);
void native_free(void *memory, size_t size);

/*
 * In a child: makes native code of the file and calls use(context, function). What `use` is to tell it writes to shared
 * memory. False with one clause in `why`.
 */
bool native_call(const char *file, const char *function, void (*use)(void *context, void (*function)(void)),
                 void *context, double timeout_s, char *why, size_t why_size);

#endif
