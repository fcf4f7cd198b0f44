#include "proofs/fast/shfl_two_pass.h"

#include "proofs/fast/spec_memory.h"
#include "proofs/fast/strip.h"
#include "proofs/fast/transcription.h"

#include <stddef.h>

term two_pass_p(struct smt *s, unsigned k)
{
    return spec_memory_bool(s, "pair.p", 0, k);
}

term two_pass_done(struct smt *s, unsigned k)
{
    return spec_memory_bool(s, "pair.done", 0, k);
}

/* Bit J[k] where k and J[k] are done, else 0. */
static const struct scalar *two_pass_source_bit(struct maker *m, unsigned k)
{
    return spec_memory_bits(m, "pair.source", k);
}

const struct scalar *two_pass_moved(struct maker *m, unsigned k)
{
    return spec_memory_word(m, "pair.moved", k);
}

static const struct scalar *two_pass_operand(struct maker *m, unsigned k)
{
    return spec_memory_word(m, "a", k); /* as the case split names it */
}

/* --- the transcription ----------------------------------------------------------------------------------------- */

/* x where every lane is in the group, and lane i's a is i. */
static term everywhere(struct proof *proof, term x)
{
    struct smt *s = proof->d.s;
    term from[2 * WARP_LANES], to[2 * WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++) {
        from[i] = proof->split.group[i];
        to[i] = term_bool(s, true);
        from[WARP_LANES + i] = as_term(&proof->spec->m, two_pass_operand(&proof->spec->m, i));
        to[WARP_LANES + i] = v_number(s, i, 32);
    }
    x = smt_keep(s, Z3_substitute(s->z3, x, 2 * WARP_LANES, from, to));
    return smt_keep(s, Z3_simplify(s->z3, x));
}

static bool decide_source(struct proof *proof, const struct split_result *r, unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    const struct case_split *split = &proof->split;
    const struct scalar *lanes[WARP_LANES], *a[WARP_LANES], *source;
    term in = split->group[k], p = everywhere(proof, r->p[k]), j = everywhere(proof, as_term(m, r->d[k])), there, claim;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        lanes[i] = make_bool(m, split->group[i]);
        a[i] = two_pass_operand(m, i);
    }
    source = make_term(m, v_extract(s, 4, 0, j));
    there = as_bool(m, scalar_pick(m, lanes, WARP_LANES, source));
    claim = term_and(s, term_eq(s, r->p[k], p), term_eq(s, r->d_defined[k], term_and(s, split->writes_d, there)));
    claim = term_and(s, claim,
                     term_or(s, term_not(s, r->d_defined[k]),
                             term_eq(s, as_term(m, r->d[k]), as_term(m, scalar_pick(m, a, WARP_LANES, source)))));
    return decide(&proof->d, split, term_implies(s, in, claim), "the source lane in the transcription", k);
}

bool two_pass_prove(struct proof *proof)
{
    const size_t mark = smt_mark(proof->d.s);
    struct split_result r;
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    ok = transcription_group(proof, 0, &r);
    proof->split.members = NULL;
    for (unsigned k = 0; ok && k < WARP_LANES; k++)
        ok = decide_source(proof, &r, k);
    smt_release(proof->d.s, mark);
    return ok;
}

/* --- in place of the kernel ------------------------------------------------------------------------------------ */

static void need(struct machine *machine, bool condition, const char *what)
{
    if (!condition)
        fail(&machine->m, "shfl's kernel is called for several groups with another %s than the proof expects", what);
}

static const struct scalar *pointer(struct machine *machine, const struct scalar *strip, size_t at, const char *what)
{
    const struct scalar *p = spec_memory_get(machine, strip->object, strip->number + at, 64);
    need(machine, p->kind == POINTER && p->index == NULL && p->poison == NULL, what);
    return p;
}

/* ... of values that are given for each lane. */
static const struct scalar *column(struct machine *machine, const struct scalar *strip, size_t at, const char *what)
{
    const size_t flag = at + offsetof(struct warp_column, per_warp);
    const struct scalar *per_warp = spec_memory_get(machine, strip->object, strip->number + flag, 8);
    need(machine, per_warp->kind == KNOWN && per_warp->number == 0, what);
    return pointer(machine, strip, at, what);
}

/* The rows that the proof knows: the operand a, and one bit for each lane. */
static bool row_is(struct machine *machine, const struct scalar *a, bool bits)
{
    struct maker *m = &machine->m;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const struct scalar *x = spec_memory_get(machine, a->object, a->number + 4 * k, 32);
        if (!scalar_same(x, bits ? make_known(m, 32, (uint64_t)1 << k) : two_pass_operand(m, k)))
            return false;
    }
    return true;
}

const struct scalar *two_pass_answer(struct machine *machine, unsigned case_object, const struct scalar *strip)
{
    struct maker *m = &machine->m;
    const struct scalar *n = spec_memory_get(machine, strip->object, strip->number + STRIP(n), 64);
    const struct scalar *a = column(machine, strip, STRIP(a), "a"), *b = column(machine, strip, STRIP(b), "b");
    const struct scalar *c = column(machine, strip, STRIP(c), "c"), *p[5], *done;
    const uint64_t size[5] = {sizeof(struct fast_strip), 4, 4, 4, 4 * WARP_LANES};
    const bool bits = row_is(machine, a, true);
    term word[WARP_LANES], there[WARP_LANES];
    need(machine, n->kind == KNOWN && n->number == 1, "number of warps");
    need(machine, b->object == case_object && b->number == offsetof(struct warp_case, b), "b");
    need(machine, c->object == case_object && c->number == offsetof(struct warp_case, c), "c");
    need(machine, bits || row_is(machine, a, false), "a");
    p[0] = strip;
    p[1] = pointer(machine, strip, STRIP(word), "word");
    p[2] = pointer(machine, strip, STRIP(d_defined), "d_defined");
    p[3] = pointer(machine, strip, STRIP(group), "group");
    p[4] = pointer(machine, strip, STRIP(d), "d");
    strip_need_apart(machine, p, size, 5);
    done = spec_memory_get(machine, p[3]->object, p[3]->number, 32);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        word[k] = b_and(m->s, two_pass_done(m->s, k), two_pass_p(m->s, k));
        there[k] = b_and(m->s, two_pass_done(m->s, k), spec_memory_bool(m->s, "pair.there", 0, k));
        spec_memory_put(machine, p[4]->object, p[4]->number + 4 * k,
                        bits ? two_pass_source_bit(m, k) : two_pass_moved(m, k));
    }
    spec_memory_put(machine, p[1]->object, p[1]->number, make_bits(m, WARP_LANES, word));
    spec_memory_put(machine, p[2]->object, p[2]->number, make_bits(m, WARP_LANES, there));
    return done;
}

/* --- fast_lanes_with: the lanes whose word has a bit of a set ---------------------------------------------------- */

struct with_run {
    LLVMValueRef function;
    term right;
};

static void run_with(struct machine *machine, void *context)
{
    struct with_run *run = context;
    struct maker *m = &machine->m;
    const unsigned words = machine_object(machine, "the words", 4 * WARP_LANES, 4);
    const struct value *a[2];
    term lanes[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term none[WARP_LANES];
        spec_memory_put(machine, words, 4 * k, two_pass_source_bit(m, k));
        for (unsigned i = 0; i < WARP_LANES; i++)
            none[i] = b_not(
                m->s, b_and(m->s, spec_memory_bool(m->s, "pair.source", k, i), spec_memory_bool(m->s, "set", 0, i)));
        lanes[k] = b_not(m->s, b_all(m->s, none, WARP_LANES));
    }
    machine->objects[words].constant = true;
    a[0] = make_value(m, machine_address(machine, words, 0));
    a[1] = make_value(m, spec_memory_bits(m, "set", 0));
    machine->hook = NULL;
    run->right =
        spec_memory_same(m, machine_call_function(machine, run->function, a, 2)->e[0], make_bits(m, WARP_LANES, lanes));
}

bool two_pass_prove_with(struct proof *proof, LLVMValueRef function)
{
    const size_t mark = smt_mark(proof->d.s);
    struct with_run run = {.function = function};
    const bool ok = proof_run(proof, proof->fast, run_with, &run) &&
                    decide(&proof->d, &proof->split, run.right, "the lanes whose source is in a group", WARP_LANES) &&
                    proof_obligations(proof, proof->fast);
    smt_release(proof->d.s, mark);
    return ok;
}

bool two_pass_answer_with(struct machine *machine, const struct value *const *a, unsigned n, unsigned g,
                          const struct value **result)
{
    struct maker *m = &machine->m;
    const struct scalar *words = a[0]->e[0];
    term set[WARP_LANES];
    if (words->kind != POINTER || words->index != NULL)
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        set[k] = strip_group_lane(m->s, g, k);
        if (!scalar_same(spec_memory_get(machine, words->object, words->number + 4 * k, 32), two_pass_source_bit(m, k)))
            return false;
    }
    if (n != 2 || !scalar_same(a[1]->e[0], make_bits(m, WARP_LANES, set)))
        return false;
    *result = make_value(m, spec_memory_bits(m, "pair.with", g));
    return true;
}
