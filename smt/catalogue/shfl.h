/*
 * What the tables of shfl share: one symbolic lane of a full warp, in which every lane passes its own number as `a`, so
 * that d is the source lane itself.
 */
#ifndef WARPCHECK_SMT_CATALOGUE_SHFL_H
#define WARPCHECK_SMT_CATALOGUE_SHFL_H

#include "smt/catalogue/catalogue.h"

struct shfl_lane {
    term lane, b, c;          /* named unknowns of the goal */
    term bval, cval, segmask; /* their fields */
    term min_lane, max_lane;  /* as the manual defines them */
    struct smt_warp *w;
    struct smt_lane r;
};

/* The lemma list of a property that is expected to be PROVED or REFUTED; a witness needs no lemma. */
#define SHFL_OWN_PROVED(mode)  "shfl-" mode "-own-operands"
#define SHFL_OWN_REFUTED(mode) ""

/* A symbolic width, 1 to 32 by powers of two, and the c operand that CUDA makes of it (clamp 0 for up, else 31). */
struct shfl_width {
    term width;
    term segmask;
    term c;
};

/*
 * A full warp executing `mode` with one b and c for all lanes on the values a. A lane gets the same result whatever b
 * and c the other lanes pass: this is shfl-MODE-own-operands, a lemma of each PROVED property about single lanes.
 */
struct smt_warp *shfl_uniform(struct goal *g, enum warp_op mode, const term a[WARP_LANES], term b, term c);

#endif
