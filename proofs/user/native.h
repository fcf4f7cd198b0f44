/* Native code of bitcode: made by LLVM, run in a child process (check/impl/child.h), which may crash, end or hang. */
#ifndef WARPCHECK_PROOFS_USER_NATIVE_H
#define WARPCHECK_PROOFS_USER_NATIVE_H

#include "base/error.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

/* Memory that parent and children share; NULL when there is none. */
void *native_memory(size_t size);
void native_free(void *memory, size_t size);

/*
 * Makes native code of the file in a child process and calls use(context, i, function) there for each of the n
 * functions. `use` writes its results to shared memory. `name` (NULL: none) says which function of the module stands
 * for one of these names, and may add it. Returns false with one clause.
 */
typedef void native_use(void *context, size_t i, void (*function)(void));
typedef const char *native_name(void *context, LLVMModuleRef module, const char *function);
bool native_call(const char *file, const char *const *functions, size_t n, native_use *use, native_name *name,
                 void *context, double timeout_s, struct error *error);

#endif
