/*
 * Generated kernels: the same from the same numbers, clean by the executor, every pair of features; what makes one
 * undefined is refused; what a compiler does wrong is found.
 */
#include "base/clock.h"
#include "kernel/make/make.h"
#include "kernel_plants.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SM_90 WARP_TARGET(90, 0)

static void ask(struct made *m, const char *text, size_t size, bool checked, uint8_t *after)
{
    assert_true(make_execute(&m->kernel, text, size, m->name, spec_get(), checked, m->before, after, &m->answer));
}

/* The kernel's text, and what the executor says of it. */
static void make_sized(struct made *m, uint64_t seed, uint64_t number, uint32_t target, enum make_size size)
{
    struct make_kernel kernel;
    const struct make_suite suite = {.seed = seed, .target = target, .size = size};
    assert_true(make_draw(&suite, number, &kernel));
    assert_true(made_set(m, &kernel, spec_get()));
}

static void make(struct made *m, uint64_t seed, uint64_t number, uint32_t target)
{
    make_sized(m, seed, number, target, MAKE_LARGE);
}

/* Whatever else was made before: a kernel is its seed and its number. */
static void test_repeats(void **state)
{
    (void)state;
    static struct made first, again, other;
    make(&other, 8, 3, SM_90);
    make(&first, 7, 3, SM_90);
    made_free(&other);
    make(&other, 7, 4, WARP_TARGET(100, WARP_SUFFIX_A));
    make(&again, 7, 3, SM_90);
    assert_string_equal(buffer_string(&first.text), buffer_string(&again.text));
    assert_memory_equal(first.after, again.after, first.size);
    assert_string_not_equal(buffer_string(&first.text), buffer_string(&other.text));
    made_free(&first);
    made_free(&again);
    made_free(&other);
}

/* As many kernels as there are pairs, and some: all are clean where lanes are independent, and show nearly all pairs.
 */
static void check_target(const char *name, enum make_size size, unsigned count, unsigned refused_most, unsigned percent)
{
    static struct make_coverage coverage;
    static struct made m;
    const uint32_t target = warp_target_find(name)->target;
    unsigned verdicts[MAKE_VERDICTS] = {0}, seen, possible, left = 0;
    char text[128];
    make_coverage_start(&coverage, target);
    for (unsigned n = 0; n < count; n++) {
        make_sized(&m, 1, n, target, size);
        verdicts[m.answer.verdict]++;
        if (m.answer.verdict == MAKE_UNREAD)
            fail_msg("%s: kernel %u is not read: %s", name, n, m.answer.error.text);
        if (m.answer.verdict == MAKE_CLEAN)
            for (unsigned f = 0; f < m.features_count; f++)
                make_coverage_add(&coverage, &m.features[f]);
        else if (refused_most == 0)
            fail_msg("%s: kernel %u: %s at line %u", name, n, make_verdict_name(m.answer.verdict), m.answer.line);
        made_free(&m);
    }
    possible = make_coverage_count(&coverage, &seen);
    while (make_coverage_unseen(&coverage, left, text, sizeof text))
        left++;
    assert_int_equal(left, possible - seen);
    print_message("%s, %s: %u of %u kernels clean, %u of %u pairs\n", name, make_size_name(size), verdicts[MAKE_CLEAN],
                  count, seen, possible);
    assert_true(count - verdicts[MAKE_CLEAN] <= refused_most);
    assert_true(seen * 100 >= possible * percent);
}

/* The kernel with `trap` before each instruction of the feature, under the same guard. */
static void write_traps(const struct made *m, const struct make_feature *f, struct buffer *out)
{
    const char *const form = warp_form_get(f->form)->name;
    uint32_t line = 1, traps = 0;
    for (const char *at = buffer_string(&m->text); *at; line++) {
        const size_t length = strcspn(at, "\n") + 1, guard = *at == '@' ? strcspn(at, " ") + 1 : 0;
        if (line >= f->from && line < f->to && strncmp(at + guard, form, strlen(form)) == 0) {
            buffer_format(out, "%.*strap;\n", (int)guard, at);
            traps++;
        }
        buffer_add(out, at, length);
        at += length;
    }
    if (traps == 0)
        fail_msg("%s: no %s in lines %u to %u", m->name, form, f->from, f->to);
}

/* A feature counts where lanes come to its instruction, and nowhere else: a trap in its place tells. */
static void test_reached(void **state)
{
    (void)state;
    static struct made m;
    unsigned reached = 0, unreached = 0;
    for (unsigned n = 0; n < 300; n++) {
        make_sized(&m, 9, n, SM_90, n % 2 ? MAKE_LARGE : MAKE_TINY);
        uint8_t *const after = malloc(m.size);
        for (unsigned k = 0; k < m.features_count; k++) {
            struct buffer text = {0};
            struct make_answer answer;
            write_traps(&m, &m.features[k], &text);
            assert_true(make_execute(&m.kernel, buffer_string(&text), text.size, m.name, spec_get(), true, m.before,
                                     after, &answer));
            if ((answer.verdict == MAKE_CLEAN) == m.features[k].is_reached)
                fail_msg("%s: feature %u in lines %u to %u: %s, and %s with a trap there", m.name, k,
                         m.features[k].from, m.features[k].to, m.features[k].is_reached ? "reached" : "not reached",
                         make_verdict_name(answer.verdict));
            reached += m.features[k].is_reached;
            unreached += !m.features[k].is_reached;
            buffer_free(&text);
        }
        free(after);
        made_free(&m);
    }
    print_message("%u features are reached, %u are not\n", reached, unreached);
    assert_true(unreached > 0 && reached > 5 * unreached);
}

static void test_clean(void **state)
{
    (void)state;
    check_target("sm_90", MAKE_LARGE, 2000, 0, 98);
    check_target("sm_90", MAKE_SMALL, 2000, 0, 98);
    check_target("sm_90", MAKE_TINY, 2000, 0, 98);
    check_target("sm_100a", MAKE_LARGE, 400, 0, 50);
    check_target("sm_70", MAKE_LARGE, 400, 0, 50);
    check_target("sm_70", MAKE_TINY, 400, 0, 50);
    check_target("sm_60", MAKE_LARGE, 400, 20,
                 50); /* there lanes must be together, which the generator does not know of all */
}

/* What cannot be is not counted as possible: legacy forms on new targets, a match mask where there is no match. */
static void test_possible(void **state)
{
    (void)state;
    static struct make_coverage c;
    unsigned seen;
    char text[128];
    make_coverage_start(&c, SM_90);
    assert_int_equal(make_coverage_count(&c, &seen) > 1000, 1);
    assert_int_equal(seen, 0);
    for (unsigned n = 0; make_coverage_unseen(&c, n, text, sizeof text); n++) {
        if (strncmp(text, "shfl.idx.b32", 12) == 0 || strncmp(text, "redux.sync.min.f32", 18) == 0)
            fail_msg("%s on sm_90", text);
        if (strcmp(text, "own x nobody") == 0 || strcmp(text, "if-data x nobody") == 0)
            fail_msg("%s", text);
    }
    make_coverage_start(&c, WARP_TARGET(60, 0));
    for (unsigned n = 0; make_coverage_unseen(&c, n, text, sizeof text); n++)
        if (strstr(text, "match") != NULL || strstr(text, "meet") != NULL)
            fail_msg("%s on sm_60", text);
}

/* ---- what is planted ---- */

/* A generator with this defect: the executor has to notice, in one of the first kernels. */
static void test_undefined(void **state)
{
    (void)state;
    static struct made m;
    const size_t count = sizeof plant_undefined / sizeof plant_undefined[0];
    for (size_t p = 0; p < count; p++) {
        unsigned planted = 0, refused = 0;
        for (unsigned n = 0; n < 200 && refused < 3; n++) {
            make(&m, 2, n, SM_90);
            char *text = plant_change(m.text.data, m.text.size, &plant_undefined[p], n % 3);
            if (text) {
                planted++;
                ask(&m, text, strlen(text), true, m.after);
                refused += m.answer.verdict != MAKE_CLEAN;
                if (m.answer.verdict == MAKE_UNREAD && m.answer.error.code == ERROR_INPUT)
                    fail_msg("%s: %s", plant_undefined[p].name, m.answer.error.text);
            }
            free(text);
            made_free(&m);
        }
        if (refused < 3)
            fail_msg("%s: refused %u of %u", plant_undefined[p].name, refused, planted);
    }
    print_message("%zu kinds of undefined kernels are refused\n", count);
}

/* A compiler with this defect, its code executed: one of the first kernels has to leave other memory, or to become a
 * kernel that hangs or means nothing. */
static void test_miscompiled(void **state)
{
    (void)state;
    static struct made m;
    const size_t count = sizeof plant_miscompiles / sizeof plant_miscompiles[0];
    unsigned most = 0, by_memory = 0;
    for (size_t p = 0; p < count; p++) {
        unsigned n = 0, planted = 0;
        bool found = false;
        for (; n < 400 && !found; n++) {
            make(&m, 3, n, SM_90);
            char *text = plant_change(m.text.data, m.text.size, &plant_miscompiles[p], n % 4);
            uint8_t *other = malloc(m.size);
            if (text && m.answer.verdict == MAKE_CLEAN) {
                planted++;
                ask(&m, text, strlen(text), false, other);
                if (m.answer.verdict == MAKE_UNREAD && m.answer.error.code == ERROR_INPUT)
                    fail_msg("%s: %s", plant_miscompiles[p].name, m.answer.error.text);
                const bool differs = m.answer.verdict == MAKE_CLEAN && memcmp(other, m.after, m.size) != 0;
                found = differs || m.answer.verdict == MAKE_WRONG || m.answer.verdict == MAKE_ENDLESS;
                by_memory += differs;
            }
            free(other);
            free(text);
            made_free(&m);
        }
        if (!found)
            fail_msg("%s: not found in %u kernels with it", plant_miscompiles[p].name, planted);
        most = n > most ? n : most;
    }
    assert_true(by_memory >= 20);
    print_message("%zu kinds of miscompiles are found, %u by memory, each in the first %u kernels\n", count, by_memory,
                  most);
}

/* ---- reduction ---- */

struct wanted {
    const char *has;
    unsigned asked;
};

static bool still_has(void *context, const struct make_kernel *k)
{
    struct wanted *wanted = context;
    struct buffer text = {0};
    wanted->asked++;
    make_write_head(k, &text);
    make_write(k, &text, NULL, NULL);
    const bool has = strstr(buffer_string(&text), wanted->has) != NULL;
    buffer_free(&text);
    return has;
}

/* Smaller kernels are kernels: still clean; and no more than what is looked for. */
static void test_reduction(void **state)
{
    (void)state;
    static struct made m;
    unsigned reduced = 0;
    for (unsigned n = 0; n < 60; n++) {
        struct wanted wanted = {.has = n % 2 ? "redux.sync" : "match.any.sync"};
        make(&m, 4, n, SM_90);
        if (still_has(&wanted, &m.kernel)) {
            struct make_kernel kernel = m.kernel;
            const size_t size = m.text.size;
            make_reduce(&kernel, still_has, &wanted, 500);
            assert_int_equal(kernel.grid, 1);
            assert_int_equal(kernel.block, 1);
            made_free(&m);
            assert_true(made_set(&m, &kernel, spec_get()));
            assert_non_null(strstr(buffer_string(&m.text), wanted.has));
            assert_true(m.text.size <= size);
            if (m.answer.verdict != MAKE_CLEAN)
                fail_msg("kernel %u, reduced: %s\n%s", n, make_verdict_name(m.answer.verdict), m.text.data);
            reduced++;
        }
        made_free(&m);
    }
    assert_true(reduced > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_repeats),   cmocka_unit_test(test_clean),
                                       cmocka_unit_test(test_reached),   cmocka_unit_test(test_possible),
                                       cmocka_unit_test(test_undefined), cmocka_unit_test(test_miscompiled),
                                       cmocka_unit_test(test_reduction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
