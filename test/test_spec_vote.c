/* Votes over groups, negation, ballot. */
#include "spec_case.h"

static void vote(const char *name, uint32_t predicates, lanemask group, uint32_t negate, struct warp_result *r)
{
    struct warp_case c;
    case_of(&c, name);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.a[lane] = predicates >> lane & 1;
    if (warp_form_is_sync(warp_form_get(c.form)))
        fill(c.membermask, group);
    c.active = group;
    c.negate = negate;
    eval(&c, r);
    assert_int_equal(r->done, group);
}

static lanemask voted(const char *name, uint32_t predicates, lanemask group, uint32_t negate)
{
    struct warp_result r;
    vote(name, predicates, group, negate, &r);
    assert_int_equal(r.d_defined, 0); /* the destination is a predicate */
    return r.p;
}

static void test_all(void **state)
{
    (void)state;
    assert_int_equal(voted("vote.sync.all.pred", FULL, FULL, 0), FULL);
    assert_int_equal(voted("vote.sync.all.pred", ~1u, FULL, 0), 0);
    assert_int_equal(voted("vote.sync.all.pred", 0x0ff0, 0x0ff0, 0), 0x0ff0); /* the false ones are outside */
    assert_int_equal(voted("vote.sync.all.pred", 0, 0xf, 1), 0xf);            /* .none */
}

static void test_any(void **state)
{
    (void)state;
    assert_int_equal(voted("vote.sync.any.pred", 0x80000000, FULL, 0), FULL);
    assert_int_equal(voted("vote.sync.any.pred", 0, FULL, 0), 0);
    assert_int_equal(voted("vote.sync.any.pred", 0xffff0000, 0xffff, 0), 0); /* the true ones are outside */
    assert_int_equal(voted("vote.sync.any.pred", FULL, FULL, 1), 0);
    assert_int_equal(voted("vote.sync.any.pred", ~4u, FULL, 1), FULL); /* .not_all */
}

static void test_uni(void **state)
{
    (void)state;
    assert_int_equal(voted("vote.sync.uni.pred", FULL, FULL, 0), FULL);
    assert_int_equal(voted("vote.sync.uni.pred", 0, FULL, 0), FULL);
    assert_int_equal(voted("vote.sync.uni.pred", 1, FULL, 0), 0);
    assert_int_equal(voted("vote.sync.uni.pred", 0xff00, 0x00ff, 0), 0x00ff);
    assert_int_equal(voted("vote.sync.uni.pred", 1, FULL, 1), 0);
}

static void test_ballot(void **state)
{
    struct warp_result r;
    (void)state;
    vote("vote.sync.ballot.b32", 0x12345678, 0x0000ffff, 0, &r);
    assert_int_equal(r.d_defined, 0xffff);
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(r.d[lane], 0x5678);
    assert_int_equal(r.d[16], 0);
    assert_int_equal(r.p, 0);
    vote("vote.sync.ballot.b32", 0x12345678, 0x0000ffff, 1, &r);
    assert_int_equal(r.d[0], 0xa987);
}

static void test_without_sync(void **state)
{
    struct warp_result r;
    (void)state;
    assert_int_equal(voted("vote.all.pred", 0xff, 0xff, 0), 0xff);
    assert_int_equal(voted("vote.any.pred", 0xff00, 0xff, 0), 0);
    assert_int_equal(voted("vote.uni.pred", 0xf0, 0xff, 0), 0);
    vote("vote.ballot.b32", FULL, 0x80000001, 0, &r);
    assert_int_equal(r.d[31], 0x80000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),    cmocka_unit_test(test_any),          cmocka_unit_test(test_uni),
        cmocka_unit_test(test_ballot), cmocka_unit_test(test_without_sync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
