#include "fuzz/derive.h"

#include "check/random.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define BASES 3000u

static void relatives_are_valid(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < BASES; i++) {
        struct warp_case base, c, again;
        random_case(5, i, WARP_FAMILY_ALL, &base);
        for (unsigned k = 0; k < DERIVED_MAX; k++) {
            derive_case(&base, k, &c);
            if (warp_case_check(&c) != NULL)
                fail_msg("relative %u of case %u: %s", k, (unsigned)i, warp_case_check(&c));
            assert_int_equal(warp_form_get(c.form)->family, warp_form_get(base.form)->family);
            memset(&again, 0x5a, sizeof again);
            derive_case(&base, k, &again);
            assert_memory_equal(&c, &again, sizeof c);
        }
    }
}

/* Most relatives are cases of their own; those of small families have fewer ways to differ. */
static void relatives_differ(void **state)
{
    unsigned same = 0, all = 0;
    (void)state;
    for (uint64_t i = 0; i < BASES; i++) {
        struct warp_case base, c[DERIVED_MAX];
        random_case(6, i, WARP_FAMILY_BIT(WARP_SHFL_SYNC) | WARP_FAMILY_BIT(WARP_REDUX_SYNC), &base);
        for (unsigned k = 0; k < DERIVED_MAX; k++) {
            derive_case(&base, k, &c[k]);
            bool known = memcmp(&c[k], &base, sizeof base) == 0;
            for (unsigned j = 0; j < k && !known; j++)
                known = memcmp(&c[k], &c[j], sizeof base) == 0;
            same += known;
            all++;
        }
    }
    assert_in_range(same, 0, all / 4);
}

/* From one input every form of its family is checked. */
static void every_form_is_reached(void **state)
{
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        struct warp_case base, c;
        uint64_t seen = 0, wanted = 0;
        random_case(7, family, WARP_FAMILY_BIT(family), &base);
        for (unsigned form = 0; form < WARP_FORMS; form++)
            if ((unsigned)warp_form_get(form)->family == family)
                wanted |= UINT64_C(1) << form;
        for (unsigned k = 0; k < DERIVED_MAX; k++) {
            derive_case(&base, k, &c);
            seen |= UINT64_C(1) << c.form;
        }
        if (family == WARP_REDUX_SYNC) /* has more forms than relatives of that kind: all but one or two */
            assert_in_range(__builtin_popcountll(seen), 16, 17);
        else
            assert_int_equal(seen, wanted);
    }
}

static uint32_t form_after(uint32_t form, unsigned steps)
{
    const enum warp_family family = warp_form_get(form)->family;
    while (steps > 0) {
        form = (form + 1) % WARP_FORMS;
        steps -= warp_form_get(form)->family == family;
    }
    return form;
}

static unsigned forms_of(enum warp_family family)
{
    unsigned n = 0;
    for (unsigned form = 0; form < WARP_FORMS; form++)
        n += warp_form_get(form)->family == family;
    return n;
}

/* Relatives 0 to 15: the forms behind the base's own; once round, with the next destination that the form has, five
 * more in b, and the other sign of the predicate. */
static void forms_follow_their_rules(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        struct warp_case base, c;
        random_case(9, i, WARP_FAMILY_ALL, &base);
        const struct warp_form_info *const from = warp_form_get(base.form);
        for (unsigned k = 0; k < 16; k++) {
            const unsigned rounds = (k + 1) / forms_of(from->family);
            const uint32_t form = form_after(base.form, k + 1);
            const struct warp_form_info *const info = warp_form_get(form);
            unsigned dst = (base.dst + rounds) % WARP_DST_COUNT;
            derive_case(&base, k, &c);
            assert_int_equal(c.form, form);
            while ((info->destinations >> dst & 1u) == 0)
                dst = dst + 1 < WARP_DST_COUNT ? dst + 1 : 0;
            assert_int_equal(c.dst, dst);
            if (warp_form_is_shfl(info))
                for (unsigned lane = 0; lane < WARP_LANES; lane++)
                    assert_int_equal(c.b[lane], base.b[lane] + 5 * rounds);
            if (from->family == WARP_VOTE_SYNC)
                assert_int_equal(c.negate, rounds % 2 == 0 ? base.negate : !base.negate);
            assert_int_equal(c.active, base.active);
        }
    }
}

static lanemask turned(lanemask mask, unsigned by)
{
    lanemask to = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to |= (mask >> lane & 1u) << (lane + by) % WARP_LANES;
    return to;
}

/* Relatives 16 to 31: the base with all its lanes 1, 3, 5... further on. */
static void places_are_turned(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        struct warp_case base, c;
        random_case(8, i, WARP_FAMILY_ALL, &base);
        for (unsigned k = 0; k < 16; k++) {
            const unsigned by = 2 * k + 1;
            derive_case(&base, 16 + k, &c);
            assert_int_equal(c.form, base.form);
            assert_int_equal(c.target, base.target);
            assert_int_equal(c.dst, base.dst);
            assert_int_equal(c.negate, base.negate);
            assert_int_equal(c.active, turned(base.active, by));
            assert_int_equal(c.exited, turned(base.exited, by));
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                const unsigned to = (lane + by) % WARP_LANES;
                assert_int_equal(c.a[to], base.a[lane]);
                assert_int_equal(c.a_high[to], base.a_high[lane]);
                assert_int_equal(c.b[to], base.b[lane]);
                assert_int_equal(c.c[to], base.c[lane]);
                assert_int_equal(c.membermask[to], turned(base.membermask[lane], by));
            }
        }
    }
}

/* Relatives 32 to 47: the active lanes by each rule, computed a second time; the operands are the base's. */
static void masks_follow_their_rules(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        struct warp_case base, c[16];
        random_case(9, i, WARP_FAMILY_ALL, &base);
        const bool sync = warp_form_is_sync(warp_form_get(base.form));
        const lanemask alive = base.active, here = base.active | base.exited;
        for (unsigned k = 0; k < 16; k++) {
            derive_case(&base, 32 + k, &c[k]);
            assert_memory_equal(c[k].a, base.a, sizeof base.a);
            assert_memory_equal(c[k].b, base.b, sizeof base.b);
            assert_memory_equal(c[k].c, base.c, sizeof base.c);
            if (!sync)
                assert_memory_equal(c[k].membermask, base.membermask, sizeof base.membermask);
        }
        const struct {
            lanemask active, exited, membermask;
            unsigned tile; /* not 0: lanes of a tile share the mask, cut to `membermask` */
        } rules[16] = {{UINT32_MAX, 0, UINT32_MAX, 0},
                       {alive, base.exited, alive, 0},
                       {alive, base.exited, here, 0},
                       {alive, ~alive, UINT32_MAX, 0},
                       {alive, base.exited, here, 2},
                       {alive, base.exited, here, 4},
                       {alive, base.exited, here, 8},
                       {alive, base.exited, here, 16},
                       {alive & 0xffff0000u, base.exited, (alive & 0xffff0000u) | base.exited, 0},
                       {alive & 0xaaaaaaaau, base.exited, (alive & 0xaaaaaaaau) | base.exited, 0},
                       {0xffff, 0xffff0000u, UINT32_MAX, 0},
                       {0x1fffff, 0xffe00000u, UINT32_MAX, 0},
                       {alive, base.exited, alive | alive << 1, 0},
                       {alive, base.exited, alive & ~(alive & (0u - alive)), 0},
                       {alive, base.exited, UINT32_MAX, 8},
                       {~here, base.exited, ~here, 0}};
        for (unsigned k = 0; k < 16; k++) {
            assert_int_equal(c[k].active, rules[k].active);
            assert_int_equal(c[k].exited, rules[k].exited);
            for (unsigned lane = 0; sync && lane < WARP_LANES; lane++) {
                const unsigned first = rules[k].tile == 0 ? 0 : lane - lane % rules[k].tile;
                const lanemask tile = rules[k].tile == 0 ? UINT32_MAX : ((1u << rules[k].tile) - 1u) << first;
                assert_int_equal(c[k].membermask[lane], rules[k].membermask & tile);
            }
        }
    }
}

/* Relatives 48 to 63: only operands change; of each rule an example. */
static void operands_follow_their_rules(void **state)
{
    struct warp_case base, c[16];
    (void)state;
    warp_case_init(&base, WARP_SHFL_SYNC_DOWN_B32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        base.a[lane] = 0xabc0u + 3 * lane;
        base.b[lane] = 7 + lane;
        base.c[lane] = 0x1f;
    }
    for (unsigned k = 0; k < 16; k++)
        derive_case(&base, 48 + k, &c[k]);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        static const unsigned widths[6] = {32, 16, 8, 4, 2, 1};
        const uint32_t a = base.a[lane], next = base.b[(lane + 1) % WARP_LANES];
        assert_int_equal(c[0].a[lane], ~a);
        assert_int_equal(c[1].a[lane], base.a[0]);
        assert_int_equal(c[2].a[lane], lane);
        assert_int_equal(c[3].a[lane], a ^ 0x80000000u);
        assert_int_equal(c[4].a[lane], warp_special_floats[(base.a[0] + lane) % warp_special_floats_count]);
        assert_int_equal(c[5].a[lane], warp_special_words[(base.a[0] + lane) % warp_special_words_count]);
        assert_int_equal(c[6].a[lane], (uint32_t) - (int32_t)a);
        assert_int_equal(c[7].a[lane], a % 4);
        for (unsigned k = 0; k < 6; k++) {
            assert_int_equal(c[8 + k].c[lane], (32 - widths[k]) << 8 | 0x1f);
            assert_int_equal(c[8 + k].b[lane], next + (k % 2) * 32);
        }
        assert_int_equal(c[14].b[lane], ~base.b[lane]);
        assert_int_equal(c[14].c[lane], 0x1f00);
        assert_int_equal(c[15].b[lane], next + 32);
        assert_int_equal(c[15].c[lane], 0x1fu ^ 0xffffe0e0u);
    }
    for (unsigned k = 0; k < 16; k++) {
        assert_int_equal(c[k].active, base.active);
        assert_memory_equal(c[k].membermask, base.membermask, sizeof base.membermask);
        assert_memory_equal(k < 8 ? c[k].b : c[k].a, k < 8 ? base.b : base.a, sizeof base.a);
    }
}

/* A long call asks each case 1, 2, 4, 8 or 16 times in a row, and begins again when there is none left. */
static void long_calls_repeat_cases(void **state)
{
    unsigned seen[5] = {0};
    (void)state;
    for (uint8_t data = 0; data < 100; data++) {
        unsigned shift = 0;
        while (derive_call_case(&data, 1, 40, (size_t)1 << shift) == 0)
            assert_true(++shift < 5);
        seen[shift]++;
        for (size_t at = 0; at < 4000; at++)
            assert_int_equal(derive_call_case(&data, 1, 40, at), at / (1u << shift) % 40);
    }
    for (unsigned shift = 0; shift < 5; shift++)
        assert_true(seen[shift] >= 10);
}

/* A byte behind a raw case is the number of a case: the base, a relative, a form with the base's operands. */
static void an_input_spells_out_a_call(void **state)
{
    const uint32_t families = WARP_FAMILY_ALL & ~WARP_FAMILY_BIT(WARP_ELECT);
    struct warp_case base, other, cases[DERIVED_ORDER_CASES];
    uint8_t bytes[WARP_BYTES_MAX];
    unsigned forms = 0, destinations = 0, changes = 0;
    (void)state;
    random_case(7, 1, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &base);
    const size_t size = warp_case_to_bytes(&base, bytes);
    assert_true(size + 255 < sizeof bytes || size + DERIVED_ORDER_MAX <= sizeof bytes);
    assert_int_equal(derive_order(bytes, size, families, cases), 0);
    for (unsigned number = 0; number < 256; number++) {
        bytes[size] = (uint8_t)number;
        bytes[size + 1] = 0;
        if (number >= DERIVED_MORE) /* of none */
            continue;
        assert_int_equal(derive_order(bytes, size + 2, families, cases), 2);
        assert_null(warp_case_check(&cases[0]));
        assert_memory_equal(&cases[1], &base, sizeof base);
        if (number > 0 && number <= DERIVED_MAX) {
            derive_case(&base, number - 1, &other);
            assert_memory_equal(&cases[0], &other, sizeof other);
        } else if (number > DERIVED_MAX + 3 * WARP_FORMS) {
            assert_int_equal(cases[0].form, base.form);
            assert_int_equal(cases[0].exited & base.exited, base.exited);
            changes += memcmp(&cases[0], &base, sizeof base) != 0;
        } else if (number > DERIVED_MAX) {
            const uint32_t form = (number - DERIVED_MAX - 1) % WARP_FORMS;
            const bool wanted = warp_form_get(form)->family != WARP_ELECT;
            assert_int_equal(cases[0].form, wanted ? form : base.form);
            assert_int_equal(cases[0].active, base.active);
            forms += cases[0].form != base.form;
            destinations += cases[0].form == base.form && cases[0].dst != base.dst;
        }
    }
    assert_true(forms > 100 && destinations > 0 && changes > 32);
    memset(bytes + size, 0, DERIVED_ORDER_MAX + 1);
    assert_int_equal(derive_order(bytes, size + DERIVED_ORDER_MAX + 1, families, cases), DERIVED_ORDER_MAX);
    memcpy(bytes + size, (const uint8_t[]){3, 0, DERIVED_AGAIN, DERIVED_MORE, DERIVED_AGAIN}, 5);
    assert_int_equal(derive_order(bytes, size + 5, families, cases), 2 * (2 + 2 + DERIVED_MORE_TIMES));
    assert_int_equal(derive_order_length(bytes + size, 5), 2 * (2 + 2 + DERIVED_MORE_TIMES));
    assert_memory_equal(&cases[2], &cases[0], sizeof base);
    assert_memory_equal(&cases[10], &cases[0], sizeof base);
    for (unsigned at = 3; at < 4 + DERIVED_MORE_TIMES; at++)
        assert_memory_equal(&cases[at], &base, sizeof base);
    memset(bytes + size, DERIVED_AGAIN, DERIVED_ORDER_MAX);
    bytes[size] = 0;
    assert_int_equal(derive_order(bytes, size + DERIVED_ORDER_MAX, families, cases), DERIVED_ORDER_CASES);
    bytes[0] = WARP_BYTES_RAW ^ 1u; /* bytes that are choices spell out nothing */
    assert_int_equal(derive_order(bytes, size + 5, families, cases), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_turned),          cmocka_unit_test(long_calls_repeat_cases),
        cmocka_unit_test(masks_follow_their_rules),   cmocka_unit_test(operands_follow_their_rules),
        cmocka_unit_test(relatives_are_valid),        cmocka_unit_test(relatives_differ),
        cmocka_unit_test(every_form_is_reached),      cmocka_unit_test(forms_follow_their_rules),
        cmocka_unit_test(an_input_spells_out_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
