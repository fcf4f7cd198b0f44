/*
 * The changes that a mutation chooses from.
 */
#include "fuzz/mutate.h"

#include "warpcheck/bytes.h"

/* ---- Masks, words and operands of the kinds that code makes and that defects need ---- */

/* A lane mask of a kind that code makes: prefix, single lane, tile of a power of two, sparse, dense, full. */
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

static uint32_t mutation_word(struct mutation *m)
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
static uint32_t mutation_nudge(struct mutation *m, uint32_t value)
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
static void mutation_operand(struct mutation *m, uint32_t operand[WARP_LANES])
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

/* ---- Mutations of who takes part: active, exited, membermasks, and where in the warp all of it lies ---- */

void mutate_active(struct mutation *m)
{
    switch (mutation_below(m, 6)) {
    case 5:
        m->c->active = 0;
        break;
    case 0:
        m->c->active = mutation_mask(m);
        break;
    case 1:
        m->c->active ^= 1u << mutation_below(m, WARP_LANES);
        break;
    case 2:
        m->c->exited = mutation_mask(m) & mutation_mask(m);
        break;
    case 3:
        m->c->exited ^= 1u << mutation_below(m, WARP_LANES);
        break;
    default: /* all lanes are active or have ended */
        m->c->exited = ~m->c->active;
        break;
    }
    m->c->active &= ~m->c->exited;
}

/* Gives the lanes of `members` one membermask. */
static void set_group(struct warp_case *c, lanemask members, lanemask membermask)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (members >> i & 1u)
            c->membermask[i] = membermask;
}

void mutate_membermask(struct mutation *m)
{
    struct warp_case *c = m->c;
    lanemask one = mutation_mask(m), lane = mutation_below(m, WARP_LANES);
    switch (mutation_below(m, 7)) {
    case 0: /* the active lanes */
        set_group(c, UINT32_MAX, c->active);
        break;
    case 1: /* the active and the exited lanes */
        set_group(c, UINT32_MAX, c->active | c->exited);
        break;
    case 2: /* two groups */
        set_group(c, c->active & one, c->active & one);
        set_group(c, c->active & ~one, c->active & ~one);
        break;
    case 3:
        set_group(c, one, one);
        break;
    case 4:
        set_group(c, UINT32_MAX, one);
        break;
    case 5: /* a lane too many or too few, in one lane or all */
        set_group(c, mutation_below(m, 2) ? UINT32_MAX : 1u << lane,
                  c->membermask[lane] ^ 1u << mutation_below(m, WARP_LANES));
        break;
    default:
        mutation_operand(m, c->membermask);
        break;
    }
}

/* Tiles of a power of two, each its own group: cooperative groups, sub-warp reductions. */
void mutate_tiles(struct mutation *m)
{
    uint32_t width = 1u << mutation_below(m, 6);
    lanemask tile = width == 32 ? UINT32_MAX : (1u << width) - 1u;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->membermask[i] = tile << i / width * width & (mutation_below(m, 16) ? UINT32_MAX : m->c->active);
}

/* Moves all lanes round the warp, operands and masks together. */
void mutate_place(struct mutation *m)
{
    struct warp_case from = *m->c;
    uint32_t by = 1 + mutation_below(m, WARP_LANES - 1);
    m->c->active = from.active << by | from.active >> (WARP_LANES - by);
    m->c->exited = from.exited << by | from.exited >> (WARP_LANES - by);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t to = (i + by) % WARP_LANES;
        m->c->a[to] = from.a[i];
        m->c->a_high[to] = from.a_high[i];
        m->c->b[to] = from.b[i];
        m->c->c[to] = from.c[i];
        m->c->membermask[to] = from.membermask[i] << by | from.membermask[i] >> (WARP_LANES - by);
    }
}

/* ---- Mutations of operands: a, b and c ---- */

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

/* Gives all lanes of a mask one value, but for one lane. */
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

/* Makes all lanes read one lane. */
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
