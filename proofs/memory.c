#include "proofs/memory.h"

#include <stdlib.h>
#include <string.h>

static struct block *new_block(uint64_t size)
{
    struct block *b = smt_grow(NULL, 1, sizeof *b + size * sizeof b->c[0]);
    memset(b, 0, sizeof *b + size * sizeof b->c[0]);
    b->users = 1;
    return b;
}

static void drop(struct block *b)
{
    if (b != NULL && --b->users == 0)
        free(b);
}

static void make_room(struct state *state, unsigned n)
{
    while (state->n < n) {
        state->blocks = smt_room(state->blocks, state->n, &state->room, sizeof(struct block *));
        state->blocks[state->n++] = NULL;
    }
}

void state_add(struct state *state, unsigned object, uint64_t size)
{
    make_room(state, object + 1);
    drop(state->blocks[object]);
    state->blocks[object] = new_block(size);
}

struct state state_copy(const struct state *state)
{
    struct state copy = {0};
    make_room(&copy, state->n);
    for (unsigned i = 0; i < state->n; i++) {
        copy.blocks[i] = state->blocks[i];
        if (copy.blocks[i] != NULL)
            copy.blocks[i]->users++;
    }
    return copy;
}

void state_free(struct state *state)
{
    for (unsigned i = 0; i < state->n; i++)
        drop(state->blocks[i]);
    free(state->blocks);
    *state = (struct state){0};
}

static struct block *own(struct state *state, unsigned object, uint64_t size)
{
    struct block *old = state->blocks[object], *b;
    if (old->users == 1)
        return old;
    b = new_block(size);
    b->ended = old->ended;
    memcpy(b->c, old->c, size * sizeof b->c[0]);
    old->users--;
    state->blocks[object] = b;
    return b;
}

static const struct scalar *byte_of(struct maker *m, struct cell c)
{
    return c.v == NULL ? make_unset(m, 8) : scalar_slice(m, c.v, 8 * c.byte, 8);
}

/* The length, in bytes, of the run of cells that hold one scalar in order. */
static unsigned run_of(const struct cell *c, unsigned n)
{
    unsigned length = 1;
    while (length < n && c[length].v == c[0].v && (c[0].v == NULL || c[length].byte == c[0].byte + length))
        length++;
    return length;
}

/* Padding has no value, but a structure with padding may be copied byte by byte. */
static const struct scalar *copy_of(struct maker *m, const struct scalar *x, const struct cell *c, unsigned bytes)
{
    struct scalar *y = arena_take(&m->arena, sizeof *y);
    struct cell *cells = arena_take(&m->arena, bytes * sizeof *cells);
    memcpy(cells, c, bytes * sizeof *cells);
    *y = *x;
    y->copied = cells;
    return y;
}

const struct scalar *memory_load(struct maker *m, const struct state *state, unsigned object, uint64_t at,
                                 unsigned width)
{
    const struct cell *c = &state->blocks[object]->c[at];
    const struct scalar *x = NULL;
    const unsigned bytes = width / 8;
    unsigned missing = 0;
    for (unsigned i = 0, length; i < bytes; i += length) {
        const struct scalar *part;
        length = run_of(c + i, bytes - i);
        missing += c[i].v == NULL ? length : 0;
        part = c[i].v == NULL ? make_unset(m, 8 * length) : scalar_slice(m, c[i].v, 8 * c[i].byte, 8 * length);
        x = x == NULL ? part : scalar_concat(m, part, x);
    }
    return missing == 0 || missing == bytes ? x : copy_of(m, x, c, bytes);
}

void memory_store(struct maker *m, struct state *state, unsigned object, uint64_t size, uint64_t at,
                  const struct scalar *x)
{
    struct block *b = own(state, object, size);
    if (at > size || x->width / 8 > size - at)
        fail(m, "%u bits are written at %llu of an object of %llu bytes: a defect of warpcheck", x->width,
             (unsigned long long)at, (unsigned long long)size);
    for (unsigned i = 0; i < x->width / 8; i++)
        b->c[at + i] = x->copied != NULL ? x->copied[i] : (struct cell){x, i};
}

void memory_end(struct maker *m, struct state *state, unsigned object, uint64_t size)
{
    state_add(state, object, size);
    state->blocks[object]->ended = term_bool(m->s, true);
}

void memory_copy(struct state *state, unsigned to, uint64_t to_size, uint64_t to_at, unsigned from, uint64_t from_at,
                 uint64_t n)
{
    struct block *b = own(state, to, to_size);
    memmove(&b->c[to_at], &state->blocks[from]->c[from_at], n * sizeof b->c[0]);
}

static bool same_cell(struct cell x, struct cell y)
{
    if (x.v == y.v)
        return x.byte == y.byte || x.v == NULL;
    return x.v != NULL && y.v != NULL && x.byte == y.byte && scalar_same(x.v, y.v);
}

/* Whole scalars are merged as such where both sides hold one, else byte by byte. */
static void merge_block(struct maker *m, term c, struct cell *x, const struct cell *y, uint64_t size)
{
    for (uint64_t i = 0; i < size;) {
        const struct scalar *merged;
        unsigned n = 1;
        if (same_cell(x[i], y[i])) {
            i++;
            continue;
        }
        if (x[i].v != NULL && y[i].v != NULL && x[i].byte == 0 && y[i].byte == 0 && x[i].v->width == y[i].v->width) {
            n = x[i].v->width / 8;
            if (i + n > size || run_of(x + i, n) != n || run_of(y + i, n) != n)
                n = 1;
        } else if (x[i].v == NULL || y[i].v == NULL) { /* initialized on one side only: the scalar there */
            const struct cell *there = x[i].v == NULL ? y + i : x + i, *other = x[i].v == NULL ? x + i : y + i;
            const unsigned whole = there->v->width / 8;
            n = there->byte == 0 && i + whole <= size && run_of(there, whole) == whole && run_of(other, whole) == whole
                    ? whole
                    : 1;
            merged = n > 1 ? make_unset(m, 8 * n) : NULL;
            if (n > 1 && there->v->kind == POINTER)
                merged = make_unmerged(m, 64, "a pointer that may not be initialized is used");
            else if (n > 1)
                merged = x[i].v == NULL ? scalar_select(m, c, merged, there->v) : scalar_select(m, c, there->v, merged);
            if (n > 1) {
                for (unsigned k = 0; k < n; k++)
                    x[i + k] = (struct cell){merged, k};
                i += n;
                continue;
            }
        }
        merged = n > 1 ? scalar_select(m, c, x[i].v, y[i].v) : scalar_select(m, c, byte_of(m, x[i]), byte_of(m, y[i]));
        for (unsigned k = 0; k < n; k++)
            x[i + k] = (struct cell){merged, k};
        i += n;
    }
}

void state_merge(struct maker *m, term c, struct state *x, struct state *y, const uint64_t *sizes)
{
    make_room(x, y->n);
    for (unsigned i = 0; i < y->n; i++) {
        if (y->blocks[i] == NULL || x->blocks[i] == y->blocks[i])
            continue;
        if (x->blocks[i] == NULL) {
            x->blocks[i] = y->blocks[i];
            x->blocks[i]->users++;
        } else {
            struct block *mine = own(x, i, sizes[i]);
            const struct block *other = y->blocks[i];
            term no = term_bool(m->s, false);
            if (mine->ended != other->ended)
                mine->ended =
                    b_ite(m->s, c, mine->ended == NULL ? no : mine->ended, other->ended == NULL ? no : other->ended);
            merge_block(m, c, mine->c, other->c, sizes[i]);
        }
    }
    state_free(y);
}
