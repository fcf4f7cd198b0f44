/* Bytes: the raw form is lossless, the generative form always gives a case, and its distribution is worth having. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/bytes/choices.h"
#include "test/random_cases.h"

#include <stdlib.h>

static void raw_round_trip(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX];
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        struct warp_case c, again;
        size_t size;
        test_case(i, &c);
        size = warp_case_to_bytes(&c, bytes);
        assert_true(size <= WARP_BYTES_MAX);
        assert_int_equal(bytes[0], WARP_BYTES_RAW);
        assert_int_equal(warp_bytes_length(bytes, size), size);
        assert_int_equal(warp_bytes_length(bytes, 3), size);
        memset(&again, 0xa5, sizeof again);
        warp_case_from_bytes(bytes, size, WARP_FAMILY_ALL, &again);
        assert_memory_equal(&again, &c, sizeof c);
    }
}

/* Version 1 of the raw form is fixed: corpora and recordings hold it. */
static void raw_layout(void **state)
{
    static const uint8_t start[] = {0xb1, 8, 0, 0xbc, 2, 0, 1, 0x44, 0x33, 0x22, 0x11, 0x88, 0x04, 0x00, 0x80, 0xff};
    uint8_t bytes[WARP_BYTES_MAX];
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_VOTE_SYNC_ALL_PRED);
    c.target = WARP_TARGET(70, 0);
    c.negate = 1;
    c.exited = 0x11223344;
    c.active = 0x80000488;
    c.a[0] = c.a[9] = 1;
    assert_int_equal(warp_case_to_bytes(&c, bytes), 15 + 128 + 4);
    assert_memory_equal(bytes, start, sizeof start);
    assert_int_equal(bytes[143], 0x01);
    assert_int_equal(bytes[144], 0x02);
    warp_case_init(&c, WARP_SHFL_SYNC_IDX_B32);
    assert_int_equal(warp_case_to_bytes(&c, bytes), 15 + 4 * 128);
    warp_case_init(&c, WARP_MATCH_ALL_SYNC_B64);
    assert_int_equal(warp_case_to_bytes(&c, bytes), 15 + 3 * 128);
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    assert_int_equal(warp_case_to_bytes(&c, bytes), 15);
    assert_int_equal(warp_bytes_length(bytes, 2), 15);
    assert_int_equal(warp_bytes_length(bytes, 0), 0);
    bytes[0] = 0;
    assert_int_equal(warp_bytes_length(bytes, 7), 7);
}

/* The bytes end where their allocation ends, so that a sanitizer sees a read past them. */
static void decode_copy(const uint8_t *bytes, size_t size, uint32_t families, struct warp_case *c)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    warp_case_from_bytes(copy, size, families, c);
    free(copy);
}

static void any_bytes_are_a_case(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX + 40];
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        const uint32_t families = 1 + (uint32_t)(test_mix(i) % WARP_FAMILY_ALL);
        size_t size = (size_t)(test_mix(~i) % (sizeof bytes + 1));
        struct warp_case c;
        const char *why;
        test_bytes(i, bytes, size);
        if (i % 4 == 0 && size > 0)
            bytes[0] = WARP_BYTES_RAW;
        memset(&c, 0xa5, sizeof c);
        decode_copy(bytes, size, families, &c);
        why = warp_case_check(&c);
        if (why != NULL)
            fail_msg("case %d: %s", (int)i, why);
        assert_true(families >> warp_form_get(c.form)->family & 1u);
    }
}

/* Zeros stand behind the end, and nothing is read behind WARP_BYTES_MAX. */
static void the_end_is_zeros(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX + 8];
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct warp_case c, longer;
        size_t size = (size_t)(test_mix(i) % WARP_BYTES_MAX);
        test_bytes(i, bytes, size);
        if (i % 4 == 0 && size > 0)
            bytes[0] = WARP_BYTES_RAW;
        memset(bytes + size, 0, WARP_BYTES_MAX - size);
        memset(bytes + WARP_BYTES_MAX, 0xff, 8);
        warp_case_from_bytes(bytes, size, WARP_FAMILY_ALL, &c);
        warp_case_from_bytes(bytes, sizeof bytes, WARP_FAMILY_ALL, &longer);
        if (size > 0)
            assert_memory_equal(&c, &longer, sizeof c);
    }
}

static void no_bytes_are_a_simple_case(void **state)
{
    struct warp_case c;
    (void)state;
    for (uint32_t family = 0; family < WARP_FAMILIES; family++) {
        warp_case_from_bytes(NULL, 0, WARP_FAMILY_BIT(family), &c);
        assert_null(warp_case_check(&c));
        assert_int_equal(warp_form_get(c.form)->family, family);
        assert_int_equal(c.active, UINT32_MAX);
        assert_int_equal(c.membermask[0], warp_form_is_sync(warp_form_get(c.form)) ? UINT32_MAX : 0);
    }
    warp_case_from_bytes(NULL, 0, 0, &c); /* no family at all is taken as all */
    assert_null(warp_case_check(&c));
}

/* Raw bytes of another family keep their operands. */
static void raw_case_of_another_family_is_moved(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX];
    struct warp_case c, moved;
    (void)state;
    warp_case_init(&c, WARP_MATCH_ANY_SYNC_B32);
    c.active = 0x55;
    c.a[2] = 77;
    warp_case_from_bytes(bytes, warp_case_to_bytes(&c, bytes), WARP_FAMILY_BIT(WARP_REDUX_SYNC), &moved);
    assert_int_equal(warp_form_get(moved.form)->family, WARP_REDUX_SYNC);
    assert_null(warp_case_check(&moved));
    assert_int_equal(moved.active, 0x55);
    assert_int_equal(moved.a[2], 77);
}

static void widths(void **state)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 16, 32};
    static const uint32_t fields[] = {0x1f00, 0x1e00, 0x1c00, 0x1800, 0x1000, 0x0000};
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(warp_width_c(WARP_UP, sizes[i]), fields[i]);
        assert_int_equal(warp_width_c(WARP_DOWN, sizes[i]), fields[i] | 0x1f);
        assert_int_equal(warp_width_c(WARP_BFLY, sizes[i]), fields[i] | 0x1f);
        assert_int_equal(warp_width_c(WARP_IDX, sizes[i]), fields[i] | 0x1f);
    }
}

static void special_tables(void **state)
{
    (void)state;
    assert_true(warp_special_words_count > 0 && warp_special_words_count <= 256);
    for (size_t i = 0; i < warp_special_words_count; i++)
        for (size_t k = 0; k < i; k++)
            if (warp_special_words[i] == warp_special_words[k])
                fail_msg("word %zu is word %zu: %x", i, k, warp_special_words[i]);
    for (size_t i = 0; i < warp_special_floats_count; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(warp_special_floats[i] != warp_special_floats[k]);
}

/* What is compiled for this processor alone gives the cases that it gives on every other. */
static void every_processor_makes_the_same(void **state)
{
    uint8_t bytes[WARP_BYTES_MAX];
    (void)state;
    for (uint64_t i = 0; i < 50000; i++) {
        struct warp_case own, general;
        struct choices choices = {bytes + 1, bytes + sizeof bytes, NULL};
        test_bytes(i, bytes, sizeof bytes);
        bytes[0] = bytes[0] == WARP_BYTES_RAW ? 0 : bytes[0];
        memset(&own, 0xa5, sizeof own);
        memset(&general, 0x5a, sizeof general);
        warp_case_from_bytes(bytes, sizeof bytes, WARP_FAMILY_ALL, &own);
        generate_head(bytes[0], &choices, WARP_FAMILY_ALL, &general);
        generate_body(&choices, &general);
        assert_memory_equal(&own, &general, sizeof own);
    }
}

/* A source whose bytes are known from the first, and handed out as they are asked for. */
struct known {
    struct bytes_source source;
    uint8_t bytes[WARP_BYTES_MAX];
};

static void hand_out(struct bytes_source *source, size_t size)
{
    const struct known *const known = (const struct known *)source;
    assert_true(size > source->made && size <= WARP_BYTES_MAX);
    memcpy(source->bytes + source->made, known->bytes + source->made, size - source->made);
    source->made = size;
}

static void bytes_are_made_as_they_are_read(void **state)
{
    size_t least = WARP_BYTES_MAX, most = 0;
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct known known = {.source.make = hand_out};
        struct warp_case whole, c;
        test_bytes(i, known.bytes, sizeof known.bytes);
        known.bytes[0] = known.bytes[0] == WARP_BYTES_RAW ? 0 : known.bytes[0];
        warp_case_from_bytes(known.bytes, sizeof known.bytes, WARP_FAMILY_ALL, &whole);
        memset(known.source.bytes, 0xcc, sizeof known.source.bytes);
        hand_out(&known.source, BYTES_HEAD);
        memset(&c, 0xa5, sizeof c);
        const size_t head = bytes_source_head(&known.source, WARP_FAMILY_ALL, &c);
        assert_true(c.form == whole.form && c.target == whole.target && c.dst == whole.dst &&
                    c.negate == whole.negate && c.active == 0xa5a5a5a5u && c.a[0] == 0xa5a5a5a5u);
        bytes_source_body(&known.source, head, &c);
        assert_memory_equal(&c, &whole, sizeof c);
        least = known.source.made < least ? known.source.made : least;
        most = known.source.made > most ? known.source.made : most;
    }
    assert_true(least < 16 && most > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_processor_makes_the_same),
        cmocka_unit_test(bytes_are_made_as_they_are_read),
        cmocka_unit_test(raw_round_trip),
        cmocka_unit_test(raw_layout),
        cmocka_unit_test(any_bytes_are_a_case),
        cmocka_unit_test(the_end_is_zeros),
        cmocka_unit_test(no_bytes_are_a_simple_case),
        cmocka_unit_test(raw_case_of_another_family_is_moved),
        cmocka_unit_test(widths),
        cmocka_unit_test(special_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
