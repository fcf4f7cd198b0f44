/*
 * Arithmetic on rows: one PTX operation on the registers of a whole warp.
 *
 * A row is 32 values of 64 bits, one a lane; a narrower value stands in the low bits, with zeros above it. A row
 * function writes the lanes of `mask` alone. Each lane's result depends on that lane's sources only, so that a
 * destination may be one of the sources.
 *
 * Clauses: the manual's page of each instruction. Where it leaves a result open (NaN payloads, .approx) the reading
 * stands in docs/kernels.md.
 */
#ifndef WARPCHECK_KERNEL_EXEC_ROW_H
#define WARPCHECK_KERNEL_EXEC_ROW_H

#include "ptx/module.h"

#define ROW_SOURCES 4u

/* What all lanes of an instruction have in common, worked out once. */
struct row_type {
    uint64_t mask;      /* the bits of the result */
    uint64_t room;      /* cvt: the bits that get it; more than `mask` in a wider register of a signed result */
    uint64_t step;      /* unused bits of the sources: 64 - bits */
    unsigned bits;      /* of the sources: 1, 8, 16, 32, 64; of one half for .f16x2 and .bf16x2 */
    unsigned bits_to;   /* cvt: of the result */
    enum ptx_type type; /* of the sources, the half's for .f16x2 and .bf16x2 */
    enum ptx_type to;   /* cvt, set: of the result */
    bool is_signed;
    bool pair; /* .f16x2, .bf16x2: two halves, each by itself */
    const struct module_instruction *i;
};

typedef void row_function(uint64_t *d, const uint64_t *const s[ROW_SOURCES], const struct row_type *t, lanemask mask);

/*
 * The function that computes the instruction's first destination from its sources, in their order, and what it needs to
 * know. NULL: no arithmetic (a load, a branch, a warp instruction), or none that is executed; `error` says which.
 */
row_function *row_find(const struct module_instruction *i, struct row_type *type, struct error *error);

/* The function that computes dsts[1]: the carry of add.cc and its kin, q of setp. NULL when there is no second
 * destination. */
row_function *row_find_second(const struct module_instruction *i);

/* Atomic operations: the new value of the word from the old one and the operands; is_global: where the word is. */
uint64_t row_atomic(const struct module_instruction *i, uint64_t old, uint64_t b, uint64_t c, bool is_global);

#endif
