/*
 * A user's implementation as LLVM bitcode: proved equal to the compiled transcription, or refuted with a case.
 *
 * What a function takes and gives is its shape; docs/compiled.md states each exactly. Whatever stands in the bitcode
 * and is not translated is an error that names it.
 */
#ifndef WARPCHECK_PROOFS_USER_USER_H
#define WARPCHECK_PROOFS_USER_USER_H

#include "base/error.h"
#include "proofs/warpcheck_compiled.h"

#define USER_BEFORE    (WARP_LANES + 1) /* words that a function may find: d of each lane, then *p */
#define USER_UNWRITTEN 0xa5a5a5a5u

/* The function to be judged, and how. The caller owns the texts; they must live as long as what is made of the
 * request. */
struct user_request {
    const char *file;     /* bitcode */
    const char *function; /* defined there */
    const char *shape;
    const struct warp_form_info *info; /* the form that it claims to be */
    const char *spec_bitcode;          /* the folder of the transcription's bitcode; NULL: where the build put it */
    const struct warp_impl *spec;      /* native */
    double timeout_s;                  /* for one question to the solver */
    unsigned concrete; /* random cases on which the translation is first compared with the native code; 0: none */
    uint64_t seed;
    const uint32_t *before; /* USER_BEFORE words that the evaluation of a case finds; NULL: all USER_UNWRITTEN */
};

struct user_outcome {
    enum compiled_verdict verdict;
    bool unusable;  /* with COMPILED_ERROR: it is the bitcode, not a contradiction in here; see note */
    char bound[80]; /* COMPILED_BOUNDED: which cases */
    char note[600]; /* what, where and how to mend it */
    double seconds;
    unsigned claims, immediate, algebraic; /* decided by the solver, by rewriting, by the algebra of reductions */
    unsigned long steps;                   /* instructions executed */
    unsigned concrete;                     /* cases on which translation and native code agreed */
    char native[400];                      /* why the native code was not run; "" when it was */
    bool has_witness;
    struct warp_case witness;     /* COMPILED_REFUTED: replayed on the native transcription and on the translation */
    uint32_t before[USER_BEFORE]; /* what d and *p held then */
};

/* The i-th shape: its name and its declaration in C. False past the end. */
bool user_shape_get(size_t i, const char **name, const char **declaration);
/* Can a function of this shape be this form? False: there is no such shape (ERROR_USAGE), or it cannot be this form
 * (ERROR_UNSUPPORTED); the text says which there are. */
bool user_shape_takes(const char *shape, const struct warp_form_info *info, struct error *error);

/*
 * Proves or refutes. LLVM ends the process on some damaged files, so callers who must go on call this in a child
 * process.
 */
void user_prove(const struct user_request *request, struct user_outcome *outcome);

/*
 * The function as an implementation: by the translator's evaluation of its bitcode, or by its native code, which LLVM
 * makes and a child process runs. It answers cases of the request's form. Undefined behaviour and values that are not
 * initialized are failures to answer, with the reason. NULL with one clear line in `error`. Freed by its close.
 */
const struct warp_impl *user_impl_open(const struct user_request *request, bool native, struct error *error);

#endif
