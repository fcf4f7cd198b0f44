#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "gpu/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
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

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits until the socket can be read; false when the time is over. */
static bool wait_readable(int fd, unsigned timeout_ms)
{
    const int64_t end = now_ms() + timeout_ms;
    for (;;) {
        const int64_t left = end - now_ms();
        struct pollfd p = {fd, POLLIN, 0};
        const int n = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (n > 0)
            return true;
        if (n == 0 || errno != EINTR)
            return false;
    }
}

/* Ends the child. A child that the kernel holds on to (because a device does not let go) is left behind after ten
 * seconds. */
static void end_child(struct worker *w, int *status)
{
    const struct timespec pause = {0, 5000000};
    const int64_t end = now_ms() + 10000;
    int ended = 0;
    if (w->child == 0)
        return;
    close(w->socket);
    kill(w->child, SIGKILL);
    while (waitpid(w->child, &ended, WNOHANG) == 0 && now_ms() < end)
        nanosleep(&pause, NULL);
    if (status != NULL)
        *status = ended;
    w->child = 0;
}

/* Waits for the child's answer; ends the child when it has none or says that it failed. */
static bool await(struct worker *w, unsigned timeout_ms, char *error, size_t error_size)
{
    char message;
    int status = 0;
    if (!wait_readable(w->socket, timeout_ms)) {
        end_child(w, NULL);
        snprintf(error, error_size, "no answer within %u ms: stopped by the watchdog", timeout_ms);
        return false;
    }
    if (recv(w->socket, &message, 1, 0) == 1 && message == ANSWERED)
        return true;
    if (w->board->error[0] != '\0') {
        snprintf(error, error_size, "%s", w->board->error);
        end_child(w, NULL);
        return false;
    }
    end_child(w, &status);
    snprintf(error, error_size, "the process that drives the device ended (%s %d)",
             WIFSIGNALED(status) ? "signal" : "exit status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return false;
}

static bool start_child(struct worker *w, char *error, size_t error_size)
{
    int fds[2];
    if (w->child != 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
        snprintf(error, error_size, "cannot make a socket: %s", strerror(errno));
        return false;
    }
    w->board->error[0] = '\0';
    fflush(NULL); /* nothing buffered may be written twice */
    w->child = fork();
    if (w->child == 0) {
        close(fds[0]);
        child_main(w->board, w->ops, fds[1]);
    }
    close(fds[1]);
    w->socket = fds[0];
    if (w->child < 0) {
        w->child = 0;
        close(fds[0]);
        snprintf(error, error_size, "cannot start a process: %s", strerror(errno));
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
    end_child(w, NULL);
    munmap(w->board, sizeof *w->board);
    free(w);
}

static bool ask(struct worker *w, char message, unsigned timeout_ms, char *error, size_t error_size)
{
    w->board->error[0] = '\0';
    if (send(w->socket, &message, 1, MSG_NOSIGNAL) == 1)
        return await(w, timeout_ms, error, error_size);
    end_child(w, NULL);
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
