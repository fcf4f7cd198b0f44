#include "proofs/packing.h"

#include <stdio.h>
#include <string.h>

#define NOT_PACKED "lanes that are packed in another way are not translated"

static unsigned lane_of_member(const struct packing *p, term bit)
{
    unsigned k = 0;
    while (k < WARP_LANES && p->member[k] != bit)
        k++;
    return k;
}

/* The lanes of the set that are counted. False: something else is counted, too. */
static bool counted_lanes(struct maker *m, const term *bits, unsigned n, lanemask *lanes)
{
    *lanes = 0;
    for (unsigned i = 0; i < n; i++) {
        const unsigned lane = lane_of_member(m->packing, bits[i]);
        if (is_false(m->s, bits[i]))
            continue;
        if (lane == WARP_LANES || (*lanes >> lane & 1u) != 0)
            return false;
        *lanes |= 1u << lane;
    }
    return true;
}

static lanemask all_lanes(struct maker *m)
{
    lanemask lanes = 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        lanes |= is_false(m->s, m->packing->member[k]) ? 0 : 1u << k;
    return lanes;
}

bool packing_is_size(struct maker *m, const term *bits, unsigned n)
{
    lanemask lanes;
    return !m->packing->sought && counted_lanes(m, bits, n, &lanes) && lanes == all_lanes(m);
}

/* How many lanes does the index count at most? 0: it counts none, or something else, too. */
static unsigned counts_lanes(struct maker *m, const struct scalar *index)
{
    term bits[COUNT_MOST];
    const unsigned n = index->kind == KNOWN ? COUNT_NONE : counted_bits(m, index, bits);
    lanemask lanes;
    if (n == COUNT_NONE || (m->packing->sought && index->count_of == NULL))
        return 0;
    return m->packing->sought || (counted_lanes(m, bits, n, &lanes) && lanes != all_lanes(m)) ? n : 0;
}

/* --- stores ------------------------------------------------------------------------------------------------------- */

static struct packed *with_one_more(struct maker *m, const struct packed *old, const struct packed *of)
{
    struct packed *p = arena_take(&m->arena, sizeof *p);
    *p = of != NULL ? *of : (struct packed){0};
    p->other = old;
    return p;
}

/* The list at this place in the object, taken out of the others; `rest`: these. */
static const struct packed *take_out(struct maker *m, const struct packed *all, uint64_t base,
                                     const struct packed **rest)
{
    const struct packed *found = NULL;
    *rest = NULL;
    for (; all != NULL; all = all->other) {
        if (all->base == base)
            found = all;
        else
            *rest = with_one_more(m, *rest, all);
    }
    return found;
}

bool packing_wanted(struct machine *machine, const struct scalar *p)
{
    struct maker *m = &machine->m;
    if (m->packing == NULL || p->kind != POINTER || p->index == NULL || counts_lanes(m, p->index) == 0)
        return false;
    if (m->packing->sought) {
        m->packing->found = true;
        fail_late(m, "lanes are packed");
    }
    return true;
}

static bool is_inside(struct machine *machine, const struct scalar *p, unsigned bytes)
{
    const uint64_t size = machine->sizes[p->object];
    const uint64_t most = counts_lanes(&machine->m, p->index);
    return p->poison == NULL && most < WARP_LANES && p->scale >= bytes && p->scale <= size && p->number <= size &&
           most * p->scale + bytes <= size - p->number;
}

void packing_store(struct machine *machine, const struct scalar *p, const struct scalar *x)
{
    struct maker *m = &machine->m;
    struct block *b = memory_own(&machine->now, p->object, machine->sizes[p->object]);
    const unsigned bytes = x->width / 8;
    const struct packed *rest, *list = take_out(m, b->packed, p->number, &rest);
    struct packed *longer = with_one_more(m, rest, list);
    if (!is_inside(machine, p, bytes) ||
        (list != NULL && (list->scale != p->scale || list->bytes != bytes || list->count == WARP_LANES)))
        fail(m, NOT_PACKED);
    for (unsigned i = 0; i < WARP_LANES; i++) /* lists in one object are put into the cells one after the other */
        if (memory_touched(rest, p->number + i * p->scale, bytes))
            fail(m, NOT_PACKED);
    longer->base = p->number;
    longer->scale = p->scale;
    longer->bytes = bytes;
    longer->one[longer->count++] = (struct packed_one){p->index, x, term_bool(m->s, true)};
    b->packed = longer;
}

/* --- terms of a lane that stand for any --------------------------------------------------------------------------- */

static term of_any(struct maker *m, unsigned lane, term x)
{
    const struct packing *p = m->packing;
    struct smt *s = m->s;
    const unsigned n = b_conjuncts(s, p->member[lane]);
    term from[64], yes[64], y;
    for (unsigned i = 0; i < n && i < 64; i++) {
        from[i] = b_conjunct(s, p->member[lane], i);
        yes[i] = term_bool(s, true);
    }
    y = term_substitute(s, x, from, yes, n < 64 ? n : 0);
    y = y == x ? x : term_simplify(s, v_unsealed(s, y));
    return term_substitute(s, y, p->of_lane[lane], p->of_any, p->kinds);
}

/* What x is for a lane of the set. NULL: it may be poison, or is no number. */
static const struct scalar *scalar_of_any(struct maker *m, unsigned lane, const struct scalar *x)
{
    term bits[64];
    uint64_t number = 0;
    bool known = true;
    if (x->kind == POINTER || x->kind == UNMERGED || (x->kind == BITS && x->width > 64))
        return NULL;
    if (x->poison != NULL && !is_false(m->s, of_any(m, lane, x->poison)))
        return NULL;
    if (x->kind == KNOWN)
        return without_poison(m, x);
    if (x->kind != BITS)
        return make_term(m, of_any(m, lane, as_term(m, x)));
    for (unsigned i = 0; i < x->width; i++) {
        bits[i] = of_any(m, lane, x->bits[i]);
        number |= (uint64_t)is_true(m->s, bits[i]) << i;
        known &= is_true(m->s, bits[i]) || is_false(m->s, bits[i]);
    }
    return known ? make_known(m, x->width, number) : make_bits(m, x->width, bits);
}

static const struct scalar *of_rank(struct maker *m, unsigned rank, const struct scalar *any)
{
    const struct packing *p = m->packing;
    term bits[64];
    if (any->kind == KNOWN)
        return any;
    if (any->kind == TERM)
        return make_term(m, term_substitute(m->s, any->t, p->of_any, p->of_rank[rank], p->kinds));
    for (unsigned i = 0; i < any->width; i++)
        bits[i] = term_substitute(m->s, any->bits[i], p->of_any, p->of_rank[rank], p->kinds);
    return make_bits(m, any->width, bits);
}

/* The place, in the order of the lanes, of the lane of this rank. */
static term place_of(struct smt *s, unsigned rank)
{
    char name[24];
    snprintf(name, sizeof name, "place of %u", rank);
    return term_constant(s, Z3_mk_bv_sort(s->z3, 5), name);
}

static term has_place(struct smt *s, unsigned rank, unsigned place)
{
    return v_eq(s, place_of(s, rank), v_number(s, place, 5));
}

static unsigned place_in(const struct packing *p, unsigned lane)
{
    unsigned place = 0;
    while (p->order[place] != lane)
        place++;
    return place;
}

/* The lanes that rank k may be lie, in their order, from place k on; so many are these. */
static unsigned places(struct maker *m)
{
    return (unsigned)__builtin_popcount(all_lanes(m)) - m->packing->size + 1;
}

/* What the lane of this rank has: x[i] is what the i-th of the lanes has that it may be, as a lane of the set. */
static const struct scalar *choose(struct maker *m, unsigned rank, const struct scalar *const *x)
{
    struct packing *p = m->packing;
    const unsigned n = places(m);
    bool same = true, known = true;
    term when[WARP_LANES];
    uint64_t number[WARP_LANES];
    const struct scalar *r;
    for (unsigned i = 0; i < n; i++) {
        same &= scalar_same(x[0], x[i]);
        known &= x[i]->kind == KNOWN;
        when[i] = has_place(m->s, rank, rank + i);
        number[i] = x[i]->number;
    }
    if (same)
        return of_rank(m, rank, x[0]);
    p->numbered = true;
    if (known)
        return make_choice(m, x[0]->width, n, when, number);
    r = of_rank(m, rank, x[n - 1]);
    for (unsigned i = n - 1; i-- > 0;)
        r = scalar_select(m, when[i], of_rank(m, rank, x[i]), r);
    return r;
}

const struct scalar *packing_pick(struct maker *m, const struct scalar *const *x, unsigned n,
                                  const struct scalar *index)
{
    const struct packing *p = m->packing;
    const struct scalar *any[WARP_LANES];
    unsigned rank = 0;
    if (p == NULL || !p->ordered || index->kind != CHOICE || index->count != places(m))
        return NULL;
    while (rank < p->size && index->bits[0] != has_place(m->s, rank, rank))
        rank++;
    if (rank == p->size)
        return NULL;
    for (unsigned i = 0; i < index->count; i++) {
        if (index->from[i] >= n)
            return NULL;
        any[i] = scalar_of_any(m, p->order[rank + i], x[index->from[i]]);
        if (any[i] == NULL || (i > 0 && !scalar_same(any[0], any[i])))
            return NULL;
    }
    return with_poison(m, of_rank(m, rank, any[0]), index->poison);
}

/* --- from the list into the cells --------------------------------------------------------------------------------- */

/* The lane that `more` counts beyond `lanes`; WARP_LANES: they are others. */
static unsigned next_lane(lanemask lanes, lanemask more)
{
    const lanemask next = more & ~lanes;
    return (lanes & ~more) != 0 || next == 0 || (next & (next - 1)) != 0 ? WARP_LANES : (unsigned)__builtin_ctz(next);
}

static void keep_order(struct maker *m, const unsigned *order, unsigned n)
{
    struct packing *p = m->packing;
    if (p->ordered && memcmp(p->order, order, n * sizeof *order) != 0)
        fail(m, NOT_PACKED);
    memcpy(p->order, order, n * sizeof *order);
    p->ordered = true;
}

/*
 * The lanes in the order in which they were packed, and what was stored for each, as a lane of the set. The first has
 * its place in the cells, as nothing was counted before. Returns their number. `loose`: also for lanes that are not in
 * the set something was stored, behind what is packed.
 */
static unsigned read_list(struct machine *machine, unsigned object, const struct packed *list,
                          const struct scalar *any[WARP_LANES], bool *loose)
{
    struct maker *m = &machine->m;
    unsigned order[WARP_LANES], n = 0;
    lanemask lanes = 0;
    *loose = false;
    for (unsigned i = 0; i <= list->count; i++) {
        term bits[COUNT_MOST];
        lanemask more = all_lanes(m);
        const struct scalar *v =
            i == 0 ? memory_load(m, &machine->now, object, list->base, 8 * list->bytes) : list->one[i - 1].v;
        if (i < list->count && !counted_lanes(m, bits, counted_bits(m, list->one[i].index, bits), &more))
            fail(m, NOT_PACKED);
        order[n] = next_lane(lanes, more);
        if (order[n] == WARP_LANES)
            fail(m, NOT_PACKED);
        if (i > 0 && list->one[i - 1].when != m->packing->member[order[n]]) {
            if (!is_true(m->s, list->one[i - 1].when))
                fail(m, NOT_PACKED);
            *loose = true;
        }
        any[n] = scalar_of_any(m, order[n], v);
        if (any[n] == NULL)
            fail(m, NOT_PACKED);
        n++;
        lanes = more;
    }
    keep_order(m, order, n);
    return n;
}

static void settle(struct machine *machine, unsigned object, const struct packed *list)
{
    struct maker *m = &machine->m;
    const struct scalar *any[WARP_LANES];
    bool loose;
    const unsigned n = read_list(machine, object, list, any, &loose);
    for (unsigned k = 0; k < (loose ? n : m->packing->size); k++)
        memory_store(m, &machine->now, object, machine->sizes[object], list->base + k * list->scale,
                     k < m->packing->size ? choose(m, k, any + k)
                                          : make_unmerged(m, 8 * list->bytes,
                                                          "what lies behind lanes that were packed "
                                                          "is used"));
}

void packing_settle(struct machine *machine, unsigned object)
{
    struct block *b = memory_own(&machine->now, object, machine->sizes[object]);
    const struct packed *list = b->packed;
    b->packed = NULL;
    for (; list != NULL; list = list->other)
        settle(machine, object, list);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

/* What a rank that has this place knows: its unknowns are those of the lane there. */
static term same_unknowns(struct smt *s, const struct packing *p, unsigned rank, unsigned lane)
{
    term same = term_bool(s, true);
    for (unsigned i = 0; i < p->kinds; i++)
        same = term_and(s, same, term_eq(s, p->of_lane[lane][i], p->of_rank[rank][i]));
    return term_implies(s, has_place(s, rank, place_in(p, lane)), same);
}

term packing_unknowns(struct smt *s, const struct packing *p)
{
    term all = term_bool(s, true);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned rank = 0; rank < p->size; rank++)
            all = term_and(s, all, same_unknowns(s, p, rank, lane));
    return all;
}

term packing_places(struct smt *s, const struct packing *p)
{
    term all = term_bool(s, true);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        term some = term_bool(s, false);
        for (unsigned rank = 0; rank < p->size; rank++)
            some = term_or(s, some, has_place(s, rank, place_in(p, lane)));
        all = term_and(s, all, term_eq(s, p->member[lane], some));
    }
    for (unsigned rank = 1; rank < p->size; rank++)
        all = term_and(s, all, term_ult(s, place_of(s, rank - 1), place_of(s, rank)));
    return all;
}
