/*
 * A witness, from the solver's values to cases, and replayed on implementations.
 */
#ifndef WARPCHECK_SMT_WITNESS_H
#define WARPCHECK_SMT_WITNESS_H

#include "smt/goal.h"
#include "smt/solver/solver.h"

/* What a replay says about the claim that the solver refuted. */
enum replayed {
    REPLAY_REFUTES,  /* the hypotheses hold and the claim fails, with this implementation's results too */
    REPLAY_DIFFERS,  /* the replay refutes nothing: the encoding and the implementation differ, or the solver's values
                        are wrong */
    REPLAY_NO_CASE,  /* the values do not make a case: an error in the goal */
    REPLAY_NO_ANSWER /* the implementation could not answer */
};

struct witness {
    struct goal *g;
    const struct goal_claim *claim;
    struct assignment *values; /* unknowns that are missing are 0 */
};

/* `cases` (room for GOAL_WARPS) gets the cases in the order of execution. impl NULL: the encoding itself. */
enum replayed witness_replay(const struct witness *w, const struct warp_impl *impl, struct warp_case *cases);

/* Simplifies values (0, 1, few active lanes) as long as the replay on `impl` still refutes; at most `limit`
 * replays. */
void witness_reduce(struct witness *w, const struct warp_impl *impl, unsigned limit);

/*
 * The lanes of each warp that matter: those whose result the claim speaks of, and those whose operands reach these.
 * Where one warp's results are another's operands, only what the refuted claim examines counts, and what this came
 * from; 0: nothing of the warp. `cases` are those of the replay on `impl`.
 */
void witness_lanes(const struct witness *w, const struct warp_impl *impl, const struct warp_case *cases,
                   lanemask lanes[GOAL_WARPS]);

/* "lane = 3, b = 0x21": the goal's named unknowns. */
void witness_text(const struct witness *w, char *out, size_t size);

#endif
