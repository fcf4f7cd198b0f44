/*
 * Reductions in another order: solvers do not find that they are equal, algebra does.
 *
 * A term built from one associative and commutative operation, and from choices, is brought to the form
 *   (c1 ? x1 : neutral) op (c2 ? x2 : neutral) op ...
 * by the rules (c ? y op d : y) = y op (c ? d : neutral), associativity and commutativity. algebra_lemmas proves these
 * rules for 32 bits.
 */
#ifndef WARPCHECK_COMPILED_ALGEBRA_H
#define WARPCHECK_COMPILED_ALGEBRA_H

#include "smt/compiled/logic.h"

enum algebra {
    ALGEBRA_ADD,
    ALGEBRA_AND,
    ALGEBRA_OR,
    ALGEBRA_XOR,
    ALGEBRA_SMIN,
    ALGEBRA_SMAX,
    ALGEBRA_UMIN,
    ALGEBRA_UMAX,
    ALGEBRAS
};

uint32_t algebra_neutral(enum algebra op);
/* The rules as claims: true for all 32-bit words. Returns how many were written (at most 4). */
unsigned algebra_lemmas(struct smt *s, enum algebra op, term claims[4]);
/* True: x and y have the same form where `given` is true. False says nothing. */
bool algebra_equal(struct smt *s, enum algebra op, term given, term x, term y);

#endif
