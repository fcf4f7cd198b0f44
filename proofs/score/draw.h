/*
 * C functions of users, drawn at random, of which it is known whether they are right: what the prover of compiled code
 * is fuzzed with.
 *
 * A function claims to be an instruction. Its words are handed through steps, which return what they get in many ways.
 * Functions 2k and 2k + 1 are the same, but for one token of one step: the odd one is wrong, and only on one input,
 * the witness, which is told by up to 2^96 others. It leaves another result there, or what it does is undefined. Or
 * they differ in a slip of the function's own text: a loop that ends a lane too early, say.
 */
#ifndef WARPCHECK_PROOFS_SCORE_DRAW_H
#define WARPCHECK_PROOFS_SCORE_DRAW_H

#include "base/buffer.h"
#include "warpcheck/warp.h"

/* How a wrong function is wrong, and who sees it. */
enum draw_how {
    DRAW_VALUE,   /* another result */
    DRAW_TRAP,    /* undefined behaviour that UBSan traps */
    DRAW_ADDRESS, /* ... that AddressSanitizer sees */
    DRAW_MEMORY   /* ... that MemorySanitizer sees */
};

#define DRAW_NAME "drawn" /* of the function */

struct draw {
    bool wrong;
    const char *shape;
    const struct warp_form_info *info;
    bool wraps;       /* to be compiled with -fwrapv */
    unsigned simd;    /* to be compiled with: 0 nothing, 2 AVX2, 5 AVX-512 */
    const char *step; /* the one in which the wrong function differs */
    enum draw_how how;
    bool is_scope; /* it is about the scope of a variable, which -O0 does not mark */
    bool is_slip;  /* wrong in the function's own text instead: on many inputs, perhaps not on the witness */
    struct warp_case witness;
    unsigned lane;      /* of the witness: that of the call */
    struct buffer text; /* C; with MAIN defined, a program that calls the function on the witness */
};

/* What may be drawn. */
struct draw_limits {
    unsigned simd;     /* the most that there may be */
    bool bare;         /* no steps but the one that matters */
    const char *shape; /* what the shape's name begins with; NULL: any. Functions of one lane have short proofs */
    const char *only;  /* the name of the step that matters, or text in it; NULL: any */
};

/* Free d->text. */
void draw_function(struct draw *d, uint64_t seed, uint64_t number, const struct draw_limits *limits);
/* Is there a step with this text in its name? Slips count as one. */
bool draw_is_step(const char *only);

#endif
