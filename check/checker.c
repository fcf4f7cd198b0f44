#include "check/checker.h"

#include "base/interrupt.h"
#include "check/impl/impl.h"
#include "model/lanes.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

/* The working memory of one batch: the accepted cases, when some were refused, and both answers. */
struct batch {
    struct warp_case cases[CHECKER_BATCH];
    struct warp_result reference[CHECKER_BATCH];
    struct warp_result observed[CHECKER_BATCH];
    struct warp_case again[CHECKER_BATCH]; /* the elections among the cases */
    size_t place[CHECKER_BATCH];           /* of each among the cases */
    struct warp_result answers[CHECKER_BATCH];
};

void checker_init(struct checker *checker, const struct warp_impl *reference, const struct warp_impl *observed,
                  checker_mismatch_fn on_mismatch, void *context)
{
    memset(checker, 0, sizeof *checker);
    checker->reference = reference;
    checker->observed = observed;
    checker->on_mismatch = on_mismatch;
    checker->context = context;
}

uint32_t checker_parts(const struct checker *checker)
{
    return checker->reference->provides & checker->observed->provides & WARP_PART_ALL;
}

static void add_reason(struct checker *checker, const char *why, const char *example, uint64_t cases)
{
    struct checker_reason *reason;
    for (size_t i = 0; i < checker->reasons_count; i++) {
        reason = &checker->reasons[i];
        if (strcmp(reason->why, why) == 0) {
            reason->cases += cases;
            return;
        }
    }
    if (checker->reasons_count == CHECKER_REASONS) {
        reason = &checker->reasons[CHECKER_REASONS - 1];
        snprintf(reason->why, sizeof reason->why, "other");
        reason->cases += cases;
        return;
    }
    reason = &checker->reasons[checker->reasons_count++];
    snprintf(reason->why, sizeof reason->why, "%s", why);
    snprintf(reason->example, sizeof reason->example, "%s", example);
    reason->cases = cases;
}

void checker_decline(struct checker *checker, const char *why)
{
    add_reason(checker, why, "", 1);
}

static void refuse(struct checker *checker, const struct warp_impl *by, const char *why, const struct warp_case *c)
{
    char text[sizeof checker->reasons[0].why];
    snprintf(text, sizeof text, "%s: %s", by->name, why[0] != '\0' ? why : "not accepted");
    add_reason(checker, text, warp_form_get(c->form)->name, 1);
}

/*
 * Collects the cases that the implementation accepts, in order; *n becomes their number. They are copied to `room` only
 * from the first refusal on, because usually all cases are accepted. `room` may be where the cases already are.
 */
static const struct warp_case *accepted_by(struct checker *checker, const struct warp_impl *impl,
                                           const struct warp_case *cases, size_t *n, struct warp_case *room)
{
    size_t kept = 0;
    bool copied = false;
    for (size_t i = 0; impl->accepts != NULL && i < *n; i++) {
        char why[80] = "";
        if (warp_impl_accepts(impl, &cases[i], why, sizeof why)) {
            if (copied)
                memmove(&room[kept], &cases[i], sizeof cases[i]);
            kept++;
            continue;
        }
        if (interrupted()) { /* nobody knows whether it would take the case */
            error_set(&checker->error, ERROR_INTERRUPTED, "interrupted");
            checker->forms[cases[i].form].unanswered++;
        } else {
            refuse(checker, impl, why, &cases[i]);
        }
        if (!copied)
            memmove(room, cases, i * sizeof cases[0]);
        copied = true;
    }
    if (impl->accepts != NULL)
        *n = kept;
    return copied ? room : cases;
}

/* The same for both. The observed one is never offered what the reference refuses. */
static const struct warp_case *accepted_by_both(struct checker *checker, const struct warp_case *cases, size_t *n,
                                                struct warp_case *room)
{
    cases = accepted_by(checker, checker->reference, cases, n, room);
    return accepted_by(checker, checker->observed, cases, n, room);
}

static bool answer(struct checker *checker, const struct warp_impl *impl, const struct warp_case *cases, size_t n,
                   struct warp_result *results)
{
    char error[240] = "";
    if (!impl_can(impl).foreign) /* else they are copies of what its process wrote over such garbage */
        memset(results, CHECKER_GARBAGE, n * sizeof results[0]);
    if (n == 0 || impl->eval(impl->state, cases, n, results, error, sizeof error))
        return true;
    return error_set(&checker->error, ERROR_DECLINED, "%s: %s", impl->name, error[0] != '\0' ? error : "no answer");
}

/*
 * The reference's answers to the cases, which were `offered` to all that share. Only where nobody has refused a case
 * are they the same cases.
 */
static struct warp_result *reference_answers(struct checker *checker, const struct warp_case *offered,
                                             const struct warp_case *cases, size_t n, struct warp_result *room)
{
    struct checker_shared *const shared = cases == offered ? checker->shared : NULL;
    if (shared == NULL)
        return answer(checker, checker->reference, cases, n, room) ? room : NULL;
    if (shared->cases != cases || shared->n != n) {
        shared->cases = NULL;
        if (!answer(checker, checker->reference, cases, n, shared->results))
            return NULL;
        shared->cases = cases;
        shared->n = n;
    }
    return shared->results;
}

/* Can a result of this case show anything of these parts, among which are no outcomes? */
static bool is_comparable(const struct warp_case *c, uint32_t parts)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    return ((parts & WARP_PART_D) != 0 && warp_form_writes_d(info, c->dst)) ||
           ((parts & WARP_PART_P) != 0 && warp_form_writes_p(info, c->dst));
}

void checker_complete(const struct warp_impl *reference, const struct warp_case *cases, size_t n,
                      struct warp_result *results)
{
    const struct warp_impl *const spec = spec_get();
    for (size_t i = 0; i < n; i++) {
        struct warp_result known, *const r = &results[i];
        if ((~reference->provides & (WARP_PART_OUTCOME | WARP_PART_D_DEFINED)) == 0 ||
            !spec->eval(spec->state, &cases[i], 1, &known, NULL, 0))
            return;
        if (!(reference->provides & WARP_PART_D_DEFINED))
            r->d_defined = known.d_defined;
        if (!(reference->provides & WARP_PART_OUTCOME)) {
            r->done = known.done;
            r->waiting = known.waiting;
            r->undefined = known.undefined;
            memcpy(r->waits_for, known.waits_for, sizeof r->waits_for);
        }
    }
}

static void compare_one(struct checker *checker, const struct warp_case *c, const struct warp_result *reference,
                        const struct warp_result *observed, uint32_t parts)
{
    struct checker_counts *counts = &checker->forms[c->form];
    struct warp_diff diff;
    if (!(parts & WARP_PART_OUTCOME) && !is_comparable(c, parts)) {
        refuse(checker, checker->observed, "both provide no part of a result that this form has", c);
        return;
    }
    counts->compared++;
    counts->lane_results += lanes_in(warp_result_compared(c, reference, observed, parts));
    if (warp_result_compare(c, reference, observed, parts, &diff))
        return;
    counts->mismatches++;
    if (checker->on_mismatch != NULL && !checker->on_mismatch(checker->context, checker, c, reference, observed, &diff))
        checker->stopped = true;
}

/* How many of the n cases from the first on have its form: like cases mostly stand together. */
static size_t of_one_form(const struct warp_case *cases, size_t n)
{
    size_t count = 1;
    while (count < n && cases[count].form == cases[0].form)
        count++;
    return count;
}

/* Cases whose results are the same in every part, outcomes among them: each active lane was compared. */
static void count_same(struct checker *checker, const struct warp_case *cases, size_t n)
{
    for (size_t i = 0, count; i < n; i += count) {
        struct checker_counts *const counts = &checker->forms[cases[i].form];
        uint64_t lanes = 0;
        count = of_one_form(&cases[i], n - i);
        for (size_t k = i; k < i + count; k++)
            lanes += lanes_in(cases[k].active);
        counts->compared += count;
        counts->lane_results += lanes;
    }
}

static void compare_all(struct checker *checker, const struct warp_case *cases, size_t n,
                        const struct warp_result *reference, const struct warp_result *observed, uint32_t parts)
{
    if ((parts & WARP_PART_OUTCOME) && lanes_same_results(reference, observed, n)) {
        count_same(checker, cases, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        checker->batch_at = i;
        if (checker->stopped)
            checker->forms[cases[i].form].cases--; /* as if never offered */
        else
            compare_one(checker, &cases[i], &reference[i], &observed[i], parts);
    }
}

/* ---- elections, asked twice ---- */

/* The lanes whose d or p differ, of two answers to one election in which both have the same outcome. */
static struct warp_diff elected_otherwise(const struct warp_case *c, const struct warp_result *first,
                                          const struct warp_result *second, uint32_t parts)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct warp_diff diff = {0};
    for (lanemask left = first->done & second->done; left != 0; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if ((parts & WARP_PART_D) && warp_form_writes_d(info, c->dst) && first->d[lane] != second->d[lane])
            diff.d |= 1u << lane;
    }
    if ((parts & WARP_PART_P) && warp_form_writes_p(info, c->dst))
        diff.p = (first->p ^ second->p) & first->done & second->done;
    return diff;
}

/*
 * Any lane of a group may be elected, but "the same leader thread is elected for the same membermask every time"
 * [elect.sync: Description]: what agrees is asked once more, and the first answer is then what is expected.
 */
static bool repeat_elections(struct checker *checker, const struct warp_case *cases, size_t n,
                             const struct warp_result *reference, struct batch *batch, uint32_t parts)
{
    size_t count = 0;
    for (size_t i = 0; i < n && !checker->stopped; i++) {
        if (!warp_form_any_leader(warp_form_get(cases[i].form))) {
            i += of_one_form(&cases[i], n - i) - 1;
            continue;
        }
        if (!warp_result_compare(&cases[i], &reference[i], &batch->observed[i], parts, NULL))
            continue;
        batch->place[count] = i;
        batch->again[count++] = cases[i];
    }
    if (count == 0)
        return true;
    if (!answer(checker, checker->observed, batch->again, count, batch->answers))
        return false;
    checker->batch = batch->again;
    checker->batch_n = count;
    for (size_t k = 0; k < count && !checker->stopped; k++) {
        const struct warp_result *const first = &batch->observed[batch->place[k]], *const second = &batch->answers[k];
        const struct warp_diff diff = elected_otherwise(&batch->again[k], first, second, parts);
        checker->batch_at = k;
        if ((diff.d | diff.p) == 0)
            continue;
        checker->forms[batch->again[k].form].mismatches++;
        if (checker->on_mismatch != NULL &&
            !checker->on_mismatch(checker->context, checker, &batch->again[k], first, second, &diff))
            checker->stopped = true;
    }
    return true;
}

static void count_unanswered(struct checker *checker, const struct warp_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        checker->forms[cases[i].form].unanswered++;
}

/*
 * The cases that both accept. One in a process of its own begins with them while this one does something else; the
 * reference is asked for answers only when it is known what the other accepts.
 */
static const struct warp_case *begin(struct checker *checker, const struct warp_case *cases, size_t *n,
                                     struct warp_case *room)
{
    const struct warp_impl *const reference = checker->reference, *const observed = checker->observed;
    if (reference->accepts == NULL)
        impl_ask_ahead(observed, cases, *n, IMPL_ALL);
    impl_ask_ahead(reference, cases, *n, observed->accepts == NULL ? IMPL_ALL : IMPL_ACCEPTS);
    cases = accepted_by(checker, reference, cases, n, room);
    if (reference->accepts != NULL)
        impl_ask_ahead(observed, cases, *n, IMPL_ALL);
    cases = accepted_by(checker, observed, cases, n, room);
    if (observed->accepts != NULL)
        impl_ask_ahead(reference, cases, *n, IMPL_ANSWERS);
    return cases;
}

static bool run_batch(struct checker *checker, const struct warp_case *cases, size_t n)
{
    const struct warp_case *const offered = cases;
    struct warp_result *reference;
    struct batch batch;
    uint32_t parts;
    for (size_t i = 0, count; i < n; i += count) {
        count = of_one_form(&cases[i], n - i);
        checker->forms[cases[i].form].cases += count;
    }
    cases = begin(checker, cases, &n, batch.cases);
    if (checker->error.code == ERROR_INTERRUPTED) {
        count_unanswered(checker, cases, n);
        return false;
    }
    /* An implementation behind a pipe may learn only from the answers that it must refuse a case: then ask once more.
     */
    while ((reference = reference_answers(checker, offered, cases, n, batch.reference)) == NULL ||
           !answer(checker, checker->observed, cases, n, batch.observed)) {
        const size_t before = n;
        cases = accepted_by_both(checker, cases, &n, batch.cases);
        if (n == before || checker->error.code == ERROR_INTERRUPTED) {
            count_unanswered(checker, cases, n);
            return false;
        }
        error_clear(&checker->error);
    }
    parts = checker_parts(checker); /* after the answers: they may have settled it */
    checker_complete(checker->reference, cases, n, reference);
    checker->batch = cases;
    checker->batch_n = n;
    compare_all(checker, cases, n, reference, batch.observed, parts);
    const bool repeated = repeat_elections(checker, cases, n, reference, &batch, parts);
    checker->batch = NULL; /* it ends with this call */
    return repeated;
}

bool checker_run(struct checker *checker, const struct warp_case *cases, size_t n)
{
    while (n > 0 && !checker->stopped) {
        const size_t now = n < CHECKER_BATCH ? n : CHECKER_BATCH;
        if (!run_batch(checker, cases, now))
            return false;
        cases += now;
        n -= now;
    }
    return true;
}

static void add_counts(struct checker_counts *to, const struct checker_counts *from)
{
    to->cases += from->cases;
    to->compared += from->compared;
    to->unanswered += from->unanswered;
    to->lane_results += from->lane_results;
    to->mismatches += from->mismatches;
}

void checker_add(struct checker *to, const struct checker *from)
{
    for (size_t i = 0; i < WARP_FORMS; i++)
        add_counts(&to->forms[i], &from->forms[i]);
    for (size_t i = 0; i < from->reasons_count; i++)
        add_reason(to, from->reasons[i].why, from->reasons[i].example, from->reasons[i].cases);
    to->stopped = to->stopped || from->stopped;
    if (to->error.code == ERROR_NONE)
        to->error = from->error;
}

struct checker_counts checker_total(const struct checker *checker)
{
    struct checker_counts sum = {0};
    for (size_t i = 0; i < WARP_FORMS; i++)
        add_counts(&sum, &checker->forms[i]);
    return sum;
}

struct checker_counts checker_family(const struct checker *checker, enum warp_family family)
{
    struct checker_counts sum = {0};
    for (uint32_t i = 0; i < WARP_FORMS; i++)
        if (warp_form_get(i)->family == family)
            add_counts(&sum, &checker->forms[i]);
    return sum;
}
