#include "check/sequence.h"

#include <stdlib.h>
#include <string.h>

#define GARBAGE 0xa5 /* what an implementation does not write must not look right */

bool sequence_answer(const struct warp_impl *impl, const struct warp_case *cases, size_t n, struct warp_result *results)
{
    char error[8];
    for (size_t i = 0; i < n; i++)
        if (!warp_impl_accepts(impl, &cases[i], NULL, 0))
            return false;
    memset(results, GARBAGE, n * sizeof *results);
    return impl->eval(impl->state, cases, n, results, error, sizeof error);
}

static void describe(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct warp_case *cases, size_t n, size_t at)
{
    f->c = cases[at];
    f->reference_name = reference->name;
    f->observed_name = observed->name;
    f->parts = reference->provides & observed->provides & WARP_PART_ALL;
    f->only = NULL;
    f->sequence = cases;
    f->sequence_n = n;
    f->sequence_at = at;
}

bool sequence_find(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                   const struct warp_case *cases, size_t n, size_t at)
{
    struct warp_result *results = n <= CHECKER_BATCH ? malloc(2 * n * sizeof *results) : NULL;
    bool differs = false;
    if (results != NULL && sequence_answer(reference, cases, n, results) &&
        sequence_answer(observed, cases, n, results + n)) {
        describe(f, reference, observed, cases, n, at);
        f->reference = results[at];
        f->observed = results[n + at];
        differs = !warp_result_compare(&f->c, &f->reference, &f->observed, f->parts, &f->diff);
    }
    free(results);
    return differs;
}

/* What is being reduced: the test of one candidate for case `which`. */
struct trial {
    struct warp_case *cases;
    size_t n, at, which;
    const struct warp_impl *reference, *observed;
};

static bool differs(const struct trial *t)
{
    struct finding f;
    return sequence_find(&f, t->reference, t->observed, t->cases, t->n, t->at);
}

static bool differs_with(void *context, const struct warp_case *candidate)
{
    struct trial *t = context;
    const struct warp_case before = t->cases[t->which];
    bool still;
    t->cases[t->which] = *candidate;
    still = differs(t);
    t->cases[t->which] = before;
    return still;
}

/* Leaves `size` cases from `first` away, if it still differs so. */
static bool leave_away(struct trial *t, size_t first, size_t size)
{
    struct trial shorter = *t;
    bool still;
    if (first <= t->at && t->at < first + size)
        return false;
    shorter.cases = malloc(t->n * sizeof *shorter.cases);
    if (shorter.cases == NULL)
        return false;
    shorter.n = t->n - size;
    shorter.at = t->at < first ? t->at : t->at - size;
    memcpy(shorter.cases, t->cases, first * sizeof *t->cases);
    memcpy(shorter.cases + first, t->cases + first + size, (t->n - first - size) * sizeof *t->cases);
    still = differs(&shorter);
    if (still) {
        memcpy(t->cases, shorter.cases, shorter.n * sizeof *t->cases);
        t->n = shorter.n;
        t->at = shorter.at;
    }
    free(shorter.cases);
    return still;
}

/* Large pieces first; again while a whole round of single cases leaves one away. */
static void shorten(struct trial *t, struct reduce_stats *stats)
{
    for (size_t size = t->n / 2; size > 0;) {
        bool shorter = false;
        for (size_t first = 0; first + size <= t->n;) {
            const bool left = leave_away(t, first, size);
            stats->tried++;
            stats->kept += left;
            shorter = shorter || left;
            first += left ? 0 : size;
        }
        if (size > 1 || !shorter)
            size /= 2;
    }
}

void sequence_reduce(struct warp_case *cases, size_t *n, size_t *at, const struct warp_impl *reference,
                     const struct warp_impl *observed, uint64_t limit, struct reduce_stats *stats)
{
    struct trial t = {cases, *n, *at, 0, reference, observed};
    if (!differs(&t))
        return;
    shorten(&t, stats);
    for (t.which = 0; t.which < t.n; t.which++) {
        struct warp_case simpler = t.cases[t.which];
        struct reduce_stats own = {0, 0};
        reduce_case(&simpler, differs_with, &t, limit, &own);
        t.cases[t.which] = simpler;
        stats->tried += own.tried;
        stats->kept += own.kept;
    }
    *n = t.n;
    *at = t.at;
}
