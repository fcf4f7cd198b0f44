/* One step of arithmetic: against plain C where C defines it, and against tables of special values. */
#include "kernel/execute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define NAN_BITS 0x7fffffffu

static const uint32_t words[] = {0,          1,          2,          5,          31,         32,        33,
                                 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678};
static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x00000001,
                                  0x80000001, 0x007fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                  0xffc12345, 0x7f800001, 0x7f7fffff, 0x3f800001, 0x33800000};
#define WORDS  (sizeof words / sizeof words[0])
#define FLOATS (sizeof floats / sizeof floats[0])

static uint64_t compute(enum ptx_op op, enum ptx_type type, uint64_t x, uint64_t y)
{
    return program_compute(op, type, false, x, y);
}

static void unsigned_arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORDS; i++) {
        for (size_t j = 0; j < WORDS; j++) {
            uint32_t x = words[i], y = words[j];
            assert_int_equal(compute(OP_ADD, PTX_U32, x, y), x + y);
            assert_int_equal(compute(OP_ADD, PTX_S32, x, y), x + y);
            assert_int_equal(compute(OP_SUB, PTX_U32, x, y), x - y);
            assert_int_equal(compute(OP_MUL, PTX_S32, x, y), x * y);
            assert_int_equal(compute(OP_MIN, PTX_U32, x, y), x < y ? x : y);
            assert_int_equal(compute(OP_MAX, PTX_U32, x, y), x > y ? x : y);
            assert_int_equal(compute(OP_XOR, PTX_B32, x, y), x ^ y);
            assert_int_equal(compute(OP_SHL, PTX_B32, x, y), y < 32 ? x << y : 0);
            assert_int_equal(compute(OP_SHR, PTX_U32, x, y), y < 32 ? x >> y : 0);
            assert_int_equal(compute(OP_SHR, PTX_B32, x, y), y < 32 ? x >> y : 0);
        }
    }
}

static void signed_arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORDS; i++) {
        for (size_t j = 0; j < WORDS; j++) {
            int32_t x = (int32_t)words[i], y = (int32_t)words[j];
            int64_t wide = x;
            uint32_t amount = words[j] < 63 ? words[j] : 63;
            assert_int_equal(compute(OP_MIN, PTX_S32, words[i], words[j]), (uint32_t)(x < y ? x : y));
            assert_int_equal(compute(OP_MAX, PTX_S32, words[i], words[j]), (uint32_t)(x > y ? x : y));
            /* a signed division that rounds down is the shift */
            uint64_t shifted = (uint64_t)(wide < 0 ? ~(~(uint64_t)wide >> amount) : (uint64_t)wide >> amount);
            assert_int_equal(compute(OP_SHR, PTX_S32, words[i], words[j]), (uint32_t)shifted);
            assert_int_equal(program_compare_values(COMPARE_LT, PTX_S32, words[i], words[j]), x < y);
            assert_int_equal(program_compare_values(COMPARE_GE, PTX_S32, words[i], words[j]), x >= y);
            assert_int_equal(program_compare_values(COMPARE_LE, PTX_U32, words[i], words[j]), words[i] <= words[j]);
            assert_int_equal(program_compare_values(COMPARE_GT, PTX_U32, words[i], words[j]), words[i] > words[j]);
            assert_int_equal(program_compare_values(COMPARE_NE, PTX_B32, words[i], words[j]), x != y);
        }
    }
    assert_int_equal(compute(OP_NEG, PTX_S32, 0x80000000, 0), 0x80000000);
    assert_int_equal(compute(OP_NEG, PTX_S32, 5, 0), 0xfffffffb);
    assert_int_equal(compute(OP_ABS, PTX_S32, 0xfffffffb, 0), 5);
    assert_int_equal(compute(OP_ABS, PTX_S32, 0x80000000, 0), 0x80000000);
}

static void bits(void **state)
{
    (void)state;
    assert_int_equal(compute(OP_POPC, PTX_B32, 0xf0f0000f, 0), 12);
    assert_int_equal(compute(OP_POPC, PTX_B64, UINT64_MAX, 0), 64);
    assert_int_equal(compute(OP_CLZ, PTX_B32, 0, 0), 32);
    assert_int_equal(compute(OP_CLZ, PTX_B32, 1, 0), 31);
    assert_int_equal(compute(OP_CLZ, PTX_B64, 1, 0), 63);
    assert_int_equal(compute(OP_BREV, PTX_B32, 0x00000003, 0), 0xc0000000);
    assert_true(compute(OP_BREV, PTX_B64, 1, 0) == UINT64_C(1) << 63);
    assert_int_equal(compute(OP_NOT, PTX_B32, 0xff, 0), 0xffffff00);
    assert_int_equal(compute(OP_NOT, PTX_PRED, 1, 0), 0);
    assert_int_equal(compute(OP_AND, PTX_PRED, 1, 1), 1);
}

static void wide_arithmetic(void **state)
{
    uint64_t big = UINT64_C(0x8000000000000000);
    (void)state;
    assert_true(compute(OP_ADD, PTX_U64, UINT64_MAX, 2) == 1);
    assert_true(compute(OP_MIN, PTX_S64, big, 1) == big);
    assert_true(compute(OP_MIN, PTX_U64, big, 1) == 1);
    assert_true(compute(OP_SHR, PTX_S64, big, 63) == UINT64_MAX);
    assert_true(compute(OP_SHR, PTX_S64, big, 64) == UINT64_MAX);
    assert_true(compute(OP_SHR, PTX_U64, big, 63) == 1);
    assert_true(compute(OP_SHL, PTX_B64, 1, 63) == big);
    assert_true(compute(OP_SHL, PTX_B64, 1, 64) == 0);
}

static float as_float(uint32_t x)
{
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return isnan(f) ? NAN_BITS : x;
}

static uint32_t least(uint32_t x, uint32_t y)
{
    float a = as_float(x), b = as_float(y);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? NAN_BITS : isnan(a) ? y : x;
    if (a == 0 && b == 0)
        return x | y; /* -0 if there is one */
    return a < b ? x : y;
}

static void float_arithmetic(void **state)
{
    (void)state;
    for (size_t i = 0; i < FLOATS; i++) {
        for (size_t j = 0; j < FLOATS; j++) {
            uint32_t x = floats[i], y = floats[j];
            bool nan = isnan(as_float(x)) || isnan(as_float(y));
            assert_int_equal(compute(OP_ADD, PTX_F32, x, y), as_bits(as_float(x) + as_float(y)));
            assert_int_equal(compute(OP_SUB, PTX_F32, x, y), as_bits(as_float(x) - as_float(y)));
            assert_int_equal(compute(OP_MUL, PTX_F32, x, y), as_bits(as_float(x) * as_float(y)));
            assert_int_equal(compute(OP_MIN, PTX_F32, x, y), least(x, y));
            assert_int_equal(program_compute(OP_MIN, PTX_F32, true, x, y), nan ? NAN_BITS : least(x, y));
            if (!nan) /* max(x, y) = -min(-x, -y) */
                assert_int_equal(compute(OP_MAX, PTX_F32, x, y), least(x ^ 0x80000000u, y ^ 0x80000000u) ^ 0x80000000u);
        }
        bool nan = isnan(as_float(floats[i]));
        assert_int_equal(compute(OP_NEG, PTX_F32, floats[i], 0), nan ? NAN_BITS : floats[i] ^ 0x80000000u);
        assert_int_equal(compute(OP_ABS, PTX_F32, floats[i], 0), nan ? NAN_BITS : floats[i] & 0x7fffffffu);
    }
    assert_int_equal(compute(OP_MAX, PTX_F32, 0x7fc00000, 0xff812345), NAN_BITS);
    assert_int_equal(compute(OP_MAX, PTX_F32, 0x7fc00000, 0x3f800000), 0x3f800000);
    assert_int_equal(compute(OP_ADD, PTX_F32, 0x00000001, 0x00000001), 0x00000002); /* subnormals are kept */
}

static void float_comparisons(void **state)
{
    (void)state;
    for (size_t i = 0; i < FLOATS; i++) {
        for (size_t j = 0; j < FLOATS; j++) {
            float x = as_float(floats[i]), y = as_float(floats[j]);
            bool nan = isnan(x) || isnan(y);
            bool ordered[6] = {!nan && x == y, !nan && x != y, x<y, x <= y, x> y, x >= y};
            for (int c = 0; c < 6; c++) {
                assert_int_equal(
                    program_compare_values((enum ptx_compare)(c + COMPARE_EQ), PTX_F32, floats[i], floats[j]),
                    ordered[c]);
                assert_int_equal(
                    program_compare_values((enum ptx_compare)(c + COMPARE_EQU), PTX_F32, floats[i], floats[j]),
                    ordered[c] || nan);
            }
            assert_int_equal(program_compare_values(COMPARE_NAN, PTX_F32, floats[i], floats[j]), nan);
            assert_int_equal(program_compare_values(COMPARE_NUM, PTX_F32, floats[i], floats[j]), !nan);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_arithmetic), cmocka_unit_test(signed_arithmetic), cmocka_unit_test(bits),
        cmocka_unit_test(wide_arithmetic),     cmocka_unit_test(float_arithmetic),  cmocka_unit_test(float_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
