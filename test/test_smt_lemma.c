/* What a proof takes for true: instances of lemmas, and nothing that is stronger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/file.h"
#include "base/process.h"
#include "smt/catalogue/catalogue.h"
#include "smt/prove.h"

/* What is done to every fact of a property's goal, once the goal stands. */
static const struct property_entry *original;
static term (*alter)(struct smt *s, term instance);

static void build_altered(struct goal *g, int argument)
{
    original->build(g, argument);
    assert_true(g->facts_count > 0);
    for (size_t i = 0; i < g->facts_count; i++)
        g->facts[i].instance = alter(g->s, g->facts[i].instance);
}

static term falsehood(struct smt *s, term instance)
{
    (void)instance;
    return term_bool(s, false);
}

/* Without what the lemma assumes. */
static term stronger(struct smt *s, term instance)
{
    const Z3_app app = Z3_to_app(s->z3, instance);
    const bool implies = Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, app)) == Z3_OP_IMPLIES;
    return implies ? Z3_get_app_arg(s->z3, app, 1) : instance;
}

/* Asks for one property with its facts altered; what it must say. */
static void check_altered(term (*how)(struct smt *s, term instance), const char *property, enum smt_verdict verdict,
                          const char *note)
{
    struct smt_options o;
    struct smt_outcome outcome;
    struct property_entry entry;
    smt_options_init(&o);
    original = property_entry_of(smt_property_find(property));
    alter = how;
    entry = *original;
    entry.build = build_altered;
    prove_entry(&entry, &o, &outcome);
    if (outcome.verdict != verdict || strstr(outcome.note, note) == NULL)
        fail_msg("%s with other facts is %s (%s)", property, smt_verdict_name(outcome.verdict), outcome.note);
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
        check_altered(falsehood, users[i], SMT_VACUOUS, "nothing satisfies the hypotheses and the lemma instances");
        check_altered(stronger, users[i], SMT_ERROR, "is not an instance of it");
    }
}

/* A fact that is false: cvc5 finds the query that was written for it unsatisfiable, too. */
static void test_query(void **state)
{
    const struct property_entry *const user = property_entry_of(smt_property_find("redux-singleton-add"));
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX], answer[64];
    const char *const argv[] = {"cvc5", path, NULL};
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    struct property_entry entry = *user;
    struct smt_outcome outcome;
    struct smt_options o;
    struct error error;
    (void)state;
    smt_options_init(&o);
    assert_true(folder_temporary("test", folder, &error));
    o.smtlib_dir = folder;
    original = user;
    alter = falsehood;
    entry.build = build_altered;
    prove_entry(&entry, &o, &outcome);
    assert_int_equal(outcome.verdict, SMT_VACUOUS);
    assert_true(file_join(folder, "redux-singleton-add.1.facts.smt2", path, &error));
    assert_true(file_exists(path));
    if (smt_cvc5_version() == NULL)
        print_message("UNAVAILABLE: cvc5\n");
    else if (!process_run(&plan, 60, answer, sizeof answer, &error) || strcmp(answer, "unsat\n") != 0)
        fail_msg("cvc5 says %s", answer);
    folder_remove(folder);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_query),
                                       cmocka_unit_test(test_instances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
