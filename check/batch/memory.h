/*
 * Memory between two pages that nobody may touch, shared with the processes that are started after it was made.
 */
#ifndef WARPCHECK_CHECK_BATCH_MEMORY_H
#define WARPCHECK_CHECK_BATCH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fenced {
    char *base; /* NULL: none yet */
    size_t room;
    bool made;
};

/* `words` words that begin at the front page, or end at the back one; their content is arbitrary. NULL: no memory.
 * `made` becomes true when the memory was made anew: processes that run already do not see it. */
uint32_t *fenced_words(struct fenced *memory, size_t words, bool at_end);
/* The words before or behind these that lie in the memory too, at most `limit`. */
size_t fenced_before(const struct fenced *memory, const uint32_t *words, size_t limit);
size_t fenced_behind(const struct fenced *memory, const uint32_t *end, size_t limit);
/* Fills `extent` words with canaries, and those around them, as far as the memory goes, up to MARGIN. */
#define CANARY 0x5ca1ab1eu
#define MARGIN 64u /* words around a result that must stay as they are */
void fenced_set_canaries(const struct fenced *memory, uint32_t *words, size_t extent);
/* Forbids writing, in this process alone. */
void fenced_seal(const struct fenced *memory);
void fenced_free(struct fenced *memory);

#endif
