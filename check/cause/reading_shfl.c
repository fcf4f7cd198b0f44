/* shfl, read with mistakes. */
#include "check/cause/view.h"

#include "model/lanes.h"

static int five_bits(int64_t x)
{
    x &= 31;
    return (int)(x >= 16 ? x - 32 : x);
}

/* A signed number of so many low bits. */
int64_t reading_signed_bits(uint32_t x, unsigned bits)
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
        return reading_signed_bits(b, 5);
    if (has(v, MISTAKE_B_SIGNED_8))
        return reading_signed_bits(b, 8);
    if (has(v, MISTAKE_B_SIGNED_16))
        return reading_signed_bits(b, 16);
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

uint32_t reading_carried(const struct view *v, uint32_t value)
{
    if (has(v, MISTAKE_VALUE_16_BITS))
        return value & 0xffffu;
    if (has(v, MISTAKE_VALUE_SIGNED_16))
        return value & 0x8000u ? value | 0xffff0000u : value & 0xffffu;
    if (has(v, MISTAKE_VALUE_8_BITS) || has(v, MISTAKE_VALUE_SIGNED_8))
        return has(v, MISTAKE_VALUE_8_BITS) ? value & 0xffu : (uint32_t)(int32_t)reading_signed_bits(value, 8);
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

void reading_shfl(struct view *v)
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
    v->d = has(v, MISTAKE_VALUE_IS_LANE) ? (uint32_t)source.lane : reading_carried(v, v->d);
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
