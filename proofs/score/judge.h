/*
 * One drawn function (draw.h), judged: compiled, executed natively on the way, and given to the prover.
 *
 * That a right one is right, and a wrong one wrong on its witness, native code shows first: of the function with
 * UBSan's traps, or with another sanitizer, and of the very bitcode that the prover gets. What a level of optimization
 * has taken out of the code (undefined behaviour that it does not show any more) the prover need not find.
 */
#ifndef WARPCHECK_PROOFS_SCORE_JUDGE_H
#define WARPCHECK_PROOFS_SCORE_JUDGE_H

#include "proofs/score/draw.h"
#include "proofs/user/user.h"

enum judge_level { JUDGE_O0, JUDGE_O1, JUDGE_O2, JUDGE_O3, JUDGE_UNOPTIMIZED, JUDGE_LEVELS };
const char *judge_level_name(enum judge_level level);

enum judge_end {
    JUDGE_RIGHT,   /* PROVED of a right one, REFUTED of a wrong one */
    JUDGE_BOUNDED, /* a proof for fewer lanes, which the witness is not among */
    JUDGE_OPEN,
    JUDGE_REFUSED, /* what it has is not translated */
    JUDGE_GONE,    /* PROVED, and the mistake is not in the code any more: it was undefined, and optimized away */
    JUDGE_UNSEEN,  /* nothing is known: the mistake changes nothing on the witness, or the case has no native judge */
    JUDGE_WRONG,   /* a wrong verdict, a contradiction, a crash */
    JUDGE_BROKEN,  /* the generator's own defect: it does not compile, or a right one is natively wrong */
    JUDGE_ENDS
};

struct judge_plan {
    uint64_t seed;
    double timeout_s; /* of one question */
    const char *out;  /* the folder of wrong verdicts */
    struct draw_limits limits;
    bool plain;                       /* only levels at which nothing is optimized away */
    unsigned clangs[8], clangs_count; /* versions that are here, ascending */
};
/* Fills what this processor has, and the clangs. False: there is none. */
bool judge_prepare(struct judge_plan *plan);

struct judged {
    enum judge_end end;
    bool wrong; /* the function */
    enum judge_level level;
    enum compiled_verdict verdict;
    double seconds;
    const char *step, *shape; /* constant */
    char note[500];
};

/* What is known of it before: whether it is right, the step, the level. */
void judge_draw(const struct judge_plan *plan, uint64_t number, struct judged *j);
/* Keeps the source of one that has no result in the folder, as judge_function does of a wrong verdict. */
void judge_keep(const struct judge_plan *plan, uint64_t number, struct judged *j);
/* The number-th function of the seed: its level and compiler, too, are drawn. */
void judge_function(const struct judge_plan *plan, uint64_t number, struct judged *j);

#endif
