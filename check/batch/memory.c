#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "check/batch/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM_LEAST ((size_t)1 << 17) /* of the small batches, so that the pages are made once */

static bool make(struct fenced *memory, size_t room)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all;
    room = (room + page - 1) / page * page;
    all = mmap(NULL, room + 2 * page, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return false;
    if (mprotect(all + page, room, PROT_READ | PROT_WRITE) != 0) {
        munmap(all, room + 2 * page);
        return false;
    }
    *memory = (struct fenced){all + page, room, true};
    return true;
}

uint32_t *fenced_words(struct fenced *memory, size_t words, bool at_end)
{
    const size_t bytes = words * sizeof(uint32_t);
    if (memory->base != NULL && (memory->room < bytes || (memory->room > 8 * ROOM_LEAST && bytes < ROOM_LEAST)))
        fenced_free(memory);
    if (memory->base == NULL && !make(memory, bytes < ROOM_LEAST ? ROOM_LEAST : bytes))
        return NULL;
    return (uint32_t *)(void *)(at_end ? memory->base + memory->room - bytes : memory->base);
}

static size_t least(size_t x, size_t y)
{
    return x < y ? x : y;
}

size_t fenced_before(const struct fenced *memory, const uint32_t *words, size_t limit)
{
    return least((size_t)((const char *)words - memory->base) / sizeof *words, limit);
}

size_t fenced_behind(const struct fenced *memory, const uint32_t *end, size_t limit)
{
    return least((size_t)(memory->base + memory->room - (const char *)end) / sizeof *end, limit);
}

void fenced_seal(const struct fenced *memory)
{
    if (memory->base != NULL)
        mprotect(memory->base, memory->room, PROT_READ);
}

void fenced_free(struct fenced *memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (memory->base != NULL)
        munmap(memory->base - page, memory->room + 2 * page);
    memory->base = NULL;
}

void fenced_set_canaries(const struct fenced *memory, uint32_t *words, size_t extent)
{
    const size_t before = fenced_before(memory, words, MARGIN);
    const size_t all = before + extent + fenced_behind(memory, words + extent, MARGIN);
    for (size_t k = 0; k < all; k++)
        words[(ptrdiff_t)k - (ptrdiff_t)before] = CANARY;
}
