/*
 * Proofs about compiled code: LLVM bitcode of implementations, executed on unknowns, and compared for all of them.
 */
#ifndef WARPCHECK_COMPILED_H
#define WARPCHECK_COMPILED_H

#include "base/error.h"
#include "warpcheck/impl.h"

enum compiled_verdict {
    COMPILED_PROVED,  /* every claim, for all cases of the form */
    COMPILED_BOUNDED, /* every claim, for the cases that `bound` describes */
    COMPILED_REFUTED, /* a claim fails: `witness` */
    COMPILED_OPEN,    /* not decided; `note` says what was tried */
    COMPILED_ERROR,   /* not translated, or the translation contradicts the native code: `note` */
    COMPILED_VERDICTS
};
const char *compiled_verdict_name(enum compiled_verdict verdict);

struct compiled_outcome {
    enum compiled_verdict verdict;
    const char *bound; /* BOUNDED: which cases */
    char note[400];
    double seconds;
    unsigned claims;     /* that were decided by a solver */
    unsigned immediate;  /* that rewriting decided */
    unsigned algebraic;  /* that the normal form of reductions decided */
    unsigned long steps; /* instructions executed */
    unsigned concrete;   /* cases on which the translation was compared with the native code */
    bool undefined; /* REFUTED: by undefined behaviour or a value that is not initialized, so a run may look right */
    bool has_witness;
    struct warp_case witness;
};

/*
 * How often the translated function went back in loops that it has not left; 0 where it is in none. `turns` is written
 * all the time, so in shared memory it tells where a process was that has been ended. NULL: nobody wants to know.
 */
struct compiled_turns {
    unsigned long turns;
    char function[64];
};
void compiled_watch_turns(struct compiled_turns *turns);

/*
 * Makes ready for all that is here and in user/user.h, for this process and those that it forks from here on. False:
 * LLVM cannot be loaded, with one clause in `error`.
 */
bool compiled_open(struct error *error);

#define COMPILED_GOAL 64u

struct compiled_options {
    const char *bitcode; /* the folder with the bitcode; NULL: where the build put it */
    double timeout_s;    /* for one question to the solver */
    unsigned concrete;   /* cases for the comparison with the native code, for each symbolic run; 0: none */
    uint64_t seed;
    unsigned lanes; /* only so many of the lanes by which goals are split, and no verdict PROVED or BOUNDED; 0: all */
    char *goal;     /* COMPILED_GOAL bytes, for what is being decided; NULL: nobody wants to know */
    const struct warp_impl *spec, *fast; /* native; `fast` NULL: this machine cannot run the variant. For the
                                            encoding: its terms, evaluated */
};

/* The prover's own encoding (smt/encode) stands beside the compiled variants under the name that it has everywhere. */
#define COMPILED_ENCODING "smt"

/* The i-th compiled variant: "fast-portable", ... and last the encoding. NULL past the end. */
const char *compiled_variant(size_t i);

/*
 * Compares the compiled variant, or the encoding, with the compiled spec for all cases of a form. False, with one clear
 * line, when nothing could be started (no such variant, no bitcode).
 */
bool compiled_prove(const struct warp_form_info *info, const char *variant, const struct compiled_options *options,
                    struct compiled_outcome *outcome, struct error *error);

#endif
