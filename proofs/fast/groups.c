/* The loop of fast_settle_groups. */
#include "proofs/fast/groups.h"

#include <stddef.h>
#include <stdio.h>

/* --- the structures of model/fast, by the names and the order of their fields --- */

enum { BATCH_TARGET = 1, BATCH_MEMBERMASK = 9, BATCH_WAITS_FOR = 13, BATCH_FIELDS = 19 };
enum { OUTCOMES_ACTIVE = 0, OUTCOMES_EXITED = 1, OUTCOMES_WAITING = 5, OUTCOMES_UNDEFINED = 6, OUTCOMES_FIELDS = 9 };
enum { GROUPS_N = 0, GROUPS_LANES = 1, GROUPS_DONE = 2, GROUPS_FIELDS = 3 };

static LLVMTypeRef type_named(struct machine *machine, const char *name, unsigned fields)
{
    LLVMTypeRef type = LLVMGetTypeByName2(LLVMGetModuleContext(machine->module), name);
    if (type == NULL || LLVMCountStructElementTypes(type) != fields)
        fail(&machine->m, "the bitcode has another %s than the proof expects", name);
    return type;
}

static uint64_t batch_at(struct machine *machine, unsigned field)
{
    return LLVMOffsetOfElement(machine->layout, type_named(machine, "struct.warp_batch", BATCH_FIELDS), field);
}

static uint64_t outcomes_at(struct machine *machine, unsigned field)
{
    return LLVMOffsetOfElement(machine->layout, type_named(machine, "struct.fast_outcomes", OUTCOMES_FIELDS), field);
}

static uint64_t groups_at(struct machine *machine, unsigned field)
{
    return LLVMOffsetOfElement(machine->layout, type_named(machine, "struct.fast_groups", GROUPS_FIELDS), field);
}

static void put(struct machine *machine, unsigned object, uint64_t at, const struct scalar *x)
{
    memory_store(&machine->m, &machine->now, object, machine->sizes[object], at, x);
}

static const struct scalar *get(struct machine *machine, unsigned object, uint64_t at, unsigned width)
{
    return memory_load(&machine->m, &machine->now, object, at, width);
}

static term named_bool(struct smt *s, const char *name, unsigned k)
{
    char full[64];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return term_constant(s, s->bool_sort, full);
}

static term named_word(struct smt *s, const char *name, unsigned k)
{
    char full[48];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return term_constant(s, s->word_sort, full);
}

static const struct scalar *any_bits(struct maker *m, const char *name)
{
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = named_bool(m->s, name, k);
    return make_bits(m, WARP_LANES, bits);
}

/* The function at a place in the table of kernels. */
static LLVMValueRef kernel_at(struct machine *machine, const char *state, unsigned field)
{
    LLVMValueRef table = LLVMGetNamedGlobal(machine->module, state);
    const struct scalar *p;
    if (table == NULL)
        fail(&machine->m, "the bitcode has no variable '%s'", state);
    p = machine_global(machine, table);
    p = get(machine, p->object, 8 * (uint64_t)field, 64);
    if (p->kind != POINTER || machine->objects[p->object].function == NULL)
        fail(&machine->m, "'%s' does not begin with functions", state);
    return machine->objects[p->object].function;
}

enum { KERNELS_EQUAL = 0, KERNELS_UNIFY = 1 };

static unsigned put_membermasks(struct machine *machine)
{
    const unsigned object = machine_object(machine, "the membermasks", 4 * WARP_LANES, 4);
    for (unsigned k = 0; k < WARP_LANES; k++)
        put(machine, object, 4 * k, make_term(&machine->m, named_word(machine->m.s, "mm", k)));
    machine->objects[object].constant = true;
    return object;
}

static term all_same(struct maker *m, const struct scalar *x, const term expected[WARP_LANES])
{
    term bits[WARP_LANES], same;
    as_bits(m, x, bits);
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = b_not(m->s, b_xor(m->s, bits[k], expected[k]));
    same = b_all(m->s, bits, WARP_LANES);
    return x->poison == NULL ? same : b_and(m->s, same, b_not(m->s, x->poison));
}

/* kernels->equal and kernels->unify, with `lane` the lowest active one, do what the contract builds on. */
static bool groups_prove_equal(struct proof *proof);
static bool groups_prove_unify(struct proof *proof, unsigned lane);

/* --- the loop --- */

#define LOOP_CLAIMS 80

struct loop {
    struct proof *proof;
    unsigned first; /* the lowest lane that is left */
    unsigned batch, outcomes, groups, waits_for, members;
    const struct scalar *mask; /* its membermask */
    term active[WARP_LANES], rest[WARP_LANES], same[WARP_LANES];
    term claims[2 * LOOP_CLAIMS]; /* what one iteration shall do */
    unsigned claim_count;
    bool again; /* another iteration was begun */
};

/* Lane k passes the membermask of the first lane that is left: any Bool, but for that lane itself. */
static term passes_mask(struct smt *s, const struct loop *loop, unsigned k)
{
    return k == loop->first ? term_bool(s, true) : named_bool(s, "passes", k);
}

static void claim(struct loop *loop, term claim)
{
    for (unsigned i = 0; i < loop->claim_count; i++)
        if (loop->claims[i] == claim)
            return;
    loop->claims[loop->claim_count++] = claim;
}

/* In place of kernels->equal, which run_equal has proved: v is the membermask of the first lane that is left. */
static bool answer_equal(struct machine *machine, void *context, const char *name, const struct value *const *a,
                         unsigned n, const struct value **result)
{
    struct loop *loop = context;
    struct maker *m = &machine->m;
    term bits[WARP_LANES];
    if (LLVMGetNamedFunction(machine->module, name) != kernel_at(machine, loop->proof->state, KERNELS_EQUAL))
        return false;
    if (n != 2 || a[0]->e[0]->kind != POINTER || a[0]->e[0]->object != loop->members || a[0]->e[0]->number != 0 ||
        !scalar_same(a[1]->e[0], loop->mask))
        fail(m, "kernels->equal is called with other arguments than the proof expects");
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = passes_mask(m->s, loop, k);
    *result = make_value(m, make_bits(m, WARP_LANES, bits));
    return true;
}

static const struct scalar *word_before(struct maker *m, const char *name, unsigned k)
{
    char full[48];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return any_bits(m, full);
}

/* Any state of the loop in which `first` is the lowest lane that is left, and at most this many groups were found. */
static void any_state(struct machine *machine, struct loop *loop)
{
    struct maker *m = &machine->m;
    term when[WARP_LANES + 1];
    uint64_t number[WARP_LANES + 1];
    for (unsigned i = 0; i <= loop->first; i++) {
        when[i] = named_bool(m->s, "n", i);
        number[i] = i;
    }
    put(machine, loop->groups, groups_at(machine, GROUPS_N), make_choice(m, 64, loop->first + 1, when, number));
    for (unsigned g = 0; g < WARP_LANES; g++)
        put(machine, loop->groups, groups_at(machine, GROUPS_LANES) + 4 * g, word_before(m, "lanes.before", g));
    put(machine, loop->groups, groups_at(machine, GROUPS_DONE), any_bits(m, "groups.done"));
    put(machine, loop->outcomes, outcomes_at(machine, OUTCOMES_UNDEFINED), any_bits(m, "undefined.before"));
    put(machine, loop->outcomes, outcomes_at(machine, OUTCOMES_WAITING), any_bits(m, "waiting.before"));
    for (unsigned k = 0; k < WARP_LANES; k++)
        put(machine, loop->waits_for, 4 * k, word_before(m, "waits_for.before", k));
}

static term is_same(struct maker *m, const struct scalar *x, const struct scalar *expected)
{
    term bits[WARP_LANES];
    as_bits(m, expected, bits);
    return all_same(m, x, bits);
}

static term word_is(struct maker *m, const struct scalar *x, term expected)
{
    term same = v_eq(m->s, as_term(m, x), expected);
    return x->poison == NULL ? same : b_and(m->s, same, b_not(m->s, x->poison));
}

/* There were g groups before. */
static term was_number(struct smt *s, const struct loop *loop, unsigned g)
{
    term was = term_bool(s, g <= loop->first);
    if (g < loop->first)
        was = named_bool(s, "n", g);
    for (unsigned j = 0; j < g && g <= loop->first; j++)
        was = b_and(s, was, b_not(s, named_bool(s, "n", j)));
    return was;
}

/* The outcome of a class, and the value of a word in each case. */
struct answer {
    term no_members, nobody_missing, convergence;
};

static const struct scalar *by_answer(struct maker *m, const struct answer *fate, const struct scalar *none,
                                      const struct scalar *group, const struct scalar *undefined,
                                      const struct scalar *waits)
{
    return scalar_select(
        m, fate->no_members, none,
        scalar_select(m, fate->nobody_missing, group, scalar_select(m, fate->convergence, undefined, waits)));
}

static const struct scalar *joined(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    return arith_binary(m, LLVMOr, (struct flags){0}, x, y);
}

static void claim_word(struct machine *machine, struct loop *loop, unsigned object, uint64_t at,
                       const struct scalar *word)
{
    claim(loop, is_same(&machine->m, get(machine, object, at, 32), word));
}

/* The groups that are found, and their number. */
static void claim_groups(struct machine *machine, struct loop *loop, const struct answer *fate,
                         const struct scalar *members)
{
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    const struct scalar *n = get(machine, loop->groups, groups_at(machine, GROUPS_N), 64);
    const struct scalar *done = any_bits(m, "groups.done");
    term all = term_bool(s, true), group = b_and(s, fate->nobody_missing, b_not(s, fate->no_members));
    claim_word(machine, loop, loop->groups, groups_at(machine, GROUPS_DONE),
               by_answer(m, fate, done, joined(m, done, members), done, done));
    for (unsigned g = 0; g < WARP_LANES; g++) {
        const struct scalar *before = word_before(m, "lanes.before", g);
        term was = was_number(s, loop, g);
        claim_word(machine, loop, loop->groups, groups_at(machine, GROUPS_LANES) + 4 * g,
                   by_answer(m, fate, before, scalar_select(m, was, members, before), before, before));
        all = term_and(
            s, all,
            term_or(s, term_not(s, was), word_is(m, n, v_ite(s, group, v_number(s, g + 1, 64), v_number(s, g, 64)))));
    }
    claim(loop, all);
}

/* Claims what one iteration must leave in memory. */
static void iteration(struct machine *machine, struct loop *loop, const struct scalar *rest)
{
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    const struct scalar *undefined = any_bits(m, "undefined.before"), *waiting = any_bits(m, "waiting.before");
    const struct scalar *missing, *members;
    struct answer fate = {.convergence = loop->proof->split.convergence};
    term member[WARP_LANES], absent[WARP_LANES], outside[WARP_LANES], left[WARP_LANES], no[2][WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = named_bool(s, "mask", k), exited = b_and(s, named_bool(s, "exited", k), b_not(s, loop->active[k]));
        member[k] = b_and(s, loop->same[k], in);
        absent[k] = b_and(s, in, b_not(s, b_or(s, exited, loop->same[k])));
        outside[k] = b_and(s, loop->same[k], b_not(s, in));
        left[k] = b_and(s, loop->rest[k], b_not(s, loop->same[k]));
        no[0][k] = b_not(s, member[k]);
        no[1][k] = b_not(s, absent[k]);
    }
    fate.no_members = b_all(s, no[0], WARP_LANES);
    fate.nobody_missing = b_all(s, no[1], WARP_LANES);
    members = make_bits(m, WARP_LANES, member);
    missing = make_bits(m, WARP_LANES, absent);
    undefined = joined(m, undefined, make_bits(m, WARP_LANES, outside));
    claim(loop, all_same(m, rest, left));
    claim_word(machine, loop, loop->outcomes, outcomes_at(machine, OUTCOMES_UNDEFINED),
               by_answer(m, &fate, undefined, undefined, joined(m, undefined, members), undefined));
    claim_word(machine, loop, loop->outcomes, outcomes_at(machine, OUTCOMES_WAITING),
               by_answer(m, &fate, waiting, waiting, waiting, joined(m, waiting, members)));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const struct scalar *before = word_before(m, "waits_for.before", k);
        claim_word(machine, loop, loop->waits_for, 4 * k,
                   by_answer(m, &fate, before, before, before, scalar_select(m, member[k], missing, before)));
    }
    claim_groups(machine, loop, &fate, members);
}

static term unless_path(struct machine *machine, term claim)
{
    struct smt *s = machine->m.s;
    return b_or(s, b_not(s, b_all(s, machine->path, machine->path_count)), claim);
}

static void cut_loop(struct machine *machine, void *context, bool again, const struct value **phis, unsigned n)
{
    struct loop *loop = context;
    struct maker *m = &machine->m;
    if (n != 1 || phis[0]->n != 1 || phis[0]->e[0]->width != 32)
        fail(m, "the loop of %s is another than the proof expects", GROUPS_FUNCTION);
    if (again) { /* lanes are left */
        term bits[WARP_LANES], left = term_bool(m->s, false);
        as_bits(m, phis[0]->e[0], bits);
        for (unsigned k = 0; k < WARP_LANES; k++)
            left = b_or(m->s, left, bits[k]);
        if (loop->again)
            fail(m, "the loop of %s goes on in several ways", GROUPS_FUNCTION);
        loop->again = true;
        claim(loop, unless_path(machine, left));
        iteration(machine, loop, phis[0]->e[0]);
        return;
    }
    /* the first state: all active lanes are left, and there are no groups yet */
    claim(loop, all_same(m, phis[0]->e[0], loop->active));
    claim(loop, word_is(m, get(machine, loop->groups, groups_at(machine, GROUPS_N), 64), v_number(m->s, 0, 64)));
    claim(loop, word_is(m, get(machine, loop->groups, groups_at(machine, GROUPS_DONE), 32), v_number(m->s, 0, 32)));
    any_state(machine, loop);
    phis[0] = make_value(m, make_bits(m, WARP_LANES, loop->rest));
}

static const struct scalar *column(struct maker *m, struct machine *machine, unsigned object)
{
    (void)m;
    return machine_address(machine, object, 0);
}

static unsigned structure(struct machine *machine, const char *name, LLVMTypeRef type)
{
    return machine_object(machine, name, LLVMABISizeOfType(machine->layout, type),
                          LLVMABIAlignmentOfType(machine->layout, type));
}

static void make_loop(struct machine *machine, struct loop *loop)
{
    struct maker *m = &machine->m;
    struct case_split *split = &loop->proof->split;
    term exited[WARP_LANES];
    const unsigned c = split_case(machine, split);
    loop->batch = structure(machine, "the batch", type_named(machine, "struct.warp_batch", BATCH_FIELDS));
    loop->outcomes = structure(machine, "the outcomes", type_named(machine, "struct.fast_outcomes", OUTCOMES_FIELDS));
    loop->groups = machine_object(machine, "the groups", groups_at(machine, GROUPS_DONE) + 4, 8);
    loop->waits_for = machine_object(machine, "waits_for", 4 * WARP_LANES, 4);
    loop->members = put_membermasks(machine);
    loop->mask = any_bits(m, "mask");
    put(machine, loop->members, 4 * loop->first, loop->mask);
    put(machine, loop->batch, batch_at(machine, BATCH_TARGET), get(machine, c, offsetof(struct warp_case, target), 32));
    put(machine, loop->batch, batch_at(machine, BATCH_MEMBERMASK), column(m, machine, loop->members));
    put(machine, loop->batch, batch_at(machine, BATCH_MEMBERMASK) + 8, make_known(m, 64, 176));
    put(machine, loop->batch, batch_at(machine, BATCH_MEMBERMASK) + 16, make_known(m, 8, 0));
    put(machine, loop->batch, batch_at(machine, BATCH_WAITS_FOR), column(m, machine, loop->waits_for));
    put(machine, loop->batch, batch_at(machine, BATCH_WAITS_FOR) + 8, make_known(m, 64, 80));
    machine->objects[loop->batch].constant = true;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term any = k == loop->first ? term_bool(m->s, true) : named_bool(m->s, "active", k);
        loop->active[k] = any;
        loop->rest[k] = k < loop->first ? term_bool(m->s, false)
                                        : b_and(m->s, any, k == loop->first ? any : named_bool(m->s, "left", k));
        exited[k] = b_and(m->s, named_bool(m->s, "exited", k), b_not(m->s, any));
        loop->same[k] = b_and(m->s, any, passes_mask(m->s, loop, k));
    }
    put(machine, loop->outcomes, outcomes_at(machine, OUTCOMES_ACTIVE), make_bits(m, WARP_LANES, loop->active));
    put(machine, loop->outcomes, outcomes_at(machine, OUTCOMES_EXITED), make_bits(m, WARP_LANES, exited));
}

static void run_loop(struct machine *machine, void *context)
{
    struct loop *loop = context;
    struct maker *m = &machine->m;
    const struct value *a[6];
    make_loop(machine, loop);
    a[0] = make_value(m, machine_global(machine, LLVMGetNamedGlobal(machine->module, loop->proof->state)));
    a[1] = make_value(m, machine_address(machine, loop->batch, 0));
    a[2] = make_value(m, make_known(m, 64, 0));
    a[3] = make_value(m, machine_address(machine, loop->outcomes, 0));
    a[4] = make_value(m, make_known(m, 64, 0));
    a[5] = make_value(m, machine_address(machine, loop->groups, 0));
    machine->hook = answer_equal;
    machine->hook_context = loop;
    machine->cut_function = GROUPS_FUNCTION;
    machine->cut = cut_loop;
    machine->cut_context = loop;
    machine->cut_path = machine->path_count;
    machine_call(machine, GROUPS_FUNCTION, a, 6);
    if (!loop->again && loop->first + 1 < WARP_LANES)
        fail(m, "the loop of %s is never gone through again", GROUPS_FUNCTION);
    { /* the way out: it does the same */
        term rest[WARP_LANES];
        for (unsigned k = 0; k < WARP_LANES; k++)
            rest[k] = b_and(m->s, loop->rest[k], b_not(m->s, loop->same[k]));
        iteration(machine, loop, make_bits(m, WARP_LANES, rest));
    }
}

static bool decide_loop(struct proof *proof, const struct loop *loop)
{
    for (unsigned i = 0; i < loop->claim_count; i++)
        if (!decide(&proof->d, &proof->split, loop->claims[i], "an iteration of " GROUPS_FUNCTION, loop->first))
            return false;
    return true;
}

bool groups_prove(struct proof *proof)
{
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    if (!groups_prove_equal(proof))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const size_t mark = smt_mark(proof->d.s);
        struct loop loop = {.proof = proof, .first = lane};
        bool ok = groups_prove_unify(proof, lane);
        split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
        ok = ok && proof_run(proof, proof->fast, run_loop, &loop);
        proof->split.members = NULL;
        ok = ok && decide_loop(proof, &loop) && proof_obligations(proof, proof->fast);
        smt_release(proof->d.s, mark);
        if (!ok)
            return false;
    }
    return true;
}

/* In place of fast_settle_groups. */

term groups_member(struct smt *s, unsigned g, unsigned k)
{
    char full[32];
    snprintf(full, sizeof full, "strip[%u][%u]", g, k); /* as kernel.c names the groups of a strip */
    return term_constant(s, s->bool_sort, full);
}

void groups_bits(struct smt *s, unsigned g, term bits[WARP_LANES])
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = groups_member(s, g, k);
}

term groups_bit(struct smt *s, const char *name, unsigned k)
{
    return named_bool(s, name, k);
}

term groups_missing(struct smt *s, unsigned k)
{
    return named_word(s, "missing", k);
}

static void need(struct machine *machine, bool condition)
{
    if (!condition)
        fail(&machine->m, "%s is called in another way than the proof expects", GROUPS_FUNCTION);
}

static bool is_zero(const struct scalar *x)
{
    return x->kind == KNOWN && x->number == 0 && x->poison == NULL;
}

static void need_zero(struct machine *machine, const struct scalar *p, uint64_t at)
{
    const struct scalar *x = get(machine, p->object, p->number + at, 32);
    need(machine, is_zero(x));
}

static term same_word(struct machine *machine, const struct scalar *p, uint64_t at, unsigned case_object, size_t field)
{
    struct maker *m = &machine->m;
    term bits[WARP_LANES];
    as_bits(m, get(machine, case_object, field, 32), bits);
    return all_same(m, get(machine, p->object, p->number + at, 32), bits);
}

LLVMValueRef groups_unify(struct machine *machine, const char *state)
{
    return kernel_at(machine, state, KERNELS_UNIFY);
}

term groups_answer(struct machine *machine, unsigned n, const struct value *const *a, unsigned count,
                   const struct scalar *waits_for, unsigned case_object)
{
    struct maker *m = &machine->m;
    const struct scalar *batch = a[1]->e[0], *outcomes = a[3]->e[0], *groups = a[5]->e[0], *p;
    term done[WARP_LANES], right;
    need(machine, count == 6 && is_zero(a[2]->e[0]) && is_zero(a[4]->e[0]));
    p = get(machine, batch->object, batch->number + batch_at(machine, BATCH_MEMBERMASK), 64);
    need(machine,
         p->kind == POINTER && p->object == case_object && p->number == offsetof(struct warp_case, membermask));
    p = get(machine, batch->object, batch->number + batch_at(machine, BATCH_WAITS_FOR), 64);
    need(machine, p->kind == POINTER && p->object == waits_for->object && p->number == waits_for->number);
    need(machine, scalar_same(get(machine, batch->object, batch->number + batch_at(machine, BATCH_TARGET), 32),
                              get(machine, case_object, offsetof(struct warp_case, target), 32)));
    right = b_and(m->s,
                  same_word(machine, outcomes, outcomes_at(machine, OUTCOMES_ACTIVE), case_object,
                            offsetof(struct warp_case, active)),
                  same_word(machine, outcomes, outcomes_at(machine, OUTCOMES_EXITED), case_object,
                            offsetof(struct warp_case, exited)));
    need_zero(machine, outcomes, outcomes_at(machine, OUTCOMES_UNDEFINED));
    need_zero(machine, outcomes, outcomes_at(machine, OUTCOMES_WAITING));
    put(machine, outcomes->object, outcomes->number + outcomes_at(machine, OUTCOMES_UNDEFINED),
        any_bits(m, "undefined"));
    put(machine, outcomes->object, outcomes->number + outcomes_at(machine, OUTCOMES_WAITING), any_bits(m, "waiting"));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        done[k] = term_bool(m->s, false);
        p = get(machine, waits_for->object, waits_for->number + 4 * k, 32);
        put(machine, waits_for->object, waits_for->number + 4 * k,
            scalar_select(m, groups_bit(m->s, "waiting", k), make_term(m, groups_missing(m->s, k)), p));
    }
    put(machine, groups->object, groups->number + groups_at(machine, GROUPS_N), make_known(m, 64, n));
    for (unsigned g = 0; g < n; g++) {
        term bits[WARP_LANES];
        groups_bits(m->s, g, bits);
        put(machine, groups->object, groups->number + groups_at(machine, GROUPS_LANES) + 4 * g, make_bits(m, 32, bits));
        for (unsigned k = 0; k < WARP_LANES; k++)
            done[k] = b_or(m->s, done[k], bits[k]);
    }
    put(machine, groups->object, groups->number + groups_at(machine, GROUPS_DONE), make_bits(m, 32, done));
    return right;
}

/* kernels->equal and kernels->unify. */

struct small {
    struct proof *proof;
    unsigned first; /* the lowest active lane */
    const struct scalar *answer, *stray;
    term right; /* the answer is what it shall be */
};

static void run_equal(struct machine *machine, void *context)
{
    struct small *small = context;
    struct maker *m = &machine->m;
    term v = named_word(m->s, "v", 0), expected[WARP_LANES];
    const struct value *a[2];
    a[0] = make_value(m, machine_address(machine, put_membermasks(machine), 0));
    a[1] = make_value(m, make_term(m, v));
    for (unsigned k = 0; k < WARP_LANES; k++)
        expected[k] = v_eq(m->s, named_word(m->s, "mm", k), v);
    machine->hook = NULL;
    small->answer = machine_call_function(machine, kernel_at(machine, small->proof->state, KERNELS_EQUAL), a, 2)->e[0];
    small->right = all_same(m, small->answer, expected);
}

/* Active lanes of which `first` is the lowest. */
static const struct scalar *active_from(struct maker *m, unsigned first, term bits[WARP_LANES])
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = k < first    ? term_bool(m->s, false)
                  : k == first ? term_bool(m->s, true)
                               : named_bool(m->s, "active", k);
    return make_bits(m, WARP_LANES, bits);
}

static void run_unify(struct machine *machine, void *context)
{
    struct small *small = context;
    struct maker *m = &machine->m;
    term active[WARP_LANES], same, first = named_word(m->s, "mm", small->first);
    const unsigned column = machine_object(machine, "a column", 24, 8), in = machine_object(machine, "active", 4, 4);
    const unsigned mask = machine_object(machine, "mask", 4, 4), stray = machine_object(machine, "stray", 4, 4);
    const struct value *a[5];
    put(machine, column, 0, machine_address(machine, put_membermasks(machine), 0));
    put(machine, column, 8, make_known(m, 64, sizeof(struct warp_case) / 4));
    put(machine, column, 16, make_known(m, 8, 0));
    put(machine, in, 0, active_from(m, small->first, active));
    a[0] = make_value(m, machine_address(machine, column, 0));
    a[1] = make_value(m, make_known(m, 64, 1));
    a[2] = make_value(m, machine_address(machine, in, 0));
    a[3] = make_value(m, machine_address(machine, mask, 0));
    a[4] = make_value(m, machine_address(machine, stray, 0));
    machine->hook = NULL;
    machine_call_function(machine, kernel_at(machine, small->proof->state, KERNELS_UNIFY), a, 5);
    for (unsigned k = 0; k < WARP_LANES; k++)
        active[k] = b_and(m->s, active[k], b_not(m->s, v_eq(m->s, named_word(m->s, "mm", k), first)));
    same = all_same(m, get(machine, stray, 0, 32), active);
    small->answer = get(machine, mask, 0, 32);
    small->right = b_and(m->s, same, v_eq(m->s, as_term(m, small->answer), first));
}

static bool prove_small(struct proof *proof, void (*run)(struct machine *, void *), unsigned first, const char *what)
{
    const size_t mark = smt_mark(proof->d.s);
    struct small small = {.proof = proof, .first = first};
    const bool ok = proof_run(proof, proof->fast, run, &small) &&
                    decide(&proof->d, &proof->split, small.right, what, WARP_LANES) &&
                    proof_obligations(proof, proof->fast);
    smt_release(proof->d.s, mark);
    return ok;
}

static bool groups_prove_equal(struct proof *proof)
{
    return prove_small(proof, run_equal, 0, "kernels->equal");
}

static bool groups_prove_unify(struct proof *proof, unsigned lane)
{
    return prove_small(proof, run_unify, lane, "kernels->unify");
}
