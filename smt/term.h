/*
 * Terms: thin constructors over Z3, with the words that the encoding and the catalogue use.
 *
 * A lane number and a lane mask are 32-bit words, a predicate is a Bool, an f32 is its 32 bits.
 */
#ifndef WARPCHECK_SMT_TERM_H
#define WARPCHECK_SMT_TERM_H

#include "smt/context.h"

#include "warpcheck/form.h"

struct term_list {
    term *items;
    size_t count, room;
};
void term_list_add(struct term_list *list, term x);
void term_list_free(struct term_list *list);
bool term_list_has(const struct term_list *list, term x);
/* The same list with references of its own, so that its terms outlive smt_release: nothing else may add to it. */
void term_list_keep(struct smt *s, struct term_list *list, term x);
void term_list_release(struct smt *s, struct term_list *list);

/* A number for each term; terms are a shared graph, and each of its nodes is one term. */
struct term_map {
    uint32_t *numbers; /* by Z3's number of the term */
    size_t room;
};
/* The number of the term, 0 at first. The pointer is valid until the next call. */
uint32_t *term_map_at(struct smt *s, struct term_map *map, term x);
void term_map_free(struct term_map *map);

/* An application's arguments: 0 of numerals and of what is no application. */
unsigned term_arguments(struct smt *s, term x);
term term_argument(struct smt *s, term x, unsigned i);
Z3_decl_kind term_kind(struct smt *s, term x); /* of an application; Z3_OP_UNINTERPRETED: it is none */

/* Constants. */
term term_word(struct smt *s, uint32_t value);
term term_bits(struct smt *s, uint64_t value, unsigned width);
term term_bool(struct smt *s, bool value);
term term_constant(struct smt *s, Z3_sort sort, const char *name); /* the constant of that name: same name, same term */
/* Numerals: reads a literal. False when the term is none. */
bool term_value(struct smt *s, term x, uint64_t *value);
unsigned term_width(struct smt *s, term x); /* of a bit-vector; 0: a Bool or another sort */

/* Logic. */
term term_not(struct smt *s, term x);
term term_and(struct smt *s, term x, term y);
term term_or(struct smt *s, term x, term y);
term term_implies(struct smt *s, term x, term y);
term term_all(struct smt *s, const term *x, size_t n); /* true for none */
term term_any(struct smt *s, const term *x, size_t n); /* false for none */
term term_ite(struct smt *s, term condition, term yes, term no);
term term_eq(struct smt *s, term x, term y); /* of any one sort; Bool: if and only if */
term term_ne(struct smt *s, term x, term y);
#define TERM_ALL(s, ...) term_all(s, (term[]){__VA_ARGS__}, sizeof((term[]){__VA_ARGS__}) / sizeof(term))
#define TERM_ANY(s, ...) term_any(s, (term[]){__VA_ARGS__}, sizeof((term[]){__VA_ARGS__}) / sizeof(term))

/* Bit-vectors of one width. */
term term_add(struct smt *s, term x, term y);
term term_sub(struct smt *s, term x, term y);
term term_neg(struct smt *s, term x);
term term_band(struct smt *s, term x, term y);
term term_bor(struct smt *s, term x, term y);
term term_bxor(struct smt *s, term x, term y);
term term_bnot(struct smt *s, term x);
term term_shl(struct smt *s, term x, term y);
term term_lshr(struct smt *s, term x, term y);
term term_ule(struct smt *s, term x, term y);
term term_ult(struct smt *s, term x, term y);
term term_sle(struct smt *s, term x, term y);
term term_slt(struct smt *s, term x, term y);
term term_extract(struct smt *s, unsigned high, unsigned low, term x);
term term_concat(struct smt *s, term high, term low);
term term_extend(struct smt *s, unsigned width, term x); /* with zeros */
/* x[high:low] as a 32-bit word, as the manual writes c[12:8]. */
term term_field(struct smt *s, term x, unsigned high, unsigned low);

/* f32, given by its bits. */
term term_float(struct smt *s, term bits);
term term_is_nan(struct smt *s, term bits);
term term_float_lt(struct smt *s, term x, term y); /* IEEE less than, of bits */
term term_float_eq(struct smt *s, term x, term y); /* IEEE equal, of bits */
term term_is_negative(struct smt *s, term bits);   /* the sign bit */

/* Lanes and lane masks. */
term term_in(struct smt *s, term lane, term mask);                     /* bit `lane`; false for a lane above 31 */
term term_only(struct smt *s, term lane);                              /* the mask of one lane */
term term_mask(struct smt *s, const term bit[WARP_LANES]);             /* Bools to a lane mask */
term term_of_lane(struct smt *s, const term v[WARP_LANES], term lane); /* v[lane & 31] */
term term_each_in(struct smt *s, term mask, const term x[WARP_LANES]); /* x[k] for each lane k of the mask */

/*
 * A growing set of replacements that remembers its results, so that replacing in a known term costs nothing. No term
 * that contains `from` may have been replaced before `from` is added, and no term that was replaced in may be
 * released.
 */
struct term_replacer {
    struct term_map place; /* in `result`, plus 1 */
    struct term_list result;
};
void term_replacer_add(struct smt *s, struct term_replacer *r, term from, term to);
term term_replace(struct smt *s, struct term_replacer *r, term x);
void term_replacer_free(struct term_replacer *r);

/* Replaces from[i] by to[i], all at once. */
term term_substitute(struct smt *s, term x, const term *from, const term *to, size_t n);
term term_simplify(struct smt *s, term x);
/* One term whose arguments are these, n > 0, of a function without a meaning. */
term term_together(struct smt *s, const term *x, size_t n);
/* Simplifies each of the terms, n > 0; what they share, once. */
void term_simplify_each(struct smt *s, term *x, size_t n);

#endif
