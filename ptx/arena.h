/*
 * Memory that is given back all at once.
 */
#ifndef WARPCHECK_PTX_ARENA_H
#define WARPCHECK_PTX_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t left;                /* bytes of the newest that are free */
    char *next;
};

/* `size` zero bytes, aligned for any type; NULL when there is no memory. */
void *ptx_arena_take(struct arena *arena, size_t size);
/* A copy of `size` bytes with a zero byte behind them. */
char *arena_copy(struct arena *arena, const void *data, size_t size);
void ptx_arena_free(struct arena *arena);

#endif
