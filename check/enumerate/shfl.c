/*
 * shfl: every point of (mode, lane, b, clamp, segment mask), the bits that must not matter, and groups of lanes.
 */
#include "check/enumerate/lanes.h"
#include "check/random.h"
#include "warpcheck/bytes.h"

#define MODES  4u
#define FIELDS 15u /* b, clamp, segment mask: five bits each */
#define POINTS (UINT64_C(1) << FIELDS)

static const uint32_t target_sync = WARP_TARGET(70, 0);
static const uint32_t target_converged = WARP_TARGET(60, 0);
static const uint32_t target_legacy = WARP_TARGET(35, 0);

static void set_source(struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->a[lane] = 0x5eed0000u + lane * 0x101u; /* tells its lane */
}

static uint32_t pack_c(uint32_t clamp, uint32_t segment)
{
    return segment << 8 | clamp;
}

static void begin_full(struct warp_case *c, bool sync, uint32_t mode)
{
    case_begin(c, (sync ? WARP_SHFL_SYNC_UP_B32 : WARP_SHFL_UP_B32) + mode, sync ? target_sync : target_legacy,
               WARP_DST_D_P);
    c->active = UINT32_MAX;
    if (sync)
        case_fill(c->membermask, UINT32_MAX);
    set_source(c);
}

static uint64_t points_count(void)
{
    return MODES * POINTS;
}

/* Each lane of a warp is a point of its own, so that one case holds 32 of the 2^22. */
static void make_points(uint64_t index, bool sync, struct warp_case *c)
{
    const uint32_t fields = (uint32_t)(index % POINTS);
    begin_full(c, sync, (uint32_t)(index / POINTS));
    case_fill(c->b, fields & 31u);
    case_fill(c->c, pack_c(fields >> 5 & 31u, fields >> 10));
}

static void make_points_sync(uint64_t index, struct warp_case *c)
{
    make_points(index, true, c);
}

static void make_points_legacy(uint64_t index, struct warp_case *c)
{
    make_points(index, false, c);
}

/*
 * For each lane the index runs through all (b, clamp, segment), as above; but each field is shifted by an odd multiple
 * of the lane number (modulo 32), so that no two lanes of a case have the same b, the same clamp or the same segment
 * mask.
 */
static void make_per_lane(uint64_t index, bool sync, struct warp_case *c)
{
    const uint32_t fields = (uint32_t)(index % POINTS);
    begin_full(c, sync, (uint32_t)(index / POINTS));
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        c->b[lane] = (fields + lane) & 31u;
        c->c[lane] = pack_c(((fields >> 5) + 11u * lane) & 31u, ((fields >> 10) + 21u * lane) & 31u);
    }
}

static void make_per_lane_sync(uint64_t index, struct warp_case *c)
{
    make_per_lane(index, true, c);
}

static void make_per_lane_legacy(uint64_t index, struct warp_case *c)
{
    make_per_lane(index, false, c);
}

/* Bits 31..5 of b, then bits 31..13 and 7..5 of c. */
#define IGNORED_B       27u
#define IGNORED_BITS    (IGNORED_B + 22u)
#define IGNORED_BASES   64u
#define IGNORED_SINGLE  (IGNORED_BITS * IGNORED_BASES)
#define IGNORED_SAMPLES 8192u

static uint64_t ignored_count(void)
{
    return 2u * MODES * (IGNORED_SINGLE + IGNORED_SAMPLES);
}

static void set_ignored_bit(struct warp_case *c, uint32_t bit)
{
    uint32_t *const operand = bit < IGNORED_B ? c->b : c->c;
    const uint32_t number = bit < IGNORED_B        ? bit + 5u
                            : bit - IGNORED_B < 3u ? bit - IGNORED_B + 5u
                                                   : bit - IGNORED_B + 10u;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] |= (uint32_t)1 << number;
}

static void make_ignored(uint64_t index, struct warp_case *c)
{
    const uint32_t mode = take_digit(&index, MODES);
    const bool sync = take_digit(&index, 2) != 0;
    const bool single = index < IGNORED_SINGLE;
    const uint64_t base = single ? index / IGNORED_BITS : index;
    begin_full(c, sync, mode);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t bits = random_mix(base * WARP_LANES + lane + 1u);
        c->b[lane] = (uint32_t)bits & (single ? 31u : UINT32_MAX);
        c->c[lane] = (uint32_t)(bits >> 32) & (single ? 0x1f1fu : UINT32_MAX);
    }
    if (single)
        set_ignored_bit(c, (uint32_t)(index % IGNORED_BITS));
}

/*
 * What CUDA's __shfl_*_sync makes of every width, with a b that leaves the warp: 32 to 95, and -1 to -64. Public
 * implementations use such a b whole, where the width alone should cut it.
 */
#define WIDTHS      6u
#define FAR_SHIFTS  128u
#define FAR_SPREADS 2u /* the same b in all lanes, and another in each */

static uint64_t far_count(void)
{
    return 2u * MODES * WIDTHS * FAR_SHIFTS * FAR_SPREADS;
}

static void make_far(uint64_t index, struct warp_case *c)
{
    const uint32_t mode = take_digit(&index, MODES);
    const bool sync = take_digit(&index, 2) != 0;
    const uint32_t width = 1u << take_digit(&index, WIDTHS);
    const uint32_t spread = take_digit(&index, FAR_SPREADS);
    begin_full(c, sync, mode);
    case_fill(c->c, warp_width_c((enum warp_op)mode, width));
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t shift = ((uint32_t)index + spread * 5u * lane) % FAR_SHIFTS;
        c->b[lane] = shift < FAR_SHIFTS / 2 ? 32u + shift : 0u - 1u - (shift - FAR_SHIFTS / 2);
    }
}

_Static_assert(WARP_UP == 0 && WARP_DOWN == 1 && WARP_BFLY == 2 && WARP_IDX == 3, "a mode's number is its operation's");

/* Four classes of lanes, laid over the warp in four ways. */
#define CLASSES 4u
#define LAYOUTS 4u
static const lanemask class_lanes[LAYOUTS][CLASSES] = {
    {0x000000ffu, 0x0000ff00u, 0x00ff0000u, 0xff000000u}, /* blocks of 8 */
    {0x11111111u, 0x22222222u, 0x44444444u, 0x88888888u}, /* lane modulo 4 */
    {0x03030303u, 0x0c0c0c0cu, 0x30303030u, 0xc0c0c0c0u}, /* pairs */
    {0x000f000fu, 0x00f000f0u, 0x0f000f00u, 0xf000f000u}, /* blocks of 4 */
};

/* Shifts as code has them, one odd. The last c is no encoding of a width. */
#define SHIFTS 8u
static const struct {
    uint32_t b, c, c_up;
} shifts[SHIFTS] = {{1, 0x001f, 0x0000}, {2, 0x181f, 0x1800},  {4, 0x001f, 0x0000}, {16, 0x001f, 0x0000},
                    {8, 0x101f, 0x1000}, {31, 0x001f, 0x0000}, {0, 0x1c1f, 0x1c00}, {5, 0x0f0d, 0x0f0d}};

static void set_shift(struct warp_case *c, uint32_t shift, uint32_t mode)
{
    case_fill(c->b, shifts[shift].b);
    case_fill(c->c, mode == 0 ? shifts[shift].c_up : shifts[shift].c);
}

/* Which lanes a group's membermask names beyond its own. */
enum naming { NAME_OWN, NAME_EXITED, NAME_ELSEWHERE, NAME_NOT_ITSELF, NAME_ALL, NAMINGS };
#define GROUPS       3u
#define GROUP_STATES (GROUPS + 2u) /* in one of three groups, exited, elsewhere */
#define GROUP_PLANS  625u          /* GROUP_STATES to the number of classes */

static lanemask first_lane(lanemask lanes)
{
    return lanes & (~lanes + 1u);
}

static lanemask name_lanes(lanemask own, lanemask active, lanemask exited, enum naming naming, bool first_group)
{
    switch (naming) {
    case NAME_EXITED:
        return own | exited;
    case NAME_ELSEWHERE:
        return first_group ? own | first_lane(~(active | exited)) : own;
    case NAME_NOT_ITSELF:
        return first_group ? own & ~first_lane(own) : own;
    case NAME_ALL:
        return first_group ? UINT32_MAX : own;
    case NAME_OWN:
    case NAMINGS:
        break;
    }
    return own;
}

static uint64_t groups_count(void)
{
    return (uint64_t)GROUP_PLANS * LAYOUTS * MODES * SHIFTS * NAMINGS;
}

static void make_groups(uint64_t index, struct warp_case *c)
{
    static const uint32_t destinations[8] = {WARP_DST_D_P, WARP_DST_D_P,    WARP_DST_D,   WARP_DST_D_P,
                                             WARP_DST_D_P, WARP_DST_D_SINK, WARP_DST_D_P, WARP_DST_D_P};
    const uint32_t dst = destinations[random_mix(index + 1) % 8u];
    const uint32_t mode = take_digit(&index, MODES);
    const uint32_t shift = take_digit(&index, SHIFTS);
    const enum naming naming = (enum naming)take_digit(&index, NAMINGS);
    const uint32_t layout = take_digit(&index, LAYOUTS);
    lanemask lanes[GROUP_STATES] = {0};
    lanemask named[GROUPS];
    for (unsigned k = 0; k < CLASSES; k++)
        lanes[take_digit(&index, GROUP_STATES)] |= class_lanes[layout][k];
    case_begin(c, WARP_SHFL_SYNC_UP_B32 + mode, layout == LAYOUTS - 1u ? target_converged : target_sync, dst);
    c->active = lanes[0] | lanes[1] | lanes[2];
    c->exited = lanes[GROUPS];
    for (unsigned group = 0; group < GROUPS; group++)
        named[group] = name_lanes(lanes[group], c->active, c->exited, naming, group == 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) /* inactive lanes hold the first group's, as garbage */
        c->membermask[lane] = lanes[1] >> lane & 1u ? named[1] : lanes[2] >> lane & 1u ? named[2] : named[0];
    set_source(c);
    set_shift(c, shift, mode);
}

#define ACTIVE_STATES 3u /* active, exited, elsewhere */
#define ACTIVE_PLANS  81u

static uint64_t active_count(void)
{
    return (uint64_t)ACTIVE_PLANS * LAYOUTS * MODES * SHIFTS;
}

static void make_active(uint64_t index, struct warp_case *c)
{
    const uint32_t mode = take_digit(&index, MODES);
    const uint32_t shift = take_digit(&index, SHIFTS);
    const uint32_t layout = take_digit(&index, LAYOUTS);
    lanemask lanes[ACTIVE_STATES] = {0};
    for (unsigned k = 0; k < CLASSES; k++)
        lanes[take_digit(&index, ACTIVE_STATES)] |= class_lanes[layout][k];
    case_begin(c, WARP_SHFL_UP_B32 + mode, target_legacy, WARP_DST_D_P);
    c->active = lanes[0];
    c->exited = lanes[1];
    set_source(c);
    set_shift(c, shift, mode);
}

const struct enumeration enumerations_of_shfl[] = {
    {"shfl-points", "every mode, lane, b, clamp and segment mask, the same in all lanes: complete (2^22)",
     FAMILY(WARP_SHFL_SYNC), "lane points", WARP_LANES, points_count, make_points_sync},
    {"shfl-points-legacy", "the same without .sync: complete (2^22)", FAMILY(WARP_SHFL), "lane points", WARP_LANES,
     points_count, make_points_legacy},
    {"shfl-per-lane", "every mode, lane, b, clamp and segment mask, different in each lane: complete (2^22)",
     FAMILY(WARP_SHFL_SYNC), "lane points", WARP_LANES, points_count, make_per_lane_sync},
    {"shfl-per-lane-legacy", "the same without .sync: complete (2^22)", FAMILY(WARP_SHFL), "lane points", WARP_LANES,
     points_count, make_per_lane_legacy},
    {"shfl-ignored-bits",
     "all other bits of b and c: each alone over 64 operands, then 8192 sampled words a mode: sampled",
     FAMILY(WARP_SHFL_SYNC) | FAMILY(WARP_SHFL), "lane points", WARP_LANES, ignored_count, make_ignored},
    {"shfl-far-shifts", "every width of CUDA with every b from 32 to 95 and from -1 to -64: complete",
     FAMILY(WARP_SHFL_SYNC) | FAMILY(WARP_SHFL), "lane points", WARP_LANES, far_count, make_far},
    {"shfl-groups",
     "four classes of lanes, each in one of three groups, exited or elsewhere; five ways to name lanes: bounded (8 "
     "shifts)",
     FAMILY(WARP_SHFL_SYNC), "cases", 1, groups_count, make_groups},
    {"shfl-active-legacy", "four classes of lanes, each active, exited or elsewhere: bounded (8 shifts)",
     FAMILY(WARP_SHFL), "cases", 1, active_count, make_active},
    {0},
};
