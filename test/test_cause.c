/*
 * Causes: the reading without mistakes is right; every known mistake is named from its answers alone, and so are pairs
 * and triples of them; what no known mistake explains is not explained away.
 */
#include "base/random.h"
#include "check/campaign/causes.h"
#include "check/cause/cause.h"
#include "check/cause/plain.h"
#include "check/random.h"
#include "model/lanes.h"
#include "test/mutants/base.h"
#include "test/sample.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "test/campaign_causes.h"

#define CASES      1500u
#define MIX_CASES  12000u
#define PATIENCE_S 3600.0 /* no verdict depends on how busy the machine is */

/* The mutants, linked in. */
const struct warp_impl *warpcheck_implementation(size_t i);

static struct reading mistaken;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    (void)state, (void)error, (void)error_size;
    for (size_t i = 0; i < n; i++) {
        struct reading_answer answer;
        reading_eval(&mistaken, &cases[i], &answer);
        results[i] = answer.r;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (answer.anything >> lane & 1u)
                results[i].d[lane] = UINT32_C(0x5bad0000) | lane; /* what lies beside the registers */
    }
    return true;
}

static const struct warp_impl observed = {
    .name = "mistaken", .description = "", .provides = WARP_PART_ALL, .eval = eval};

static void test_without_mistakes(void **state)
{
    struct warp_case c;
    struct reading_answer r;
    struct warp_result s;
    struct warp_diff diff;
    char error[64];
    (void)state;
    reading_init(&mistaken);
    for (uint64_t i = 0; i < 300000; i++) {
        random_case(5, i, (1u << WARP_FAMILIES) - 1, &c);
        reading_eval(&mistaken, &c, &r);
        assert_true(spec_get()->eval(NULL, &c, 1, &s, error, sizeof error));
        if (!warp_result_compare(&c, &s, &r.r, WARP_PART_ALL, &diff))
            fail_msg("case %llu, %s", (unsigned long long)i, warp_form_get(c.form)->name);
    }
}

/* Looks for the cause in the first family of those that the mistakes concern and that shows a mismatch. False: none
 * does. */
static bool find(struct cause *cause, enum warp_family *family)
{
    for (unsigned f = 0; f < WARP_FAMILIES; f++) {
        struct cause_evidence evidence;
        struct error error;
        bool shown;
        if (!cause_gather(&evidence, spec_get(), &observed, (enum warp_family)f, 11, CASES, &error))
            fail_msg("%s", error.text);
        shown = evidence.mismatches > 0;
        if (shown) {
            *family = (enum warp_family)f;
            cause_find(&evidence, NULL, PATIENCE_S, cause);
        }
        cause_evidence_free(&evidence);
        if (shown)
            return true;
    }
    return false;
}

static bool names(const struct cause *cause, enum mistake mistake)
{
    for (size_t i = 0; i < cause->count; i++)
        if (cause->terms[i].mistake == mistake)
            return true;
    return false;
}

/* Two mistakes may answer alike wherever the case space looks, or in what is compared; then either name is right, and
 * the set that was found is no larger. */
static void test_each_mistake(void **state)
{
    unsigned named = 0, other = 0;
    (void)state;
    for (int m = 0; m < MISTAKES; m++) {
        struct cause cause;
        enum warp_family family = WARP_FAMILIES;
        char text[CAUSE_TEXT_MAX];
        if ((mistake_get((enum mistake)m)->classes & CLASS_ENDS) || !is_in_sample((size_t)m, 5))
            continue; /* test_read_before_test */
        reading_init(&mistaken);
        mistaken.ops[m] = UINT32_MAX;
        if (!find(&cause, &family))
            fail_msg("%s is not seen", mistake_get((enum mistake)m)->name);
        if (cause.count != 1)
            fail_msg("%s: %s", mistake_get((enum mistake)m)->name, cause_text(&cause, family, text));
        if (cause.terms[0].mistake == (enum mistake)m)
            named++;
        else
            print_message("%s: %s\n", mistake_get((enum mistake)m)->name, cause_text(&cause, family, text));
        other += cause.terms[0].mistake != (enum mistake)m;
    }
    print_message("%u named, %u by another name that answers alike\n", named, other);
    assert_true(named >= MISTAKES / 5 && other * 20 <= MISTAKES);
}

/* Several that are made in every operation are told so, though another one fits where d is 0 for two reasons: in min
 * and and, "never written". */
static void test_made_everywhere(void **state)
{
    static const enum mistake made[] = {MISTAKE_STARTS_AT_ZERO, MISTAKE_SIGN_IGNORED, MISTAKE_XOR_AS_OR};
    struct cause cause;
    enum warp_family family = WARP_FAMILIES;
    char text[CAUSE_TEXT_MAX];
    (void)state;
    reading_init(&mistaken);
    for (size_t i = 0; i < 3; i++)
        mistaken.ops[made[i]] = UINT32_MAX & ~(1u << READING_MIN_F32 | 1u << READING_MAX_F32);
    assert_true(find(&cause, &family));
    for (size_t i = 0; i < 3; i++)
        if (cause.count != 3 || !names(&cause, made[i]))
            fail_msg("%s", cause_text(&cause, family, text));
}

/* An implementation that makes this mistake in these operations, and ends where it then reads a lane that no warp has.
 * `more`: on some other cases, too. */
static void gather_ends(struct cause_evidence *evidence, enum mistake mistake, uint32_t ops, bool more)
{
    char error[64];
    reading_init(&mistaken);
    mistaken.ops[mistake] = ops;
    *evidence = (struct cause_evidence){.parts = WARP_PART_D};
    for (uint64_t i = 0; i < CASES; i++) {
        struct cause_case k = {.differs = false};
        struct reading_answer answer;
        random_case(7, i, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &k.c);
        plain_make(&k.c, PLAIN_WAY_CUDA);
        assert_true(spec_get()->eval(NULL, &k.c, 1, &k.expected, error, sizeof error));
        reading_eval(&mistaken, &k.c, &answer);
        k.observed = answer.r;
        if ((answer.beyond | answer.anything) != 0 ||
            (more && (ops >> warp_form_get(k.c.form)->op & 1u) && (k.c.a[lanes_lowest(k.c.active)] & 3u) == 2)) {
            k.differs = true;
            k.ending = ERROR_CRASH;
            k.signal = 11;
        }
        assert_true(cause_add(evidence, &k));
    }
}

/* Where the answers are right, the ends alone tell it; and no pair of other mistakes is named that fits them. */
static void test_read_before_test(void **state)
{
    struct cause_evidence evidence;
    struct cause cause;
    (void)state;
    gather_ends(&evidence, MISTAKE_READ_BEFORE_TEST, 1u << WARP_DOWN, false);
    assert_true(evidence.endings > 0 && evidence.mismatches == 0);
    cause_find(&evidence, NULL, PATIENCE_S, &cause);
    assert_int_equal(cause.count, 1);
    assert_int_equal(cause.terms[0].mistake, MISTAKE_READ_BEFORE_TEST);
    assert_int_equal(cause.terms[0].ops, 1u << WARP_DOWN);
    assert_int_equal(cause.explained, cause.endings);
    cause_evidence_free(&evidence);
    gather_ends(&evidence, MISTAKE_READ_BEFORE_TEST, 1u << WARP_DOWN, true);
    cause_find(&evidence, NULL, PATIENCE_S, &cause);
    assert_int_equal(cause.count, 0);
    cause_evidence_free(&evidence);
    /* Where lanes below 0 alone end it, they were taken for large ones. */
    gather_ends(&evidence, MISTAKE_UNSIGNED_COMPARE, UINT32_MAX, false);
    assert_true(evidence.endings > 0 && evidence.mismatches == 0);
    cause_find(&evidence, NULL, PATIENCE_S, &cause);
    assert_int_equal(cause.count, 1);
    assert_int_equal(cause.terms[0].mistake, MISTAKE_UNSIGNED_COMPARE);
    cause_evidence_free(&evidence);
}

static void test_modes_in_another_order(void **state)
{
    struct cause cause;
    enum warp_family family = WARP_FAMILIES;
    char text[CAUSE_TEXT_MAX];
    (void)state;
    reading_init(&mistaken);
    mistaken.order = (struct mode_order){{3, 0, 1, 2}};
    assert_true(find(&cause, &family));
    assert_int_equal(cause.count, 1);
    cause_text(&cause, family, text);
    assert_non_null(strstr(text, "up is computed as idx, down is computed as up"));
}

static void test_in_one_operation(void **state)
{
    struct cause cause;
    enum warp_family family = WARP_FAMILIES;
    char text[CAUSE_TEXT_MAX];
    (void)state;
    reading_init(&mistaken);
    mistaken.ops[MISTAKE_B_WHOLE] = 1u << WARP_BFLY;
    assert_true(find(&cause, &family));
    cause_text(&cause, family, text);
    assert_int_equal(cause.count, 1);
    assert_non_null(strstr(text, "in bfly alone: b is not reduced to 5 bits (explains all "));
    assert_non_null(strstr(text, "Semantics: bval = b[4:0])"));
}

/* A mistake that is made in one mode is told of it alone where the answers in the others contradict it, and claims
 * nothing of every mode where nothing there tells. */
static void test_in_one_mode(void **state)
{
    static const enum mistake made[] = {MISTAKE_B_6_BITS,       MISTAKE_B_MOD_WIDTH,   MISTAKE_OUT_IS_ZERO,
                                        MISTAKE_P_END_EXCLUDED, MISTAKE_SOURCE_OWN_16, MISTAKE_P_IS_MEMBER,
                                        MISTAKE_RANGE_BOTH_ENDS};
    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        struct cause cause;
        enum warp_family family = WARP_FAMILIES;
        char text[CAUSE_TEXT_MAX];
        reading_init(&mistaken);
        mistaken.ops[made[i]] = 1u << WARP_BFLY;
        assert_true(find(&cause, &family));
        cause_text(&cause, family, text);
        if (cause.count != 1 || cause.terms[0].mistake != made[i] || strstr(text, "every mode") != NULL ||
            (strncmp(text, "in bfly alone: ", 15) != 0 && made[i] != MISTAKE_RANGE_BOTH_ENDS))
            fail_msg("%s: %s", mistake_get(made[i])->name, text);
    }
}

/* Sets of n mistakes of one instruction: all are named, or a set of the same size or smaller answers alike. */
static void check_sets(unsigned n, unsigned rounds, unsigned least_percent)
{
    static const uint32_t classes[] = {CLASS_SHFL, CLASS_VOTE, CLASS_MATCH, CLASS_REDUX};
    struct random random = {n};
    unsigned tried = 0, good = 0;
    for (unsigned round = 0; round < rounds; round++) {
        const uint32_t class = classes[random_below(&random, 4)];
        struct cause cause;
        enum warp_family family = WARP_FAMILIES;
        enum mistake set[3] = {MISTAKES, MISTAKES, MISTAKES};
        char text[CAUSE_TEXT_MAX];
        bool all = true;
        reading_init(&mistaken);
        for (unsigned i = 0; i < n; i++) {
            do
                set[i] = (enum mistake)random_below(&random, MISTAKES);
            while (!(mistake_get(set[i])->classes & class) || (mistake_get(set[i])->classes & CLASS_ENDS) ||
                   (i > 0 && set[i] == set[0]) || (i > 1 && set[i] == set[1]));
            mistaken.ops[set[i]] = UINT32_MAX;
        }
        if (!find(&cause, &family))
            continue;
        tried++;
        for (unsigned i = 0; i < n; i++)
            all = all && names(&cause, set[i]);
        good += all || (cause.count > 0 && cause.count <= n);
        if (!all)
            print_message("%s, %s%s%s: %s\n", mistake_get(set[0])->name, mistake_get(set[1])->name, n > 2 ? ", " : "",
                          n > 2 ? mistake_get(set[2])->name : "", cause_text(&cause, family, text));
    }
    print_message("%u of %u sets of %u explained\n", good, tried, n);
    assert_true(tried * 10 >= rounds * 9 && good * 100 >= tried * least_percent);
}

static void test_two_mistakes(void **state)
{
    (void)state;
    check_sets(2, 12, 90);
}

static void test_three_mistakes(void **state)
{
    (void)state;
    check_sets(3, 5, 80);
}

/* A constant that nobody makes by mistake. */
static bool eval_strange(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    spec_get()->eval(NULL, cases, n, results, error, error_size);
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (cases[i].b[lane] > 31 && (cases[i].b[lane] & 7u) == 3)
                results[i].d[lane] ^= 0x100;
    return true;
}

/* Asks about an implementation that is wrong in a way that nobody knows, and gets no name. */
static void find_nothing(bool (*wrong)(void *, const struct warp_case *, size_t, struct warp_result *, char *, size_t),
                         enum warp_family family, struct cause_evidence *evidence, struct cause *cause)
{
    const struct warp_impl impl = {.name = "strange", .description = "", .provides = WARP_PART_ALL, .eval = wrong};
    struct error error;
    assert_true(cause_gather(evidence, spec_get(), &impl, family, 3, CASES, &error));
    assert_true(evidence->mismatches > 0 && evidence->agreements > 0);
    cause_find(evidence, NULL, 2, cause);
    assert_int_equal(cause->count, 0);
}

static void test_unknown(void **state)
{
    struct cause_evidence evidence;
    struct cause cause;
    char text[CAUSE_TEXT_MAX];
    (void)state;
    find_nothing(eval_strange, WARP_SHFL_SYNC, &evidence, &cause);
    cause_text(&cause, WARP_SHFL_SYNC, text);
    assert_int_equal(strncmp(text, "no known mistake explains it", 28), 0);
    assert_int_equal(strstr(text, "the time was over before") != NULL, cause.late); /* sets of three are many */
    assert_non_null(strstr(text, "; in every mismatch: "));
    assert_non_null(strstr(text, "b is above 31"));
    assert_non_null(strstr(text, "bit 0 of b is 1, bit 1 of b is 1, bit 2 of b is 0"));
    cause_evidence_free(&evidence);
}

/* Sums of the other sign. */
static bool eval_negated(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    spec_get()->eval(NULL, cases, n, results, error, error_size);
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (warp_form_get(cases[i].form)->op == WARP_ADD)
                results[i].d[lane] = 0u - results[i].d[lane];
    return true;
}

/* No two mistakes, each of which leaves much open, explain it together. */
static void test_unknown_sum(void **state)
{
    struct cause_evidence evidence;
    struct cause cause;
    (void)state;
    find_nothing(eval_negated, WARP_REDUX_SYNC, &evidence, &cause);
    cause_evidence_free(&evidence);
}

/* Mistakes of `mistaken` in all modes but up, which is wrong in a way that nobody knows. */
static bool eval_half_known(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                            char *error, size_t error_size)
{
    eval(state, cases, n, results, error, error_size);
    for (size_t i = 0; i < n; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (warp_form_get(cases[i].form)->op == WARP_UP && (cases[i].b[lane] & 5u) == 5)
                results[i].d[lane] ^= 0x100;
    return true;
}

/* Where something stays unexplained, a mistake that gives no wrong answer by itself is not named: in down no source is
 * below 0 unless b is negative, so an unsigned comparison is seen there only together with another mistake. */
static void test_half_known(void **state)
{
    const struct warp_impl half = {
        .name = "half", .description = "", .provides = WARP_PART_ALL, .eval = eval_half_known};
    struct cause_evidence evidence;
    struct error error;
    struct cause cause;
    (void)state;
    reading_init(&mistaken);
    mistaken.ops[MISTAKE_B_SIGNED] = mistaken.ops[MISTAKE_UNSIGNED_COMPARE] = 1u << WARP_DOWN;
    mistaken.ops[MISTAKE_BFLY_OWN_SEGMENT] = 1u << WARP_BFLY;
    assert_true(cause_gather(&evidence, spec_get(), &half, WARP_SHFL_SYNC, 3, CASES, &error));
    cause_find(&evidence, NULL, 2, &cause);
    assert_true(cause.explained < cause.mismatches);
    for (size_t t = 0; t < cause.count; t++) {
        size_t shown = 0;
        for (size_t i = 0; i < evidence.count; i++)
            shown += cause_term_shows(&cause.terms[t], &evidence.cases[i], evidence.parts);
        if (shown == 0)
            fail_msg("%s is named", mistake_get(cause.terms[t].mistake)->name);
    }
    cause_evidence_free(&evidence);
}

/* Beside an unknown mistake in up, these three are named, each in its operation. */
static void check_beside(const enum mistake known[3])
{
    const struct warp_impl half = {
        .name = "half", .description = "", .provides = WARP_PART_ALL, .eval = eval_half_known};
    static const enum warp_op ops[] = {WARP_DOWN, WARP_BFLY, WARP_IDX};
    struct cause_evidence evidence;
    struct error error;
    struct cause cause;
    size_t different = 0;
    reading_init(&mistaken);
    for (size_t i = 0; i < 3; i++)
        mistaken.ops[known[i]] |= 1u << ops[i];
    for (size_t i = 0; i < 3; i++)
        different += i == 0 || known[i] != known[i - 1];
    assert_true(cause_gather(&evidence, spec_get(), &half, WARP_SHFL_SYNC, 3, CASES, &error));
    cause_find(&evidence, NULL, 2, &cause);
    assert_true(cause.explained < cause.mismatches);
    assert_int_equal(cause.count, different);
    for (size_t i = 0; i < 3; i++)
        assert_true(names(&cause, known[i]));
    cause_evidence_free(&evidence);
}

static void test_beside_unknown(void **state)
{
    (void)state;
    check_beside((const enum mistake[]){MISTAKE_WIDTH_IGNORED, MISTAKE_BFLY_OWN_SEGMENT, MISTAKE_IDX_FROM_0});
    /* Where it reads a lane that no warp has, any value fits. */
    check_beside((const enum mistake[]){MISTAKE_B_SIGNED_32, MISTAKE_B_SIGNED_32, MISTAKE_IDX_FROM_0});
}

/* An implementation that ends while it is asked again gets no cause, and that is said, once for all its instructions.
 */
static bool eval_ends(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    (void)state, (void)cases, (void)n, (void)results;
    snprintf(error, error_size, "crashed with SIGSEGV");
    return false;
}

static struct findings_source source;

/* One mismatch of the implementation, as a campaign notes it. */
static struct causes *with_sample(const struct warp_impl *impl, enum warp_form form)
{
    struct causes *const causes = causes_open(1);
    struct checker checker;
    struct finding f = {.kind = FINDING_MISMATCH};
    assert_non_null(causes);
    checker_init(&checker, spec_get(), impl, NULL, NULL);
    warp_case_init(&f.c, form);
    causes_note(causes, &source, &checker, &f, "class");
    return causes;
}

static void test_ends(void **state)
{
    const struct warp_impl ends = {.name = "ends", .description = "", .provides = WARP_PART_ALL, .eval = eval_ends};
    struct causes *causes = causes_open(1);
    char text[CAUSE_LINE_MAX];
    (void)state;
    causes_settle(causes);
    assert_int_equal(causes_count(causes), 0); /* nothing differed */
    causes_free(causes);
    causes = with_sample(&ends, WARP_SHFL_SYNC_UP_B32);
    causes_settle(causes);
    assert_int_equal(causes_count(causes), 1);
    assert_int_equal(causes_entry(causes, 0)->kind, ENTRY_UNASKED);
    assert_string_equal(causes_text(causes_entry(causes, 0), text),
                        "not found, it could not be asked again: ends: crashed with SIGSEGV [ends in shfl.sync]");
    causes_free(causes);
    causes = with_sample(spec_get(), WARP_SHFL_SYNC_UP_B32); /* what differed does not differ again */
    causes_settle(causes);
    assert_int_equal(causes_count(causes), 1);
    assert_int_equal(causes_entry(causes, 0)->kind, ENTRY_HISTORY);
    assert_null(causes_entry(causes, 0)->sequence);
    causes_free(causes);
}

/*
 * The planted mistakes of the mutants' plugin, which were written apart from the readings: each is named, but one
 * that does not end (test/cli/hang.sh asks for its name), and those that keep what is left over from another case.
 */
static bool is_no_reading(const char *name)
{
    static const char *const others[] = {"base", "match-nan-never-ends", "predicate-kept", "votes-kept", "total-kept"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return false;
}

/* Its cause, in the first family that shows it. */
static bool cause_of(const struct warp_impl *impl, struct cause *cause, enum warp_family *family)
{
    bool shown = false;
    for (unsigned f = 0; f < WARP_FAMILIES && !shown; f++) {
        struct cause_evidence evidence;
        struct error error;
        if (!cause_gather(&evidence, spec_get(), impl, (enum warp_family)f, 11, 2 * CASES, &error))
            fail_msg("%s", error.text);
        shown = evidence.mismatches > 0;
        *family = (enum warp_family)f;
        if (shown)
            cause_find(&evidence, NULL, PATIENCE_S, cause);
        cause_evidence_free(&evidence);
    }
    return shown;
}

static void test_mutants(void **state)
{
    size_t named = 0, tried = 0;
    const struct warp_impl *impl;
    (void)state;
    for (size_t i = 0; (impl = warpcheck_implementation(i)) != NULL; i++) {
        enum warp_family family = WARP_FAMILIES;
        struct cause cause = {0};
        char text[CAUSE_TEXT_MAX];
        if (is_no_reading(impl->name) || !is_in_sample(i, 5))
            continue;
        tried++;
        if (!cause_of(impl, &cause, &family))
            print_message("%s: shows nothing in %u cases\n", impl->name, 2 * CASES);
        else if (cause.count != 1)
            print_message("%s (%s): %s\n", impl->name, impl->description, cause_text(&cause, family, text));
        named += cause.count == 1 && cause_is_whole(&cause);
    }
    print_message("%zu of %zu named\n", named, tried);
    assert_true(tried >= (takes_sample() ? 16 : 80) && named * 100 >= tried * 95);
}

/* --- mixes: what a campaign would tell of an implementation with several of the mutants' mistakes --- */

/* Takes the steps that the mutant replaces. False: one of them is replaced already. */
static bool take_steps(struct steps *steps, const struct steps *from)
{
    static const lane_fn none = NULL;
    for (size_t at = 0; at < offsetof(struct steps, memory); at += sizeof none) {
        char *const to = (char *)steps + at;
        const char *const of = (const char *)from + at;
        if (memcmp(of, &none, sizeof none) == 0)
            continue;
        if (memcmp(to, &none, sizeof none) != 0)
            return false;
        memcpy(to, of, sizeof none);
    }
    return true;
}

/* A mutant with n mistakes of n mutants, in other steps. */
static void mix(struct random *random, unsigned n, struct mutant *m, char *what, size_t size)
{
    size_t mutants = 0, used = 0;
    while (warpcheck_implementation(mutants) != NULL)
        mutants++;
    *m = (struct mutant){.name = "mix", .description = ""};
    for (unsigned taken = 0; taken < n;) {
        const struct warp_impl *const impl = warpcheck_implementation(random_below(random, (uint32_t)mutants));
        const struct mutant *const from = impl->state;
        struct steps steps = m->steps;
        if (is_no_reading(impl->name) || from->provides != 0 || from->accepts != NULL || from->steps.memory != NULL ||
            !take_steps(&steps, &from->steps))
            continue;
        m->steps = steps;
        taken++;
        used += (size_t)snprintf(what + used, size - used, "%s ", impl->name);
    }
}

static void check_mixes(unsigned n, unsigned rounds, unsigned least_percent)
{
    struct random random = {n};
    unsigned named = 0;
    for (unsigned round = 0; round < rounds; round++) {
        struct mutant m;
        char what[256], text[CAUSE_LINE_MAX];
        bool all = true;
        mix(&random, n, &m, what, sizeof what);
        const struct warp_impl impl = {
            .name = "mix", .description = "", .provides = WARP_PART_ALL, .state = &m, .eval = base_eval};
        struct causes *const causes = campaign_causes(&impl, MIX_CASES);
        for (size_t i = 0; i < causes_count(causes); i++)
            all = all && causes_entry(causes, i)->kind == ENTRY_MISTAKE;
        for (size_t i = 0; i < causes_count(causes) && !all; i++)
            print_message("%s: %s\n", what, causes_text(causes_entry(causes, i), text));
        named += all && causes_count(causes) > 0;
        causes_free(causes);
    }
    print_message("%u of %u mixes of %u named\n", named, rounds, n);
    assert_true(named * 100 >= rounds * least_percent);
}

static void test_mixes(void **state)
{
    (void)state;
    check_mixes(2, takes_sample() ? 5 : 30, 90);
    check_mixes(3, takes_sample() ? 3 : 15, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_mistakes),
        cmocka_unit_test(test_each_mistake),
        cmocka_unit_test(test_made_everywhere),
        cmocka_unit_test(test_read_before_test),
        cmocka_unit_test(test_modes_in_another_order),
        cmocka_unit_test(test_in_one_operation),
        cmocka_unit_test(test_in_one_mode),
        cmocka_unit_test(test_two_mistakes),
        cmocka_unit_test(test_three_mistakes),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_unknown_sum),
        cmocka_unit_test(test_half_known),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_beside_unknown),
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_mixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
