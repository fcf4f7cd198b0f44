#define _GNU_SOURCE /* pipe2 */
#include "base/coprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

void coprocess_close(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Two ends that are closed when a program is executed; none of them a standard stream's number. */
static bool make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    if (ends[0] > STDERR_FILENO && ends[1] > STDERR_FILENO)
        return true;
    coprocess_close(&ends[0]);
    coprocess_close(&ends[1]);
    errno = EBADF;
    return false;
}

static bool set_nonblocking(int end)
{
    return end < 0 || fcntl(end, F_SETFL, O_NONBLOCK) == 0;
}

bool coprocess_start(struct coprocess *coprocess, const char *text, int err, struct error *error)
{
    const char *const argv[] = {"/bin/sh", "-c", text, NULL};
    struct process_plan plan = {.argv = argv, .err = err, .whole = true};
    int in[2] = {-1, -1}, out[2] = {-1, -1}, said[2] = {-1, -1};
    pid_t pid = -1;
    if (!make_pipe(in) || !make_pipe(out) || (err == COPROCESS_HEARD && !make_pipe(said)) || !set_nonblocking(in[1]) ||
        !set_nonblocking(out[0]) || !set_nonblocking(said[0])) {
        error_errno(error, "no pipe for `%.100s`", text);
    } else {
        plan.in = in[0];
        plan.out = out[1];
        if (err == COPROCESS_HEARD)
            plan.err = said[1];
        pid = process_start(&plan, error);
    }
    coprocess_close(&in[0]);
    coprocess_close(&out[1]);
    coprocess_close(&said[1]);
    if (pid < 0) {
        coprocess_close(&in[1]);
        coprocess_close(&out[0]);
        coprocess_close(&said[0]);
    }
    *coprocess = (struct coprocess){.pid = pid < 0 ? 0 : pid, .to = in[1], .from = out[0], .said = said[0]};
    return pid >= 0;
}

bool coprocess_explain(struct process_end end, const char *when, struct error *error)
{
    const bool by_shell = end.ending == PROCESS_EXITED && end.number > 128 && end.number <= 128 + 64;
    const int number = by_shell ? end.number - 128 : end.number;
    if (end.ending == PROCESS_SIGNALED || by_shell)
        error_set(error, ERROR_CRASH, "the process was ended by signal %d %s", number, when);
    else if (number == 127)
        error_set(error, ERROR_EXIT, "the process ended with status 127: its command was not found");
    else
        error_set(error, ERROR_EXIT, "the process ended with status %d %s", number, when);
    error->detail = number;
    return false;
}

bool coprocess_is_not_found(struct process_end end)
{
    return end.ending == PROCESS_EXITED && (end.number == 126 || end.number == 127);
}
