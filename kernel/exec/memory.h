/*
 * The memory of a block: global memory as pages that are made when they are touched, and shared memory.
 *
 * Buffers lie at fixed addresses (code.h). Words that nobody has written hold the input's pattern. Outside any buffer
 * they are arbitrary, but the same for the same address.
 */
#ifndef WARPCHECK_KERNEL_EXEC_MEMORY_H
#define WARPCHECK_KERNEL_EXEC_MEMORY_H

#include "kernel/kernel.h"

#define MEMORY_PAGE 4096u

struct memory_page {
    uint64_t number;
    bool written;
    uint8_t data[MEMORY_PAGE];
};

struct memory {
    const struct code *code;
    const struct kernel_input *input;
    struct memory_page **table; /* by a hash of the number; NULL: free */
    size_t table_size, pages_count;
    struct memory_page **pages; /* all pages that were made; the first pages_count of them are in the table */
    size_t pages_made, pages_room;
    struct memory_page *last;
    uint8_t width[KERNEL_BUFFERS_MAX]; /* bytes of a buffer's elements, by its first access; 0: none yet */
    bool real[KERNEL_BUFFERS_MAX];     /* they are floating-point numbers */
    bool failed;                       /* no memory, or more of it than one execution may touch: */
    bool oversized;
    uint64_t wild;

    uint8_t *shared;
    uint64_t shared_size;
    uint16_t *shared_taint; /* a byte's origin; 0: predictable */
    bool shared_is_tainted; /* any of it, in this execution */
    uint64_t version;       /* another one after each write that changes memory */
    /* Since circle.c cleared them: a word of memory was changed, or something was asked that may answer otherwise
     * another time; and global memory was read, which other blocks may change. */
    bool changed, foreign;
};

bool memory_init(struct memory *memory, const struct code *code);
void memory_free(struct memory *memory);
/* Starts again with the input's patterns. Returns false when there is no memory. */
bool memory_start(struct memory *memory, const struct kernel_input *input);

/* `width` bytes of global memory, at most 8. */
uint64_t memory_read(struct memory *memory, uint64_t address, unsigned width, bool real);
void memory_write(struct memory *memory, uint64_t address, unsigned width, uint64_t value);
/* What the bytes from `address` on held at the start, and what they hold now. */
void memory_snapshot(struct memory *memory, uint64_t address, uint64_t size, uint8_t *before, uint8_t *after);
/* A digest of what differs from the start. */
uint64_t memory_digest(struct memory *memory);

#endif
