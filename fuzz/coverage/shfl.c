/*
 * Buckets of shfl: source lanes, meaningless bits, destinations.
 */
#include "fuzz/coverage/internal.h"

/* On axis SEGMENT, by segment mask. Widths 16, 8, 4, 2 are the masks 16, 24, 28, 30. */
static unsigned segment_class(unsigned segmask)
{
    const uint32_t split = 1u << 16 | 1u << 24 | 1u << 28 | 1u << 30;
    if (segmask == 0)
        return AXIS_SEG_WHOLE;
    if (segmask == 31)
        return AXIS_SEG_LANE;
    return split >> segmask & 1u ? AXIS_SEG_SPLIT : AXIS_SEG_IRREGULAR;
}

static unsigned clamp_class(unsigned clamp)
{
    return clamp == 0 ? AXIS_CLAMP_0 : clamp == 31 ? AXIS_CLAMP_31 : AXIS_CLAMP_OTHER;
}

static unsigned b_class(uint32_t b)
{
    return b < 32 ? AXIS_B_LANE : b >> 31 ? AXIS_B_NEGATIVE : AXIS_B_LARGE;
}

/* The source lane by the manual's pseudo-code; *pval tells whether it is in range. */
static int source_lane(unsigned mode, int lane, int bval, int cval, int segmask, bool *pval)
{
    int max_lane = (lane & segmask) | (cval & ~segmask & 31);
    int min_lane = lane & segmask;
    int j = mode == AXIS_UP     ? lane - bval
            : mode == AXIS_DOWN ? lane + bval
            : mode == AXIS_BFLY ? lane ^ bval
                                : min_lane | (bval & ~segmask & 31);
    *pval = mode == AXIS_UP ? j >= max_lane : j <= max_lane;
    return j;
}

static unsigned source_class(int lane, int j, int segmask)
{
    if (j == lane)
        return AXIS_SRC_SELF;
    if ((j & segmask) != (lane & segmask))
        return AXIS_SRC_OTHER;
    return j < lane ? AXIS_SRC_BELOW : AXIS_SRC_ABOVE;
}

static unsigned read_class(const struct warp_case *c, lanemask group, int j)
{
    lanemask source = 1u << j;
    if (group & source)
        return AXIS_READ_GROUP;
    if (c->exited & source)
        return AXIS_READ_EXITED;
    return c->active & source ? AXIS_READ_FOREIGN : AXIS_READ_ELSEWHERE;
}

/* The groups of SHFL have the shape of those of SHFL_SYNC, so one distance leads from the one to the other. */
#define SHFL_DISTANCE (COVERAGE_SHFL_SOURCE - COVERAGE_SHFL_SYNC_SOURCE)
_Static_assert(COVERAGE_SHFL_UNIFORM - COVERAGE_SHFL_SYNC_UNIFORM == SHFL_DISTANCE, "the groups stand in one order");

static void shfl_lane(struct coverage_set *set, const struct warp_case *c, unsigned base, unsigned mode, unsigned lane,
                      lanemask group)
{
    uint32_t b = c->b[lane], cc = c->c[lane];
    int segmask = (int)(cc >> 8 & 31u);
    unsigned segment = segment_class((unsigned)segmask), clamp = clamp_class(cc & 31u), source = AXIS_SRC_CLAMPED;
    bool pval;
    int j = source_lane(mode, (int)lane, (int)(b & 31u), (int)(cc & 31u), segmask, &pval);
    if (pval && j >= 0 && j < WARP_LANES) {
        source = source_class((int)lane, j, segmask);
        coverage_hit(set, base + BUCKET2(SHFL_SYNC_READ, mode, read_class(c, group, j), READ));
    }
    coverage_hit(set, base + BUCKET4(SHFL_SYNC_SOURCE, mode, segment, SEGMENT, clamp, CLAMP, source, SOURCE));
    coverage_hit(set, base + BUCKET3(SHFL_SYNC_BITS, mode, b_class(b), B_BITS, (cc & ~0x1f1fu) != 0, C_BITS));
}

void coverage_shfl(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                   const struct warp_form_info *info)
{
    unsigned base = info->family == WARP_SHFL ? SHFL_DISTANCE : 0;
    unsigned mode = (unsigned)info->op - WARP_UP, first;
    uint32_t b_differs = 0, c_differs = 0;
    unsigned dst = c->dst == WARP_DST_D ? AXIS_SHFL_D : c->dst == WARP_DST_D_P ? AXIS_SHFL_D_P : AXIS_SHFL_D_SINK;
    coverage_hit(set, base + BUCKET2(SHFL_SYNC_DST, mode, dst, SHFL_DST));
    if (r->done == 0)
        return;
    first = coverage_first_lane(r->done);
    for (lanemask left = r->done; left != 0; left &= left - 1) {
        unsigned lane = coverage_first_lane(left);
        lanemask group = warp_form_is_sync(info) ? c->membermask[lane] & ~c->exited : c->active;
        shfl_lane(set, c, base, mode, lane, group);
        b_differs |= c->b[lane] ^ c->b[first];
        c_differs |= c->c[lane] ^ c->c[first];
    }
    coverage_hit(set, base + BUCKET3(SHFL_SYNC_UNIFORM, mode, b_differs != 0, B_UNIFORM, c_differs != 0, C_UNIFORM));
}
