#include "proofs/fast/one_group.h"

#include "proofs/fast/transcription.h"

#include <string.h>

struct one_group {
    struct proof *proof;
    const struct scalar *groups[WARP_LANES];
    struct strip_row row; /* of the group */
    bool called;
    term right_group;
};

static term same_lanes(struct maker *m, const struct scalar *x, const term lanes[WARP_LANES])
{
    term bits[WARP_LANES];
    as_bits(m, x, bits);
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = b_not(m->s, b_xor(m->s, bits[k], lanes[k]));
    return b_all(m->s, bits, WARP_LANES);
}

static bool answer_kernel(struct machine *machine, void *context, const char *name, const struct value *const *a,
                          unsigned n, const struct value **result)
{
    struct one_group *one = context;
    struct proof *proof = one->proof;
    LLVMValueRef function = LLVMGetNamedFunction(machine->module, name);
    struct strip_row rows[WARP_LANES];
    if (function == NULL || !strip_is_kernel(machine, function, a, n))
        return false;
    if (proof->kernel != NULL && proof->kernel != function)
        fail(&machine->m, "the form has two kernels, '%s' and '%s'", LLVMGetValueName(proof->kernel), name);
    if (one->called)
        fail(&machine->m, "the kernel is called twice");
    proof->kernel = function;
    one->called = true;
    if (strip_answer(machine, &proof->split, proof->split.object, a[0]->e[0], 0, false, one->groups, rows) != 1)
        fail(&machine->m, "the kernel is called with several warps");
    one->row = rows[0];
    one->right_group = same_lanes(&machine->m, one->groups[0], proof->split.group);
    *result = NULL;
    return true;
}

static void run_one_group(struct machine *machine, void *context)
{
    struct one_group *one = context;
    struct proof *proof = one->proof;
    split_run_hooked(machine, &proof->split, "eval", proof->state, answer_kernel, one, &proof->fast_result);
}

/* The row's result for a lane of the group. */
static term row_defined(struct proof *proof, const struct strip_row *row, unsigned k)
{
    struct smt *s = proof->d.s;
    term bits[WARP_LANES];
    if (row->d_defined == NULL)
        return proof->split.writes_d;
    as_bits(&proof->fast->m, row->d_defined, bits);
    return b_and(s, proof->split.writes_d, bits[k]);
}

static term row_p(struct proof *proof, const struct strip_row *row, unsigned k)
{
    struct smt *s = proof->d.s;
    term bits[WARP_LANES];
    if (row->word == NULL || !strip_word_is_lanes(proof->info))
        return term_bool(s, false);
    as_bits(&proof->fast->m, row->word, bits);
    return b_and(s, proof->split.writes_p, bits[k]);
}

/* d, d_defined, p of the group's lanes are the row's, and 0 elsewhere. */
static bool decide_row(struct proof *proof, const struct strip_row *row, const struct split_result *r)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const struct case_split *split = &proof->split;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = split->group[k], defined = b_and(s, in, row_defined(proof, row, k)),
             p = b_and(s, in, row_p(proof, row, k));
        const struct scalar *d = row->d[k] != NULL ? row->d[k] : row->word;
        if (!decide(&proof->d, split, b_not(s, b_xor(s, r->p[k], p)), "p", k) ||
            !decide(&proof->d, split, b_not(s, b_xor(s, r->d_defined[k], defined)), "d_defined", k))
            return false;
        if (is_false(s, defined))
            continue;
        if (r->d[k]->poison != NULL &&
            !decide_defined(&proof->d, split, b_or(s, b_not(s, defined), b_not(s, r->d[k]->poison)),
                            "d is uninitialized", k))
            return false;
        if (!decide(&proof->d, split,
                    b_or(s, b_not(s, defined),
                         v_eq(s, v_given(s, as_term(m, r->d[k]), defined), v_given(s, as_term(m, d), defined))),
                    "d", k))
            return false;
    }
    return true;
}

/* For vote and activemask, which have no row of their own: the transcription gives the lanes of the group their
 * result. */
static bool decide_by_transcription(struct proof *proof)
{
    if (!transcription_group(proof, 0, &proof->spec_result))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) { /* outside the group the transcription keeps what it finds */
        struct smt *s = proof->d.s;
        proof->spec_result.p[k] = b_and(s, proof->split.group[k], proof->spec_result.p[k]);
        proof->spec_result.d_defined[k] = b_and(s, proof->split.group[k], proof->spec_result.d_defined[k]);
    }
    return decide_results(&proof->d, &proof->spec->m, &proof->spec_result, &proof->fast->m, &proof->split,
                          &proof->fast_result, WARP_LANES);
}

static bool prove_split(struct proof *proof, uint32_t dst, enum split_kind kind, unsigned lane)
{
    const size_t mark = smt_mark(proof->d.s);
    const bool no_row = proof->info->type == WARP_PRED || proof->info->type == WARP_NO_SOURCE;
    struct one_group one = {.proof = proof};
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, dst, kind, lane);
    ok = proof_run(proof, proof->fast, run_one_group, &one) &&
         decide_outcome(&proof->d, &proof->fast->m, &proof->split, &proof->fast_result, "fast") &&
         (!one.called || decide(&proof->d, &proof->split, one.right_group, "the kernel's group", WARP_LANES)) &&
         proof_obligations(proof, proof->fast);
    if (ok && !one.called && !no_row)
        ok = proof_open(proof, "no kernel is called");
    ok = ok && (no_row ? decide_by_transcription(proof) : decide_row(proof, &one.row, &proof->fast_result));
    smt_release(proof->d.s, mark);
    return ok;
}

static bool prove_settings(struct proof *proof, uint32_t dst)
{
    const bool is_sync = warp_form_is_sync(proof->info);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!prove_split(proof, dst, SPLIT_FIRST, lane) || (is_sync && !prove_split(proof, dst, SPLIT_MISSING, lane)))
            return false;
    return prove_split(proof, dst, SPLIT_NOBODY, 0);
}

bool one_group_for_dsts(struct proof *proof, bool (*prove)(struct proof *proof, uint32_t dst))
{
    for (unsigned which = 0; which < 4; which++) {
        bool has = false;
        for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++)
            has |= (proof->info->destinations >> dst & 1u) != 0 &&
                   warp_form_writes_d(proof->info, dst) == (which & 1u) &&
                   warp_form_writes_p(proof->info, dst) == which >> 1;
        if (has && !prove(proof, SPLIT_DSTS(which & 1u, which >> 1)))
            return false;
    }
    return true;
}

bool one_group_prove(struct proof *proof)
{
    return one_group_for_dsts(proof, prove_settings);
}
