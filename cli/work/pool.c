#include "cli/work/pool.h"

#include "check/clock.h"
#include "cli/ui/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOBS_MAX 64u
#define POLL_MS  200

struct worker {
    pid_t pid; /* 0: idle */
    int in;
    size_t which, got;
    double begin;
};

static void child(const struct pool *pool, size_t which, int out)
{
    char *result = calloc(1, pool->size);
    size_t done = 0;
    setpgid(0, 0); /* what it starts itself ends with it */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (result == NULL)
        _exit(3);
    pool->work(pool->context, which, result);
    while (done < pool->size) {
        const ssize_t n = write(out, result + done, pool->size - done);
        if (n <= 0)
            _exit(3);
        done += (size_t)n;
    }
    _exit(0);
}

static bool start(struct pool *pool, struct worker *w, size_t which)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    *w = (struct worker){.pid = fork(), .in = ends[0], .which = which, .begin = clock_seconds()};
    if (w->pid == 0) {
        close(ends[0]);
        child(pool, which, ends[1]);
    }
    close(ends[1]);
    if (w->pid < 0) {
        close(ends[0]);
        w->pid = 0;
        return false;
    }
    setpgid(w->pid, w->pid); /* whoever of the two comes first */
    if (pool->began != NULL)
        pool->began(pool->context, which);
    return true;
}

static void stop(struct worker *w, int *status)
{
    kill(-w->pid, SIGKILL);
    close(w->in);
    while (waitpid(w->pid, status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
}

/* The pipe is closed, so the process has ended or is about to. */
static void describe_end(struct worker *w, char *reason, size_t size)
{
    siginfo_t how = {0};
    while (waitid(P_PID, (id_t)w->pid, &how, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    if (how.si_code == CLD_EXITED)
        snprintf(reason, size, "its process ended with status %d", how.si_status);
    else
        snprintf(reason, size, "its process was ended by signal %d", how.si_status);
}

/* Takes what the worker wrote, and ends it when that was all, or when its time is over. */
static void collect(struct pool *pool, struct worker *w, bool readable)
{
    const bool late = pool->limit_s > 0 && clock_seconds() - w->begin > pool->limit_s;
    char reason[96];
    int status = 0;
    if (readable) {
        const ssize_t n = read(w->in, (char *)pool->results + w->which * pool->size + w->got, pool->size - w->got);
        if (n < 0 && errno == EINTR)
            return;
        w->got += n > 0 ? (size_t)n : 0;
        if (n > 0 && w->got < pool->size)
            return;
    } else if (!late) {
        return;
    }
    if (!readable)
        snprintf(reason, sizeof reason, "it did not come to an end within %g s and was stopped", pool->limit_s);
    else if (w->got < pool->size)
        describe_end(w, reason, sizeof reason);
    stop(w, &status);
    pool->ended(pool->context, w->which, w->got < pool->size ? reason : NULL);
}

static void wait_for_any(struct pool *pool, struct worker *workers, unsigned jobs)
{
    struct pollfd polls[JOBS_MAX];
    for (unsigned i = 0; i < jobs; i++)
        polls[i] = (struct pollfd){workers[i].pid != 0 ? workers[i].in : -1, POLLIN, 0};
    if (poll(polls, jobs, POLL_MS) < 0)
        return;
    for (unsigned i = 0; i < jobs; i++)
        if (workers[i].pid != 0)
            collect(pool, &workers[i], polls[i].revents != 0);
    if (pool->tick != NULL)
        pool->tick(pool->context);
}

bool pool_run(struct pool *pool)
{
    const unsigned jobs = pool->jobs < 1 ? 1 : pool->jobs > JOBS_MAX ? JOBS_MAX : pool->jobs;
    struct worker workers[JOBS_MAX] = {{0}};
    size_t next = 0, busy;
    bool failed = false;
    int status;
    interrupt_catch();
    do {
        busy = 0;
        for (unsigned i = 0; i < jobs; i++) {
            if (workers[i].pid == 0 && next < pool->n && !failed) {
                failed = !start(pool, &workers[i], next);
                next += !failed;
            }
            busy += workers[i].pid != 0;
        }
        if (busy > 0)
            wait_for_any(pool, workers, jobs);
    } while (busy > 0 && !interrupted());
    for (unsigned i = 0; i < jobs; i++)
        if (workers[i].pid != 0)
            stop(&workers[i], &status);
    return !failed && !interrupted();
}
