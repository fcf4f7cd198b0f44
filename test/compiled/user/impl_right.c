/*
 * An implementation of vote.sync, and the older vote, as a simulator that plugs into warp_impl would have it. The line
 * above a function says its shape and the instruction that it is.
 */
#include "warpcheck/impl.h"

#include <string.h>

static bool vote(enum warp_op op, lanemask votes, lanemask group)
{
    return op == WARP_ALL ? votes == group : op == WARP_ANY ? votes != 0 : votes == group || votes == 0;
}

static void vote_case(const struct warp_case *c, enum warp_op op, struct warp_result *r)
{
    lanemask votes = 0;
    memset(r, 0, sizeof *r);
    r->done = c->active;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if ((c->active >> i & 1u) && (c->a[i] != 0) != (c->negate != 0))
            votes |= 1u << i;
    for (unsigned i = 0; op == WARP_BALLOT && i < WARP_LANES; i++)
        if (c->active >> i & 1u)
            r->d[i] = votes;
    if (op == WARP_BALLOT)
        r->d_defined = c->active;
    else if (vote(op, votes, c->active))
        r->p = c->active;
}

/* impl vote.uni.pred: right */
bool eval_vote_uni(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                   size_t error_size)
{
    (void)state, (void)error, (void)error_size;
    for (size_t i = 0; i < n; i++)
        vote_case(&cases[i], WARP_UNI, &results[i]);
    return true;
}

/* impl vote.ballot.b32: right */
bool eval_vote_ballot(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    (void)state, (void)error, (void)error_size;
    for (size_t i = 0; i < n; i++)
        vote_case(&cases[i], WARP_BALLOT, &results[i]);
    return true;
}
