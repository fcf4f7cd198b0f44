/*
 * redux: every single value, pair and triple of the words at which arithmetic goes wrong, for every operation.
 */
#include "check/enumerate/lanes.h"

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))
/* Groups of one, two and three lanes over n values. */
#define TUPLES(n) ((n) + (n) * (n) + (n) * (n) * (n))

static const uint32_t integers[] = {
    0,           1,           2,           3,           0xffu,       0xffffu,     0x10000u,    0x55555555u,
    0xaaaaaaaau, 0x7ffffffeu, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu, 0x12345678u,
};

static const uint32_t floats[] = {
    0x00000000u, 0x80000000u, /* zeros */
    0x00000001u, 0x80000001u, /* the smallest subnormals */
    0x007fffffu, 0x807fffffu, /* the largest subnormals */
    0x00800000u, 0x80800000u, /* the smallest normal numbers */
    0x3f800000u, 0xbf800000u, /* one */
    0x3f800001u, 0xbf800001u, /* its neighbour */
    0x7f7fffffu, 0xff7fffffu, /* the largest */
    0x7f800000u, 0xff800000u, /* infinities */
    0x7fffffffu, 0xffffffffu, /* canonical NaN, and with the sign */
    0x7fc00000u, 0xffc00000u, /* quiet NaN */
    0x7fc12345u,              /* with a payload */
    0x7f800001u, 0xff800001u, /* signalling NaN */
    0x7fbfffffu,
};

#define INTEGER_FORMS  (WARP_REDUX_SYNC_XOR_B32 - WARP_REDUX_SYNC_ADD_U32 + 1u)
#define FLOAT_FORMS    (WARP_REDUX_SYNC_MAX_ABS_NAN_F32 - WARP_REDUX_SYNC_MIN_F32 + 1u)
#define INTEGER_TUPLES TUPLES(COUNT_OF(integers))
#define FLOAT_TUPLES   TUPLES(COUNT_OF(floats))

/* Values that change the result of every operation when they are counted in, in turns. */
static const uint32_t integer_garbage[] = {0, 0x80000000u, 0xffffffffu, 0x7fffffffu, 0x5a5a5a5bu};
static const uint32_t float_garbage[] = {0xff800000u, 0x7f800000u, 0x7fc00000u, 0x80000000u, 0x00000000u};
_Static_assert(COUNT_OF(integer_garbage) == COUNT_OF(float_garbage), "one index for both");

/* The size of the group that the index stands for; *index becomes the number within that size. */
static unsigned group_size(uint64_t *index, uint64_t values)
{
    uint64_t tuples = values;
    unsigned size = 1;
    while (*index >= tuples) {
        *index -= tuples;
        tuples *= values;
        size++;
    }
    return size;
}

static void make_tuple(uint64_t index, uint32_t placement, const uint32_t *table, uint32_t values,
                       const uint32_t *garbage, struct warp_case *c)
{
    struct lane_plan plan = {0};
    const unsigned size = group_size(&index, values);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->a[lane] = garbage[lane % COUNT_OF(float_garbage)];
    for (unsigned i = 0; i < size; i++) {
        const unsigned lane = placement_lane(3, placement, i);
        c->a[lane] = table[take_digit(&index, values)];
        plan_lane(&plan, lane, LANE_MEMBER);
    }
    case_set_plan(c, &plan);
}

static uint64_t integers_count(void)
{
    return (uint64_t)INTEGER_TUPLES * INTEGER_FORMS * PLACEMENTS;
}

static void make_integers(uint64_t index, struct warp_case *c)
{
    const uint32_t placement = take_digit(&index, PLACEMENTS);
    case_begin(c, WARP_REDUX_SYNC_ADD_U32 + take_digit(&index, INTEGER_FORMS), WARP_TARGET(80, 0), WARP_DST_D);
    make_tuple(index, placement, integers, COUNT_OF(integers), integer_garbage, c);
}

static uint64_t floats_count(void)
{
    return (uint64_t)FLOAT_TUPLES * FLOAT_FORMS * PLACEMENTS;
}

static void make_floats(uint64_t index, struct warp_case *c)
{
    const uint32_t placement = take_digit(&index, PLACEMENTS);
    case_begin(c, WARP_REDUX_SYNC_MIN_F32 + take_digit(&index, FLOAT_FORMS), WARP_TARGET(100, WARP_SUFFIX_A),
               WARP_DST_D);
    make_tuple(index, placement, floats, COUNT_OF(floats), float_garbage, c);
}

const struct enumeration enumerations_of_redux[] = {
    {"redux-integers",
     "every value, pair and triple of 16 special integers, every operation, 4 places: complete over the table",
     FAMILY(WARP_REDUX_SYNC), "cases", 1, integers_count, make_integers},
    {"redux-floats",
     "every value, pair and triple of 24 special floats (zeros, subnormals, NaN...), every form, 4 places: complete "
     "over the table",
     FAMILY(WARP_REDUX_SYNC), "cases", 1, floats_count, make_floats},
    {0},
};
