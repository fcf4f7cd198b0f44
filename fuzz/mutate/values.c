/*
 * Mutations of operands: a, b and c.
 */
#include "fuzz/mutate/mutation.h"

#include "warpcheck/bytes.h"

/* Predicates as votes see them: true in all of a group, in none, in all but one lane, and the contrary outside. */
static void change_predicates(struct mutation *m)
{
    lanemask lane = mutation_below(m, WARP_LANES);
    const lanemask choice[] = {0, UINT32_MAX, m->c->active, m->c->membermask[lane], m->c->exited, mutation_mask(m)};
    lanemask truth = choice[mutation_below(m, sizeof choice / sizeof choice[0])];
    if (mutation_below(m, 2))
        truth = ~truth;
    if (mutation_below(m, 4) == 0)
        truth ^= 1u << lane;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->a[i] = truth >> i & 1u;
}

void mutate_a(struct mutation *m)
{
    if (m->info->type == WARP_PRED && mutation_below(m, 2)) {
        change_predicates(m);
        return;
    }
    mutation_operand(m, m->c->a);
    if (m->info->type == WARP_B64 && mutation_below(m, 2))
        mutation_operand(m, m->c->a_high);
}

/* Few different values, so that lanes match and reductions tie. */
void mutate_a_to_pool(struct mutation *m)
{
    uint32_t pool[4], high[4], size = 1 + mutation_below(m, 4);
    bool floats = m->info->type == WARP_F32 || mutation_below(m, 3) == 0;
    for (uint32_t i = 0; i < size; i++) {
        pool[i] =
            floats ? warp_special_floats[mutation_below(m, (uint32_t)warp_special_floats_count)] : mutation_word(m);
        high[i] = mutation_below(m, 2) ? m->c->a_high[i] : floats ? pool[i] : mutation_word(m);
    }
    if (m->info->type == WARP_B64 && mutation_below(m, 2)) /* doubles: the kind is in the high half */
        for (uint32_t i = 0; i < size; i++) {
            pool[i] = mutation_below(m, 2);
            high[i] = warp_special_floats[mutation_below(m, (uint32_t)warp_special_floats_count)];
        }
    if (size > 1 && mutation_below(m, 4) == 0) { /* a value and its negative, often the two zeros */
        if (mutation_below(m, 3) == 0)
            pool[0] = high[0] = 0;
        pool[1] = pool[0] ^ (m->info->type == WARP_B64 ? 0 : 0x80000000u);
        high[1] = high[0] ^ 0x80000000u;
    }
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t pick = mutation_below(m, size);
        m->c->a[i] = pool[pick];
        m->c->a_high[i] = high[pick];
    }
}

/* All lanes of a mask the same, but for one. */
void mutate_a_to_odd(struct mutation *m)
{
    uint32_t lane = mutation_below(m, WARP_LANES), word = mutation_word(m), high = mutation_word(m);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        m->c->a[i] = word;
        m->c->a_high[i] = high;
    }
    if (m->info->type != WARP_B64 || mutation_below(m, 2))
        m->c->a[lane] = mutation_nudge(m, word);
    else
        m->c->a_high[lane] = mutation_nudge(m, high);
}

/* All lanes read one lane. */
static void change_b_to_broadcast(struct mutation *m)
{
    uint32_t source = mutation_below(m, 2) ? 0 : mutation_below(m, WARP_LANES);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->b[i] = m->info->op == WARP_UP     ? i - source
                     : m->info->op == WARP_DOWN ? source - i
                     : m->info->op == WARP_BFLY ? i ^ source
                                                : source;
}

void mutate_b(struct mutation *m)
{
    uint32_t word = mutation_below(m, 32);
    switch (mutation_below(m, 4)) {
    case 0:
    case 1:
        mutation_operand(m, m->c->b);
        break;
    case 2:
        change_b_to_broadcast(m);
        break;
    default:
        for (uint32_t i = 0; i < WARP_LANES; i++)
            m->c->b[i] = word;
        break;
    }
}

void mutate_c(struct mutation *m)
{
    static const uint8_t edge[] = {0, 31, 1, 15, 16, 30};
    uint32_t width = 1u << mutation_below(m, 6), word, lane = mutation_below(m, WARP_LANES);
    switch (mutation_below(m, 5)) {
    case 0:
        mutation_operand(m, m->c->c);
        return;
    case 1:
        word = warp_width_c(m->info->op, width);
        break;
    case 2:
        word = (32 - width) << 8 | mutation_below(m, 32);
        break;
    case 3:
        word = mutation_below(m, 32) << 8 | edge[mutation_below(m, sizeof edge)];
        break;
    default:
        word = (mutation_draw(m) & 0x1f1fu) | (mutation_below(m, 2) ? mutation_draw(m) & ~0x1f1fu : 0u);
        break;
    }
    if (mutation_below(m, 4) == 0)
        m->c->c[lane] = word;
    else
        for (uint32_t i = 0; i < WARP_LANES; i++)
            m->c->c[i] = word;
}
