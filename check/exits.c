/*
 * The exit functions of a program that links this object: called by a plugin within a guarded call, they end the call
 * and not the process. A plugin's calls of them are resolved here first, since the program comes before the C library.
 * The program's own calls, an engine's in a signal handler among them, end the process.
 *
 * What it does not see: exits from inside the C library (err, error), which run the guard's exit handler, and the
 * system call itself.
 */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr, syscall */
#include "check/guard.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SEEN_BY_PLUGINS __attribute__((visibility("default"), noreturn))
#define CALLER          ((const char *)__builtin_return_address(0) - 1)

SEEN_BY_PLUGINS void exit(int status);
SEEN_BY_PLUGINS void quick_exit(int status);
SEEN_BY_PLUGINS void _exit(int status);
SEEN_BY_PLUGINS void _Exit(int status);

static const char here;

static void end_call(const char *caller)
{
    Dl_info theirs, ours;
    if (dladdr(caller, &theirs) == 0 || dladdr(&here, &ours) == 0 || theirs.dli_fbase != ours.dli_fbase)
        guard_exiting();
}

static _Noreturn void at_once(int status)
{
    for (;;)
        syscall(SYS_exit_group, status);
}

/* The C library's own function of that name. */
static _Noreturn void next(const char *name, int status)
{
    void (*end)(int) = NULL;
    void *const symbol = dlsym(RTLD_NEXT, name);
    memcpy(&end, &symbol, sizeof end);
    if (end != NULL)
        end(status);
    at_once(status);
}

void exit(int status)
{
    end_call(CALLER);
    next("exit", status);
}

void quick_exit(int status)
{
    end_call(CALLER);
    next("quick_exit", status);
}

void _exit(int status)
{
    end_call(CALLER);
    at_once(status);
}

void _Exit(int status)
{
    end_call(CALLER);
    at_once(status);
}
