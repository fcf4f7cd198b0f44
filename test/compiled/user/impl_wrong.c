/*
 * Mistakes of whole implementations. The line above a function says its shape and the instruction that it is not.
 */
#include "warpcheck/impl.h"

#include <string.h>

/* impl vote.all.pred: lanes that do not execute count as false */
bool inactive_count_as_false(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                             char *error, size_t error_size)
{
    (void)state, (void)error, (void)error_size;
    for (size_t k = 0; k < n; k++) {
        lanemask votes = 0;
        memset(&results[k], 0, sizeof results[k]);
        results[k].done = cases[k].active;
        for (unsigned i = 0; i < WARP_LANES; i++)
            if ((cases[k].a[i] != 0) != (cases[k].negate != 0))
                votes |= 1u << i;
        results[k].p = votes == UINT32_MAX ? cases[k].active : 0;
    }
    return true;
}

/* impl redux.sync.add.u32: the value is taken for the mask and the mask for the value */
bool redux_swapped(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                   size_t error_size)
{
    (void)state, (void)error, (void)error_size;
    for (size_t k = 0; k < n; k++) {
        const struct warp_case *c = &cases[k];
        memset(&results[k], 0, sizeof results[k]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (!(c->active & c->a[lane] & 1u << lane))
                continue;
            for (unsigned i = 0; i < WARP_LANES; i++)
                if (c->a[lane] >> i & 1u)
                    results[k].d[lane] += c->membermask[i];
            results[k].done |= 1u << lane;
            results[k].d_defined |= 1u << lane;
        }
    }
    return true;
}

/* impl vote.any.pred: the destination d is there, the predicate is not */
bool vote_writes_d(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                   size_t error_size)
{
    (void)state, (void)error, (void)error_size;
    for (size_t k = 0; k < n; k++) {
        memset(&results[k], 0, sizeof results[k]);
        results[k].done = cases[k].active;
        for (unsigned i = 0; i < WARP_LANES; i++)
            for (unsigned j = 0; j < WARP_LANES; j++)
                if (cases[k].active >> j & 1u)
                    results[k].d[i] |= cases[k].a[j] != cases[k].negate;
    }
    return true;
}

/* The result of vote.all, which is right. */
static void vote_all(const struct warp_case *c, struct warp_result *r)
{
    lanemask votes = 0;
    memset(r, 0, sizeof *r);
    r->done = c->active;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if ((c->a[i] != 0) != (c->negate != 0))
            votes |= 1u << i;
    r->p = (c->active & ~votes) == 0 ? c->active : 0;
}

/* impl vote.all.pred: it says of one case that it did not answer */
bool one_is_not_answered(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    (void)state, (void)n, (void)error, (void)error_size;
    vote_all(&cases[0], &results[0]);
    return cases[0].active != 0x12345678;
}

/* impl vote.all.pred: a lane that does not execute gets a predicate */
bool predicate_of_nobody(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    (void)state, (void)n, (void)error, (void)error_size;
    vote_all(&cases[0], &results[0]);
    if (cases[0].active == 0x12345678)
        results[0].p |= 1;
    return true;
}
