/*
 * The check of an input: decode, derive, evaluate all, compare.
 */
#include "base/clock.h"
#include "fuzz/derive.h"
#include "fuzz/harness.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH (DERIVED_MAX + 1u)
_Static_assert(BATCH <= DERIVED_ORDER_CASES, "the call that an input spells out is the longest that is asked whole");
#define LONG_CALL_S 0.05 /* that a long call may take: far less than what would be taken for a hang */

/* Garbage in the results: a field that an implementation does not write must not look right. A replay uses the same
 * garbage. */
#define GARBAGE 0xa5

static void eval_reference(struct harness *h, const struct warp_case *cases, size_t n, struct warp_result *results)
{
    char error[256] = "";
    if (n > 0 && !h->reference->eval(h->reference->state, cases, n, results, error, sizeof error)) {
        fprintf(stderr, "warpcheck fuzz target: the reference could not answer: %s\n", error);
        exit(2);
    }
}

/* Moves the cases that the implementation accepts to the front. Returns how many. */
static size_t keep_accepted(struct harness *h, struct warp_case *cases, size_t n)
{
    size_t kept = 0;
    if (h->observed->accepts == NULL)
        return n;
    for (size_t i = 0; i < n; i++) {
        if (!warp_impl_accepts(h->observed, &cases[i], NULL, 0))
            continue;
        if (kept != i)
            cases[kept] = cases[i];
        kept++;
    }
    h->status->refused += n - kept;
    return kept;
}

static bool is_garbage(const struct warp_result *r)
{
    struct warp_result garbage;
    memset(&garbage, GARBAGE, sizeof garbage);
    return memcmp(r, &garbage, sizeof garbage) == 0;
}

/* `results` has room for one more than n, which stays garbage. False when it did not answer, and why in `error`. */
static bool eval_tested(const struct warp_impl *impl, const struct warp_case *cases, size_t n,
                        struct warp_result *results, char *error, size_t error_size)
{
    memset(results, GARBAGE, (n + 1) * sizeof *results);
    return n == 0 || impl->eval(impl->state, cases, n, results, error, error_size);
}

/* The same, with a call for the first case alone where its comparisons are noted. */
static bool eval_apart(const struct harness *h, const struct warp_case *cases, size_t n, struct warp_result *results,
                       char *error, size_t error_size)
{
    bool past;
    if (!h->watched || n < 2)
        return eval_tested(h->observed, cases, n, results, error, error_size);
    if (!eval_tested(h->observed, cases, 1, results, error, error_size))
        return false;
    past = !is_garbage(&results[1]);
    feedback_is_enough();
    if (!eval_tested(h->observed, cases + 1, n - 1, results + 1, error, error_size))
        return false;
    if (past)
        memset(&results[n], 0, sizeof results[n]); /* as if it had written there in one call */
    return true;
}

/* Every case leads the engine; a bucket counts as hit when the case was `compared`. */
static void see_case(struct harness *h, const struct warp_case *c, const struct warp_result *r, bool compared)
{
    static struct coverage_set set;
    uint16_t pairs[COVERAGE_PAIRS_OF_CASE];
    coverage_clear(&set);
    coverage_add(&set, c, r);
    coverage_signal(&set, h->signals);
    coverage_pairs(c, r, pairs);
    if (!h->watched) /* else its own code leads better than pairs do */
        feedback_pairs(pairs, h->signals == 0);
    h->status->executions++;
    for (unsigned i = 0; compared && i < COVERAGE_PAIRS_OF_CASE; i++)
        h->status->pairs[pairs[i]] = 1;
    for (unsigned i = 0; compared && i < set.count; i++)
        h->status->hits[set.list[i]]++;
}

void harness_count_case(struct harness *h, const struct warp_case *c, const struct warp_result *r)
{
    see_case(h, c, r, true);
}

/* Marks in `wrong`, for each case, the implementations whose answer differs, and keeps the first such answer. Most
 * answers are the same bit for bit. */
static void compare(const struct harness *h, size_t which, const struct warp_case *cases, size_t n,
                    const struct warp_result *expected, const struct warp_result *observed, uint32_t *wrong,
                    struct warp_result *answers)
{
    const uint32_t parts = h->reference->provides & h->tested[which]->provides;
    if (memcmp(expected, observed, n * sizeof *expected) == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (!warp_result_compare(&cases[i], &expected[i], &observed[i], parts, NULL)) {
            if (wrong[i] == 0)
                answers[i] = observed[i];
            wrong[i] |= 1u << which;
        }
}

/* `behind`: the place after the last result. */
static void tell_past(struct harness *h, const struct warp_result *behind, const uint8_t *data, size_t size)
{
    if (!is_garbage(behind))
        harness_failure(h, "writes-past-its-results", "the implementation writes behind the results that it was given",
                        data, size);
}

/* Did the implementation change the cases? Asks the reference again, and compares with the answer that it gave
 * before. */
static bool tell_changed(struct harness *h, const struct warp_case *cases, size_t n, const struct warp_result *expected,
                         const uint8_t *data, size_t size)
{
    static _Alignas(64) struct warp_result again[DERIVED_ORDER_CASES];
    eval_reference(h, cases, n, again);
    if (memcmp(expected, again, n * sizeof *again) == 0)
        return false;
    harness_failure(h, "writes-into-its-cases", "the implementation writes into the cases that it was given", data,
                    size);
    return true;
}

/* The implementation that is asked now, as the set of those that are wrong. */
static uint32_t asked_alone(const struct harness *h)
{
    uint32_t which = 0;
    while (which + 1 < h->tested_count && h->tested[which] != h->observed)
        which++;
    return 1u << which;
}

/* Makes a finding, not reduced, of the first implementation that differs on a case, with its answer. */
static void report(struct harness *h, const struct warp_case *c, const struct warp_result *expected,
                   const struct warp_result *answer, uint32_t wrong, const uint8_t *data, size_t size)
{
    static struct finding f;
    h->observed = h->tested[__builtin_ctz(wrong)];
    f = (struct finding){.kind = FINDING_MISMATCH,
                         .c = *c,
                         .reference = *expected,
                         .observed = *answer,
                         .reference_name = h->reference->name,
                         .observed_name = h->observed->name,
                         .parts = h->reference->provides & h->observed->provides & WARP_PART_ALL};
    warp_result_compare(c, &f.reference, &f.observed, f.parts, &f.diff);
    const uint32_t sort[] = {wrong,
                             c->form,
                             f.diff.outcome != 0,
                             f.diff.d_defined != 0,
                             f.diff.d != 0,
                             f.diff.p != 0,
                             f.diff.waits_for != 0,
                             c->negate,
                             c->exited != 0,
                             f.reference.waiting != 0,
                             f.reference.undefined != 0};
    harness_found(h, &f, sort, sizeof sort, data, size, (unsigned)__builtin_popcount(wrong));
}

static void check_input(struct harness *h, const uint8_t *data, size_t size, harness_decode_fn decoded)
{
    static _Alignas(64) struct warp_case cases[BATCH];
    static _Alignas(64) struct warp_result expected[BATCH], observed[BATCH + 1]; /* one more: a guard */
    static struct warp_result answers[BATCH];
    uint32_t wrong[BATCH] = {0}, any = 0;
    char error[512];
    size_t n;
    if (decoded == NULL || !decoded(data, size, &cases[0]))
        warp_case_from_bytes(data, size, h->families, &cases[0]);
    for (unsigned k = 0; k < h->derived; k++)
        derive_case(&cases[0], derive_number(&cases[0], k, h->derived), &cases[k + 1]);
    n = h->derived + 1u;
    h->observed = h->tested[0];
    if (h->observed->accepts != NULL) { /* what it does not accept leads the engine too */
        eval_reference(h, cases, 1, expected);
        see_case(h, &cases[0], &expected[0], warp_impl_accepts(h->observed, &cases[0], NULL, 0));
        n = keep_accepted(h, cases, n);
    }
    eval_reference(h, cases, n, expected);
    if (h->observed->accepts == NULL)
        harness_count_case(h, &cases[0], &expected[0]);
    for (size_t which = 0; which < h->tested_count; which++) {
        error[0] = '\0';
        h->observed = h->tested[which];
        if (!eval_apart(h, cases, n, observed, error, sizeof error))
            harness_unanswered(h, &cases[0], error);
        tell_past(h, &observed[n], data, size);
        compare(h, which, cases, n, expected, observed, wrong, answers);
    }
    h->status->checks += n * h->tested_count;
    for (size_t i = 0; i < n; i++)
        any |= wrong[i];
    if (any == 0)
        return;
    if (tell_changed(h, cases, n, expected, data, size))
        return;
    for (size_t i = 0; i < n; i++)
        if (wrong[i] != 0)
            report(h, &cases[i], &expected[i], &answers[i], wrong[i], data, size);
}

/* Asks the case of an input and all its relatives in a long call (fuzz/derive.h). */
static void check_long_call(struct harness *h, const uint8_t *data, size_t size, size_t total)
{
    static _Alignas(64) struct warp_case base, few[DERIVED_MAX + 1], cases[DERIVED_CALL_MAX];
    static _Alignas(64) struct warp_result expected[DERIVED_MAX + 1], observed[DERIVED_CALL_MAX + 1];
    const uint32_t parts = h->reference->provides & h->observed->provides;
    char error[512] = "";
    double took_s;
    size_t n = DERIVED_MAX + 1;
    warp_case_from_bytes(data, size, h->families, &base);
    derive_all(&base, few);
    n = keep_accepted(h, few, n);
    if (n == 0)
        return;
    eval_reference(h, few, n, expected);
    took_s = clock_seconds(); /* how long would it be? */
    if (!eval_tested(h->observed, few, n, observed, error, sizeof error))
        harness_unanswered(h, &few[0], error);
    took_s = clock_seconds() - took_s;
    if (took_s / (double)n * (double)total > LONG_CALL_S)
        return;
    for (size_t at = 0; at < total; at++)
        cases[at] = few[derive_call_case(data, size, n, at)];
    if (!eval_tested(h->observed, cases, total, observed, error, sizeof error))
        harness_unanswered(h, &cases[0], error);
    tell_past(h, &observed[total], data, size);
    h->status->checks += total;
    for (size_t at = 0; at < total; at++) {
        const size_t which = derive_call_case(data, size, n, at);
        if (!warp_result_compare(&few[which], &expected[which], &observed[at], parts, NULL)) {
            report(h, &few[which], &expected[which], &observed[at], asked_alone(h), data, size);
            return;
        }
    }
}

/* A call that an input spells out, and what it was answered. */
static struct {
    _Alignas(64) struct warp_case cases[DERIVED_ORDER_CASES];
    _Alignas(64) struct warp_result expected[DERIVED_ORDER_CASES], observed[DERIVED_ORDER_CASES + 1];
} call;

/* Asks for the first n cases of the call. Returns the place of the first that is answered otherwise than by the
 * transcription; n: there is none. */
static size_t ask_call(struct harness *h, size_t n)
{
    const uint32_t parts = h->reference->provides & h->observed->provides;
    char error[512] = "";
    size_t at = 0;
    eval_reference(h, call.cases, n, call.expected);
    if (!eval_tested(h->observed, call.cases, n, call.observed, error, sizeof error))
        harness_unanswered(h, &call.cases[0], error);
    h->status->checks += n;
    while (at < n && warp_result_compare(&call.cases[at], &call.expected[at], &call.observed[at], parts, NULL))
        at++;
    return at;
}

static void check_order(struct harness *h, const uint8_t *data, size_t size)
{
    const size_t n = keep_accepted(h, call.cases, derive_order(data, size, h->families, call.cases));
    if (n == 0)
        return;
    feedback_goes_on();
    const size_t at = ask_call(h, n);
    feedback_is_enough();
    tell_past(h, &call.observed[n], data, size);
    if (at < n && !tell_changed(h, call.cases, n, call.expected, data, size))
        report(h, &call.cases[at], &call.expected[at], &call.observed[at], asked_alone(h), data, size);
}

bool harness_agrees(struct harness *h, const struct warp_case *c, const uint8_t *steps, size_t n)
{
    uint8_t bytes[WARP_BYTES_MAX + DERIVED_ORDER_MAX];
    const size_t size = warp_case_to_bytes(c, bytes);
    memcpy(bytes + size, steps, n);
    call.cases[0] = *c;
    h->observed = h->tested[0];
    const size_t cases =
        keep_accepted(h, call.cases, n == 0 ? 1 : derive_order(bytes, size + n, h->families, call.cases));
    status_asks(h->status, bytes, size + n);
    feedback_ask(&h->status->feedback, cases > 1);
    const size_t at = ask_call(h, cases);
    feedback_asked();
    status_answered(h->status);
    return cases == 0 || (at == cases && is_garbage(&call.observed[cases]));
}

void harness_check_input(struct harness *h, const uint8_t *data, size_t size, harness_decode_fn decoded)
{
    size_t total;
    status_asks(h->status, data, size);
    feedback_begin(&h->status->feedback);
    check_input(h, data, size, decoded);
    if (h->long_calls)
        check_order(h, data, size);
    feedback_end();
    if (h->long_calls && (total = derive_call_size(data, size)) > 0)
        check_long_call(h, data, size, total);
    status_answered(h->status);
}
