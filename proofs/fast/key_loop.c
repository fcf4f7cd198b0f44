/* The transcription's loop over the lanes, one round at a time, and the algebra of keys. */
#include "proofs/fast/key.h"

#include "proofs/fast/scene.h"

#include <stddef.h>
#include <string.h>

#define KEY_FUNCTION "reduce_float"
#define KEY_ENDS     16u

/* One round of the loop: lane `lane`, after the keys of the lanes before it have made "key". */
struct round {
    struct proof *proof;
    unsigned lane;
    term ways[KEY_ENDS], results[KEY_ENDS]; /* how the next round is reached, and with what */
    unsigned count;
    bool begun;
    unsigned lane_phi; /* the other one is the result */
    const struct scalar *returned;
};

const struct scalar *key_result(struct maker *m)
{
    return scene_word(m, "reduced", 0);
}

bool key_answer(struct machine *machine, void *context, const char *name, const struct value *const *a, unsigned n,
                const struct value **result)
{
    const struct key_answer *answer = context;
    if (strcmp(name, KEY_FUNCTION) != 0)
        return false;
    if (n != 2 || a[0]->e[0]->kind != POINTER || a[0]->e[0]->object != answer->warp || a[0]->e[0]->number != 0 ||
        a[0]->e[0]->index != NULL || !scalar_same(a[1]->e[0], answer->group))
        fail(&machine->m, "'%s' is called in another way than the proof expects", name);
    *result = make_value(&machine->m, key_result(&machine->m));
    return true;
}

static const struct scalar *number_of_key(struct maker *m)
{
    return make_term(m, key_number(m->s, term_constant(m->s, m->s->word_sort, "key")));
}

static void need(struct machine *machine, bool condition)
{
    if (!condition)
        fail(&machine->m, "the loop of '" KEY_FUNCTION "' is another than the proof expects");
}

/* The first loop is the only one. */
static bool is_loop(struct machine *machine, void *context, const struct value *const *phis, unsigned n)
{
    (void)machine, (void)context, (void)phis;
    return n == 2;
}

static void cut_round(struct machine *machine, void *context, bool again, const struct value **phis, unsigned n)
{
    struct round *round = context;
    struct maker *m = &machine->m;
    const struct scalar *lane, *result;
    uint64_t number;
    need(machine, n == 2 && phis[0]->n == 1 && phis[1]->n == 1);
    if (!again) { /* the first round begins at lane 0 with nothing */
        round->lane_phi = is_known(phis[0]->e[0], &number) && number == 0 ? 0 : 1;
        lane = phis[round->lane_phi]->e[0];
        result = phis[1 - round->lane_phi]->e[0];
        need(machine, is_known(lane, &number) && number == 0 && is_known(result, &number) && result->width == 32 &&
                          result->poison == NULL);
        need(machine, term_simplify(m->s, key_number(m->s, key_neutral(m->s, round->proof->info))) ==
                          term_word(m->s, (uint32_t)number));
        phis[round->lane_phi] = make_value(m, make_known(m, lane->width, round->lane));
        phis[1 - round->lane_phi] = make_value(m, number_of_key(m));
        return;
    }
    lane = phis[round->lane_phi]->e[0];
    result = phis[1 - round->lane_phi]->e[0];
    need(machine,
         is_known(lane, &number) && number == round->lane + 1 && result->poison == NULL && round->count < KEY_ENDS);
    round->ways[round->count] = term_all(m->s, machine->path, machine->path_count);
    round->results[round->count++] = as_term(m, result);
}

static void put_warp(struct machine *machine, struct proof *proof, unsigned w)
{
    const unsigned c = setting_case(machine, &proof->setting);
    scene_put(machine, w, offsetof(struct scene_warp, c), machine_address(machine, c, 0));
    scene_put(machine, w, offsetof(struct scene_warp, info), scene_info(machine, &proof->setting));
    machine->objects[w].constant = true;
}

static void run_round(struct machine *machine, void *context)
{
    struct round *round = context;
    struct maker *m = &machine->m;
    const unsigned w =
        machine_object(machine, "struct spec_warp", sizeof(struct scene_warp), _Alignof(struct scene_warp));
    const struct value *a[2], *returned;
    put_warp(machine, round->proof, w);
    a[0] = make_value(m, machine_address(machine, w, 0));
    a[1] = make_value(m, make_bits(m, WARP_LANES, round->proof->setting.group));
    machine->hook = NULL;
    machine->cut_function = KEY_FUNCTION;
    machine->cut_wanted = is_loop;
    machine->cut = cut_round;
    machine->cut_context = round;
    returned = machine_call(machine, KEY_FUNCTION, a, 2);
    need(machine, machine->cut_visits > 0);
    round->returned = returned == NULL ? NULL : returned->e[0];
    need(machine, round->returned == NULL || round->returned->poison == NULL);
}

/* "key" is what the lanes before can have made: with .NaN the loop has ended at the first NaN. */
static term before(struct smt *s, const struct warp_form_info *info, term key)
{
    return term_and(s, key_in_range(s, info, key), term_not(s, key_is_sticky(s, info, key)));
}

/* Claims that each way to the next round takes the lane's key in. So does the way out, which is taken before the
 * last lane only at a NaN that wins whatever follows. */
static bool decide_round(struct proof *proof, const struct round *round)
{
    struct smt *s = proof->d.s;
    const struct warp_form_info *info = proof->info;
    term key = term_constant(s, s->word_sort, "key"), lane = key_of_lane(proof, &proof->spec->m, round->lane);
    term next = algebra_apply(s, key_operation(info), key, lane), any = term_any(s, round->ways, round->count), claim;
    for (unsigned i = 0; i < round->count; i++) {
        claim = term_and(s, term_eq(s, round->results[i], key_number(s, next)), before(s, info, next));
        claim = term_implies(s, term_and(s, before(s, info, key), round->ways[i]), claim);
        if (!decide(&proof->d, &proof->setting, claim, "a round of the transcription's reduction", round->lane))
            return false;
    }
    if (round->returned == NULL)
        return decide(&proof->d, &proof->setting, term_implies(s, before(s, info, key), any),
                      "the transcription's reduction ends early", round->lane);
    claim = term_eq(s, as_term(&proof->spec->m, round->returned), key_number(s, next));
    if (round->lane + 1 < WARP_LANES)
        claim = term_and(s, claim, key_is_sticky(s, info, lane));
    claim = term_implies(s, term_and(s, before(s, info, key), term_not(s, any)), claim);
    return decide(&proof->d, &proof->setting, claim, "the end of the transcription's reduction", round->lane);
}

static bool prove_round(struct proof *proof, unsigned lane)
{
    const size_t mark = smt_mark(proof->d.s);
    struct round round = {.proof = proof, .lane = lane};
    bool ok;
    setting_make(proof->d.s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    ok = proof_run(proof, proof->spec, run_round, &round);
    proof->setting.members = NULL;
    ok = ok && decide_round(proof, &round) && proof_obligations(proof, proof->spec);
    smt_release(proof->d.s, mark);
    return ok;
}

/*
 * The laws behind the rounds and the kernel's normal form: the operation is associative and commutative and has the
 * neutral key; minima of keys are in range; a sticky key stays, and stands for NaN; the keys of lanes are in range.
 */
static bool prove_algebra(struct proof *proof)
{
    const struct setting none = {0};
    const struct warp_form_info *info = proof->info;
    const enum algebra op = key_operation(info);
    struct smt *s = proof->d.s;
    term x = term_constant(s, s->word_sort, "x"), y = term_constant(s, s->word_sort, "y");
    term least = algebra_apply(s, op, x, y), nan = term_word(s, 0x7fffffffu), claims[9];
    unsigned n = algebra_lemmas(s, op, claims);
    claims[n++] =
        term_implies(s, term_and(s, key_in_range(s, info, x), key_in_range(s, info, y)), key_in_range(s, info, least));
    claims[n++] = term_implies(s, key_is_sticky(s, info, x),
                               term_and(s, key_is_sticky(s, info, least), term_eq(s, key_number(s, x), nan)));
    claims[n++] = key_in_range(s, info, key_of_float(s, info, x));
    claims[n++] = before(s, info, key_neutral(s, info));
    for (unsigned i = 0; i < n; i++)
        if (!decide(&proof->d, &none, claims[i], "a rule about keys", WARP_LANES))
            return false;
    return true;
}

bool key_prove_transcription(struct proof *proof)
{
    if (!prove_algebra(proof))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!prove_round(proof, lane))
            return false;
    return true;
}
