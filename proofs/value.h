/*
 * Values of the translated program.
 *
 * A scalar is a number that is known, a term, a list of Bools (what lane masks are), a pointer, or a choice between
 * known numbers (what the number of the lowest lane of a set is). Scalars are immutable and live in the machine's
 * arena. `poison`: a Bool, true where any of the value is poison or undefined; NULL: never. Of a value that was not
 * initialized as a whole `unset` says of each bit where it alone is undefined, each use of it anew, and all others are
 * right; `whole`: where all of it is poison all the same. NULL: nowhere; without `unset` all of it is where any is.
 */
#ifndef WARPCHECK_PROOFS_VALUE_H
#define WARPCHECK_PROOFS_VALUE_H

#include "base/error.h"
#include "proofs/logic.h"

#include <setjmp.h>

enum scalar_kind { KNOWN, TERM, BITS, CHOICE, POINTER, UNMERGED };

struct scalar {
    enum scalar_kind kind;
    unsigned width;
    term poison, whole;
    const term *unset;
    uint64_t number;      /* KNOWN, at most 64 bits, upper bits clear; POINTER: the known part of the offset */
    term t;               /* TERM */
    const term *bits;     /* BITS: `width` Bools; CHOICE: conditions, the first that is true counts, the last is true */
    const uint64_t *from; /* CHOICE: the numbers */
    unsigned count;       /* CHOICE */
    unsigned object;      /* POINTER: the object's number; 0: null */
    const struct scalar *index; /* POINTER: an unknown part of the offset, 64 bits; NULL: none */
    uint64_t scale;             /* ... in units of so many bytes */
    const struct cell *copied; /* loaded with bytes that are not initialized (padding): storing it stores these cells */
    const struct scalar *negative_of; /* 0 - that one; NULL: not known to be */
    const struct scalar *count_of;    /* the number of its bits that are set; NULL: not known to be */
    const struct scalar *chosen;      /* BITS: a CHOICE of the same numbers; NULL: not known */
    bool ranged;                      /* as a signed number it is known to be in low .. high */
    int64_t low, high;
    const char *why; /* UNMERGED: two values that cannot be merged; an error where it is used */
    /* UNMERGED: `first` where `when` holds, else `second`: addresses in different objects, at which memory is read and
     * written nonetheless. NULL: it is no such */
    term when;
    const struct scalar *first, *second;
    unsigned pointers; /* in both */
};

/* A first-class value: a scalar (n 1) or the elements of a vector. */
struct value {
    unsigned n;
    const struct scalar *e[];
};

/* Memory that is freed at once. */
struct arena {
    struct chunk *chunks;
};
void *arena_take(struct arena *arena, size_t size);
void arena_free(struct arena *arena);

/* What every function below needs. A translation that cannot go on says why and jumps. */
struct maker {
    struct smt *s;
    struct arena arena;
    jmp_buf stop;
    struct error error; /* ERROR_TIMEOUT: it would take too long; else something is not translated */
    bool takes_apart; /* comparisons of what was collected from many lanes become comparisons of what the lanes have */
    bool seals_choices; /* no rule looks into a choice of words: what is made in a loop keeps its rounds */
    bool opaque_order;  /* minima and maxima of words are functions of which nothing is said (algebra.h) */
    /* The address of an object is a multiple of this power of 2; NULL: of 1. */
    unsigned (*alignment_of)(const struct maker *m, unsigned object);
    struct packing *packing; /* lanes that are packed (packing.h); NULL: they are not looked for */
    /* Bit-vector constants whose bits are known Bools. */
    struct defined {
        term word;
        const term *bits;
    } * defined;
    size_t defined_count;
};

_Noreturn void fail(struct maker *m, const char *format, ...);
/* The same, where it would take too long. */
_Noreturn void fail_late(struct maker *m, const char *format, ...);

const struct scalar *make_known(struct maker *m, unsigned width, uint64_t number);
const struct scalar *make_term(struct maker *m, term t);
const struct scalar *make_bits(struct maker *m, unsigned width, const term *bits);
const struct scalar *make_bool(struct maker *m, term b);
const struct scalar *make_choice(struct maker *m, unsigned width, unsigned count, const term *when,
                                 const uint64_t *number);
const struct scalar *make_pointer(struct maker *m, unsigned object, uint64_t offset, const struct scalar *index,
                                  uint64_t scale);
const struct scalar *make_unmerged(struct maker *m, unsigned width, const char *why);
const struct scalar *with_poison(struct maker *m, const struct scalar *x, term poison);
/* x, of which also each bit is undefined where its `unset` (NULL: nowhere) says so; `unset` NULL: x. */
const struct scalar *with_unset(struct maker *m, const struct scalar *x, const term *unset);
const struct scalar *without_poison(struct maker *m, const struct scalar *x);
/* A value that was never written. */
const struct scalar *make_unset(struct maker *m, unsigned width);
/* Where is all of it poison? */
static inline term whole_poison(const struct scalar *x)
{
    return x->unset == NULL ? x->poison : x->whole;
}
/* Where one of these `n` bits of x from `first` on alone is undefined; NULL: nowhere. */
term unset_among(struct maker *m, const struct scalar *x, unsigned first, unsigned n);
/* `unset` of `width` bits, each NULL yet. */
term *no_unset(struct maker *m, unsigned width);
/* x where c holds, else y; c NULL: both together. */
const term *both_unset(struct maker *m, term c, const term *x, const term *y, unsigned width);
/* r, poison and undefined as x of the same width is. */
const struct scalar *with_poison_of(struct maker *m, const struct scalar *r, const struct scalar *x);
const struct value *make_value(struct maker *m, const struct scalar *x);
struct value *make_vector(struct maker *m, unsigned n);

/*
 * The number of true ones among Bools: is x known to be one? Then `bits` are the Bools, and the result is their count;
 * COUNT_NONE: it is none.
 */
#define COUNT_MOST 64u
#define COUNT_NONE (COUNT_MOST + 1)
unsigned counted_bits(struct maker *m, const struct scalar *x, term bits[COUNT_MOST]);
/* r, which is the number of true ones among n Bools. */
const struct scalar *with_count(struct maker *m, const struct scalar *r, const term *bits, unsigned n);

/* A choice between known numbers as one, whatever else it is: which element it picks is then a choice of elements. */
const struct scalar *as_choice(struct maker *m, const struct scalar *x);
/* r, which is the same as the choice; NULL: r alone. */
const struct scalar *with_choice(struct maker *m, const struct scalar *r, const struct scalar *choice);

/* The signed numbers that x can be, at most 64 bits wide. False: nothing is known of them. */
bool range_of(const struct scalar *x, int64_t *low, int64_t *high);
const struct scalar *with_range(struct maker *m, const struct scalar *r, int64_t low, int64_t high);

/* Is it an address in one object or in another? */
static inline bool is_address_choice(const struct scalar *x)
{
    return x->kind == UNMERGED && x->first != NULL;
}

/* Views. Pointers and what could not be merged are errors. */
term as_term(struct maker *m, const struct scalar *x);
term as_bool(struct maker *m, const struct scalar *x); /* of a 1-bit scalar */
void as_bits(struct maker *m, const struct scalar *x, term *bits);
/* A word whose bits are known Bools as these. */
const struct scalar *with_bits(struct maker *m, const struct scalar *x);
bool is_known(const struct scalar *x, uint64_t *number);

term poison_or(struct maker *m, term x, term y); /* of `poison`s, which may be NULL */

const struct scalar *scalar_select(struct maker *m, term c, const struct scalar *x, const struct scalar *y);
const struct scalar *scalar_slice(struct maker *m, const struct scalar *x, unsigned low, unsigned width);
const struct scalar *scalar_concat(struct maker *m, const struct scalar *high, const struct scalar *low);
bool scalar_same(const struct scalar *x, const struct scalar *y);

/* x[index], index below n known to hold: the elements as a tree over the index's bits. */
const struct scalar *scalar_pick(struct maker *m, const struct scalar *const *x, unsigned n,
                                 const struct scalar *index);

#endif
