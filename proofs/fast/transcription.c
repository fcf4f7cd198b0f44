#include "proofs/fast/transcription.h"

#include "proofs/fast/redux_float.h"
#include "proofs/fast/spec_memory.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

bool transcription_is_match_all(const struct warp_form_info *info)
{
    return info->family == WARP_MATCH_SYNC && info->op == WARP_ALL;
}

/* Its function that computes a whole group; NULL: none. */
static const char *group_function(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return "vote_group";
    case WARP_REDUX_SYNC:
        return "redux_group";
    case WARP_ELECT:
        return "elect_group";
    case WARP_MATCH_SYNC:
        return transcription_is_match_all(info) ? "match_all_group" : NULL;
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_FAMILIES:
        break;
    }
    return NULL;
}

bool transcription_by_group(const struct warp_form_info *info)
{
    return group_function(info) != NULL;
}

/* Functions of the transcription that are `static` may be numbered when modules are linked. */
static LLVMValueRef function_named(struct machine *machine, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(machine->module, name);
    if (f == NULL)
        fail(&machine->m, "the transcription's bitcode has no function '%s'", name);
    return f;
}

/* One run of a function of the transcription on struct spec_warp and struct warp_result. */
struct spec_memory {
    struct proof *proof;
    unsigned w, r;
    const struct scalar *group[WARP_LANES], *done;
    term p[WARP_LANES], defined[WARP_LANES]; /* before */
    const struct scalar *d[WARP_LANES], *rest[sizeof(struct warp_result) / 4];
};

static const struct scalar *bool_byte(struct maker *m, term b)
{
    return scalar_concat(m, make_known(m, 7, 0), make_bool(m, b));
}

static void put_warp(struct machine *machine, struct spec_memory *memory)
{
    struct maker *m = &machine->m;
    struct case_split *split = &memory->proof->split;
    const unsigned c = split_case(machine, split);
    const struct scalar *info = spec_memory_info(machine, split);
    memory->w = machine_object(machine, "struct spec_warp", sizeof(struct spec_warp), _Alignof(struct spec_warp));
    /* The groups hold what spec_wait made of the membermasks: whatever these are, the instruction must not read
     * them. */
    machine->objects[c].constant = false;
    for (unsigned k = 0; k < WARP_LANES && warp_form_is_sync(split->info); k++)
        spec_memory_put(machine, c, offsetof(struct warp_case, membermask) + 4 * k, spec_memory_word(m, "mm", k));
    machine->objects[c].constant = true;
    spec_memory_put(machine, memory->w, offsetof(struct spec_warp, c), machine_address(machine, c, 0));
    spec_memory_put(machine, memory->w, offsetof(struct spec_warp, info), info);
    spec_memory_put(machine, memory->w, offsetof(struct spec_warp, writes_d), bool_byte(m, split->writes_d));
    spec_memory_put(machine, memory->w, offsetof(struct spec_warp, writes_p), bool_byte(m, split->writes_p));
    spec_memory_put(machine, memory->w, offsetof(struct spec_warp, done), memory->done);
    for (unsigned k = 0; k < WARP_LANES; k++)
        spec_memory_put(machine, memory->w, offsetof(struct spec_warp, group) + 4 * k, memory->group[k]);
    machine->objects[memory->w].constant = true;
}

static void put_result(struct machine *machine, struct spec_memory *memory)
{
    struct maker *m = &machine->m;
    memory->r = machine_object(machine, "struct warp_result", sizeof(struct warp_result), _Alignof(struct warp_result));
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++) {
        memory->rest[i] = spec_memory_word(m, "before", i);
        spec_memory_put(machine, memory->r, 4 * i, memory->rest[i]);
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        spec_memory_put(machine, memory->r, offsetof(struct warp_result, d) + 4 * k, memory->d[k]);
    spec_memory_put(machine, memory->r, offsetof(struct warp_result, p), make_bits(m, 32, memory->p));
    spec_memory_put(machine, memory->r, offsetof(struct warp_result, d_defined), make_bits(m, 32, memory->defined));
}

/* Words of the result that the instruction must not touch. */
static void need_rest(struct machine *machine, const struct spec_memory *memory)
{
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++) {
        const size_t at = 4 * (size_t)i;
        if (at < sizeof(uint32_t[WARP_LANES]) || at == offsetof(struct warp_result, p) ||
            at == offsetof(struct warp_result, d_defined))
            continue;
        if (!scalar_same(spec_memory_get(machine, memory->r, at, 32), memory->rest[i]))
            fail(&machine->m, "the transcription's instruction writes words of the result that are not its own");
    }
}

static void take_result(struct machine *machine, const struct spec_memory *memory, struct split_result *r)
{
    struct maker *m = &machine->m;
    *r = (struct split_result){0};
    for (unsigned k = 0; k < WARP_LANES; k++)
        r->d[k] = spec_memory_get(machine, memory->r, offsetof(struct warp_result, d) + 4 * k, 32);
    as_bits(m, spec_memory_get(machine, memory->r, offsetof(struct warp_result, p), 32), r->p);
    as_bits(m, spec_memory_get(machine, memory->r, offsetof(struct warp_result, d_defined), 32), r->d_defined);
    r->poison = poison_or(m, spec_memory_get(machine, memory->r, offsetof(struct warp_result, p), 32)->poison,
                          spec_memory_get(machine, memory->r, offsetof(struct warp_result, d_defined), 32)->poison);
}

/* --- one group ----------------------------------------------------------------------------------------------- */

struct group_run {
    struct spec_memory memory;
    unsigned leader;
    struct split_result *result;
};

/* The group's lanes hold zeros before, the others anything. */
static void one_group(struct machine *machine, void *context)
{
    struct group_run *run = context;
    struct spec_memory *memory = &run->memory;
    struct case_split *split = &memory->proof->split;
    struct maker *m = &machine->m;
    const bool by_group = transcription_by_group(split->info), vote = split->info->type == WARP_PRED;
    const struct scalar *group = make_bits(m, 32, split->group), *zero = make_known(m, 32, 0);
    const struct value *a[3];
    memory->done = by_group ? spec_memory_word(m, "done", 0) : group;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const bool anything = by_group && (vote || k != run->leader);
        term outside = by_group ? b_not(m->s, split->group[k]) : term_bool(m->s, false);
        memory->group[k] = anything ? spec_memory_word(m, "group", k) : group;
        memory->p[k] = b_and(m->s, outside, spec_memory_bool(m->s, "p", k, 0));
        memory->defined[k] = b_and(m->s, outside, spec_memory_bool(m->s, "defined", k, 0));
        memory->d[k] = scalar_select(m, outside, spec_memory_word(m, "d", k), zero);
    }
    put_warp(machine, memory);
    put_result(machine, memory);
    a[0] = make_value(m, machine_address(machine, memory->w, 0));
    a[1] = make_value(m, machine_address(machine, memory->r, 0));
    a[2] = make_value(m, vote ? group : make_known(m, 32, run->leader));
    machine->hook = key_applies(split->info) ? key_answer : NULL;
    machine->hook_context = &(struct key_answer){memory->proof, memory->w, group};
    machine_call_function(
        machine, function_named(machine, by_group ? group_function(split->info) : spec_memory_instruction(split->info)),
        a, by_group ? 3 : 2);
    need_rest(machine, memory);
    take_result(machine, memory, run->result);
}

bool transcription_group(struct proof *proof, unsigned leader, struct split_result *result)
{
    struct group_run run = {.memory.proof = proof, .leader = leader, .result = result};
    struct smt *s = proof->d.s;
    if (!proof_run(proof, proof->spec, one_group, &run) || !proof_obligations(proof, proof->spec))
        return false;
    if (result->poison != NULL && !decide_defined(&proof->d, &proof->split, b_not(s, result->poison),
                                                  "the transcription's words are uninitialized", 32))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = proof->split.group[k], same;
        if (is_true(s, in))
            continue;
        same = b_and(s, b_not(s, b_xor(s, result->p[k], run.memory.p[k])),
                     b_not(s, b_xor(s, result->d_defined[k], run.memory.defined[k])));
        if (result->d[k]->poison != NULL &&
            !decide_defined(&proof->d, &proof->split, b_or(s, in, b_not(s, result->d[k]->poison)),
                            "the transcription's d is uninitialized", k))
            return false;
        same = b_and(s, same,
                     v_eq(s, v_given(s, as_term(&proof->spec->m, result->d[k]), b_not(s, in)),
                          v_given(s, as_term(&proof->spec->m, run.memory.d[k]), b_not(s, in))));
        if (!decide(&proof->d, &proof->split, b_or(s, in, same), "the transcription writes outside the group", k))
            return false;
    }
    return true;
}

/* --- the cuts ------------------------------------------------------------------------------------------------ */

struct dispatch {
    struct spec_memory memory;
    term called[WARP_LANES]; /* when the group of that leader is computed */
};

static bool note_group(struct machine *machine, void *context, const char *name, const struct value *const *a,
                       unsigned n, const struct value **result)
{
    struct dispatch *dispatch = context;
    const struct warp_form_info *info = dispatch->memory.proof->info;
    struct maker *m = &machine->m;
    unsigned leader = WARP_LANES;
    if (strcmp(name, group_function(info)) != 0)
        return false;
    if (n != 3 || a[0]->e[0]->object != dispatch->memory.w || a[1]->e[0]->object != dispatch->memory.r)
        fail(m, "'%s' has other parameters than the proof expects", name);
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (info->type == WARP_PRED ? scalar_same(a[2]->e[0], dispatch->memory.group[k])
                                    : a[2]->e[0]->kind == KNOWN && a[2]->e[0]->number == k)
            leader = k;
    if (leader == WARP_LANES || dispatch->called[leader] != NULL)
        fail(m, "'%s' is called in another way than the proof expects", name);
    dispatch->called[leader] = b_all(m->s, machine->path, machine->path_count);
    *result = NULL;
    return true;
}

static void all_groups(struct machine *machine, void *context)
{
    struct dispatch *dispatch = context;
    struct spec_memory *memory = &dispatch->memory;
    struct maker *m = &machine->m;
    term bits[WARP_LANES];
    const struct value *a[2];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            bits[i] = spec_memory_bool(m->s, "group", k, i);
        memory->group[k] = make_bits(m, 32, bits);
        memory->p[k] = memory->defined[k] = term_bool(m->s, false);
        memory->d[k] = make_known(m, 32, 0);
        dispatch->called[k] = NULL;
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        bits[i] = spec_memory_bool(m->s, "done", 0, i);
    memory->done = make_bits(m, 32, bits);
    put_warp(machine, memory);
    put_result(machine, memory);
    if (transcription_by_group(memory->proof->info))
        machine->objects[memory->r].constant = true;
    a[0] = make_value(m, machine_address(machine, memory->w, 0));
    a[1] = make_value(m, machine_address(machine, memory->r, 0));
    machine->hook = transcription_by_group(memory->proof->info) ? note_group : NULL;
    machine->hook_context = dispatch;
    machine->by_bits = true; /* group by group, as the leaders' bits say */
    machine_call(machine, spec_memory_instruction(memory->proof->info), a, 2);
    need_rest(machine, memory);
}

/* Claims that the lowest done lane of a group, and no other, computes its result. */
static bool prove_leaders(struct proof *proof)
{
    struct dispatch dispatch = {.memory.proof = proof};
    struct smt *s = proof->d.s;
    if (!proof_run(proof, proof->spec, all_groups, &dispatch) || !proof_obligations(proof, proof->spec))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term leads = spec_memory_bool(s, "done", 0, k);
        for (unsigned i = 0; i < k; i++)
            leads = b_and(s, leads, b_not(s, spec_memory_bool(s, "group", k, i)));
        if (dispatch.called[k] == NULL ||
            !decide(&proof->d, &proof->split, b_not(s, b_xor(s, dispatch.called[k], leads)),
                    "which lane of the transcription computes its group", k))
            return dispatch.called[k] != NULL ||
                   proof_open(proof, "a lane of the transcription never computes its group");
    }
    return true;
}

/* Does x, in which lane k is done and its group is the case split's, speak of nothing else that is not the same lane's?
 */
static term local(struct proof *proof, unsigned k, bool done, term x, bool *is_local)
{
    struct smt *s = proof->d.s;
    term from[WARP_LANES * WARP_LANES + WARP_LANES], to[WARP_LANES * WARP_LANES + WARP_LANES], y;
    unsigned n = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        from[n] = spec_memory_bool(s, "group", k, i);
        to[n++] = proof->split.group[i];
    }
    from[n] = spec_memory_bool(s, "done", 0, k);
    to[n++] = term_bool(s, done);
    x = smt_keep(s, Z3_substitute(s->z3, x, n, from, to));
    n = 0;
    for (unsigned j = 0; j < WARP_LANES; j++) {
        from[n] = spec_memory_bool(s, "done", 0, j);
        to[n++] = spec_memory_bool(s, "other", 0, j);
        for (unsigned i = 0; i < WARP_LANES; i++) {
            from[n] = spec_memory_bool(s, "group", j, i);
            to[n++] = spec_memory_bool(s, "other", j + 1, i);
        }
    }
    y = smt_keep(s, Z3_substitute(s->z3, x, n, from, to));
    *is_local &= x == y;
    return x;
}

/* Claims, lane by lane, that a lane's result does not depend on the other groups. */
static bool prove_lanes(struct proof *proof)
{
    struct dispatch dispatch = {.memory.proof = proof};
    struct split_result all, one;
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    term p[WARP_LANES], defined[WARP_LANES], d[WARP_LANES], poison[WARP_LANES];
    bool is_local = true;
    if (!proof_run(proof, proof->spec, all_groups, &dispatch) || !proof_obligations(proof, proof->spec))
        return false;
    take_result(proof->spec, &dispatch.memory, &all);
    if (all.poison != NULL && !decide_defined(&proof->d, &proof->split, b_not(s, all.poison),
                                              "the transcription's words are uninitialized", WARP_LANES))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term none =
            b_or(s, local(proof, k, false, all.p[k], &is_local), local(proof, k, false, all.d_defined[k], &is_local));
        p[k] = local(proof, k, true, all.p[k], &is_local);
        defined[k] = local(proof, k, true, all.d_defined[k], &is_local);
        d[k] = local(proof, k, true, as_term(m, all.d[k]), &is_local);
        poison[k] = all.d[k]->poison == NULL ? term_bool(s, false) : local(proof, k, true, all.d[k]->poison, &is_local);
        if (!decide(&proof->d, &proof->split, b_not(s, none), "the transcription answers a lane that is not done", k))
            return false;
    }
    if (!is_local)
        return proof_open(proof, "what the transcription gives a lane depends on other groups");
    if (!transcription_group(proof, 0, &one))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = proof->split.group[k], same;
        same = b_and(s, b_not(s, b_xor(s, p[k], one.p[k])), b_not(s, b_xor(s, defined[k], one.d_defined[k])));
        same = b_and(
            s, same,
            b_or(s, b_not(s, one.d_defined[k]), b_and(s, b_not(s, poison[k]), v_eq(s, d[k], as_term(m, one.d[k])))));
        if (!decide(&proof->d, &proof->split, b_or(s, b_not(s, in), same),
                    "what the transcription gives a lane in its group", k))
            return false;
    }
    return true;
}

bool transcription_prove(struct proof *proof)
{
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    return transcription_by_group(proof->info) ? prove_leaders(proof) : prove_lanes(proof);
}
