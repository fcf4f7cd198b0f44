#include "proofs/fast/mixed.h"

#include "proofs/fast/classes.h"
#include "proofs/fast/groups.h"
#include "proofs/fast/kernel.h"
#include "proofs/fast/pair.h"
#include "proofs/fast/plumbing.h"
#include "proofs/fast/scene.h"
#include "proofs/fast/strip_layout.h"
#include "proofs/fast/transcription.h"

#include <stddef.h>
#include <string.h>

static void also(struct machine *machine, struct mixed *mixed, term claim)
{
    if (!is_true(machine->m.s, claim))
        mixed->right = term_and(machine->m.s, mixed->right, claim);
}

static term same_words(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    term a[WARP_LANES], b[WARP_LANES];
    if (x->poison != NULL || y->poison != NULL)
        return term_bool(m->s, false);
    as_bits(m, x, a);
    as_bits(m, y, b);
    for (unsigned k = 0; k < WARP_LANES; k++)
        a[k] = b_not(m->s, b_xor(m->s, a[k], b[k]));
    return b_all(m->s, a, WARP_LANES);
}

static const struct scalar *of_case(struct machine *machine, const struct mixed *mixed, size_t at)
{
    return memory_load(&machine->m, &machine->now, mixed->proof->setting.object, at, 32);
}

/* Answers kernels->unify: some active lane passes another membermask than the first. groups.c proves that `stray`
 * tells this. */
static void answer_unify(struct machine *machine, struct mixed *mixed, const struct value *const *a)
{
    struct maker *m = &machine->m;
    const struct scalar *column = a[0]->e[0], *active = a[2]->e[0], *mask = a[3]->e[0], *stray = a[4]->e[0];
    const struct scalar *values = memory_load(m, &machine->now, column->object, column->number, 64);
    term bits[WARP_LANES];
    if (a[1]->e[0]->kind != KNOWN || a[1]->e[0]->number != 1 || values->kind != POINTER ||
        values->object != mixed->proof->setting.object || values->number != offsetof(struct warp_case, membermask))
        fail(m, "kernels->unify is called in another way than the proof expects");
    also(machine, mixed,
         same_words(m, memory_load(m, &machine->now, active->object, active->number, 32),
                    of_case(machine, mixed, offsetof(struct warp_case, active))));
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = groups_bit(m->s, "stray", k);
    memory_store(m, &machine->now, mask->object, machine->sizes[mask->object], mask->number,
                 make_term(m, term_constant(m->s, m->s->word_sort, "mask")));
    memory_store(m, &machine->now, stray->object, machine->sizes[stray->object], stray->number,
                 make_bits(m, WARP_LANES, bits));
}

/* The row that a kernel leaves for group g, and the check that it is told this group. */
static void take_row(struct machine *machine, struct mixed *mixed, unsigned g, const struct scalar *group,
                     const struct strip_row *row)
{
    term bits[WARP_LANES];
    groups_bits(machine->m.s, g, bits);
    also(machine, mixed, same_words(&machine->m, group, make_bits(&machine->m, WARP_LANES, bits)));
    mixed->rows[g] = *row;
}

/* First the strip with the warp as if nobody were done, then one with the warp once a group (match.any: one a group).
 */
static void answer_kernel(struct machine *machine, struct mixed *mixed, LLVMValueRef function,
                          const struct scalar *strip)
{
    struct maker *m = &machine->m;
    struct strip_row rows[WARP_LANES];
    unsigned n;
    if (mixed->calls > 0 && mixed->calls < 3 && warp_form_is_shfl(mixed->proof->info)) {
        mixed->done[mixed->calls - 1] = pair_answer(machine, mixed->proof->setting.object, strip);
        mixed->calls++;
        return;
    }
    n = strip_answer(machine, &mixed->proof->setting, mixed->proof->setting.object, strip, mixed->calls, mixed->groups,
                     rows);
    if (function != mixed->proof->kernel)
        fail(m, "lanes with different membermasks are given to another kernel");
    mixed->calls++;
    if (mixed->calls == 1) {
        also(machine, mixed, same_words(m, mixed->groups[0], make_known(m, 32, 0)));
        if (n != 1)
            fail(m, "the kernel is called with several warps at first");
        return;
    }
    if (classes_apply(mixed->proof->info)) {
        if (mixed->calls > mixed->n + 1 || n != 1)
            fail(m, "the kernel is called with another group than the proof expects");
        take_row(machine, mixed, mixed->calls - 2, mixed->groups[0], &rows[0]);
        return;
    }
    if (mixed->calls != 2 || n != mixed->n)
        fail(m, "the kernel is called with another number of groups than there are");
    for (unsigned g = 0; g < n; g++)
        take_row(machine, mixed, g, mixed->groups[g], &rows[g]);
}

/*
 * vote: after the kernel comes the mode's work on each group's word. It is executed, and its results are kept for
 * claims of their own; what follows sees names in their place.
 */
static void answer_evaluate(struct machine *machine, struct mixed *mixed, LLVMValueRef function,
                            const struct value *const *a)
{
    struct maker *m = &machine->m;
    const struct scalar *strip = a[1]->e[0], *word, *d;
    mixed->evaluates = true;
    machine_call_function(machine, function, a, 2);
    mixed->evaluates = false;
    word = scene_get(machine, strip->object, strip->number + strip_offset(machine, STRIP_WORD), 64);
    d = scene_get(machine, strip->object, strip->number + strip_offset(machine, STRIP_D), 64);
    if (mixed->calls != 2 || word->kind != POINTER)
        fail(m, "vote is evaluated in another way than the proof expects");
    for (unsigned g = 0; g < mixed->n; g++) {
        const struct scalar *was = scene_get(machine, word->object, word->number + 4 * g, 32);
        if (was->poison != NULL)
            fail(m, "the word of a vote may be uninitialized");
        as_bits(m, was, mixed->words[g]);
        scene_put(machine, word->object, word->number + 4 * g, mixed_vote_word(m, mixed->proof->info, g));
        for (unsigned k = 0; mixed->proof->setting.writes_d == term_bool(m->s, true) && k < WARP_LANES; k++) {
            const struct scalar *zero = make_known(m, 32, 0),
                                *row = scene_get(machine, d->object, d->number + 4 * (g * WARP_LANES + k), 32);
            term in = groups_member(m->s, g, k);
            also(machine, mixed, scene_same(m, row, scalar_select(m, in, was, zero)));
            scene_put(machine, d->object, d->number + 4 * (g * WARP_LANES + k),
                      scalar_select(m, in, mixed_vote_word(m, mixed->proof->info, g), zero));
        }
    }
}

static bool answer(struct machine *machine, void *context, const char *name, const struct value *const *a, unsigned n,
                   const struct value **result)
{
    struct mixed *mixed = context;
    LLVMValueRef function = LLVMGetNamedFunction(machine->module, name);
    *result = NULL;
    if (function == NULL)
        return false;
    if (n == 5 && function == groups_unify(machine, mixed->proof->state)) {
        answer_unify(machine, mixed, a);
        return true;
    }
    if (strcmp(name, GROUPS_FUNCTION) == 0) {
        const struct scalar *waits_for =
            machine_address(machine, mixed->proof->setting.result_object, offsetof(struct warp_result, waits_for));
        also(machine, mixed, groups_answer(machine, mixed->n, a, n, waits_for, mixed->proof->setting.object));
        return true;
    }
    if (n == 2 && strcmp(name, "evaluate") == 0 && mixed->proof->info->type == WARP_PRED && mixed->calls == 1 &&
        !mixed->evaluates) {
        answer_evaluate(machine, mixed, function, a);
        return true;
    }
    if (mixed->done[1] != NULL && strncmp(name, PAIR_WITH, strlen(PAIR_WITH)) == 0 && mixed->with < mixed->n &&
        pair_answer_with(machine, a, n, mixed->with, result)) {
        mixed->with++;
        mixed->with_function = function;
        return true;
    }
    if (n != 1 || !strip_is_kernel(function))
        return false;
    answer_kernel(machine, mixed, function, a[0]->e[0]);
    return true;
}

static void run_mixed(struct machine *machine, void *context)
{
    struct mixed *mixed = context;
    struct smt *s = machine->m.s;
    term nobody[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        nobody[k] = b_not(s, groups_bit(s, "stray", k));
    machine_assume_here(machine, b_not(s, b_all(s, nobody, WARP_LANES)));
    setting_run_hooked(machine, &mixed->proof->setting, "eval", mixed->proof->state, answer, mixed,
                       &mixed->proof->fast_result);
}

/* mixed_claims.c checks what shfl's two calls are told. */
static bool is_called_for_all(const struct mixed *mixed)
{
    const unsigned calls = mixed->n == 0 ? 1 : classes_apply(mixed->proof->info) ? mixed->n + 1 : 2;
    const char *what = "the kernel is not called for each of several groups";
    struct proof *proof = mixed->proof;
    if (mixed->calls == calls || warp_form_is_shfl(proof->info))
        return true;
    return decide(&proof->d, &proof->setting, term_bool(proof->d.s, false), what, WARP_LANES) &&
           proof_open(proof, what);
}

/* n groups. */
static bool prove_number(struct proof *proof, uint32_t dst, unsigned n, struct votes *votes)
{
    const size_t mark = smt_mark(proof->d.s);
    struct mixed mixed = {.proof = proof, .n = n, .votes = votes, .right = term_bool(proof->d.s, true)};
    bool ok;
    setting_make(proof->d.s, &proof->setting, proof->info, SETTING_ALL_TARGETS, dst, SETTING_ANY, 0);
    ok = proof_run(proof, proof->fast, run_mixed, &mixed) && proof_obligations(proof, proof->fast);
    proof->setting.members = NULL;
    ok = ok && is_called_for_all(&mixed);
    ok = ok && decide(&proof->d, &proof->setting, mixed_outcome(proof, &mixed), "outcomes with different membermasks",
                      WARP_LANES);
    ok = ok && mixed_results(proof, &mixed);
    smt_release(proof->d.s, mark);
    return ok || proof_tell(proof, "number of groups:", n);
}

static bool prove_numbers(struct proof *proof, uint32_t dst)
{
    struct votes votes = {.known = false};
    bool ok = true;
    for (unsigned n = 0; ok && n <= WARP_LANES; n++)
        ok = prove_number(proof, dst, n, &votes);
    for (unsigned k = 0; votes.known && k < WARP_LANES; k++)
        Z3_dec_ref(proof->d.s->z3, votes.bits[k]);
    return ok;
}

/* The kernel as it is called for several groups; that of match.any is called as for one. */
static bool prove_several(struct proof *proof)
{
    if (classes_apply(proof->info))
        return true;
    return warp_form_is_shfl(proof->info) ? pair_prove(proof) : kernel_prove_strips(proof);
}

bool plumbing_prove_mixed(struct proof *proof)
{
    return groups_prove(proof) && prove_several(proof) && plumbing_for_dsts(proof, prove_numbers);
}
