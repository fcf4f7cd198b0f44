/*
 * What lanes do together: the obligations, and what the two lanes learn of each other.
 *
 * What they learn is said as implications that are true in every execution in which the obligations before hold:
 * `together` says that both are in one group.
 */
#include "smt/encode/encode.h"
#include "smt/pair/internal.h"

/* An instruction that both lanes may execute. [0] is about lane 0 (the other is 1), [1] the other way round. */
struct meeting {
    struct pair *p;
    struct state *st;
    const struct code_instruction *c;
    uint32_t at;
    const term *when;
    term mask[2];
    term together;
};

static term in(struct pair *p, term lane, term mask)
{
    return pair_fold(p, term_in(p->s, lane, mask));
}

static void say(struct meeting *m, unsigned lane, term x)
{
    pair_assume(m->p, term_implies(m->p->s, m->when[lane], x));
}

static void say_together(struct meeting *m, term x)
{
    if (!pair_is(m->p, m->together, false))
        pair_assume(m->p, term_implies(m->p->s, m->together, x));
}

static struct value operand(struct meeting *m, unsigned lane, unsigned which, unsigned bits)
{
    struct value v = pair_read(m->p, m->st, lane, m->c->srcs[which], bits);
    if (which == OPERAND_A && m->c->negated[0])
        v.x = pair_not(m->p, v.x);
    if (v.taint != NULL && lane == 0) /* an unpredictable value must not leave its lane */
        pair_oblige(m->p, m->at, PAIR_USE, pair_both(m->p, m->when[0], v.taint));
    return v;
}

static void give(struct meeting *m, unsigned lane, unsigned which, term x, term taint)
{
    if (m->c->i->dsts_count > which)
        pair_write(m->p, m->st, lane, m->c->dsts[which], (struct value){x, taint}, m->when[lane]);
}

/* --- shfl --- */

/* The lane whose a comes to this one, and whether it is in range. */
struct source {
    term lane, in_range;
};

static struct source source_of(struct meeting *m, enum warp_op mode, term lane, term b, term c)
{
    struct pair *const p = m->p;
    const struct smt_shfl_source from = encode_shfl_source(p->s, mode, lane, b, c);
    return (struct source){pair_fold(p, from.j), pair_fold(p, from.pval)};
}

static void shuffle(struct meeting *m, const struct warp_form_info *info)
{
    struct pair *const p = m->p;
    struct smt *const s = p->s;
    const term a[2] = {operand(m, 0, OPERAND_A, 32).x, operand(m, 1, OPERAND_A, 32).x};
    term d[2], taint[2], in_range[2], lanes[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned other = i ^ 1u;
        const term b = operand(m, i, OPERAND_B, 32).x, c = operand(m, i, OPERAND_C, 32).x;
        const struct source from = source_of(m, info->op, p->lane[i], b, c);
        const term is_other = p->other_warps ? term_bool(s, false) : term_eq(s, from.lane, p->lane[other]);
        d[i] = pair_ite(p, is_other, a[other], pair_fresh(p, 32));
        d[i] = pair_ite(p, term_eq(s, from.lane, p->lane[i]), a[i], d[i]);
        d[i] = pair_ite(p, from.in_range, d[i], a[i]);
        taint[i] = pair_both(p, pair_both(p, from.in_range, is_other), pair_not(p, m->together));
        if (pair_is(p, taint[i], false))
            taint[i] = NULL;
        in_range[i] = from.in_range;
        lanes[i] = from.lane;
    }
    say_together(m, term_implies(s, TERM_ALL(s, in_range[0], in_range[1], term_eq(s, lanes[0], lanes[1])),
                                 term_eq(s, d[0], d[1]))); /* of one source */
    for (unsigned i = 0; i < 2; i++) {
        give(m, i, OPERAND_D, d[i], taint[i]);
        give(m, i, OPERAND_P, in_range[i], NULL);
    }
}

/* --- the others --- */

static void vote(struct meeting *m, const struct warp_form_info *info)
{
    struct pair *const p = m->p;
    struct smt *const s = p->s;
    const term a[2] = {operand(m, 0, OPERAND_A, 1).x, operand(m, 1, OPERAND_A, 1).x};
    const bool ballot = info->op == WARP_BALLOT;
    const term d[2] = {pair_fresh(p, ballot ? 32 : 1), pair_fresh(p, ballot ? 32 : 1)};
    for (unsigned i = 0; i < 2; i++) {
        const unsigned other = i ^ 1u;
        if (info->op == WARP_ALL)
            say(m, i, term_implies(s, d[i], a[i]));
        if (info->op == WARP_ANY)
            say(m, i, term_implies(s, a[i], d[i]));
        if (!ballot)
            continue;
        say(m, i, term_eq(s, in(p, p->lane[i], d[i]), a[i]));
        say(m, i, term_eq(s, term_band(s, d[i], term_bnot(s, m->mask[i])), term_word(s, 0)));
        if (!p->other_warps)
            say(m, i, term_eq(s, in(p, p->lane[other], d[i]), pair_both(p, m->together, a[other])));
    }
    say_together(m, term_eq(s, d[0], d[1]));
    if (info->op == WARP_UNI)
        say_together(m, term_implies(s, d[0], term_eq(s, a[0], a[1])));
    for (unsigned i = 0; i < 2; i++)
        give(m, i, OPERAND_D, d[i], NULL);
}

static void match(struct meeting *m, const struct warp_form_info *info)
{
    struct pair *const p = m->p;
    struct smt *const s = p->s;
    const unsigned bits = info->type == WARP_B64 ? 64 : 32;
    const term a[2] = {operand(m, 0, OPERAND_A, bits).x, operand(m, 1, OPERAND_A, bits).x};
    const term same = pair_both(p, m->together, term_eq(s, a[0], a[1]));
    const bool all = info->op == WARP_ALL;
    const term d[2] = {pair_fresh(p, 32), pair_fresh(p, 32)}, q[2] = {pair_fresh(p, 1), pair_fresh(p, 1)};
    for (unsigned i = 0; i < 2; i++) {
        const term other = in(p, p->lane[i ^ 1u], d[i]), own = in(p, p->lane[i], d[i]);
        say(m, i, term_eq(s, term_band(s, d[i], term_bnot(s, m->mask[i])), term_word(s, 0)));
        if (!all) {
            say(m, i, own);
            if (!p->other_warps)
                say(m, i, term_eq(s, other, same));
            continue;
        }
        say(m, i, term_ite(s, q[i], own, term_eq(s, d[i], term_word(s, 0))));
        if (!p->other_warps)
            say(m, i, term_implies(s, q[i], term_eq(s, other, m->together)));
    }
    if (all) {
        say_together(m, term_and(s, term_eq(s, d[0], d[1]), term_eq(s, q[0], q[1])));
        say_together(m, term_implies(s, q[0], term_eq(s, a[0], a[1])));
    } else if (!p->other_warps)
        pair_assume(p, term_implies(s, same, term_eq(s, d[0], d[1])));
    for (unsigned i = 0; i < 2; i++) {
        give(m, i, OPERAND_D, d[i], NULL);
        give(m, i, OPERAND_P, q[i], NULL);
    }
}

static void reduce(struct meeting *m)
{
    struct pair *const p = m->p;
    term d[2];
    for (unsigned i = 0; i < 2; i++) {
        operand(m, i, OPERAND_A, 32);
        d[i] = pair_fresh(p, 32);
    }
    say_together(m, term_eq(p->s, d[0], d[1]));
    for (unsigned i = 0; i < 2; i++)
        give(m, i, OPERAND_D, d[i], NULL);
}

/*
 * Any set that has the lane in it; who is in one set, gets the same one. Where lanes may be in different turns at one
 * time, the other lane is in the set by a turn of its own, about which this walk says nothing.
 */
static void activemask(struct meeting *m)
{
    struct pair *const p = m->p;
    struct smt *const s = p->s;
    const term d[2] = {pair_fresh(p, 32), pair_fresh(p, 32)};
    for (unsigned i = 0; i < 2; i++) {
        const unsigned other = i ^ 1u;
        say(m, i, in(p, p->lane[i], d[i]));
        if (!p->other_warps && !p->repeated[m->at])
            say(m, i,
                term_implies(s, in(p, p->lane[other], d[i]), pair_both(p, m->when[other], term_eq(s, d[0], d[1]))));
        give(m, i, OPERAND_D, d[i], NULL);
    }
}

static void elect(struct meeting *m)
{
    struct pair *const p = m->p;
    struct smt *const s = p->s;
    const term d[2] = {pair_fresh(p, 32), pair_fresh(p, 32)};
    for (unsigned i = 0; i < 2; i++)
        say(m, i, in(p, d[i], m->mask[i]));
    say_together(m, term_eq(s, d[0], d[1]));
    for (unsigned i = 0; i < 2; i++) {
        give(m, i, OPERAND_D, d[i], NULL);
        give(m, i, OPERAND_P, term_eq(s, d[i], p->lane[i]), NULL);
    }
}

static void take_mask(struct meeting *m)
{
    struct pair *const p = m->p;
    struct smt *const s = p->s;
    struct value v[2];
    for (unsigned i = 0; i < 2; i++) {
        v[i] = operand(m, i, OPERAND_MEMBERMASK, 32);
        m->mask[i] = v[i].x;
    }
    pair_oblige(p, m->at, PAIR_MEMBER, pair_both(p, m->when[0], pair_not(p, in(p, p->lane[0], m->mask[0]))));
    if (p->other_warps) {
        m->together = term_bool(s, false);
        return;
    }
    const term comes = pair_both(p, m->when[1], pair_fold(p, term_eq(s, m->mask[0], m->mask[1])));
    const term asked = pair_both(p, m->when[0], in(p, p->lane[1], m->mask[0]));
    pair_oblige(p, m->at, PAIR_MEETS, pair_both(p, asked, pair_both(p, pair_not(p, p->exited[1]), pair_not(p, comes))));
    m->together = pair_both(p, asked, pair_both(p, comes, in(p, p->lane[0], m->mask[0])));
}

void pair_meet(struct pair *p, struct state *st, uint32_t at, const struct code_instruction *c, const term when[2])
{
    struct meeting m = {.p = p, .st = st, .c = c, .at = at, .when = when, .together = term_bool(p->s, false)};
    const struct warp_form_info *const info = warp_form_get(c->i->form);
    if (info->rule == WARP_TARGET_NONSYNC) {
        pair_fail(p, ERROR_UNSUPPORTED, "%s:%u: %s: without .sync lanes that come together are not told",
                  p->code->module->name, c->i->line, c->i->name);
        return;
    }
    if (warp_form_is_sync(info))
        take_mask(&m);
    switch (info->family) {
    case WARP_SHFL_SYNC:
        shuffle(&m, info);
        break;
    case WARP_VOTE_SYNC:
        vote(&m, info);
        break;
    case WARP_MATCH_SYNC:
        match(&m, info);
        break;
    case WARP_REDUX_SYNC:
        reduce(&m);
        break;
    case WARP_ACTIVEMASK:
        activemask(&m);
        break;
    case WARP_BAR_WARP:
        races_order(p, m.together);
        p->epoch++;
        break;
    case WARP_ELECT:
        elect(&m);
        break;
    case WARP_SHFL:
    case WARP_VOTE:
    case WARP_FAMILIES:
        break;
    }
}
