#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "proofs/user/native.h"

#include "base/process.h"
#include "check/impl/child.h"
#include "proofs/llvm.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *native_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void native_free(void *memory, size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}

struct work {
    const char *file;
    const char *const *functions;
    size_t n;
    native_use *use;
    native_name *name;
    void *context;
};

/* The names of the functions become those that stand for them. */
static LLVMExecutionEngineRef make_code(const struct work *work, const char **names, struct error *error)
{
    LLVMContextRef context = llvm_open(error);
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    LLVMExecutionEngineRef engine;
    char *message = NULL;
    if (context == NULL)
        return NULL;
    LLVMLinkInMCJIT();
    if (!llvm_compiles_here() || LLVMCreateMemoryBufferWithContentsOfFile(work->file, &buffer, &message) ||
        LLVMParseBitcodeInContext2(context, buffer, &module))
        return NULL;
    for (size_t i = 0; i < work->n; i++) {
        LLVMValueRef f;
        names[i] = work->name == NULL ? work->functions[i] : work->name(work->context, module, work->functions[i]);
        f = LLVMGetNamedFunction(module, names[i]);
        if (f == NULL)
            return NULL;
        LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    return LLVMCreateExecutionEngineForModule(&engine, module, &message) ? NULL : engine;
}

/* In the child: all of it is done before it has started. */
static bool call_all(void *context, void *board, struct error *error)
{
    const struct work *const work = context;
    const char **const names = calloc(work->n + 1, sizeof *names);
    (void)process_spare(child_judge()); /* where there are no filters, it is on trust */
    const LLVMExecutionEngineRef engine = names == NULL ? NULL : make_code(work, names, error);
    (void)board;
    if (engine == NULL)
        return error_set(error, ERROR_UNSUPPORTED, "LLVM makes no native code of it here");
    for (size_t i = 0; i < work->n; i++) {
        const uint64_t address = LLVMGetFunctionAddress(engine, names[i]);
        void (*code)(void);
        if (address == 0)
            return error_set(error, ERROR_UNSUPPORTED, "LLVM makes no native code of %.200s here", work->functions[i]);
        memcpy(&code, &address, sizeof code);
        work->use(work->context, i, code);
    }
    free(names);
    return true;
}

bool native_call(const char *file, const char *const *functions, size_t n, native_use *use, native_name *name,
                 void *context, double timeout_s, struct error *error)
{
    struct work work = {file, functions, n, use, name, context};
    const struct child_plan plan = {.who = "native code", .context = &work, .start = call_all};
    struct child *const child = child_open(&plan);
    struct error how = {.code = ERROR_SYSTEM, .text = "out of memory"};
    const bool done = child != NULL && child_start(child, timeout_s, &how);
    const bool ended = how.code == ERROR_CRASH || how.code == ERROR_EXIT || how.code == ERROR_TIMEOUT;
    child_free(child);
    if (!done) {
        error_set(error, how.code, "%s%s", ended ? "the native code " : "", how.text);
        error->detail = how.detail;
    }
    return done;
}
