#define _POSIX_C_SOURCE 200809L
#include "smt/solver/solver.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double smt_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What solver_run waits for; 0: nothing. */
static volatile sig_atomic_t running;

static void end(int signal_number)
{
    (void)signal_number;
    if (running > 0)
        kill((pid_t)running, SIGKILL);
    _exit(3);
}

void process_end_on_sigterm(void)
{
    struct sigaction action = {.sa_handler = end};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
}

static pid_t start(const char *const argv[], int out)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    /* execvp takes char *const [] for historical reasons and changes nothing. */
    char *copy[32];
    size_t n = 0;
    for (; n < 31 && argv[n] != NULL; n++)
        memcpy(&copy[n], &argv[n], sizeof copy[n]);
    copy[n] = NULL;
    execvp(copy[0], copy);
    _exit(127);
}

/* Reads until the end of the output or the deadline; true when the end came first. */
static bool drain(int in, double deadline, char *out, size_t out_size)
{
    size_t used = 0;
    char lost[4096];
    for (;;) {
        struct pollfd p = {in, POLLIN, 0};
        double left = deadline - smt_clock();
        bool room = used + 1 < out_size;
        ssize_t n;
        if (left <= 0 || poll(&p, 1, (int)(left * 1000) + 1) <= 0)
            break;
        n = read(in, room ? out + used : lost, room ? out_size - used - 1 : sizeof lost);
        if (n <= 0) {
            out[used] = '\0';
            return true;
        }
        used += room ? (size_t)n : 0;
    }
    out[used] = '\0';
    return false;
}

int solver_run(const char *const argv[], double timeout_s, char *out, size_t out_size)
{
    int ends[2];
    int status = 0;
    bool ended;
    pid_t child;
    if (pipe(ends) != 0)
        return -1;
    child = start(argv, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return -1;
    }
    running = (sig_atomic_t)child;
    ended = drain(ends[0], smt_clock() + timeout_s, out, out_size);
    close(ends[0]);
    if (!ended)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    running = 0;
    if (!ended)
        return -2;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
        return -1;
    return WEXITSTATUS(status);
}
