/* What a proof takes for true: instances of lemmas, and nothing that is stronger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "smt/lemma/lemma.h"
#include "smt/prove.h"

/* Asks for one property under a mistake; what it must say. */
static void check_fault(const char *fault, const char *property, enum smt_verdict verdict, const char *note)
{
    struct smt_options o;
    struct smt_outcome outcome;
    smt_options_init(&o);
    o.fault = fault;
    prove_entry(property_entry_of(smt_property_find(property)), &o, &outcome);
    if (outcome.verdict != verdict || strstr(outcome.note, note) == NULL)
        fail_msg("%s under %s is %s (%s)", property, fault, smt_verdict_name(outcome.verdict), outcome.note);
}

/* What is taken for true without proof must be a lemma's instance: neither a false term nor a stronger one passes. */
static void test_facts(void **state)
{
    static const char *const users[] = {
        "redux-order-and",     "redux-min-u32-bound",     "redux-min-u32-attained", "redux-outside-irrelevant",
        "redux-singleton-add", "redux-and-or-de-morgan",  "redux-f32-key",          "redux-f32-all-nan",
        "redux-f32-negation",  "redux-add-u32-butterfly", "redux-lemma-exchange",   "redux-lemma-swaps"};
    (void)state;
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++) {
        check_fault("fact-false", users[i], SMT_VACUOUS, "nothing satisfies the hypotheses and the lemma instances");
        check_fault("fact-stronger", users[i], SMT_ERROR, "is not an instance of it");
    }
}

static term instance_pattern(struct goal *g, term x, term y)
{
    struct smt *s = g->s;
    return term_implies(s, term_ult(s, x, y), term_eq(s, term_add(s, x, y), term_band(s, term_word(s, 7), x)));
}

/* The matching by itself: instances and near misses. */
static void test_instances(void **state)
{
    struct smt *s = smt_open(0);
    struct goal g;
    term x, y, z, one, pattern;
    (void)state;
    goal_init(&g, s);
    x = goal_word(&g, "x");
    y = goal_word(&g, "y");
    one = term_word(s, 1);
    z = term_add(s, x, one);
    pattern = instance_pattern(&g, x, y);
    assert_true(instance_of(s, pattern, &g.unknowns, pattern));
    assert_true(instance_of(s, pattern, &g.unknowns, instance_pattern(&g, y, x)));
    assert_true(instance_of(s, pattern, &g.unknowns, instance_pattern(&g, z, z)));
    assert_true(instance_of(s, pattern, &g.unknowns, instance_pattern(&g, one, z)));
    /* x stands for two terms; another operation; another literal; a part alone; a Bool for a word */
    assert_false(instance_of(
        s, pattern, &g.unknowns,
        term_implies(s, term_ult(s, x, y), term_eq(s, term_add(s, z, y), term_band(s, term_word(s, 7), x)))));
    assert_false(instance_of(
        s, pattern, &g.unknowns,
        term_implies(s, term_ule(s, x, y), term_eq(s, term_add(s, x, y), term_band(s, term_word(s, 7), x)))));
    assert_false(instance_of(
        s, pattern, &g.unknowns,
        term_implies(s, term_ult(s, x, y), term_eq(s, term_add(s, x, y), term_band(s, term_word(s, 6), x)))));
    assert_false(instance_of(s, pattern, &g.unknowns, term_eq(s, term_add(s, x, y), term_band(s, term_word(s, 7), x))));
    assert_false(instance_of(s, x, &g.unknowns, term_eq(s, x, y)));
    assert_false(instance_of(s, term_word(s, 7), &g.unknowns, x));
    /* a constant that is no variable stands for itself */
    z = term_constant(s, s->word_sort, "not declared");
    assert_true(instance_of(s, z, &g.unknowns, z));
    assert_false(instance_of(s, z, &g.unknowns, x));
    goal_free(&g);
    smt_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_instances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
