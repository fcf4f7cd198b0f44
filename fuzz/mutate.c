/*
 * The changes that a mutation chooses from.
 */
#include "fuzz/mutate.h"

#include "warpcheck/bytes.h"

#include <string.h>

/* ---- Masks, words and operands of the kinds that code makes and that defects need ---- */

/* One of the warp's tiles of a power of two lanes. */
static lanemask one_tile(struct mutation *m)
{
    const uint32_t width = 1u << mutation_below(m, 6);
    return (width == 32 ? UINT32_MAX : (1u << width) - 1u) << mutation_below(m, 32 / width) * width;
}

/* Lanes that come again and again: one or some of every 2, 4, 8 or 16. */
static lanemask periodic_mask(struct mutation *m)
{
    const uint32_t period = 2u << mutation_below(m, 4);
    lanemask mask = mutation_draw(m) & ((1u << period) - 1u);
    mask = mutation_below(m, 2) ? 1u << mutation_below(m, period) : mask;
    for (uint32_t width = period; width < WARP_LANES; width *= 2)
        mask |= mask << width;
    return mask;
}

static lanemask few_lanes(struct mutation *m)
{
    lanemask mask = 0;
    for (uint32_t left = 2 + mutation_below(m, 3); left > 0; left--)
        mask |= 1u << mutation_below(m, WARP_LANES);
    return mask;
}

/* Several tiles of one width, or all but these. */
static lanemask tiles_of_a_width(struct mutation *m)
{
    const uint32_t width = 1u << mutation_below(m, 4), inverted = mutation_below(m, 4) == 0 ? UINT32_MAX : 0;
    lanemask mask = 0;
    for (uint32_t left = 1 + mutation_below(m, 5); left > 0; left--)
        mask |= ((1u << width) - 1u) << mutation_below(m, 32 / width) * width;
    return mask ^ inverted;
}

/* Two or three pieces of one length, as far apart as it comes. */
static lanemask pieces_of_a_length(struct mutation *m)
{
    const uint32_t length = 1 + mutation_below(m, 12);
    lanemask mask = 0;
    for (uint32_t left = 2 + mutation_below(m, 2); left > 0; left--)
        mask |= ((1u << length) - 1u) << mutation_below(m, 33 - length);
    return mask;
}

/* A lane mask of a kind that code makes. */
lanemask mutation_mask(struct mutation *m)
{
    lanemask mask;
    switch (mutation_below(m, 16)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return 1u << mutation_below(m, 32);
    case 2:
        return UINT32_MAX >> mutation_below(m, 32);
    case 3:
        return UINT32_MAX << mutation_below(m, 32);
    case 4:
        return one_tile(m);
    case 8:
        return one_tile(m) | one_tile(m);
    case 9:
        return mutation_below(m, 2) ? one_tile(m) ^ one_tile(m) : ~one_tile(m);
    case 10:
        return periodic_mask(m);
    case 11:
        return few_lanes(m);
    case 12:
        return ~few_lanes(m);
    case 13:
        return tiles_of_a_width(m);
    case 14: /* none beside another; or the contrary */
        mask = mutation_draw(m);
        mask &= ~(mask << 1);
        return mutation_below(m, 4) ? mask : ~mask;
    case 15:
        return pieces_of_a_length(m);
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
    switch (mutation_below(m, mutation_has_learned() ? 8 : 6)) {
    case 6:
    case 7:
        return mutation_learned_word(m);
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

void mutation_set_group(struct warp_case *c, lanemask members, lanemask membermask)
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
        mutation_set_group(c, UINT32_MAX, c->active);
        break;
    case 1: /* the active and the exited lanes */
        mutation_set_group(c, UINT32_MAX, c->active | c->exited);
        break;
    case 2: /* two groups */
        mutation_set_group(c, c->active & one, c->active & one);
        mutation_set_group(c, c->active & ~one, c->active & ~one);
        break;
    case 3:
        mutation_set_group(c, one, one);
        break;
    case 4:
        mutation_set_group(c, UINT32_MAX, one);
        break;
    case 5: /* a lane too many or too few, in one lane or all */
        mutation_set_group(c, mutation_below(m, 2) ? UINT32_MAX : 1u << lane,
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

/* Gives the lanes classes of these sizes: 1, 2, 4, 8..., all equal, or as it comes; of neighbouring lanes or mixed. */
static void draw_classes(struct mutation *m, uint8_t class_of[WARP_LANES])
{
    const uint32_t rule = mutation_below(m, 6), even = 1 + mutation_below(m, 16), start = mutation_below(m, WARP_LANES);
    const uint32_t step = 1 + 2 * mutation_below(m, 16);
    const bool mixed = mutation_below(m, 2);
    uint32_t class = 0, left = 1;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        const uint32_t lane = mixed ? (start + i * step) % WARP_LANES : (start + i) % WARP_LANES;
        class_of[lane] = (uint8_t) class;
        if (--left > 0)
            continue;
        class ++;
        left = rule == 0   ? 1u << (class < 4 ? class : 5) /* 1 + 2 + 4 + 8 + the rest */
               : rule == 1 ? class + 1                     /* 1 + 2 + 3 + ... */
               : rule == 2 ? even
               : rule == 3 ? 1 + mutation_below(m, 6)
                           : 1 + mutation_below(m, 20);
    }
}

/* Partitions of the lanes: by their values, by their groups, or both. */
void mutate_partition(struct mutation *m)
{
    uint8_t class_of[WARP_LANES];
    uint32_t word[WARP_LANES + 1], high[WARP_LANES + 1];
    lanemask lanes_of[WARP_LANES + 1] = {0};
    const uint32_t what = mutation_below(m, 5);
    draw_classes(m, class_of);
    for (uint32_t i = 0; i <= WARP_LANES; i++) {
        word[i] = mutation_below(m, 2) ? i : mutation_word(m);
        high[i] = mutation_below(m, 2) ? 0 : mutation_word(m);
    }
    for (uint32_t i = 0; i < WARP_LANES; i++)
        lanes_of[class_of[i]] |= 1u << i;
    if (mutation_below(m, 2)) {
        m->c->active = UINT32_MAX;
        m->c->exited = 0;
    }
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (what != 0) {
            m->c->a[i] = m->info->type == WARP_PRED ? class_of[i] & 1u : word[class_of[i]];
            m->c->a_high[i] = high[class_of[i]];
        }
        if (what == 0 || what == 3)
            m->c->membermask[i] = lanes_of[class_of[i]];
    }
    if (what == 1 || what == 2)
        mutation_set_group(m->c, UINT32_MAX, m->c->active | m->c->exited);
}

/* Everybody takes part, in one group, and shfl reads where b says. */
void mutate_plain(struct mutation *m)
{
    if (mutation_below(m, 2)) {
        m->c->active = UINT32_MAX;
        m->c->exited = 0;
    }
    mutation_set_group(m->c, UINT32_MAX, m->c->active | m->c->exited);
    for (uint32_t i = 0; i < WARP_LANES && mutation_below(m, 64) != 0; i++)
        m->c->c[i] = warp_width_c(m->info->op, 32);
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

/* Ordinary values, equal or not, and among them a few special ones: -inf beside a signalling NaN. */
void mutate_a_to_few(struct mutation *m)
{
    const bool equal = mutation_below(m, 2);
    const uint32_t plain = mutation_below(m, 2) ? 0x3f800000u : mutation_word(m), spread = mutation_below(m, 2);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        m->c->a[i] = equal ? plain : plain + i * (spread ? 0x10000u : 1u);
        m->c->a_high[i] = mutation_below(m, 2) ? m->c->a_high[i] : m->c->a[i];
    }
    for (uint32_t left = 1 + mutation_below(m, 3); left > 0; left--) {
        const uint32_t lane = mutation_below(m, WARP_LANES);
        m->c->a[lane] = mutation_below(m, 4)
                            ? warp_special_floats[mutation_below(m, (uint32_t)warp_special_floats_count)]
                            : mutation_word(m);
        m->c->a_high[lane] = mutation_below(m, 2) ? m->c->a_high[lane] : m->c->a[lane];
    }
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

/* ---- Which lane has what ---- */

static uint32_t reversed(uint32_t value, uint32_t bits)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < bits; i++)
        to |= (value >> i & 1u) << (bits - 1 - i);
    return to;
}

/* The warp's lanes in another order, of a kind that code uses: bits of the lane's number reversed, swapped or moved
 * round, rotations, steps, lanes paired off, none, any order; in the warp or in each tile. */
static void draw_permutation(struct mutation *m, uint8_t to[WARP_LANES])
{
    const uint32_t rule = mutation_below(m, 15), bits = mutation_below(m, 3) ? 5 : 1 + mutation_below(m, 5);
    const uint32_t size = 1u << bits, by = mutation_below(m, size), odd = by | 1u, turn = 1 + by % bits;
    const uint32_t start = mutation_below(m, 2) ? 0 : mutation_below(m, size);
    const uint32_t one = mutation_below(m, bits), other = mutation_below(m, bits);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        const uint32_t in = i % size;
        const uint32_t moved =
            rule == 0    ? reversed(in, bits)
            : rule == 1  ? size - 1 - in
            : rule == 2  ? in + by
            : rule == 3  ? in * odd + start
            : rule == 4  ? in ^ by
            : rule == 5  ? in << turn | in >> (bits - turn)
            : rule == 6  ? (in & ~(1u << one | 1u << other)) | (in >> one & 1u) << other | (in >> other & 1u) << one
            : rule == 7  ? in ^ in >> 1                         /* Gray's code */
            : rule == 8  ? (in < size / 2 ? in : size - 1 - in) /* there and back */
            : rule == 9  ? in & by
            : rule == 10 ? in >> turn
            : rule == 11 ? in / odd * odd
                         : in;
        to[i] = (uint8_t)(i / size * size + moved % size);
    }
    if (mutation_below(m, 8) == 0)
        for (uint32_t i = WARP_LANES - 1; i > 0; i--) {
            const uint32_t k = mutation_below(m, i + 1);
            const uint8_t before = to[i];
            to[i] = to[k];
            to[k] = before;
        }
}

/* What code makes of a lane's number: a number in proportion, its bit, the lanes below it... */
static uint32_t of_lane(uint32_t rule, uint32_t lane, uint32_t start, uint32_t scale)
{
    const uint32_t bit = 1u << (lane & 31u);
    return rule == 0   ? bit
           : rule == 1 ? bit - 1
           : rule == 2 ? 0u - bit
           : rule == 3 ? 0x80000000u >> (lane & 31u)
           : rule == 4 ? ~bit
           : rule == 5 ? lane * lane
                       : start + scale * lane;
}

/* The b with which the lane reads `source` where all lanes are one segment. */
static uint32_t b_to_read(const struct warp_form_info *info, uint32_t lane, uint32_t source)
{
    return info->op == WARP_UP     ? lane - source
           : info->op == WARP_DOWN ? source - lane
           : info->op == WARP_BFLY ? lane ^ source
                                   : source;
}

void mutate_permutation(struct mutation *m)
{
    uint8_t to[WARP_LANES];
    const struct warp_case from = *m->c;
    const uint32_t what = mutation_below(m, warp_form_is_shfl(m->info) ? 6 : 3);
    const uint32_t scale = mutation_below(m, 2) ? 1 : mutation_word(m),
                   start = mutation_below(m, 2) ? 0 : mutation_word(m);
    const uint32_t rule = mutation_below(m, 12);
    draw_permutation(m, to);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (what == 0) {
            m->c->a[i] = from.a[to[i]];
            m->c->a_high[i] = from.a_high[to[i]];
        } else if (what == 1) {
            m->c->a[i] = of_lane(rule, to[i], start, scale);
        } else if (what == 2) {
            m->c->membermask[i] = from.membermask[to[i]];
        } else {
            m->c->b[i] = b_to_read(m->info, i, to[i]);
        }
    }
    if (what == 2) { /* the lanes themselves */
        m->c->active = m->c->exited = 0;
        for (uint32_t i = 0; i < WARP_LANES; i++) {
            lanemask mask = 0;
            for (uint32_t k = 0; k < WARP_LANES; k++)
                mask |= (m->c->membermask[i] >> to[k] & 1u) << k;
            m->c->membermask[i] = mask;
            m->c->a[i] = from.a[to[i]];
            m->c->active |= (from.active >> to[i] & 1u) << i;
            m->c->exited |= (from.exited >> to[i] & 1u) << i;
        }
    }
    if (what > 3) /* plain otherwise */
        for (uint32_t i = 0; i < WARP_LANES; i++)
            m->c->c[i] = warp_width_c(m->info->op, 32);
    if (what > 4) {
        m->c->active = UINT32_MAX;
        m->c->exited = 0;
        mutation_set_group(m->c, UINT32_MAX, UINT32_MAX);
    }
}

uint32_t *mutation_operand_of(struct mutation *m, uint32_t which)
{
    const bool sync = warp_form_is_sync(m->info), shfl = warp_form_is_shfl(m->info);
    switch (which % 5) {
    case 0:
        return sync ? m->c->membermask : m->c->a;
    case 1:
        return m->info->type == WARP_B64 ? m->c->a_high : m->c->a;
    case 2:
        return shfl ? m->c->b : m->c->a;
    case 3:
        return shfl ? m->c->c : sync ? m->c->membermask : m->c->a;
    default:
        return m->c->a;
    }
}

/* Values that have to do with each other: of two lanes, or of two operands of a lane. */
void mutate_relation(struct mutation *m)
{
    uint32_t *const to = mutation_operand_of(m, mutation_draw(m)), *const from =
                                                                       mutation_operand_of(m, mutation_draw(m));
    const uint32_t one = mutation_below(m, WARP_LANES), other = mutation_below(m, WARP_LANES),
                   rule = mutation_below(m, 10);
    const uint32_t word = mutation_word(m), shift = mutation_below(m, 32), every = mutation_below(m, 4);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        const uint32_t value = from[every == 0 ? i : other];
        const uint32_t related = rule == 0   ? value
                                 : rule == 1 ? ~value
                                 : rule == 2 ? 0u - value
                                 : rule == 3 ? value + 1
                                 : rule == 4 ? value - 1
                                 : rule == 5 ? value ^ word
                                 : rule == 6 ? value + word
                                 : rule == 7 ? reversed(value, 32)
                                 : rule == 8 ? value << shift
                                             : __builtin_bswap32(value);
        if (every == 0 || i == one)
            to[i] = related;
    }
}
