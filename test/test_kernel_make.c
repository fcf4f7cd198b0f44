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

/* ---- wrong answers of instructions: who is elected, and bit 63 ---- */

enum wrong_elect { ELECT_HIGHEST, ELECT_OWN_D, ELECT_HIGHEST_D, ELECT_NOBODY, MATCH_63 };

static bool eval_elect(void *state, const struct warp_case *cases, size_t count, struct warp_result *results, char *why,
                       size_t why_size)
{
    const enum wrong_elect *const how = state;
    for (size_t n = 0; n < count; n++) {
        struct warp_result *const r = &results[n];
        struct warp_case c = cases[n];
        for (unsigned lane = 0; *how == MATCH_63 && lane < WARP_LANES; lane++)
            c.a_high[lane] &= INT32_MAX;
        if (!spec_get()->eval(spec_get()->state, &c, 1, r, why, why_size))
            return false;
        if (warp_form_get(cases[n].form)->family != WARP_ELECT)
            continue;
        unsigned highest = WARP_LANES - 1;
        while (!(cases[n].active >> highest & 1u))
            highest--;
        if (*how == ELECT_HIGHEST)
            warp_result_elect(r, cases[n].active, highest);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (*how == ELECT_OWN_D || *how == ELECT_HIGHEST_D)
                r->d[lane] = *how == ELECT_OWN_D ? lane : highest;
        if (*how == ELECT_NOBODY)
            r->p = 0;
    }
    return true;
}

/* Of so many kernels that have the word: how many leave other memory. */
static unsigned count_noticed(const char *word, enum wrong_elect how, unsigned *asked)
{
    static struct made m;
    struct warp_impl impl = *spec_get();
    unsigned noticed = 0;
    impl.eval = eval_elect;
    impl.state = &how;
    *asked = 0;
    for (unsigned n = 0; n < 1519; n++) {
        const struct make_suite suite = {.seed = 3, .target = SM_90, .size = MAKE_TINY};
        struct make_kernel k;
        struct buffer text = {0};
        make_draw(&suite, n, &k);
        make_write(&k, &text, NULL, NULL);
        if (strstr(buffer_string(&text), word) != NULL) {
            assert_true(made_set(&m, &k, spec_get()));
            uint8_t *const after = malloc(m.size);
            assert_true(
                make_execute(&m.kernel, m.text.data, m.text.size, m.name, &impl, false, m.before, after, &m.answer));
            noticed += m.answer.verdict != MAKE_CLEAN || memcmp(after, m.after, m.size) != 0;
            ++*asked;
            free(after);
            made_free(&m);
        }
        buffer_free(&text);
    }
    print_message("%s, %u: %u of %u\n", word, how, noticed, *asked);
    return noticed;
}

/* Whoever is elected, the same is left; but d must be the lane whose p is true, in all lanes of the group. */
static void test_answers(void **state)
{
    (void)state;
    unsigned asked;
    assert_int_equal(count_noticed("elect.sync %t", ELECT_HIGHEST, &asked), 0);
    for (enum wrong_elect how = ELECT_OWN_D; how <= ELECT_NOBODY; how++)
        assert_true(count_noticed("elect.sync %t", how, &asked) * 2 > asked && asked > 20);
    assert_true(count_noticed("match.any.sync.b64 %t", MATCH_63, &asked) > 3);
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

static bool eval_redux(void *state, const struct warp_case *cases, size_t count, struct warp_result *results, char *why,
                       size_t why_size)
{
    const bool ok = spec_get()->eval(spec_get()->state, cases, count, results, why, why_size);
    (void)state;
    for (size_t n = 0; n < count; n++)
        for (unsigned lane = 0; warp_form_get(cases[n].form)->family == WARP_REDUX_SYNC && lane < WARP_LANES; lane++)
            results[n].d[lane] ^= 16;
    return ok;
}

/* Is it clean, and does a wrong redux.sync leave other memory? */
static bool text_shows(void *context, const char *text)
{
    struct made m = {0};
    struct warp_impl wrong = *spec_get();
    bool shows = made_set_text(&m, context, text, spec_get()) && m.answer.verdict == MAKE_CLEAN;
    uint8_t *const after = malloc(m.size);
    wrong.eval = eval_redux;
    shows = shows && make_execute(&m.kernel, text, strlen(text), m.name, &wrong, false, m.before, after, &m.answer) &&
            memcmp(m.after, after, m.size) != 0;
    free(after);
    made_free(&m);
    return shows;
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        lines++;
    return lines;
}

/* Lines go, whatever they do: of a large kernel a few are left. */
static void test_reduced_text(void **state)
{
    (void)state;
    struct made m;
    unsigned reduced = 0;
    for (unsigned n = 0; n < 20; n++) {
        make(&m, 4, n, SM_90);
        if (text_shows(&m.kernel, buffer_string(&m.text))) {
            const unsigned lines = count_lines(buffer_string(&m.text));
            struct reduction limits = {.limit = 1000};
            make_reduce_text(&m.text, text_shows, &m.kernel, &limits);
            assert_true(limits.tried < 1000);
            assert_true(text_shows(&m.kernel, buffer_string(&m.text)));
            const char *const loads = strstr(buffer_string(&m.text), "ld.global.v4.b32 {%v0");
            if (count_lines(buffer_string(&m.text)) * 2 > lines + 40 ||
                (count_lines(loads) > 20 && !strstr(loads, "call")))
                fail_msg("kernel %u: of %u lines are left:\n%s", n, lines, m.text.data);
            assert_non_null(strstr(m.text.data, "ret;\n}\n"));
            reduced++;
        }
        made_free(&m);
    }
    assert_true(reduced >= 2);
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
            make_reduce(&kernel, still_has, &wanted, &(struct reduction){.limit = 500});
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeats),   cmocka_unit_test(test_clean),        cmocka_unit_test(test_reached),
        cmocka_unit_test(test_possible),  cmocka_unit_test(test_undefined),    cmocka_unit_test(test_miscompiled),
        cmocka_unit_test(test_reduction), cmocka_unit_test(test_reduced_text), cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
