/*
 * Numbers of lanes that the code under test compared: how many are in a set, where it begins and ends, in how many
 * pieces it is. Where a set of the case has the one number, it is given the other and keeps the rest of its form.
 */
#include "fuzz/mutate.h"

#include "model/lanes.h"

static bool has(lanemask set, uint32_t lane)
{
    return (set >> lane & 1u) != 0;
}

static uint32_t pieces(lanemask set)
{
    return lanes_in(set & ~(set << 1));
}

/* Lanes of the piece that begins first. */
static uint32_t first_length(lanemask set)
{
    const lanemask from = set == 0 ? 0 : set >> lanes_lowest(set);
    return from == UINT32_MAX ? WARP_LANES : lanes_lowest(~from);
}

/* So many lanes, from its first to its last lane as long as there is room. */
static lanemask with_count(struct mutation *m, lanemask set, uint32_t count)
{
    for (uint32_t tries = 0; tries < 256 && lanes_in(set) != count && count <= WARP_LANES; tries++) {
        const uint32_t lane = mutation_below(m, WARP_LANES), low = lanes_lowest(set), high = lanes_highest(set);
        const bool more = lanes_in(set) < count;
        if (tries > 128 || (lane > low && lane < high))
            set = more ? set | 1u << lane : set & ~(1u << lane);
    }
    return set;
}

static lanemask with_lowest(lanemask set, uint32_t lane)
{
    return (set & UINT32_MAX << lane) | 1u << lane;
}

static lanemask with_highest(lanemask set, uint32_t lane)
{
    return (set & UINT32_MAX >> (31u - lane)) | 1u << lane;
}

static lanemask with_pieces(struct mutation *m, lanemask set, uint32_t count)
{
    for (uint32_t tries = 0; tries < 128 && pieces(set) != count; tries++) {
        const lanemask changed = set ^ 1u << mutation_below(m, WARP_LANES);
        if (changed != 0 && (pieces(set) < count ? pieces(changed) > pieces(set) : pieces(changed) < pieces(set)))
            set = changed;
    }
    return set;
}

static lanemask with_first_length(lanemask set, uint32_t length)
{
    const uint32_t low = lanes_lowest(set);
    const lanemask piece = (length >= WARP_LANES ? UINT32_MAX : (1u << length) - 1u) << low;
    return low + length >= WARP_LANES ? set | piece : (set | piece) & ~(1u << (low + length));
}

/* Gives the set the number `to` in the place of a number of it that is `from`, and mostly as many lanes as it has.
 * Returns the set as it is when none is. */
static lanemask fitted(struct mutation *m, lanemask set, uint32_t from, uint32_t to)
{
    const uint32_t first = mutation_below(m, 5), count = lanes_in(set);
    const bool keeps = mutation_below(m, 4) != 0;
    for (uint32_t k = 0; k < 5; k++) {
        switch ((first + k) % 5) {
        case 0:
            if (count == from)
                return with_count(m, set, to);
            break;
        case 1:
            if (set != 0 && lanes_lowest(set) == from && to < WARP_LANES)
                return with_count(m, with_lowest(set, to), keeps ? count : lanes_in(with_lowest(set, to)));
            break;
        case 2:
            if (set != 0 && lanes_highest(set) == from && to < WARP_LANES)
                return with_count(m, with_highest(set, to), keeps ? count : lanes_in(with_highest(set, to)));
            break;
        case 3:
            if (pieces(set) == from && to > 0 && to <= WARP_LANES / 2)
                return with_pieces(m, set, to);
            break;
        default:
            if (set != 0 && first_length(set) == from && to > 0)
                return with_first_length(set, to);
            break;
        }
    }
    return set;
}

/* The lanes that pass the membermask of one: those that join them take part, those that leave are a group or away. */
static bool fit_group(struct mutation *m, uint32_t lane, uint32_t from, uint32_t to)
{
    const lanemask mask = m->c->membermask[lane], gone = mutation_below(m, 2) ? mask & m->c->exited : 0;
    const lanemask group = fitted(m, mask & ~gone, from, to), left = mask & ~(group | gone);
    const bool away = mutation_below(m, 2);
    if (group == (mask & ~gone))
        return false;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (has(left, i))
            m->c->membermask[i] = away ? m->c->membermask[i] : left;
        else if (has(group, i) || m->c->membermask[i] == mask)
            m->c->membermask[i] = group | gone;
    m->c->exited &= ~group | (mutation_below(m, 2) ? m->c->exited & mask : 0);
    m->c->active = (m->c->active | group) & ~m->c->exited & ~(away ? left : 0);
    return true;
}

/* Kinds of floats: zero, subnormal, number, infinity, NaN; of both signs together, or of one. */
static uint32_t kind_of(uint32_t word)
{
    const uint32_t exponent = word >> 23 & 0xffu, fraction = word & 0x7fffffu;
    return exponent == 0 ? fraction != 0 : exponent < 255 ? 2 : fraction == 0 ? 3 : 4;
}

static bool is_kind(uint32_t word, uint32_t kind)
{
    return kind_of(word) == kind % 5 && (kind < 5 || word >> 31 == kind / 5 - 1);
}

uint32_t mutation_of_kind(struct mutation *m, uint32_t kind)
{
    static const uint32_t exponents[] = {0, 0, 1, 255, 255};
    const uint32_t k = kind % 5, drawn = mutation_draw(m);
    const uint32_t fraction = k == 0 || k == 3 ? 0 : (drawn & 0x7fffffu) | (k != 2);
    const uint32_t exponent = k == 2 ? 1 + mutation_below(m, 254) : exponents[k];
    return (kind < 5 ? drawn & 0x80000000u : (kind / 5 - 1) << 31) | exponent << 23 | fraction;
}

/* The lanes whose values are of one kind, are equal, or are true: how many, which. */
static bool fit_values(struct mutation *m, lanemask among, uint32_t lane, uint32_t from, uint32_t to)
{
    const bool equal = m->info->type != WARP_F32 || mutation_below(m, 3) == 0;
    const uint32_t kind = mutation_below(m, MUTATION_KINDS), other = mutation_below(m, MUTATION_KINDS),
                   odd = mutation_below(m, WARP_LANES);
    const uint32_t word = m->c->a[lane], high = m->c->a_high[lane];
    lanemask like = 0;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (has(among, i) && (equal ? m->c->a[i] == word && m->c->a_high[i] == high : is_kind(m->c->a[i], kind)))
            like |= 1u << i;
    lanemask now = fitted(m, like, from, to);
    const uint32_t count = lanes_in(now);
    for (uint32_t tries = 0; tries < WARP_LANES && (now & ~among) != 0; tries++) /* others for those elsewhere */
        now = with_count(m, now & among, count);
    now &= among;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        if (has(now & ~like, i)) {
            m->c->a[i] = equal ? word : mutation_of_kind(m, kind);
            m->c->a_high[i] = equal ? high : m->c->a_high[i];
        } else if (has(like & ~now, i)) {
            m->c->a[i] = !equal ? mutation_of_kind(m, other) : m->c->a[odd] != word ? m->c->a[odd] : ~word;
        }
    }
    return now != like;
}

bool mutation_fit(struct mutation *m, uint32_t from, uint32_t to)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        const uint32_t lane = mutation_below(m, WARP_LANES);
        if (!has(m->c->active, lane))
            continue;
        const lanemask group = m->c->membermask[lane] & m->c->active;
        switch (mutation_below(m, 8)) {
        case 0: {
            const lanemask exited = fitted(m, m->c->exited, from, to);
            if (exited == m->c->exited)
                continue;
            m->c->exited = exited;
            m->c->active &= ~exited;
            return true;
        }
        case 1:
        case 2:
        case 3:
            if (!warp_form_is_sync(m->info))
                m->c->active = fitted(m, m->c->active, from, to) & ~m->c->exited;
            else if (!fit_group(m, lane, from, to))
                break;
            return true;
        default:
            if (fit_values(m, warp_form_is_sync(m->info) ? group : m->c->active, lane, from, to))
                return true;
            break;
        }
    }
    return false;
}
