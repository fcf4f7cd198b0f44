/*
 * Reductions in another order: solvers do not find that they are equal, algebra does.
 *
 * A term built from one associative and commutative operation, and from choices, is brought to the form
 *   (c1 ? x1 : neutral) op (c2 ? x2 : neutral) op ...
 * by the rules (c ? y op d : y) = y op (c ? d : neutral), associativity and commutativity, and
 * (c and (d ? x : neutral) != neutral ? x : neutral) = (c and d ? x : neutral), and of an order, what is chosen before
 * the neutral number is another one; where a part counts once however often it is there,
 * (c ? x : neutral) op (d ? x : neutral) = (c or d ? x : neutral); the low half of sums and bits of 64 bits is that of
 * the low halves, and the high half of bits that of the high ones. algebra_lemmas proves these rules for 32 bits (of 64
 * bits are only orders and bits where algebra_all_equal asks for them, and they hold in any order).
 */
#ifndef WARPCHECK_PROOFS_ALGEBRA_H
#define WARPCHECK_PROOFS_ALGEBRA_H

#include "proofs/logic.h"

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

#define ALGEBRA_LEMMAS 8u

uint32_t algebra_neutral(enum algebra op);
term algebra_apply(struct smt *s, enum algebra op, term x, term y);
/*
 * The minimum or maximum as a function of which nothing is said: parts of it and choices around it leave it whole.
 * is_opaque: x is such a one (op NULL: any). What holds for any function in its place holds for the minimum.
 */
term algebra_opaque(struct smt *s, enum algebra op, term x, term y);
bool algebra_is_opaque(struct smt *s, term x, const enum algebra *op);
/* Is (c ? x : y) a minimum or maximum of the two? */
bool algebra_chosen(struct smt *s, term c, term x, term y, enum algebra *op);
/* The rules as claims: true for all 32-bit words. Returns how many were written (at most ALGEBRA_LEMMAS). */
unsigned algebra_lemmas(struct smt *s, enum algebra op, term claims[ALGEBRA_LEMMAS]);
/* True: x and y have the same form where `given` is true. False says nothing. */
bool algebra_equal(struct smt *s, enum algebra op, term given, term x, term y);

/*
 * x = y, for the least and the greatest (or what all bits and any bits are) of the same numbers, one of which is there
 * in any case: all are equal. NULL: they are something else.
 */
term algebra_all_equal(struct smt *s, term x, term y);

/* One (c ? x : neutral) of a form. */
struct algebra_leaf {
    term c, x;
};
/*
 * The parts of x, a minimum (maximum) of signed numbers; the caller frees them. The minimum of unsigned numbers is
 * taken for the same operation, and *unsigned_too says that there was one: then all parts must be shown to be at least
 * 0.
 */
struct algebra_leaf *algebra_leaves(struct smt *s, enum algebra op, term x, size_t *n, bool *unsigned_too);

#endif
