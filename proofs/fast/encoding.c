#include "proofs/fast/encoding.h"

#include "proofs/algebra.h"
#include "proofs/equality.h"
#include "proofs/fast/redux_float.h"
#include "proofs/fast/spec_memory.h"
#include "proofs/fast/transcription.h"
#include "proofs/fast/wait.h"
#include "proofs/node.h"

#include <stdio.h>

/* Every lane has the outcome, the group and the waits_for of its class. */
static bool encoding_prove_outcomes(struct proof *proof);

/* For a term that stands for the lane, encode_lane gives the same as for each number of a lane in its place. */
static bool encoding_prove_any_lane(struct proof *proof);

/*
 * f32 redux: d is the number of the least (greatest) key of the group (redux_float.h), lane after lane. For a group
 * with a lane in it, which the group of a done lane is.
 */
static bool encoding_prove_keys(struct proof *proof);

/* The encoding's warp in the names of the proofs: operands as case splits call them, membermasks "mm[lane]". */
static void encoding_warp(struct proof *proof, uint32_t dst, const term active[WARP_LANES],
                          const term exited[WARP_LANES], struct smt_warp *w);
/* d where it is defined. */
static term encoding_value(struct smt *s, const struct smt_lane *r);
/* x where the lane is done (or is not), with the case split's group in the place of its own. */
static term encoding_in_group(struct proof *proof, const struct smt_lane *r, bool done, term x);

/* What the encoding gives a lane, with any of the case split's destinations. */
struct encoded {
    term d; /* NULL: d is never defined */
    term d_defined, p;
};
/* Lane k is done, in the case split's group; or (done false) it is not done. */
static void encoding_lane(struct proof *proof, unsigned k, bool done, struct encoded *e);

/* match.all: the encoding compares with the own lane, the transcription with the leader. Only equality matters. */
static bool decide_by_equality(struct proof *proof, unsigned leader, term claim, const char *what, unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    struct equality e;
    term low[WARP_LANES], high[WARP_LANES];
    bool ok;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        low[i] = as_term(m, spec_memory_word(m, "a", i));
        high[i] = as_term(m, spec_memory_word(m, "h", i));
    }
    equality_begin(&e, s, low, proof->info->type == WARP_B64 ? high : NULL);
    claim = equality_of(&e, claim);
    ok = decide(&proof->d, &proof->split, term_implies(s, equality_facts(&e, leader, k), claim), what, k);
    equality_end(&e);
    return ok;
}

static bool decide_same(struct proof *proof, unsigned leader, term given, term x, term y, const char *what, unsigned k)
{
    struct smt *s = proof->d.s;
    term claim = term_implies(s, given, term_eq(s, x, y));
    if (transcription_is_match_all(proof->info))
        return decide_by_equality(proof, leader, claim, what, k);
    return decide(&proof->d, &proof->split, claim, what, k);
}

/* Compares bit by bit, so that comparisons of operands stand alone. */
static bool decide_bits(struct proof *proof, unsigned leader, term given, term d, const struct scalar *expected,
                        unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    term x[WARP_LANES], y[WARP_LANES], same[WARP_LANES];
    as_bits(m, make_term(m, d), x);
    as_bits(m, expected, y);
    for (unsigned i = 0; i < WARP_LANES; i++)
        same[i] = term_eq(s, x[i], y[i]);
    return decide_same(proof, leader, given, term_all(s, same, WARP_LANES), term_bool(s, true), "the encoding's d", k);
}

/* Compares d of lane k, where the transcription defines it, with the encoding's. */
static bool decide_d(struct proof *proof, unsigned leader, const struct encoded *e, const struct split_result *spec,
                     unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    const struct scalar *d = spec->d[k];
    term given = b_and(s, proof->split.group[k], spec->d_defined[k]), x, y;
    enum algebra op;
    if (is_false(s, given))
        return true;
    if (d->poison != NULL && !decide_defined(&proof->d, &proof->split, b_or(s, b_not(s, given), b_not(s, d->poison)),
                                             "the transcription's d is uninitialized", k))
        return false;
    y = v_given(s, as_term(m, d), given);
    if (key_applies(proof->info)) /* that the encoding's d is this too: encoding_prove_keys */
        return decide(&proof->d, &proof->split, b_or(s, b_not(s, given), v_eq(s, as_term(m, key_result(m)), y)),
                      "the transcription's d", k);
    if (e->d == NULL) /* not defined there: decide_lane has said so */
        return decide(&proof->d, &proof->split, b_not(s, given), "the encoding's d is never defined", k);
    x = v_given(s, e->d, given);
    if (claims_algebra(proof->info, &op) && algebra_equal(s, op, given, x, y)) {
        proof->d.outcome->algebraic++;
        return true;
    }
    if (proof->info->family == WARP_MATCH_SYNC)
        return decide_bits(proof, leader, given, x, make_term(m, y), k);
    return decide(&proof->d, &proof->split, term_implies(s, given, term_eq(s, x, y)), "the encoding's d", k);
}

static bool decide_lane(struct proof *proof, unsigned leader, const struct split_result *spec, unsigned k)
{
    term in = proof->split.group[k];
    struct encoded e;
    if (is_false(proof->d.s, in))
        return true;
    encoding_lane(proof, k, true, &e);
    return decide_same(proof, leader, in, e.p, spec->p[k], "the encoding's p", k) &&
           decide_same(proof, leader, in, e.d_defined, spec->d_defined[k], "the encoding's d_defined", k) &&
           decide_d(proof, leader, &e, spec, k);
}

/* All lanes of a group; its lowest is `leader` where the transcription asks for that. */
static bool prove_split(struct proof *proof, enum split_kind kind, unsigned leader)
{
    const size_t mark = smt_mark(proof->d.s);
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, kind, leader);
    ok = transcription_group(proof, leader, &proof->spec_result);
    proof->split.members = NULL; /* membermasks are no matter of the instruction */
    for (unsigned k = 0; ok && k < WARP_LANES; k++)
        ok = decide_lane(proof, leader, &proof->spec_result, k);
    smt_release(proof->d.s, mark);
    return ok;
}

/* A lane that is not done has neither d nor p. */
static bool prove_others(struct proof *proof)
{
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    bool ok = true;
    split_make(s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    for (unsigned k = 0; ok && k < WARP_LANES; k++) {
        struct encoded e;
        encoding_lane(proof, k, false, &e);
        ok = decide(&proof->d, &proof->split, term_not(s, term_or(s, e.p, e.d_defined)),
                    "the encoding answers a lane that is not done", k);
    }
    smt_release(s, mark);
    return ok;
}

bool encoding_prove(struct proof *proof)
{
    if (!encoding_prove_any_lane(proof) || !encoding_prove_outcomes(proof) || !prove_others(proof))
        return false;
    if (key_applies(proof->info) && (!key_prove_transcription(proof) || !encoding_prove_keys(proof)))
        return false;
    if (!transcription_by_group(proof->info) || proof->info->type == WARP_PRED)
        return prove_split(proof, SPLIT_ANY, 0);
    for (unsigned leader = WARP_LANES; leader-- > 0;)
        if (!prove_split(proof, SPLIT_LED, leader))
            return proof_tell(proof, "lowest lane of the group:", leader);
    return prove_split(proof, SPLIT_FULL, 0);
}

/* The terms of one lane of the encoding, in the names of the proofs about compiled code. */

static term named(struct smt *s, Z3_sort sort, const char *name, unsigned k)
{
    char full[32];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return term_constant(s, sort, full);
}

static term source(struct smt *s, const struct warp_form_info *info, unsigned k)
{
    if (info->type == WARP_PRED)
        return named(s, s->bool_sort, "q", k);
    if (info->type == WARP_B64)
        return term_concat(s, named(s, s->word_sort, "h", k), named(s, s->word_sort, "a", k));
    return named(s, s->word_sort, "a", k);
}

static void encoding_warp(struct proof *proof, uint32_t dst, const term active[WARP_LANES],
                          const term exited[WARP_LANES], struct smt_warp *w)
{
    struct smt *s = proof->d.s;
    const struct warp_form_info *info = proof->info;
    encode_warp(s, w, info->form, dst, "encoding");
    w->convergence = proof->split.convergence;
    w->active = term_mask(s, active);
    w->exited = term_mask(s, exited);
    w->preferred = term_word(s, 0); /* elects the lowest lane, as the transcription does */
    if (info->type == WARP_PRED)
        w->negate = named(s, s->bool_sort, "negate", 0);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (info->type != WARP_NO_SOURCE)
            w->a[k] = source(s, info, k);
        if (warp_form_is_shfl(info)) {
            w->b[k] = named(s, s->word_sort, "b", k);
            w->c[k] = named(s, s->word_sort, "c", k);
        }
        if (warp_form_is_sync(info))
            w->membermask[k] = named(s, s->word_sort, "mm", k);
    }
}

/* encode_lane writes "d_defined ? d : an unpredictable value". */
static term encoding_value(struct smt *s, const struct smt_lane *r)
{
    return is(s, r->d, Z3_OP_ITE) && argument(s, r->d, 0) == r->d_defined && argument(s, r->d, 2) == r->unpredictable
               ? smt_keep(s, argument(s, r->d, 1))
               : r->d;
}

/*
 * Terms are replaced by terms that are equal to them in every case that is spoken of: what is proved with any group is
 * so with the lane's own.
 */
static term encoding_in_group(struct proof *proof, const struct smt_lane *r, bool done, term x)
{
    struct smt *s = proof->d.s;
    term in[WARP_LANES], mask = term_mask(s, proof->split.group), is_done = term_bool(s, done);
    x = term_substitute(s, x, &r->done, &is_done, 1);
    for (unsigned k = 0; k < WARP_LANES; k++)
        in[k] = term_in(s, term_word(s, k), r->group);
    x = term_substitute(s, x, in, proof->split.group, WARP_LANES);
    return term_substitute(s, x, &r->group, &mask, 1);
}

static void encoding_lane(struct proof *proof, unsigned k, bool done, struct encoded *e)
{
    struct smt *s = proof->d.s;
    const struct split_choice *dst = &proof->split.dst;
    *e = (struct encoded){NULL, NULL, NULL};
    for (unsigned i = dst->n; i-- > 0;) { /* the first whose condition is true; the last one's is */
        struct smt_warp w;
        struct smt_lane r;
        term d_defined, p, d;
        encoding_warp(proof, (uint32_t)dst->number[i], proof->split.active, proof->split.exited, &w);
        encode_lane(s, &w, term_word(s, k), &r);
        p = encoding_in_group(proof, &r, done, r.p);
        d_defined = encoding_in_group(proof, &r, done, r.d_defined);
        e->p = e->p == NULL ? p : term_ite(s, dst->when[i], p, e->p);
        e->d_defined = e->d_defined == NULL ? d_defined : term_ite(s, dst->when[i], d_defined, e->d_defined);
        if (is_false(s, term_simplify(s, d_defined)))
            continue;
        d = encoding_in_group(proof, &r, done, encoding_value(s, &r));
        e->d = e->d == NULL || e->d == d ? d : term_ite(s, dst->when[i], d, e->d);
    }
}

/* The encoding's lane may be a term: a number in its place gives what encode_lane gives for that number. */

/* The fields of a lane's result: the outcome, and what follows from done and the group. */
#define FIELDS  8u
#define OUTCOME 5u

/*
 * In the latter, done and the group are any: that they are the same was asked before. (Without a membermask done is a
 * bit of the group, and nothing is so large that it matters.)
 */
static void fields_of(struct smt *s, const struct warp_form_info *info, const struct smt_lane *r, term x[FIELDS])
{
    const bool any = warp_form_is_sync(info);
    const term all[FIELDS] = {r->done, r->waiting, r->undefined, r->group, r->waits_for, r->p, r->d_defined, r->d};
    const term names[3] = {term_constant(s, s->bool_sort, "done"), term_constant(s, s->word_sort, "group"),
                           term_constant(s, s->word_sort, "unpredictable")};
    for (unsigned i = 0; i < FIELDS; i++) {
        x[i] = term_substitute(s, all[i], &r->unpredictable, &names[2], 1);
        if (any && i >= OUTCOME)
            x[i] = term_substitute(s, term_substitute(s, x[i], &r->done, &names[0], 1), &r->group, &names[1], 1);
    }
}

static bool decide_any_lane(struct proof *proof, const struct smt_warp *w, const struct smt_lane *any, unsigned k)
{
    static const char *const names[FIELDS] = {"done",      "waiting", "undefined", "group",
                                              "waits_for", "p",       "d_defined", "d"};
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    const term lane = term_constant(s, s->word_sort, "lane"), number = term_word(s, k);
    struct smt_lane r;
    term x[FIELDS], y[FIELDS];
    bool ok = true;
    encode_lane(s, w, number, &r);
    fields_of(s, proof->info, any, x);
    fields_of(s, proof->info, &r, y);
    for (unsigned i = 0; ok && i < FIELDS; i++) {
        char what[64];
        term a = term_simplify(s, term_substitute(s, x[i], &lane, &number, 1)), b = term_simplify(s, y[i]);
        snprintf(what, sizeof what, "the encoding's %s where the lane is a term", names[i]);
        ok = decide(&proof->d, &proof->split, a == b ? term_bool(s, true) : term_eq(s, a, b), what, k);
    }
    smt_release(s, mark);
    return ok;
}

static bool encoding_prove_any_lane(struct proof *proof)
{
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    bool ok = true;
    split_make(s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    for (unsigned i = 0; ok && i < proof->split.dst.n; i++) {
        struct smt_warp w;
        struct smt_lane any;
        encode_warp(s, &w, proof->info->form, (uint32_t)proof->split.dst.number[i], "encoding");
        encode_lane(s, &w, term_constant(s, s->word_sort, "lane"), &any);
        for (unsigned k = 0; ok && k < WARP_LANES; k++)
            ok = decide_any_lane(proof, &w, &any, k);
    }
    smt_release(s, mark);
    return ok;
}

/* redux on f32: the encoding's chain over the lanes, one step at a time, against the least key of those lanes. */

/* The chain before or after a lane: what it holds, the least key of the lanes so far, and whether one took part. */
struct link {
    term state, key, taken;
};

/* The number of the key; before any lane took part, what the encoding starts from. */
static term holds_of(struct proof *proof, term start, const struct link *x)
{
    struct smt *s = proof->d.s;
    term neutral = term_eq(s, x->key, key_neutral(s, proof->info)), number = key_number(s, x->key);
    term sticky = key_is_sticky(s, proof->info, x->key);
    term is_nan = term_eq(s, number, key_number(s, key_neutral(s, proof->info)));
    term all =
        term_and(s, key_in_range(s, proof->info, x->key), term_eq(s, x->state, term_ite(s, neutral, start, number)));
    if (proof->info->nan) /* the neutral key is no float's, and a NaN's key is sticky */
        return TERM_ALL(s, all, term_implies(s, x->taken, term_not(s, neutral)),
                        term_implies(s, is_nan, term_or(s, neutral, sticky)));
    return term_and(s, all, term_not(s, sticky)); /* no float's key is */
}

/* Lane k with names that are the same for each lane, so that the same question is asked once. */
static term of_any_lane(struct proof *proof, term x, unsigned k)
{
    struct smt *s = proof->d.s;
    const term from[2] = {as_term(&proof->spec->m, spec_memory_word(&proof->spec->m, "a", k)), proof->split.group[k]};
    const term to[2] = {term_constant(s, s->word_sort, "a.lane"), term_constant(s, s->bool_sort, "g.lane")};
    return term_substitute(s, x, from, to, 2);
}

/* The states in terms of the case split's group. False: the lane's d is no such chain. */
static bool chain(struct proof *proof, unsigned k, uint32_t dst, term state[WARP_LANES + 1])
{
    struct smt *s = proof->d.s;
    struct smt_warp w;
    struct smt_lane r;
    encoding_warp(proof, dst, proof->split.active, proof->split.exited, &w);
    encode_lane(s, &w, term_word(s, k), &r);
    encode_redux_states(s, &w, r.group, state);
    if (encoding_value(s, &r) != state[WARP_LANES])
        return proof_open(proof, "the encoding's d is not the end of its chain");
    for (unsigned i = 0; i <= WARP_LANES; i++)
        state[i] = encoding_in_group(proof, &r, true, state[i]);
    return true;
}

static bool decide_step(struct proof *proof, const term state[WARP_LANES + 1], unsigned k)
{
    struct smt *s = proof->d.s;
    const enum algebra op = key_operation(proof->info);
    struct link before = {term_constant(s, s->word_sort, "state"), term_constant(s, s->word_sort, "key"),
                          term_constant(s, s->bool_sort, "taken")};
    struct link after;
    term claim, lane = key_of_lane(proof, &proof->spec->m, k);
    if (k == 0) /* the start is a number, which may stand elsewhere too */
        before = (struct link){state[0], key_neutral(s, proof->info), term_bool(s, false)};
    after.state = k == 0 ? state[1] : term_substitute(s, state[k + 1], &state[k], &before.state, 1);
    after.key = algebra_apply(s, op, before.key, lane);
    after.taken = term_or(s, before.taken, proof->split.group[k]);
    claim = term_implies(s, holds_of(proof, state[0], &before), holds_of(proof, state[0], &after));
    return decide(&proof->d, &proof->split, k == 0 ? claim : of_any_lane(proof, claim, k),
                  "a step of the encoding's reduction", k);
}

/* What the chain ends with, when some lane took part. */
static bool decide_end(struct proof *proof, term start)
{
    struct smt *s = proof->d.s;
    const struct link end = {term_constant(s, s->word_sort, "state"), term_constant(s, s->word_sort, "key"),
                             term_bool(s, true)};
    return decide(&proof->d, &proof->split,
                  term_implies(s, holds_of(proof, start, &end), term_eq(s, end.state, key_number(s, end.key))),
                  "the end of the encoding's reduction", WARP_LANES);
}

static bool encoding_prove_keys(struct proof *proof)
{
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    term state[WARP_LANES + 1], other[WARP_LANES + 1];
    bool ok = true;
    split_make(s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    for (unsigned i = 0; ok && i < proof->split.dst.n; i++) {
        const uint32_t dst = (uint32_t)proof->split.dst.number[i];
        if (!warp_form_writes_d(proof->info, dst))
            continue;
        ok = chain(proof, 0, dst, state) && decide_end(proof, state[0]);
        for (unsigned k = 0; ok && k < WARP_LANES; k++)
            ok = decide_step(proof, state, k);
        for (unsigned k = 1; ok && k < WARP_LANES; k++) {
            ok = chain(proof, k, dst, other);
            if (ok && other[WARP_LANES] != state[WARP_LANES])
                ok = proof_open(proof, "the encoding gives the lanes of a group different chains");
        }
    }
    smt_release(s, mark);
    return ok;
}

/* Outcomes: those of encode_outcome, and those of the class that spec_wait settles. */

/* One lane and the lanes that pass its membermask, by the names that wait.c has for them. */
struct outcome {
    struct proof *proof;
    unsigned lane;
    struct smt_warp w;
    struct smt_lane r;
    term active[WARP_LANES], exited[WARP_LANES];
    term same[WARP_LANES]; /* passes the lane's membermask: any lanes, and itself */
    term mask[WARP_LANES]; /* the bits of that */
};

static void begin(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        o->active[k] = spec_memory_bool(s, "active", 0, k);
        o->exited[k] = b_and(s, spec_memory_bool(s, "exited", 0, k), b_not(s, o->active[k]));
        o->same[k] = k == o->lane ? term_bool(s, true) : spec_memory_bool(s, "here", 0, k);
        o->mask[k] = spec_memory_bool(s, "mask", 0, k);
    }
}

/* x with the names in place of comparisons of membermasks, and of the lane's own. */
static term renamed(const struct outcome *o, term x)
{
    struct smt *s = o->proof->d.s;
    term equal[WARP_LANES], mask = term_mask(s, o->mask);
    if (!warp_form_is_sync(o->proof->info))
        return x;
    for (unsigned k = 0; k < WARP_LANES; k++)
        equal[k] = term_eq(s, o->w.membermask[k], o->w.membermask[o->lane]);
    x = term_substitute(s, x, equal, o->same, WARP_LANES);
    return term_substitute(s, x, &o->w.membermask[o->lane], &mask, 1);
}

static bool decide_renamed(struct outcome *o, term given, term x, term y, const char *what)
{
    struct smt *s = o->proof->d.s;
    return decide(&o->proof->d, &o->proof->split, term_implies(s, given, term_eq(s, renamed(o, x), y)), what, o->lane);
}

static bool decide_active(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    term here[WARP_LANES], active = o->active[o->lane], member, done, waits;
    struct wait_class c;
    for (unsigned k = 0; k < WARP_LANES; k++)
        here[k] = b_and(s, o->active[k], o->same[k]);
    wait_class(s, &o->proof->split, o->exited, o->mask, here, &c);
    member = c.members[o->lane];
    done = term_and(s, member, c.complete);
    waits = term_and(s, member, c.waits);
    return decide_renamed(o, active, o->r.undefined, term_or(s, c.outside[o->lane], term_and(s, member, c.undefined)),
                          "the encoding's undefined") &&
           decide_renamed(o, active, o->r.waiting, waits, "the encoding's waiting") &&
           decide_renamed(o, active, o->r.done, done, "the encoding's done") &&
           decide_renamed(o, active, o->r.waits_for, term_ite(s, waits, term_mask(s, c.missing), term_word(s, 0)),
                          "the encoding's waits_for") &&
           decide_renamed(o, term_and(s, active, done), o->r.group, term_mask(s, c.members), "the encoding's group");
}

static bool decide_idle(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    term idle = b_not(s, o->active[o->lane]), no = term_bool(s, false);
    return decide_renamed(o, idle, term_or(s, o->r.done, term_or(s, o->r.waiting, o->r.undefined)), no,
                          "the encoding's outcome of a lane that is not active") &&
           decide_renamed(o, idle, o->r.waits_for, term_word(s, 0), "the encoding's waits_for");
}

/* No membermask: the active lanes are done, all of them one group. */
static bool decide_without_membermask(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    term yes = term_bool(s, true), no = term_bool(s, false);
    return decide_renamed(o, yes, o->r.done, o->active[o->lane], "the encoding's done") &&
           decide_renamed(o, yes, term_or(s, o->r.waiting, o->r.undefined), no, "the encoding's outcome") &&
           decide_renamed(o, yes, o->r.waits_for, term_word(s, 0), "the encoding's waits_for") &&
           decide_renamed(o, o->active[o->lane], o->r.group, term_mask(s, o->active), "the encoding's group");
}

static bool decide_outcome_lane(struct proof *proof, unsigned k, uint32_t dst)
{
    struct outcome o = {.proof = proof, .lane = k};
    begin(&o);
    encoding_warp(proof, dst, o.active, o.exited, &o.w);
    encode_lane(proof->d.s, &o.w, term_word(proof->d.s, k), &o.r);
    if (!warp_form_is_sync(proof->info))
        return decide_without_membermask(&o);
    return decide_active(&o) && decide_idle(&o);
}

static bool encoding_prove_outcomes(struct proof *proof)
{
    const size_t mark = smt_mark(proof->d.s);
    bool ok = true;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    for (unsigned k = 0; ok && k < WARP_LANES; k++)
        for (unsigned i = 0; ok && i < proof->split.dst.n; i++) /* the same terms: asked once */
            ok = decide_outcome_lane(proof, k, (uint32_t)proof->split.dst.number[i]);
    smt_release(proof->d.s, mark);
    return ok;
}
