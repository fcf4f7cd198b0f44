#include "proofs/fast/match_any.h"

#include "proofs/fast/spec_memory.h"
#include "proofs/fast/transcription.h"

#include <stdlib.h>
#include <string.h>

/* One run of the kernel, its loop cut. */

#define WAYS 8u

/* What the loop has when a round ends. */
struct way {
    term path;
    term rest[WARP_LANES], row[WARP_LANES][WARP_LANES], sound; /* sound: nothing is poison, and the limit is right */
};

struct classes {
    struct proof *proof;
    bool upward;  /* the loop's vectors of d hold the lowest lanes first; else last */
    bool outside; /* meanwhile d of lanes outside the group is anything; else 0 */
    struct strip_row row;
    unsigned rest_phi, limit_phi;
    bool has_limit, in_memory;
    struct way ways[WAYS];
    unsigned count;
    struct equality e;
    term low[WARP_LANES], high[WARP_LANES];
    term always; /* what is known of any state of the loop */
};

/* Is lane k left, in the state from which the round begins? */
static term classes_left(struct classes *classes, unsigned k);
/* Bit o of the class of lane k in the group. */
static term classes_bit(struct classes *classes, unsigned k, unsigned o);
/* The loop's limit in that state, and what holds of a limit: the lanes below the rounds that were done are not left. */
static const struct scalar *classes_limit(struct maker *m, unsigned width);
static term classes_limit_holds(struct maker *m, const struct scalar *limit, const term rest[WARP_LANES]);

/* For machine_try: fills the row, and the ways to a next round. */
static void classes_run(struct machine *machine, void *context);

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
    const term *group = classes->proof->split.group;
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
    return decide(&proof->d, &proof->split, term_implies(proof->d.s, facts(classes, k, from), claim), what, k);
}

/* Claims that a round leaves what the next one needs. */
static bool decide_way(struct classes *classes, const struct way *way)
{
    struct smt *s = classes->proof->d.s;
    struct equality *e = &classes->e;
    const term *group = classes->proof->split.group;
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

static bool decide_transcription(struct classes *classes, const struct split_result *r)
{
    struct proof *proof = classes->proof;
    struct smt *s = proof->d.s;
    for (unsigned i = 0; i < WARP_LANES * (WARP_LANES / CHUNK); i++) {
        const unsigned k = i % WARP_LANES, from = i / WARP_LANES * CHUNK;
        term bits[WARP_LANES], claim, given = b_and(s, proof->split.group[k], r->d_defined[k]);
        as_bits(&proof->spec->m, r->d[k], bits);
        claim = is_class(classes, k, from, bits, term_bool(s, true));
        if (r->d[k]->poison != NULL)
            claim = term_and(s, claim, term_not(s, equality_of(&classes->e, r->d[k]->poison)));
        claim = term_and(s, term_implies(s, given, claim),
                         term_implies(s, proof->split.group[k], term_eq(s, r->d_defined[k], proof->split.writes_d)));
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
        classes->low[k] = as_term(m, spec_memory_word(m, "a", k));
        classes->high[k] = as_term(m, spec_memory_word(m, "h", k));
    }
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
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
    proof->split.members = NULL;
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
    struct split_result r;
    bool ok;
    *classes = (struct classes){.proof = proof};
    begin(classes);
    ok = transcription_group(proof, 0, &r);
    proof->split.members = NULL;
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

/* Lanes that are left; some of the group's. */
static term classes_left(struct classes *classes, unsigned k)
{
    struct smt *s = classes->proof->d.s;
    return b_and(s, classes->proof->split.group[k], spec_memory_bool(s, "left", 0, k));
}

static term equal_operands(struct classes *classes, unsigned i, unsigned j)
{
    struct smt *s = classes->proof->d.s;
    term low = v_eq(s, classes->low[i], classes->low[j]);
    if (classes->proof->info->type != WARP_B64)
        return low;
    return b_and(s, low, v_eq(s, classes->high[i], classes->high[j]));
}

/* Bit o of the class of lane k in the group. */
static term classes_bit(struct classes *classes, unsigned k, unsigned o)
{
    const term *group = classes->proof->split.group;
    struct smt *s = classes->proof->d.s;
    return b_and(s, b_and(s, group[k], group[o]), equal_operands(classes, k, o));
}

/* What d of lane k is when the lanes that are left have not been looked at. */
static const struct scalar *word_so_far(struct classes *classes, struct maker *m, unsigned k)
{
    term bits[WARP_LANES];
    for (unsigned o = 0; o < WARP_LANES; o++) {
        bits[o] = b_and(m->s, b_not(m->s, classes_left(classes, k)), classes_bit(classes, k, o));
        if (classes->outside)
            bits[o] =
                b_or(m->s, bits[o],
                     b_and(m->s, b_not(m->s, classes->proof->split.group[k]), spec_memory_bool(m->s, "outside", k, o)));
    }
    return make_bits(m, WARP_LANES, bits);
}

static bool is_group(struct classes *classes, struct maker *m, const struct value *x)
{
    return x->n == 1 && scalar_same(x->e[0], make_bits(m, WARP_LANES, classes->proof->split.group));
}

static bool is_zero(const struct value *x)
{
    uint64_t number;
    for (unsigned i = 0; i < x->n; i++)
        if (!is_known(x->e[i], &number) || number != 0 || x->e[i]->poison != NULL)
            return false;
    return true;
}

static bool is_limit(const struct value *x)
{
    return x->n == 1 && x->e[0]->kind == KNOWN && x->e[0]->number == WARP_LANES && x->e[0]->poison == NULL;
}

/* The loop over the operands that are left: at first all the group's lanes are, and d is 0. */
static bool is_loop(struct machine *machine, void *context, const struct value *const *phis, unsigned n)
{
    struct classes *classes = context;
    bool has_rest = false;
    unsigned words = 0;
    classes->has_limit = false;
    for (unsigned i = 0; i < n; i++) {
        if (!has_rest && is_group(classes, &machine->m, phis[i])) {
            classes->rest_phi = i;
            has_rest = true;
        } else if (!classes->has_limit && is_limit(phis[i])) {
            classes->limit_phi = i;
            classes->has_limit = true;
        } else if (is_zero(phis[i])) {
            words += phis[i]->n * phis[i]->e[0]->width / 32;
        } else {
            return false;
        }
    }
    classes->in_memory = words == 0;
    return has_rest && (words == 0 || words == WARP_LANES);
}

/* The phis of d in the order of the lanes: calls visit(context, first lane, phi). */
static void each_word_phi(struct classes *classes, unsigned n, const struct value **phis,
                          void (*visit)(struct classes *classes, struct machine *machine, unsigned lane,
                                        const struct value **phi),
                          struct machine *machine)
{
    unsigned lane = classes->upward ? 0 : WARP_LANES;
    for (unsigned i = 0; i < n; i++) {
        unsigned words;
        if (i == classes->rest_phi || (classes->has_limit && i == classes->limit_phi))
            continue;
        words = phis[i]->n * phis[i]->e[0]->width / 32;
        lane -= classes->upward ? 0 : words;
        visit(classes, machine, lane, &phis[i]);
        lane += classes->upward ? words : 0;
    }
}

static void put_words(struct classes *classes, struct machine *machine, unsigned lane, const struct value **phi)
{
    struct maker *m = &machine->m;
    const unsigned per = (*phi)->e[0]->width / 32;
    struct value *v = make_vector(m, (*phi)->n);
    for (unsigned i = 0; i < v->n; i++) {
        v->e[i] = word_so_far(classes, m, lane + i * per);
        for (unsigned w = 1; w < per; w++)
            v->e[i] = scalar_concat(m, word_so_far(classes, m, lane + i * per + w), v->e[i]);
    }
    *phi = v;
}

static void take_word(struct classes *classes, struct maker *m, unsigned lane, const struct scalar *x)
{
    struct way *way = &classes->ways[classes->count];
    as_bits(m, x, way->row[lane]);
    if (x->poison != NULL)
        way->sound = b_and(m->s, way->sound, b_not(m->s, x->poison));
}

static void take_words(struct classes *classes, struct machine *machine, unsigned lane, const struct value **phi)
{
    const unsigned per = (*phi)->e[0]->width / 32;
    for (unsigned i = 0; i < (*phi)->n; i++)
        for (unsigned w = 0; w < per; w++)
            take_word(classes, &machine->m, lane + i * per + w, scalar_slice(&machine->m, (*phi)->e[i], 32 * w, 32));
}

/* The limit is 32 less the rounds t that were done, and the lowest t lanes are done. */
static term rounds_done(struct smt *s, unsigned t)
{
    return spec_memory_bool(s, "rounds", 0, t);
}

static const struct scalar *classes_limit(struct maker *m, unsigned width)
{
    term when[WARP_LANES];
    uint64_t number[WARP_LANES];
    for (unsigned t = 0; t < WARP_LANES; t++) {
        when[t] = t + 1 == WARP_LANES ? term_bool(m->s, true) : rounds_done(m->s, t);
        number[t] = WARP_LANES - t;
    }
    return make_choice(m, width, WARP_LANES, when, number);
}

/* The lanes below t are not left, where t rounds were done. */
static term classes_limit_holds(struct maker *m, const struct scalar *limit, const term rest[WARP_LANES])
{
    term all = term_bool(m->s, true), some = term_bool(m->s, false);
    for (unsigned t = 0; t < WARP_LANES; t++) {
        term here = as_bool(m, arith_compare(m, LLVMIntEQ, limit, make_known(m, limit->width, WARP_LANES - t)));
        some = term_or(m->s, some, here);
        for (unsigned k = 0; k < t; k++)
            all = term_and(m->s, all, term_or(m->s, term_not(m->s, here), term_not(m->s, rest[k])));
    }
    return term_and(m->s, all, some);
}

/* Where the kernel writes d (strip.c). */
static unsigned row_object(struct machine *machine)
{
    for (unsigned i = 0; i < machine->object_count; i++)
        if (strcmp(machine->objects[i].name, "the strip's d") == 0)
            return i;
    fail(&machine->m, "match.any has no row");
}

static void begin_loop(struct classes *classes, struct machine *machine, const struct value **phis, unsigned n)
{
    struct maker *m = &machine->m;
    const unsigned row = row_object(machine);
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = classes_left(classes, k);
    each_word_phi(classes, n, phis, put_words, machine);
    phis[classes->rest_phi] = make_value(m, make_bits(m, WARP_LANES, bits));
    if (classes->has_limit)
        phis[classes->limit_phi] = make_value(m, classes_limit(m, phis[classes->limit_phi]->e[0]->width));
    for (unsigned k = 0; classes->in_memory && k < WARP_LANES; k++) {
        uint64_t number;
        const struct scalar *x = spec_memory_get(machine, row, 4 * k, 32);
        if (!is_known(x, &number) || number != 0 || x->poison != NULL)
            fail(m, "the row of match.any is not cleared before the loop");
        spec_memory_put(machine, row, 4 * k, word_so_far(classes, m, k));
    }
}

static void cut_loop(struct machine *machine, void *context, bool again, const struct value **phis, unsigned n)
{
    struct classes *classes = context;
    struct maker *m = &machine->m;
    struct way *way = &classes->ways[classes->count];
    const struct scalar *rest;
    if (!again) {
        begin_loop(classes, machine, phis, n);
        return;
    }
    if (classes->count == WAYS)
        fail(m, "the loop of match.any goes on in too many ways");
    rest = phis[classes->rest_phi]->e[0];
    way->path = term_all(m->s, machine->path, machine->path_count);
    way->sound = term_bool(m->s, rest->poison == NULL);
    as_bits(m, rest, way->rest);
    if (classes->has_limit)
        way->sound = classes_limit_holds(m, phis[classes->limit_phi]->e[0], way->rest);
    each_word_phi(classes, n, phis, take_words, machine);
    for (unsigned k = 0; classes->in_memory && k < WARP_LANES; k++)
        take_word(classes, m, k, spec_memory_get(machine, row_object(machine), 4 * k, 32));
    classes->count++;
}

static void classes_run(struct machine *machine, void *context)
{
    struct classes *classes = context;
    struct proof *proof = classes->proof;
    const struct scalar *group = make_bits(&machine->m, WARP_LANES, proof->split.group);
    classes->count = 0;
    machine->cut_function = LLVMGetValueName(proof->kernel);
    machine->cut_wanted = is_loop;
    machine->cut = cut_loop;
    machine->cut_context = classes;
    strip_run(machine, &proof->split, proof->kernel, false, 1, &group, NULL, &classes->row);
}
