/*
 * How the values of a warp lie beside each other: rising, up and down, mirrored, adding up to something, of one kind
 * but for a few. Each is a family of which the numbers are drawn.
 */
#include "fuzz/mutate.h"

#include "model/lanes.h"
#include "warpcheck/bytes.h"

/* The lanes of one group, which most of what is compared is about; sometimes all. */
static lanemask some_group(struct mutation *m)
{
    const uint32_t lane = mutation_below(m, WARP_LANES);
    const lanemask group = warp_form_is_sync(m->info) ? m->c->membermask[lane] & m->c->active : m->c->active;
    return group == 0 || mutation_below(m, 4) == 0 ? UINT32_MAX : group;
}

/* Steps from lane to lane: all alike, any, growing, of any size; up to a lane they go up, and then down. */
static void put_slope(struct mutation *m)
{
    const uint32_t rule = mutation_below(m, 5), shift = 4 + mutation_below(m, 28), turn = mutation_below(m, WARP_LANES);
    const bool turns = mutation_below(m, 2), down = mutation_below(m, 2);
    uint32_t value = mutation_below(m, 2) ? mutation_below(m, 64) : mutation_word(m), step = 1 + mutation_below(m, 8);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        const bool back = (turns && i >= turn) != down;
        m->c->a[i] = value;
        step = rule == 0   ? step
               : rule == 1 ? step + 1 + mutation_below(m, 4)
               : rule == 2 ? step + step / 2 + (step < 2)
               : rule == 3 ? 1 + mutation_below(m, 4)
                           : 1 + (mutation_draw(m) >> shift) / WARP_LANES;
        value += back ? 0u - step : step;
    }
}

/* What one value makes of another. */
static uint32_t related(uint32_t rule, uint32_t value, uint32_t word)
{
    return rule == 0   ? value
           : rule == 1 ? ~value
           : rule == 2 ? 0u - value
           : rule == 3 ? value ^ 0x80000000u
           : rule == 4 ? value ^ word
           : rule == 5 ? value + word
                       : word - value;
}

/* Each lane has to do with its partner: the mirror's, the neighbour's, the other half's, the lane before. */
static void put_partners(struct mutation *m)
{
    const uint32_t rule = mutation_below(m, 7), flip = mutation_below(m, 2) ? 31u : 1u << mutation_below(m, 5);
    const uint32_t word = mutation_word(m), by = 1 + mutation_below(m, 16);
    const bool chain = mutation_below(m, 3) == 0;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        const uint32_t from = chain ? i - by : i ^ flip;
        if (from >= i) /* it stays as it is */
            continue;
        m->c->a[i] = related(rule, m->c->a[from], word);
        if (m->info->type == WARP_B64)
            m->c->a_high[i] = related(rule, m->c->a_high[from], word);
    }
}

/* The sum, the xor or the and of a group is a certain word, by one lane's value. */
static void put_total(struct mutation *m)
{
    const lanemask group = some_group(m);
    const uint32_t word = mutation_below(m, 3) ? mutation_word(m) : 0, rule = mutation_below(m, 3);
    uint32_t sum = 0, differs = 0, lane = mutation_below(m, WARP_LANES);
    for (uint32_t i = 0, afresh = mutation_below(m, 2); i < WARP_LANES && afresh != 0; i++)
        m->c->a[i] = mutation_draw(m);
    while (!(group >> lane & 1u))
        lane = (lane + 1) % WARP_LANES;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        sum += group >> i & 1u ? m->c->a[i] : 0;
        differs ^= group >> i & 1u ? m->c->a[i] : 0;
    }
    if (rule == 0)
        m->c->a[lane] += word - sum;
    else if (rule == 1)
        m->c->a[lane] ^= word ^ differs;
    else
        for (uint32_t i = 0; i < WARP_LANES; i++)
            m->c->a[i] |= word;
}

/* A value that ordinary ones seldom stand beside. */
static uint32_t odd_one(struct mutation *m)
{
    static const uint32_t odd[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0x7f800001u,
                                   0xff800001u, 0x80000000u, 0x00000000u, 0x7fffffffu, 0x00000001u};
    if (mutation_below(m, 2))
        return odd[mutation_below(m, sizeof odd / sizeof odd[0])];
    return mutation_below(m, 2) ? warp_special_floats[mutation_below(m, (uint32_t)warp_special_floats_count)]
                                : mutation_of_kind(m, mutation_below(m, MUTATION_KINDS));
}

/* Values of one kind, different ones or alike, and a few others: anywhere, or where the group begins and ends. */
static void put_kinds(struct mutation *m)
{
    const lanemask group = some_group(m);
    const uint32_t kind = mutation_below(m, MUTATION_KINDS), ends[] = {lanes_lowest(group), lanes_highest(group)};
    const bool turns = mutation_below(m, 8) == 0, near = mutation_below(m, 4) == 0;
    const uint32_t first = mutation_of_kind(m, kind);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        m->c->a[i] = near ? first + i : mutation_of_kind(m, kind);
        m->c->a[i] ^= turns && i % 2 ? 0x80000000u : 0;
    }
    for (uint32_t left = mutation_below(m, 4); left > 0; left--) {
        const uint32_t lane = mutation_below(m, 2) ? ends[mutation_below(m, 2)] : mutation_below(m, WARP_LANES);
        m->c->a[lane] = mutation_below(m, 4) ? odd_one(m) : related(1 + mutation_below(m, 3), m->c->a[ends[0]], 0);
    }
}

/* All values are different. */
static void put_distinct(struct mutation *m)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        for (uint32_t k = 0; k < i; k++)
            if (m->c->a[i] == m->c->a[k]) {
                m->c->a[i] += 1 + mutation_below(m, 3);
                k = 0;
            }
}

void mutate_shape(struct mutation *m)
{
    switch (m->info->type == WARP_F32 && mutation_below(m, 2) ? 0 : mutation_below(m, 8)) {
    case 0:
        put_kinds(m);
        break;
    case 1:
    case 2:
        put_slope(m);
        break;
    case 3:
    case 4:
        put_partners(m);
        break;
    case 5:
    case 6:
        put_total(m);
        break;
    default:
        put_distinct(m);
        break;
    }
}

/* Lanes of a group that have exited, or are elsewhere: its first, its last, its middle, any. */
void mutate_gone(struct mutation *m)
{
    const lanemask group =
        m->c->membermask[mutation_below(m, WARP_LANES)] | (mutation_below(m, 4) == 0 ? UINT32_MAX : 0);
    const uint32_t low = lanes_lowest(group), high = lanes_highest(group);
    const uint32_t places[] = {low, high, (low + high) / 2, mutation_below(m, WARP_LANES)};
    const lanemask gone =
        1u << places[mutation_below(m, 4)] | (mutation_below(m, 4) ? 0 : 1u << places[mutation_below(m, 4)]);
    if (mutation_below(m, 2)) {
        m->c->active |= group;
        m->c->exited = 0;
    }
    if (mutation_below(m, 4))
        m->c->exited |= gone;
    m->c->active &= ~gone;
}
