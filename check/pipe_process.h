/*
 * A process behind two pipes: text goes in, lines come out, and nobody waits for ever.
 */
#ifndef WARPCHECK_CHECK_PIPE_PROCESS_H
#define WARPCHECK_CHECK_PIPE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROCESS_LINE_MAX 65536u

struct process {
    pid_t pid;    /* 0: not running */
    int to;       /* its standard input, -1: closed */
    int from;     /* its standard output */
    char *unread; /* PROCESS_LINE_MAX bytes, of which `filled` hold what was read and not yet handed out */
    size_t filled;
    unsigned timeout_ms;
};

/* Starts the command with the shell, in a process group of its own. False and one clear line in `error` when it cannot.
 */
bool peer_start(struct process *p, const char *command, unsigned timeout_ms, char *error, size_t error_size);

/* A line of the answer, without its newline; false stops the exchange. */
typedef bool (*process_line_fn)(void *context, const char *line, size_t length);

/*
 * Writes the text and hands out the next `lines` lines, both at the same time, so that neither side waits for the
 * other. Each line is waited for at most timeout_ms. Returns false when a line is refused (`error` untouched), missing,
 * too late or too long.
 */
bool peer_exchange(struct process *p, const char *text, size_t length, size_t lines, process_line_fn on_line,
                   void *context, char *error, size_t error_size);

/* Closes the pipes, gives the process a moment to end, then kills its group. Leaves no zombie. May be called twice. */
void peer_stop(struct process *p);

#endif
