/*
 * From buckets to code edges, as an engine sees them: signal.c is compiled here with a call in each of its blocks, once
 * for all families (signal_of_all) and once for match.sync (signal_of_match).
 */
#include "fuzz/coverage/coverage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

typedef void signal_fn(const struct coverage_set *set, unsigned times);
signal_fn signal_of_all, signal_of_match;
void __sanitizer_cov_trace_pc(void);

/* The blocks that one call went through, as distances from the function (they are one object's code). */
#define SPAN 0x80000
#define LONG 64u
static signal_fn *traced;
static size_t trace[LONG];
static unsigned length;

void __sanitizer_cov_trace_pc(void)
{
    const intptr_t distance = (intptr_t)__builtin_return_address(0) - (intptr_t)traced;
    assert_in_range(distance + SPAN, 0, 2 * SPAN - 1);
    assert_in_range(length, 0, LONG - 1);
    trace[length++] = (size_t)(distance + SPAN);
}

static void show(signal_fn *signal, size_t bucket, unsigned times)
{
    static struct coverage_set set; /* large */
    set.count = 1;
    set.list[0] = (uint16_t)bucket;
    traced = signal;
    length = 0;
    signal(&set, times);
}

/* How many buckets go through each block. */
static uint16_t visitors[2 * SPAN];

static void visit_all(signal_fn *signal)
{
    memset(visitors, 0, sizeof visitors);
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        show(signal, bucket, 0);
        for (unsigned i = 0; i < length; i++) {
            bool again = false;
            for (unsigned k = 0; k < i; k++)
                again |= trace[k] == trace[i];
            visitors[trace[i]] += !again;
        }
    }
}

/* The last call went through a block that only one bucket goes through. */
static bool own_edge(void)
{
    for (unsigned i = 0; i < length; i++)
        if (visitors[trace[i]] == 1)
            return true;
    return false;
}

static void each_bucket_has_its_own_edge(void **state)
{
    (void)state;
    visit_all(signal_of_all);
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        show(signal_of_all, bucket, 0);
        if (!own_edge())
            fail_msg("bucket %zu has no edge of its own", bucket);
    }
}

static void a_target_of_one_family_has_its_edges_alone(void **state)
{
    (void)state;
    visit_all(signal_of_match);
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        struct coverage_info info;
        coverage_describe(bucket, &info);
        show(signal_of_match, bucket, 0);
        if (own_edge() != (info.family == WARP_MATCH_SYNC))
            fail_msg("bucket %zu, of family %d: %s", bucket, (int)info.family, own_edge() ? "an edge" : "no edge");
    }
}

/* `times` 2: twice, and not again; other buckets are counted apart; 0 shows always. */
static void a_bucket_is_shown_so_often(void **state)
{
    (void)state;
    visit_all(signal_of_all);
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++)
        for (unsigned call = 1; call <= 4; call++) {
            show(signal_of_all, bucket, 2);
            if (own_edge() != (call <= 2))
                fail_msg("bucket %zu, call %u: %s", bucket, call, own_edge() ? "shown" : "not shown");
            show(signal_of_all, bucket, 0);
            assert_true(own_edge());
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bucket_has_its_own_edge),
        cmocka_unit_test(a_target_of_one_family_has_its_edges_alone),
        cmocka_unit_test(a_bucket_is_shown_so_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
