#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "proofs/user/native.h"

#include "base/clock.h"
#include "base/process.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHILD_DONE = 0, CHILD_NO_CODE = 101, CHILD_NO_FUNCTION = 102 };

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

static LLVMExecutionEngineRef make_code(const char *file, const char *const *functions, size_t n)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    LLVMExecutionEngineRef engine;
    char *message = NULL;
    LLVMLinkInMCJIT();
    if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter() ||
        LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message) ||
        LLVMParseBitcodeInContext2(context, buffer, &module))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, functions[i]);
        if (f == NULL)
            return NULL;
        LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    return LLVMCreateExecutionEngineForModule(&engine, module, &message) ? NULL : engine;
}

_Noreturn static void child(const char *file, const char *const *functions, size_t n, native_use *use, void *context)
{
    LLVMExecutionEngineRef engine;
    engine = make_code(file, functions, n);
    if (engine == NULL)
        _exit(CHILD_NO_CODE);
    for (size_t i = 0; i < n; i++) {
        const uint64_t address = LLVMGetFunctionAddress(engine, functions[i]);
        void (*code)(void);
        if (address == 0)
            _exit(CHILD_NO_FUNCTION);
        memcpy(&code, &address, sizeof code);
        use(context, i, code);
    }
    _exit(CHILD_DONE);
}

bool native_call(const char *file, const char *const *functions, size_t n, native_use *use, void *context,
                 double timeout_s, char *why, size_t why_size)
{
    struct process_end end;
    struct error error;
    const pid_t pid = process_fork(&error);
    if (pid == 0)
        child(file, functions, n, use, context);
    if (pid < 0) {
        snprintf(why, why_size, "%s", error.text);
        return false;
    }
    end = process_wait(pid, clock_seconds() + timeout_s);
    if (end.ending == PROCESS_RUNS) {
        process_kill(pid);
        snprintf(why, why_size, "the native code did not come back within %g s", timeout_s);
    } else if (end.ending == PROCESS_EXITED && end.number == CHILD_NO_CODE) {
        snprintf(why, why_size, "LLVM makes no native code of it here");
    } else if (end.ending == PROCESS_EXITED && end.number == CHILD_DONE) {
        return true;
    } else {
        process_explain(end, &error);
        snprintf(why, why_size, "the native code %s", error.text);
    }
    return false;
}
