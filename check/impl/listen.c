#include "check/impl/listen.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define PIECE  4096u
#define PIECES 32u

void listen_begin(struct listener *listener, const char *who, unsigned lines_max, int fd)
{
    listener->who = who;
    listener->lines_max = lines_max;
    listener->fd = fd;
    listener->lines = 0;
    listener->mute = false;
    listener->filled = 0;
}

static void print_line(struct listener *l)
{
    char text[4 * LISTEN_LINE_MAX + 1];
    l->lines++;
    if (l->mute)
        l->filled = 0;
    else if (l->lines_max == 0 || l->lines <= l->lines_max)
        fprintf(stderr, "%s: %s\n", l->who, text_printable(l->line, l->filled, text, sizeof text));
    else if (l->lines == l->lines_max + 1)
        fprintf(stderr, "%s: (more of what it prints is left out)\n", l->who);
    l->filled = 0;
}

static void take(struct listener *l, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] != '\n')
            l->line[l->filled++] = data[i];
        if (data[i] == '\n' || l->filled == LISTEN_LINE_MAX)
            print_line(l);
    }
}

bool listen_some(struct listener *l)
{
    char data[PIECE];
    bool heard = false;
    for (unsigned i = 0; i < PIECES && l->fd >= 0; i++) {
        const ssize_t n = read(l->fd, data, sizeof data);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n > 0) {
            heard = true;
            take(l, data, (size_t)n);
            continue;
        }
        close(l->fd); /* its other end is closed */
        l->fd = -1;
    }
    return heard;
}

void listen_end(struct listener *l)
{
    listen_some(l);
    if (l->filled > 0)
        print_line(l);
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}
