#define _GNU_SOURCE /* siginfo_t, getpgid */
#include "base/interrupt.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define GROUPS_MAX 32u

static volatile sig_atomic_t caught;

/* Of each group that is not trusted its number (0: the place is free) and the last signal that it sent. */
static struct {
    _Atomic pid_t number;
    _Atomic int sent;
} groups[GROUPS_MAX];

/* The place of a group, or GROUPS_MAX. */
static size_t place_of(pid_t group)
{
    size_t i = 0;
    while (i < GROUPS_MAX && groups[i].number != group)
        i++;
    return i;
}

/* Was it sent by a process of a group that is not trusted? Then that is noted. */
static bool is_foreign(int number, const siginfo_t *info)
{
    const int before = errno;
    const pid_t group = info->si_code <= 0 && info->si_pid > 0 ? getpgid(info->si_pid) : 0;
    const size_t i = group > 0 ? place_of(group) : GROUPS_MAX;
    errno = before;
    if (i == GROUPS_MAX)
        return false;
    groups[i].sent = number;
    return true;
}

/* One request may come twice at once: timeout(1) signals the program, and then its group, in which the program is. */
#define ONE_REQUEST_S 0.3

static bool is_repeated(const siginfo_t *info)
{
    static volatile pid_t sender;
    static volatile double at_s;
    const double now_s = clock_seconds();
    const bool again = caught && info->si_code <= 0 && info->si_pid == sender && now_s - at_s < ONE_REQUEST_S;
    if (!caught) {
        sender = info->si_pid;
        at_s = now_s;
    }
    return again;
}

static void on_request(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (is_foreign(number, info) || is_repeated(info))
        return;
    if (caught) {
        folders_remove_all();
        signal(number, SIG_DFL);
        raise(number);
    }
    caught = 1;
}

/* What nobody handles ends the program, as if there were no handler, but for its temporary folders. It is not blocked
 * meanwhile: sent a second time, it ends the program at once. */
static void on_other(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (is_foreign(number, info))
        return;
    signal(number, SIG_DFL);
    folders_remove_all();
    raise(number);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | flags};
    action.sa_sigaction = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Handles what nobody handles or ignores already. */
static void handle_other(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL)
        handle(number, on_other, SA_RESTART | SA_NODEFER);
}

void interrupt_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        handle(numbers[i], on_request, 0); /* what waits is interrupted */
    handle_other(SIGQUIT);
}

bool interrupted(void)
{
    return caught != 0;
}

void interrupt_clear(void)
{
    caught = 0;
}

/* Handles what would end the program. */
static void handle_others(void)
{
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGPIPE, SIGALRM,
                                  SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        handle_other(numbers[i]);
}

void interrupt_distrust(pid_t group)
{
    const size_t i = place_of(0);
    handle_others();
    if (i == GROUPS_MAX)
        return;
    groups[i].sent = 0;
    groups[i].number = group;
}

int interrupt_sent_by(pid_t group)
{
    const size_t i = place_of(group);
    return i < GROUPS_MAX ? groups[i].sent : 0;
}

int interrupt_forget(pid_t group)
{
    const size_t i = place_of(group);
    const int sent = interrupt_sent_by(group);
    if (i < GROUPS_MAX)
        groups[i].number = 0;
    return sent;
}
