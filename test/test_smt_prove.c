/* The prover itself: the catalogue is sound as data, and each verdict can happen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smt/catalogue/catalogue.h"
#include "smt/prove.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#define PROPERTIES_MAX 1024

static const struct smt_property *chosen[PROPERTIES_MAX];
static struct smt_outcome outcomes[PROPERTIES_MAX];
static const struct warp_impl *replay[2];

static void set_options(struct smt_options *o)
{
    smt_options_init(o);
    replay[0] = spec_get();
    replay[1] = fast_get();
    o->replay = replay;
    o->replay_count = 2;
    o->jobs = 2;
    o->memory_mb = 0;
}

/* The names in a list, and the lemmas that they rest on. */
static size_t choose(const char *names)
{
    size_t n = 0;
    for (size_t i = 0; i <= n; i++) {
        const char *rest = i == 0 ? names : chosen[i - 1]->lemmas;
        for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);) {
            size_t k = 0;
            while (k < n && strcmp(chosen[k]->name, name) != 0)
                k++;
            if (k == n)
                chosen[n++] = smt_property_find(name);
            if (chosen[n - 1] == NULL)
                fail_msg("no property is called %s", name);
        }
    }
    return n;
}

static void test_catalogue(void **state)
{
    (void)state;
    assert_true(smt_property_count() >= 60);
    assert_true(smt_property_count() < PROPERTIES_MAX);
    for (size_t i = 0; i < smt_property_count(); i++) {
        const struct smt_property *p = smt_property_get(i);
        assert_ptr_equal(smt_property_find(p->name), p); /* else two have one name */
        assert_true(p->sentence[0] != '\0' && p->clause[0] != '\0' && p->family[0] != '\0');
        assert_true(p->expected == SMT_PROVED || p->expected == SMT_REFUTED);
        size_t n = choose(p->name);
        for (size_t k = 1; k < n; k++)
            assert_int_equal(chosen[k]->expected, SMT_PROVED);
    }
    assert_null(smt_property_get(smt_property_count()));
    assert_null(smt_property_find("no-such-property"));
}

/* Marks the forms of the warps in the goal of a property, where the property is of the form's own family. */
static void mark_forms(const struct smt_property *p, bool marked[WARP_FORMS])
{
    struct smt *s = smt_open(0);
    struct goal g;
    assert_non_null(s);
    goal_init(&g, s);
    g.property = p;
    property_entry_of(p)->build(&g, property_entry_of(p)->argument);
    for (size_t i = 0; i < g.warps_count; i++) {
        const char *const name = g.warps[i]->info->name;
        const size_t word = strcspn(name, ".");
        if (strncmp(p->family, name, word) == 0 && (p->family[word] == '\0' || p->family[word] == '-'))
            marked[g.warps[i]->info->form] = true;
    }
    goal_free(&g);
    smt_close(s);
}

/* Every form of the table has properties of its own: a form that is added to the table alone is named here. */
static void test_forms(void **state)
{
    bool marked[WARP_FORMS] = {false};
    (void)state;
    for (size_t i = 0; i < smt_property_count(); i++)
        if (strcmp(smt_property_get(i)->family, "program") != 0)
            mark_forms(smt_property_get(i), marked);
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (!marked[form])
            fail_msg("no property of the catalogue is about %s", warp_form_get(form)->name);
}

/* Each kind of property is broken by some mistake, and each mistake breaks some. That it does is for must_break.sh;
 * that without it they have the expected verdicts, for `prove`. */
static void test_patches(void **state)
{
    static const char *const families[] = {"outcome",   "activemask", "shfl",     "vote",  "match",   "redux",
                                           "redux-f32", "program",    "legality", "elect", "bar-warp"};
    enum { FAMILIES = sizeof families / sizeof families[0] };
    bool broken[FAMILIES] = {false};
    unsigned patches = 0, lists = 0;
    char line[512];
    FILE *f = fopen("test/smt/must_break.patches", "r");
    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        const char *rest = line + strlen("breaks:");
        line[strcspn(line, "\n")] = '\0';
        patches += strncmp(line, "## ", 3) == 0;
        if (strncmp(line, "breaks:", strlen("breaks:")) != 0)
            continue;
        lists++;
        assert_true(strlen(rest) > 1);
        for (char name[SMT_NAME_MAX]; smt_name_next(&rest, name);) {
            if (smt_property_find(name) == NULL)
                fail_msg("no property is called %s", name);
            for (size_t i = 0; i < FAMILIES; i++)
                broken[i] |= strcmp(smt_property_find(name)->family, families[i]) == 0;
        }
    }
    fclose(f);
    assert_true(patches >= 53);
    assert_int_equal(lists, patches);
    for (size_t i = 0; i < FAMILIES; i++)
        if (!broken[i])
            fail_msg("no mistake breaks a property of %s", families[i]);
}

static void build_vacuous(struct goal *g, int unused)
{
    term x = goal_word(g, "x");
    (void)unused;
    goal_assume(g, term_ult(g->s, x, term_word(g->s, 0)));
    goal_claim(g, "anything", term_bool(g->s, false));
}

static void build_vacuous_claim(struct goal *g, int unused)
{
    term x = goal_word(g, "x");
    (void)unused;
    goal_claim_when(g, "anything", term_ult(g->s, x, term_word(g->s, 0)), term_bool(g->s, false));
}

static void build_empty(struct goal *g, int unused)
{
    (void)g;
    (void)unused;
}

static void build_crash(struct goal *g, int unused)
{
    (void)g;
    (void)unused;
    abort();
}

/* An ill-sorted term: Z3 reports an error. */
static void build_ill_sorted(struct goal *g, int unused)
{
    (void)unused;
    goal_claim(g, "nonsense", term_and(g->s, goal_word(g, "x"), goal_bool(g, "y")));
}

/* Proving that 2^61 - 1 is prime takes a bit-blaster far too long. */
static void build_hard(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = term_extend(s, 64, goal_word(g, "x")), y = term_extend(s, 64, goal_word(g, "y"));
    term product = smt_keep(s, Z3_mk_bvmul(s->z3, x, y));
    (void)unused;
    goal_claim(g, "prime", term_ne(s, product, term_bits(s, (UINT64_C(1) << 61) - 1, 64)));
}

/* A lemma that is expected to hold and does not. */
static void build_false(struct goal *g, int unused)
{
    term x = goal_word(g, "x");
    (void)unused;
    goal_claim(g, "x is 5", term_eq(g->s, x, term_word(g->s, 5)));
}

static void build_true(struct goal *g, int unused)
{
    term x = goal_word(g, "x");
    (void)unused;
    goal_claim(g, "x is x", term_eq(g->s, term_add(g->s, x, x), term_shl(g->s, x, term_word(g->s, 1))));
}

/* Claims that are asked about together, all true but one: none may be forgotten. */
static void build_all_but(struct goal *g, int wrong)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), twice = term_add(s, x, x);
    for (int i = 0; i < 3; i++) {
        const term distance = term_word(s, i == wrong ? 2 : 1);
        goal_claim_when(g, i == 2 ? "beyond 7" : "twice", i == 2 ? term_ult(s, term_word(s, 7), x) : NULL,
                        term_eq(s, twice, term_shl(s, x, distance)));
    }
}

/* A true claim, with something wrong about a lemma: not named by the property, without such a claim or unknown, ... */
#define LEMMA "redux-lemma-outside"
#define BUILD_FACT(name, what, unknown, value)                                                                         \
    static void name(struct goal *g, int unused)                                                                       \
    {                                                                                                                  \
        GOAL_FACT(g, LEMMA, what, {unknown, value});                                                                   \
        build_true(g, unused);                                                                                         \
    }
BUILD_FACT(build_fact, "redux.sync.min.u32", "x", goal_word(g, "z"))
BUILD_FACT(build_fact_no_claim, "no such claim", "x", goal_word(g, "z"))
BUILD_FACT(build_fact_no_unknown, "redux.sync.min.u32", "no such unknown", goal_word(g, "z"))
BUILD_FACT(build_fact_wrong_sort, "redux.sync.min.u32", "x", goal_bool(g, "z"))

#define ENTRY_OF(name, build, argument, lemmas)                                                                        \
    {                                                                                                                  \
        {name, "test", name, name, SMT_PROVED, SMT_Z3, "", lemmas}, build, argument                                    \
    }
#define ENTRY(name, build, lemmas) ENTRY_OF(name, build, 0, lemmas)
static const struct property_entry entries[] = {
    ENTRY("vacuous", build_vacuous, ""),
    ENTRY("vacuous-claim", build_vacuous_claim, ""),
    ENTRY("empty", build_empty, ""),
    ENTRY("crash", build_crash, ""),
    ENTRY("ill-sorted", build_ill_sorted, ""),
    ENTRY("hard", build_hard, ""),
    ENTRY("false", build_false, ""),
    ENTRY("true", build_true, ""),
    ENTRY("rests", build_true, "true false"),
    ENTRY("rests-on-missing", build_true, "missing"),
    ENTRY("round-a", build_true, "round-b"),
    ENTRY("round-b", build_true, "true round-a"),
    ENTRY("on-round", build_true, "round-b"),
    ENTRY("no-lemma", build_fact, "true"),
    ENTRY("no-claim", build_fact_no_claim, LEMMA),
    ENTRY("no-unknown", build_fact_no_unknown, LEMMA),
    ENTRY("wrong-sort", build_fact_wrong_sort, LEMMA),
    ENTRY_OF("all-but-the-first", build_all_but, 0, ""),
    ENTRY_OF("all-but-the-second", build_all_but, 1, ""),
    ENTRY_OF("all-but-the-last", build_all_but, 2, ""),
    ENTRY_OF("all-three", build_all_but, 3, ""),
};
static const enum smt_verdict wanted[] = {SMT_VACUOUS, SMT_VACUOUS, SMT_ERROR,   SMT_ERROR,   SMT_ERROR, SMT_TIMEOUT,
                                          SMT_REFUTED, SMT_PROVED,  SMT_UNKNOWN, SMT_UNKNOWN, SMT_ERROR, SMT_ERROR,
                                          SMT_ERROR,   SMT_ERROR,   SMT_ERROR,   SMT_ERROR,   SMT_ERROR, SMT_REFUTED,
                                          SMT_REFUTED, SMT_REFUTED, SMT_PROVED};

static void test_verdicts(void **state)
{
    struct smt_options o;
    struct error error;
    size_t n = sizeof entries / sizeof entries[0];
    (void)state;
    set_options(&o);
    o.timeout_s = 3;
    for (size_t i = 0; i < n; i++)
        chosen[i] = &entries[i].property;
    assert_true(smt_prove(chosen, n, &o, outcomes, &error));
    for (size_t i = 0; i < n; i++)
        if (outcomes[i].verdict != wanted[i] || outcomes[i].not_tried)
            fail_msg("%s is %s (%s)", entries[i].property.name, smt_verdict_name(outcomes[i].verdict),
                     outcomes[i].note);
}

static bool first_ended;

static void note_end(void *context, const struct smt_property *property, const struct smt_outcome *outcome)
{
    (void)context;
    (void)property;
    first_ended |= outcome != NULL;
}

static bool stop_after_first(void *context)
{
    (void)context;
    return first_ended;
}

/* A run that ends after its first property: that it is proved does not count, as its lemmas were not tried. */
static void test_interrupted(void **state)
{
    struct smt_options o;
    struct error error;
    (void)state;
    set_options(&o);
    o.jobs = 1;
    o.progress = note_end;
    o.stop = stop_after_first;
    chosen[0] = &entries[8].property; /* rests on: */
    chosen[1] = &entries[7].property; /* true */
    chosen[2] = &entries[6].property; /* false */
    assert_true(smt_prove(chosen, 3, &o, outcomes, &error));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(outcomes[i].verdict, SMT_UNKNOWN);
        assert_true(outcomes[i].not_tried);
    }
    assert_int_equal(outcomes[0].claims, 1);
}

static bool answer_nothing(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                           char *error, size_t error_size)
{
    (void)state;
    (void)cases;
    (void)error;
    (void)error_size;
    memset(results, 0, n * sizeof *results);
    return true;
}

/* A witness that an implementation does not confirm is an error, loudly. */
static void test_replay(void **state)
{
    static const struct warp_impl wrong = {.name = "wrong", .provides = WARP_PART_ALL, .eval = answer_nothing};
    struct smt_options o;
    struct error error;
    size_t n = choose("shfl-bfly-segment-width");
    (void)state;
    set_options(&o);
    assert_true(smt_prove(chosen, n, &o, outcomes, &error));
    assert_int_equal(outcomes[0].verdict, SMT_REFUTED);
    assert_int_equal(outcomes[0].replayed, 2);
    assert_int_equal(outcomes[0].cases, 1);
    assert_null(warp_case_check(&outcomes[0].c[0]));
    replay[1] = &wrong;
    assert_true(smt_prove(chosen, n, &o, outcomes, &error));
    assert_int_equal(outcomes[0].verdict, SMT_ERROR);
    assert_non_null(strstr(outcomes[0].note, "wrong"));
}

static void test_bad_requests(void **state)
{
    struct smt_options o;
    struct error error;
    size_t n = choose("vote-uni-is-all");
    (void)state;
    set_options(&o);
    o.smtlib_dir = "/proc/no/such/folder";
    assert_false(smt_prove(chosen, n, &o, outcomes, &error));
}

/* docs/generated/properties.md is what the catalogue says. */
static void test_page(void **state)
{
    FILE *page = fopen("docs/generated/properties.md", "r"), *now = tmpfile();
    int x, y;
    (void)state;
    assert_non_null(page);
    assert_non_null(now);
    smt_properties_markdown(now);
    rewind(now);
    do {
        x = getc(page);
        y = getc(now);
        if (x != y)
            fail_msg("docs/generated/properties.md is old: warpcheck prove --markdown > docs/generated/properties.md");
    } while (x != EOF);
    fclose(page);
    fclose(now);
}

/* docs/generated/proved.md has a row for each property, with the expected verdict. */
static void test_record(void **state)
{
    static char page[1 << 18];
    FILE *f = fopen("docs/generated/proved.md", "r");
    char row[160];
    (void)state;
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    for (size_t i = 0; i < smt_property_count(); i++) {
        const struct smt_property *p = smt_property_get(i);
        snprintf(row, sizeof row, "| `%s` | %s |", p->name, smt_verdict_name(p->expected));
        if (strstr(page, row) == NULL)
            fail_msg(
                "docs/generated/proved.md has no '%s': warpcheck prove --solver both --record docs/generated/proved.md",
                row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalogue),    cmocka_unit_test(test_forms),       cmocka_unit_test(test_page),
        cmocka_unit_test(test_record),       cmocka_unit_test(test_verdicts),    cmocka_unit_test(test_replay),
        cmocka_unit_test(test_bad_requests), cmocka_unit_test(test_interrupted), cmocka_unit_test(test_patches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
