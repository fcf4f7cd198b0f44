#include "proofs/fast/classes.h"

#include "proofs/fast/classes_loop.h"
#include "proofs/fast/scene.h"
#include "proofs/fast/transcription.h"

#include <stdlib.h>

#define CHUNK 4u /* lanes of which one question asks whether they are in a class */

bool classes_apply(const struct warp_form_info *info)
{
    return info->family == WARP_MATCH_SYNC && info->op == WARP_ANY;
}

/* --- claims ----------------------------------------------------------------------------------------------------- */

/* The facts about lane k and some others: equality, and that the remaining lanes are whole classes. */
static term facts(struct classes *classes, unsigned k, unsigned from)
{
    struct smt *s = classes->proof->d.s;
    const term *group = classes->proof->setting.group;
    term all = classes->always;
    for (unsigned o = from; o < from + CHUNK; o++) {
        term same = equality_lanes(&classes->e, k, o);
        all = term_and(s, all, equality_facts(&classes->e, k, o));
        all = term_and(
            s, all, term_implies(s, TERM_ALL(s, classes_left(classes, k), same, group[o]), classes_left(classes, o)));
        all = term_and(
            s, all, term_implies(s, TERM_ALL(s, classes_left(classes, o), same, group[k]), classes_left(classes, k)));
    }
    return all;
}

/* Some lane is left, and the limit is right. */
static term always(struct classes *classes)
{
    struct smt *s = classes->proof->d.s;
    struct maker *m = &classes->proof->fast->m;
    term rest[WARP_LANES], some;
    for (unsigned o = 0; o < WARP_LANES; o++)
        rest[o] = classes_left(classes, o);
    some = term_any(s, rest, WARP_LANES);
    return classes->has_limit ? term_and(s, some, classes_limit_holds(m, classes_limit(m, 32), rest)) : some;
}

/* The bits of a word are lane k's class where `when` is true; else 0. */
static term is_class(struct classes *classes, unsigned k, unsigned from, const term bits[WARP_LANES], term when)
{
    struct smt *s = classes->proof->d.s;
    term all = term_bool(s, true);
    for (unsigned o = from; o < from + CHUNK; o++)
        all = term_and(s, all,
                       term_eq(s, equality_of(&classes->e, bits[o]),
                               equality_of(&classes->e, b_and(s, when, classes_bit(classes, k, o)))));
    return all;
}

static bool decide_fact(struct classes *classes, term claim, const char *what, unsigned k, unsigned from)
{
    struct proof *proof = classes->proof;
    return decide(&proof->d, &proof->setting, term_implies(proof->d.s, facts(classes, k, from), claim), what, k);
}

/* Claims that a round leaves what the next one needs. */
static bool decide_way(struct classes *classes, const struct way *way)
{
    struct smt *s = classes->proof->d.s;
    struct equality *e = &classes->e;
    const term *group = classes->proof->setting.group;
    term path = equality_of(e, way->path), rest[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        rest[k] = equality_of(e, way->rest[k]);
    for (unsigned i = 0; i < WARP_LANES * (WARP_LANES / CHUNK); i++) {
        const unsigned k = i % WARP_LANES, from = i / WARP_LANES * CHUNK;
        term claim = is_class(classes, k, from, way->row[k], b_not(s, way->rest[k]));
        if (classes->outside)
            claim = term_implies(s, group[k], claim);
        claim = term_and(s, claim, term_implies(s, rest[k], group[k]));
        for (unsigned o = from; o < from + CHUNK; o++)
            claim =
                term_and(s, claim, term_implies(s, TERM_ALL(s, rest[k], equality_lanes(e, k, o), group[o]), rest[o]));
        if (i == 0)
            claim = TERM_ALL(s, claim, term_any(s, rest, WARP_LANES), equality_of(e, way->sound));
        if (!decide_fact(classes, term_implies(s, path, claim), "a round of the kernel's loop", k, from))
            return false;
    }
    return true;
}

static bool decide_kernel(struct classes *classes)
{
    struct proof *proof = classes->proof;
    struct smt *s = proof->d.s;
    term again = term_bool(s, false); /* then another round follows, and this is not what is left at the end */
    for (unsigned i = 0; i < classes->count; i++) {
        if (!decide_way(classes, &classes->ways[i]))
            return false;
        again = term_or(s, again, equality_of(&classes->e, classes->ways[i].path));
    }
    for (unsigned i = 0; i < WARP_LANES * (WARP_LANES / CHUNK); i++) {
        const unsigned k = i % WARP_LANES, from = i / WARP_LANES * CHUNK;
        const struct scalar *d = classes->row.d[k];
        term bits[WARP_LANES], claim;
        as_bits(&proof->fast->m, d, bits);
        claim = is_class(classes, k, from, bits, term_bool(s, true));
        if (d->poison != NULL)
            claim = term_and(s, claim, term_not(s, equality_of(&classes->e, d->poison)));
        if (!decide_fact(classes, term_or(s, again, claim), "the kernel's d", k, from))
            return false;
    }
    return true;
}

static bool decide_transcription(struct classes *classes, const struct setting_result *r)
{
    struct proof *proof = classes->proof;
    struct smt *s = proof->d.s;
    for (unsigned i = 0; i < WARP_LANES * (WARP_LANES / CHUNK); i++) {
        const unsigned k = i % WARP_LANES, from = i / WARP_LANES * CHUNK;
        term bits[WARP_LANES], claim, given = b_and(s, proof->setting.group[k], r->d_defined[k]);
        as_bits(&proof->spec->m, r->d[k], bits);
        claim = is_class(classes, k, from, bits, term_bool(s, true));
        if (r->d[k]->poison != NULL)
            claim = term_and(s, claim, term_not(s, equality_of(&classes->e, r->d[k]->poison)));
        claim =
            term_and(s, term_implies(s, given, claim),
                     term_implies(s, proof->setting.group[k], term_eq(s, r->d_defined[k], proof->setting.writes_d)));
        if (!decide_fact(classes, claim, "the transcription's d", k, from))
            return false;
    }
    return true;
}

/* Asks with Bools in place of comparisons; asks again with the comparisons what that leaves open. */
static bool decide_undefined(struct classes *classes)
{
    struct proof *proof = classes->proof;
    struct machine *machine = proof->fast;
    for (size_t i = 0; i < machine->obligation_count; i++) {
        term holds = equality_of(&classes->e, machine->obligations[i].holds);
        if (is_true(proof->d.s, holds))
            machine->obligations[i].holds = holds;
    }
    return proof_obligations(proof, machine);
}

static void begin(struct classes *classes)
{
    struct proof *proof = classes->proof;
    struct maker *m = &proof->fast->m;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        classes->low[k] = as_term(m, scene_word(m, "a", k));
        classes->high[k] = as_term(m, scene_word(m, "h", k));
    }
    setting_make(proof->d.s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    equality_begin(&classes->e, proof->d.s, classes->low, proof->info->type == WARP_B64 ? classes->high : NULL);
}

/* The solver knows only which operands are equal, not the operands. A witness may need two with one hash, and
 * others. */
static void suggest_operands(struct classes *classes)
{
    struct compiled_outcome *o = classes->proof->d.outcome;
    uint32_t low[2], high[2];
    if (o->verdict != COMPILED_REFUTED || !o->has_witness || !equality_collision(&classes->e, low, high))
        return;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        o->witness.a[k] = k % 3 < 2 ? low[k % 3] : k;
        if (classes->proof->info->type == WARP_B64)
            o->witness.a_high[k] = k % 3 < 2 ? high[k % 3] : 0;
    }
}

static bool prove_kernel(struct proof *proof, bool upward, bool outside)
{
    const size_t mark = smt_mark(proof->d.s);
    struct classes *classes = smt_grow(NULL, 1, sizeof *classes);
    bool ok;
    *classes = (struct classes){.proof = proof, .upward = upward, .outside = outside};
    begin(classes);
    ok = proof_run(proof, proof->fast, classes_run, classes);
    proof->setting.members = NULL;
    classes->always = always(classes);
    ok = ok && decide_kernel(classes) && decide_undefined(classes);
    if (!ok)
        suggest_operands(classes);
    equality_end(&classes->e);
    free(classes);
    smt_release(proof->d.s, mark);
    return ok;
}

static bool prove_transcription(struct proof *proof)
{
    const size_t mark = smt_mark(proof->d.s);
    struct classes *classes = smt_grow(NULL, 1, sizeof *classes);
    struct setting_result r;
    bool ok;
    *classes = (struct classes){.proof = proof};
    begin(classes);
    ok = transcription_group(proof, 0, &r);
    proof->setting.members = NULL;
    classes->always = term_bool(proof->d.s, true);
    ok = ok && decide_transcription(classes, &r);
    equality_end(&classes->e);
    free(classes);
    smt_release(proof->d.s, mark);
    return ok;
}

/* The compiler chooses how the loop's vectors hold d; the variant chooses what they hold outside the group. */
bool classes_prove(struct proof *proof)
{
    const struct compiled_outcome before = *proof->d.outcome;
    if (!prove_transcription(proof))
        return false;
    if (prove_kernel(proof, true, false))
        return true;
    *proof->d.outcome = before;
    return prove_kernel(proof, false, true);
}
