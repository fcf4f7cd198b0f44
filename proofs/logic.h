/*
 * Terms as the translator makes them: what can be decided on the spot is, so that control flow over concrete masks
 * needs no solver.
 *
 * Bools are kept in negation normal form with flat `and` and `or`; bit-vectors keep concatenations, extractions and
 * choices in view. Every rule is an equivalence.
 */
#ifndef WARPCHECK_PROOFS_LOGIC_H
#define WARPCHECK_PROOFS_LOGIC_H

#include "smt/term.h"

bool is_true(struct smt *s, term x);
bool is_false(struct smt *s, term x);

/* Terms that are remembered between calls are given up: before the context is closed, and where memory matters. */
void logic_forget(struct smt *s);

term b_not(struct smt *s, term x);
term b_and(struct smt *s, term x, term y);
term b_or(struct smt *s, term x, term y);
term b_xor(struct smt *s, term x, term y);
term b_all(struct smt *s, const term *x, size_t n);
term b_ite(struct smt *s, term c, term x, term y);
/* The conjuncts of x: x itself where it is no conjunction. */
unsigned b_conjuncts(struct smt *s, term x);
term b_conjunct(struct smt *s, term x, unsigned i);
bool b_is_or(struct smt *s, term x);
/* A conjunction or disjunction without one part. */
term b_without(struct smt *s, term x, term part);

term v_number(struct smt *s, uint64_t value, unsigned width);
/* A numeral of at most 64 bits. */
bool v_value(struct smt *s, term x, uint64_t *value);
term v_ite(struct smt *s, term c, term x, term y);
/* The same, of what a loop leaves that ends early: where later rounds change nothing, it is what it is at the end. */
term v_ite_of_rounds(struct smt *s, term c, term x, term y);
/* A choice of words into which no other rule looks. And x without such seals. */
term v_sealed_ite(struct smt *s, term c, term x, term y);
term v_unsealed(struct smt *s, term x);
/*
 * Is it false for x, whatever is chosen: for each of the words among which x is a choice, where that one is chosen?
 * `property` makes a term of a word.
 */
bool v_is_never(struct smt *s, term x, term (*property)(void *context, term word), void *context);
/* x where c is true: choices at its top that c decides are gone. */
term v_given(struct smt *s, term x, term c);
term v_eq(struct smt *s, term x, term y);
term v_extract(struct smt *s, unsigned high, unsigned low, term x);
/* A part of a choice as a choice of parts. NULL: x is none. */
term v_chosen_part(struct smt *s, term x);
term v_concat(struct smt *s, term high, term low);
term v_sign_extend(struct smt *s, unsigned width, term x);

enum v_bitwise { V_AND, V_OR, V_XOR };
/* Part by part where an operand is a concatenation. */
term v_bitwise(struct smt *s, enum v_bitwise op, term x, term y);

/* A solver of bits, to which nobody holds yet. */
Z3_solver bits_solver(struct smt *s);
/* A solver that was just made, which now gives up after so many milliseconds ("timeout") or steps ("rlimit"). The
 * caller releases it. */
Z3_solver limited_solver(struct smt *s, Z3_solver solver, const char *limit, unsigned most);

#endif
