/*
 * A plugin whose implementations answer as `fast` does, but for one case in a thousand, so that the engine meets it and
 * not what is measured first: these end the process, each in its own way, or are not answered, or are written to.
 * "forks" is right, and has a child, which exits, for each of them.
 *
 * Those whose names begin with "engine-" are right but in the process of an engine, where the thousandth call ends or
 * stops in a way that nobody within that process can tell of.
 */
#define _GNU_SOURCE /* syscall, program_invocation_short_name */
#include "warpcheck_fast.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static bool by_exit(char *error, size_t error_size)
{
    (void)error;
    (void)error_size;
    exit(0);
}

static bool at_once(char *error, size_t error_size)
{
    (void)error;
    (void)error_size;
    _exit(0);
}

static bool by_system_call(char *error, size_t error_size)
{
    (void)error;
    (void)error_size;
    syscall(SYS_exit_group, 0);
    return true;
}

static bool by_sigkill(char *error, size_t error_size)
{
    (void)error;
    (void)error_size;
    raise(SIGKILL);
    return true;
}

static bool device_lost(char *error, size_t error_size)
{
    snprintf(error, error_size, "device lost");
    return false;
}

static bool by_child(char *error, size_t error_size)
{
    const pid_t child = fork();
    (void)error;
    (void)error_size;
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return true;
}

static bool unharmed(char *error, size_t error_size)
{
    (void)error;
    (void)error_size;
    return true;
}

static void hang(void)
{
    for (volatile int forever = 1; forever;)
        continue;
}

/* No timer and no request to end reaches it. */
static void hang_blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    hang();
}

static void hang_with_handlers(void)
{
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    hang();
}

static void hang_sealed(void)
{
    prctl(PR_SET_SECCOMP, 1);
    hang();
}

/* The engine's other threads live on. */
static void leave_thread(void)
{
    pthread_exit(NULL);
}

static void become_another(void)
{
    execl("/bin/echo", "echo", "all is well", (char *)NULL);
}

static void become_one_that_waits(void)
{
    execl("/bin/sleep", "sleep", "1000", (char *)NULL);
}

static void leave_at_once(void)
{
    _exit(0);
}

static const struct manner {
    const char *name;
    bool (*end)(char *error, size_t error_size);
    bool writes;
    void (*end_engine)(void);
} manners[] = {{"exit", by_exit, false, NULL},
               {"at-once", at_once, false, NULL},
               {"system-call", by_system_call, false, NULL},
               {"sigkill", by_sigkill, false, NULL},
               {"error", device_lost, false, NULL},
               {"forks", by_child, false, NULL},
               {"writes", unharmed, true, NULL},
               {"engine-hang", unharmed, false, hang},
               {"engine-hang-blocked", unharmed, false, hang_blocked},
               {"engine-hang-handlers", unharmed, false, hang_with_handlers},
               {"engine-hang-sealed", unharmed, false, hang_sealed},
               {"engine-pthread-exit", unharmed, false, leave_thread},
               {"engine-exec", unharmed, false, become_another},
               {"engine-exec-waits", unharmed, false, become_one_that_waits},
               {"engine-at-once", unharmed, false, leave_at_once}};
#define MANNERS (sizeof manners / sizeof manners[0])

static void end_engine(const struct manner *manner)
{
    static unsigned calls;
    if (manner->end_engine != NULL && strncmp(program_invocation_short_name, "fuzz_", 5) == 0 && ++calls == 1000)
        manner->end_engine();
}

/* As code that works in place does: the case is changed, and the answer is that to what it then is. */
static void write_into(const struct warp_case *c)
{
    struct warp_case *const mine = (struct warp_case *)(uintptr_t)c;
    mine->a[0] ^= 1u;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct manner *const manner = state;
    const struct warp_impl *const fast = fast_portable_get();
    end_engine(manner);
    for (size_t i = 0; i < n; i++) {
        if (cases[i].active % 1021 != 7)
            continue;
        if (!manner->end(error, error_size))
            return false;
        if (manner->writes)
            write_into(&cases[i]);
    }
    return fast->eval(fast->state, cases, n, results, error, error_size);
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static struct warp_impl impls[MANNERS];
    if (i >= MANNERS)
        return NULL;
    impls[i] = (struct warp_impl){.name = manners[i].name,
                                  .description = "",
                                  .provides = WARP_PART_ALL,
                                  .state = (void *)(uintptr_t)&manners[i],
                                  .eval = eval};
    return &impls[i];
}
