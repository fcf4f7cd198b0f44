/* The features of cases, worked out by hand, and the numbers of their pairs. */
#include "fuzz/coverage/pairs.h"

#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct warp_case c;
static unsigned features[FEATURES];

static void start(uint32_t form, lanemask lanes)
{
    memset(&c, 0, sizeof c);
    c.form = form;
    c.target = WARP_TARGET(100, WARP_SUFFIX_A);
    c.active = lanes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.membermask[lane] = lanes;
}

static void look(void)
{
    struct warp_result r;
    char error[64];
    assert_true(spec_get()->eval(NULL, &c, 1, &r, error, sizeof error));
    coverage_features(&c, &r, features);
}

static void shapes_are_told_apart(void **state)
{
    static const struct {
        lanemask lanes;
        enum coverage_mask_shape shape;
    } expected[] = {
        {1u << 31, MASK_SINGLE}, {0x80000001u, MASK_TWO},  {0xf0u, MASK_TILE},           {0x7u, MASK_PREFIX},
        {0x78u, MASK_RUN},       {0xff000f00u, MASK_RUNS}, {0x01010101u, MASK_PERIODIC}, {0x00010110u | 7u, MASK_OTHER},
        {UINT32_MAX, MASK_FULL}, {0xfu, MASK_TILE},        {0xfffffffeu, MASK_RUN},      {0xe0000007u, MASK_RUNS}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        start(WARP_REDUX_SYNC_ADD_U32, expected[i].lanes);
        look();
        assert_int_equal(features[FEATURE_SHAPE], expected[i].shape);
        assert_int_equal(features[FEATURE_OUTCOME], 1);
    }
    start(WARP_REDUX_SYNC_ADD_U32, 0);
    look();
    assert_int_equal(features[FEATURE_SHAPE], MASK_NONE);
    assert_int_equal(features[FEATURE_KINDS], KIND_PAIRS - 1);
    assert_int_equal(features[FEATURE_RELATION], RELATION_NONE);
}

/* -inf beside a signalling NaN is another pair than either beside an ordinary value; other lanes do not count. */
static void the_two_rarest_kinds_count(void **state)
{
    (void)state;
    start(WARP_REDUX_SYNC_ADD_U32, 0xffu);
    for (unsigned lane = 0; lane < 8; lane++)
        c.a[lane] = 0x3f800000u;
    c.a[9] = 0x7f800001u;
    look();
    assert_int_equal(features[FEATURE_KINDS], KIND_ORDINARY * (KIND_ORDINARY + 1) / 2 + KIND_ORDINARY);
    c.a[3] = 0xff800000u;
    look();
    assert_int_equal(features[FEATURE_KINDS], KIND_ORDINARY * (KIND_ORDINARY + 1) / 2 + KIND_INFINITY);
    c.a[5] = 0x7f800001u;
    look();
    assert_int_equal(features[FEATURE_KINDS], KIND_INFINITY * (KIND_INFINITY + 1) / 2 + KIND_SIGNALLING);
}

static uint32_t value_of(enum coverage_relation relation, uint32_t lane)
{
    switch (relation) {
    case RELATION_EQUAL:
        return 7;
    case RELATION_STEP:
        return 7 - 3 * lane;
    case RELATION_ODD:
        return lane == 0 ? 9 : 8;
    case RELATION_TWO:
        return lane % 3 == 0;
    case RELATION_MIRROR:
        return lane < 16 ? lane : 31 - lane;
    case RELATION_HALVES:
        return lane % 16;
    case RELATION_RISING:
        return lane * lane * lane;
    case RELATION_FALLING:
        return 100000 - lane * lane * lane;
    case RELATION_PERMUTED:
        return 5 * lane % 32;
    case RELATION_OTHER:
        return lane * lane % 19;
    case RELATION_NONE:
    case RELATION_ONE:
    case RELATIONS:
        break;
    }
    return 0;
}

static void relations_are_told_apart(void **state)
{
    (void)state;
    for (unsigned relation = RELATION_EQUAL; relation < RELATIONS; relation++) {
        start(WARP_REDUX_SYNC_ADD_U32, UINT32_MAX);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c.a[lane] = value_of((enum coverage_relation)relation, lane);
        look();
        assert_int_equal(features[FEATURE_RELATION], relation);
    }
    start(WARP_SHFL_SYNC_IDX_B32, UINT32_MAX); /* of shfl it is who is read */
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.b[lane] = lane * lane * 32 + 5;
    look();
    assert_int_equal(features[FEATURE_RELATION], RELATION_EQUAL);
}

/* Each pair has a number of its own: from the numbers the features can be told. */
static void pairs_have_numbers_of_their_own(void **state)
{
    static const unsigned sizes[FEATURES] = {WARP_FORMS, MASK_SHAPES, KIND_PAIRS, OUTCOME_SETS, RELATIONS};
    static struct {
        unsigned x, y, values[2];
    } seen[COVERAGE_PAIRS]; /* x < y where it was */
    size_t different = 0;
    (void)state;
    for (uint64_t i = 0; i < 200000; i++) {
        uint16_t pairs[COVERAGE_PAIRS_OF_CASE];
        struct warp_result r;
        char error[64];
        unsigned n = 0;
        random_case(1, i, WARP_FAMILY_ALL, &c);
        assert_true(spec_get()->eval(NULL, &c, 1, &r, error, sizeof error));
        coverage_features(&c, &r, features);
        coverage_pairs(&c, &r, pairs);
        for (unsigned x = 0; x < FEATURES; x++)
            for (unsigned y = x + 1; y < FEATURES; y++, n++) {
                const unsigned pair = pairs[n];
                assert_true(pair < COVERAGE_PAIRS && features[x] < sizes[x] && features[y] < sizes[y]);
                different += seen[pair].y == 0;
                if (seen[pair].y == 0)
                    seen[pair].x = x, seen[pair].y = y, seen[pair].values[0] = features[x],
                    seen[pair].values[1] = features[y];
                assert_true(seen[pair].x == x && seen[pair].y == y && seen[pair].values[0] == features[x] &&
                            seen[pair].values[1] == features[y]);
            }
    }
    assert_true(different > 1000);           /* many, and */
    assert_true(different < COVERAGE_PAIRS); /* random cases do not reach all */
    print_message("200,000 random cases reach %zu of %u pairs\n", different, (unsigned)COVERAGE_PAIRS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_told_apart),
        cmocka_unit_test(the_two_rarest_kinds_count),
        cmocka_unit_test(relations_are_told_apart),
        cmocka_unit_test(pairs_have_numbers_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
