/*
 * What executions have reached: instructions, and warp instructions and block barriers by the kind of lanes that came
 * and of those that were missing. A search goes on from inputs that reached something new.
 */
#include "kernel/exec/block.h"

#include <string.h>

/* The kind of a set of lanes: how many, rounded down to a power of two, whether they stand side by side, and whether
 * lane 0 is among them. */
static uint32_t kind_of(lanemask lanes)
{
    if (lanes == 0)
        return 0;
    uint32_t many = 32u - (uint32_t)__builtin_clz((uint32_t)__builtin_popcount(lanes));
    lanemask from_first = lanes >> __builtin_ctz(lanes);
    bool side_by_side = (from_first & (from_first + 1)) == 0;
    return many << 2 | (uint32_t)side_by_side << 1 | (lanes & 1u);
}

void kernel_reach(struct kernel *kernel, uint32_t at, lanemask here, lanemask missing)
{
    uint64_t key = (uint64_t)at << 16 | kind_of(here) << 8 | kind_of(missing);
    uint32_t bit = (uint32_t)(random_mix(key * RANDOM_STEP) % (BLOCK_REACHED * 8u));
    uint8_t *byte = &kernel->reached[bit / 8];
    uint8_t set = (uint8_t)(1u << bit % 8);
    kernel->news += !(*byte & set);
    *byte |= set;
}

uint64_t kernel_news(struct kernel *kernel)
{
    uint64_t visited = 0;
    for (uint32_t n = 0; n < kernel->code->count; n++)
        visited += kernel->visited[n];
    uint64_t news = kernel->news + (visited - kernel->visited_count);
    kernel->visited_count = visited;
    kernel->news = 0;
    return news;
}

void kernel_reached(struct kernel *kernel, void (*tell)(uint32_t number))
{
    for (uint32_t n = 0; n < kernel->code->count; n++)
        if (kernel->visited[n])
            tell(n);
    for (uint32_t byte = 0; byte < BLOCK_REACHED; byte++)
        for (uint32_t bits = kernel->reached[byte]; bits != 0; bits &= bits - 1)
            tell(kernel->code->count + byte * 8 + (uint32_t)__builtin_ctz(bits));
}

void kernel_forget(struct kernel *kernel)
{
    memset(kernel->visited, 0, kernel->code->count);
    memset(kernel->reached, 0, sizeof kernel->reached);
    kernel->visited_count = kernel->news = 0;
}
