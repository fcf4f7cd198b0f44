#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "gpu/worker.h"

#include "base/clock.h"
#include "base/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ERROR_MAX = 512 };

/* Shared by parent and child; the socket says whose turn it is. */
struct board {
    char error[ERROR_MAX];
    struct gpu_info info;
    struct throughput_request request;
    struct throughput_reply reply;
    size_t n;
    struct warp_case cases[WORKER_CASES];
    uint32_t answers[WORKER_CASES * ANSWER_WORDS];
};

struct worker {
    const struct worker_ops *ops;
    unsigned start_ms;
    struct board *board;
    pid_t child; /* 0: none */
    int socket;
};

enum message { EVALUATE = 'e', THROUGHPUT = 't', ANSWERED = 'a', FAILED = 'f' };

static void child_send(int fd, bool ok)
{
    const char message = ok ? ANSWERED : FAILED;
    if (send(fd, &message, 1, MSG_NOSIGNAL) != 1 || !ok)
        _exit(ok ? 1 : 0);
}

/* Other descriptors of the parent (pipes to other processes among them) must not be held open here. */
static void close_others(int keep)
{
    for (int fd = 3; fd < 1024; fd++)
        if (fd != keep)
            close(fd);
}

static void child_main(struct board *board, const struct worker_ops *ops, int fd)
{
    char message;
    close_others(fd);
    signal(SIGINT, SIG_IGN); /* the parent decides; when it ends, the socket closes */
    child_send(fd, ops->start(&board->info, board->error, sizeof board->error));
    while (recv(fd, &message, 1, 0) == 1)
        if (message == EVALUATE)
            child_send(fd, ops->evaluate(board->cases, board->n, board->answers, board->error, sizeof board->error));
        else
            child_send(fd, ops->throughput(&board->request, &board->reply, board->error, sizeof board->error));
    _exit(0);
}

/* Waits until the socket can be read; false when the time is over. */
static bool wait_readable(int fd, unsigned timeout_ms)
{
    const double end = clock_seconds() + timeout_ms / 1000.0;
    for (;;) {
        const double left = end - clock_seconds();
        struct pollfd p = {fd, POLLIN, 0};
        const int n = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (n > 0)
            return true;
        if (n == 0 || errno != EINTR)
            return false;
    }
}

/* Ends the child. A child that the kernel holds on to (because a device does not let go) is left behind after ten
 * seconds. */
static struct process_end end_child(struct worker *w)
{
    struct process_end end = {.ending = PROCESS_RUNS};
    if (w->child == 0)
        return end;
    close(w->socket);
    process_signal(w->child, SIGKILL);
    end = process_wait(w->child, clock_seconds() + 10);
    w->child = 0;
    return end;
}

/* Waits for the child's answer; ends the child when it has none or says that it failed. */
static bool await(struct worker *w, unsigned timeout_ms, char *error, size_t error_size)
{
    char message;
    struct process_end end;
    if (!wait_readable(w->socket, timeout_ms)) {
        end_child(w);
        snprintf(error, error_size, "no answer within %u ms: stopped by the watchdog", timeout_ms);
        return false;
    }
    if (recv(w->socket, &message, 1, 0) == 1 && message == ANSWERED)
        return true;
    if (w->board->error[0] != '\0') {
        snprintf(error, error_size, "%s", w->board->error);
        end_child(w);
        return false;
    }
    end = end_child(w);
    snprintf(error, error_size, "the process that drives the device ended (%s %d)",
             end.ending == PROCESS_SIGNALED ? "signal" : "exit status", end.number);
    return false;
}

static bool start_child(struct worker *w, char *error, size_t error_size)
{
    struct error why;
    int fds[2];
    if (w->child != 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
        snprintf(error, error_size, "cannot make a socket: %s", strerror(errno));
        return false;
    }
    w->board->error[0] = '\0';
    w->child = process_fork(&why);
    if (w->child == 0) {
        close(fds[0]);
        child_main(w->board, w->ops, fds[1]);
    }
    close(fds[1]);
    w->socket = fds[0];
    if (w->child < 0) {
        w->child = 0;
        close(fds[0]);
        snprintf(error, error_size, "%s", why.text);
        return false;
    }
    return await(w, w->start_ms, error, error_size);
}

struct worker *worker_start(const struct worker_ops *ops, unsigned start_ms, struct gpu_info *info, char *error,
                            size_t error_size)
{
    struct worker *w = calloc(1, sizeof *w);
    void *board = mmap(NULL, sizeof *w->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w == NULL || board == MAP_FAILED) {
        free(w);
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    w->ops = ops;
    w->start_ms = start_ms;
    w->board = board;
    if (!start_child(w, error, error_size)) {
        worker_stop(w);
        return NULL;
    }
    *info = w->board->info;
    return w;
}

void worker_stop(struct worker *w)
{
    end_child(w);
    munmap(w->board, sizeof *w->board);
    free(w);
}

static bool ask(struct worker *w, char message, unsigned timeout_ms, char *error, size_t error_size)
{
    w->board->error[0] = '\0';
    if (send(w->socket, &message, 1, MSG_NOSIGNAL) == 1)
        return await(w, timeout_ms, error, error_size);
    end_child(w);
    snprintf(error, error_size, "the process that drives the device has ended");
    return false;
}

bool worker_evaluate(struct worker *w, const struct warp_case *cases, size_t n, uint32_t *answers, unsigned timeout_ms,
                     char *error, size_t error_size)
{
    if (n > WORKER_CASES) {
        snprintf(error, error_size, "more than %u cases in one request", WORKER_CASES);
        return false;
    }
    if (!start_child(w, error, error_size))
        return false;
    w->board->n = n;
    memcpy(w->board->cases, cases, n * sizeof *cases);
    if (!ask(w, EVALUATE, timeout_ms, error, error_size))
        return false;
    memcpy(answers, w->board->answers, n * ANSWER_WORDS * sizeof *answers);
    return true;
}

bool worker_throughput(struct worker *w, const struct throughput_request *request, struct throughput_reply *reply,
                       unsigned timeout_ms, char *error, size_t error_size)
{
    if (!start_child(w, error, error_size))
        return false;
    w->board->request = *request;
    if (!ask(w, THROUGHPUT, timeout_ms, error, error_size))
        return false;
    *reply = w->board->reply;
    return true;
}
