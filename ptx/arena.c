#include "ptx/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 65536u

struct arena_chunk {
    struct arena_chunk *older;
    max_align_t data[];
};

static char *chunk_add(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - sizeof(struct arena_chunk))
        return NULL;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    return (char *)chunk->data;
}

void *ptx_arena_take(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - alignof(max_align_t))
        return NULL;
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (size > CHUNK_BYTES / 4)
        return chunk_add(arena, size); /* what is free in the last chunk stays in use */
    if (size > arena->left) {
        char *chunk = chunk_add(arena, CHUNK_BYTES);
        if (!chunk)
            return NULL;
        arena->next = chunk;
        arena->left = CHUNK_BYTES;
    }
    char *data = arena->next;
    arena->next += size;
    arena->left -= size;
    return data;
}

char *arena_copy(struct arena *arena, const void *data, size_t size)
{
    char *copy = size < SIZE_MAX ? ptx_arena_take(arena, size + 1) : NULL;
    if (copy && size > 0)
        memcpy(copy, data, size);
    return copy;
}

void ptx_arena_free(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *older = arena->chunks->older;
        free(arena->chunks);
        arena->chunks = older;
    }
    *arena = (struct arena){0};
}
