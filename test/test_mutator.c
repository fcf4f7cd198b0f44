#include "fuzz/mutator.h"

#include "check/random.h"
#include "fuzz/mutate.h"
#include "model/lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROUNDS 20000u

/* The wrappers, as the engines call them. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);
void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t buf_size, uint8_t **out_buf, uint8_t *add_buf,
                       size_t add_buf_size, size_t max_size);
void afl_custom_deinit(void *data);

static void some_bytes(uint8_t bytes[WARP_BYTES_MAX], uint64_t seed)
{
    for (size_t i = 0; i < WARP_BYTES_MAX; i++)
        bytes[i] = (uint8_t)random_mix(seed * 1000 + i);
}

static void decode(const uint8_t *bytes, size_t size, struct warp_case *c)
{
    warp_case_from_bytes(bytes, size, WARP_FAMILY_ALL, c);
    assert_null(warp_case_check(c));
}

static void mutants_are_valid_and_repeat(void **state)
{
    uint8_t once[WARP_BYTES_MAX], again[WARP_BYTES_MAX];
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        size_t size = round % (WARP_BYTES_MAX + 1), first, second;
        struct warp_case c;
        some_bytes(once, round);
        memcpy(again, once, sizeof once);
        first = mutator_mutate(once, size, sizeof once, round);
        second = mutator_mutate(again, size, sizeof again, round);
        assert_true(first >= 1 && first <= sizeof once);
        assert_int_equal(first, second);
        assert_memory_equal(once, again, first);
        assert_int_equal(once[0], WARP_BYTES_RAW);
        decode(once, first, &c);
    }
}

/* With little room the answer is some case that fits; never a byte beyond. */
static void room_is_respected(void **state)
{
    (void)state;
    for (size_t room = 0; room < WARP_BYTES_MAX; room += 7) {
        uint8_t *bytes = malloc(room + 1);
        struct warp_case c;
        size_t size;
        assert_non_null(bytes);
        memset(bytes, 0x11, room + 1);
        bytes[room] = 0x5a;
        size = mutator_mutate(bytes, room / 2, room, room);
        assert_true(size <= room);
        assert_true(room == 0 || size >= 1);
        assert_int_equal(bytes[room], 0x5a);
        decode(bytes, size, &c);
        free(bytes);
    }
}

/* Starting from one case every field changes sooner or later, and lanes stay alike often enough to be worth something.
 */
static void every_field_changes(void **state)
{
    struct warp_case from, c;
    unsigned form = 0, target = 0, dst = 0, negate = 0, exited = 0, active = 0, a = 0, high = 0, b = 0, cc = 0,
             mask = 0;
    static const enum warp_form forms[] = {WARP_SHFL_SYNC_BFLY_B32, WARP_VOTE_SYNC_ANY_PRED, WARP_MATCH_ALL_SYNC_B64};
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint8_t bytes[WARP_BYTES_MAX];
        size_t size;
        warp_case_init(&from, forms[round % 3]);
        size = warp_case_to_bytes(&from, bytes);
        size = mutator_mutate(bytes, size, sizeof bytes, round);
        decode(bytes, size, &c);
        form += c.form != from.form;
        target += c.target != from.target;
        dst += c.dst != from.dst;
        negate += c.negate != from.negate;
        exited += c.exited != from.exited;
        active += c.active != from.active;
        a += memcmp(c.a, from.a, sizeof c.a) != 0;
        high += memcmp(c.a_high, from.a_high, sizeof c.a) != 0;
        b += memcmp(c.b, from.b, sizeof c.b) != 0;
        cc += memcmp(c.c, from.c, sizeof c.c) != 0;
        mask += memcmp(c.membermask, from.membermask, sizeof c.a) != 0;
    }
    for (size_t i = 0; i < 11; i++) {
        const unsigned counts[] = {form, target, dst, negate, exited, active, a, high, b, cc, mask};
        assert_in_range(counts[i], ROUNDS / 100, ROUNDS - ROUNDS / 10);
    }
}

static void families_limit_the_forms(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX];
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        size_t size = 1;
        mutator_set_families(WARP_FAMILY_BIT(family));
        bytes[0] = 0;
        for (uint64_t round = 0; round < 2000; round++) {
            struct warp_case c;
            size = mutator_mutate(bytes, size, sizeof bytes, round);
            decode(bytes, size, &c);
            assert_int_equal(warp_form_get(c.form)->family, family);
        }
    }
    mutator_set_families(WARP_FAMILY_ALL);
}

static void crossing_takes_from_both(void **state)
{
    unsigned from_one = 0, from_other = 0;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct warp_case one, other, c;
        uint8_t x[WARP_BYTES_MAX], y[WARP_BYTES_MAX], out[WARP_BYTES_MAX];
        size_t size;
        random_case(1, 2 * round, WARP_FAMILY_ALL, &one);
        random_case(1, 2 * round + 1, WARP_FAMILY_ALL, &other);
        size = mutator_cross(x, warp_case_to_bytes(&one, x), y, warp_case_to_bytes(&other, y), out, sizeof out, round);
        decode(out, size, &c);
        assert_int_equal(c.form, one.form);
        from_one += memcmp(&c, &one, sizeof c) != 0;
        from_other += memcmp(c.a, other.a, sizeof c.a) == 0;
    }
    assert_in_range(from_one, ROUNDS / 4, ROUNDS);
    assert_in_range(from_other, ROUNDS / 10, ROUNDS);
}

/* Each field is taken from the other case, or left, whatever becomes of the others. */
static void crossing_takes_fields_apart(void **state)
{
    enum { A, B, C, MASK, ACTIVE, TARGET, FIELDS };
    unsigned together[FIELDS][FIELDS] = {{0}}; /* the first was taken, and the second was not */
    (void)state;
    for (uint64_t round = 0; round < ROUNDS / 4; round++) {
        struct warp_case one, other, c;
        uint8_t x[WARP_BYTES_MAX], y[WARP_BYTES_MAX], out[WARP_BYTES_MAX];
        warp_case_init(&one, WARP_SHFL_SYNC_IDX_B32);
        one.target = warp_target_find("sm_70")->target;
        other = one;
        other.target = warp_target_find("sm_90")->target;
        other.active = other.exited = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            other.a[lane] = one.a[lane] + 1;
            other.b[lane] = one.b[lane] + 1;
            other.c[lane] = one.c[lane] + 1;
            other.membermask[lane] = one.membermask[lane] ^ 0xffffu;
        }
        assert_null(warp_case_check(&one));
        assert_null(warp_case_check(&other));
        decode(out,
               mutator_cross(x, warp_case_to_bytes(&one, x), y, warp_case_to_bytes(&other, y), out, sizeof out, round),
               &c);
        const bool taken[FIELDS] = {
            [A] = memcmp(c.a, one.a, sizeof c.a) != 0, [B] = memcmp(c.b, one.b, sizeof c.b) != 0,
            [C] = memcmp(c.c, one.c, sizeof c.c) != 0, [MASK] = memcmp(c.membermask, one.membermask, sizeof c.a) != 0,
            [ACTIVE] = c.active != one.active,         [TARGET] = c.target != one.target};
        for (unsigned i = 0; i < FIELDS; i++)
            for (unsigned k = 0; k < FIELDS; k++)
                together[i][k] += taken[i] && !taken[k];
    }
    for (unsigned i = 0; i < FIELDS; i++)
        for (unsigned k = 0; k < FIELDS; k++)
            assert_true(i == k || together[i][k] > ROUNDS / 4 / 8);
}

static bool is_moved(const struct warp_case *c, const struct warp_case *from)
{
    lanemask left = UINT32_MAX;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned k = 0; k < WARP_LANES; k++)
            left &= c->a[lane] == from->a[k] ? ~(1u << k) : UINT32_MAX;
    return left == 0 && memcmp(c->a, from->a, sizeof c->a) != 0;
}

static bool has_tiles(const struct warp_case *c, unsigned width)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->membermask[lane] != ((1u << width) - 1u) << lane / width * width)
            return false;
    return true;
}

/* Changes that mostly one way makes are drawn: three quarters as often as they are. */
static void changes_are_drawn(void **state)
{
    unsigned tiles = 0, moved = 0, read = 0;
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint8_t bytes[WARP_BYTES_MAX];
        struct warp_case from, c;
        warp_case_init(&from, WARP_SHFL_SYNC_IDX_B32);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            from.a[lane] = (uint32_t)random_mix(lane);
        decode(bytes, mutator_mutate(bytes, warp_case_to_bytes(&from, bytes), sizeof bytes, round), &c);
        for (unsigned width = 1; width <= 16; width *= 2)
            tiles += has_tiles(&c, width);
        moved += is_moved(&c, &from);
        lanemask sources = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            sources |= c.b[lane] < WARP_LANES ? 1u << c.b[lane] : 0;
        read += sources == UINT32_MAX;
    }
    print_message("tiles %u, lanes moved %u, all lanes read %u\n", tiles, moved, read);
    assert_true(tiles > 900 && moved > 750 && read > 650);
}

/* Both engines' entries give valid cases; AFL++'s keeps its own seed, so that equal seeds repeat. */
static void wrappers_work(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX] = {0}, out[WARP_BYTES_MAX], *answer, copy[WARP_BYTES_MAX];
    void *x = afl_custom_init(NULL, 7), *y = afl_custom_init(NULL, 7);
    struct warp_case c;
    size_t size = LLVMFuzzerCustomMutator(bytes, 1, sizeof bytes, 3);
    (void)state;
    decode(bytes, size, &c);
    decode(out, LLVMFuzzerCustomCrossOver(bytes, size, bytes, 1, out, sizeof out, 4), &c);
    assert_non_null(x);
    assert_non_null(y);
    for (unsigned round = 0; round < 1000; round++) {
        size_t length = afl_custom_fuzz(x, bytes, size, &answer, round % 2 ? out : NULL, 40, 1 << 20);
        decode(answer, length, &c);
        memcpy(copy, answer, length);
        assert_int_equal(length, afl_custom_fuzz(y, bytes, size, &answer, round % 2 ? out : NULL, 40, 1 << 20));
        assert_memory_equal(copy, answer, length);
    }
    afl_custom_deinit(x);
    afl_custom_deinit(y);
}

/* What the target takes instead of decoding is what it would decode. */
static void the_last_case_is_what_its_bytes_decode_to(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX], other[WARP_BYTES_MAX];
    (void)state;
    some_bytes(bytes, 1);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        size_t size;
        struct warp_case c, last;
        if (round % 4 == 0) {
            some_bytes(other, round);
            size = mutator_cross(bytes, sizeof bytes, other, round % WARP_BYTES_MAX, bytes, sizeof bytes, round);
        } else {
            size = mutator_mutate(bytes, round % 3 ? sizeof bytes : round % WARP_BYTES_MAX, sizeof bytes, round);
        }
        decode(bytes, size, &c);
        assert_true(mutator_last_case(bytes, size, &last));
        assert_memory_equal(&last, &c, sizeof c);
        bytes[round % size] ^= 1;
        assert_false(mutator_last_case(bytes, size, &last));
        bytes[round % size] ^= 1;
        assert_false(mutator_last_case(bytes, size - 1, &last));
    }
}

/* Moving the lanes takes every field of every lane along, and every mask. */
static void a_move_takes_everything_along(void **state)
{
    unsigned distances = 0;
    lanemask seen = 0;
    (void)state;
    for (uint64_t round = 0; round < 2000; round++) {
        struct warp_case from, c;
        struct mutation m = {.c = &c, .random = {round}};
        unsigned by = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            from.a[lane] = (uint32_t)random_mix(round * 160 + lane);
            from.a_high[lane] = (uint32_t)random_mix(round * 160 + 32 + lane);
            from.b[lane] = (uint32_t)random_mix(round * 160 + 64 + lane);
            from.c[lane] = (uint32_t)random_mix(round * 160 + 96 + lane);
            from.membermask[lane] = (uint32_t)random_mix(round * 160 + 128 + lane);
        }
        from.active = (uint32_t)random_mix(round);
        from.exited = ~from.active & (uint32_t)random_mix(~round);
        c = from;
        mutate_place(&m);
        while (c.a[by] != from.a[0])
            assert_true(++by < WARP_LANES);
        distances += !(seen >> by & 1u);
        seen |= 1u << by;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const unsigned to = (lane + by) % WARP_LANES;
            assert_int_equal(c.a[to], from.a[lane]);
            assert_int_equal(c.a_high[to], from.a_high[lane]);
            assert_int_equal(c.b[to], from.b[lane]);
            assert_int_equal(c.c[to], from.c[lane]);
            assert_int_equal(c.active >> to & 1u, from.active >> lane & 1u);
            assert_int_equal(c.exited >> to & 1u, from.exited >> lane & 1u);
            for (unsigned named = 0; named < WARP_LANES; named++)
                assert_int_equal(c.membermask[to] >> (named + by) % WARP_LANES & 1u,
                                 from.membermask[lane] >> named & 1u);
        }
    }
    assert_int_equal(distances, WARP_LANES - 1);
}

/* Where something is known of the code under test, inputs spell out calls, which grow, shrink and go on. */
static void orders_begin_and_go_on(void **state)
{
    static struct feedback known = {.words_count = 1, .words = {0x1234567}};
    uint8_t bytes[WARP_BYTES_MAX] = {0}, before[WARP_BYTES_MAX];
    size_t size = 1;
    unsigned began = 0, same_case = 0, kept = 0, most = 0, again = 0;
    (void)state;
    mutator_learn(&known);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct warp_case cases[DERIVED_ORDER_CASES];
        memcpy(before, bytes, size);
        const size_t old = size, had = derive_order(before, old, WARP_FAMILY_ALL, cases);
        const size_t length = warp_bytes_length(before, old);
        size = mutator_mutate(bytes, size, sizeof bytes, round);
        const size_t n = derive_order(bytes, size, WARP_FAMILY_ALL, cases);
        began += had == 0 && n > 0;
        same_case += had > 0 && length < size && memcmp(before, bytes, length) == 0;
        kept += had > 0 && n == had && memcmp(before, bytes, length) != 0;
        most = n > most ? (unsigned)n : most;
        for (size_t i = 2; i < n; i++)
            again += memcmp(&cases[i], &cases[i - 2], sizeof cases[i]) == 0 &&
                     memcmp(&cases[i], &cases[i - 1], sizeof cases[i]) != 0;
    }
    mutator_learn(NULL);
    assert_true(began > 100 && same_case > 1000 && kept > 1000 && again > 1000);
    assert_int_equal(most, DERIVED_ORDER_CASES);
    size = 1;
    for (uint64_t round = 0; round < 1000; round++) { /* nothing is known: none */
        size = mutator_mutate(bytes, size, sizeof bytes, round);
        assert_true(round < 100 || size == warp_bytes_length(bytes, size));
    }
}

/* A group of 12 lanes from 3 to 28 becomes one of 23, or begins or ends elsewhere, and keeps its other numbers. */
static void numbers_of_lanes_are_fitted(void **state)
{
    const lanemask mask = 0x11f10cc8u;
    unsigned more = 0, later = 0, sooner = 0, exited = 0, values = 0;
    (void)state;
    for (uint64_t round = 0; round < 9000; round++) {
        static const uint32_t from[] = {12, 3, 28}, to[] = {23, 5, 30};
        struct warp_case c;
        struct mutation m = {.c = &c, .random = {round}, .lane = WARP_LANES};
        warp_case_init(&c, WARP_MATCH_ANY_SYNC_B32);
        m.info = warp_form_get(c.form);
        c.active = mask;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            c.membermask[lane] = mask;
            c.a[lane] = lane;
        }
        if (!mutation_fit(&m, from[round % 3], to[round % 3]))
            continue;
        const lanemask now = c.membermask[lanes_lowest(c.active)];
        more += round % 3 == 0 && lanes_in(now) == 23 && lanes_lowest(now) == 3 && lanes_highest(now) == 28;
        later += round % 3 == 1 && lanes_in(now) == 12 && lanes_lowest(now) == 5 && lanes_highest(now) == 28;
        sooner += round % 3 == 2 && lanes_in(now) == 12 && lanes_lowest(now) == 3 && lanes_highest(now) == 30;
        exited += c.exited != 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            values += c.a[lane] != lane;
    }
    print_message("more %u, later %u, sooner %u, exited %u, values %u\n", more, later, sooner, exited, values);
    assert_true(more > 1200 && later > 700 && sooner > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_takes_everything_along),
        cmocka_unit_test(mutants_are_valid_and_repeat),
        cmocka_unit_test(the_last_case_is_what_its_bytes_decode_to),
        cmocka_unit_test(room_is_respected),
        cmocka_unit_test(every_field_changes),
        cmocka_unit_test(families_limit_the_forms),
        cmocka_unit_test(crossing_takes_from_both),
        cmocka_unit_test(crossing_takes_fields_apart),
        cmocka_unit_test(changes_are_drawn),
        cmocka_unit_test(wrappers_work),
        cmocka_unit_test(orders_begin_and_go_on),
        cmocka_unit_test(numbers_of_lanes_are_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
