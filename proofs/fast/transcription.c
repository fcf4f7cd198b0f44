#include "proofs/fast/transcription.h"

#include "proofs/fast/key.h"
#include "proofs/fast/scene.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

bool transcription_is_match_all(const struct warp_form_info *info)
{
    return info->family == WARP_MATCH_SYNC && info->op == WARP_ALL;
}

bool transcription_by_group(const struct warp_form_info *info)
{
    return info->type == WARP_PRED || info->family == WARP_REDUX_SYNC || transcription_is_match_all(info);
}

static const char *group_function(const struct warp_form_info *info)
{
    return info->type == WARP_PRED ? "vote_group" : info->family == WARP_REDUX_SYNC ? "redux_group" : "match_all_group";
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
struct scene {
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

static void put_warp(struct machine *machine, struct scene *scene)
{
    struct maker *m = &machine->m;
    struct setting *setting = &scene->proof->setting;
    const unsigned c = setting_case(machine, setting);
    const struct scalar *info = scene_info(machine, setting);
    scene->w = machine_object(machine, "struct spec_warp", sizeof(struct scene_warp), _Alignof(struct scene_warp));
    /* What spec_wait made of them is in the groups: whatever the membermasks are, the instruction must not look. */
    machine->objects[c].constant = false;
    for (unsigned k = 0; k < WARP_LANES && warp_form_is_sync(setting->info); k++)
        scene_put(machine, c, offsetof(struct warp_case, membermask) + 4 * k, scene_word(m, "mm", k));
    machine->objects[c].constant = true;
    scene_put(machine, scene->w, offsetof(struct scene_warp, c), machine_address(machine, c, 0));
    scene_put(machine, scene->w, offsetof(struct scene_warp, info), info);
    scene_put(machine, scene->w, offsetof(struct scene_warp, writes_d), bool_byte(m, setting->writes_d));
    scene_put(machine, scene->w, offsetof(struct scene_warp, writes_p), bool_byte(m, setting->writes_p));
    scene_put(machine, scene->w, offsetof(struct scene_warp, done), scene->done);
    for (unsigned k = 0; k < WARP_LANES; k++)
        scene_put(machine, scene->w, offsetof(struct scene_warp, group) + 4 * k, scene->group[k]);
    machine->objects[scene->w].constant = true;
}

static void put_result(struct machine *machine, struct scene *scene)
{
    struct maker *m = &machine->m;
    scene->r = machine_object(machine, "struct warp_result", sizeof(struct warp_result), _Alignof(struct warp_result));
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++) {
        scene->rest[i] = scene_word(m, "before", i);
        scene_put(machine, scene->r, 4 * i, scene->rest[i]);
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        scene_put(machine, scene->r, offsetof(struct warp_result, d) + 4 * k, scene->d[k]);
    scene_put(machine, scene->r, offsetof(struct warp_result, p), make_bits(m, 32, scene->p));
    scene_put(machine, scene->r, offsetof(struct warp_result, d_defined), make_bits(m, 32, scene->defined));
}

/* Words of the result that the instruction has no business with. */
static void need_rest(struct machine *machine, const struct scene *scene)
{
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++) {
        const size_t at = 4 * (size_t)i;
        if (at < sizeof(uint32_t[WARP_LANES]) || at == offsetof(struct warp_result, p) ||
            at == offsetof(struct warp_result, d_defined))
            continue;
        if (!scalar_same(scene_get(machine, scene->r, at, 32), scene->rest[i]))
            fail(&machine->m, "the transcription's instruction writes words of the result that are not its own");
    }
}

static void take_result(struct machine *machine, const struct scene *scene, struct setting_result *r)
{
    struct maker *m = &machine->m;
    *r = (struct setting_result){0};
    for (unsigned k = 0; k < WARP_LANES; k++)
        r->d[k] = scene_get(machine, scene->r, offsetof(struct warp_result, d) + 4 * k, 32);
    as_bits(m, scene_get(machine, scene->r, offsetof(struct warp_result, p), 32), r->p);
    as_bits(m, scene_get(machine, scene->r, offsetof(struct warp_result, d_defined), 32), r->d_defined);
    r->poison = poison_or(m, scene_get(machine, scene->r, offsetof(struct warp_result, p), 32)->poison,
                          scene_get(machine, scene->r, offsetof(struct warp_result, d_defined), 32)->poison);
}

/* --- one group ----------------------------------------------------------------------------------------------- */

struct group_run {
    struct scene scene;
    unsigned leader;
    struct setting_result *result;
};

/* The group's lanes hold zeros before, the others anything. */
static void one_group(struct machine *machine, void *context)
{
    struct group_run *run = context;
    struct scene *scene = &run->scene;
    struct setting *setting = &scene->proof->setting;
    struct maker *m = &machine->m;
    const bool by_group = transcription_by_group(setting->info), vote = setting->info->type == WARP_PRED;
    const struct scalar *group = make_bits(m, 32, setting->group), *zero = make_known(m, 32, 0);
    const struct value *a[3];
    scene->done = by_group ? scene_word(m, "done", 0) : group;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const bool anything = by_group && (vote || k != run->leader);
        term outside = by_group ? b_not(m->s, setting->group[k]) : term_bool(m->s, false);
        scene->group[k] = anything ? scene_word(m, "group", k) : group;
        scene->p[k] = b_and(m->s, outside, scene_bool(m->s, "p", k, 0));
        scene->defined[k] = b_and(m->s, outside, scene_bool(m->s, "defined", k, 0));
        scene->d[k] = scalar_select(m, outside, scene_word(m, "d", k), zero);
    }
    put_warp(machine, scene);
    put_result(machine, scene);
    a[0] = make_value(m, machine_address(machine, scene->w, 0));
    a[1] = make_value(m, machine_address(machine, scene->r, 0));
    a[2] = make_value(m, vote ? group : make_known(m, 32, run->leader));
    machine->hook = key_applies(setting->info) ? key_answer : NULL;
    machine->hook_context = &(struct key_answer){scene->proof, scene->w, group};
    machine_call_function(
        machine, function_named(machine, by_group ? group_function(setting->info) : scene_instruction(setting->info)),
        a, by_group ? 3 : 2);
    need_rest(machine, scene);
    take_result(machine, scene, run->result);
}

bool transcription_group(struct proof *proof, unsigned leader, struct setting_result *result)
{
    struct group_run run = {.scene.proof = proof, .leader = leader, .result = result};
    struct smt *s = proof->d.s;
    if (!proof_run(proof, proof->spec, one_group, &run) || !proof_obligations(proof, proof->spec))
        return false;
    if (result->poison != NULL && !decide_defined(&proof->d, &proof->setting, b_not(s, result->poison),
                                                  "the transcription's words are uninitialized", 32))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = proof->setting.group[k], same;
        if (is_true(s, in))
            continue;
        same = b_and(s, b_not(s, b_xor(s, result->p[k], run.scene.p[k])),
                     b_not(s, b_xor(s, result->d_defined[k], run.scene.defined[k])));
        if (result->d[k]->poison != NULL &&
            !decide_defined(&proof->d, &proof->setting, b_or(s, in, b_not(s, result->d[k]->poison)),
                            "the transcription's d is uninitialized", k))
            return false;
        same = b_and(s, same,
                     v_eq(s, v_given(s, as_term(&proof->spec->m, result->d[k]), b_not(s, in)),
                          v_given(s, as_term(&proof->spec->m, run.scene.d[k]), b_not(s, in))));
        if (!decide(&proof->d, &proof->setting, b_or(s, in, same), "the transcription writes outside the group", k))
            return false;
    }
    return true;
}

/* --- the cuts ------------------------------------------------------------------------------------------------ */

struct dispatch {
    struct scene scene;
    term called[WARP_LANES]; /* when the group of that leader is computed */
};

static bool note_group(struct machine *machine, void *context, const char *name, const struct value *const *a,
                       unsigned n, const struct value **result)
{
    struct dispatch *dispatch = context;
    const struct warp_form_info *info = dispatch->scene.proof->info;
    struct maker *m = &machine->m;
    unsigned leader = WARP_LANES;
    if (strcmp(name, group_function(info)) != 0)
        return false;
    if (n != 3 || a[0]->e[0]->object != dispatch->scene.w || a[1]->e[0]->object != dispatch->scene.r)
        fail(m, "'%s' has other parameters than the proof expects", name);
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (info->type == WARP_PRED ? scalar_same(a[2]->e[0], dispatch->scene.group[k])
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
    struct scene *scene = &dispatch->scene;
    struct maker *m = &machine->m;
    term bits[WARP_LANES];
    const struct value *a[2];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            bits[i] = scene_bool(m->s, "group", k, i);
        scene->group[k] = make_bits(m, 32, bits);
        scene->p[k] = scene->defined[k] = term_bool(m->s, false);
        scene->d[k] = make_known(m, 32, 0);
        dispatch->called[k] = NULL;
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        bits[i] = scene_bool(m->s, "done", 0, i);
    scene->done = make_bits(m, 32, bits);
    put_warp(machine, scene);
    put_result(machine, scene);
    if (transcription_by_group(scene->proof->info))
        machine->objects[scene->r].constant = true;
    a[0] = make_value(m, machine_address(machine, scene->w, 0));
    a[1] = make_value(m, machine_address(machine, scene->r, 0));
    machine->hook = transcription_by_group(scene->proof->info) ? note_group : NULL;
    machine->hook_context = dispatch;
    machine_call(machine, scene_instruction(scene->proof->info), a, 2);
    need_rest(machine, scene);
}

/* The lowest done lane of a group, and no other, computes it. */
static bool prove_leaders(struct proof *proof)
{
    struct dispatch dispatch = {.scene.proof = proof};
    struct smt *s = proof->d.s;
    if (!proof_run(proof, proof->spec, all_groups, &dispatch) || !proof_obligations(proof, proof->spec))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term leads = scene_bool(s, "done", 0, k);
        for (unsigned i = 0; i < k; i++)
            leads = b_and(s, leads, b_not(s, scene_bool(s, "group", k, i)));
        if (dispatch.called[k] == NULL ||
            !decide(&proof->d, &proof->setting, b_not(s, b_xor(s, dispatch.called[k], leads)),
                    "which lane of the transcription computes its group", k))
            return dispatch.called[k] != NULL ||
                   proof_open(proof, "a lane of the transcription never computes its group");
    }
    return true;
}

/* Does x, in which lane k is done and its group is the setting's, speak of nothing else that is not the same lane's? */
static term local(struct proof *proof, unsigned k, bool done, term x, bool *is_local)
{
    struct smt *s = proof->d.s;
    term from[WARP_LANES * WARP_LANES + WARP_LANES], to[WARP_LANES * WARP_LANES + WARP_LANES], y;
    unsigned n = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        from[n] = scene_bool(s, "group", k, i);
        to[n++] = proof->setting.group[i];
    }
    from[n] = scene_bool(s, "done", 0, k);
    to[n++] = term_bool(s, done);
    x = smt_keep(s, Z3_substitute(s->z3, x, n, from, to));
    n = 0;
    for (unsigned j = 0; j < WARP_LANES; j++) {
        from[n] = scene_bool(s, "done", 0, j);
        to[n++] = scene_bool(s, "other", 0, j);
        for (unsigned i = 0; i < WARP_LANES; i++) {
            from[n] = scene_bool(s, "group", j, i);
            to[n++] = scene_bool(s, "other", j + 1, i);
        }
    }
    y = smt_keep(s, Z3_substitute(s->z3, x, n, from, to));
    *is_local &= x == y;
    return x;
}

/* What a lane gets, with any other groups, is what it gets with its own: one lane after the other. */
static bool prove_lanes(struct proof *proof)
{
    struct dispatch dispatch = {.scene.proof = proof};
    struct setting_result all, one;
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    term p[WARP_LANES], defined[WARP_LANES], d[WARP_LANES], poison[WARP_LANES];
    bool is_local = true;
    if (!proof_run(proof, proof->spec, all_groups, &dispatch) || !proof_obligations(proof, proof->spec))
        return false;
    take_result(proof->spec, &dispatch.scene, &all);
    if (all.poison != NULL && !decide_defined(&proof->d, &proof->setting, b_not(s, all.poison),
                                              "the transcription's words are uninitialized", WARP_LANES))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term none =
            b_or(s, local(proof, k, false, all.p[k], &is_local), local(proof, k, false, all.d_defined[k], &is_local));
        p[k] = local(proof, k, true, all.p[k], &is_local);
        defined[k] = local(proof, k, true, all.d_defined[k], &is_local);
        d[k] = local(proof, k, true, as_term(m, all.d[k]), &is_local);
        poison[k] = all.d[k]->poison == NULL ? term_bool(s, false) : local(proof, k, true, all.d[k]->poison, &is_local);
        if (!decide(&proof->d, &proof->setting, b_not(s, none), "the transcription answers a lane that is not done", k))
            return false;
    }
    if (!is_local)
        return proof_open(proof, "what the transcription gives a lane depends on other groups");
    if (!transcription_group(proof, 0, &one))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = proof->setting.group[k], same;
        same = b_and(s, b_not(s, b_xor(s, p[k], one.p[k])), b_not(s, b_xor(s, defined[k], one.d_defined[k])));
        same = b_and(
            s, same,
            b_or(s, b_not(s, one.d_defined[k]), b_and(s, b_not(s, poison[k]), v_eq(s, d[k], as_term(m, one.d[k])))));
        if (!decide(&proof->d, &proof->setting, b_or(s, b_not(s, in), same),
                    "what the transcription gives a lane in its group", k))
            return false;
    }
    return true;
}

bool transcription_prove(struct proof *proof)
{
    setting_make(proof->d.s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    return transcription_by_group(proof->info) ? prove_leaders(proof) : prove_lanes(proof);
}
