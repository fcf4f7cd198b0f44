#include "proofs/fast/many_groups.h"

#include "proofs/fast/kernel.h"
#include "proofs/fast/members.h"
#include "proofs/fast/one_group.h"
#include "proofs/fast/spec_memory.h"
#include "proofs/fast/transcription.h"
#include "proofs/harness.h"

#include <stddef.h>
#include <string.h>

/* One run: the lanes pass different membermasks and make n groups. */
struct many_groups {
    struct proof *proof;
    unsigned n, calls;
    const struct scalar *groups[WARP_LANES];
    struct strip_row rows[WARP_LANES];
    const struct scalar *members[WARP_LANES]; /* the membermasks of the case, where each lane's result is by them */
    term right;                               /* the arguments of kernels are right */
};

/* done, undefined, waiting, waits_for are those of the groups; lanes in no group get nothing. */
static term many_groups_outcome(struct proof *proof, const struct many_groups *many);
/* Every lane of every group gets what its group's row, vote or source says. */
static bool many_groups_results(struct proof *proof, struct many_groups *many);

static void also(struct machine *machine, struct many_groups *many, term claim)
{
    if (!is_true(machine->m.s, claim))
        many->right = term_and(machine->m.s, many->right, claim);
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

/* The row that a kernel leaves for group g, and the check that it is told this group. */
static void take_row(struct machine *machine, struct many_groups *many, unsigned g, const struct scalar *group,
                     const struct strip_row *row)
{
    term bits[WARP_LANES];
    strip_group(machine->m.s, g, bits);
    also(machine, many, same_words(&machine->m, group, make_bits(&machine->m, WARP_LANES, bits)));
    many->rows[g] = *row;
}

/* Each lane has a result of its own: one strip, whose group are the done lanes, all of them in "group" 0. */
static void answer_by_lane(struct machine *machine, struct many_groups *many, const struct scalar *strip)
{
    const struct case_split *split = &many->proof->split;
    struct strip_row rows[WARP_LANES];
    const bool told = warp_form_is_shfl(many->proof->info);
    if (many->calls++ != 0 || strip_answer(machine, split, split->object, strip, 0, told, many->groups, rows) != 1)
        fail(&machine->m, "the kernel is called more than once");
    take_row(machine, many, 0, many->groups[0], &rows[0]);
    for (unsigned k = 0; !told && k < WARP_LANES; k++)
        many->members[k] =
            spec_memory_get(machine, split->object, offsetof(struct warp_case, membermask) + 4 * (size_t)k, 32);
}

/* First the strip with the warp as if nobody were done, then one with the warp once a group. */
static void answer_kernel(struct machine *machine, struct many_groups *many, LLVMValueRef function,
                          const struct scalar *strip)
{
    struct maker *m = &machine->m;
    struct strip_row rows[WARP_LANES];
    unsigned n;
    if (function != many->proof->kernel)
        fail(m, "lanes with different membermasks are given to another kernel");
    if (strip_by_lane(many->proof->info)) {
        answer_by_lane(machine, many, strip);
        return;
    }
    n = strip_answer(machine, &many->proof->split, many->proof->split.object, strip, many->calls, false, many->groups,
                     rows);
    many->calls++;
    if (many->calls == 1) {
        also(machine, many, same_words(m, many->groups[0], make_known(m, 32, 0)));
        if (n != 1)
            fail(m, "the kernel is called with several warps at first");
        return;
    }
    if (many->calls != 2 || n != many->n)
        fail(m, "the kernel is called with another number of groups than there are");
    for (unsigned g = 0; g < n; g++)
        take_row(machine, many, g, many->groups[g], &rows[g]);
}

static bool answer(struct machine *machine, void *context, const char *name, const struct value *const *a, unsigned n,
                   const struct value **result)
{
    struct many_groups *many = context;
    LLVMValueRef function = LLVMGetNamedFunction(machine->module, name);
    *result = NULL;
    const char *contracts = strip_by_lane(many->proof->info) ? "lanes" : "groups";
    if (harness_answer(machine, &(struct harness){many->proof, contracts, many->n}, name, a, n, result))
        return true;
    if (function == NULL)
        return false;
    if (!strip_is_kernel(machine, function, a, n))
        return false;
    answer_kernel(machine, many, function, a[0]->e[0]);
    return true;
}

static void run_mixed(struct machine *machine, void *context)
{
    struct many_groups *many = context;
    struct smt *s = machine->m.s;
    term nobody[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        nobody[k] = b_not(s, spec_memory_bool(s, "stray", 0, k));
    machine_assume_here(machine, b_not(s, b_all(s, nobody, WARP_LANES)));
    split_run_hooked(machine, &many->proof->split, "eval", many->proof->state, answer, many, &many->proof->fast_result);
}

static bool is_called_for_all(const struct many_groups *many)
{
    const unsigned calls = many->n == 0 || strip_by_lane(many->proof->info) ? 1 : 2;
    const char *what = "the kernel is not called for each of several groups";
    struct proof *proof = many->proof;
    if (many->calls == calls)
        return true;
    return decide(&proof->d, &proof->split, term_bool(proof->d.s, false), what, WARP_LANES) && proof_open(proof, what);
}

/* n groups. */
static bool prove_number(struct proof *proof, uint32_t dst, unsigned n)
{
    const size_t mark = smt_mark(proof->d.s);
    struct many_groups many = {.proof = proof, .n = n, .right = term_bool(proof->d.s, true)};
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, dst, SPLIT_ANY, 0);
    ok = proof_run(proof, proof->fast, run_mixed, &many) && proof_obligations(proof, proof->fast);
    proof->split.members = NULL;
    ok = ok && is_called_for_all(&many);
    ok = ok && decide(&proof->d, &proof->split, many_groups_outcome(proof, &many),
                      "outcomes with different membermasks", WARP_LANES);
    ok = ok && many_groups_results(proof, &many);
    smt_release(proof->d.s, mark);
    return ok || proof_tell(proof, "number of groups:", n);
}

static bool prove_numbers(struct proof *proof, uint32_t dst)
{
    bool ok = true;
    if (strip_by_lane(proof->info)) /* the number does not matter */
        return prove_number(proof, dst, 1);
    for (unsigned n = 0; ok && n <= WARP_LANES; n++)
        ok = prove_number(proof, dst, n);
    return ok;
}

/* The kernel as it is called for several groups. */
static bool prove_several(struct proof *proof)
{
    return strip_by_lane(proof->info) ? members_prove(proof) : kernel_prove_strips(proof);
}

/* unify, fast_settle_groups and fast_settle_lanes, and what they call (groups_harness.c). */
static bool prove_groups(struct proof *proof)
{
    bool ok = harness_prove(proof, "harness_loop", "loop", 0) && harness_prove(proof, "harness_lanes", "once", 0);
    for (unsigned lane = 0; ok && lane < WARP_LANES; lane++)
        ok = harness_prove(proof, "harness_kernels", "loop", lane) &&
             harness_prove(proof, "harness_take_group", NULL, lane) &&
             harness_prove(proof, "harness_neighbour", NULL, lane) &&
             harness_prove(proof, "harness_whole", NULL, lane) && harness_prove(proof, "harness_turn", NULL, lane);
    return ok;
}

bool many_groups_prove(struct proof *proof)
{
    return prove_groups(proof) && prove_several(proof) && one_group_for_dsts(proof, prove_numbers);
}

/* The claims about a run with different membermasks. */

/* Builds plain conjunctions: these claims are long, so that only the solver should examine them. */
static void claim_also(struct smt *s, term *claim, term when, term then)
{
    if (!is_true(s, then))
        *claim = term_and(s, *claim, term_or(s, term_not(s, when), then));
}

static term same_bool(struct smt *s, term x, term y)
{
    return b_not(s, b_xor(s, x, y));
}

/* Lane k is in group g (WARP_LANES: in none) and in no other. */
static term only_in(struct smt *s, unsigned n, unsigned g, unsigned k)
{
    term only = term_bool(s, true);
    for (unsigned i = 0; i < n; i++)
        only = term_and(s, only, i == g ? strip_group_lane(s, i, k) : term_not(s, strip_group_lane(s, i, k)));
    return only;
}

/* No lane outside all groups gets anything. */
static term claim_nothing(struct proof *proof, const struct many_groups *many, unsigned k)
{
    struct smt *s = proof->d.s;
    return term_or(s, term_not(s, only_in(s, many->n, WARP_LANES, k)),
                   b_not(s, b_or(s, proof->fast_result.p[k], proof->fast_result.d_defined[k])));
}

static term many_groups_outcome(struct proof *proof, const struct many_groups *many)
{
    struct smt *s = proof->d.s;
    const struct split_result *r = &proof->fast_result;
    term claim = term_and(s, r->reserved, many->right), yes = term_bool(s, true);
    if (r->poison != NULL)
        claim = term_and(s, claim, term_not(s, r->poison));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term waiting = spec_memory_bool(s, "waiting", 0, k);
        claim_also(s, &claim, yes, same_bool(s, r->done[k], term_not(s, only_in(s, many->n, WARP_LANES, k))));
        claim_also(s, &claim, yes, same_bool(s, r->undefined[k], spec_memory_bool(s, "undefined", 0, k)));
        claim_also(s, &claim, yes, same_bool(s, r->waiting[k], waiting));
        claim_also(s, &claim, waiting,
                   v_eq(s, as_term(&proof->fast->m, r->waits_for[k]),
                        as_term(&proof->fast->m, spec_memory_word(&proof->fast->m, "missing", k))));
        claim_also(s, &claim, yes, claim_nothing(proof, many, k));
    }
    return claim;
}

/* The result that lane k of group g must have. */
struct expected {
    term p, defined, d;
    term when; /* NULL: always */
};

/* `members`: not NULL where a lane gets only what is among them. */
static struct expected of_row(struct proof *proof, const struct strip_row *row, const struct scalar *members,
                              unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    term bits[WARP_LANES];
    const struct scalar *d = row->d[k] == NULL ? row->word : row->d[k];
    struct expected e = {term_bool(s, false), proof->split.writes_d, NULL, NULL};
    if (members != NULL)
        d = arith_binary(m, LLVMAnd, (struct flags){0}, d, members);
    e.d = as_term(m, d);
    if (row->word != NULL && strip_word_is_lanes(proof->info)) {
        as_bits(m, row->word, bits);
        e.p = b_and(s, proof->split.writes_p, bits[k]);
    }
    if (row->d_defined != NULL) {
        as_bits(m, row->d_defined, bits);
        e.defined = b_and(s, e.defined, bits[k]);
    }
    return e;
}

/* vote: what the transcription gives the lane in its own group. */
static struct expected of_own_group(struct proof *proof, const struct many_groups *many, unsigned k)
{
    struct smt *s = proof->d.s;
    const struct split_result *r = &proof->spec_result;
    term group[WARP_LANES], members[WARP_LANES];
    as_bits(&proof->fast->m, many->members[k], members);
    for (unsigned i = 0; i < WARP_LANES; i++)
        group[i] = b_and(s, strip_group_lane(s, 0, i), members[i]);
    return (struct expected){members_with_group(proof, r->p[k], group),
                             members_with_group(proof, r->d_defined[k], group),
                             members_with_group(proof, as_term(&proof->spec->m, r->d[k]), group), members[k]};
}

/* x where lane k is in group g alone. */
static term where_in(struct smt *s, unsigned n, unsigned g, unsigned k, term x)
{
    term from[WARP_LANES], to[WARP_LANES];
    for (unsigned i = 0; i < n; i++) {
        from[i] = strip_group_lane(s, i, k);
        to[i] = term_bool(s, i == g);
    }
    x = smt_keep(s, Z3_substitute(s->z3, x, n, from, to));
    return smt_keep(s, Z3_simplify(s->z3, x));
}

static bool decide_lane(struct proof *proof, const struct many_groups *many, unsigned g, unsigned k)
{
    struct smt *s = proof->d.s;
    const struct split_result *r = &proof->fast_result;
    const struct expected e = proof->info->type == WARP_PRED ? of_own_group(proof, many, k)
                                                             : of_row(proof, &many->rows[g], many->members[k], k);
    const term when = e.when == NULL ? term_bool(s, true) : e.when, defined = b_and(s, when, e.defined);
    const struct {
        term is, shall_be, when;
    } pairs[] = {
        {r->p[k], e.p, when},
        {r->d_defined[k], e.defined, when},
        {as_term(&proof->fast->m, r->d[k]), e.d, defined},
        {r->d[k]->poison == NULL ? term_bool(s, false) : r->d[k]->poison, term_bool(s, false), defined},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const term is = where_in(s, many->n, g, k, pairs[i].is);
        const term shall_be = where_in(s, many->n, g, k, pairs[i].shall_be);
        const term given = where_in(s, many->n, g, k, pairs[i].when);
        if (is_false(s, given))
            continue;
        if (is == shall_be)
            proof->d.outcome->immediate++;
        else if (!decide(&proof->d, &proof->split, term_implies(s, given, term_eq(s, is, shall_be)),
                         "a result with different membermasks", k))
            return false;
    }
    return true;
}

static bool decide_rows(struct proof *proof, const struct many_groups *many)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < many->n * WARP_LANES; i++) {
        const size_t mark = smt_mark(proof->d.s);
        ok = decide_lane(proof, many, i / WARP_LANES, i % WARP_LANES);
        smt_release(proof->d.s, mark);
    }
    return ok;
}

static bool many_groups_results(struct proof *proof, struct many_groups *many)
{
    if (proof->info->type == WARP_PRED) {
        strip_group(proof->d.s, 0, proof->split.group);
        if (!transcription_group(proof, 0, &proof->spec_result))
            return false;
        proof->split.members = NULL;
    }
    return decide_rows(proof, many);
}
