/*
 * What a process prints comes out on our standard error: whole lines, each behind its name and fit for a terminal.
 */
#ifndef WARPCHECK_CHECK_IMPL_LISTEN_H
#define WARPCHECK_CHECK_IMPL_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

#define LISTEN_LINE_MAX 500u /* bytes; a longer line comes out in pieces */

struct listener {
    const char *who;    /* the caller's */
    unsigned lines_max; /* how many lines come out: one line says that there are more. 0: all */
    bool mute;          /* nothing comes out: it was heard before */
    int fd;             /* to read from, O_NONBLOCK; -1: nothing */
    unsigned lines;
    size_t filled;
    char line[LISTEN_LINE_MAX];
};

/* Listens to `fd`, which belongs to the listener from now on. */
void listen_begin(struct listener *listener, const char *who, unsigned lines_max, int fd);
/* Takes what has come, without waiting; at most what a pipe holds, so that one that never stops printing is not
 * listened to for ever. True when something had come. */
bool listen_some(struct listener *listener);
/* Takes what has come for the last time, prints also a line that has no end, and closes `fd`. */
void listen_end(struct listener *listener);

#endif
