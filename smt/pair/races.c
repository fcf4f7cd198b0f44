/*
 * Races in shared memory between the two lanes.
 *
 * Each access is held against all that were walked before it and that no meeting has ordered since, and each
 * instruction against itself: the first is lane 0's, the later one lane 1's. Since the lanes are arbitrary and walked
 * alike, that is every pair. A lane does what it does in the order of the walk, so whatever lane 0 did before a meeting
 * of both comes before all that lane 1 does behind it.
 *
 * An access of a turn that stands for any is held against those of its own turn when that is walked, of the next turn
 * and of any later one by races_of_later_turns (walk.c), and of what follows the loop like any other.
 */
#include "smt/pair/internal.h"

#include <stdlib.h>
#include <string.h>

#define ASKED_MAX 200u /* accesses that are asked about one by one at a meeting */

/* Addresses are compared as offsets in shared memory, in 32 bits: who differs there differs. */
static void place_of(struct pair *p, const struct state *st, const struct code_instruction *c, struct race_access *a,
                     unsigned lane, term *in_shared)
{
    struct smt *const s = p->s;
    term x;
    *in_shared = term_bool(s, true);
    switch (c->i->space) {
    case SPACE_GENERIC: {
        x = pair_read(p, st, lane, c->address, 64).x;
        x = pair_fold(p, term_add(s, x, term_bits(s, c->offset, 64)));
        *in_shared = pair_fold(
            p, term_eq(s, pair_fold(p, term_extract(s, 63, 40, x)), term_bits(s, CODE_SHARED_WINDOW >> 40, 24)));
        a->address[lane] = pair_fold(p, term_extract(s, 31, 0, x));
        break;
    }
    case SPACE_SHARED:
        x = pair_read(p, st, lane, c->address, 32).x;
        a->address[lane] = pair_fold(p, term_add(s, x, term_word(s, (uint32_t)c->offset)));
        break;
    case SPACE_CLUSTER: /* of this block or of another */
    case SPACE_GLOBAL:
    case SPACE_LOCAL:
    case SPACE_CONST:
    case SPACE_PARAM:
    case SPACES:
        a->address[lane] = pair_fresh(p, 32);
        break;
    }
}

static void look_at(struct pair *p, const struct state *st, uint32_t at, const struct code_instruction *c,
                    const term when[2], struct race_access *a)
{
    const unsigned bits = ptx_type_bits(c->i->type);
    *a = (struct race_access){.at = at,
                              .writes = c->kind != CODE_LOAD,
                              .strong = c->kind == CODE_ATOMIC || c->i->order >= ORDER_RELAXED,
                              .count = c->i->vector != 0 ? c->i->vector : 1,
                              .bytes = bits / 8,
                              .open = term_bool(p->s, true)};
    for (unsigned lane = 0; lane < 2; lane++) {
        term in_shared;
        place_of(p, st, c, a, lane, &in_shared);
        a->when[lane] = pair_both(p, when[lane], in_shared);
        for (unsigned n = 0; c->kind == CODE_STORE && n < a->count && n + 1 < c->i->srcs_count; n++)
            a->values[lane][n] = pair_read(p, st, lane, c->srcs[1 + n], bits).x;
    }
}

/* Do the two touch one word, and is that a race? `x` is lane 0's, `y` lane 1's. */
static term clash(struct pair *p, const struct race_access *x, const struct race_access *y)
{
    struct smt *const s = p->s;
    const term from = x->address[0], to = y->address[1];
    const term both = pair_both(p, pair_both(p, x->when[0], x->open), y->when[1]);
    const bool alike = x->bytes == y->bytes && x->count == y->count, strong = x->strong && y->strong;
    term touch, fine = term_bool(s, false);
    if ((!x->writes && !y->writes) || pair_is(p, both, false))
        return term_bool(s, false);
    touch = pair_either(
        p, pair_fold(p, term_ult(s, pair_fold(p, term_sub(s, to, from)), term_word(s, x->bytes * x->count))),
        pair_fold(p, term_ult(s, pair_fold(p, term_sub(s, from, to)), term_word(s, y->bytes * y->count))));
    if (alike && (strong || (x->values[0][0] != NULL && y->values[1][0] != NULL)))
        fine = pair_fold(p, term_eq(s, from, to));
    for (unsigned n = 0; n < x->count && !strong && !pair_is(p, fine, false); n++)
        fine = pair_both(p, fine, pair_fold(p, term_eq(s, x->values[0][n], y->values[1][n])));
    return pair_both(p, both, pair_both(p, touch, pair_not(p, fine)));
}

/* `y` is made now. */
static void compare(struct pair *p, const struct race_access *y)
{
    struct races *const r = &p->races;
    const term own = clash(p, y, y);
    term any = own;
    enum pair_verdict all;
    for (size_t n = 0; n < r->count; n++)
        any = pair_either(p, any, clash(p, &r->all[n], y));
    all = pair_never(p, any);
    pair_note_race(p, y->at, MODULE_NONE, PAIR_PROVED);
    if (all == PAIR_PROVED && !p->spoiled)
        return;
    pair_note_race(p, y->at, y->at, all == PAIR_PROVED ? PAIR_RESTS : pair_never(p, own));
    for (size_t n = 0; n < r->count && !pair_failed(p); n++)
        pair_note_race(p, y->at, r->all[n].at,
                       all == PAIR_PROVED ? PAIR_RESTS : pair_never(p, clash(p, &r->all[n], y)));
}

static bool are_asked(const struct pair *p)
{
    return p->options->races && !p->other_warps && p->quiet == 0 && !pair_failed(p);
}

void races_access(struct pair *p, const struct state *st, uint32_t at, const struct code_instruction *c,
                  const term when[2])
{
    struct races *const r = &p->races;
    struct race_access a;
    if (!are_asked(p) || !p->may_be_shared[at])
        return;
    look_at(p, st, at, c, when, &a);
    if (pair_is(p, a.when[0], false) && pair_is(p, a.when[1], false))
        return;
    compare(p, &a);
    if (p->races_only > 0) /* held against what is known, no more */
        return;
    if (r->count == r->room) {
        r->room = r->room == 0 ? 32 : 2 * r->room;
        r->all = smt_grow(r->all, r->room, sizeof *r->all);
    }
    r->all[r->count++] = a;
}

static term is_open(struct pair *p, const struct race_access *a)
{
    return pair_both(p, pair_both(p, a->when[0], a->open), pair_not(p, p->exited[1]));
}

void races_order(struct pair *p, term together)
{
    struct races *const r = &p->races;
    term any = term_bool(p->s, false);
    size_t kept = 0;
    if (!are_asked(p) || p->spoiled || r->count == 0) /* a meeting that is not proved orders nothing */
        return;
    for (size_t n = 0; n < r->count; n++) {
        r->all[n].open = pair_both(p, r->all[n].open, pair_not(p, together));
        any = pair_either(p, any, is_open(p, &r->all[n]));
    }
    if (pair_never(p, any) == PAIR_PROVED) {
        r->count = 0;
        return;
    }
    for (size_t n = 0; n < r->count; n++)
        if (n >= ASKED_MAX || pair_never(p, is_open(p, &r->all[n])) != PAIR_PROVED)
            r->all[kept++] = r->all[n];
    r->count = kept;
}

struct races races_take(struct pair *p)
{
    const struct races taken = p->races;
    p->races = (struct races){NULL, 0, 0};
    return taken;
}

struct races races_copy(const struct pair *p)
{
    struct races copy = {NULL, p->races.count, p->races.count};
    if (copy.count > 0) {
        copy.all = smt_grow(NULL, copy.room, sizeof *copy.all);
        memcpy(copy.all, p->races.all, copy.count * sizeof *copy.all);
    }
    return copy;
}

void races_put(struct pair *p, struct races races)
{
    free(p->races.all);
    p->races = races;
}

void races_add(struct pair *p, struct races races)
{
    struct races *const r = &p->races;
    if (races.count > 0) {
        r->room = r->count + races.count;
        r->all = smt_grow(r->all, r->room, sizeof *r->all);
        memcpy(r->all + r->count, races.all, races.count * sizeof *r->all);
        r->count += races.count;
    }
    free(races.all);
}
