/* Reductions: integers at their edges, floats with NaN, zeros, subnormals. */
#include "spec_case.h"

#define P_ZERO    0x00000000u
#define N_ZERO    0x80000000u
#define P_INF     0x7f800000u
#define N_INF     0xff800000u
#define QNAN      0x7fc00001u
#define N_QNAN    0xffc00000u
#define SNAN      0x7f800001u
#define CANONICAL 0x7fffffffu
#define P_TINY    0x00000001u
#define N_TINY    0x80000001u
#define ONE       0x3f800000u
#define N_TWO     0xc0000000u

/* Reduces x, y, z in lanes 3, 7, 31; every other lane is elsewhere and holds something else. */
static uint32_t reduce3(const char *name, uint32_t x, uint32_t y, uint32_t z)
{
    const lanemask group = 1u << 3 | 1u << 7 | 1u << 31;
    struct warp_case c;
    struct warp_result r;
    case_of(&c, name);
    fill(c.a, 0xdeadbeef);
    c.a[3] = x;
    c.a[7] = y;
    c.a[31] = z;
    c.active = group;
    fill(c.membermask, group);
    eval(&c, &r);
    assert_int_equal(r.d_defined, group);
    assert_int_equal(r.d[3], r.d[7]);
    assert_int_equal(r.d[3], r.d[31]);
    return r.d[3];
}

static void test_integers(void **state)
{
    (void)state;
    assert_int_equal(reduce3("redux.sync.add.u32", 0xffffffff, 3, 5), 7);
    assert_int_equal(reduce3("redux.sync.add.s32", 0x7fffffff, 1, 0), 0x80000000);
    assert_int_equal(reduce3("redux.sync.min.u32", 0x80000000, 0x7fffffff, 0xffffffff), 0x7fffffff);
    assert_int_equal(reduce3("redux.sync.min.s32", 0x80000000, 0x7fffffff, 0xffffffff), 0x80000000);
    assert_int_equal(reduce3("redux.sync.max.u32", 0x80000000, 0x7fffffff, 0xffffffff), 0xffffffff);
    assert_int_equal(reduce3("redux.sync.max.s32", 0x80000000, 0x7fffffff, 0xffffffff), 0x7fffffff);
    assert_int_equal(reduce3("redux.sync.max.s32", 0x80000000, 0xfffffffe, 0xffffffff), 0xffffffff);
    assert_int_equal(reduce3("redux.sync.and.b32", 0xff00, 0x0ff0, 0xfff0), 0x0f00);
    assert_int_equal(reduce3("redux.sync.or.b32", 0xf000, 0x00f0, 1), 0xf0f1);
    assert_int_equal(reduce3("redux.sync.xor.b32", 0xf000, 0xf0f0, 1), 0x00f1);
}

static void test_float_numbers(void **state)
{
    (void)state;
    assert_int_equal(reduce3("redux.sync.min.f32", ONE, N_TWO, P_TINY), N_TWO);
    assert_int_equal(reduce3("redux.sync.max.f32", N_TWO, N_TINY, N_INF), N_TINY);
    assert_int_equal(reduce3("redux.sync.max.f32", P_TINY, P_ZERO, N_TINY), P_TINY); /* subnormals are kept */
    assert_int_equal(reduce3("redux.sync.min.f32", P_INF, P_INF, ONE), ONE);
}

static void test_zeros_are_ordered(void **state)
{
    (void)state;
    assert_int_equal(reduce3("redux.sync.min.f32", P_ZERO, N_ZERO, P_ZERO), N_ZERO);
    assert_int_equal(reduce3("redux.sync.max.f32", N_ZERO, P_ZERO, N_ZERO), P_ZERO);
    assert_int_equal(reduce3("redux.sync.max.f32", N_ZERO, N_ZERO, N_ZERO), N_ZERO);
}

static void test_nan_is_skipped(void **state)
{
    (void)state;
    assert_int_equal(reduce3("redux.sync.min.f32", QNAN, ONE, SNAN), ONE);
    assert_int_equal(reduce3("redux.sync.max.f32", N_QNAN, N_INF, QNAN), N_INF);
    assert_int_equal(reduce3("redux.sync.max.f32", N_QNAN, SNAN, QNAN), CANONICAL);
    assert_int_equal(reduce3("redux.sync.min.abs.f32", N_QNAN, SNAN, QNAN), CANONICAL);
}

static void test_nan_is_propagated(void **state)
{
    (void)state;
    assert_int_equal(reduce3("redux.sync.min.NaN.f32", ONE, ONE, SNAN), CANONICAL);
    assert_int_equal(reduce3("redux.sync.max.NaN.f32", N_QNAN, P_INF, ONE), CANONICAL);
    assert_int_equal(reduce3("redux.sync.max.NaN.f32", N_TWO, N_INF, ONE), ONE);
    assert_int_equal(reduce3("redux.sync.max.abs.NaN.f32", N_TWO, ONE, N_QNAN), CANONICAL);
    assert_int_equal(reduce3("redux.sync.min.NaN.abs.f32", N_TWO, ONE, N_QNAN), CANONICAL);
}

static void test_absolute_values(void **state)
{
    (void)state;
    assert_int_equal(reduce3("redux.sync.max.abs.f32", N_TWO, ONE, QNAN), 0x40000000);
    assert_int_equal(reduce3("redux.sync.min.abs.f32", N_TWO, N_ZERO, ONE), P_ZERO);
    assert_int_equal(reduce3("redux.sync.max.abs.f32", N_INF, ONE, ONE), P_INF);
}

/* Results on subnormal numbers, zeros, NaNs, and ordinary numbers, one after another. */
static void all_float_results(struct warp_result *results, size_t n)
{
    const struct warp_impl *spec = spec_get();
    char error[64];
    for (size_t i = 0; i < n; i++) {
        struct warp_case c;
        warp_case_init(&c, (enum warp_form)(WARP_REDUX_SYNC_MIN_F32 + i % 8));
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t word = (uint32_t)(i * WARP_LANES + lane) * 0x9e3779b1u;
            c.a[lane] =
                i / 8 % 2 == 0 ? word & 0x807fffffu : (word & 0x80000003u) | (i / 16 % 2 == 0 ? 0u : 0x3f800000u);
        }
        assert_true(spec->eval(spec->state, &c, 1, &results[i], error, sizeof error));
    }
}

/* Who sets the processor to take subnormal numbers for zero, or to round another way, changes no result. */
static void the_floating_point_state_does_not_matter(void **state)
{
    enum { N = 512 };
    static struct warp_result before[N], after[N];
    (void)state;
    all_float_results(before, N);
#if defined(__x86_64__)
    const unsigned usual = __builtin_ia32_stmxcsr();
    volatile float subnormal = 0x1p-140f;
    __builtin_ia32_ldmxcsr(usual | 0x8040u | 0x6000u); /* FTZ, DAZ, towards zero */
    assert_true(subnormal * 1.0f == 0.0f);             /* the state is set, or the test shows nothing */
    all_float_results(after, N);
    __builtin_ia32_ldmxcsr(usual);
#elif defined(__aarch64__)
    uint64_t usual;
    __asm__ volatile("mrs %0, fpcr" : "=r"(usual));
    __asm__ volatile("msr fpcr, %0" : : "r"(usual | 3u << 24 | 3u << 22)); /* FZ, DN, towards zero */
    all_float_results(after, N);
    __asm__ volatile("msr fpcr, %0" : : "r"(usual));
#else
    skip();
#endif
    assert_memory_equal(before, after, sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_floating_point_state_does_not_matter),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_float_numbers),
        cmocka_unit_test(test_zeros_are_ordered),
        cmocka_unit_test(test_nan_is_skipped),
        cmocka_unit_test(test_nan_is_propagated),
        cmocka_unit_test(test_absolute_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
