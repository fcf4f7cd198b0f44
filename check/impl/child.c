#define _GNU_SOURCE /* pipe2, close_range, syscall */
#include "check/impl/child.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/text.h"
#include "check/impl/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPINS      300u /* looks before a side sleeps, where the last answer came soon */
#define SOON_S     0.00002
#define SHORTEST_S 0.0002 /* between two looks at a process that prints: it waits while the pipe is full */
#define LONGEST_S  0.02   /* between two looks at a process that says nothing */
#define KILLED_S   10.0
#define LINES_MAX  20u /* of what it prints */

enum turn { TURN_NONE, TURN_ASKED, TURN_ANSWERED };

/* Where both meet. The child may write anything here: the parent believes none of it. */
struct meeting {
    _Atomic uint32_t turn;
    _Atomic uint32_t child_sleeps, parent_sleeps; /* and must be woken */
    uint32_t request;
    uint32_t good;
    struct error error;
};

struct child {
    struct child_plan plan;
    struct meeting *meeting;
    pid_t pid; /* 0: it does not run */
    struct listener output;
    unsigned spins;
};

/* --- waiting --- */

/*
 * False when `turn` is still `not` after the time. A side that looks again and again uses a processor: it does so only
 * as long as what it waits for comes soon, as when cases are asked one by one.
 */
static bool wait_while(_Atomic uint32_t *turn, _Atomic uint32_t *sleeps, uint32_t not, double seconds, unsigned *spins)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    double began;
    for (unsigned i = 0; i < *spins; i++) {
        if (atomic_load_explicit(turn, memory_order_acquire) != not )
            return true;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    began = clock_seconds();
    atomic_store(sleeps, 1);
    if (atomic_load(turn) == not )
        syscall(SYS_futex, turn, FUTEX_WAIT, not, seconds > 0 ? &time : NULL, NULL, 0);
    atomic_store(sleeps, 0);
    *spins = clock_seconds() - began < SOON_S ? SPINS : 0;
    return atomic_load_explicit(turn, memory_order_acquire) != not ;
}

/* Whoever goes to sleep says so first and looks once more: so it is seen here, or it sees the turn. */
static void set_turn(_Atomic uint32_t *turn, _Atomic uint32_t *sleeps, uint32_t value)
{
    atomic_store(turn, value);
    if (atomic_load(sleeps) != 0)
        syscall(SYS_futex, turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* --- in the child --- */

static void settle(int output)
{
    const struct rlimit none = {0, 0};
    prctl(PR_SET_DUMPABLE, 1); /* its own files in /proc are its own again, for a debugger, too */
    const int null = open("/dev/null", O_RDONLY);
    const int score = open("/proc/self/oom_score_adj", O_WRONLY);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    if (score >= 0 && write(score, "1000", 4) != 4)
        close(score);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (close_range(3, ~0u, 0) != 0)
        for (int fd = 3; fd < 1024; fd++)
            close(fd);
}

static void answer(struct meeting *m, bool good, const struct error *error)
{
    m->good = good;
    if (!good)
        m->error = *error;
    set_turn(&m->turn, &m->parent_sleeps, TURN_ANSWERED);
}

/* A process that the foreign code forks, and that comes back here, is not the child. */
static _Noreturn void live(const struct child *child)
{
    struct meeting *const m = child->meeting;
    const pid_t own = getpid();
    static struct error error;
    unsigned spins = SPINS;
    bool good;
    error_clear(&error);
    good = child->plan.start(child->plan.context, child->plan.board, &error);
    if (getpid() != own)
        _exit(0);
    answer(m, good, &error);
    while (good) {
        while (atomic_load_explicit(&m->turn, memory_order_acquire) != TURN_ASKED)
            wait_while(&m->turn, &m->child_sleeps, TURN_ANSWERED, 0, &spins);
        error_clear(&error);
        const bool served = child->plan.serve(child->plan.context, child->plan.board, m->request, &error);
        if (getpid() != own)
            _exit(0);
        fflush(stdout);
        answer(m, served, &error);
    }
    _exit(0);
}

/* --- in the parent --- */

/* One child's memory is nothing that another may write into. False: some of it is not as it should be. */
static bool show_regions(const struct child *child, bool to_children)
{
    const int advice = to_children ? MADV_DOFORK : MADV_DONTFORK;
    bool good = madvise(child->meeting, sizeof *child->meeting, advice) == 0;
    for (size_t i = 0; i < CHILD_REGIONS; i++)
        if (child->plan.regions[i].at != NULL)
            good = madvise(child->plan.regions[i].at, child->plan.regions[i].size, advice) == 0 && good;
    return good;
}

struct child *child_open(const struct child_plan *plan)
{
    struct child *const child = calloc(1, sizeof *child);
    void *const room = mmap(NULL, sizeof *child->meeting, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (child == NULL || room == MAP_FAILED) {
        free(child);
        if (room != MAP_FAILED)
            munmap(room, sizeof *child->meeting);
        return NULL;
    }
    child->plan = *plan;
    child->meeting = room;
    if (!show_regions(child, false)) {
        munmap(room, sizeof *child->meeting);
        free(child);
        return NULL;
    }
    listen_begin(&child->output, child->plan.who, LINES_MAX, -1);
    return child;
}

void child_free(struct child *child)
{
    if (child == NULL)
        return;
    child_end(child);
    munmap(child->meeting, sizeof *child->meeting);
    free(child);
}

/* It has ended: what it still said is printed. */
static void bury(struct child *child)
{
    interrupt_forget(child->pid);
    child->pid = 0;
    listen_end(&child->output);
}

/* One that the kernel holds on to (a device that does not let go) is left behind after a while. */
void child_end(struct child *child)
{
    if (child->pid == 0)
        return;
    process_kill_until(child->pid, clock_seconds() + KILLED_S);
    bury(child);
}

bool child_runs(const struct child *child)
{
    return child->pid != 0;
}

/* How it ended, as a clause. */
static bool tell_end(struct process_end end, struct error *error)
{
    if (end.ending == PROCESS_SIGNALED)
        error_set(error, ERROR_CRASH, "crashed with %s%s", process_signal_name(end.number),
                  end.number == SIGSYS ? " (a system call that it may not use, such as one that stops the judge)" : "");
    else
        error_set(error, ERROR_EXIT, "ended the process (exit) with status %d", end.number);
    if (error != NULL)
        error->detail = end.number;
    return false;
}

/* Has it ended? Its group goes with it. */
static bool has_ended(struct child *child, struct error *error)
{
    const struct process_end end = process_wait(child->pid, 0);
    if (end.ending == PROCESS_RUNS)
        return false;
    process_signal(child->pid, SIGKILL);
    bury(child);
    tell_end(end, error);
    return true;
}

/* A signal that it sent to this process is no wish of a person. */
static bool tell_signal(struct child *child, int number, struct error *error)
{
    child_end(child);
    return error_set(error, ERROR_DECLINED, "sent %s to the program that asked it", process_signal_name(number));
}

static bool tell_late(double limit_s, struct error *error)
{
    return error_set(error, ERROR_TIMEOUT, "gave no answer within %g %s", limit_s < 1 ? limit_s * 1000 : limit_s,
                     limit_s < 1 ? "ms" : "s");
}

/* Its words are foreign, and so is where they end. */
static bool take_answer(const struct child *child, struct error *error)
{
    const struct meeting *const m = child->meeting;
    struct error said;
    if (m->good)
        return true;
    if (error == NULL)
        return false;
    memcpy(&said, &m->error, sizeof said); /* it may change while it is looked at */
    error->code = said.code > ERROR_NONE && said.code <= ERROR_INTERNAL ? said.code : ERROR_INTERNAL;
    error->detail = said.detail;
    text_printable(said.text, strnlen(said.text, sizeof said.text), error->text, sizeof error->text);
    return false;
}

bool child_await(struct child *child, double limit_s, struct error *error)
{
    const double began = clock_seconds();
    double pause = 0.001;
    bool told = child->plan.slow == NULL;
    int sent;
    if (child->pid == 0)
        return error_set(error, ERROR_EXIT, "has ended");
    while (!wait_while(&child->meeting->turn, &child->meeting->parent_sleeps, TURN_ASKED, pause, &child->spins)) {
        const bool heard = listen_some(&child->output);
        if (atomic_load_explicit(&child->meeting->turn, memory_order_acquire) != TURN_ASKED)
            break;
        sent = interrupt_sent_by(child->pid);
        if (has_ended(child, error))
            return false;
        if (sent != 0)
            return tell_signal(child, sent, error);
        if (interrupted()) {
            child_end(child);
            return error_set(error, ERROR_INTERRUPTED, "was interrupted");
        }
        if (limit_s > 0 && clock_seconds() - began >= limit_s) {
            child_end(child);
            return tell_late(limit_s, error);
        }
        if (!told && clock_seconds() - began >= CHILD_SLOW_S) {
            told = true;
            child->plan.slow(child->plan.context);
        }
        pause = heard ? SHORTEST_S : pause < LONGEST_S ? pause * 2 : pause;
    }
    listen_some(&child->output);
    sent = interrupt_sent_by(child->pid);
    return sent != 0 ? tell_signal(child, sent, error) : take_answer(child, error);
}

void child_post(struct child *child, uint32_t request)
{
    child->meeting->request = request;
    set_turn(&child->meeting->turn, &child->meeting->child_sleeps, TURN_ASKED);
}

static pid_t judge;

pid_t child_judge(void)
{
    return judge;
}

bool child_start(struct child *child, double limit_s, struct error *error)
{
    int ends[2];
    if (child->pid != 0)
        return true;
    if (interrupted())
        return error_set(error, ERROR_INTERRUPTED, "was interrupted");
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_errno(error, "no pipe for what %s prints", child->plan.who);
    memset(child->meeting, 0, sizeof *child->meeting);
    atomic_store(&child->meeting->turn, TURN_ASKED); /* to start */
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 || !show_regions(child, true)) {
        error_errno(error, "no pipe or no memory to share with %s", child->plan.who);
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    judge = getpid();
    child->pid = process_fork_whole(error);
    if (child->pid == 0) {
        settle(ends[1]);
        live(child);
    }
    const bool hidden = show_regions(child, false) || child->pid < 0;
    const int reason = errno;
    close(ends[1]);
    child->output.fd = ends[0];
    if (child->pid < 0) {
        listen_end(&child->output);
        child->pid = 0;
        return false;
    }
    interrupt_distrust(child->pid);
    if (!hidden) {
        child_end(child);
        errno = reason;
        return error_errno(error, "the memory shared with %s cannot be kept from others", child->plan.who);
    }
    if (child_await(child, limit_s, error))
        return true;
    child_end(child);
    return false;
}
