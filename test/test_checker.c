#include "check/checker.h"

#include "base/interrupt.h"
#include "check_fakes.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define CASES 1000u

static struct warp_case *make_cases(void)
{
    struct warp_case *cases = calloc(CASES, sizeof *cases);
    assert_non_null(cases);
    for (unsigned i = 0; i < CASES; i++) {
        warp_case_init(&cases[i], (enum warp_form)(i % WARP_FORMS));
        cases[i].active = i;
    }
    return cases;
}

static uint64_t bits(uint64_t x)
{
    uint64_t n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

static bool odd_active(const struct warp_case *c)
{
    return c->active % 2 == 1;
}

static bool is_vote(const struct warp_case *c)
{
    return warp_form_get(c->form)->family == WARP_VOTE_SYNC;
}

struct seen {
    uint32_t active[CASES];
    size_t n;
    size_t stop_after;
    const struct checker *checker;
};

static bool on_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                        const struct warp_result *reference, const struct warp_result *observed,
                        const struct warp_diff *diff)
{
    struct seen *seen = context;
    assert_ptr_equal(checker, seen->checker);
    assert_false(warp_result_compare(c, reference, observed, WARP_PART_ALL, NULL));
    assert_true((diff->d | diff->p) != 0);
    seen->active[seen->n++] = c->active;
    return seen->n != seen->stop_after;
}

static void test_counts(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, wrong = {.wrong = odd_active};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    static struct checker checker;
    static struct seen seen;
    uint64_t lanes = 0, expected = 0, family_cases = 0, elections = 0;
    (void)state;
    seen = (struct seen){.checker = &checker};
    checker_init(&checker, &a, &b, on_mismatch, &seen);
    assert_true(checker_run(&checker, cases, CASES));
    for (unsigned i = 0; i < CASES; i++) {
        lanes += bits(cases[i].active);
        expected += odd_active(&cases[i]);
        elections += warp_form_get(cases[i].form)->family == WARP_ELECT && !odd_active(&cases[i]);
    }
    const struct checker_counts total = checker_total(&checker);
    assert_int_equal(total.cases, CASES);
    assert_int_equal(total.compared, CASES);
    assert_int_equal(total.lane_results, lanes);
    assert_int_equal(total.mismatches, expected);
    assert_int_equal(seen.n, expected);
    for (size_t i = 1; i < seen.n; i++) /* in the order of the cases */
        assert_true(seen.active[i - 1] < seen.active[i]);
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        family_cases += checker_family(&checker, (enum warp_family)family).cases;
    assert_int_equal(family_cases, CASES);
    assert_int_equal(wrong.evaluated, CASES + elections); /* which are asked twice */
    assert_int_equal(wrong.largest_batch, CHECKER_BATCH);
    assert_int_equal(checker.reasons_count, 0);
    free(cases);
}

static void test_stop(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, wrong = {.wrong = odd_active};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    static struct checker checker;
    static struct seen seen;
    (void)state;
    seen = (struct seen){.checker = &checker, .stop_after = 2};
    checker_init(&checker, &a, &b, on_mismatch, &seen);
    assert_true(checker_run(&checker, cases, CASES));
    assert_true(checker.stopped);
    assert_int_equal(seen.n, 2);
    assert_int_equal(checker_total(&checker).compared, 4); /* active 0, 1, 2, 3 */
    assert_int_equal(checker_total(&checker).cases, 4);    /* the others of the batch are not "not accepted" */
    assert_int_equal(wrong.evaluated, CHECKER_BATCH);
    assert_true(checker_run(&checker, cases, CASES)); /* a stopped checker stays so */
    assert_int_equal(wrong.evaluated, CHECKER_BATCH);
    free(cases);
}

static void test_refused_cases_are_counted(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, partial = {.refuses = is_vote, .why = "no vote"};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("partial", &partial);
    static struct checker checker;
    (void)state;
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_true(checker_run(&checker, cases, CASES));
    const struct checker_counts votes = checker_family(&checker, WARP_VOTE_SYNC);
    assert_true(votes.cases > 0);
    assert_int_equal(votes.compared, 0);
    assert_int_equal(checker_total(&checker).compared, CASES - votes.cases);
    assert_int_equal(partial.evaluated, CASES - votes.cases + checker_family(&checker, WARP_ELECT).cases); /* twice */
    assert_int_equal(right.evaluated, CASES - votes.cases);
    assert_int_equal(checker.reasons_count, 1);
    assert_string_equal(checker.reasons[0].why, "partial: no vote");
    assert_string_equal(checker.reasons[0].example, "vote.sync.all.pred");
    assert_int_equal(checker.reasons[0].cases, votes.cases);
    free(cases);
}

/* What is refused is left out of the batch; the rest keeps its own results. */
static void test_refusals_do_not_shift_results(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {.refuses = is_vote}, wrong = {.wrong = odd_active};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    static struct checker checker;
    static struct seen seen;
    uint64_t expected = 0;
    (void)state;
    seen = (struct seen){.checker = &checker};
    checker_init(&checker, &a, &b, on_mismatch, &seen);
    assert_true(checker_run(&checker, cases, CASES));
    for (unsigned i = 0; i < CASES; i++)
        expected += odd_active(&cases[i]) && !is_vote(&cases[i]);
    assert_int_equal(seen.n, expected);
    for (size_t i = 0; i < seen.n; i++)
        assert_int_equal(seen.active[i] % 2, 1);
    assert_string_equal(checker.reasons[0].why, "right: not accepted");
    free(cases);
}

/* As behind a pipe: the refusal is known only after the answer. */
static void test_late_refusal(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, late = {.refuses = is_vote, .refuses_late = true, .why = "late"};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("late", &late);
    static struct checker checker;
    (void)state;
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_true(checker_run(&checker, cases, CASES));
    assert_int_equal(checker_total(&checker).compared, CASES - checker_family(&checker, WARP_VOTE_SYNC).cases);
    assert_int_equal(checker.reasons_count, 1);
    assert_string_equal(checker.error.text, "");
    free(cases);
}

static bool interrupts(const struct warp_case *c)
{
    if (c->active == CHECKER_BATCH / 2)
        raise(SIGINT);
    return c->active >= CHECKER_BATCH / 2;
}

/* What is refused after an interrupt is no refusal. */
static void test_interrupt_is_no_refusal(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, stopped = {.refuses = interrupts, .why = "interrupted"};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("stopped", &stopped);
    static struct checker checker;
    (void)state;
    interrupt_catch();
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_false(checker_run(&checker, cases, CASES));
    assert_int_equal(checker.error.code, ERROR_INTERRUPTED);
    assert_int_equal(checker.reasons_count, 0);
    assert_int_equal(checker_total(&checker).cases, checker_total(&checker).unanswered);
    interrupt_clear();
    free(cases);
}

static void test_failure_is_an_error(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, dead = {.fails = true};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("dead", &dead);
    static struct checker checker;
    (void)state;
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_false(checker_run(&checker, cases, CASES));
    assert_string_equal(checker.error.text, "dead: the fake cannot answer");
    assert_int_equal(checker_total(&checker).compared, 0);
    assert_int_equal(checker_total(&checker).cases, CHECKER_BATCH);
    assert_int_equal(checker_total(&checker).unanswered, CHECKER_BATCH);
    free(cases);
}

/* Who writes nothing must not agree with anything, not even with zeros. */
static void test_nothing_written_is_seen(void **state)
{
    struct warp_case cases[WARP_FORMS];
    struct fake right = {0}, idle = {.writes_nothing = true};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("idle", &idle);
    static struct checker checker;
    (void)state;
    for (unsigned i = 0; i < WARP_FORMS; i++) {
        warp_case_init(&cases[i], (enum warp_form)i);
        cases[i].active = 1;
    }
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_true(checker_run(&checker, cases, WARP_FORMS));
    assert_int_equal(checker_total(&checker).mismatches, WARP_FORMS);
}

/* Nor must who forgets one field be right where the answer is 0. */
static void test_one_field_not_written_is_seen(void **state)
{
    struct warp_case c;
    struct fake right = {0}, forgetful = {.forgets_d = true};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("forgetful", &forgetful);
    static struct checker checker;
    (void)state;
    warp_case_init(&c, WARP_REDUX_SYNC_ADD_U32); /* a and hence d are 0 */
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_true(checker_run(&checker, &c, 1));
    assert_int_equal(checker_total(&checker).mismatches, 1);
}

static void test_parts(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake right = {0}, wrong = {.wrong = odd_active};
    struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    static struct checker checker;
    (void)state;
    b.provides = WARP_PART_OUTCOME | WARP_PART_WAITS_FOR; /* wrong only in what is not looked at */
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_int_equal(checker_parts(&checker), b.provides);
    assert_true(checker_run(&checker, cases, CASES));
    assert_int_equal(checker_total(&checker).mismatches, 0);
    assert_int_equal(checker_total(&checker).compared, CASES);
    b.provides = WARP_PART_P; /* forms without a predicate: nothing to compare, and that is said */
    checker_init(&checker, &a, &b, NULL, NULL);
    assert_true(checker_run(&checker, cases, CASES));
    assert_int_equal(checker_family(&checker, WARP_REDUX_SYNC).compared, 0);
    assert_true(checker_family(&checker, WARP_VOTE).compared > 0);
    assert_int_equal(checker.reasons_count, 1);
    assert_int_equal(checker_total(&checker).compared + checker.reasons[0].cases, CASES);
    free(cases);
}

/* Elects the lane of the group with the number `turn`, and `step` further on in the next call. */
struct elector {
    unsigned turn, step;
};

static bool elector_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    struct elector *e = state;
    const struct warp_impl *spec = spec_get();
    if (!spec->eval(spec->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        lanemask others = results[i].done;
        for (unsigned k = e->turn % (unsigned)bits(results[i].done | 1); k > 0; k--)
            others &= others - 1;
        if (others != 0)
            warp_result_elect(&results[i], results[i].done, (unsigned)__builtin_ctz(others));
    }
    e->turn += e->step;
    return true;
}

/* Any lane may be elected, but the same one each time. */
static void test_elections_are_asked_twice(void **state)
{
    static const enum warp_dst dsts[] = {WARP_DST_D_P, WARP_DST_SINK_P};
    struct elector steady = {.turn = 3}, fickle = {.step = 1};
    struct warp_impl impl = {.name = "elector", .provides = WARP_PART_ALL, .eval = elector_eval};
    static struct checker checker;
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_ELECT_SYNC);
    c.active = 0xff;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.membermask[lane] = 0xff;
    for (size_t n = 0; n < sizeof dsts / sizeof dsts[0]; n++) {
        c.dst = dsts[n];
        impl.state = &steady;
        checker_init(&checker, spec_get(), &impl, NULL, NULL);
        assert_true(checker_run(&checker, &c, 1));
        assert_int_equal(checker_total(&checker).mismatches, 0);
        impl.state = &fickle;
        checker_init(&checker, spec_get(), &impl, NULL, NULL);
        assert_true(checker_run(&checker, &c, 1));
        assert_int_equal(checker_total(&checker).compared, 1);
        assert_int_equal(checker_total(&checker).mismatches, 1);
    }
    c.active = 0; /* nobody is elected */
    checker_init(&checker, spec_get(), &impl, NULL, NULL);
    assert_true(checker_run(&checker, &c, 1));
    assert_int_equal(checker_total(&checker).mismatches, 0);
}

static bool always(const struct warp_case *c)
{
    (void)c;
    return true;
}

static void test_many_reasons(void **state)
{
    struct warp_case c;
    struct fake right = {0}, picky = {.refuses = always};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("picky", &picky);
    static struct checker checker, sum;
    char why[32];
    (void)state;
    warp_case_init(&c, WARP_SHFL_SYNC_UP_B32);
    checker_init(&checker, &a, &b, NULL, NULL);
    picky.why = why;
    for (unsigned i = 0; i < CHECKER_REASONS + 4; i++) {
        snprintf(why, sizeof why, "reason %u", i);
        assert_true(checker_run(&checker, &c, 1));
    }
    assert_int_equal(checker.reasons_count, CHECKER_REASONS);
    assert_string_equal(checker.reasons[0].why, "picky: reason 0");
    assert_string_equal(checker.reasons[CHECKER_REASONS - 1].why, "other");
    assert_int_equal(checker.reasons[CHECKER_REASONS - 1].cases, 5);
    checker_init(&sum, &a, &b, NULL, NULL);
    checker_add(&sum, &checker);
    checker_add(&sum, &checker);
    assert_int_equal(checker_total(&sum).cases, 2 * (CHECKER_REASONS + 4));
    assert_int_equal(sum.reasons[0].cases, 2);
    assert_int_equal(sum.reasons_count, CHECKER_REASONS);
}

/* Checkers that share the reference's answers ask it once for each batch, but where one was not offered all of it. */
static void test_answers_are_shared(void **state)
{
    struct warp_case *cases = make_cases();
    struct fake believed = {0}, right = {0}, wrong = {.wrong = odd_active},
                some = {.wrong = odd_active, .refuses = is_vote};
    const struct warp_impl reference = fake_impl("believed", &believed);
    const struct warp_impl observed[] = {fake_impl("right", &right), fake_impl("wrong", &wrong),
                                         fake_impl("some", &some)};
    static struct checker shares[3], alone[3];
    static struct checker_shared shared;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        checker_init(&shares[i], &reference, &observed[i], NULL, NULL);
        checker_init(&alone[i], &reference, &observed[i], NULL, NULL);
        shares[i].shared = &shared;
    }
    for (size_t first = 0; first < CASES; first += 250) {
        shared.cases = NULL;
        for (size_t i = 0; i < 3; i++)
            assert_true(checker_run(&shares[i], cases + first, 250));
    }
    assert_int_equal(believed.evaluated, CASES + checker_total(&shares[2]).compared);
    for (size_t i = 0; i < 3; i++) {
        assert_true(checker_run(&alone[i], cases, CASES));
        assert_int_equal(checker_total(&shares[i]).mismatches, checker_total(&alone[i]).mismatches);
        assert_int_equal(checker_total(&shares[i]).compared, checker_total(&alone[i]).compared);
    }
    assert_true(checker_total(&alone[1]).mismatches > checker_total(&alone[2]).mismatches);
    assert_int_equal(checker_total(&alone[0]).mismatches, 0);
    free(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_refused_cases_are_counted),
        cmocka_unit_test(test_refusals_do_not_shift_results),
        cmocka_unit_test(test_late_refusal),
        cmocka_unit_test(test_failure_is_an_error),
        cmocka_unit_test(test_interrupt_is_no_refusal),
        cmocka_unit_test(test_nothing_written_is_seen),
        cmocka_unit_test(test_one_field_not_written_is_seen),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_elections_are_asked_twice),
        cmocka_unit_test(test_many_reasons),
        cmocka_unit_test(test_answers_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
