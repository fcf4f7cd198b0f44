#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "proofs/user/native.h"

#include "smt/context.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
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
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
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

static double now_s(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for the child; ends it when it takes too long. */
static bool wait_for(pid_t pid, double timeout_s, int *status)
{
    const double deadline = now_s() + timeout_s;
    struct timespec pause = {0, 200000};
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (now_s() > deadline) {
            kill(pid, SIGKILL);
            waitpid(pid, status, 0);
            return false;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 5000000)
            pause.tv_nsec *= 2;
    }
    return true;
}

bool native_call(const char *file, const char *const *functions, size_t n, native_use *use, void *context,
                 double timeout_s, char *why, size_t why_size)
{
    int status = 0;
    pid_t pid;
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        child(file, functions, n, use, context);
    if (pid < 0)
        snprintf(why, why_size, "no process could be started");
    else if (!wait_for(pid, timeout_s, &status))
        snprintf(why, why_size, "the native code did not come back within %g s", timeout_s);
    else if (WIFSIGNALED(status))
        snprintf(why, why_size, "the native code was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == CHILD_NO_CODE)
        snprintf(why, why_size, "LLVM makes no native code of it here");
    else if (WEXITSTATUS(status) != CHILD_DONE)
        snprintf(why, why_size, "the native code ended with status %d", WEXITSTATUS(status));
    else
        return true;
    return false;
}
