/*
 * Masks, words and operands with the shapes that code makes and that defects need.
 */
#include "fuzz/mutate/mutation.h"

#include "warpcheck/bytes.h"

/* A lane mask of one of the shapes that code makes: prefix, single lane, tile of a power of two, sparse, dense, full.
 */
lanemask mutation_mask(struct mutation *m)
{
    uint32_t width = 1u << mutation_below(m, 6);
    switch (mutation_below(m, 8)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return 1u << mutation_below(m, 32);
    case 2:
        return UINT32_MAX >> mutation_below(m, 32);
    case 3:
        return UINT32_MAX << mutation_below(m, 32);
    case 4:
        return (width == 32 ? UINT32_MAX : (1u << width) - 1u) << mutation_below(m, 32 / width) * width;
    case 5:
        return (UINT32_MAX >> mutation_below(m, 32)) << mutation_below(m, 32);
    case 6:
        return mutation_draw(m) & mutation_draw(m);
    default:
        return mutation_draw(m);
    }
}

uint32_t mutation_word(struct mutation *m)
{
    switch (mutation_below(m, 6)) {
    case 0:
        return mutation_draw(m);
    case 1:
        return mutation_below(m, 4);
    case 2:
        return mutation_below(m, 64);
    case 3:
        return warp_special_floats[mutation_below(m, (uint32_t)warp_special_floats_count)];
    case 4:
        return mutation_mask(m);
    default:
        return warp_special_words[mutation_below(m, (uint32_t)warp_special_words_count)];
    }
}

/* A word near `value`. */
uint32_t mutation_nudge(struct mutation *m, uint32_t value)
{
    switch (mutation_below(m, 5)) {
    case 0:
        return value ^ 1u << mutation_below(m, 32);
    case 1:
        return value + 1;
    case 2:
        return value - 1;
    case 3:
        return value ^ 0x80000000u;
    default:
        return ~value;
    }
}

/* Changes one operand, in one lane, a few, or all. */
void mutation_operand(struct mutation *m, uint32_t operand[WARP_LANES])
{
    uint32_t word = mutation_word(m), lane = mutation_below(m, WARP_LANES), step = mutation_below(m, 3);
    lanemask some = mutation_mask(m);
    switch (mutation_below(m, 7)) {
    case 0:
        operand[lane] = word;
        break;
    case 1:
        operand[lane] = mutation_nudge(m, operand[lane]);
        break;
    case 2:
        operand[lane] = operand[mutation_below(m, WARP_LANES)];
        break;
    case 3: /* uniform, or counting up */
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = word + i * step;
        break;
    case 4:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = some >> i & 1u ? word : operand[i];
        break;
    case 5:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = some >> i & 1u ? mutation_word(m) : operand[i];
        break;
    default:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            operand[i] = mutation_draw(m);
        break;
    }
}
