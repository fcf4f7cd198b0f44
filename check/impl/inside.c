#define _GNU_SOURCE /* timer_create, write */
#include "check/impl/inside.h"

#include "base/clock.h"
#include "base/text.h"
#include "check/impl/foreign.h"
#include "check/impl/library.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LATE_SIGNAL (SIGRTMIN + 3)

/* The call under way, of which there is one at a time: what is said of it should it not end well. */
static volatile sig_atomic_t is_asking;
static char shown_name[320], late_line[512], exit_line[512];
static double limit_s; /* 0: none */
static double set_s;   /* when the timer was set; 0: it is not */
static timer_t timer;
static bool has_timer;

/*
 * The timer goes off this much of the limit late. So long it need not be set again for the next call, which would cost
 * more than many a call does; and it never goes off in a call that still has time, whose sleep that would end.
 */
#define LATE 0.1

/* The engine's own handler of SIGABRT keeps the input. */
static void give_up(const char *line)
{
    if (!is_asking)
        return;
    is_asking = 0;
    if (write(STDERR_FILENO, line, strlen(line)) >= 0)
        abort();
    abort(); /* also where nobody hears it */
}

static void on_late(int number)
{
    (void)number;
    give_up(late_line);
}

static void on_exit_inside(void)
{
    give_up(exit_line);
}

/* A forked process has no timers. */
static void in_child(void)
{
    has_timer = false;
    set_s = 0;
}

static bool prepare(void)
{
    static bool prepared;
    struct sigaction action = {.sa_handler = on_late, .sa_flags = SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = LATE_SIGNAL};
    if (!prepared) {
        sigemptyset(&action.sa_mask);
        prepared = sigaction(LATE_SIGNAL, &action, NULL) == 0 && atexit(on_exit_inside) == 0 &&
                   pthread_atfork(NULL, NULL, in_child) == 0;
    }
    has_timer = has_timer || timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    return prepared && has_timer;
}

/* The timer goes off when a call that begins now has taken its time. */
static void set_timer(void)
{
    const double now_s = clock_coarse_seconds(), most_s = limit_s * (1 + LATE);
    const struct itimerspec most = {.it_value = {(time_t)most_s, (long)((most_s - (double)(time_t)most_s) * 1e9)}};
    if (set_s > 0 && now_s < set_s + limit_s * LATE)
        return;
    if (!has_timer)
        prepare();
    set_s = now_s;
    timer_settime(timer, 0, &most, NULL);
}

/* True for the outermost call, which is the one that is watched. */
static bool enter(void)
{
    if (is_asking)
        return false;
    if (limit_s > 0)
        set_timer();
    is_asking = 1;
    return true;
}

static void leave(bool entered)
{
    if (entered)
        is_asking = 0;
}

/* It may not take back what it offers: that ends the process, as any other misbehaviour does. */
static void hold(const struct inside *inside)
{
    struct error error;
    if (library_is_held(&inside->held, inside->inner, &error))
        return;
    fprintf(stderr, "warpcheck: %s %s\n", shown_name, error.text);
    abort();
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct inside *const inside = state;
    const struct warp_impl *const inner = inside->inner;
    const bool entered = enter();
    const bool answered = inner->eval(inner->state, cases, n, results, error, error_size);
    leave(entered);
    hold(inside);
    return answered;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct warp_impl *const inner = ((const struct inside *)state)->inner;
    const bool entered = enter();
    const bool accepted = ((const struct inside *)state)->held.accepts(inner->state, c, why, why_size);
    leave(entered);
    return accepted;
}

static void close_inner(void *state)
{
    const struct warp_impl *const inner = ((const struct inside *)state)->inner;
    inner->close(inner->state);
}

bool inside_init(struct inside *inside, const struct warp_impl *inner, const char *path, struct error *error)
{
    if (!foreign_limit(&limit_s, error))
        return false;
    if (!prepare())
        return error_errno(error, "no timer for the calls of %s", path);
    text_printable(path, strlen(path), shown_name, sizeof shown_name);
    snprintf(late_line, sizeof late_line, "warpcheck: %s gave no answer within %g s (%s)\n", shown_name, limit_s,
             IMPL_TIMEOUT_VARIABLE);
    snprintf(exit_line, sizeof exit_line, "warpcheck: %s ended the process (exit) while it was asked\n", shown_name);
    *inside = (struct inside){.impl = *inner, .inner = inner, .held = *inner};
    inside->impl.state = inside;
    inside->impl.eval = eval;
    inside->impl.accepts = inner->accepts != NULL ? accepts : NULL;
    inside->impl.close = inner->close != NULL ? close_inner : NULL;
    return true;
}
