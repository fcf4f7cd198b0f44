/*
 * Block barriers. One without a count is for all threads of the block that have not exited, and so is one that counts
 * them all, which misses those that have. One that counts fewer is for some warps: which ones, is found for each of
 * its numbers, and must be the same at all places and in all turns, so that nobody else is ever counted for them.
 */
#include "smt/pair/internal.h"

struct asked {
    struct pair *p;
    uint32_t at;
    const term *when;
    term number[2], count[2]; /* count NULL: none */
    term comes;               /* Bool: lane 1 comes here, too, and gives the same number and count */
};

/* What decides for whom the barrier is must be predictable. */
static term operand(struct asked *a, const struct state *st, const struct code_instruction *c, unsigned lane,
                    unsigned n)
{
    const struct value v = pair_read(a->p, st, lane, c->srcs[n], n == 2 ? 1 : 32);
    if (v.taint != NULL && lane == 0)
        pair_oblige(a->p, a->at, PAIR_USE, pair_both(a->p, a->when[0], v.taint));
    return v.x;
}

static term same(struct pair *p, const term x[2])
{
    return x[0] == x[1] ? term_bool(p->s, true) : pair_fold(p, term_eq(p->s, x[0], x[1]));
}

static bool is_asked(const struct pair *p)
{
    return p->quiet == 0 && p->races_only == 0 && p->other_warps && !pair_failed(p);
}

static uint32_t threads_of(const struct pair *p)
{
    const uint32_t *const block = p->options->launch.block;
    return block[0] * block[1] * block[2];
}

/* Notes for which warps a barrier of this number is. Others than before: nothing is proved of either place. */
static void note_warps(struct asked *a, unsigned number, uint32_t warps)
{
    struct barrier_use *const use = &a->p->barriers[number];
    const struct code_instruction *const all = a->p->code->instructions;
    if (use->warps != 0 && use->warps != warps)
        pair_fail(
            a->p, ERROR_UNSUPPORTED,
            "%s:%u: barrier %u may be used by other warps here than at line %u: one of them may be counted for the "
            "other",
            a->p->code->module->name, all[a->at].i->line, number, all[use->at].i->line);
    *use = (struct barrier_use){warps, a->at};
}

static void for_all_threads(struct asked *a)
{
    struct pair *const p = a->p;
    const uint32_t threads = threads_of(p), warps = (threads + 31) / 32;
    const term late = pair_not(p, a->comes);
    uint64_t number;
    pair_oblige(p, a->at, PAIR_BARRIER,
                pair_both(p, a->when[0], a->count[0] != NULL ? late : pair_both(p, late, pair_not(p, p->exited[1]))));
    for (unsigned n = 0; n < BLOCK_BARRIERS && is_asked(p); n++)
        if (!term_value(p->s, a->number[0], &number) || number == n)
            note_warps(a, n, threads == 0 || warps == 32 ? UINT32_MAX : (1u << warps) - 1);
}

static term is_warp(struct pair *p, unsigned lane, uint32_t warp)
{
    struct split parts;
    pair_split(p, p->thread[lane], &parts);
    return pair_fold(p, term_eq(p->s, parts.high, term_bits(p->s, warp, 27)));
}

/* The number that this warp gives: one alone; BLOCK_BARRIERS: that could not be shown. */
static unsigned number_of(struct asked *a, term here)
{
    struct pair *const p = a->p;
    unsigned n = 0;
    while (
        n < BLOCK_BARRIERS &&
        pair_never(p, pair_both(p, here, pair_not(p, pair_fold(p, term_eq(p->s, a->number[0], term_word(p->s, n)))))) !=
            PAIR_PROVED)
        n++;
    return n;
}

/* Warps that may come with this one. */
static uint32_t warps_with(struct asked *a, term here, uint32_t warp, uint32_t warps)
{
    uint32_t with = 1u << warp;
    for (uint32_t w = 0; w < warps; w++)
        if (w != warp && pair_never(a->p, TERM_ALL(a->p->s, here, a->comes, is_warp(a->p, 1, w))) != PAIR_PROVED)
            with |= 1u << w;
    return with;
}

/* Of threads of two warps: with this warp come those of the barrier's warps, always, and no others. */
static void ask_warp(struct asked *a, uint32_t warp, uint64_t count)
{
    struct pair *const p = a->p;
    struct smt *const s = p->s;
    const term here = pair_both(p, a->when[0], is_warp(p, 0, warp));
    struct split other;
    uint32_t with;
    unsigned number;
    if (pair_never(p, here) == PAIR_PROVED)
        return;
    number = number_of(a, here);
    if (number == BLOCK_BARRIERS) {
        pair_oblige(p, a->at, PAIR_BARRIER, here);
        return;
    }
    with = p->barriers[number].warps;
    if (with == 0 || p->barriers[number].at != a->at)
        with = warps_with(a, here, warp, threads_of(p) / 32);
    note_warps(a, number, with);
    pair_split(p, p->thread[1], &other);
    const term is_of_them = term_in(s, term_extend(s, 32, other.high), term_word(s, with));
    const bool counted = (with >> warp & 1) != 0 && 32u * (unsigned)__builtin_popcount(with) == count;
    pair_oblige(p, a->at, PAIR_BARRIER, counted ? pair_both(p, here, term_ne(s, is_of_them, a->comes)) : here);
}

static void for_some_warps(struct asked *a)
{
    struct pair *const p = a->p;
    const struct code_instruction *const c = &p->code->instructions[a->at];
    const uint32_t threads = threads_of(p);
    uint64_t count;
    if (threads == 0 || threads % 32 != 0 || !term_value(p->s, a->count[0], &count)) {
        pair_fail(
            p, ERROR_UNSUPPORTED,
            "%s:%u: %s: a barrier for a part of the block is read by this prover where the count is a number, and "
            "for a given block of whole warps (--block)",
            p->code->module->name, c->i->line, c->i->name);
        return;
    }
    pair_oblige(p, a->at, PAIR_BARRIER,
                threads == 32    ? a->when[0]
                : p->other_warps ? term_bool(p->s, false)
                                 : pair_both(p, a->when[0], pair_not(p, a->comes)));
    for (uint32_t warp = 0; warp < threads / 32 && is_asked(p); warp++)
        ask_warp(a, warp, count);
}

/* Does it count all threads of the block? */
static bool counts_all(struct asked *a)
{
    struct pair *const p = a->p;
    const uint32_t threads = threads_of(p);
    uint64_t count;
    if (threads == 0)
        return a->count[0] == p->ntid[0];
    return threads % 32 == 0 && term_value(p->s, a->count[0], &count) && count == threads;
}

static void reduce(struct asked *a, struct state *st, const struct code_instruction *c)
{
    struct pair *const p = a->p;
    const unsigned bits = c->i->atomic == ATOMIC_POPC ? 32 : 1;
    const term d[2] = {pair_fresh(p, bits), pair_fresh(p, bits)};
    pair_assume(p, term_implies(p->s, pair_both(p, a->when[0], a->comes), term_eq(p->s, d[0], d[1])));
    for (unsigned lane = 0; lane < 2; lane++) {
        operand(a, st, c, lane, 2);
        if (c->i->dsts_count > 0)
            pair_write(p, st, lane, c->dsts[0], (struct value){d[lane], NULL}, a->when[lane]);
    }
}

void pair_barrier(struct pair *p, struct state *st, uint32_t at, const struct code_instruction *c, const term when[2])
{
    struct asked a = {.p = p, .at = at, .when = when};
    const bool counts = c->i->srcs_count > 1 && c->i->srcs[1].kind != OPERAND_NONE;
    p->has_barrier = true;
    if (c->i->op == OP_BAR_ARRIVE) {
        pair_fail(p, ERROR_UNSUPPORTED,
                  "%s:%u: %s: threads that come to a barrier and do not wait at it are not followed by this prover",
                  p->code->module->name, c->i->line, c->i->name);
        return;
    }
    for (unsigned lane = 0; lane < 2; lane++) {
        a.number[lane] = operand(&a, st, c, lane, 0);
        a.count[lane] = counts ? operand(&a, st, c, lane, 1) : NULL;
    }
    a.comes = pair_both(p, when[1], same(p, a.number));
    if (counts)
        a.comes = pair_both(p, a.comes, same(p, a.count));
    pair_oblige(p, at, PAIR_BARRIER,
                pair_both(p, when[0], pair_fold(p, term_ule(p->s, term_word(p->s, BLOCK_BARRIERS), a.number[0]))));
    if (counts && !counts_all(&a))
        for_some_warps(&a);
    else
        for_all_threads(&a);
    if (c->i->op == OP_BAR_RED)
        reduce(&a, st, c);
    races_order(p, pair_both(p, when[0], a.comes));
    p->epoch++;
}
