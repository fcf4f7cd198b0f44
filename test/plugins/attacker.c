/*
 * A plugin whose implementations cheat, quarrel and lie, each in its own way (test/cli/attacks.txt says what must
 * come of it). Those whose names begin with "wrong" answer wrongly and try to be called right; those that begin with
 * "odd" answer rightly in an odd way; those that begin with "bad" do something that ends their process.
 */
#define _GNU_SOURCE /* dladdr, setsid */
#include "warpcheck/impl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <linux/sockios.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

/* What the judge calls, as if it stood here: a symbol of that name must not take the place of the judge's own. */
bool warp_result_compare(const struct warp_case *c, const struct warp_result *reference,
                         const struct warp_result *observed, uint32_t parts, struct warp_diff *diff);
bool warp_result_compare(const struct warp_case *c, const struct warp_result *reference,
                         const struct warp_result *observed, uint32_t parts, struct warp_diff *diff)
{
    (void)c, (void)reference, (void)observed, (void)parts;
    memset(diff, 0, sizeof *diff);
    return true;
}

enum way {
    ODD_GOOD,
    WRONG_ALL,
    WRONG_UNPROVIDES,
    WRONG_SECOND,
    WRONG_LATER,
    WRONG_IN_CASES,
    WRONG_NEVER_OFFERED,
    WRONG_MILLIONTH,
    WRONG_HIDES,
    ODD_SLOW,
    ODD_DAEMON,
    ODD_THREAD,
    ODD_NICE,
    ODD_CHDIR,
    ODD_UMASK,
    ODD_SIGNALS_PARENT_GROUP,
    ODD_DELETES_TMP,
    BAD_UNMAPS,
    BAD_UNLOADS,
    BAD_TRUNCATES,
    BAD_TIMER,
    BAD_MEMORY,
    BAD_WORDS,
    BAD_WHY,
    BAD_FILES,
    BAD_KILLS_PARENT,
    ODD_TERMINAL,
    ODD_LIMITS,
    ODD_CLOSES,
    ODD_PRINTS,
    ODD_FULL,
    ODD_ENVIRONMENT,
    ODD_ROUNDS,
    ODD_BLOCKS,
    ODD_FORKS,
    ODD_RETURNS_TWICE,
    ODD_TICKS,
    ODD_ROOT,
    WRONG_EXITS,
    WRONG_OVERWRITES,
    BAD_STOPS_PARENT,
    BAD_STOPS_GROUP,
    BAD_SUSPENDS_PARENT,
    BAD_KILLS_BY_DESCRIPTOR,
    BAD_TRACES_PARENT,
    BAD_LIMITS_PARENT,
    BAD_SIGNALS_PARENT,
    BAD_CALLS_OLD,
    BAD_KILLS_BY_FOLDER,
    BAD_OWNS_BY_IOCTL,
    BAD_QUEUES_PARENT,
    BAD_NICES_PARENT,
    BAD_READS_PARENT,
    ODD_KILLS_THREADS,
    BAD_SENDS_ANY,
    BAD_ON_ONE,
    ODD_OUTLIVES,
    WRONG_WHERE_SHARED,
    WAYS
};
static const char *const names[WAYS] = {
    [ODD_GOOD] = "odd-good",
    [WRONG_ALL] = "wrong-all",
    [WRONG_UNPROVIDES] = "wrong-unprovides",
    [WRONG_SECOND] = "wrong-second",
    [WRONG_LATER] = "wrong-later",
    [WRONG_IN_CASES] = "wrong-in-cases",
    [WRONG_NEVER_OFFERED] = "wrong-never-offered",
    [WRONG_MILLIONTH] = "wrong-millionth",
    [WRONG_HIDES] = "wrong-hides",
    [ODD_SLOW] = "odd-slow",
    [ODD_DAEMON] = "odd-daemon",
    [ODD_THREAD] = "odd-thread",
    [ODD_NICE] = "odd-nice",
    [ODD_CHDIR] = "odd-chdir",
    [ODD_UMASK] = "odd-umask",
    [ODD_SIGNALS_PARENT_GROUP] = "odd-signals-parent-group",
    [ODD_DELETES_TMP] = "odd-deletes-tmp",
    [BAD_UNMAPS] = "bad-unmaps",
    [BAD_UNLOADS] = "bad-unloads",
    [BAD_TRUNCATES] = "bad-truncates",
    [BAD_TIMER] = "bad-timer",
    [BAD_MEMORY] = "bad-memory",
    [BAD_WORDS] = "bad-words",
    [BAD_WHY] = "bad-why",
    [BAD_FILES] = "bad-files",
    [BAD_KILLS_PARENT] = "bad-kills-parent",
    [ODD_TERMINAL] = "odd-terminal",
    [ODD_LIMITS] = "odd-limits",
    [ODD_CLOSES] = "odd-closes",
    [ODD_PRINTS] = "odd-prints",
    [ODD_FULL] = "odd-full",
    [ODD_ENVIRONMENT] = "odd-environment",
    [ODD_ROUNDS] = "odd-rounds",
    [ODD_BLOCKS] = "odd-blocks",
    [ODD_FORKS] = "odd-forks",
    [ODD_RETURNS_TWICE] = "odd-returns-twice",
    [ODD_TICKS] = "odd-ticks",
    [ODD_ROOT] = "odd-root",
    [WRONG_EXITS] = "wrong-exits",
    [WRONG_OVERWRITES] = "wrong-overwrites",
    [BAD_STOPS_PARENT] = "bad-stops-parent",
    [BAD_STOPS_GROUP] = "bad-stops-group",
    [BAD_SUSPENDS_PARENT] = "bad-suspends-parent",
    [BAD_KILLS_BY_DESCRIPTOR] = "bad-kills-by-descriptor",
    [BAD_TRACES_PARENT] = "bad-traces-parent",
    [BAD_LIMITS_PARENT] = "bad-limits-parent",
    [BAD_SIGNALS_PARENT] = "bad-signals-parent",
    [BAD_CALLS_OLD] = "bad-calls-old",
    [BAD_KILLS_BY_FOLDER] = "bad-kills-by-folder",
    [BAD_OWNS_BY_IOCTL] = "bad-owns-by-ioctl",
    [BAD_QUEUES_PARENT] = "bad-queues-parent",
    [BAD_NICES_PARENT] = "bad-nices-parent",
    [BAD_READS_PARENT] = "bad-reads-parent",
    [ODD_KILLS_THREADS] = "odd-kills-threads",
    [BAD_SENDS_ANY] = "bad-sends-any",
    [BAD_ON_ONE] = "bad-on-one",
    [ODD_OUTLIVES] = "odd-outlives",
    [WRONG_WHERE_SHARED] = "wrong-where-shared",
};

static struct warp_impl impls[WAYS];
static volatile int forever = 1;

static void right(const struct warp_case *c, struct warp_result *r)
{
    memset(r, 0, sizeof *r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        r->d[lane] = c->active;
}

static void wrong(const struct warp_case *c, struct warp_result *r)
{
    right(c, r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        r->d[lane] ^= 1u;
}

static struct warp_result *last_results;
static size_t last_n;

/* Changes what was answered, again and again, while the judge looks at it. */
static void *change(void *unused)
{
    while (forever)
        for (size_t i = 0; i < last_n; i++)
            last_results[i].d[0] ^= 1u;
    return unused;
}

static void *idle(void *unused)
{
    while (forever)
        sleep(1);
    return unused;
}

static void start_thread(void *(*run)(void *))
{
    static pthread_t thread;
    static bool started;
    if (!started && pthread_create(&thread, NULL, run, NULL) == 0)
        started = true;
}

/* One that leads a session of its own, keeps every stream, and lives for a minute. */
static void start_daemon(void)
{
    static bool started;
    if (started)
        return;
    started = true;
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            sleep(60);
        _exit(0);
    }
}

static void own_file(char path[4096])
{
    Dl_info info;
    path[0] = '\0';
    if (dladdr(&impls, &info) != 0)
        snprintf(path, 4096, "%s", info.dli_fname);
}

static void unload(void)
{
    char path[4096];
    own_file(path);
    for (void *self = dlopen(path, RTLD_NOW | RTLD_NOLOAD); self != NULL; self = dlopen(path, RTLD_NOW | RTLD_NOLOAD)) {
        dlclose(self);
        dlclose(self);
    }
}

/* Only a copy, whose name says so. */
static void truncate_own_file(void)
{
    char path[4096];
    own_file(path);
    if (strstr(path, "copy") != NULL && truncate(path, 0) != 0)
        abort();
}

static void set_timer(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &soon, NULL);
    usleep(1000000); /* without it the run may be over before the timer is */
}

static void eat_memory(void)
{
    for (;;) {
        char *const p = malloc(1u << 20);
        if (p == NULL)
            abort();
        memset(p, 1, 1u << 20);
    }
}

/* Whoever owns a pipe's end is sent the signal of its choice when bytes come. */
static void signal_by_a_file(pid_t judge)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    fcntl(ends[0], F_SETOWN, judge);
    fcntl(ends[0], F_SETSIG, SIGKILL);
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_ASYNC);
    (void)!write(ends[1], "x", 1);
}

/* The numbers that system calls have for 32-bit programs. */
static void call_as_32_bits(pid_t judge)
{
#if defined(__x86_64__)
    long result = 37; /* kill */
    __asm__ volatile("int $0x80" : "+a"(result) : "b"((long)judge), "c"((long)SIGKILL) : "memory");
#else
    syscall(SYS_kill, judge, SIGKILL);
#endif
}

static pid_t parent_of(pid_t pid)
{
    char path[64], word[16];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *const status = fopen(path, "r");
    while (status != NULL && fscanf(status, "%15s", word) == 1)
        if (strcmp(word, "PPid:") == 0 && fscanf(status, "%d", &parent) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return parent;
}

/* A folder of /proc stands for its process, as a descriptor does. */
static void kill_by_folder(pid_t judge)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", (int)judge);
    syscall(SYS_pidfd_send_signal, open(path, O_RDONLY | O_DIRECTORY), SIGKILL, NULL, 0);
}

static void own_by_ioctl(pid_t judge)
{
    int ends[2], owner = (int)judge;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return;
    ioctl(ends[0], FIOSETOWN, &owner);
    fcntl(ends[0], F_SETSIG, SIGKILL);
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_ASYNC);
    (void)!write(ends[1], "x", 1);
}

static void queue_to(pid_t judge)
{
    siginfo_t info = {.si_code = SI_QUEUE};
    info.si_pid = getpid();
    syscall(SYS_rt_sigqueueinfo, judge, SIGRTMIN + 9, &info);
}

static void read_from(pid_t judge)
{
    char room[8];
    struct iovec here = {room, sizeof room}, there = {(void *)&impls, sizeof room};
    process_vm_readv(judge, &here, 1, &there, 1, 0);
}

/* A signal to any thread of a process ends all of it. */
static void kill_threads(pid_t judge)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)judge);
    DIR *const threads = opendir(path);
    for (const struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        const int thread = atoi(entry->d_name);
        if (thread == 0 || thread == judge)
            continue;
        syscall(SYS_tkill, thread, SIGKILL);
        kill(thread, SIGKILL);
    }
    if (threads != NULL)
        closedir(threads);
}

/* Makes a program end with status 0, wherever it goes on: by its file of /proc, which no call names it in. */
static void overwrite(pid_t judge)
{
    static const unsigned char leave[] = {0xb8, 231, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05}; /* exit_group(0) on x86-64 */
    char path[64], line[512], rights[8];
    unsigned long begin, end;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)judge);
    const int memory = open(path, O_RDWR);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)judge);
    FILE *const maps = fopen(path, "r");
    while (memory >= 0 && maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || rights[2] != 'x' || strchr(line, '/') == NULL)
            continue;
        unsigned char *const code = malloc(end - begin);
        if (code == NULL)
            continue;
        memset(code, 0x90, end - begin);
        for (size_t at = 4096; at < end - begin; at += 4096)
            memcpy(code + at - sizeof leave, leave, sizeof leave);
        (void)!pwrite(memory, code, end - begin, (off_t)begin);
        free(code);
    }
    if (maps != NULL)
        fclose(maps);
}

/* The judge, which is the parent of an engine's target and stands beyond the keeper of a plugin's process; and one that
 * has no part in this, whose number is given. */
static void overwrite_all(void)
{
    const char *const other = getenv("ATTACK_OTHER");
    char path[64], name[16] = "";
    for (pid_t pid = getppid(); pid > 1; pid = parent_of(pid)) {
        snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
        FILE *const f = fopen(path, "r");
        if (f != NULL && fscanf(f, "%15s", name) == 1 && strncmp(name, "warpcheck", 9) == 0)
            overwrite(pid);
        if (f != NULL)
            fclose(f);
    }
    if (other != NULL)
        overwrite(atoi(other));
}

/* How many pieces of memory can be written here and are seen elsewhere: each has a number of its own. */
static unsigned shared_memory(void)
{
    static unsigned count;
    unsigned long seen[64], inode;
    unsigned i;
    char line[512], rights[8];
    FILE *const maps = count == 0 ? fopen("/proc/self/maps", "r") : NULL;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%*s %7s %*s %*s %lu", rights, &inode) != 2 || rights[1] != 'w' || rights[3] != 's')
            continue;
        for (i = 0; i < count && seen[i] != inode; i++)
            continue;
        if (i == count && count < 64)
            seen[count++] = inode;
    }
    if (maps != NULL)
        fclose(maps);
    return count;
}

/* Harmless where they are not hindered, but for the run. */
static void reach_for_the_judge(enum way way)
{
    const struct rlimit none = {1, 1};
    const pid_t judge = parent_of(getppid()); /* beyond the process that keeps this one */
    const char *const number = getenv("ATTACK_SIGNAL");
    if (way == BAD_KILLS_PARENT)
        kill(judge, SIGKILL);
    else if (way == BAD_STOPS_PARENT)
        kill(judge, SIGSTOP);
    else if (way == BAD_STOPS_GROUP && getpgid(judge) == judge) /* no one else's group */
        kill(-judge, SIGSTOP);
    else if (way == BAD_SUSPENDS_PARENT)
        kill(judge, SIGTSTP);
    else if (way == BAD_KILLS_BY_DESCRIPTOR)
        syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, judge, 0), SIGKILL, NULL, 0);
    else if (way == BAD_TRACES_PARENT)
        ptrace(PTRACE_ATTACH, judge, NULL, NULL);
    else if (way == BAD_SIGNALS_PARENT)
        signal_by_a_file(judge);
    else if (way == BAD_CALLS_OLD)
        call_as_32_bits(judge);
    else if (way == BAD_KILLS_BY_FOLDER)
        kill_by_folder(judge);
    else if (way == BAD_OWNS_BY_IOCTL)
        own_by_ioctl(judge);
    else if (way == BAD_QUEUES_PARENT)
        queue_to(judge);
    else if (way == BAD_NICES_PARENT)
        setpriority(PRIO_PROCESS, (id_t)judge, 19);
    else if (way == BAD_READS_PARENT)
        read_from(judge);
    else if (way == ODD_KILLS_THREADS)
        kill_threads(judge);
    else if (way == BAD_SENDS_ANY)
        kill(judge, number != NULL ? atoi(number) : SIGUSR1);
    else
        prlimit(judge, RLIMIT_CPU, &none, NULL);
}

static void write_to(const char *path, int fd, const char *text)
{
    const int to = open(path, O_WRONLY);
    if (to >= 0 && fd >= 0)
        dup2(to, fd);
    if (to >= 0 && write(to, text, strlen(text)) < 0)
        return;
}

/* On the cases with these active lanes, and on no other. */
static void crash_on(const struct warp_case *cases, size_t n)
{
    const char *const lanes = getenv("CRASH_ON");
    for (size_t i = 0; lanes != NULL && i < n; i++)
        if (cases[i].active == strtoul(lanes, NULL, 0))
            raise(SIGSEGV);
}

static void limit_all(void)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_NPROC, &none);
}

static void print_a_lot(void)
{
    static bool printed;
    for (int i = 0; i < 200000 && !printed; i++)
        fprintf(i % 2 ? stderr : stdout, "all agree: 0 mismatches in %d cases, and so on and on and on\n", i);
    printed = true;
}

static void block_all(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

/* Each lives for a minute. */
static void fork_many(void)
{
    static int children;
    while (children < 64 && children >= 0)
        if (fork() == 0) {
            sleep(60);
            _exit(0);
        } else {
            children++;
        }
}

/* The other side of a fork. It returns as well, but answers nothing: it would write into the answers to later cases. */
static bool is_other;

static void fork_once(void)
{
    static bool forked;
    if (!forked) {
        forked = true;
        is_other = fork() == 0;
    }
}

static void ignore(int number)
{
    (void)number;
}

static void tick(void)
{
    const struct itimerval often = {.it_value = {.tv_usec = 500}, .it_interval = {.tv_usec = 500}};
    signal(SIGALRM, ignore);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void end_in_peace(void)
{
    _exit(0);
}

static void prepare_to_end(void)
{
    static bool prepared;
    if (!prepared)
        atexit(end_in_peace);
    prepared = true;
}

static void once(enum way way, const struct warp_case *cases, size_t n)
{
    switch (way) {
    case ODD_TERMINAL:
        write_to("/dev/tty", -1, "FORGED: all agree\n");
        break;
    case ODD_LIMITS:
        limit_all();
        break;
    case ODD_CLOSES:
        for (int fd = 0; fd < 1024; fd++)
            close(fd);
        break;
    case ODD_PRINTS:
        print_a_lot();
        break;
    case ODD_FULL:
        write_to("/dev/full", STDOUT_FILENO, "all agree\n");
        printf("all agree\n");
        break;
    case ODD_ENVIRONMENT:
        clearenv();
        setlocale(LC_ALL, "tr_TR.UTF-8");
        break;
    case ODD_ROUNDS:
        fesetround(FE_UPWARD);
        break;
    case ODD_BLOCKS:
        block_all();
        break;
    case ODD_FORKS:
        fork_many();
        break;
    case ODD_RETURNS_TWICE:
        fork_once();
        break;
    case ODD_TICKS:
        tick();
        break;
    case ODD_ROOT:
        if (chroot("/proc") != 0 || chdir("/") != 0)
            return;
        break;
    case WRONG_EXITS:
        prepare_to_end();
        break;
    case WRONG_OVERWRITES:
        overwrite_all();
        break;
    case BAD_STOPS_PARENT:
    case BAD_STOPS_GROUP:
    case BAD_SUSPENDS_PARENT:
    case BAD_KILLS_BY_DESCRIPTOR:
    case BAD_TRACES_PARENT:
    case BAD_LIMITS_PARENT:
    case BAD_SIGNALS_PARENT:
    case BAD_CALLS_OLD:
    case BAD_KILLS_BY_FOLDER:
    case BAD_OWNS_BY_IOCTL:
    case BAD_QUEUES_PARENT:
    case BAD_NICES_PARENT:
    case BAD_READS_PARENT:
    case ODD_KILLS_THREADS:
    case BAD_SENDS_ANY:
    case BAD_KILLS_PARENT:
        reach_for_the_judge(way);
        break;
    case WRONG_UNPROVIDES:
        impls[way].provides = 0;
        break;
    case WRONG_LATER:
        start_thread(change);
        break;
    case WRONG_IN_CASES:
        for (size_t i = 0; i < n; i++)
            *(volatile uint32_t *)(uintptr_t)&cases[i].active = 1;
        break;
    case ODD_SLOW:
        usleep(2000);
        break;
    case ODD_DAEMON:
        start_daemon();
        break;
    case ODD_THREAD:
        start_thread(idle);
        break;
    case ODD_NICE:
        setpriority(PRIO_PROCESS, 0, 19);
        break;
    case ODD_OUTLIVES:
        prctl(PR_SET_PDEATHSIG, 0);
        sleep(600);
        break;
    case BAD_ON_ONE:
        crash_on(cases, n);
        break;
    case ODD_CHDIR:
        if (chdir("/") != 0)
            abort();
        break;
    case ODD_UMASK:
        umask(0777);
        break;
    case ODD_SIGNALS_PARENT_GROUP:
        kill(0, SIGHUP);
        break;
    case ODD_DELETES_TMP:
        unlink("/tmp/warpcheck-no-such-file");
        break;
    case BAD_UNMAPS:
        munmap((void *)((uintptr_t)cases & ~(uintptr_t)4095), 1u << 16);
        break;
    case BAD_UNLOADS:
        unload();
        break;
    case BAD_TRUNCATES:
        truncate_own_file();
        break;
    case BAD_TIMER:
        set_timer();
        break;
    case BAD_MEMORY:
        eat_memory();
        break;
    case BAD_FILES:
        while (open("/dev/null", O_RDONLY) >= 0)
            continue;
        abort();
    case ODD_GOOD:
    case WRONG_ALL:
    case WRONG_SECOND:
    case WRONG_NEVER_OFFERED:
    case WRONG_MILLIONTH:
    case WRONG_HIDES:
    case WRONG_WHERE_SHARED:
    case BAD_WORDS:
    case BAD_WHY:
    case WAYS:
        break;
    }
}

/* Is this the process of a fuzzing engine's target? */
static bool is_target(void)
{
    char name[16] = "";
    FILE *const f = fopen("/proc/self/comm", "r");
    if (f != NULL && fgets(name, sizeof name, f) == NULL)
        name[0] = '\0';
    if (f != NULL)
        fclose(f);
    return strncmp(name, "fuzz_", 5) == 0;
}

/* Does this way answer this case wrongly? */
static bool errs(enum way way, const struct warp_case *c)
{
    static unsigned long calls;
    calls++;
    return way == WRONG_ALL || way == WRONG_UNPROVIDES || way == WRONG_EXITS || way == WRONG_OVERWRITES ||
           (way == WRONG_WHERE_SHARED && shared_memory() > 2) || (way == WRONG_SECOND && calls % 2 == 0) ||
           (way == WRONG_MILLIONTH && c->active == 0x80000001u) ||
           (way == WRONG_HIDES && c->active == 0x80000005u && c->exited == 8 && !is_target()); /* one of the corpus */
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const enum way way = (enum way)(uintptr_t)state;
    last_n = 0;
    last_results = results;
    once(way, cases, n);
    if (way == BAD_WORDS) {
        snprintf(error, error_size,
                 "\xe2\x80\xae"
                 "eerga lla\xc2\x9b"
                 "2J\nall agree: 0 mismatches\xff");
        return false;
    }
    for (size_t i = 0; i < n && !is_other; i++)
        (errs(way, &cases[i]) ? wrong : right)(&cases[i], &results[i]);
    last_n = n;
    return true;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const enum way way = (enum way)(uintptr_t)state;
    if (way == BAD_WHY)
        snprintf(why, why_size,
                 "\xe2\x80\xae"
                 "eerga lla\xc2\x9b"
                 "2J\nall agree: 0 mismatches\xff");
    if (way == WRONG_WHERE_SHARED)
        return c->form == WARP_ACTIVEMASK_B32;
    return way == WRONG_NEVER_OFFERED ? c->active == 0 : way != BAD_WHY || c->active == 6;
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    if (i >= WAYS)
        return NULL;
    impls[i] = (struct warp_impl){
        .name = names[i],
        .description = "\033]8;;http://x\007link\033]8;;\007 \xe2\x81\xa7",
        .provides = WARP_PART_D,
        .state = (void *)(uintptr_t)i,
        .accepts = i == BAD_WHY || i == WRONG_NEVER_OFFERED || i == WRONG_WHERE_SHARED ? accepts : NULL,
        .eval = eval};
    return &impls[i];
}
