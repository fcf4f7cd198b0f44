/*
 * Calls into code that is not ours: a crash or a call without end comes back as an outcome, and an exit() is told.
 *
 * What it cannot do: a lock that the code held at that moment stays locked, a crash in a thread that the code started
 * ends the process as it always does, and _exit() ends it without a word where check/exits.c is not linked.
 */
#ifndef WARPCHECK_CHECK_GUARD_H
#define WARPCHECK_CHECK_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#define GUARD_TIMEOUT_VARIABLE "WARPCHECK_PLUGIN_TIMEOUT_MS"
#define GUARD_TIMEOUT_MS       60000u

#define GUARD_RETURNED         0
#define GUARD_TIMED_OUT        (-1)
#define GUARD_EXITED           (-2) /* only in programs with check/exits.c */

/*
 * Installs the handlers that are not installed yet, and reads the limit from the environment. False with one line in
 * `error`. Each guard_start that returns true is undone by one guard_stop.
 */
bool guard_start(char *error, size_t error_size);
void guard_stop(void);

/*
 * Calls call(argument) in this thread. Returns GUARD_RETURNED, GUARD_TIMED_OUT, GUARD_EXITED or the number of the
 * signal that it crashed with. `ending` writes one line without a newline that
 * names the culprit: printed when the call ends the process with exit(), whose status is then 1.
 */
int guard_call(void (*call)(void *argument), void *argument,
               void (*ending)(const void *argument, char *text, size_t size));

/* An exit() within a call ends the process with SIGABRT from now on: AFL++ takes every status for an ordinary end. */
void guard_exits_by_signal(void);

/* The process is about to end: where this thread is within a call, the call ends instead, and this does not return. */
void guard_exiting(void);

/* The limit of one call; 0: none. */
unsigned guard_timeout_ms(void);
/* "SIGSEGV" and so on. */
const char *guard_signal_name(int number);

#endif
