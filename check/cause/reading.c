#include "check/cause/reading.h"

#include "model/lanes.h"

#include <string.h>

#define CANONICAL_NAN 0x7fffffffu

static const struct mistake_info mistakes[MISTAKES] = {
#define MISTAKE(id, classes, reading, clause, words) {#id, classes, reading, clause, words},
#include "check/cause/mistakes.def"
#undef MISTAKE
};

const struct mistake_info *mistake_get(enum mistake mistake)
{
    return &mistakes[mistake];
}

uint32_t mistake_classes(const struct warp_form_info *info)
{
    const uint32_t sync = warp_form_is_sync(info) ? CLASS_SYNC : CLASS_LEGACY;
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return CLASS_SHFL | sync;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return CLASS_VOTE | sync;
    case WARP_MATCH_SYNC:
        return CLASS_MATCH | sync;
    case WARP_REDUX_SYNC:
        return CLASS_REDUX | sync;
    case WARP_ACTIVEMASK:
        return CLASS_ACTIVEMASK;
    case WARP_BAR_WARP:
        return CLASS_BAR_WARP | sync;
    case WARP_ELECT:
        return CLASS_ELECT | sync;
    case WARP_FAMILIES:
        break;
    }
    return 0;
}

void reading_init(struct reading *reading)
{
    memset(reading, 0, sizeof *reading);
    reading->order = (struct mode_order){{0, 1, 2, 3}};
}

unsigned reading_op(const struct warp_form_info *info)
{
    if (info->type == WARP_F32)
        return info->op == WARP_MIN ? READING_MIN_F32 : READING_MAX_F32;
    if (info->type == WARP_S32)
        return info->op == WARP_ADD ? READING_ADD_S32 : info->op == WARP_MIN ? READING_MIN_S32 : READING_MAX_S32;
    if (info->type == WARP_B64)
        return info->op == WARP_ANY ? READING_ANY_B64 : READING_ALL_B64;
    return (unsigned)info->op;
}

/* One lane of one case, read with mistakes. */
struct view {
    const struct reading *r;
    const struct warp_case *c;
    const struct warp_form_info *info;
    uint32_t classes; /* of the form */
    unsigned op;      /* reading_op */
    unsigned lane;
    lanemask group;
    uint32_t d;
    bool p, d_defined;
    bool anything;        /* it reads a lane that no warp has */
    bool beyond;          /* it does, and does not use it */
    bool endless;         /* it loops without an end */
    bool waits;           /* for its source lane */
    struct waited *known; /* of the case */
};

/* Lanes with one membermask wait for the same lanes. */
struct waited {
    bool known;
    uint32_t mine;
    lanemask waits_for;
};

static bool has(const struct view *v, enum mistake mistake)
{
    return (v->r->ops[mistake] >> v->op & 1u) != 0 && (mistakes[mistake].classes & v->classes) != 0;
}

static bool in_mask(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

/* 31 when there is none. */
static unsigned highest(lanemask lanes)
{
    return lanes == 0 ? WARP_LANES - 1 : WARP_LANES - 1 - (unsigned)__builtin_clz(lanes);
}

/* --- who takes part --- */

enum outcome { DONE, WAITING, UNDEFINED };

struct arrival {
    enum outcome outcome;
    lanemask waits_for;
};

static uint32_t membermask_of(const struct view *v, unsigned lane)
{
    const lanemask active = v->c->active;
    uint32_t mask = v->c->membermask[lane];
    if (has(v, MISTAKE_ONE_MEMBERMASK))
        mask = v->c->membermask[lanes_lowest(active)];
    if (has(v, MISTAKE_LAST_MEMBERMASK))
        mask = v->c->membermask[highest(active)];
    if (has(v, MISTAKE_MEMBERMASK_OF_LANE_0) || has(v, MISTAKE_OWN_MASK_OF_LANE_0))
        mask = v->c->membermask[0];
    for (unsigned other = 0; other < WARP_LANES && has(v, MISTAKE_COMMON_MEMBERMASK); other++)
        mask &= in_mask(active, other) ? v->c->membermask[other] : UINT32_MAX;
    if (has(v, MISTAKE_MEMBERMASK_FULL))
        return UINT32_MAX;
    return has(v, MISTAKE_MEMBERMASK_16) ? mask & 0xffffu : mask;
}

/* Up to sm_6x lanes must converge: they cannot arrive one after another. Somebody who simulates that by lanes that wait
 * may make such a mistake there nonetheless: the mistakes of both kinds stand apart. */
static bool arrived(const struct view *v, unsigned other, uint32_t mine)
{
    const bool new = !warp_target_needs_convergence(v->c->target);
    if (has(v, MISTAKE_INACTIVE_MASK_IS_THERE))
        return v->c->membermask[other] == mine;
    if (in_mask(v->c->active, other) && has(v, MISTAKE_OWN_MASK_OF_LANE_0))
        return v->c->membermask[other] == mine;
    if (in_mask(v->c->active, other))
        return membermask_of(v, other) == mine || (new &&has(v, MISTAKE_ANY_MASK_ARRIVES)) ||
               has(v, MISTAKE_ANY_MASK_IS_ONE);
    return new &&has(v, MISTAKE_INACTIVE_MASK_ARRIVES) && v->c->membermask[other] == mine;
}

static lanemask awaited(const struct view *v, uint32_t mine)
{
    const bool new = !warp_target_needs_convergence(v->c->target);
    const bool gone = has(v, MISTAKE_EXITED_MISSING) || (new &&has(v, MISTAKE_EXITED_MISSING_70));
    lanemask lanes = 0;
    if (v->known->known && v->known->mine == mine)
        return v->known->waits_for;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(gone ? mine : mine & ~v->c->exited, other) && !arrived(v, other, mine))
            lanes |= (lanemask)1 << other;
    *v->known = (struct waited){true, mine, lanes};
    return lanes;
}

/* The n lowest lanes of the warp. */
static lanemask lanes_first(unsigned n)
{
    return n >= WARP_LANES ? UINT32_MAX : ((lanemask)1 << n) - 1u;
}

/* The lanes from the first one on that is missing above the lowest lane of the group. */
static lanemask gap_and_above(lanemask group)
{
    const lanemask missing = ~group & ~lanes_first(lanes_lowest(group));
    return missing != 0 ? ~lanes_first(lanes_lowest(missing)) : 0;
}

/* The lanes of the group that the own subgroup has, and that the loop looks at. */
static lanemask looked_at(const struct view *v, lanemask group)
{
    const unsigned width = has(v, MISTAKE_SUBGROUPS_2)    ? 2
                           : has(v, MISTAKE_SUBGROUPS_4)  ? 4
                           : has(v, MISTAKE_SUBGROUPS_8)  ? 8
                           : has(v, MISTAKE_SUBGROUPS_16) ? 16
                                                          : WARP_LANES;
    lanemask seen = group;
    if (width < WARP_LANES)
        seen &= (((lanemask)1 << width) - 1u) << (v->lane / width * width);
    if (has(v, MISTAKE_LANE_0_MISSING))
        seen &= ~(lanemask)1;
    if (has(v, MISTAKE_LANE_31_MISSING))
        seen &= (lanemask)INT32_MAX;
    if (has(v, MISTAKE_FIRST_LANES))
        return lanes_first(lanes_in(group));
    if (has(v, MISTAKE_FIRST_MEMBERS))
        return lanes_first(lanes_in(warp_form_is_sync(v->info) ? v->c->membermask[v->lane] : group));
    if (has(v, MISTAKE_ENDS_AT_GAP))
        seen &= ~gap_and_above(group);
    return seen != 0 ? seen : group; /* a lane alone */
}

static struct arrival arrive_sync(struct view *v)
{
    const uint32_t mine = membermask_of(v, v->lane);
    struct arrival a = {DONE, 0};
    v->group = has(v, MISTAKE_EXITED_TAKE_PART) ? mine : mine & ~v->c->exited;
    if (has(v, MISTAKE_MEMBERMASK_IGNORED) || has(v, MISTAKE_MEMBERMASK_UNREAD))
        v->group = v->c->active;
    v->group = looked_at(v, v->group);
    if (has(v, MISTAKE_FULL_MASK_FOLDED) && mine == UINT32_MAX)
        v->group = UINT32_MAX;
    if (has(v, MISTAKE_MEMBERMASK_UNREAD))
        return a;
    if (!in_mask(mine, v->lane) && !has(v, MISTAKE_OUTSIDE_JOINS)) {
        a.outcome = has(v, MISTAKE_OUTSIDE_RUNS) ? DONE : has(v, MISTAKE_OUTSIDE_WAITS) ? WAITING : UNDEFINED;
        a.waits_for = a.outcome == WAITING ? mine & ~v->c->exited : 0;
        return a;
    }
    a.waits_for = awaited(v, mine);
    if (has(v, MISTAKE_EXITED_FIRST) && (mine & v->c->exited) != 0)
        return (struct arrival){WAITING, a.waits_for | (mine & v->c->exited)};
    if (has(v, MISTAKE_NEVER_MISSES)) {
        v->group &= ~a.waits_for;
        a.waits_for = 0;
    }
    if (a.waits_for != 0 && has(v, MISTAKE_NEVER_WAITS) && !warp_target_needs_convergence(v->c->target)) {
        v->group &= v->c->active;
        a.waits_for = 0;
    }
    if (a.waits_for != 0) {
        const bool old = warp_target_needs_convergence(v->c->target) ? !has(v, MISTAKE_OLD_TARGETS_WAIT)
                                                                     : has(v, MISTAKE_NEW_TARGETS_CONVERGE);
        a.outcome = old ? UNDEFINED : WAITING;
    } else if (has(v, MISTAKE_EXITED_AWAITED) && (mine & v->c->exited) != 0) {
        a.outcome = WAITING;
        a.waits_for = mine & v->c->exited;
    }
    return a;
}

static struct arrival arrive(struct view *v)
{
    if (warp_form_is_sync(v->info))
        return arrive_sync(v);
    v->group = has(v, MISTAKE_ALL_TAKE_PART) ? ~v->c->exited : v->c->active;
    v->group = looked_at(v, v->group);
    return (struct arrival){DONE, 0};
}

/* --- shfl --- */

static int five_bits(int64_t x)
{
    x &= 31;
    return (int)(x >= 16 ? x - 32 : x);
}

/* A signed number of so many low bits. */
static int64_t signed_bits(uint32_t x, unsigned bits)
{
    const uint32_t high = (uint32_t)1 << (bits - 1);
    return (int64_t)(x & (high - 1)) - (x & high ? (int64_t)high : 0);
}

static bool takes_all_of_b(const struct view *v)
{
    const bool idx = v->info->op == WARP_IDX;
    return has(v, MISTAKE_B_SIGNED_32) || has(v, MISTAKE_B_UNSIGNED_32) || (!idx && has(v, MISTAKE_B_INT_IN_SEGMENT)) ||
           (idx && (has(v, MISTAKE_IDX_REMAINDER) || has(v, MISTAKE_IDX_CLAMPED_SIGNED)));
}

/* b as a number of fewer bits than it has; *wide: it is not. */
static int64_t narrowed(const struct view *v, uint32_t b, bool *wide)
{
    *wide = false;
    if (has(v, MISTAKE_B_24_BITS))
        return b & 0xffffffu;
    if (has(v, MISTAKE_B_16_BITS))
        return b & 0xffffu;
    if (has(v, MISTAKE_B_6_BITS) || has(v, MISTAKE_B_8_BITS))
        return b & (has(v, MISTAKE_B_6_BITS) ? 63u : 255u);
    if (has(v, MISTAKE_B_4_BITS))
        return b & 15u;
    if (has(v, MISTAKE_B_SIGNED_5))
        return signed_bits(b, 5);
    if (has(v, MISTAKE_B_SIGNED_8))
        return signed_bits(b, 8);
    if (has(v, MISTAKE_B_SIGNED_16))
        return signed_bits(b, 16);
    *wide = true;
    return 0;
}

/* Lane numbers have 64 bits here: no sum overflows. A mistake about 32-bit numbers cuts them itself. */
static int64_t shift_of(const struct view *v, uint32_t b)
{
    bool wide;
    const int64_t shift = narrowed(v, b, &wide);
    if (has(v, MISTAKE_B_CLAMPED_SIGNED))
        return (int32_t)b > 31 ? 31 : (int32_t)b;
    if (has(v, MISTAKE_B_SATURATED))
        return (int32_t)b < 0 ? 0 : b > 31 ? 31 : (int32_t)b;
    if (has(v, MISTAKE_B_WHOLE) || has(v, MISTAKE_B_OFFSET_32) ||
        (v->info->op == WARP_IDX && has(v, MISTAKE_IDX_CLAMPED)))
        return b;
    if (!wide)
        return shift;
    if (has(v, MISTAKE_B_NEGATIVE_0) && b >> 31)
        return 0;
    if (takes_all_of_b(v))
        return (int32_t)b;
    if (has(v, MISTAKE_B_REMAINDER))
        return (int32_t)b % 32;
    if (has(v, MISTAKE_B_IGNORED))
        return 1;
    if (has(v, MISTAKE_B_SIGNED))
        return (int)(b & 31u) - (b >> 31 ? 32 : 0);
    if (has(v, MISTAKE_B_ABSOLUTE))
        return (b >> 31 ? ~b + 1u : b) & 31u;
    if (has(v, MISTAKE_B_CLAMPED))
        return b > 31 ? 31 : (int)b;
    return (int)(b & 31u);
}

static int64_t cut_to_32(const struct view *v, int64_t j)
{
    if (has(v, MISTAKE_B_SIGNED_32) || has(v, MISTAKE_B_CLAMPED_SIGNED))
        return (int32_t)(uint32_t)(uint64_t)j;
    return has(v, MISTAKE_B_UNSIGNED_32) ? (int64_t)(uint32_t)(uint64_t)j : j;
}

struct segment {
    int mask, first;
    int64_t clamp, last; /* last is the manual's maxLane */
};

/* The least one that is not below x. */
static int power_of_2(int x)
{
    int power = 1;
    while (power < x)
        power *= 2;
    return power;
}

/* Does some width have this segment mask? */
static bool is_of_width(int mask)
{
    return 32 - mask == power_of_2(32 - mask);
}

/* The segment mask as it is read from c. */
static int mask_of(const struct view *v, uint32_t c)
{
    const unsigned at = has(v, MISTAKE_FIELDS_SWAPPED) ? 0
                        : has(v, MISTAKE_MASK_AT_5)    ? 5
                        : has(v, MISTAKE_MASK_AT_16)   ? 16
                                                       : 8;
    int mask = (int)(c >> at & 31u);
    if (has(v, MISTAKE_WIDTH_IGNORED) || has(v, MISTAKE_C_IGNORED) || has(v, MISTAKE_NO_SEGMENTS) ||
        (has(v, MISTAKE_MASK_IRREGULAR) && !is_of_width(mask)))
        mask = 0;
    if (has(v, MISTAKE_WIDTH_POWER_OF_2))
        mask = 32 - power_of_2(32 - mask);
    if (has(v, MISTAKE_WARP_OF_16) || has(v, MISTAKE_WARP_OF_8))
        mask |= has(v, MISTAKE_WARP_OF_16) ? 16 : 24;
    if (has(v, MISTAKE_WIDTH_32_IS_1) && mask == 0)
        mask = 31;
    if (has(v, MISTAKE_WIDTH_AS_LOG))
        mask = mask <= 27 ? 0 : 32 - (1 << (32 - mask));
    return has(v, MISTAKE_MASK_INVERTED) ? ~mask & 31 : mask;
}

static int64_t clamp_of(const struct view *v, bool up, uint32_t c)
{
    if (has(v, MISTAKE_CLAMP_IGNORED) || has(v, MISTAKE_C_IGNORED))
        return up ? 0 : 31;
    if (has(v, MISTAKE_CLAMP_31) || (has(v, MISTAKE_CLAMP_31_IN_UP) && up))
        return 31;
    if (has(v, MISTAKE_CLAMP_WHOLE_SIGNED))
        return (int32_t)c;
    if (has(v, MISTAKE_CLAMP_WHOLE) || has(v, MISTAKE_CLAMP_8_BITS))
        return c & (has(v, MISTAKE_CLAMP_WHOLE) ? UINT32_MAX : 255u);
    c = (has(v, MISTAKE_FIELDS_SWAPPED) ? c >> 8 : c) & 31u;
    return has(v, MISTAKE_CLAMP_REVERSED) && up ? c ^ 31u : c;
}

/* maxLane. */
static int64_t last_of(const struct view *v, const struct segment *s)
{
    const int64_t within = ~(int64_t)s->mask;
    if (has(v, MISTAKE_CLAMP_ABSOLUTE))
        return s->clamp;
    if (has(v, MISTAKE_LAST_IS_SUM))
        return s->first + s->clamp;
    if (has(v, MISTAKE_LAST_NOT_CUT))
        return s->first | s->clamp;
    if (has(v, MISTAKE_LAST_CUT_BY_MASK))
        return s->first | (s->clamp & s->mask);
    if (has(v, MISTAKE_LAST_OF_MASK))
        return s->mask | s->clamp;
    if (has(v, MISTAKE_LAST_XOR))
        return s->first ^ s->clamp;
    if (has(v, MISTAKE_LAST_FROM_0))
        return s->clamp & within;
    return s->first | (s->clamp & within & (has(v, MISTAKE_WARP_OF_16) || has(v, MISTAKE_WARP_OF_8) ? 31 : -1));
}

static struct segment segment_of(const struct view *v, enum warp_op mode, int lane, uint32_t c)
{
    const bool up = mode == WARP_UP;
    struct segment s = {.mask = mask_of(v, c), .clamp = clamp_of(v, up, c)};
    s.first = lane & s.mask;
    s.last = last_of(v, &s);
    if (has(v, MISTAKE_LAST_BY_NUMBER) && !up && s.last >= lanes_in(v->group))
        s.last = lanes_in(v->group) - 1;
    if (has(v, MISTAKE_WIDTH_FROM_MASK)) {
        const int width = 32 - s.mask;
        s.first = lane / width * width;
        s.mask = ~(width - 1);
        s.last = up ? s.first | s.clamp : s.first + (s.clamp < width ? s.clamp : width - 1);
        if (has(v, MISTAKE_CLAMP_ABSOLUTE))
            s.last = s.clamp;
    }
    return s;
}

static bool in_range(const struct view *v, enum warp_op mode, int64_t j, const struct segment *s)
{
    int64_t x = j, last = s->last;
    if (mode == WARP_UP && has(v, MISTAKE_UP_SEGMENT_START))
        last = s->first;
    if (has(v, MISTAKE_END_EXCLUDED) || has(v, MISTAKE_END_EXCEEDED))
        last += (mode == WARP_UP) == has(v, MISTAKE_END_EXCLUDED) ? 1 : -1;
    if (has(v, MISTAKE_CUT_BEFORE_COMPARE))
        x &= 31;
    if (has(v, MISTAKE_SIGNED_5_BITS)) {
        x = five_bits(x);
        last = five_bits(last);
    }
    if (mode == WARP_BFLY && has(v, MISTAKE_BFLY_OWN_SEGMENT) && (x & s->mask) != s->first)
        return false;
    if ((has(v, MISTAKE_RANGE_BOTH_ENDS) || has(v, MISTAKE_SEGMENT_LEFT_OWN) || has(v, MISTAKE_B_INT_IN_SEGMENT)) &&
        (x < s->first || x > (s->first | (~s->mask & 31))))
        return false;
    if (mode == WARP_DOWN && has(v, MISTAKE_B_OFFSET_32))
        return (uint32_t)(x - s->first) <= (uint32_t)(last - s->first);
    if (has(v, MISTAKE_RANGE_OF_WARP))
        return x >= 0 && x <= 31;
    if (has(v, MISTAKE_ENDS_EXCHANGED))
        return mode == WARP_UP ? x <= (s->first | (~s->mask & 31)) : x >= s->first;
    if (mode == WARP_UP && has(v, MISTAKE_UP_AT_MOST))
        return x <= last;
    if (mode == WARP_IDX && has(v, MISTAKE_IDX_ABSOLUTE))
        return x >= s->first && x <= last;
    if (has(v, MISTAKE_UNSIGNED_COMPARE))
        return mode == WARP_UP ? (uint32_t)x >= (uint32_t)last : (uint32_t)x <= (uint32_t)last;
    return mode == WARP_UP ? x >= last : x <= last;
}

static int64_t idx_source(const struct view *v, int64_t shift, const struct segment *s)
{
    const int64_t within = ~s->mask & 31;
    if (has(v, MISTAKE_IDX_FROM_0) || has(v, MISTAKE_IDX_FIRST))
        return has(v, MISTAKE_IDX_FIRST) ? s->first : shift & within;
    if (has(v, MISTAKE_IDX_CUT_BY_MASK))
        return s->first | (shift & s->mask);
    if (has(v, MISTAKE_IDX_CLAMPED) || has(v, MISTAKE_IDX_CLAMPED_SIGNED) || has(v, MISTAKE_IDX_CLAMPED_5_BITS))
        return s->first + (shift < 0 ? 0 : shift > within ? within : shift);
    if (has(v, MISTAKE_IDX_ABSOLUTE) || has(v, MISTAKE_IDX_ABSOLUTE_END) || has(v, MISTAKE_IDX_UNTESTED))
        return shift;
    if (has(v, MISTAKE_IDX_REMAINDER))
        return s->first + (int32_t)(uint32_t)(uint64_t)shift % (within + 1);
    if (has(v, MISTAKE_IDX_ADDS_IN_WARP))
        return (s->first + shift) & 31;
    if (has(v, MISTAKE_IDX_ORS) || has(v, MISTAKE_IDX_ORS_UNTESTED))
        return s->first | shift;
    return has(v, MISTAKE_IDX_NOT_CUT) ? s->first + shift : s->first | (shift & ~(int64_t)s->mask);
}

/* up and down, which can lead out of the warp. */
static int64_t stopped(const struct view *v, int64_t j)
{
    return !has(v, MISTAKE_STOPS_IN_WARP) ? j : j < 0 ? 0 : j > 31 ? 31 : j;
}

/* Which lane the mode selects, before the range is tested. */
static int64_t selected(const struct view *v, enum warp_op mode, int lane, int64_t shift, const struct segment *s)
{
    if (has(v, MISTAKE_ONE_TOO_FAR) && (mode == WARP_UP || mode == WARP_DOWN))
        shift++;
    switch (mode) {
    case WARP_UP:
        return stopped(v, cut_to_32(v, has(v, MISTAKE_UP_ADDS) ? lane + shift : lane - shift));
    case WARP_DOWN:
        if (has(v, MISTAKE_B_OFFSET_32))
            return (uint32_t)(lane + shift);
        return stopped(v, cut_to_32(v, has(v, MISTAKE_DOWN_SUBTRACTS) ? lane - shift : lane + shift));
    case WARP_BFLY:
        return cut_to_32(v, has(v, MISTAKE_BFLY_ADDS) ? (lane + shift) & 31 : lane ^ shift);
    case WARP_IDX:
        return cut_to_32(v, idx_source(v, shift, s));
    case WARP_OPS_BUT_SHFL:
        break;
    }
    return lane;
}

/* c with the clamp of CUDA's width for `mode`, when it has that of `op`. */
static uint32_t own_clamp(enum warp_op op, enum warp_op mode, uint32_t c)
{
    const uint32_t theirs = op == WARP_UP ? 0 : 31, ours = mode == WARP_UP ? 0 : 31;
    return (c & 31u) == theirs ? (c & ~31u) | ours : c;
}

/* The lane that is read when the source is out of range. *pval: is the predicate true then? */
static int out_of_range(const struct view *v, enum warp_op mode, int lane, int64_t j, const struct segment *s,
                        bool *pval)
{
    *pval = has(v, MISTAKE_WRAPS_IN_SEGMENT) || has(v, MISTAKE_STOPS_AT_EDGE);
    if (has(v, MISTAKE_WRAPS_IN_SEGMENT) || has(v, MISTAKE_OUT_READS_AROUND))
        return s->first | (int)(j & ~s->mask & 31);
    if (has(v, MISTAKE_OUT_READS_FIRST))
        return (int)lanes_lowest(v->group);
    if (has(v, MISTAKE_OUT_READS_LAST))
        return (int)(s->last & 31);
    if (has(v, MISTAKE_OUT_READS_START) || has(v, MISTAKE_OUT_READS_LANE_0))
        return has(v, MISTAKE_OUT_READS_START) ? s->first & 31 : 0;
    if (has(v, MISTAKE_OUT_READS_EDGE) || has(v, MISTAKE_STOPS_AT_EDGE))
        return mode == WARP_UP ? s->first & 31 : (int)(s->last & 31);
    return has(v, MISTAKE_OUT_READS_ON) ? (int)(j & 31) : lane;
}

/* Is the lane's own value given for its b or its segment, whatever is in range? */
static bool gives_own(const struct view *v, enum warp_op mode, uint32_t b, int64_t shift, const struct segment *s)
{
    return (mode == WARP_IDX && (has(v, MISTAKE_IDX_BEYOND_OWN) || has(v, MISTAKE_SEGMENT_LEFT_OWN)) &&
            (shift & s->mask) != 0) ||
           (has(v, MISTAKE_B_BEYOND_OWN) && b > (uint32_t)(~s->mask & 31)) ||
           (has(v, MISTAKE_B_NEGATIVE_OWN) && b >> 31) || (has(v, MISTAKE_WIDTH_32_IS_0) && s->mask == 0) ||
           (has(v, MISTAKE_FULL_MASK_ONLY) && warp_form_is_sync(v->info) && v->c->membermask[v->lane] != UINT32_MAX);
}

/* Is every source lane taken for one that is in range? */
static bool tests_nothing(const struct view *v, enum warp_op mode)
{
    return has(v, MISTAKE_RANGE_NOT_TESTED) || has(v, MISTAKE_RANGE_UNGUARDED) || has(v, MISTAKE_NO_SEGMENTS) ||
           has(v, MISTAKE_SOURCE_IN_SEGMENT) ||
           (mode == WARP_IDX &&
            (has(v, MISTAKE_IDX_ADDS_IN_WARP) || has(v, MISTAKE_IDX_ORS_UNTESTED) || has(v, MISTAKE_IDX_UNTESTED)));
}

/* What a lane reads. */
struct source {
    int lane;      /* after the range test */
    bool pval;     /* it is in range */
    bool anywhere; /* it is one that no warp has */
    bool other;    /* before the test another lane than the own one was selected */
    bool in_warp;  /* some lane of the warp was */
    bool absent;   /* and one that does not take part */
};

static struct source source_of(const struct view *v, int own, uint32_t b, uint32_t c)
{
    const uint8_t as = v->r->order.of[v->info->op - WARP_UP];
    const enum warp_op mode = (enum warp_op)(WARP_UP + (as & 3u));
    int64_t shift = shift_of(v, b);
    const int lane = has(v, MISTAKE_LANE_4_BITS) ? own & 15 : own;
    const int home = mode == WARP_IDX && has(v, MISTAKE_SEGMENT_OF_SOURCE) ? (int)(shift & 31) : lane;
    const struct segment s = segment_of(v, mode, home, as & MODE_OWN_CLAMP ? own_clamp(v->info->op, mode, c) : c);
    struct source source;
    int64_t j;
    if (has(v, MISTAKE_B_MOD_WIDTH))
        shift &= ~s.mask & 31;
    if (has(v, MISTAKE_B_CLAMPED_WIDTH) && shift > (~s.mask & 31))
        shift = ~s.mask & 31;
    if (has(v, MISTAKE_IDX_MOD_NUMBER) && mode == WARP_IDX)
        shift %= lanes_in(v->group);
    j = selected(v, mode, lane, shift, &s);
    source.other = j != lane;
    source.in_warp = j >= 0 && j <= 31;
    source.absent = source.in_warp && !in_mask(v->group, (unsigned)j);
    source.pval = mode == WARP_IDX && has(v, MISTAKE_IDX_TESTS_B)        ? shift <= s.clamp
                  : mode == WARP_IDX && has(v, MISTAKE_IDX_TESTS_B_LAST) ? shift <= s.last
                                                                         : in_range(v, mode, j, &s);
    if (gives_own(v, mode, b, shift, &s))
        source.pval = false;
    if (has(v, MISTAKE_CUT_BEFORE_COMPARE))
        j &= 31;
    if (has(v, MISTAKE_SOURCE_IN_SEGMENT))
        j = s.first | (j & ~s.mask & 31);
    if (tests_nothing(v, mode))
        source.pval = true;
    source.anywhere = (j < 0 || j > 31) && has(v, MISTAKE_READ_BEFORE_TEST);
    if (!source.pval) {
        source.lane = out_of_range(v, mode, own, j, &s, &source.pval);
        return source;
    }
    source.anywhere = (j < 0 || j > 31) && !has(v, MISTAKE_RANGE_NOT_TESTED) && !has(v, MISTAKE_NO_SEGMENTS);
    source.lane = (int)((has(v, MISTAKE_START_FORGOTTEN) ? j - s.first : j) & 31);
    return source;
}

/* The predicate where it depends on what the lane does that is read. Without a membermask its members are the active
 * lanes. */
static bool needs_lane(const struct view *v, bool pval, unsigned lane)
{
    const struct warp_case *const c = v->c;
    const lanemask members = warp_form_is_sync(v->info) ? c->membermask[v->lane] : c->active;
    const struct {
        enum mistake needs, is;
        lanemask lanes;
    } tests[] = {{MISTAKE_P_NEEDS_SOURCE, MISTAKE_P_IS_SOURCE, v->group},
                 {MISTAKE_P_NEEDS_ACTIVE, MISTAKE_P_IS_ACTIVE, c->active},
                 {MISTAKE_P_NEEDS_LIVE, MISTAKE_P_IS_LIVE, ~c->exited},
                 {MISTAKE_P_NEEDS_NOT_GONE, MISTAKE_P_IS_NOT_GONE, ~(members & c->exited)},
                 {MISTAKE_P_NEEDS_MEMBER, MISTAKE_P_IS_MEMBER, members}};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        const bool there = in_mask(tests[i].lanes, lane);
        pval = has(v, tests[i].is) ? there : pval && (there || !has(v, tests[i].needs));
    }
    return pval;
}

static void shfl_predicate(struct view *v, const struct source *source)
{
    const unsigned lane = (unsigned)source->lane;
    v->p = source->pval;
    if (has(v, MISTAKE_P_OF_SOURCE) && source->pval)
        v->p = source_of(v, source->lane, v->c->b[lane], v->c->c[lane]).pval;
    v->p = needs_lane(v, v->p, lane);
    if (has(v, MISTAKE_P_END_EXCLUDED))
        v->p = v->p && source->lane != (int)segment_of(v, v->info->op, (int)v->lane, v->c->c[v->lane]).last;
    if (has(v, MISTAKE_P_NEEDS_SHIFT))
        v->p = v->p && (v->c->b[v->lane] & 31u) != 0;
    if (has(v, MISTAKE_P_STAYS_IN_RANGE) || has(v, MISTAKE_P_SELECTS_OTHER))
        v->p = has(v, MISTAKE_P_SELECTS_OTHER) ? source->other : lane != v->lane;
    if (has(v, MISTAKE_P_IN_WARP))
        v->p = source->in_warp;
    if (has(v, MISTAKE_P_NEVER))
        v->p = false;
    if (has(v, MISTAKE_P_ALWAYS))
        v->p = true;
    if (has(v, MISTAKE_P_INVERTED))
        v->p = !v->p;
}

/* The value that lane `lane` gets, when lanes below it may already have overwritten a. */
static uint32_t in_place_value(const struct view *v, unsigned lane)
{
    const struct source source = source_of(v, (int)lane, v->c->b[lane], v->c->c[lane]);
    const lanemask written = has(v, MISTAKE_IN_PLACE_WARP) ? v->c->active : v->group;
    if (source.pval && source.lane < (int)lane && in_mask(written, (unsigned)source.lane))
        return in_place_value(v, (unsigned)source.lane);
    return v->c->a[source.lane];
}

static void read_shfl_counted(struct view *v)
{
    uint32_t values[WARP_LANES] = {0};
    int counted = 0, mine = 0;
    struct source source;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        if (!in_mask(v->group, other))
            continue;
        mine = other == v->lane ? counted : mine;
        values[counted++] = v->c->a[other];
    }
    source = source_of(v, mine, v->c->b[v->lane], v->c->c[v->lane]);
    v->anything = source.anywhere;
    shfl_predicate(v, &source);
    v->d = values[source.lane];
    v->d_defined = source.lane < counted;
}

/* The n-th lane of the group; the own one where it has fewer. */
static int nth_lane(const struct view *v, int n)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(v->group, other) && n-- == 0)
            return (int)other;
    return (int)v->lane;
}

/* Whose b and c the lane uses. */
static unsigned operands_of(const struct view *v, enum mistake of_first)
{
    if (has(v, MISTAKE_B_OF_LANE_0))
        return 0;
    return has(v, MISTAKE_B_OF_FIRST_LANE) || has(v, of_first) ? lanes_lowest(v->group) : v->lane;
}

/* The lane that is looked up in the membermask is missing there. */
static bool misses_relative(const struct view *v, uint32_t b, uint32_t c)
{
    return v->info->op == WARP_IDX && warp_form_is_sync(v->info) &&
           !in_mask(v->c->membermask[v->lane], b & ~(c >> 8) & 31u);
}

/* The bits that a float register hands on. */
static uint32_t in_float_register(const struct view *v, uint32_t value)
{
    const uint32_t magnitude = value & 0x7fffffffu;
    if (has(v, MISTAKE_VALUE_FLUSHED) && magnitude < 0x00800000u)
        return value & 0x80000000u;
    if (magnitude <= 0x7f800000u)
        return value;
    return has(v, MISTAKE_VALUE_QUIETED)     ? value | 0x00400000u
           : has(v, MISTAKE_VALUE_NAN)       ? CANONICAL_NAN
           : has(v, MISTAKE_VALUE_NAN_QUIET) ? 0x7fc00000u
                                             : value;
}

/* The value as it arrives. */
static uint32_t carried(const struct view *v, uint32_t value)
{
    if (has(v, MISTAKE_VALUE_16_BITS))
        return value & 0xffffu;
    if (has(v, MISTAKE_VALUE_SIGNED_16))
        return value & 0x8000u ? value | 0xffff0000u : value & 0xffffu;
    if (has(v, MISTAKE_VALUE_8_BITS) || has(v, MISTAKE_VALUE_SIGNED_8))
        return has(v, MISTAKE_VALUE_8_BITS) ? value & 0xffu : (uint32_t)(int32_t)signed_bits(value, 8);
    if (has(v, MISTAKE_VALUE_24_BITS))
        return value & 0xffffffu;
    if (has(v, MISTAKE_VALUE_31_BITS))
        return value & 0x7fffffffu;
    if (has(v, MISTAKE_VALUE_TRUTH))
        return value != 0;
    if (has(v, MISTAKE_VALUE_AS_FLOAT) || has(v, MISTAKE_VALUE_AS_FLOAT_WRAPS)) {
        const float rounded = (float)value;
        return rounded < 4294967296.0f ? (uint32_t)rounded : has(v, MISTAKE_VALUE_AS_FLOAT) ? UINT32_MAX : 0;
    }
    if (has(v, MISTAKE_VALUE_AS_SIGNED_FLOAT) || has(v, MISTAKE_VALUE_AS_SIGNED_FLOAT_WRAPS)) {
        const float rounded = (float)(int32_t)value;
        return rounded < 2147483648.0f                       ? (uint32_t)(int32_t)rounded
               : has(v, MISTAKE_VALUE_AS_SIGNED_FLOAT_WRAPS) ? UINT32_C(1) << 31
                                                             : INT32_MAX;
    }
    return in_float_register(v, value);
}

/* Does the shift lead out of the warp? */
static bool leaves_warp(const struct view *v, uint32_t b)
{
    return (v->info->op == WARP_UP && v->lane < (b & 31u)) || (v->info->op == WARP_DOWN && v->lane + (b & 31u) > 31);
}

/* Is 0 given for b, whatever is in range? */
static bool gives_zero(const struct view *v, uint32_t b, uint32_t c)
{
    const uint32_t within = ~(c >> 8) & 31u;
    return (has(v, MISTAKE_B_ABOVE_IS_ZERO) && b > 31) || (has(v, MISTAKE_B_BEYOND_ZERO) && b > within) ||
           (has(v, MISTAKE_IDX_BEYOND_ZERO) && v->info->op == WARP_IDX && (b & ~within & 31u) != 0);
}

/* Do all lanes pass this b to bfly, and the clamp 31? Then it is a step of a warp's reduction, for which compilers have
 * patterns. */
static bool is_step(const struct view *v, uint32_t b)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in_mask(v->c->active, lane) && ((v->c->b[lane] & 31u) != b || (v->c->c[lane] & 31u) != 31u))
            return false;
    return v->info->op == WARP_BFLY;
}

/* The lane that is read where a permutation works on a part of the warp, or by a pattern. */
static int permuted(const struct view *v, int source)
{
    const int part = has(v, MISTAKE_SOURCE_OWN_16)   ? 15
                     : has(v, MISTAKE_SOURCE_OWN_8)  ? 7
                     : has(v, MISTAKE_SOURCE_OWN_4)  ? 3
                     : has(v, MISTAKE_SOURCE_4_BITS) ? 15
                                                     : 31;
    if (has(v, MISTAKE_SOURCE_COUNTED))
        return nth_lane(v, source);
    if (part < 31)
        return (source & part) | (has(v, MISTAKE_SOURCE_4_BITS) ? 0 : (int)v->lane & ~part);
    if (has(v, MISTAKE_BFLY_1_SHIFTED) && is_step(v, 1))
        return (int)((((v->lane + 1) ^ 1u) - 1) & 31u);
    return has(v, MISTAKE_BFLY_16_DROPPED) && is_step(v, 16) ? (int)v->lane : source;
}

static void read_shfl(struct view *v)
{
    const bool exchanged = has(v, MISTAKE_B_AND_C_EXCHANGED);
    const unsigned of_b = operands_of(v, MISTAKE_B_ALONE_OF_FIRST), of_c = operands_of(v, MISTAKE_C_OF_FIRST_LANE);
    const uint32_t b = exchanged ? v->c->c[of_c] : v->c->b[of_b];
    const uint32_t c = exchanged ? v->c->b[of_b] : v->c->c[of_c];
    struct source source;
    if (has(v, MISTAKE_LANE_COUNTED)) {
        read_shfl_counted(v);
        return;
    }
    source = source_of(v, (int)v->lane, b, c);
    v->beyond = source.anywhere && !source.pval;
    v->anything = source.anywhere && source.pval;
    source.lane = permuted(v, source.lane);
    v->d =
        has(v, MISTAKE_IN_PLACE) || has(v, MISTAKE_IN_PLACE_WARP) ? in_place_value(v, v->lane) : v->c->a[source.lane];
    v->d = has(v, MISTAKE_VALUE_IS_LANE) ? (uint32_t)source.lane : carried(v, v->d);
    if (!source.pval && (has(v, MISTAKE_OUT_IS_ZERO) || (has(v, MISTAKE_NO_LANE_IS_ZERO) && leaves_warp(v, b)) ||
                         (has(v, MISTAKE_OUT_ABSENT_IS_ZERO) && source.absent)))
        v->d = 0;
    if (!source.pval && has(v, MISTAKE_OUT_IS_ONES))
        v->d = UINT32_MAX;
    if (gives_zero(v, b, c))
        v->d = 0;
    if (has(v, MISTAKE_IDX_TESTS_RELATIVE) && misses_relative(v, b, c))
        v->d = v->c->a[v->lane];
    if (has(v, MISTAKE_IDX_TESTS_RELATIVE_0) && misses_relative(v, b, c))
        v->d = 0;
    v->d_defined = in_mask(v->group, (unsigned)source.lane) || has(v, MISTAKE_SOURCE_THERE);
    v->waits = (has(v, MISTAKE_ACTIVE_SOURCE_AWAITED) && !in_mask(v->c->active, (unsigned)source.lane)) ||
               (has(v, MISTAKE_SOURCE_AWAITED) && !in_mask(v->group, (unsigned)source.lane));
    shfl_predicate(v, &source);
}

/* --- vote --- */

static bool votes(const struct view *v, unsigned lane)
{
    const bool negated = v->c->negate != 0 && !has(v, MISTAKE_NEGATION_LOST) && !has(v, MISTAKE_NEGATES_RESULT) &&
                         !has(v, MISTAKE_NEGATES_ALL_BITS);
    return (v->c->a[lane] != 0) != negated;
}

static lanemask voters(const struct view *v)
{
    const lanemask own = (lanemask)1 << v->lane;
    lanemask group = v->group;
    if (has(v, MISTAKE_EARLIER_GROUPS_COUNT))
        group |= v->c->active & ((group & (~group + 1u)) - 1u);
    if (has(v, v->info->op == WARP_BALLOT ? MISTAKE_SLOTS_IN_BALLOT : MISTAKE_SLOTS_IN_VOTE) ||
        has(v, MISTAKE_VOTES_OF_ALL_LANES))
        group = UINT32_MAX;
    if (v->info->op == WARP_ANY && has(v, MISTAKE_ANY_OF_OTHERS) && (group & ~own) != 0)
        group &= ~own;
    if (has(v, MISTAKE_VOTE_LOOP_TO_SELF))
        group &= own | (own - 1u);
    if (has(v, MISTAKE_LANE_0_UNSEEN))
        group &= ~(lanemask)1;
    if (has(v, MISTAKE_LANE_31_UNSEEN))
        group &= (lanemask)INT32_MAX;
    return v->info->op == WARP_ANY && has(v, MISTAKE_ANY_WITHOUT_OWN) ? group & ~own : group;
}

static bool uniform_with_lane_0(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && votes(v, other) != votes(v, 0))
            return false;
    return true;
}

static uint32_t counted_bits(lanemask group, lanemask yes)
{
    uint32_t bits = 0;
    unsigned counted = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other))
            bits |= (uint32_t)in_mask(yes, other) << counted++;
    return bits;
}

static uint32_t reversed(lanemask lanes)
{
    uint32_t bits = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        bits |= (uint32_t)in_mask(lanes, other) << (WARP_LANES - 1 - other);
    return bits;
}

static bool uni_votes(const struct view *v, lanemask group, lanemask yes)
{
    if (has(v, MISTAKE_UNI_AGAINST_LANE_0))
        return uniform_with_lane_0(v, group);
    if (has(v, MISTAKE_UNI_IS_NONE))
        return yes == 0;
    if (has(v, MISTAKE_UNI_ALWAYS))
        return true;
    if (has(v, MISTAKE_UNI_IS_ANY))
        return yes != 0;
    if (has(v, MISTAKE_VOTES_COUNT_32) || has(v, MISTAKE_OTHERS_VOTE_TRUE))
        return yes == UINT32_MAX || yes == 0;
    if ((has(v, MISTAKE_EXITED_UNI_FALSE) || has(v, MISTAKE_EXITED_COUNT_FALSE)) &&
        (v->c->membermask[v->lane] & v->c->exited) != 0)
        return yes == 0;
    return yes == group || (yes == 0 && !has(v, MISTAKE_UNI_IS_ALL));
}

static bool all_votes(const struct view *v, lanemask group, lanemask yes)
{
    if (has(v, MISTAKE_ALL_IS_ANY) || has(v, MISTAKE_ALL_AND_ANY))
        return yes != 0;
    if (has(v, MISTAKE_ALL_IS_UNI) && yes == 0)
        return true;
    if ((has(v, MISTAKE_EXITED_VOTE_FALSE) || has(v, MISTAKE_EXITED_COUNT_FALSE)) &&
        (v->c->membermask[v->lane] & v->c->exited) != 0)
        return false;
    if (has(v, MISTAKE_ALL_COUNTS_64))
        return false;
    return yes == (has(v, MISTAKE_ALL_COUNTS_32) || has(v, MISTAKE_VOTES_COUNT_32) ? UINT32_MAX : group);
}

/* Results that combine nothing, or reach one lane alone. */
static void vote_elsewhere(struct view *v, lanemask group)
{
    const unsigned first = lanes_lowest(group);
    if (has(v, MISTAKE_VOTE_IS_OWN) || has(v, MISTAKE_VOTE_IS_FIRST)) {
        v->p = votes(v, has(v, MISTAKE_VOTE_IS_OWN) ? v->lane : first);
        v->d = v->p;
    }
    if (has(v, MISTAKE_VOTE_TO_FIRST) && v->lane != first) {
        v->p = false;
        v->d = 0;
    }
}

static void vote_constants(struct view *v)
{
    v->p = (v->p && !has(v, MISTAKE_VOTE_NEVER)) || has(v, MISTAKE_VOTE_ALWAYS);
    if (has(v, MISTAKE_BALLOT_NEVER))
        v->d = 0;
}

static uint32_t ballot_of(const struct view *v, lanemask group, lanemask yes)
{
    const lanemask own = (lanemask)1 << v->lane;
    const bool sync = warp_form_is_sync(v->info);
    if (has(v, MISTAKE_BALLOT_GROUP))
        return yes != 0 ? group : 0;
    if (has(v, MISTAKE_BALLOT_31_BITS))
        yes &= (lanemask)INT32_MAX;
    if (has(v, MISTAKE_BALLOT_16_BITS))
        yes &= 0xffffu;
    if (has(v, MISTAKE_BALLOT_UP_TO_SELF) || has(v, MISTAKE_BALLOT_OWN_BIT))
        return yes & (own | (has(v, MISTAKE_BALLOT_OWN_BIT) ? 0 : own - 1u));
    if (has(v, MISTAKE_BALLOT_INVERTED))
        return ~yes;
    if (has(v, MISTAKE_BALLOT_OTHERS_SET) && sync)
        return yes | ~v->c->membermask[v->lane];
    if (has(v, MISTAKE_BALLOT_FROM_MASK) && sync)
        return yes >> lanes_lowest(v->c->membermask[v->lane]);
    if (has(v, MISTAKE_BALLOT_IS_ANY))
        return yes != 0;
    return has(v, MISTAKE_BALLOT_COUNTED)      ? counted_bits(group, yes)
           : has(v, MISTAKE_BALLOT_REVERSED)   ? reversed(yes)
           : has(v, MISTAKE_BALLOT_BELOW)      ? yes & (((lanemask)1 << v->lane) - 1u)
           : has(v, MISTAKE_BALLOT_NUMBER)     ? lanes_in(yes)
           : has(v, MISTAKE_BALLOT_FROM_FIRST) ? yes >> lanes_lowest(group)
                                               : yes;
}

/* The lanes whose votes are counted. */
static lanemask heard(const struct view *v, lanemask group)
{
    if (has(v, MISTAKE_ALL_BITS_VOTE))
        return UINT32_MAX;
    return has(v, MISTAKE_EXITED_BITS_VOTE) && warp_form_is_sync(v->info)
               ? group | (v->c->membermask[v->lane] & v->c->exited)
               : group;
}

static void read_vote(struct view *v)
{
    const lanemask group = voters(v);
    lanemask yes = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(heard(v, group), other) && votes(v, other))
            yes |= (lanemask)1 << other;
    if (has(v, MISTAKE_VOTES_16_BITS))
        yes &= 0xffffu;
    if (has(v, MISTAKE_OTHERS_VOTE_TRUE) && v->info->op != WARP_ALL)
        yes |= ~group;
    if (has(v, MISTAKE_VOTES_SO_FAR))
        yes &= UINT32_MAX >> (WARP_LANES - 1 - v->lane);
    switch (v->info->op) {
    case WARP_ALL:
        v->p = all_votes(v, group, yes);
        break;
    case WARP_ANY:
        v->p = has(v, MISTAKE_ANY_IS_ALL) || has(v, MISTAKE_ALL_AND_ANY) ? yes == group
               : has(v, MISTAKE_ANY_SIGNED)                              ? (int32_t)yes > 0
               : has(v, MISTAKE_ANY_PARITY)                              ? lanes_in(yes) % 2 != 0
                                                                         : yes != 0;
        break;
    case WARP_UNI:
        v->p = uni_votes(v, group, yes);
        break;
    case WARP_BALLOT:
        v->d = ballot_of(v, group, yes);
        break;
    case WARP_OPS_BUT_VOTE:
        break;
    }
    if (has(v, MISTAKE_NEGATES_RESULT) && v->c->negate != 0) {
        v->p = !v->p;
        v->d = ~v->d & group;
    }
    if (has(v, MISTAKE_NEGATES_ALL_BITS) && v->c->negate != 0) {
        v->p = !v->p;
        v->d = ~v->d;
    }
    if (has(v, MISTAKE_VOTE_INVERTED)) {
        v->p = !v->p;
        v->d = ~v->d & group;
    }
    vote_elsewhere(v, group);
    vote_constants(v);
}

/* --- match --- */

static bool equal_floats(uint32_t x, uint32_t y)
{
    const bool nan = (x & 0x7fffffffu) > 0x7f800000u || (y & 0x7fffffffu) > 0x7f800000u;
    return !nan && (x == y || ((x | y) & 0x7fffffffu) == 0);
}

static bool equal_doubles(uint64_t x, uint64_t y)
{
    const uint64_t infinity = UINT64_C(0x7ff0000000000000), magnitude = UINT64_C(0x7fffffffffffffff);
    return (x & magnitude) <= infinity && (y & magnitude) <= infinity && (x == y || ((x | y) & magnitude) == 0);
}

static bool equal_values(const struct view *v, unsigned x, unsigned y)
{
    const struct warp_case *const c = v->c;
    const bool wide = v->info->type == WARP_B64;
    const uint32_t low = has(v, MISTAKE_MATCH_16_BITS) ? 0xffffu : UINT32_MAX;
    if (has(v, MISTAKE_MATCH_8_BITS))
        return ((c->a[x] ^ c->a[y]) & 0xffu) == 0;
    if (has(v, MISTAKE_MATCH_LOW_16))
        return ((c->a[x] ^ c->a[y]) & 0xffffu) == 0;
    if (has(v, MISTAKE_MATCH_BIT_0))
        return (c->a[x] ^ c->a[y]) <= 1u && c->a_high[x] == c->a_high[y];
    if (has(v, MISTAKE_MATCH_BIT_31))
        return ((c->a[x] ^ c->a[y]) & 0x7fffffffu) == 0 && c->a_high[x] == c->a_high[y];
    if (wide && has(v, MISTAKE_MATCH_BIT_63))
        return c->a[x] == c->a[y] && ((c->a_high[x] ^ c->a_high[y]) & 0x7fffffffu) == 0;
    if (!wide && has(v, MISTAKE_MATCH_31_BITS))
        return ((c->a[x] ^ c->a[y]) & 0x7fffffffu) == 0;
    if (has(v, MISTAKE_MATCH_ROUNDED_FLOAT))
        return (float)warp_case_a64(c, x) == (float)warp_case_a64(c, y);
    if (wide && has(v, MISTAKE_MATCH_ROUNDED))
        return (double)warp_case_a64(c, x) == (double)warp_case_a64(c, y);
    if (wide && (has(v, MISTAKE_MATCH_DOUBLE) || has(v, MISTAKE_MATCH_FLOATS)))
        return equal_doubles(warp_case_a64(c, x), warp_case_a64(c, y));
    if (!wide && (has(v, MISTAKE_MATCH_FLOAT) || has(v, MISTAKE_MATCH_FLOATS)))
        return equal_floats(c->a[x], c->a[y]);
    if (wide && has(v, MISTAKE_MATCH_LOW_HALF))
        return c->a[x] == c->a[y];
    if (wide && has(v, MISTAKE_MATCH_HIGH_HALF))
        return c->a_high[x] == c->a_high[y];
    if (wide && has(v, MISTAKE_MATCH_HASHED))
        return (c->a[x] ^ c->a_high[x]) == (c->a[y] ^ c->a_high[y]);
    if (wide && has(v, MISTAKE_MATCH_SUMMED))
        return c->a[x] + c->a_high[x] == c->a[y] + c->a_high[y];
    if (wide && has(v, MISTAKE_MATCH_EITHER_HALF))
        return c->a[x] == c->a[y] || c->a_high[x] == c->a_high[y];
    return ((c->a[x] ^ c->a[y]) & low) == 0 && c->a_high[x] == c->a_high[y];
}

/* The lanes of `same` that stand next to each other and to the own one. */
static lanemask run_of(const struct view *v, lanemask same)
{
    lanemask run = same & ((lanemask)1 << v->lane);
    for (unsigned i = 0; i < WARP_LANES; i++)
        run |= (run << 1 | run >> 1) & same;
    return run;
}

static bool has_lowest_value(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && warp_case_a64(v->c, other) < warp_case_a64(v->c, v->lane))
            return false;
    return true;
}

/* The bits that match.any gives of the lanes with the same value. */
static uint32_t any_told(const struct view *v, lanemask group, lanemask same)
{
    if (has(v, MISTAKE_MATCH_NEVER) || (has(v, MISTAKE_MATCH_OF_LOWEST) && !has_lowest_value(v, group)))
        return 0;
    if (has(v, MISTAKE_MATCH_RUN))
        return run_of(v, same);
    if (has(v, MISTAKE_MATCH_OTHERS))
        return group & ~same;
    if (has(v, MISTAKE_MATCH_NUMBER) || has(v, MISTAKE_MATCH_LEADER_LANE))
        return has(v, MISTAKE_MATCH_NUMBER) ? lanes_in(same) : lanes_lowest(same);
    return has(v, MISTAKE_MATCH_LEADER) ? same & (~same + 1u) : same;
}

/* Does a lane of the group hold what is no number as a float of its width? */
static bool has_nan(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint64_t x = warp_case_a64(v->c, other);
        if (in_mask(group, other) &&
            !(v->info->type == WARP_B64 ? equal_doubles(x, x) : equal_floats((uint32_t)x, (uint32_t)x)))
            return true;
    }
    return false;
}

static void match_predicate(struct view *v)
{
    if (has(v, MISTAKE_MATCH_P_INVERTED))
        v->p = !v->p;
    v->p = (v->p && !has(v, MISTAKE_MATCH_P_NEVER)) || has(v, MISTAKE_MATCH_P_ALWAYS);
}

static void read_match(struct view *v)
{
    const bool any = v->info->op == WARP_ANY;
    const bool every =
        has(v, MISTAKE_MATCH_IN_ALL_LANES) || has(v, any ? MISTAKE_MATCH_ALL_LANES : MISTAKE_MATCH_ALL_EVERY_LANE);
    const lanemask group = every ? UINT32_MAX : v->group;
    lanemask same = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && equal_values(v, v->lane, other))
            same |= (lanemask)1 << other;
    v->endless = has(v, MISTAKE_MATCH_NAN_LOOPS) && has_nan(v, group);
    if (has(v, MISTAKE_MATCH_SELF_UNSEEN))
        same &= ~((lanemask)1 << v->lane);
    if (has(v, MISTAKE_MATCH_LOOP_TO_SELF))
        same &= ((((lanemask)1 << v->lane) - 1u) | (lanemask)1 << v->lane);
    if (any) {
        v->d = has(v, MISTAKE_MATCH_WITHOUT_SELF) ? same & ~((lanemask)1 << v->lane) : any_told(v, group, same);
        if (has(v, MISTAKE_MATCH_UP_TO_SELF))
            v->d = same & ((((lanemask)1 << v->lane) - 1u) | (lanemask)1 << v->lane);
        if (has(v, MISTAKE_MATCH_OF_FIRST) && !equal_values(v, v->lane, lanes_lowest(group)))
            v->d = 0;
        if (has(v, MISTAKE_MATCH_COUNTED))
            v->d = counted_bits(group, same);
        if (has(v, MISTAKE_MATCH_ANY_AS_ALL) && same != group)
            v->d = 0;
        return;
    }
    v->p = same == group;
    if (has(v, MISTAKE_MATCH_ALL_OF_ENDS))
        v->p = equal_values(v, lanes_lowest(group), highest(group));
    if (has(v, MISTAKE_MATCH_AGAINST_LANE_0))
        v->p = v->p && equal_values(v, v->lane, 0);
    if (has(v, MISTAKE_MATCH_LOW_AGAINST_LANE_0))
        v->p = v->p && v->c->a[v->lane] == v->c->a[0];
    if (has(v, MISTAKE_MATCH_SELF_LANE_0) || has(v, MISTAKE_MATCH_SELF_FIRST))
        v->p = equal_values(v, v->lane, has(v, MISTAKE_MATCH_SELF_FIRST) ? lanes_lowest(group) : 0);
    if (has(v, MISTAKE_MATCH_EXITED_FALSE))
        v->p = v->p && (v->c->membermask[v->lane] & v->c->exited) == 0;
    v->d = v->p || has(v, MISTAKE_MATCH_GROUP_ALWAYS) ? group
           : has(v, MISTAKE_MATCH_ALL_AS_ANY)         ? same
           : has(v, MISTAKE_MATCH_OWN_BIT)            ? (lanemask)1 << v->lane
                                                      : 0;
    if (v->d == group && (has(v, MISTAKE_MATCH_FULL) || has(v, MISTAKE_MATCH_IS_1)))
        v->d = has(v, MISTAKE_MATCH_FULL) ? UINT32_MAX : 1;
    if (has(v, MISTAKE_MATCH_NEVER))
        v->d = 0;
    if (v->d == group && has(v, MISTAKE_MATCH_GIVES_MASK))
        v->d = v->c->membermask[v->lane];
    if (has(v, MISTAKE_MATCH_SINK_P) && v->c->dst == WARP_DST_SINK_P)
        v->p = !v->p;
    match_predicate(v);
}

/* --- redux --- */

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

static int64_t order_of(const struct view *v, uint32_t x)
{
    const int64_t magnitude = (int64_t)(x & 0x7fffffffu);
    if (v->info->type == WARP_F32) {
        if (has(v, MISTAKE_FLOAT_AS_INTEGER))
            return (int32_t)x;
        if (has(v, MISTAKE_ZEROS_EQUAL) || has(v, MISTAKE_ZEROS_LAST))
            return x >> 31 ? -magnitude : magnitude;
        return x >> 31 ? -magnitude - 1 : magnitude;
    }
    if ((v->info->type == WARP_S32 && !has(v, MISTAKE_SIGN_IGNORED)) || has(v, MISTAKE_SIGN_ASSUMED))
        return (int32_t)x;
    return x;
}

static uint32_t bitwise(const struct view *v, uint32_t x, uint32_t y)
{
    switch (v->info->op) {
    case WARP_AND:
        return (has(v, MISTAKE_LOGICAL) || has(v, MISTAKE_LOGICAL_FROM_OWN))   ? x && y
               : has(v, MISTAKE_AND_AS_OR) || has(v, MISTAKE_AND_OR_EXCHANGED) ? x | y
               : has(v, MISTAKE_AND_AS_XOR)                                    ? x ^ y
               : has(v, MISTAKE_AND_AS_MIN)                                    ? (x < y ? x : y)
                                                                               : x & y;
    case WARP_OR:
        return (has(v, MISTAKE_LOGICAL) || has(v, MISTAKE_LOGICAL_FROM_OWN))   ? x || y
               : has(v, MISTAKE_OR_AS_XOR)                                     ? x ^ y
               : has(v, MISTAKE_OR_AS_AND) || has(v, MISTAKE_AND_OR_EXCHANGED) ? x & y
               : has(v, MISTAKE_OR_AS_ADD)                                     ? x + y
               : has(v, MISTAKE_OR_AS_MAX)                                     ? (x > y ? x : y)
                                                                               : x | y;
    case WARP_XOR:
    case WARP_OPS_BUT_REDUX:
    case WARP_ADD:
    case WARP_MIN:
    case WARP_MAX:
        break;
    }
    return (has(v, MISTAKE_LOGICAL) || has(v, MISTAKE_LOGICAL_FROM_OWN)) ? x != y
           : has(v, MISTAKE_XOR_AS_OR)                                   ? x | y
           : has(v, MISTAKE_XOR_AS_AND)                                  ? x & y
           : has(v, MISTAKE_XOR_AS_ADD)                                  ? x + y
                                                                         : x ^ y;
}

/* The sign of x - y, or of y - x the other way round, which differ where the difference is that of 2^31. */
static bool is_less_by_difference(const struct view *v, uint32_t x, uint32_t y)
{
    const bool turned = has(v, v->info->op == WARP_MAX ? MISTAKE_DIFFERENCE_OF_VALUE : MISTAKE_DIFFERENCE_OF_RESULT);
    return turned ? (int32_t)(y - x) > 0 : (int32_t)(x - y) < 0;
}

/* Is x less than y, as min and max compare? */
static bool is_less(const struct view *v, uint32_t x, uint32_t y)
{
    if ((has(v, MISTAKE_COMPARED_BY_DIFFERENCE) || has(v, MISTAKE_DIFFERENCE_FROM_OWN) ||
         has(v, MISTAKE_DIFFERENCE_OF_VALUE) || has(v, MISTAKE_DIFFERENCE_OF_RESULT)) &&
        v->info->type != WARP_F32)
        return is_less_by_difference(v, x, y);
    if (has(v, MISTAKE_COMPARED_AS_FLOAT) && v->info->type != WARP_F32)
        return (float)order_of(v, x) < (float)order_of(v, y);
    return order_of(v, x) < order_of(v, y);
}

static uint32_t saturated(int64_t sum)
{
    return (uint32_t)(int32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

static uint32_t float_addition(const struct view *v, uint32_t x, uint32_t y)
{
    return v->info->type == WARP_S32 ? (uint32_t)(uint64_t)(int64_t)((float)(int32_t)x + (float)(int32_t)y)
                                     : (uint32_t)(uint64_t)(int64_t)((float)x + (float)y);
}

static uint32_t combine(const struct view *v, uint32_t x, uint32_t y)
{
    const bool exchanged = has(v, MISTAKE_MIN_AS_MAX);
    if (has(v, MISTAKE_ZEROS_LAST) && v->info->type == WARP_F32 && order_of(v, x) == order_of(v, y))
        return y;
    switch (v->info->op) {
    case WARP_ADD:
        if (has(v, MISTAKE_ADD_SATURATES_STEPWISE) && v->info->type == WARP_S32)
            return saturated((int64_t)(int32_t)x + (int32_t)y);
        if (has(v, MISTAKE_ADD_16_BITS))
            return (x + y) & 0xffffu;
        if (has(v, MISTAKE_ADD_AS_FLOAT_STEPWISE))
            return float_addition(v, x, y);
        return has(v, MISTAKE_ADD_AS_XOR) ? x ^ y : has(v, MISTAKE_ADD_AS_OR) ? x | y : x + y;
    case WARP_AND:
    case WARP_OR:
    case WARP_XOR:
        return bitwise(v, x, y);
    case WARP_MIN:
        return (exchanged ? is_less(v, x, y) : is_less(v, y, x)) ? y : x;
    case WARP_MAX:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return (exchanged ? is_less(v, y, x) : is_less(v, x, y)) ? y : x;
}

/* The input of a lane, after .abs. */
static uint32_t input_of(const struct view *v, unsigned lane)
{
    const unsigned of = has(v, MISTAKE_COUNTED_FROM_1) ? (lane + 1) % WARP_LANES : lane;
    uint32_t x = has(v, MISTAKE_REDUX_SWAPPED) ? v->c->membermask[lane] : v->c->a[of];
    if (has(v, MISTAKE_INPUT_16_BITS) || has(v, MISTAKE_INPUT_SIGNED_16))
        return has(v, MISTAKE_INPUT_16_BITS) ? x & 0xffffu : (uint32_t)(int32_t)signed_bits(x, 16);
    if (has(v, MISTAKE_LOGICAL_INPUTS) && v->info->type == WARP_B32)
        return x != 0;
    if (v->info->type != WARP_F32)
        return has(v, MISTAKE_VALUES_ABSOLUTE) && x >> 31 ? ~x + 1u : x;
    if (has(v, MISTAKE_SUBNORMALS_FLUSHED) && (x & 0x7f800000u) == 0)
        x &= 0x80000000u;
    if (has(v, MISTAKE_ABS_ALWAYS))
        return x & 0x7fffffffu;
    return v->info->abs && !has(v, MISTAKE_ABS_IGNORED) && !has(v, MISTAKE_ABS_OF_RESULT) ? x & 0x7fffffffu : x;
}

static uint32_t infinity_of(const struct view *v)
{
    return v->info->op == WARP_MIN ? 0x7f800000u : 0xff800000u;
}

/* The first NaN that the group passes. */
static uint32_t first_nan(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && is_nan(v->c->a[other]))
            return input_of(v, other);
    return CANONICAL_NAN;
}

/* The result where it is NaN; `all`: every input is. */
static uint32_t nan_result(const struct view *v, lanemask group, bool all)
{
    const uint32_t first = v->c->a[lanes_lowest(group)];
    if (all && has(v, MISTAKE_NAN_INFINITY) && (!v->info->nan || has(v, MISTAKE_NAN_NOT_RAISED)))
        return infinity_of(v);
    if (v->info->nan && has(v, MISTAKE_NAN_PASSED))
        return first_nan(v, group);
    if (all && has(v, MISTAKE_NAN_OF_FIRST))
        return first;
    if (has(v, MISTAKE_NAN_KEPT) && is_nan(first))
        return first | 0x00400000u;
    return has(v, MISTAKE_NAN_7FC00000) ? 0x7fc00000u : CANONICAL_NAN;
}

static uint32_t saturated_sum(const struct view *v, lanemask group)
{
    int64_t sum = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        sum += in_mask(group, other) ? (int32_t)input_of(v, other) : 0;
    return saturated(sum);
}

static uint32_t saturated_unsigned_sum(const struct view *v, lanemask group)
{
    uint64_t sum = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        sum += in_mask(group, other) ? input_of(v, other) : 0;
    return sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

/* The sum in float, one lane after another, as a 32-bit number. */
static uint32_t float_sum(const struct view *v, lanemask group)
{
    float sum = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other))
            sum += v->info->type == WARP_S32 ? (float)(int32_t)input_of(v, other) : (float)input_of(v, other);
    return (uint32_t)(uint64_t)(int64_t)sum;
}

/* A tree downwards, whose result in one lane all lanes get. */
static bool is_tree_for_all(const struct view *v)
{
    return has(v, MISTAKE_TREE_DOWN_OF_LANE_0) || has(v, MISTAKE_TREE_DOWN_OF_FIRST);
}

static bool is_tree(const struct view *v)
{
    return has(v, MISTAKE_TREE_OF_FULL_WARP) || has(v, MISTAKE_TREE_SKIPS) || has(v, MISTAKE_TREE_DOWN) ||
           has(v, MISTAKE_TREE_DOWN_SKIPS) || has(v, MISTAKE_TREE_ZEROS) || has(v, MISTAKE_TREE_DOWN_ZEROS) ||
           is_tree_for_all(v);
}

static uint32_t tree(const struct view *v, lanemask group)
{
    const bool down = has(v, MISTAKE_TREE_DOWN) || has(v, MISTAKE_TREE_DOWN_SKIPS) || has(v, MISTAKE_TREE_DOWN_ZEROS) ||
                      is_tree_for_all(v);
    const bool zeros = has(v, MISTAKE_TREE_ZEROS) || has(v, MISTAKE_TREE_DOWN_ZEROS);
    const bool skips = has(v, MISTAKE_TREE_SKIPS) || has(v, MISTAKE_TREE_DOWN_SKIPS);
    uint32_t values[WARP_LANES], next[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++)
        values[i] = input_of(v, i);
    for (unsigned step = WARP_LANES / 2; step > 0; step /= 2) {
        for (unsigned i = 0; i < WARP_LANES; i++) {
            const unsigned partner = down ? i + step : i ^ step;
            const bool there = partner < WARP_LANES && in_mask(group, partner);
            next[i] =
                !there && skips ? values[i] : combine(v, values[i], !there && zeros ? 0 : values[there ? partner : i]);
        }
        memcpy(values, next, sizeof values);
    }
    return values[has(v, MISTAKE_TREE_DOWN_OF_LANE_0)  ? 0
                  : has(v, MISTAKE_TREE_DOWN_OF_FIRST) ? lanes_lowest(v->group)
                                                       : v->lane];
}

/* Floats one after another by < or > alone, which no NaN is. */
static uint32_t naive(const struct view *v, lanemask group)
{
    bool found = false;
    uint32_t d = 0;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint32_t x = input_of(v, other);
        bool nan, less;
        if (!in_mask(group, other))
            continue;
        nan = is_nan(x) || is_nan(d);
        less = (v->info->op == WARP_MIN) == (order_of(v, x) < order_of(v, d)) && order_of(v, x) != order_of(v, d);
        less = less && ((x | d) & 0x7fffffffu) != 0; /* +0 is not less than -0 */
        if (!found || (nan ? has(v, MISTAKE_NAN_LAST_TAKES) : less))
            d = x;
        found = true;
    }
    return d;
}

/* Floats one after another by fminf or fmaxf: a number is preferred to a NaN, but a signalling NaN gives a quiet one.
 */
static uint32_t by_library(const struct view *v, lanemask group)
{
    bool found = has(v, MISTAKE_FMIN_FROM_INFINITY);
    uint32_t d = found ? infinity_of(v) : 0;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint32_t x = input_of(v, other);
        const int64_t x_order = order_of(v, x), d_order = order_of(v, d);
        const bool less = v->info->op == WARP_MIN ? x_order < d_order : d_order < x_order;
        if (!in_mask(group, other))
            continue;
        if (!found)
            d = x;
        else if (is_nan(x) && (is_nan(d) || (x & 0x00400000u) == 0))
            d = x | 0x00400000u;
        else if (!is_nan(x) && (is_nan(d) || (less && ((x | d) & 0x7fffffffu) != 0)))
            d = x;
        found = true;
    }
    return d;
}

/* The i-th lane that a loop over the warp looks at: the own one first, where it begins with the own value. */
static unsigned looped(const struct view *v, unsigned i)
{
    if (!has(v, MISTAKE_LOGICAL_FROM_OWN) && !has(v, MISTAKE_DIFFERENCE_FROM_OWN))
        return i;
    return i == 0 ? v->lane : i <= v->lane ? i - 1 : i;
}

/* What the operation of no lane is. */
static uint32_t identity_of(const struct view *v)
{
    const bool is_min = v->info->op == WARP_MIN, is_max = v->info->op == WARP_MAX;
    if (v->info->type == WARP_F32)
        return v->info->nan ? infinity_of(v) : CANONICAL_NAN;
    if (v->info->type == WARP_S32 && (is_min || is_max))
        return is_min ? INT32_MAX : UINT32_C(1) << 31;
    return is_min || v->info->op == WARP_AND ? UINT32_MAX : 0;
}

/* The result of the loop, with what it starts from. */
static uint32_t started(const struct view *v, uint32_t d)
{
    const bool is_min = v->info->op == WARP_MIN, is_max = v->info->op == WARP_MAX;
    if (has(v, MISTAKE_STARTS_SIGNED) && v->info->type == WARP_U32 && (is_min || is_max))
        return combine(v, is_min ? INT32_MAX : UINT32_C(1) << 31, d);
    if (has(v, MISTAKE_STARTS_UNSIGNED) && v->info->type == WARP_S32 && (is_min || is_max))
        return combine(v, is_min ? UINT32_MAX : 0, d);
    if (has(v, MISTAKE_STARTS_AT_LANE_0) && v->info->type != WARP_F32 && !in_mask(v->group, 0))
        return combine(v, input_of(v, 0), d);
    return has(v, MISTAKE_STARTS_AT_ZERO) && v->info->type != WARP_F32 ? combine(v, 0, d) : d;
}

/* The reduction of the group one lane after another. */
static uint32_t chain(const struct view *v, lanemask group)
{
    const bool is_float = v->info->type == WARP_F32, skips = !v->info->nan || has(v, MISTAKE_NAN_NOT_RAISED);
    const bool from_infinity = is_float && has(v, MISTAKE_NAN_SKIPPED);
    bool found = from_infinity || (is_float && has(v, MISTAKE_STARTS_AT_ZERO)), uniform = true, nan = false;
    uint32_t d = from_infinity ? infinity_of(v) : 0, first = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const unsigned other = looped(v, i);
        const uint32_t x = input_of(v, other);
        if (!in_mask(group, other))
            continue;
        if (is_float && is_nan(x)) {
            nan = true;
            continue;
        }
        uniform = uniform && (!found || x == first);
        first = found ? first : x;
        d = found ? combine(v, d, x) : x;
        found = true;
    }
    if (nan && !from_infinity && (!found || !skips || has(v, MISTAKE_NAN_RAISED)))
        return nan_result(v, group, !found);
    if (has(v, MISTAKE_UNIFORM_FOLDED) && uniform && (v->info->op == WARP_ADD || v->info->op == WARP_XOR))
        return first;
    return started(v, d);
}

/* The lanes that the lane reduces. */
static lanemask reduced_lanes(const struct view *v)
{
    const lanemask own = (lanemask)1 << v->lane, below = own | (own - 1);
    lanemask group = v->group;
    if (has(v, MISTAKE_REDUX_SWAPPED) && (v->c->a[v->lane] & group) != 0)
        group &= v->c->a[v->lane];
    if (has(v, MISTAKE_REDUX_ALL_LANES))
        group = UINT32_MAX;
    if (has(v, MISTAKE_REDUX_PREFIX))
        group &= below;
    if (has(v, MISTAKE_REDUX_SUFFIX))
        group &= ~below | own;
    if (has(v, MISTAKE_REDUX_EXCLUSIVE))
        group &= below & ~own;
    if (has(v, MISTAKE_REDUX_OWN))
        group = own;
    if (has(v, MISTAKE_REDUX_FIRST_VALUE) || has(v, MISTAKE_REDUX_LAST_VALUE))
        group &= (lanemask)1 << (has(v, MISTAKE_REDUX_LAST_VALUE) ? highest(group) : lanes_lowest(group));
    if (has(v, MISTAKE_REDUX_WITHOUT_SELF) && (group & ~own) != 0)
        group &= ~own;
    if (has(v, MISTAKE_LANE_0_UNSEEN) || has(v, MISTAKE_LANE_0_IDENTITY))
        group &= ~(lanemask)1;
    if (has(v, MISTAKE_LANE_31_UNSEEN) || has(v, MISTAKE_LANE_31_IDENTITY))
        group &= (lanemask)INT32_MAX;
    return group;
}

/* Are lanes that give no value reduced as 0? */
static bool adds_zero(const struct view *v)
{
    return (has(v, MISTAKE_OTHERS_ARE_ZERO) && v->group != UINT32_MAX) ||
           (has(v, MISTAKE_EXITED_ARE_ZERO) && (v->c->membermask[v->lane] & v->c->exited) != 0);
}

/* What the lane gets of the result in v->d. */
static uint32_t redux_told(const struct view *v, lanemask group)
{
    const uint32_t own = input_of(v, v->lane);
    if (has(v, MISTAKE_REDUX_NEVER) || (has(v, MISTAKE_REDUX_TO_FIRST) && v->lane != lanes_lowest(group)) ||
        (has(v, MISTAKE_REDUX_TO_LANE_0) && v->lane != 0))
        return 0;
    if ((has(v, MISTAKE_REDUX_LANE_0_ONLY) && v->lane != 0) ||
        (has(v, MISTAKE_REDUX_FIRST_ONLY) && v->lane != lanes_lowest(v->group)) ||
        (has(v, MISTAKE_REDUX_LAST_ONLY) && v->lane < highest(v->group)))
        return own;
    if (v->info->op == WARP_ADD && has(v, MISTAKE_ADD_TIMES))
        return own * lanes_in(group);
    if (has(v, MISTAKE_OWN_TWICE) && v->info->type != WARP_F32)
        return combine(v, v->d, own);
    return v->info->op == WARP_ADD && has(v, MISTAKE_ADD_OWN_TWICE) ? v->d + own : v->d;
}

static void read_redux(struct view *v)
{
    const lanemask group = reduced_lanes(v);
    const bool is_float = v->info->type == WARP_F32;
    /* Behind lane 31 there is no value. With all lanes that would leave every answer open. */
    v->anything = has(v, MISTAKE_COUNTED_FROM_1) && !has(v, MISTAKE_REDUX_ALL_LANES) && in_mask(group, WARP_LANES - 1);
    if (group == 0 && (has(v, MISTAKE_LANE_0_IDENTITY) || has(v, MISTAKE_LANE_31_IDENTITY)))
        v->d = identity_of(v);
    else if (is_tree(v) && !is_float)
        v->d = tree(v, group);
    else if (has(v, MISTAKE_ADD_AS_FLOAT) && v->info->op == WARP_ADD)
        v->d = float_sum(v, group);
    else if (has(v, MISTAKE_ADD_SATURATES) && v->info->op == WARP_ADD && v->info->type == WARP_S32)
        v->d = saturated_sum(v, group);
    else if (has(v, MISTAKE_ADD_SATURATES_U32) && v->info->op == WARP_ADD && v->info->type == WARP_U32)
        v->d = saturated_unsigned_sum(v, group);
    else if (is_float && (has(v, MISTAKE_NAN_FIRST_STAYS) || has(v, MISTAKE_NAN_LAST_TAKES)))
        v->d = naive(v, group);
    else if (is_float && (has(v, MISTAKE_FMIN_FROM_INFINITY) || has(v, MISTAKE_FMIN_FROM_FIRST)))
        v->d = by_library(v, group);
    else
        v->d = chain(v, group);
    if (adds_zero(v))
        v->d = is_nan(v->d) && is_float ? 0 : combine(v, v->d, 0);
    if (has(v, MISTAKE_ABS_OF_RESULT) && v->info->abs)
        v->d &= 0x7fffffffu;
    v->d = carried(v, redux_told(v, group));
}

/* --- the case --- */

static void read_activemask(struct view *v)
{
    const lanemask active = v->c->active, own = (lanemask)1 << v->lane;
    v->d = has(v, MISTAKE_ACTIVEMASK_FULL)         ? UINT32_MAX
           : has(v, MISTAKE_ACTIVEMASK_NOT_EXITED) ? ~v->c->exited
                                                   : active;
    if (has(v, MISTAKE_ACTIVEMASK_BELOW))
        v->d = active & (own - 1u);
    if (has(v, MISTAKE_ACTIVEMASK_UP_TO_SELF))
        v->d = active & (own | (own - 1u));
    if (has(v, MISTAKE_ACTIVEMASK_REVERSED))
        v->d = reversed(active);
    if (has(v, MISTAKE_ACTIVEMASK_OTHERS))
        v->d = active & ~own;
    if (has(v, MISTAKE_ACTIVEMASK_LOWEST))
        v->d = active & (~active + 1u);
    if (has(v, MISTAKE_ACTIVEMASK_NUMBER))
        v->d = lanes_in(active);
    if (has(v, MISTAKE_ACTIVEMASK_SELF))
        v->d = own;
    if (has(v, MISTAKE_ACTIVEMASK_INVERTED))
        v->d = ~active;
    if (has(v, MISTAKE_ACTIVEMASK_NEVER))
        v->d = 0;
    if (has(v, MISTAKE_ACTIVEMASK_PREFIX))
        v->d = lanes_first(lanes_in(active));
}

static unsigned leader_of(const struct view *v)
{
    const lanemask half = v->lane < 16 ? 0xffffu : 0xffff0000u;
    if (has(v, MISTAKE_ELECT_FIRST_ACTIVE))
        return lanes_lowest(v->c->active);
    if (has(v, MISTAKE_ELECT_LANE_0))
        return 0;
    if (has(v, MISTAKE_ELECT_COUNTED_FROM_1))
        return lanes_lowest(v->group) + 1;
    return lanes_lowest(has(v, MISTAKE_ELECT_IN_HALVES) ? v->group & half : v->group);
}

static uint32_t leader_told(const struct view *v, unsigned leader)
{
    if (has(v, MISTAKE_ELECT_D_OWN))
        return v->lane;
    if (has(v, MISTAKE_ELECT_D_FROM_1))
        return leader + 1;
    if (has(v, MISTAKE_ELECT_D_MASK))
        return (uint32_t)1 << leader;
    return has(v, MISTAKE_ELECT_D_RANK) || (has(v, MISTAKE_ELECT_D_ELSE_0) && v->lane != leader) ? 0 : leader;
}

static void read_elect(struct view *v)
{
    const unsigned leader = leader_of(v);
    const lanemask above = v->lane < WARP_LANES - 1 ? UINT32_MAX << (v->lane + 1) : 0;
    v->p = has(v, MISTAKE_ELECT_P_OF_LAST) ? (v->group & above) == 0 : leader == v->lane;
    if (has(v, MISTAKE_ELECT_P_LANE_0))
        v->p = v->lane == 0;
    if (has(v, MISTAKE_ELECT_P_ALWAYS))
        v->p = true;
    if (has(v, MISTAKE_ELECT_P_NEVER) || (has(v, MISTAKE_ELECT_SINK_P) && v->c->dst == WARP_DST_SINK_P))
        v->p = false;
    v->d = leader_told(v, leader);
}

static void read_instruction(struct view *v)
{
    switch (v->info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        read_shfl(v);
        return;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        read_vote(v);
        return;
    case WARP_MATCH_SYNC:
        read_match(v);
        return;
    case WARP_REDUX_SYNC:
        read_redux(v);
        return;
    case WARP_ACTIVEMASK:
        read_activemask(v);
        return;
    case WARP_BAR_WARP: /* gives no value */
        return;
    case WARP_ELECT:
        read_elect(v);
        return;
    case WARP_FAMILIES:
        return;
    }
}

void reading_eval_lanes(const struct reading *reading, const struct warp_case *c, lanemask lanes,
                        struct reading_answer *answer)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    struct warp_result *const result = &answer->r;
    struct waited known = {.known = false};
    memset(answer, 0, sizeof *answer);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct view v = {.r = reading,
                         .c = c,
                         .info = info,
                         .classes = mistake_classes(info),
                         .op = reading_op(info),
                         .lane = lane,
                         .d_defined = true,
                         .known = &known};
        const lanemask bit = (lanemask)1 << lane;
        struct arrival a;
        if (!in_mask(c->active & lanes, lane))
            continue;
        a = arrive(&v);
        result->waiting |= a.outcome == WAITING ? bit : 0;
        result->undefined |= a.outcome == UNDEFINED ? bit : 0;
        result->waits_for[lane] = a.outcome == WAITING ? a.waits_for : 0;
        if (a.outcome != DONE)
            continue;
        read_instruction(&v);
        if (v.waits) {
            result->waiting |= bit;
            continue;
        }
        result->done |= bit;
        answer->beyond |= v.beyond ? bit : 0;
        answer->endless |= v.endless ? bit : 0;
        result->p |= warp_form_writes_p(info, c->dst) && v.p ? bit : 0;
        answer->anything |= v.anything ? bit : 0;
        if (!warp_form_writes_d(info, c->dst))
            continue;
        result->d[lane] = v.d;
        result->d_defined |= v.d_defined ? bit : 0;
    }
}

void reading_eval(const struct reading *reading, const struct warp_case *c, struct reading_answer *answer)
{
    reading_eval_lanes(reading, c, UINT32_MAX, answer);
}
