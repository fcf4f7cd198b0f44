/*
 * shfl.sync, shfl: one source lane and one predicate a lane, as bytes, then one gather.
 *
 * All lane numbers, b and c fields have 5 bits, so signed bytes hold every j: -31 (up) to 62 (down).
 */
#include "lanes.h"

#include <string.h>

/* The fields of b and c, one byte a lane. */
struct fields {
    int8_t bval[WARP_LANES], cval[WARP_LANES], segmask[WARP_LANES];
};

/* The lane that each lane reads, and whether the source was in range. */
struct sources {
    uint8_t lane[WARP_LANES], in_range[WARP_LANES];
};

static const int8_t own[WARP_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* Five bits of each lane's word, or of the warp's one word for all lanes. (Bytes may alias anything: restrict says that
 * these do not.) */
static void read_field(const struct warp_column *column, size_t w, unsigned shift, int8_t *restrict field)
{
    const uint32_t *restrict values = fast_at(column, w);
    if (column->per_warp)
        memset(field, (int)(values[0] >> shift & 31u), WARP_LANES);
    else
        for (unsigned i = 0; i < WARP_LANES; i++)
            field[i] = (int8_t)(values[i] >> shift & 31u);
}

/* `mode` is a constant in every caller: each becomes a loop without branches over 32 bytes. */
FAST_INLINE void find_sources(enum warp_op mode, const struct fields *restrict f, struct sources *restrict s)
{
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const int8_t lane = own[i], b = f->bval[i], segmask = f->segmask[i];
        const int8_t base = lane & segmask;
        const int8_t bound = (int8_t)(base | (f->cval[i] & ~segmask));
        const int8_t j = (int8_t)(mode == WARP_UP     ? lane - b
                                  : mode == WARP_DOWN ? lane + b
                                  : mode == WARP_BFLY ? lane ^ b
                                                      : base | (b & ~segmask));
        const int8_t in_range = (int8_t)((mode == WARP_UP ? j >= bound : j <= bound) ? -1 : 0);
        s->in_range[i] = (uint8_t)(in_range & 1);
        s->lane[i] = (uint8_t)((j & in_range) | (lane & ~in_range));
    }
}

/* In range, `up` has j >= bound >= 0 and the other modes have j <= bound <= 31. No mode leaves 0..31 on the other
 * side, since `up` only subtracts. */
FAST_OUTLINE void gather(const uint32_t *restrict from, const uint8_t *restrict lane, uint32_t *restrict to)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        to[i] = from[lane[i]];
}

/* Lanes of the group whose source, moved as a bit like the data, is in the group (and among the lane's members, where
 * there are several groups); d of the others becomes 0. */
static lanemask move_some(const struct sources *s, lanemask group, const uint32_t *members, const uint32_t *a,
                          uint32_t *d)
{
    uint32_t source_bit[WARP_LANES];
    lanemask defined;
    gather(fast_lane_bit, s->lane, source_bit);
    if (members != NULL)
        fast_keep_bits(members, source_bit);
    defined = fast_lanes_with(source_bit, group) & group;
    gather(a, s->lane, d);
    fast_keep_lanes(defined, d);
    return defined;
}

FAST_INLINE void shfl_warps(enum warp_op mode, struct fast_strip *strip)
{
    const bool constant = fast_shape_of(strip).constant;
    struct fields f;
    struct sources s;
    for (size_t w = 0; w < strip->n; w++) {
        const lanemask group = strip->group[w];
        uint32_t *d = strip->d.values + w * strip->d.stride;
        if (w == 0 || !constant) { /* one b and c for all warps: the sources are those of the first */
            read_field(&strip->b, w, 0, f.bval);
            read_field(&strip->c, w, 0, f.cval);
            read_field(&strip->c, w, 8, f.segmask);
            find_sources(mode, &f, &s);
        }
        strip->word[w] = fast_pack(s.in_range) & group;
        strip->d_defined[w] = group;
        if (group == FAST_ALL_LANES && strip->members.values == NULL)
            gather(fast_at(&strip->a, w), s.lane, d);
        else
            strip->d_defined[w] = move_some(&s, group, fast_members(strip, w), fast_at(&strip->a, w), d);
    }
}

void fast_shfl_up_portable(struct fast_strip *strip)
{
    shfl_warps(WARP_UP, strip);
}

void fast_shfl_down_portable(struct fast_strip *strip)
{
    shfl_warps(WARP_DOWN, strip);
}

void fast_shfl_bfly_portable(struct fast_strip *strip)
{
    shfl_warps(WARP_BFLY, strip);
}

void fast_shfl_idx_portable(struct fast_strip *strip)
{
    shfl_warps(WARP_IDX, strip);
}
