#include "fuzz/coverage/coverage.h"

#include "check/random.h"
#include "fuzz/mutator.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

/* The list and the bits of a set say the same. */
static void assert_consistent(const struct coverage_set *set)
{
    size_t bits = 0;
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++)
        bits += set->words[bucket / 64] >> bucket % 64 & 1u;
    assert_int_equal(bits, set->count);
    for (unsigned i = 0; i < set->count; i++)
        assert_true((set->words[set->list[i] / 64] >> set->list[i] % 64 & 1u) != 0);
}

static bool has(const struct coverage_set *set, size_t bucket)
{
    return (set->words[bucket / 64] >> bucket % 64 & 1u) != 0;
}

static void add(struct coverage_set *set, const struct warp_case *c)
{
    struct warp_result r;
    assert_true(spec_get()->eval(NULL, c, 1, &r, NULL, 0));
    coverage_add(set, c, &r);
}

/* Which sources a lane can have is settled by all 2^22 points of shfl: the rules of reach.c must say exactly that. */
static void rules_are_the_lane_points(void **state)
{
    static struct coverage_set set;
    struct warp_case c;
    (void)state;
    for (unsigned mode = 0; mode < 4; mode++)
        for (unsigned point = 0; point < 1u << 15; point++) {
            warp_case_init(&c, (enum warp_form)(WARP_SHFL_UP_B32 + mode));
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                c.b[lane] = point & 31u;
                c.c[lane] = (point >> 5 & 31u) | (point >> 10) << 8;
            }
            add(&set, &c);
        }
    assert_consistent(&set);
    for (size_t bucket = COVERAGE_SHFL_SOURCE; bucket <= COVERAGE_SHFL_SOURCE_LAST; bucket++)
        assert_int_equal(has(&set, bucket), coverage_unreachable(bucket) == NULL);
}

/* A small engine: keeps the cases that reach something new and mutates them. */
#define POOL  2048u
#define STEPS 700000u

static void search(struct coverage_set *seen)
{
    static uint8_t pool[POOL][WARP_BYTES_MAX];
    static size_t sizes[POOL];
    size_t kept = 1;
    sizes[0] = 1;
    for (uint64_t step = 0; step < STEPS; step++) {
        uint8_t bytes[WARP_BYTES_MAX];
        static struct coverage_set set;
        struct warp_case c;
        bool fresh = false;
        size_t pick = random_mix(2 * step) % kept, size = sizes[pick];
        memcpy(bytes, pool[pick], size);
        size = mutator_mutate(bytes, size, sizeof bytes, step);
        warp_case_from_bytes(bytes, size, WARP_FAMILY_ALL, &c);
        coverage_clear(&set);
        add(&set, &c);
        for (unsigned word = 0; word < COVERAGE_WORDS; word++) {
            fresh |= (set.words[word] & ~seen->words[word]) != 0;
            seen->words[word] |= set.words[word];
        }
        if (fresh && kept < POOL) {
            memcpy(pool[kept], bytes, size);
            sizes[kept++] = size;
        }
    }
}

/* What is called reachable is reached, and what is called unreachable is not. */
static void reachable_is_reached(void **state)
{
    static struct coverage_set seen;
    (void)state;
    search(&seen);
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        const char *why = coverage_unreachable(bucket);
        char name[160];
        coverage_name(bucket, name, sizeof name);
        if (why != NULL && has(&seen, bucket))
            fail_msg("%s was reached, although %s", name, why);
        if (why == NULL && !has(&seen, bucket))
            fail_msg("%s was not reached", name);
    }
}

static void names_are_unique(void **state)
{
    static char names[COVERAGE_BUCKETS][160];
    (void)state;
    for (size_t i = 0; i < COVERAGE_BUCKETS; i++) {
        coverage_name(i, names[i], sizeof names[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
    }
}

static void counts_add_up(void **state)
{
    size_t sum = 0;
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        size_t reachable = coverage_reachable((enum warp_family)family);
        assert_true(reachable > 0);
        sum += reachable;
    }
    assert_int_equal(sum, coverage_reachable(WARP_FAMILIES));
    assert_true(sum < COVERAGE_BUCKETS);
}

/* A set of one bucket and of all buckets is walked without harm; test_signal.c looks at the edges. */
static void every_bucket_can_be_signalled(void **state)
{
    static struct coverage_set set;
    (void)state;
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++)
        set.list[set.count++] = (uint16_t)bucket;
    coverage_signal(&set, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_the_lane_points),
        cmocka_unit_test(reachable_is_reached),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(counts_add_up),
        cmocka_unit_test(every_bucket_can_be_signalled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
