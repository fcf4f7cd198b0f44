#define _POSIX_C_SOURCE 200809L

#include "check/pipe_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 500 /* for a process to end by itself once its input is closed */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (ends[i] <= STDERR_FILENO) { /* a caller without standard streams: its numbers would clash in the child */
            close(ends[0]);
            close(ends[1]);
            errno = EBADF;
            return false;
        }
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static void run_child(const char *command, int input, int output)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)setpgid(0, 0);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static bool fail_start(char *error, size_t error_size, const char *command)
{
    snprintf(error, error_size, "cannot start `%s`: %s", command, strerror(errno));
    return false;
}

bool peer_start(struct process *p, const char *command, unsigned timeout_ms, char *error, size_t error_size)
{
    int in[2], out[2];
    *p = (struct process){.to = -1, .from = -1, .timeout_ms = timeout_ms, .unread = malloc(PROCESS_LINE_MAX)};
    if (p->unread == NULL || !make_pipe(in)) {
        fail_start(error, error_size, command);
        peer_stop(p);
        return false;
    }
    p->to = in[1];
    if (!make_pipe(out)) {
        fail_start(error, error_size, command);
        close(in[0]);
        peer_stop(p);
        return false;
    }
    p->from = out[0];
    p->pid = fork();
    if (p->pid == 0)
        run_child(command, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    if (p->pid < 0) {
        fail_start(error, error_size, command);
        p->pid = 0;
        peer_stop(p);
        return false;
    }
    (void)setpgid(p->pid, p->pid); /* here and in the child: whoever comes first */
    (void)fcntl(p->to, F_SETFL, O_NONBLOCK);
    (void)fcntl(p->from, F_SETFL, O_NONBLOCK);
    return true;
}

/* Waits for the end of the process for at most wait_ms. */
static bool reap(struct process *p, int wait_ms, int *status)
{
    const struct timespec pause = {0, 2000000};
    const int64_t deadline = now_ms() + wait_ms;
    for (;;) {
        const pid_t done = waitpid(p->pid, status, WNOHANG);
        if (done == p->pid || (done < 0 && errno != EINTR)) {
            p->pid = 0;
            return done > 0;
        }
        if (now_ms() >= deadline)
            return false;
        nanosleep(&pause, NULL);
    }
}

void peer_stop(struct process *p)
{
    const pid_t group = p->pid;
    int status;
    close_end(&p->to);
    close_end(&p->from);
    free(p->unread);
    p->unread = NULL;
    if (p->pid == 0)
        return;
    reap(p, GRACE_MS, &status);
    (void)kill(-group, SIGKILL); /* also what the command left behind */
    while (p->pid != 0 && waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    p->pid = 0;
}

/* The process closed its output: say how it ended, if it did. */
static bool fail_ended(struct process *p, char *error, size_t error_size)
{
    int status = 0;
    close_end(&p->to);
    if (!reap(p, GRACE_MS, &status))
        snprintf(error, error_size, "the process closed its standard output and did not answer");
    else if (WIFSIGNALED(status) ||
             (WEXITSTATUS(status) > 128 && WEXITSTATUS(status) <= 128 + 64)) /* as the shell says it */
        snprintf(error, error_size, "the process was ended by signal %d before it answered",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128);
    else if (WEXITSTATUS(status) == 127)
        snprintf(error, error_size, "the process ended with status 127: its command was not found");
    else
        snprintf(error, error_size, "the process ended with status %d before it answered", WEXITSTATUS(status));
    return false;
}

struct exchange {
    const char *text;
    size_t length; /* still to write */
    size_t lines;  /* still to read */
    process_line_fn on_line;
    void *context;
    int64_t deadline;
};

/* Writes what the pipe takes. A process that no longer reads is no error yet: it may have answered. */
static void write_some(struct process *p, struct exchange *x)
{
    const ssize_t n = write(p->to, x->text, x->length);
    if (n > 0) {
        x->text += n;
        x->length -= (size_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        close_end(&p->to);
        x->length = 0;
    }
}

/* Hands out the whole lines that have come. False when one is refused. */
static bool take_lines(struct process *p, struct exchange *x)
{
    size_t start = 0;
    char *end;
    while (x->lines > 0 && (end = memchr(p->unread + start, '\n', p->filled - start)) != NULL) {
        const char *const line = p->unread + start;
        *end = '\0';
        start = (size_t)(end - p->unread) + 1;
        x->lines--;
        x->deadline = now_ms() + p->timeout_ms;
        if (!x->on_line(x->context, line, (size_t)(end - line)))
            return false;
    }
    memmove(p->unread, p->unread + start, p->filled - start);
    p->filled -= start;
    return true;
}

/* Returns what read does: 0 at the end, -1 with errno. */
static ssize_t read_some(struct process *p)
{
    const ssize_t n = read(p->from, p->unread + p->filled, PROCESS_LINE_MAX - p->filled);
    if (n > 0)
        p->filled += (size_t)n;
    return n;
}

static bool step(struct process *p, struct exchange *x, char *error, size_t error_size)
{
    struct pollfd fds[2] = {{.fd = p->from, .events = POLLIN}, {.fd = x->length > 0 ? p->to : -1, .events = POLLOUT}};
    const int64_t left = x->deadline - now_ms();
    if (left <= 0) {
        snprintf(error, error_size, "no answer within %u ms (does the process flush its output after each line?)",
                 p->timeout_ms);
        return false;
    }
    if (poll(fds, 2, left > 60000 ? 60000 : (int)left) < 0 && errno != EINTR) {
        snprintf(error, error_size, "cannot wait for the process: %s", strerror(errno));
        return false;
    }
    if (fds[1].revents != 0)
        write_some(p, x);
    if (fds[0].revents != 0) {
        const ssize_t n = read_some(p);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return fail_ended(p, error, error_size);
        if (!take_lines(p, x))
            return false;
        if (p->filled == PROCESS_LINE_MAX) {
            snprintf(error, error_size, "an answer has more than %u bytes on one line", PROCESS_LINE_MAX);
            return false;
        }
    }
    return true;
}

bool peer_exchange(struct process *p, const char *text, size_t length, size_t lines, process_line_fn on_line,
                   void *context, char *error, size_t error_size)
{
    struct exchange x = {text, length, lines, on_line, context, now_ms() + p->timeout_ms};
    const struct timespec at_once = {0, 0};
    sigset_t broken_pipe, before, pending;
    bool was_pending;
    bool ok = true;
    if (p->pid == 0) {
        snprintf(error, error_size, "the process has ended");
        return false;
    }
    if (p->filled > 0) {
        snprintf(error, error_size, "the process wrote more lines than it was given cases");
        return false;
    }
    /* A write to a process that has ended raises SIGPIPE: hold it back here, take it away, leave the caller's rules
     * alone. */
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    while (ok && (x.lines > 0 || x.length > 0))
        ok = step(p, &x, error, error_size);
    while (!was_pending && sigtimedwait(&broken_pipe, NULL, &at_once) < 0 && errno == EINTR)
        continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}
