#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "base/pool.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/process.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define JOBS_MAX 64u
#define POLL_MS  200

struct worker {
    pid_t pid; /* 0: none */
    int link;  /* numbers of pieces go to the process, results come back */
    bool busy;
    size_t which, got;
    double begin;
};

static _Noreturn void child(const struct pool *pool, int link)
{
    char *const result = malloc(pool->size);
    size_t which;
    bool goes_on = true;
    signal(SIGXFSZ, SIG_IGN);         /* a file that may not grow is an error of its write */
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* with the parent, and with time to remove its temporary folders */
    processes_keep();                 /* what it kills is its own to reap */
    if (pool->cpu_s > 0)
        setrlimit(RLIMIT_CPU, &(struct rlimit){pool->cpu_s, pool->cpu_s + 1});
    if (result == NULL)
        _exit(3);
    while (goes_on && recv(link, &which, sizeof which, MSG_WAITALL) == (ssize_t)sizeof which) {
        memset(result, 0, pool->size);
        pool->work(pool->context, which, result);
        if (!process_send(link, result, pool->size))
            _exit(3);
        goes_on = pool->again != NULL && pool->again(result);
    }
    _exit(0);
}

static bool start(const struct pool *pool, struct worker *w, struct error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_errno(error, "no process could be started");
    *w = (struct worker){.pid = process_fork(error), .link = ends[0]};
    if (w->pid == 0) {
        close(ends[0]);
        child(pool, ends[1]);
    }
    close(ends[1]);
    if (w->pid < 0) {
        close(ends[0]);
        w->pid = 0;
        return false;
    }
    return true;
}

/* Gives the worker a piece. That a process has gone meanwhile is found out when its result is waited for. */
static bool give(struct pool *pool, struct worker *w, size_t which, struct error *error)
{
    if (w->pid == 0 && !start(pool, w, error))
        return false;
    w->busy = true;
    w->which = which;
    w->got = 0;
    w->begin = clock_seconds();
    (void)process_send(w->link, &which, sizeof which);
    if (pool->began != NULL)
        pool->began(pool->context, which);
    return true;
}

/* Ends it. Had it not come to its end, it had no time to remove its temporary folders. */
static void stop(struct worker *w, bool early)
{
    close(w->link);
    process_kill(w->pid);
    w->pid = 0;
    w->busy = false;
    if (early)
        folders_sweep();
}

/* Why a process left no result. */
static void explain(const struct pool *pool, struct process_end end, struct error *error)
{
    process_explain(end, error);
    error_prefix(error, "its process");
    if (pool->cpu_s > 0 && error->code == ERROR_CRASH && error->detail == SIGXCPU)
        error_set(error, ERROR_TIMEOUT, "it took %u s of processor time and was stopped", pool->cpu_s);
}

/* Reads what the worker wrote, and ends the worker when it is to do no more or its time is over. */
static void collect(struct pool *pool, struct worker *w, bool readable)
{
    const bool late = pool->limit_s > 0 && clock_seconds() - w->begin > pool->limit_s;
    char *const result = (char *)pool->results + w->which * pool->size;
    struct error error = {.code = ERROR_NONE};
    if (readable) {
        const ssize_t n = read(w->link, result + w->got, pool->size - w->got);
        if (n < 0 && errno == EINTR)
            return;
        w->got += n > 0 ? (size_t)n : 0;
        if (n > 0 && w->got < pool->size)
            return;
    } else if (!late) {
        return;
    }
    if (!readable) {
        error_set(&error, ERROR_TIMEOUT, "it did not come to an end within %g s and was stopped", pool->limit_s);
    } else if (w->got < pool->size) { /* the link is closed, so the process has ended or is about to */
        struct process_end end = process_wait(w->pid, clock_seconds() + 10);
        end = end.ending == PROCESS_RUNS ? process_kill(w->pid) : end;
        explain(pool, end, &error);
        w->pid = 0;
        close(w->link);
        folders_sweep();
    }
    w->busy = false;
    if (w->pid != 0 && (!readable || pool->again == NULL || !pool->again(result)))
        stop(w, !readable);
    pool->ended(pool->context, w->which, error.code != ERROR_NONE ? &error : NULL);
}

static void wait_for_any(struct pool *pool, struct worker *workers, unsigned jobs)
{
    struct pollfd polls[JOBS_MAX];
    for (unsigned i = 0; i < jobs; i++)
        polls[i] = (struct pollfd){workers[i].busy ? workers[i].link : -1, POLLIN, 0};
    if (poll(polls, jobs, POLL_MS) < 0)
        return;
    for (unsigned i = 0; i < jobs; i++)
        if (workers[i].busy)
            collect(pool, &workers[i], polls[i].revents != 0);
    if (pool->tick != NULL)
        pool->tick(pool->context);
}

static bool is_over(const struct pool *pool)
{
    return interrupted() || (pool->stop != NULL && pool->stop(pool->context));
}

bool pool_run(struct pool *pool, struct error *error)
{
    const unsigned jobs = pool->jobs < 1 ? 1 : pool->jobs > JOBS_MAX ? JOBS_MAX : pool->jobs;
    struct worker workers[JOBS_MAX] = {{0}};
    size_t next = 0, busy;
    bool failed = false, over = false;
    interrupt_catch();
    do {
        busy = 0;
        for (unsigned i = 0; i < jobs; i++) {
            if (!workers[i].busy && next < pool->n && !failed) {
                failed = !give(pool, &workers[i], pool->order == NULL ? next : pool->order[next], error);
                next += !failed;
            }
            busy += workers[i].busy;
        }
        if (busy > 0)
            wait_for_any(pool, workers, jobs);
        over = is_over(pool);
    } while (busy > 0 && !over);
    for (unsigned i = 0; i < jobs; i++)
        if (workers[i].pid != 0)
            stop(&workers[i], workers[i].busy);
    if (!failed && over)
        error_set(error, ERROR_INTERRUPTED, "interrupted");
    return !failed && !over;
}

void threads_run(void *(*work)(void *), void *const arguments[], size_t n)
{
    pthread_t handles[THREADS_MOST];
    bool started[THREADS_MOST] = {false};
    for (size_t i = 1; i < n && i < THREADS_MOST; i++)
        started[i] = arguments[i] != NULL && pthread_create(&handles[i], NULL, work, arguments[i]) == 0;
    work(arguments[0]);
    for (size_t i = 1; i < n && i < THREADS_MOST; i++)
        if (started[i])
            pthread_join(handles[i], NULL);
}
