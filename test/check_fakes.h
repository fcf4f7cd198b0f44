/*
 * Small implementations for the tests of check/: every active lane is done, d is a, p is true; with a switch for each
 * way to be different.
 */
#ifndef WARPCHECK_TEST_CHECK_FAKES_H
#define WARPCHECK_TEST_CHECK_FAKES_H

#include "warpcheck/impl.h"

#include <stdio.h>
#include <string.h>

struct fake {
    bool (*wrong)(const struct warp_case *c);   /* the cases in which lane d values are complemented, or without d lanes
                                                   undefined; NULL: none */
    bool (*refuses)(const struct warp_case *c); /* NULL: none */
    const char *why;
    bool fails;          /* eval returns false */
    bool writes_nothing; /* eval leaves the results as they are */
    bool forgets_d;      /* eval writes all but d */
    bool refuses_late;   /* accepts says yes until `refuses` has made an eval fail */
    bool late;           /* that has happened */
    uint64_t evaluated;
    size_t largest_batch;
};

static inline bool fake_accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct fake *f = state;
    if (f->refuses == NULL || (f->refuses_late && !f->late) || !f->refuses(c))
        return true;
    if (why_size > 0)
        snprintf(why, why_size, "%s", f->why != NULL ? f->why : "");
    return false;
}

static inline void fake_answer(const struct fake *f, const struct warp_case *c, struct warp_result *r)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool writes_d = warp_form_writes_d(info, c->dst);
    const bool wrong = f->wrong != NULL && f->wrong(c);
    memset(r, 0, sizeof *r);
    r->done = c->active;
    if (wrong && c->dst == WARP_DST_NONE) { /* nothing else can be wrong there */
        r->done = 0;
        r->undefined = c->active;
    }
    r->d_defined = writes_d ? c->active : 0;
    r->p = warp_form_writes_p(info, c->dst) ? (wrong ? 0 : c->active) : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (r->d_defined >> lane & 1u)
            r->d[lane] = wrong ? ~c->a[lane] : c->a[lane];
}

static inline bool fake_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                             char *error, size_t error_size)
{
    struct fake *f = state;
    f->evaluated += n;
    f->largest_batch = n > f->largest_batch ? n : f->largest_batch;
    for (size_t i = 0; i < n; i++) {
        if (f->fails || (f->refuses != NULL && f->refuses(&cases[i]))) {
            f->late = true;
            snprintf(error, error_size, "the fake cannot answer");
            return false;
        }
        const struct warp_result before = results[i];
        if (!f->writes_nothing)
            fake_answer(f, &cases[i], &results[i]);
        if (f->forgets_d)
            memcpy(results[i].d, before.d, sizeof before.d);
    }
    return true;
}

static inline struct warp_impl fake_impl(const char *name, struct fake *state)
{
    return (struct warp_impl){.name = name,
                              .description = "a fake",
                              .provides = WARP_PART_ALL,
                              .state = state,
                              .accepts = fake_accepts,
                              .eval = fake_eval};
}

#endif
