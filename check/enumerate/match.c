/*
 * match: every way in which the values of a few lanes can be equal, with values chosen to fool a comparison.
 */
#include "check/enumerate/lanes.h"
#include "check/random.h"

#define LANES   8u
#define BELL_8  4140u
#define BELL_5  52u
#define SMALL   5u
#define PLANS_5 7776u /* LANE_STATES ^ SMALL */
_Static_assert(PLANS_5 == LANE_STATES * LANE_STATES * LANE_STATES * LANE_STATES * LANE_STATES, "plans");

/*
 * completions[n][m]: in how many ways can n more lanes be put into blocks when m blocks are in use. It is 1 for n = 0,
 * and else m * completions[n-1][m] + completions[n-1][m+1]: into an old block or into a new one. A test checks that
 * every partition comes once.
 */
static const uint16_t completions[LANES][LANES + 1] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1},        {1, 2, 3, 4, 5, 6, 7, 8, 0},         {2, 5, 10, 17, 26, 37, 50, 0, 0},
    {5, 15, 37, 77, 141, 235, 0, 0, 0}, {15, 52, 151, 372, 799, 0, 0, 0, 0}, {52, 203, 674, 1915, 0, 0, 0, 0, 0},
    {203, 877, 3263, 0, 0, 0, 0, 0, 0}, {877, 4140, 0, 0, 0, 0, 0, 0, 0},
};

/* The block of each of n lanes in the index-th partition, as a restricted growth string. */
static void make_partition(uint32_t index, unsigned n, uint8_t block[LANES])
{
    unsigned used = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t each = completions[n - 1 - i][used];
        uint32_t digit = 0;
        while (digit < used && index >= each) {
            index -= each;
            digit++;
        }
        block[i] = (uint8_t)digit;
        used += digit == used;
    }
}

struct value {
    uint32_t low, high;
};

/* Eight different values of each kind. */
#define KINDS_B32 2u
#define KINDS_B64 4u
static const struct value values_b32[KINDS_B32][LANES] = {
    {{0, 0},
     {1, 0},
     {0x80000000u, 0},
     {0x10000u, 0},
     {0xffffffffu, 0},
     {0x100u, 0},
     {0x80000001u, 0},
     {0x7fffffffu, 0}},
    /* as floats: equal but not the same bits (zeros), the same bits but not equal (NaN), flushed to zero (subnormals)
     */
    {{0, 0},
     {0x80000000u, 0},
     {0x7fc00000u, 0},
     {0x7fc00001u, 0},
     {0xffc00000u, 0},
     {0x7f800001u, 0},
     {1, 0},
     {0x80000001u, 0}},
};
static const struct value values_b64[KINDS_B64][LANES] = {
    /* only the low half differs */
    {{0, 9}, {1, 9}, {2, 9}, {0x80000000u, 9}, {0xffffffffu, 9}, {0x10000u, 9}, {9, 9}, {0x100u, 9}},
    /* only the high half differs */
    {{9, 0}, {9, 1}, {9, 2}, {9, 0x80000000u}, {9, 0xffffffffu}, {9, 0x10000u}, {9, 9}, {9, 0x100u}},
    /* halves swapped, and sums and exclusive ors of the halves alike */
    {{1, 2}, {2, 1}, {0, 3}, {3, 0}, {0x80000001u, 0x80000002u}, {5, 6}, {6, 5}, {4, 7}},
    /* as doubles: zeros, NaN, subnormals; or alike once rounded to float */
    {{0, 0},
     {0, 0x80000000u},
     {0, 0x7ff80000u},
     {1, 0x7ff80000u},
     {1, 0},
     {1, 0x80000000u},
     {0, 0x3ff00000u},
     {1, 0x3ff00000u}},
};

/* Gives each lane outside the n lanes a value that one of them has: it must not be matched. */
static void set_values(struct warp_case *c, const struct value values[LANES], const uint8_t block[LANES], unsigned n,
                       unsigned placement)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->a[lane] = values[block[lane % n]].low;
        c->a_high[lane] = values[block[lane % n]].high;
    }
    for (unsigned i = 0; i < n; i++) {
        const unsigned lane = placement_lane(n, placement, i);
        c->a[lane] = values[block[i]].low;
        c->a_high[lane] = values[block[i]].high;
    }
}

#define KINDS (KINDS_B32 + KINDS_B64)

/* Destinations: match.any has one, match.all goes through its four, which are the first of them. */
#define DESTINATIONS 4u

static void begin_match(struct warp_case *c, uint32_t all, uint32_t wide, uint32_t dst)
{
    case_begin(c, WARP_MATCH_ANY_SYNC_B32 + all * 2u + wide, WARP_TARGET(70, 0), all != 0 ? dst : WARP_DST_D);
}

static uint64_t partitions_count(void)
{
    return (uint64_t)BELL_8 * 2u * KINDS * PLACEMENTS;
}

static void make_partitions(uint64_t index, struct warp_case *c)
{
    struct lane_plan plan = {0};
    uint8_t block[LANES];
    const uint32_t placement = take_digit(&index, PLACEMENTS);
    const uint32_t kind = take_digit(&index, KINDS);
    const uint32_t all = take_digit(&index, 2);
    make_partition((uint32_t)index, LANES, block);
    begin_match(c, all, kind >= KINDS_B32, ((uint32_t)index + kind + placement) % DESTINATIONS);
    set_values(c, kind < KINDS_B32 ? values_b32[kind] : values_b64[kind - KINDS_B32], block, LANES, placement);
    for (unsigned i = 0; i < LANES; i++)
        plan_lane(&plan, placement_lane(LANES, placement, i), LANE_MEMBER);
    case_set_plan(c, &plan);
}

static uint64_t states_count(void)
{
    return (uint64_t)BELL_5 * PLANS_5 * 2u;
}

static void make_states(uint64_t index, struct warp_case *c)
{
    struct lane_plan plan = {0};
    uint8_t block[LANES];
    const uint32_t all = take_digit(&index, 2);
    const uint32_t drawn = (uint32_t)random_mix(index + 1); /* place, width, kind of value, destinations */
    const uint32_t placement = drawn % PLACEMENTS;
    make_partition(take_digit(&index, BELL_5), SMALL, block);
    begin_match(c, all, drawn >> 2 & 1u, (drawn >> 3) % DESTINATIONS);
    set_values(c, drawn >> 2 & 1u ? values_b64[(drawn >> 5) % KINDS_B64] : values_b32[(drawn >> 5) % KINDS_B32], block,
               SMALL, placement);
    for (unsigned i = 0; i < SMALL; i++)
        plan_lane(&plan, placement_lane(SMALL, placement, i), (enum lane_state)take_digit(&index, LANE_STATES));
    case_set_plan(c, &plan);
}

#define KINDS_OF_RUNS 3u /* b32; b64 where the low halves differ; b64 where the high halves do */

/* A run of lanes goes on at lane 0 after lane 31. */
static uint64_t runs_count(void)
{
    return (uint64_t)WARP_LANES * WARP_LANES * WARP_LANES * 2u * KINDS_OF_RUNS;
}

/* Vector code compares blocks of lanes: makes a block whose lanes are all alike, or all but one, and repeats its
 * values elsewhere. */
static void make_runs(uint64_t index, struct warp_case *c)
{
    const uint32_t kind = take_digit(&index, KINDS_OF_RUNS), different = take_digit(&index, 2);
    const uint32_t more = take_digit(&index, WARP_LANES), start = take_digit(&index, WARP_LANES);
    const uint32_t length = (uint32_t)index + 1u;
    const struct lane_plan plan = {.named = 0xffffffffu, .active = 0xffffffffu};
    begin_match(c, 0, kind != 0, WARP_DST_D);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const bool same = lane == more || (lane - start) % WARP_LANES < length;
        const uint32_t value = same ? 0 : different != 0 ? lane + 1u : 1u;
        c->a[lane] = kind != 2 ? value : 9u;
        c->a_high[lane] = kind == 2 ? value : kind == 1 ? 9u : 0;
    }
    case_set_plan(c, &plan);
}

const struct enumeration enumerations_of_match[] = {
    {"match-partitions",
     "every partition of 8 lanes into equal values (4140), any and all, 6 kinds of value, 4 places: complete",
     FAMILY(WARP_MATCH_SYNC), "cases", 1, partitions_count, make_partitions},
    {"match-runs",
     "match.any of whole warps: every run of lanes (1024) and one lane more (32) with one value, the others alike or "
     "all "
     "different, b32 and both halves of b64: complete",
     FAMILY(WARP_MATCH_SYNC), "cases", 1, runs_count, make_runs},
    {"match-states",
     "every partition of 5 lanes (52) with every state of each, any and all: complete; widths and places drawn",
     FAMILY(WARP_MATCH_SYNC), "cases", 1, states_count, make_states},
    {0},
};
