#define _GNU_SOURCE /* pipe2, sigabbrev_np, sched_getaffinity, O_PATH */
#include "base/process.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDED_S 10.0 /* for what the kernel holds on to */

/* In the child: makes a session and group of its own, which ends with the parent, and restores the default signals. */
static void settle(pid_t parent)
{
    static const int defaults[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ};
    sigset_t none;
    setsid(); /* and no terminal to write to */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127); /* the parent ended before the line above */
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        signal(defaults[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

pid_t process_fork(struct error *error)
{
    const pid_t parent = getpid();
    pid_t pid;
    fflush(NULL);
    prctl(PR_SET_DUMPABLE, 0);
    pid = fork();
    if (pid < 0)
        error_errno(error, "no process could be started");
    else if (pid == 0)
        settle(parent); /* until it has its group, process_signal reaches it by its number */
    return pid;
}

static bool attach(int fd, int to)
{
    int from = fd;
    if (fd == PROCESS_SAME)
        return true;
    if (fd == PROCESS_NULL)
        from = open("/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    return from >= 0 && (from == to ? fcntl(from, F_SETFD, 0) == 0 : dup2(from, to) >= 0);
}

/* In the child. First moves descriptors 0 to 2 that will be passed on out of the way, so that none is overwritten
 * before it is used. */
static bool prepare(const struct process_plan *plan)
{
    int streams[3] = {plan->in, plan->out, plan->err};
    for (int i = 0; i < 3; i++)
        if (streams[i] >= 0 && streams[i] < 3 && streams[i] != i &&
            (streams[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, 3)) < 0)
            return false;
    for (int i = 0; i < 3; i++)
        if (!attach(streams[i], i))
            return false;
    for (size_t i = 0; i < plan->variables_count; i++) {
        const struct process_variable *const v = &plan->variables[i];
        if ((v->value != NULL ? setenv(v->name, v->value, 1) : unsetenv(v->name)) != 0)
            return false;
    }
    return plan->folder == NULL || chdir(plan->folder) == 0;
}

/* execvp takes char *const [] for historical reasons and changes nothing. */
static void execute(const char *const *argv)
{
    char **copy;
    memcpy(&copy, &argv, sizeof copy);
    execvp(copy[0], copy);
}

/* Ends as the process did that it stands for. */
static _Noreturn void end_alike(int status)
{
    const struct rlimit none = {0, 0};
    sigset_t all;
    if (WIFSIGNALED(status)) {
        setrlimit(RLIMIT_CORE, &none);
        signal(WTERMSIG(status), SIG_DFL);
        sigfillset(&all);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

#define PARENT_ENDED SIGUSR1

/* Waits until the program or this process' parent ends, then ends what is left of all that the program started. */
static _Noreturn void keep(pid_t program, const sigset_t *signals)
{
    int status = 0, number = SIGCHLD;
    pid_t ended = 0;
    while (ended != program && number != PARENT_ENDED) {
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0 && ended != program)
            continue;
        if (ended != program)
            number = sigwaitinfo(signals, NULL);
    }
    processes_end();
    end_alike(ended == program ? status : 127 << 8);
}

/* In the child: goes on in a process of its own, while this one keeps it. Neither holds a file of the other's. */
static bool divide(void)
{
    const pid_t keeper = getpid();
    sigset_t all;
    pid_t program;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, PARENT_ENDED);
    processes_keep();
    program = fork();
    if (program < 0)
        return false;
    if (program > 0) {
        close_range(0, ~0u, 0);
        keep(program, &all);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(127);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    return true;
}

pid_t process_fork_whole(struct error *error)
{
    const pid_t pid = process_fork(error);
    if (pid == 0 && !divide())
        _exit(126);
    return pid;
}

pid_t process_start(const struct process_plan *plan, struct error *error)
{
    int told[2], reason = 0;
    ssize_t n;
    pid_t pid;
    if (pipe2(told, O_CLOEXEC) != 0) {
        error_errno(error, "%s cannot be started", plan->argv[0]);
        return -1;
    }
    pid = process_fork(error);
    if (pid == 0) {
        if ((!plan->whole || divide()) && prepare(plan))
            execute(plan->argv);
        reason = errno;
        n = write(told[1], &reason, sizeof reason);
        _exit(n == (ssize_t)sizeof reason ? 127 : 126);
    }
    close(told[1]);
    if (pid > 0) {
        while ((n = read(told[0], &reason, sizeof reason)) < 0 && errno == EINTR)
            ;
        if (n > 0) {
            process_kill(pid);
            errno = reason;
            error_errno(error, "%s cannot be started", plan->argv[0]);
            pid = -1;
        }
    }
    close(told[0]);
    return pid;
}

static struct process_end describe(int status)
{
    if (WIFSIGNALED(status))
        return (struct process_end){PROCESS_SIGNALED, WTERMSIG(status)};
    return (struct process_end){PROCESS_EXITED, WEXITSTATUS(status)};
}

struct process_end process_wait(pid_t pid, double deadline)
{
    int status;
    double pause = 0.0005;
    for (;;) {
        const pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid)
            return describe(status);
        if (got < 0 && errno != EINTR)
            return (struct process_end){PROCESS_EXITED, 127}; /* somebody reaped it before: its end is unknown */
        if (clock_seconds() >= deadline)
            return (struct process_end){.ending = PROCESS_RUNS};
        clock_sleep(pause);
        pause = pause < 0.02 ? pause * 2 : pause;
    }
}

void process_signal(pid_t pid, int number)
{
    if (pid > 0 && kill(-pid, number) != 0)
        kill(pid, number);
}

/* Those of a killed process' group that became children of this one at its end. */
static void reap_group(pid_t pid, double deadline)
{
    pid_t got;
    while ((got = waitpid(-pid, NULL, WNOHANG)) > 0 || (got == 0 && clock_seconds() < deadline))
        if (got == 0)
            clock_sleep(0.0005);
}

struct process_end process_kill_until(pid_t pid, double deadline)
{
    struct process_end end;
    process_signal(pid, SIGKILL);
    end = process_wait(pid, deadline);
    if (end.ending != PROCESS_RUNS)
        reap_group(pid, deadline);
    return end;
}

struct process_end process_kill(pid_t pid)
{
    return process_kill_until(pid, INFINITY);
}

const char *process_signal_name(int number)
{
    static _Thread_local char name[24];
    const char *const known = sigabbrev_np(number);
    if (known != NULL)
        snprintf(name, sizeof name, "SIG%s", known);
    else
        snprintf(name, sizeof name, "signal %d", number);
    return name;
}

bool process_explain(struct process_end end, struct error *error)
{
    if (end.ending == PROCESS_SIGNALED)
        error_set(error, ERROR_CRASH, "was ended by %s", process_signal_name(end.number));
    else
        error_set(error, ERROR_EXIT, "ended with status %d", end.number);
    if (error != NULL)
        error->detail = end.number;
    return false;
}

/* Reads until the end of the output or the deadline (0: none); true at the end. */
static bool drain(int in, double deadline, char *out, size_t size)
{
    char lost[4096];
    size_t used = 0;
    for (;;) {
        struct pollfd p = {in, POLLIN, 0};
        const double left = deadline - clock_seconds();
        const bool room = out != NULL && used + 1 < size;
        ssize_t n;
        if (deadline > 0 && left <= 0)
            return false;
        if (poll(&p, 1, deadline > 0 && left < 1 ? (int)(left * 1000) + 1 : 1000) <= 0)
            continue;
        n = read(in, room ? out + used : lost, room ? size - used - 1 : sizeof lost);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return true;
        if (n > 0 && room)
            out[used += (size_t)n] = '\0';
    }
}

bool process_run(const struct process_plan *plan, double seconds, char *out, size_t size, struct error *error)
{
    const double deadline = seconds > 0 ? clock_seconds() + seconds : 0;
    struct process_plan with = *plan;
    struct process_end end;
    int ends[2];
    pid_t pid;
    bool done;
    if (out != NULL && size > 0)
        out[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_errno(error, "%s cannot be started", plan->argv[0]);
    with.out = with.err = ends[1];
    pid = process_start(&with, error);
    close(ends[1]);
    done = pid > 0 && drain(ends[0], deadline, out, size);
    close(ends[0]);
    if (pid < 0)
        return false;
    end = done ? process_wait(pid, deadline > 0 ? deadline : clock_seconds() + 1e9)
               : (struct process_end){.ending = PROCESS_RUNS};
    if (end.ending == PROCESS_RUNS) {
        process_kill(pid);
        return error_set(error, ERROR_TIMEOUT, "%s did not end within %g s", plan->argv[0], seconds);
    }
    if (end.ending == PROCESS_EXITED && end.number == 0)
        return true;
    process_explain(end, error);
    return error_prefix(error, "%s", plan->argv[0]);
}

void processes_keep(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Kills every child of this thread, as the kernel lists them. False when there is none. */
static bool kill_children(void)
{
    FILE *const list = fopen("/proc/thread-self/children", "re");
    long pid;
    bool some = false;
    while (list != NULL && fscanf(list, "%ld", &pid) == 1 && pid > 1) {
        some = true;
        kill((pid_t)pid, SIGKILL);
    }
    if (list != NULL)
        fclose(list);
    return some;
}

void processes_end(void)
{
    const double deadline = clock_seconds() + ENDED_S;
    while (kill_children() && clock_seconds() < deadline) { /* the children of those that end come then */
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        clock_sleep(0.0005);
    }
}

/*
 * The system calls by which a process does something to another, and where they take its number. `signal`: where a
 * signal is, of which 0 does nothing. Of those that are `strict`, nobody but the caller may be named: any thread of
 * another process stands for it there.
 */
#define NO_SIGNAL 9u
static const struct {
    unsigned call, who, signal;
    bool strict;
} reaches[] = {{SYS_kill, 0, 1, true},
               {SYS_tkill, 0, 1, true},
               {SYS_tgkill, 0, 2, true},
               {SYS_rt_sigqueueinfo, 0, 1, true},
               {SYS_rt_tgsigqueueinfo, 0, 2, true},
               {SYS_prlimit64, 0, NO_SIGNAL, true},
               {SYS_process_vm_readv, 0, NO_SIGNAL, true},
               {SYS_process_vm_writev, 0, NO_SIGNAL, true},
               {SYS_ptrace, 1, NO_SIGNAL, true},
               {SYS_perf_event_open, 1, NO_SIGNAL, true},
               {SYS_move_pages, 0, NO_SIGNAL, true},
               {SYS_migrate_pages, 0, NO_SIGNAL, true},
               {SYS_pidfd_open, 0, NO_SIGNAL, false},
               {SYS_setpriority, 1, NO_SIGNAL, false},
               {SYS_ioprio_set, 1, NO_SIGNAL, false},
               {SYS_sched_setaffinity, 0, NO_SIGNAL, false},
               {SYS_sched_setscheduler, 0, NO_SIGNAL, false},
               {SYS_sched_setparam, 0, NO_SIGNAL, false},
               {SYS_sched_setattr, 0, NO_SIGNAL, false}};
#define REACHES (sizeof reaches / sizeof reaches[0])

/* Calls of which one word of an argument is enough: whom they reach stands in memory, or they have no other use. */
static const struct {
    unsigned call, argument, word;
} words[] = {{SYS_fcntl, 1, F_SETOWN_EX},
             {SYS_ioctl, 1, FIOSETOWN},
             {SYS_ioctl, 1, SIOCSPGRP},
             {SYS_ioctl, 1, TIOCSPGRP},
             {SYS_ioctl, 1, TIOCSTI},
             {SYS_ioctl, 1, TIOCSCTTY},
             {SYS_ioctl, 1, TIOCSIG},
             {SYS_ioctl, 1, TIOCVHANGUP},
             {SYS_setpriority, 0, PRIO_USER},
             {SYS_ioprio_set, 0, 3 /* of a user */},
             {SYS_keyctl, 0, KEYCTL_SESSION_TO_PARENT}};
#define WORDS (sizeof words / sizeof words[0])

/* Calls that are not allowed at all: by a descriptor of a process, or by code in the kernel. */
static const unsigned never[] = {SYS_pidfd_getfd, SYS_process_madvise, SYS_bpf};
#define NEVER     (sizeof never / sizeof never[0])

#define STEPS_MAX 600u /* in all; one part has fewer than 256 */
#define END       (SECCOMP_RET_KILL_PROCESS)
#define REFUSE    (SECCOMP_RET_ERRNO | EPERM)

/* A filter that grows: what it looks at is loaded, and its steps return what becomes of the call. */
struct filter {
    struct sock_filter steps[STEPS_MAX];
    size_t count;
};

static void add_step(struct filter *f, struct sock_filter step)
{
    f->steps[f->count++] = step;
}

/* The lower half of an argument of a system call: the kernel takes no more of a process' number, or of a signal's. */
static void add_load(struct filter *f, unsigned n)
{
    const unsigned half = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0;
    add_step(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                             (uint32_t)offsetof(struct seccomp_data, args) + 8 * n + half));
}

static void add_number(struct filter *f)
{
    add_step(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, nr)));
}

static void add_return(struct filter *f, uint32_t what)
{
    add_step(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

static void add_when(struct filter *f, uint32_t value, uint32_t what)
{
    add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    add_return(f, what);
}

/* What follows is for one value of what is loaded, until part_end. */
static size_t part_begin(struct filter *f, uint32_t value)
{
    add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 0));
    return f->count;
}

static void part_end(struct filter *f, size_t begin)
{
    f->steps[begin - 1].jf = (uint8_t)(f->count - begin);
}

/* Whom a call may reach: the process itself and its group, never the other one and its group. */
static void add_whom(struct filter *f, pid_t other, bool strict)
{
    const pid_t own = getpid();
    add_when(f, (uint32_t)own, SECCOMP_RET_ALLOW);
    add_when(f, (uint32_t)-own, SECCOMP_RET_ALLOW);
    add_when(f, 0, SECCOMP_RET_ALLOW);
    add_when(f, (uint32_t)other, END);
    add_when(f, (uint32_t)getppid(), END);
    add_when(f, (uint32_t)getpgid(other), END);
    add_when(f, (uint32_t)-getpgid(other), END);
    if (strict)
        add_when(f, (uint32_t)-1, END); /* everybody */
    add_return(f, strict ? REFUSE : SECCOMP_RET_ALLOW);
}

static void add_reach(struct filter *f, size_t n, pid_t other)
{
    const size_t part = part_begin(f, reaches[n].call);
    if (reaches[n].signal != NO_SIGNAL) {
        add_load(f, reaches[n].signal);
        add_when(f, 0, SECCOMP_RET_ALLOW);
    }
    add_load(f, reaches[n].who);
    add_whom(f, other, reaches[n].strict);
    part_end(f, part);
}

/* A process of no particular number: a descriptor of it, or a folder of /proc, is enough. */
static void add_descriptor(struct filter *f)
{
    const size_t part = part_begin(f, SYS_pidfd_send_signal);
    add_load(f, 1);
    add_when(f, 0, SECCOMP_RET_ALLOW);
    add_return(f, END);
    part_end(f, part);
}

/* Signals of a file's events are sent to its owner: nobody may make another process that. */
static void add_owner(struct filter *f)
{
    const pid_t own = getpid();
    const size_t call = part_begin(f, SYS_fcntl);
    add_load(f, 1);
    const size_t part = part_begin(f, F_SETOWN);
    add_load(f, 2);
    add_when(f, (uint32_t)own, SECCOMP_RET_ALLOW);
    add_when(f, (uint32_t)-own, SECCOMP_RET_ALLOW);
    add_when(f, 0, SECCOMP_RET_ALLOW);
    add_return(f, END);
    part_end(f, part);
    add_return(f, SECCOMP_RET_ALLOW);
    part_end(f, call);
}

/* Nobody joins another's group, to reach it by reaching his own: a new group, or that of the process, is allowed. */
static void add_group(struct filter *f)
{
    const size_t part = part_begin(f, SYS_setpgid);
    add_load(f, 1);
    add_when(f, 0, SECCOMP_RET_ALLOW);
    add_when(f, (uint32_t)getpid(), SECCOMP_RET_ALLOW);
    add_when(f, (uint32_t)getpgid(0), SECCOMP_RET_ALLOW);
    add_step(f, (struct sock_filter)BPF_STMT(BPF_MISC | BPF_TAX, 0));
    add_load(f, 0);
    add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1));
    add_return(f, SECCOMP_RET_ALLOW);
    add_return(f, END);
    part_end(f, part);
}

/* Calls of 32-bit programs, and of x32, have other numbers: no code of this process makes them. */
static void add_native(struct filter *f)
{
#if defined(__x86_64__)
    add_step(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, arch)));
    add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
    add_return(f, END);
    add_number(f);
    add_step(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
    add_return(f, END);
#else
    (void)f;
#endif
}

/* What of root's powers reaches another process' memory: by /proc, by a file system, by a device or by the kernel. */
static const unsigned powers[] = {CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_SYS_RAWIO, CAP_SYS_MODULE,        CAP_SYS_BOOT,
                                  CAP_PERFMON,    CAP_BPF,       CAP_SYS_TIME,  CAP_CHECKPOINT_RESTORE};

/* Gives them up for ever, also for what it starts. Who has none of them loses nothing. */
static bool drop_powers(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) != 0)
        return false;
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; i++) {
        struct __user_cap_data_struct *const set = &sets[CAP_TO_INDEX(powers[i])];
        prctl(PR_CAPBSET_DROP, powers[i], 0, 0, 0); /* refused to who could not take it from there */
        set->effective &= ~CAP_TO_MASK(powers[i]);
        set->permitted &= ~CAP_TO_MASK(powers[i]);
        set->inheritable &= ~CAP_TO_MASK(powers[i]);
    }
    return syscall(SYS_capset, &header, sets) == 0;
}

/* Landlock's calls and what they take, for systems whose headers do not have them; the same on every machine. */
enum { LANDLOCK_MAKE = 444, LANDLOCK_ADD, LANDLOCK_RESTRICT };
enum { LANDLOCK_VERSION = 1, LANDLOCK_BENEATH = 1, LANDLOCK_MAKE_BLOCK = 1 << 11, LANDLOCK_REFER = 1 << 13 };
enum { LANDLOCK_SIGNAL = 1 << 1 };

/*
 * In a Landlock domain nobody looks into a process outside, whatever his powers. Nothing of files is wanted of it: the
 * right to make block devices stands for the one that a domain must take away, and to move files between folders, which
 * it takes away unasked, is given back.
 */
static void enter_domain(void)
{
    struct {
        uint64_t files, ports, scopes;
    } denied = {.files = LANDLOCK_MAKE_BLOCK};
    struct {
        uint64_t files;
        int32_t below;
    } __attribute__((packed)) allowed = {LANDLOCK_REFER, open("/", O_PATH | O_CLOEXEC)};
    const long version = syscall(LANDLOCK_MAKE, NULL, 0, LANDLOCK_VERSION);
    denied.files |= version >= 2 ? LANDLOCK_REFER : 0;
    denied.scopes = version >= 6 ? LANDLOCK_SIGNAL : 0;
    const int rules = version >= 1 ? (int)syscall(LANDLOCK_MAKE, &denied, sizeof denied, 0) : -1;
    if (rules >= 0 && (version == 1 || syscall(LANDLOCK_ADD, rules, LANDLOCK_BENEATH, &allowed, 0) == 0))
        syscall(LANDLOCK_RESTRICT, rules, 0);
    if (rules >= 0)
        close(rules);
    if (allowed.below >= 0)
        close(allowed.below);
}

bool process_enclose(void)
{
    const bool good = drop_powers() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (good)
        enter_domain();
    return good;
}

bool process_spare(pid_t other)
{
    struct filter filter = {.count = 0}, *const f = &filter;
    add_native(f);
    add_number(f);
    for (size_t n = 0; n < NEVER; n++)
        add_when(f, never[n], END);
    for (size_t n = 0; n < WORDS; n++) {
        const size_t part = part_begin(f, words[n].call);
        add_load(f, words[n].argument);
        add_when(f, words[n].word, END);
        add_number(f);
        part_end(f, part);
    }
    for (size_t n = 0; n < REACHES; n++)
        add_reach(f, n, other);
    add_descriptor(f);
    add_owner(f);
    add_group(f);
    add_return(f, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = (unsigned short)f->count, .filter = f->steps};
    /* The flag: otherwise older kernels make all code of the process slower. */
    return process_enclose() &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}

bool process_send(int link, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = send(link, (const char *)bytes + done, size - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

unsigned process_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    return 1;
}
