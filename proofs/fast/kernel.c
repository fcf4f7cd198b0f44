#include "proofs/fast/kernel.h"

#include "proofs/algebra.h"
#include "proofs/fast/match_any.h"
#include "proofs/fast/redux_float.h"
#include "proofs/fast/spec_memory.h"
#include "proofs/fast/transcription.h"

#include <stdio.h>
#include <string.h>

struct kernel_run {
    struct proof *proof;
    bool several, members;
    unsigned n;
    struct strip_row *rows;
};

static term any_of(struct smt *s, const term bits[WARP_LANES])
{
    term none[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        none[k] = b_not(s, bits[k]);
    return b_not(s, b_all(s, none, WARP_LANES));
}

static void run_kernel(struct machine *machine, void *context)
{
    struct kernel_run *run = context;
    const struct scalar *groups[WARP_LANES], *members[WARP_LANES];
    for (unsigned w = 0; w < run->n; w++) {
        term bits[WARP_LANES];
        strip_group(machine->m.s, w, bits);
        groups[w] = make_bits(&machine->m, 32, run->several ? bits : run->proof->split.group);
        if (run->several) { /* lanes that pass another membermask are not in it */
            for (unsigned k = 0; k < WARP_LANES; k++)
                bits[k] = b_not(machine->m.s, bits[k]);
            machine_assume_here(machine, any_of(machine->m.s, bits));
        }
    }
    if (run->proof->split.assumption != NULL)
        machine_assume_here(machine, run->proof->split.assumption);
    machine->m.opaque_order = key_applies(run->proof->info);
    if (run->members)
        for (unsigned k = 0; k < WARP_LANES; k++)
            members[k] = spec_memory_bits(&machine->m, "members", k);
    strip_run(machine, &run->proof->split, run->proof->kernel, run->several, run->n, groups,
              run->members ? members : NULL, run->rows);
}

static bool decide_not_poison(struct proof *proof, const struct scalar *x, const char *what, unsigned k)
{
    return x->poison == NULL || decide_defined(&proof->d, &proof->split, b_not(proof->d.s, x->poison), what, k);
}

/* d, or the word, of one lane in the group. */
static bool decide_value(struct proof *proof, const struct scalar *x, term defined, const struct scalar *expected,
                         unsigned k)
{
    struct smt *s = proof->d.s;
    term given = b_and(s, proof->split.group[k], defined);
    enum algebra op;
    term a, b;
    if (is_false(s, given))
        return true;
    if (expected->poison != NULL &&
        !decide_defined(&proof->d, &proof->split, b_or(s, b_not(s, given), b_not(s, expected->poison)),
                        "the transcription's d is uninitialized", k))
        return false;
    b = v_given(s, as_term(&proof->spec->m, expected), given);
    if (key_applies(proof->info)) /* decide_row has decided what the word is */
        return decide(&proof->d, &proof->split,
                      b_or(s, b_not(s, given), v_eq(s, as_term(&proof->spec->m, key_result(&proof->spec->m)), b)),
                      "the transcription's d", k);
    a = v_given(s, as_term(&proof->fast->m, x), given);
    if (claims_algebra(proof->info, &op) && algebra_equal(s, op, given, a, b)) {
        proof->d.outcome->algebraic++;
        return true;
    }
    return decide(&proof->d, &proof->split, b_or(s, b_not(s, given), v_eq(s, a, b)), "the kernel's d", k);
}

/* Lanes outside the group (shfl: without a defined d) get 0. */
static bool decide_zero(struct proof *proof, const struct scalar *d, term defined, unsigned k)
{
    struct smt *s = proof->d.s;
    term x = v_given(s, as_term(&proof->fast->m, d), b_not(s, defined));
    return decide(&proof->d, &proof->split, b_or(s, defined, v_eq(s, x, v_number(s, 0, 32))), "the kernel's d outside",
                  k);
}

/* Claims x where `given` is true, and nothing elsewhere. */
static bool decide_same(struct proof *proof, term given, term x, term y, const char *what, unsigned k)
{
    struct smt *s = proof->d.s;
    return decide(&proof->d, &proof->split, b_or(s, b_not(s, given), b_not(s, b_xor(s, x, y))), what, k);
}

/* The words of bits: within the group, and there what the transcription says where the case has the destination. */
static bool decide_bits(struct proof *proof, const struct strip_row *row, const struct split_result *spec,
                        term defined[WARP_LANES])
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const struct case_split *split = &proof->split;
    const bool shfl = warp_form_is_shfl(proof->info), vote = proof->info->type == WARP_PRED;
    const bool has_word = row->word != NULL && strip_word_is_lanes(proof->info);
    term word[WARP_LANES], no = term_bool(s, false);
    struct strip_row any;
    if (has_word)
        as_bits(m, row->word, word);
    if (shfl)
        as_bits(m, row->d_defined, defined);
    if (vote) {
        term bits[WARP_LANES];
        strip_row_any(m, split, false, 0, split->group, &any);
        as_bits(m, any.word, bits);
        for (unsigned k = 0; k < WARP_LANES; k++)
            if (!decide_same(proof, term_bool(s, true), word[k], bits[k], "the kernel's ballot", k))
                return false;
        return true;
    }
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = split->group[k], out = b_not(s, in);
        if (!shfl)
            defined[k] = in;
        if (has_word && (!decide_same(proof, out, word[k], no, "the kernel's word outside the group", k) ||
                         (spec != NULL && !decide_same(proof, in, spec->p[k], b_and(s, split->writes_p, word[k]),
                                                       "the kernel's word", k))))
            return false;
        if (!decide_same(proof, out, defined[k], no, "the kernel's d_defined outside the group", k) ||
            (spec != NULL && !decide_same(proof, in, spec->d_defined[k], b_and(s, split->writes_d, defined[k]),
                                          "the kernel's d_defined", k)))
            return false;
    }
    return true;
}

/* spec NULL: the empty group. */
static bool decide_row(struct proof *proof, const struct strip_row *row, const struct split_result *spec)
{
    term defined[WARP_LANES];
    if (row->word != NULL && !decide_not_poison(proof, row->word, "the kernel's word is uninitialized", WARP_LANES))
        return false;
    if (row->d_defined != NULL &&
        !decide_not_poison(proof, row->d_defined, "the kernel's d_defined is uninitialized", WARP_LANES))
        return false;
    if (!decide_bits(proof, row, spec, defined) ||
        (spec != NULL && key_applies(proof->info) && !key_decide_word(proof, row->word)))
        return false;
    for (unsigned k = 0; k < WARP_LANES && proof->info->type != WARP_PRED; k++) {
        if (row->d[k] != NULL && (!decide_not_poison(proof, row->d[k], "the kernel's d is uninitialized", k) ||
                                  !decide_zero(proof, row->d[k], defined[k], k)))
            return false;
        if (spec != NULL &&
            !decide_value(proof, row->d[k] != NULL ? row->d[k] : row->word, spec->d_defined[k], spec->d[k], k))
            return false;
    }
    return true;
}

static bool prove_split(struct proof *proof, enum split_kind kind, unsigned lane)
{
    const size_t mark = smt_mark(proof->d.s);
    const bool with_spec = kind != SPLIT_NOBODY && proof->info->type != WARP_PRED;
    struct strip_row row;
    struct kernel_run run = {.proof = proof, .n = 1, .rows = &row};
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, kind, lane);
    ok = (!with_spec || transcription_group(proof, lane, &proof->spec_result)) &&
         proof_run(proof, proof->fast, run_kernel, &run);
    proof->split.members = NULL; /* membermasks are no matter of kernels */
    ok = ok && decide_row(proof, &row, with_spec ? &proof->spec_result : NULL) && proof_obligations(proof, proof->fast);
    smt_release(proof->d.s, mark);
    return ok;
}

bool kernel_prove_members(struct proof *proof, const struct split_result *expected)
{
    struct strip_row row;
    struct kernel_run run = {.proof = proof, .members = true, .n = 1, .rows = &row};
    return proof_run(proof, proof->fast, run_kernel, &run) && decide_row(proof, &row, expected) &&
           proof_obligations(proof, proof->fast);
}

/* Notes how far the proof went. Returns false. */
static bool say_decided(struct proof *proof, unsigned lane)
{
    struct compiled_outcome *o = proof->d.outcome;
    const size_t used = strlen(o->note);
    if (o->verdict == COMPILED_OPEN && lane < WARP_LANES)
        snprintf(o->note + used, sizeof o->note - used, "; decided for groups of lanes %u to 31", lane);
    return false;
}

bool kernel_prove(struct proof *proof)
{
    if (proof->kernel == NULL)
        return true;
    if (key_applies(proof->info) && !key_prove_transcription(proof))
        return false;
    if (classes_apply(proof->info))
        return classes_prove(proof);
    if (!transcription_by_group(proof->info) || proof->info->type == WARP_PRED)
        return prove_split(proof, SPLIT_ANY, 0);
    for (unsigned lane = WARP_LANES; lane-- > 0;)
        if (!prove_split(proof, SPLIT_LED, lane))
            return say_decided(proof, lane + 1);
    return prove_split(proof, SPLIT_FULL, 0) && prove_split(proof, SPLIT_NOBODY, 0);
}

/* --- several groups ------------------------------------------------------------------------------------------ */

#define ROW_TERMS (2 + WARP_LANES)

static term row_term(struct maker *m, const struct strip_row *row, unsigned i)
{
    const struct scalar *x = i == 0 ? row->word : i == 1 ? row->d_defined : row->d[i - 2];
    if (x == NULL)
        return NULL;
    return as_term(m, x);
}

/* Its poison; a number, so that rows are compared alike. */
static term row_poison(struct maker *m, const struct strip_row *row, unsigned i)
{
    const struct scalar *x = i == 0 ? row->word : i == 1 ? row->d_defined : row->d[i - 2];
    return x == NULL || x->poison == NULL ? term_bool(m->s, false) : x->poison;
}

struct strips {
    struct proof *proof;
    unsigned n;
    term one[ROW_TERMS], one_poison[ROW_TERMS]; /* of a strip of one warp, whose group is number 0 */
    term row[WARP_LANES][ROW_TERMS], poison[WARP_LANES][ROW_TERMS];
};

static void take_one(struct machine *machine, void *context)
{
    struct strips *strips = context;
    struct strip_row row;
    struct kernel_run run = {.proof = strips->proof, .n = 1, .rows = &row};
    strip_group(machine->m.s, 0, strips->proof->split.group);
    run_kernel(machine, &run);
    for (unsigned i = 0; i < ROW_TERMS; i++) {
        strips->one[i] = row_term(&machine->m, &row, i);
        strips->one_poison[i] = row_poison(&machine->m, &row, i);
    }
}

static void take_rows(struct machine *machine, void *context)
{
    struct strips *strips = context;
    struct strip_row rows[WARP_LANES];
    struct kernel_run run = {.proof = strips->proof, .several = true, .n = strips->n, .rows = rows};
    run_kernel(machine, &run);
    for (unsigned w = 0; w < strips->n; w++)
        for (unsigned i = 0; i < ROW_TERMS; i++) {
            strips->row[w][i] = row_term(&machine->m, &rows[w], i);
            strips->poison[w][i] = row_poison(&machine->m, &rows[w], i);
        }
}

/* The row of one warp, with group w for group 0. */
static term renamed(struct maker *m, term x, unsigned w)
{
    term from[WARP_LANES], to[WARP_LANES];
    strip_group(m->s, 0, from);
    strip_group(m->s, w, to);
    return smt_keep(m->s, Z3_substitute(m->s->z3, x, WARP_LANES, from, to));
}

/* Group w is not the whole warp, as run_kernel assumes of each of several. */
static term not_whole(struct maker *m, unsigned w)
{
    term bits[WARP_LANES];
    strip_group(m->s, w, bits);
    return b_not(m->s, b_all(m->s, bits, WARP_LANES));
}

/* f32 redux: the same number of the same minimum. */
static bool same_least(struct proof *proof, term given, term x, term y)
{
    term of_x, of_y;
    if (!key_applies(proof->info) || key_open(proof->d.s, x, &of_x) != key_open(proof->d.s, y, &of_y))
        return false;
    return of_x != NULL && of_y != NULL && algebra_equal(proof->d.s, key_operation(proof->info), given, of_x, of_y);
}

static bool compare_rows(struct strips *strips)
{
    struct proof *proof = strips->proof;
    struct maker *m = &proof->fast->m;
    for (unsigned w = 0; w < strips->n; w++)
        for (unsigned i = 0; i < ROW_TERMS; i++) {
            term x, y, given;
            enum algebra op;
            if (strips->one[i] == NULL)
                continue;
            if (renamed(m, strips->one_poison[i], w) != strips->poison[w][i] &&
                !decide_defined(&proof->d, &proof->split, b_not(m->s, strips->poison[w][i]),
                                "a row of several is uninitialized", w))
                return false;
            given = not_whole(m, w);
            x = v_given(m->s, renamed(m, strips->one[i], w), given);
            y = v_given(m->s, strips->row[w][i], given);
            if (x == y) {
                proof->d.outcome->immediate++;
                continue;
            }
            if (same_least(proof, given, x, y) ||
                (claims_algebra(proof->info, &op) && algebra_equal(m->s, op, given, x, y))) {
                proof->d.outcome->algebraic++;
                continue;
            }
            if (!decide(&proof->d, &proof->split, b_or(m->s, b_not(m->s, given), v_eq(m->s, x, y)), "a row of several",
                        w))
                return false;
        }
    return true;
}

bool kernel_prove_strips(struct proof *proof)
{
    struct strips strips = {.proof = proof};
    if (proof->kernel == NULL)
        return true;
    for (strips.n = 1; strips.n <= WARP_LANES; strips.n++) {
        const size_t mark = smt_mark(proof->d.s);
        bool ok;
        split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
        ok = proof_run(proof, proof->fast, take_one, &strips) && proof_obligations(proof, proof->fast) &&
             proof_run(proof, proof->fast, take_rows, &strips);
        proof->split.members = NULL;
        ok = ok && compare_rows(&strips) && proof_obligations(proof, proof->fast);
        smt_release(proof->d.s, mark);
        if (!ok)
            return proof_tell(proof, "number of groups:", strips.n);
    }
    return true;
}

#define FEWEST 2u
#define COUNTS (WARP_LANES - FEWEST + 1) /* numbers of groups */

static uint32_t hint(const struct hints *hints, struct random *seed)
{
    return hints->n == 0 ? random_word(seed) : hints->word[random_word(seed) % hints->n];
}

/* n lanes, one in each group, and the others in any. */
static void deal(unsigned of[WARP_LANES], unsigned n, struct random *seed)
{
    unsigned order[WARP_LANES] = {0};
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const unsigned at = random_word(seed) % (k + 1);
        order[k] = order[at];
        order[at] = k;
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        of[order[k]] = k < n ? k : random_word(seed) % n;
}

/* Which of n groups each lane is in. */
static void split(unsigned of[WARP_LANES], unsigned n, unsigned way, const struct hints *hints, struct random *seed)
{
    const lanemask word = hint(hints, seed);
    unsigned others = 0;
    if (way == 0)
        deal(of, n, seed);
    for (unsigned k = 0; k < WARP_LANES && way != 0; k++)
        of[k] = way == 1 ? k % n : way == 2 ? k * n / WARP_LANES : (word >> k & 1) != 0 ? 0 : 1 + others++ % (n - 1);
}

static unsigned some_lane(lanemask lanes, struct random *seed)
{
    unsigned lane = random_word(seed) % WARP_LANES;
    while (lanes != 0 && (lanes >> lane & 1) == 0)
        lane = (lane + 1) % WARP_LANES;
    return lane;
}

/* Most lanes of one of the words pass it, and one of them may be elsewhere. */
static void pass_hint(struct warp_case *c, const struct hints *hints, struct random *seed)
{
    const lanemask word = hint(hints, seed);
    for (unsigned k = 0; k < WARP_LANES; k++)
        if ((word >> k & 1) != 0 && random_word(seed) % 4 != 0)
            c->membermask[k] = word;
    if (random_word(seed) % 2 == 0)
        c->active &= ~(1u << some_lane(word, seed));
}

void hinted_case(struct warp_case *c, const struct warp_case *like, const struct hints *hints, unsigned i,
                 struct random *seed)
{
    const unsigned n = FEWEST + i % COUNTS, way = i / COUNTS % 4, state = i / COUNTS / 4 % 4;
    lanemask groups[WARP_LANES] = {0};
    unsigned of[WARP_LANES];
    *c = *like;
    split(of, n, way, hints, seed);
    for (unsigned k = 0; k < WARP_LANES; k++)
        groups[of[k]] |= 1u << k;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        c->membermask[k] = groups[of[k]];
        if (random_word(seed) % 4 == 0)
            c->a[k] = hint(hints, seed);
        if (random_word(seed) % 8 == 0)
            c->b[k] = hint(hints, seed);
        if (random_word(seed) % 8 == 0)
            c->c[k] = hint(hints, seed);
    }
    c->exited = state == 2 ? random_word(seed) & random_word(seed) : 0;
    c->active = ~c->exited;
    if (state == 1)
        c->active &= ~(1u << random_word(seed) % WARP_LANES);
    if (state == 3)
        pass_hint(c, hints, seed);
    warp_case_repair(c);
    c->form = like->form;
    warp_case_repair(c);
}
