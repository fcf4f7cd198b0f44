/*
 * A command of the user's, run by the shell, that reads questions from its standard input and writes answers to its
 * standard output.
 */
#ifndef WARPCHECK_BASE_COPROCESS_H
#define WARPCHECK_BASE_COPROCESS_H

#include "base/process.h"

struct coprocess {
    pid_t pid;          /* 0: it does not run */
    int to, from, said; /* its standard input, output and error; O_NONBLOCK; -1: closed, or never ours */
};

#define COPROCESS_HEARD (-3) /* its standard error is a pipe too: `said` */

/* Starts it, with all that it will start (process_plan's `whole`). `err` is COPROCESS_HEARD, PROCESS_SAME or
 * PROCESS_NULL. False with one line, and nothing open. */
bool coprocess_start(struct coprocess *coprocess, const char *text, int err, struct error *error);

/* Closes one end, if it is open, and sets it to -1. */
void coprocess_close(int *end);

/* ERROR_EXIT or ERROR_CRASH with how the process ended, and `when` ("after its last answer"), in words that know what
 * a shell's status means: 127, and 128 with a signal's number. Always false. */
bool coprocess_explain(struct process_end end, const char *when, struct error *error);

/* Could the shell not start what the command names? */
bool coprocess_is_not_found(struct process_end end);

#endif
