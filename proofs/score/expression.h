/*
 * A program as far as it is written (program.h): its objects, variables and pointers, the places that it reads and
 * writes, and its expressions. All write C to `out` and say what it gives in each run.
 */
#ifndef WARPCHECK_PROOFS_SCORE_EXPRESSION_H
#define WARPCHECK_PROOFS_SCORE_EXPRESSION_H

#include "base/buffer.h"
#include "base/random.h"
#include "proofs/score/bits.h"

/*
 * A program is written and executed at once, in four runs: with h = 0 and 1, and with 0 and 1 as one bit of x, `t`. A
 * run is live where it comes by; what is written where no run comes by is never executed.
 */
#define RUNS      4u
#define H(run)    ((run)&1u)
#define T(run)    ((run) >> 1)
#define BYTES     32u /* of the largest object */
#define SIZES     4u  /* of objects: 8, 16, 24, 32 bytes */
#define OBJECTS   6u
#define VARIABLES 5u
#define POINTERS  2u
#define FIELDS    3u
#define VECTOR    16u /* bytes */
#define DEPTH     3u  /* of statements in statements, and of expressions */

struct each {
    struct bits run[RUNS];
};

struct object {
    char text[16]; /* the lvalue */
    unsigned size; /* bytes */
    bool is_const, is_hidden;
    uint8_t run[RUNS][8 * BYTES]; /* bits, as in struct bits */
};

struct variable {
    unsigned width;
    bool is_signed;
    struct each value; /* extended */
};

/* A place in some object in each run. */
#define NOWHERE OBJECTS
struct address {
    unsigned object[RUNS], byte[RUNS];
};
/* A byte of an object, the same in all. */
struct address address_of(unsigned object, unsigned byte);

struct program {
    struct random random;
    struct buffer *before, *out;
    unsigned name, calls, indent, t; /* t: the number of that bit of x */
    bool live[RUNS];
    struct object objects[OBJECTS];
    unsigned objects_n, fields[FIELDS]; /* widths of the bit-fields */
    struct variable variables[VARIABLES];
    unsigned variables_n, pointers_n;
    struct address pointers[POINTERS];
};

static inline unsigned any(struct program *p, unsigned n)
{
    return (unsigned)random_below(&p->random, n);
}

#define EACH_LIVE(p, r)                                                                                                \
    for (unsigned r = 0; r < RUNS; r++)                                                                                \
        if ((p)->live[r])

static inline struct each same(struct bits v)
{
    return (struct each){{v, v, v, v}};
}

/* Each run goes on where the condition lets it; `otherwise`: where it does not. */
void program_enter(struct program *p, const bool before[RUNS], const bool holds[RUNS], bool otherwise);

/* Bits of an object: the address of the byte, how far from it, and how many. */
struct place {
    struct address at;
    unsigned bit, width;
    bool is_signed;
};

/* The width of an element of memory: 8, 16, 32, 64. */
unsigned place_width(struct program *p);
struct each place_load(const struct program *p, const struct place *place);
void place_store(struct program *p, const struct place *place, const struct each *v);
/* The number of an object to read or to write; one of this size must be there. */
unsigned place_object(struct program *p, bool is_written, unsigned size);
/* Can one of this size be written? */
bool place_has_object(const struct program *p, unsigned size);
/* A pointer to n bytes. Where it is another one in each run they are at least `apart`: a store to one of two places
 * that overlap is not translated. */
struct address place_bytes(struct program *p, struct buffer *out, unsigned n, bool is_written, unsigned apart);
/* An lvalue: of `width` bits, or a bit-field. */
struct place place_any(struct program *p, struct buffer *out, unsigned width, bool is_written, unsigned depth);

/* Widths of _BitInt types, which are not promoted to int; a 0 behind them. */
extern const unsigned expression_odd_widths[];
/* The width of a value: as of elements, or an odd one. */
unsigned expression_width(struct program *p);
/* An expression of type uintWIDTH_t; above these bits its value is 0. `known`: no bit is x's or unwritten. A leaf has
 * no operation. */
struct each expression_write(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known);
struct each expression_leaf(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known);
/* A condition, and in which run it holds. */
void condition_write(struct program *p, struct buffer *out, unsigned depth, bool holds[RUNS]);

#endif
