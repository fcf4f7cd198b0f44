/* The scalar operations of LLVM's IR, with what makes their results poison. */
#ifndef WARPCHECK_PROOFS_ARITH_H
#define WARPCHECK_PROOFS_ARITH_H

#include "proofs/llvm.h"
#include "proofs/value.h"

struct flags {
    bool nuw, nsw, exact, disjoint, nneg;
    const char *unknown;      /* one that changes the meaning and is not translated: executing it is an error */
    const char *unknown_kind; /* ... what it is: a flag, an attribute, metadata */
    bool promised;            /* has metadata that machine_promised obeys */
};

const struct scalar *arith_binary(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                  const struct scalar *y);
const struct scalar *arith_compare(struct maker *m, LLVMIntPredicate predicate, const struct scalar *x,
                                   const struct scalar *y);
/* f32 operands as their bits. The meaning is stated on bits; a lemma checks it against IEEE's (goals). */
const struct scalar *arith_float_compare(struct maker *m, LLVMRealPredicate predicate, const struct scalar *x,
                                         const struct scalar *y);
/* A number as an f32's bits; `width` of the result. */
const struct scalar *arith_to_float(struct maker *m, const struct scalar *x, unsigned width, bool is_signed);
const struct scalar *arith_cast(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned width);
const struct scalar *arith_not(struct maker *m, const struct scalar *x);

/* c ? x : y, as a program computes it: where m->opaque_order is set, a minimum is one as a whole. */
const struct scalar *arith_select(struct maker *m, term c, const struct scalar *x, const struct scalar *y);

/* min, max: signed or not. */
const struct scalar *arith_min_max(struct maker *m, bool max, bool is_signed, const struct scalar *x,
                                   const struct scalar *y);

#endif
