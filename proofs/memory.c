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

void state_keep(struct state *state, unsigned object, uint64_t size)
{
    state_add(state, object, size);
    state->blocks[object]->kept = true;
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

struct block *memory_own(struct state *state, unsigned object, uint64_t size)
{
    struct block *old = state->blocks[object], *b;
    if (old->users == 1)
        return old;
    b = new_block(size);
    b->ended = old->ended;
    b->packed = old->packed;
    b->kept = old->kept;
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

/* Elements lie `scale` bytes apart: what lies between them is not theirs. */
static bool touches(const struct packed *list, uint64_t at, uint64_t n)
{
    const uint64_t end = list->base + 31 * list->scale + list->bytes, from = at > list->base ? at - list->base : 0;
    if (at >= end || at + n <= list->base)
        return false;
    return at < list->base || n >= list->scale || from % list->scale < list->bytes ||
           from % list->scale + n > list->scale;
}

bool memory_touched(const struct packed *lists, uint64_t at, uint64_t n)
{
    while (lists != NULL && !touches(lists, at, n))
        lists = lists->other;
    return lists != NULL;
}

bool memory_packed(const struct state *state, unsigned object, uint64_t at, uint64_t n)
{
    return memory_touched(state->blocks[object]->packed, at, n);
}

static void need_cells(struct maker *m, const struct state *state, unsigned object, uint64_t at, uint64_t n)
{
    if (memory_packed(state, object, at, n))
        fail(m, "a place is used in which something is packed");
}

const struct scalar *memory_load(struct maker *m, const struct state *state, unsigned object, uint64_t at,
                                 unsigned width)
{
    const struct cell *c = &state->blocks[object]->c[at];
    const struct scalar *x = NULL;
    const unsigned bytes = width / 8;
    unsigned missing = 0;
    need_cells(m, state, object, at, bytes);
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
    struct block *b = memory_own(state, object, size);
    if (at > size || x->width / 8 > size - at)
        fail(m, "%u bits are written at %llu of an object of %llu bytes: a defect of warpcheck", x->width,
             (unsigned long long)at, (unsigned long long)size);
    need_cells(m, state, object, at, x->width / 8);
    for (unsigned i = 0; i < x->width / 8; i++)
        b->c[at + i] = x->copied != NULL && x->whole == NULL ? x->copied[i] : (struct cell){x, i};
}

void memory_end(struct maker *m, struct state *state, unsigned object, uint64_t size)
{
    state_add(state, object, size);
    state->blocks[object]->ended = term_bool(m->s, true);
}

void memory_copy(struct state *state, unsigned to, uint64_t to_size, uint64_t to_at, unsigned from, uint64_t from_at,
                 uint64_t n)
{
    struct block *b = memory_own(state, to, to_size);
    memmove(&b->c[to_at], &state->blocks[from]->c[from_at], n * sizeof b->c[0]);
}

static bool same_cell(struct cell x, struct cell y)
{
    if (x.v == y.v)
        return x.byte == y.byte || x.v == NULL;
    return x.v != NULL && y.v != NULL && x.byte == y.byte && scalar_same(x.v, y.v);
}

/* Was a number written into these n cells, in parts? */
static bool is_number(const struct cell *c, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (c[i].v == NULL || c[i].v->kind != KNOWN || c[i].v->poison != NULL)
            return false;
    return true;
}

/* The bytes of a whole scalar at x, beside which a number was written in parts (zeros, by memset) at y; else 1. */
static unsigned whole_beside_number(const struct cell *x, const struct cell *y, uint64_t left)
{
    const unsigned n = x->v == NULL || x->byte != 0 || x->v->kind == POINTER ? 1 : x->v->width / 8;
    return n <= 8 && n <= left && run_of(x, n) == n && is_number(y, n) ? n : 1;
}

static const struct scalar *joined(struct maker *m, const struct cell *c, unsigned n)
{
    const struct scalar *x = byte_of(m, c[0]);
    if (c[0].v != NULL && c[0].byte == 0 && c[0].v->width == 8 * n && run_of(c, n) == n)
        return c[0].v;
    for (unsigned i = 1; i < n; i++)
        x = scalar_concat(m, byte_of(m, c[i]), x);
    return x;
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
        n = whole_beside_number(x + i, y + i, size - i);
        n = n > 1 ? n : whole_beside_number(y + i, x + i, size - i);
        if (n > 1) {
            merged = scalar_select(m, c, joined(m, x + i, n), joined(m, y + i, n));
            for (unsigned k = 0; k < n; k++)
                x[i + k] = (struct cell){merged, k};
            i += n;
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

static const struct packed *packed_at(const struct packed *list, uint64_t base)
{
    while (list != NULL && list->base != base)
        list = list->other;
    return list;
}

/* What was stored on both ways before they parted, then what was stored on either. */
static void merge_list(struct maker *m, term c, const struct packed *x, const struct packed *y, struct packed *both)
{
    const unsigned xn = x == NULL ? 0 : x->count, yn = y == NULL ? 0 : y->count;
    unsigned n = 0;
    *both = x != NULL ? *x : *y;
    while (n < xn && n < yn && x->one[n].v == y->one[n].v && x->one[n].index == y->one[n].index &&
           x->one[n].when == y->one[n].when)
        n++;
    if (xn + yn - n > 32 || (x != NULL && y != NULL && (x->scale != y->scale || x->bytes != y->bytes)))
        fail(m, "what is packed on two ways is not translated");
    both->count = n;
    for (unsigned i = n; i < xn; i++, both->count++) {
        both->one[both->count] = x->one[i];
        both->one[both->count].when = b_and(m->s, c, x->one[i].when);
    }
    for (unsigned i = n; i < yn; i++, both->count++) {
        both->one[both->count] = y->one[i];
        both->one[both->count].when = b_and(m->s, b_not(m->s, c), y->one[i].when);
    }
}

static const struct packed *merge_packed(struct maker *m, term c, const struct packed *x, const struct packed *y)
{
    const struct packed *all = NULL;
    if (x == y)
        return x;
    for (unsigned which = 0; which < 2; which++)
        for (const struct packed *list = which == 0 ? x : y; list != NULL; list = list->other) {
            struct packed *both;
            if (which == 1 && packed_at(x, list->base) != NULL)
                continue;
            both = arena_take(&m->arena, sizeof *both);
            merge_list(m, c, packed_at(x, list->base), packed_at(y, list->base), both);
            both->other = all;
            all = both;
        }
    return all;
}

/* Variables that are kept, and were used on one way alone, are on the other what they were. */
static void add_kept(struct state *to, const struct state *from, const uint64_t *sizes)
{
    make_room(to, from->n);
    for (unsigned i = 0; i < from->n; i++)
        if (from->blocks[i] != NULL && from->blocks[i]->kept && to->blocks[i] == NULL)
            state_keep(to, i, sizes[i]);
}

void state_merge(struct maker *m, term c, struct state *x, struct state *y, const uint64_t *sizes)
{
    add_kept(x, y, sizes);
    add_kept(y, x, sizes);
    for (unsigned i = 0; i < y->n; i++) {
        if (y->blocks[i] == NULL || x->blocks[i] == y->blocks[i])
            continue;
        if (x->blocks[i] == NULL) {
            x->blocks[i] = y->blocks[i];
            x->blocks[i]->users++;
        } else {
            struct block *mine = memory_own(x, i, sizes[i]);
            const struct block *other = y->blocks[i];
            term no = term_bool(m->s, false);
            if (mine->ended != other->ended)
                mine->ended =
                    b_ite(m->s, c, mine->ended == NULL ? no : mine->ended, other->ended == NULL ? no : other->ended);
            mine->packed = merge_packed(m, c, mine->packed, other->packed);
            merge_block(m, c, mine->c, other->c, sizes[i]);
        }
    }
    state_free(y);
}
