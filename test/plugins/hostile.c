/*
 * A plugin whose implementations misbehave, each in its own way, at a case with the active lanes 6; others when they
 * are closed. The environment variable WARPCHECK_TEST_HOSTILE makes it misbehave when it is loaded or unloaded.
 */
#define _GNU_SOURCE /* syscall, flockfile */
#include "warpcheck/impl.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static volatile int forever = 1;

static void good(void)
{
}

/* --- crashes --- */

/* A real fault, at an address that no sanitizer looks at. */
static void segv(void)
{
    static volatile uintptr_t nowhere = 64;
    *(volatile int *)nowhere = 1;
}

#define RAISES(name, number)                                                                                           \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        raise(number);                                                                                                 \
    }
RAISES(bus, SIGBUS)
RAISES(fpe, SIGFPE)
RAISES(ill, SIGILL)
RAISES(raise_trap, SIGTRAP)
RAISES(raise_sys, SIGSYS)
RAISES(raise_pipe, SIGPIPE)
RAISES(raise_alarm, SIGALRM)
RAISES(raise_xcpu, SIGXCPU)
RAISES(raise_xfsz, SIGXFSZ)
RAISES(raise_kill, SIGKILL)
RAISES(stop, SIGSTOP)

static void own_handlers(void)
{
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    segv();
}

static unsigned descend(unsigned depth)
{
    volatile char room[4096];
    room[depth % sizeof room] = 1;
    return forever ? descend(depth + 1) + (unsigned)room[0] : 0;
}

static void deep(void)
{
    (void)descend(0);
}

/* --- ends --- */

static void leave(void)
{
    exit(0);
}

static void leave_at_once(void)
{
    _exit(0);
}

static void leave_by_system_call(void)
{
    syscall(SYS_exit_group, 0);
}

static void *exit_here(void *unused)
{
    exit(0);
    return unused;
}

static void leave_in_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, exit_here, NULL);
    pthread_join(thread, NULL);
}

static void leave_thread(void)
{
    pthread_exit(NULL);
}

static void become_another(void)
{
    execl("/bin/echo", "echo", "all agree: 0 mismatches", (char *)NULL);
}

/* Both come back. */
static void fork_twice(void)
{
    if (fork() < 0)
        abort();
}

/* --- no end --- */

static void hang(void)
{
    while (forever)
        continue;
}

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

static void locked_up(void)
{
    flockfile(stdout);
    flockfile(stderr);
    hang();
}

static void sealed(void)
{
    prctl(PR_SET_SECCOMP, 1);
    hang();
}

/* Only the first time in a process takes too long. */
static void late(void)
{
    static int before;
    if (before++ == 0)
        hang();
}

/* --- memory --- */

static void free_twice(void)
{
    void *volatile p = malloc(3000);
    free(p);
    free(p);
}

/* Words of the caller's stack. Its counter and the address lie elsewhere: they would be overwritten, too. */
static void overrun(void)
{
    static volatile uintptr_t at;
    static volatile unsigned i;
    volatile uint32_t few[4];
    at = (uintptr_t)few;
    for (i = 0; i < 400; i++)
        ((volatile uint32_t *)at)[i] = 0x41414141u;
}

/* What the call was given. */
static struct warp_result *given;
static const struct warp_case *asked;
static size_t asked_n;

static void write_behind(void)
{
    memset(&given[asked_n], 0, sizeof given[0]);
}

static void write_cases(void)
{
    *(volatile uint32_t *)(uintptr_t)&asked->active = 5;
}

/* The cases of another: what was read-only is made writable first, if that can be. */
static void unseal(void)
{
    const uintptr_t page = (uintptr_t)asked & ~(uintptr_t)4095;
    mprotect((void *)page, 4096, PROT_READ | PROT_WRITE);
    write_cases();
}

static volatile uint32_t read_word;

static void read_behind(void)
{
    read_word = *(const volatile uint32_t *)(const void *)&asked[asked_n];
}

/* The memory that it shares with whoever asks: each part of it, at its place. */
static void of_shared(void (*change)(void *at, size_t size))
{
    char line[512];
    FILE *const maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        char way[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, way) == 3 && way[1] == 'w' && way[3] == 's')
            change((void *)(uintptr_t)from, to - from);
    }
    if (maps != NULL)
        fclose(maps);
}

static void unmap(void *at, size_t size)
{
    munmap(at, size);
}

/* The same content, and nobody else sees what is written. */
static void remap(void *at, size_t size)
{
    void *const copy = malloc(size);
    memcpy(copy, at, size);
    mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memcpy(at, copy, size);
    free(copy);
}

/* Garbage in all that it may write there: counts, lengths, texts without an end. */
static void scribble(void *at, size_t size)
{
    const char *const byte = getenv("WARPCHECK_TEST_BYTE");
    memset(at, byte != NULL ? (int)strtol(byte, NULL, 0) : 'A', size);
}

static void *page_of(const void *at)
{
    return (void *)((uintptr_t)at & ~(uintptr_t)4095);
}

static void unmap_results(void)
{
    munmap(page_of(given), 65536);
}

static void protect_results(void)
{
    mprotect(page_of(given), 4096, PROT_NONE);
}

static void remap_results(void)
{
    remap(page_of(given), 4096);
}

static void scribble_all(void)
{
    of_shared(scribble);
}

static void unmap_all(void)
{
    of_shared(unmap);
}

static void remap_all(void)
{
    of_shared(remap);
}

/* --- its parent --- */

static void end_parent(void)
{
    kill(getppid(), SIGTERM);
}

static void interrupt_parent(void)
{
    kill(getppid(), SIGINT);
}

static void alarm_parent(void)
{
    kill(getppid(), SIGALRM);
}

static void pipe_parent(void)
{
    kill(getppid(), SIGPIPE);
}

static void kill_parent(void)
{
    kill(getppid(), SIGKILL);
}

/* --- what may not harm --- */

static void print_much(void)
{
    for (unsigned i = 0; i < 40000; i++)
        printf("{\"garbage\": \033[2J\033]0;x\a all agree: 0 mismatches\n");
    fflush(stdout);
    fprintf(stderr, "and \033[31mmore\n");
}

static void flush_to_zero(void)
{
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
}

/* It is judged by what it offered when it was loaded. */
static struct warp_impl *offered;

static void take_back_parts(void)
{
    offered->provides = WARP_PART_WAITS_FOR;
}

static bool accept_nothing(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state, (void)c, (void)why, (void)why_size;
    return false;
}

static void take_back_accepts(void)
{
    offered->accepts = accept_nothing;
}

static void close_all(void)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
}

static const struct way {
    const char *name;
    void (*at_case)(void);
    void (*at_close)(void);
} ways[] = {
    {"good", good, good},
    {"segv", segv, good},
    {"abort", abort, good},
    {"bus", bus, good},
    {"fpe", fpe, good},
    {"ill", ill, good},
    {"trap", raise_trap, good},
    {"sys", raise_sys, good},
    {"pipe", raise_pipe, good},
    {"alarm", raise_alarm, good},
    {"xcpu", raise_xcpu, good},
    {"xfsz", raise_xfsz, good},
    {"kill", raise_kill, good},
    {"handlers", own_handlers, good},
    {"deep", deep, good},
    {"exit", leave, good},
    {"at-once", leave_at_once, good},
    {"system-call", leave_by_system_call, good},
    {"thread-exit", leave_in_thread, good},
    {"pthread-exit", leave_thread, good},
    {"exec", become_another, good},
    {"forks", fork_twice, good},
    {"hang", hang, good},
    {"hang-blocked", hang_blocked, good},
    {"hang-handlers", hang_with_handlers, good},
    {"locked-up", locked_up, good},
    {"seccomp", sealed, good},
    {"stop", stop, good},
    {"late", late, good},
    {"third", good, good},
    {"several", good, good},
    {"accepts", good, good},
    {"double-free", free_twice, good},
    {"overrun", overrun, good},
    {"write-behind", write_behind, good},
    {"write-cases", write_cases, good},
    {"unseals", unseal, good},
    {"read-behind", read_behind, good},
    {"prints", print_much, good},
    {"ftz", flush_to_zero, good},
    {"closes-all", close_all, good},
    {"unmaps", unmap_results, good},
    {"protects", protect_results, good},
    {"remaps", remap_results, good},
    {"unmaps-all", unmap_all, good},
    {"remaps-all", remap_all, good},
    {"ends-parent", end_parent, good},
    {"interrupts-parent", interrupt_parent, good},
    {"alarms-parent", alarm_parent, good},
    {"pipes-parent", pipe_parent, good},
    {"kills-parent", kill_parent, good},
    {"scribbles", scribble_all, good},
    {"scribbles-when-closed", good, scribble_all},
    {"scribbles-in-accepts", good, good},
    {"takes-back-d", take_back_parts, good},
    {"takes-back-accepts", take_back_accepts, good},
    {"close-segv", good, segv},
    {"close-exit", good, leave},
    {"close-hang", good, hang},
};
#define WAYS (sizeof ways / sizeof ways[0])

static struct warp_impl impls[WAYS];

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct way *const way = state;
    (void)error;
    (void)error_size;
    offered = &impls[way - ways];
    given = results;
    asked = cases;
    asked_n = n;
    for (size_t i = 0; i < n; i++) {
        memset(&results[i], 0, sizeof results[i]);
        if (cases[i].active == 6)
            way->at_case();
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            results[i].d[lane] = cases[i].active;
    }
    return true;
}

/* Only a call of several cases crashes. */
static bool eval_several(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    if (n > 1)
        segv();
    return eval(state, cases, n, results, error, error_size);
}

/* Only the third call of several cases in a process hangs. */
static bool eval_third(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                       size_t error_size)
{
    static unsigned before;
    if (n > 1 && ++before == 3)
        hang();
    return eval(state, cases, n, results, error, error_size);
}

/* Its reason has no end. */
static bool accepts_scribbling(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state;
    memset(why, 'A', why_size);
    if (c->active == 6)
        scribble_all();
    return c->active != 6;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state;
    (void)why;
    (void)why_size;
    if (c->active == 6)
        segv();
    return false;
}

static void close_it(void *state)
{
    const struct way *const way = state;
    way->at_close();
}

/* --- loading --- */

static bool is_set(const char *what)
{
    const char *const set = getenv("WARPCHECK_TEST_HOSTILE");
    return set != NULL && strcmp(set, what) == 0;
}

__attribute__((constructor)) static void when_loaded(void)
{
    if (is_set("load-exit"))
        exit(0);
    if (is_set("load-segv"))
        segv();
    if (is_set("load-hang"))
        hang();
    if (is_set("load-scribbles"))
        scribble_all();
    if (is_set("load-signals"))
        kill(getppid(), SIGCONT);
    if (is_set("load-ftz"))
        flush_to_zero();
}

__attribute__((destructor)) static void when_unloaded(void)
{
    if (is_set("unload-exit"))
        _exit(0);
    if (is_set("unload-segv"))
        segv();
    if (is_set("unload-hang"))
        hang();
}

static bool (*accepts_of(const char *name))(void *, const struct warp_case *, char *, size_t)
{
    if (strcmp(name, "scribbles-in-accepts") == 0)
        return accepts_scribbling;
    return strcmp(name, "accepts") == 0 ? accepts : NULL;
}

static const struct warp_impl *make(size_t i)
{
    const bool several = strcmp(ways[i].name, "several") == 0, is_third = strcmp(ways[i].name, "third") == 0;
    impls[i] = (struct warp_impl){.name = is_set("name-wild") ? (const char *)(uintptr_t)8 : ways[i].name,
                                  .description = is_set("describe-escape") ? "\033[2Jall agree\nnow" : "",
                                  .provides = WARP_PART_D,
                                  .state = (void *)(uintptr_t)&ways[i],
                                  .accepts = accepts_of(ways[i].name),
                                  .eval = several    ? eval_several
                                          : is_third ? eval_third
                                                     : eval,
                                  .close = close_it};
    return &impls[i];
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    if (is_set("get-exit"))
        exit(0);
    if (is_set("get-segv"))
        segv();
    if (is_set("get-hang"))
        hang();
    if (is_set("get-scribbles"))
        scribble_all();
    if (is_set("get-wild"))
        return (const struct warp_impl *)(uintptr_t)8;
    if (is_set("get-never") && i >= WAYS)
        return make(0);
    return i < WAYS ? make(i) : NULL;
}
