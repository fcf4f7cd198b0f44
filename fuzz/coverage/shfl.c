/*
 * Buckets of shfl: source lanes, meaningless bits, destinations.
 */
#include "fuzz/coverage/internal.h"

#include "model/lanes.h"

/* On axis SEGMENT, by segment mask. Widths 16, 8, 4, 2 are the masks 16, 24, 28, 30. */
static unsigned segment_class(unsigned segmask)
{
    static const uint8_t classes[32] = {[0] = AXIS_SEG_WHOLE + 1,  [16] = AXIS_SEG_SPLIT + 1, [24] = AXIS_SEG_SPLIT + 1,
                                        [28] = AXIS_SEG_SPLIT + 1, [30] = AXIS_SEG_SPLIT + 1, [31] = AXIS_SEG_LANE + 1};
    return classes[segmask] != 0 ? classes[segmask] - 1u : AXIS_SEG_IRREGULAR;
}

static unsigned clamp_class(unsigned clamp)
{
    return clamp == 0 ? AXIS_CLAMP_0 : clamp == 31 ? AXIS_CLAMP_31 : AXIS_CLAMP_OTHER;
}

static unsigned b_class(uint32_t b)
{
    return b < 32 ? AXIS_B_LANE : b >> 31 ? AXIS_B_NEGATIVE : AXIS_B_LARGE;
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
    const unsigned outside = c->active >> j & 1u ? AXIS_READ_FOREIGN : AXIS_READ_ELSEWHERE;
    const unsigned live = group >> j & 1u ? AXIS_READ_GROUP : outside;
    return c->exited >> j & 1u ? AXIS_READ_EXITED : live; /* a group has no exited lane */
}

/* The bucket groups of SHFL are laid out as those of SHFL_SYNC, so one distance leads from one to the other. */
#define SHFL_DISTANCE (COVERAGE_SHFL_SOURCE - COVERAGE_SHFL_SYNC_SOURCE)
_Static_assert(COVERAGE_SHFL_UNIFORM - COVERAGE_SHFL_SYNC_UNIFORM == SHFL_DISTANCE, "the groups stand in one order");

/* What the lanes fell into: a bit for each combination of values on a group's axes behind the mode. */
struct lane_buckets {
    uint64_t source;
    uint32_t read, bits;
};
_Static_assert(+COUNT_SEGMENT * +COUNT_CLAMP * +COUNT_SOURCE <= 64, "more bits for the source lanes");

static void shfl_lane(struct lane_buckets *to, const struct warp_case *c, enum warp_op mode, unsigned lane,
                      lanemask group)
{
    uint32_t b = c->b[lane], cc = c->c[lane];
    int segmask = (int)(cc >> 8 & 31u);
    unsigned segment = segment_class((unsigned)segmask), clamp = clamp_class(cc & 31u);
    const struct shfl_source s = shfl_source_of(mode, lane, b, cc);
    const bool in_range = s.pval && s.j >= 0 && s.j < WARP_LANES;
    const unsigned source = in_range ? source_class((int)lane, s.j, segmask) : AXIS_SRC_CLAMPED;
    to->read |= (uint32_t)in_range << read_class(c, group, s.j & 31);
    to->source |= UINT64_C(1) << ((segment * COUNT_CLAMP + clamp) * COUNT_SOURCE + source);
    to->bits |= 1u << (b_class(b) * COUNT_C_BITS + ((cc & ~0x1f1fu) != 0));
}

/* A bucket for each bit, counted from `first`. */
static void hit_bits(struct coverage_set *set, unsigned first, uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1)
        coverage_hit(set, first + (unsigned)__builtin_ctzll(bits));
}

void coverage_shfl(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                   const struct warp_form_info *info)
{
    unsigned base = info->family == WARP_SHFL ? SHFL_DISTANCE : 0;
    unsigned mode = (unsigned)info->op - WARP_UP, first;
    struct lane_buckets lanes = {0, 0, 0};
    uint32_t b_differs = 0, c_differs = 0;
    unsigned dst = c->dst == WARP_DST_D ? AXIS_SHFL_D : c->dst == WARP_DST_D_P ? AXIS_SHFL_D_P : AXIS_SHFL_D_SINK;
    coverage_hit(set, base + BUCKET2(SHFL_SYNC_DST, mode, dst, SHFL_DST));
    if (r->done == 0)
        return;
    first = coverage_first_lane(r->done);
    for (lanemask left = r->done; left != 0; left &= left - 1) {
        unsigned lane = coverage_first_lane(left);
        shfl_lane(&lanes, c, info->op, lane, lanes_group(c, lane));
        b_differs |= c->b[lane] ^ c->b[first];
        c_differs |= c->c[lane] ^ c->c[first];
    }
    hit_bits(set, base + BUCKET4(SHFL_SYNC_SOURCE, mode, 0, SEGMENT, 0, CLAMP, 0, SOURCE), lanes.source);
    hit_bits(set, base + BUCKET2(SHFL_SYNC_READ, mode, 0, READ), lanes.read);
    hit_bits(set, base + BUCKET3(SHFL_SYNC_BITS, mode, 0, B_BITS, 0, C_BITS), lanes.bits);
    coverage_hit(set, base + BUCKET3(SHFL_SYNC_UNIFORM, mode, b_differs != 0, B_UNIFORM, c_differs != 0, C_UNIFORM));
}
