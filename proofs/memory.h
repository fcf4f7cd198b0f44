/*
 * Memory as objects of bytes, each byte a part of a scalar that was stored.
 *
 * A state is what all objects hold at one point of the execution; states share what did not change.
 */
#ifndef WARPCHECK_PROOFS_MEMORY_H
#define WARPCHECK_PROOFS_MEMORY_H

#include "proofs/value.h"

struct cell {
    const struct scalar *v; /* NULL: not initialized */
    unsigned byte;          /* which byte of v */
};

/* What was stored at indices that count (packing.h): each at base + index * scale where `when` holds, in this order. */
struct packed {
    const struct packed *other; /* beginning elsewhere in the object */
    uint64_t base, scale;
    unsigned bytes, count;
    struct packed_one {
        const struct scalar *index, *v;
        term when;
    } one[32];
};

struct block {
    unsigned users;
    const struct packed *packed; /* not yet in the cells; NULL: nothing */
    term ended;                  /* a Bool: the life of this local variable is over, or has not begun; NULL: it lives */
    bool kept;                   /* it exists also where nobody has used it yet: a variable kept from call to call */
    struct cell c[];
};

struct state {
    struct block **blocks; /* by the object's number; NULL: the object does not exist here */
    unsigned n;
    size_t room;
};

void state_add(struct state *state, unsigned object, uint64_t size);
/* The same of a variable that is kept from call to call, with what is unknown here. */
void state_keep(struct state *state, unsigned object, uint64_t size);
struct state state_copy(const struct state *state);
void state_free(struct state *state);
/* x becomes: x where c, else y. y is freed. */
void state_merge(struct maker *m, term c, struct state *x, struct state *y, const uint64_t *sizes);

/* The object, to be changed in this state alone. */
struct block *memory_own(struct state *state, unsigned object, uint64_t size);
/* May an element of one of the lists lie in the n bytes? */
bool memory_touched(const struct packed *lists, uint64_t at, uint64_t n);
/* May something that was packed lie in the n bytes? */
bool memory_packed(const struct state *state, unsigned object, uint64_t at, uint64_t n);

/* These stop where something may be packed. */
const struct scalar *memory_load(struct maker *m, const struct state *state, unsigned object, uint64_t at,
                                 unsigned width);
void memory_store(struct maker *m, struct state *state, unsigned object, uint64_t size, uint64_t at,
                  const struct scalar *x);
/* Ends the object's life: its content is lost. state_add begins it anew. */
void memory_end(struct maker *m, struct state *state, unsigned object, uint64_t size);
void memory_copy(struct state *state, unsigned to, uint64_t to_size, uint64_t to_at, unsigned from, uint64_t from_at,
                 uint64_t n);

#endif
