/* Reduces cases that are asked in one call to those that are needed. */
#include "check/reduce.h"

#include "base/clock.h"
#include "check/impl/impl.h"

#include <stdlib.h>
#include <string.h>

/* What is being reduced: the test of one candidate for case `which`. */
struct trial {
    struct warp_case *cases;
    size_t n, at, which;
    bool agrees_alone; /* case `at` does, in a fresh process, and goes on to */
    const struct warp_impl *reference, *observed;
};

/* In a fresh process: what earlier trials left must not show. */
static bool differs(const struct trial *t)
{
    struct finding f;
    struct error error;
    return impl_restart(t->observed, &error) &&
           finding_make_sequence(&f, t->reference, t->observed, t->cases, t->n, t->at);
}

static bool alone_differs(const struct trial *t)
{
    struct finding f;
    struct error error;
    return !impl_restart(t->observed, &error) || finding_make(&f, t->reference, t->observed, &t->cases[t->at]);
}

static bool differs_with(void *context, const struct warp_case *candidate)
{
    struct trial *t = context;
    const struct warp_case before = t->cases[t->which];
    bool still;
    t->cases[t->which] = *candidate;
    still = differs(t) && (t->which != t->at || !t->agrees_alone || !alone_differs(t));
    t->cases[t->which] = before;
    return still;
}

/* Removes `size` cases from `first` on, if the difference stays. */
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

/* Removes large pieces first; repeats while a round of single cases removes one. */
static void shorten(struct trial *t, struct reduction *r)
{
    for (size_t size = t->n / 2; size > 0;) {
        bool shorter = false;
        for (size_t first = 0; first + size <= t->n && (r->until <= 0 || clock_seconds() < r->until);) {
            const bool left = leave_away(t, first, size);
            r->tried++;
            r->kept += left;
            shorter = shorter || left;
            first += left ? 0 : size;
        }
        if (size > 1 || !shorter)
            size /= 2;
    }
}

void reduce_sequence(struct warp_case *cases, size_t *n, size_t *at, const struct warp_impl *reference,
                     const struct warp_impl *observed, struct reduction *r)
{
    struct trial t = {.cases = cases, .n = *n, .at = *at, .reference = reference, .observed = observed};
    if (!differs(&t))
        return;
    t.agrees_alone = !alone_differs(&t);
    shorten(&t, r);
    for (t.which = 0; t.which < t.n; t.which++) {
        struct warp_case simpler = t.cases[t.which];
        struct reduction own = {.limit = r->limit, .until = r->until};
        reduce_case(&simpler, differs_with, &t, &own);
        t.cases[t.which] = simpler;
        r->tried += own.tried;
        r->kept += own.kept;
    }
    *n = t.n;
    *at = t.at;
}

bool reduce_sequence_finding(struct finding *f, struct warp_case *cases, size_t *n, size_t *at,
                             const struct warp_impl *reference, const struct warp_impl *observed, struct reduction *r)
{
    struct error error;
    reduce_sequence(cases, n, at, reference, observed, r);
    return impl_restart(observed, &error) && finding_make_sequence(f, reference, observed, cases, *n, *at);
}
