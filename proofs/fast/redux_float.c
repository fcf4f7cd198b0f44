#include "proofs/fast/redux_float.h"

#include "proofs/fast/spec_memory.h"
#include "proofs/node.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAX       0x7fffffffu
#define KEY_MIN       0x80000000u
#define MAGNITUDE     0x7fffffffu
#define INFINITY_BITS 0x7f800000u
#define MINUS_INF_KEY ((0x80000000u | INFINITY_BITS) ^ MAGNITUDE)
#define CANONICAL_NAN 0x7fffffffu

bool key_applies(const struct warp_form_info *info)
{
    return info->family == WARP_REDUX_SYNC && info->type == WARP_F32;
}

enum algebra key_operation(const struct warp_form_info *info)
{
    return info->op == WARP_MIN ? ALGEBRA_SMIN : ALGEBRA_SMAX;
}

term key_neutral(struct smt *s, const struct warp_form_info *info)
{
    return term_word(s, algebra_neutral(key_operation(info)));
}

/* NaN never wins without .NaN, and always with it. */
static uint32_t nan_key(const struct warp_form_info *info)
{
    return (info->op == WARP_MIN) != info->nan ? KEY_MAX : KEY_MIN;
}

term key_nan(struct smt *s)
{
    return term_word(s, CANONICAL_NAN);
}

term key_is_nan(struct smt *s, term a)
{
    return term_ult(s, term_word(s, INFINITY_BITS), term_band(s, a, term_word(s, MAGNITUDE)));
}

term key_of_float(struct smt *s, const struct warp_form_info *info, term a)
{
    term key = term_band(s, a, term_word(s, MAGNITUDE));
    if (!info->abs)
        key = term_ite(s, term_slt(s, a, term_word(s, 0)), term_bxor(s, a, term_word(s, MAGNITUDE)), a);
    if (info->abs && nan_key(info) == KEY_MAX) /* NaN's magnitude is beyond infinity's by itself */
        return key;
    return term_ite(s, key_is_nan(s, a), term_word(s, nan_key(info)), key);
}

term key_number(struct smt *s, term key)
{
    term bits = term_ite(s, term_slt(s, key, term_word(s, 0)), term_bxor(s, key, term_word(s, MAGNITUDE)), key);
    return term_ite(s, key_is_nan(s, bits), key_nan(s), bits);
}

term key_of_lane(struct proof *proof, struct maker *m, unsigned k)
{
    struct smt *s = m->s;
    term key = key_of_float(s, proof->info, as_term(m, spec_memory_word(m, "a", k)));
    return term_ite(s, proof->split.group[k], key, key_neutral(s, proof->info));
}

term key_in_range(struct smt *s, const struct warp_form_info *info, term key)
{
    if (!info->abs)
        return term_bool(s, true);
    if (nan_key(info) == KEY_MAX && info->op == WARP_MIN) /* no key is the least number */
        return term_sle(s, term_word(s, 0), key);
    return term_or(s, term_sle(s, term_word(s, 0), key), term_eq(s, key, term_word(s, KEY_MIN)));
}

term key_is_sticky(struct smt *s, const struct warp_form_info *info, term key)
{
    return info->op == WARP_MIN ? term_slt(s, key, term_word(s, MINUS_INF_KEY))
                                : term_slt(s, term_word(s, INFINITY_BITS), key);
}

/* --- the kernel ------------------------------------------------------------------------------------------------ */

/* The minima in x that are inside no other minimum; at most two are told apart. */
static void find_least(struct smt *s, term x, term found[2], unsigned *n)
{
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST)
        return;
    if (algebra_is_opaque(s, x, NULL)) {
        if (*n == 0 || found[0] != x)
            found[*n == 0 ? 0 : 1] = x;
        *n = *n == 0 || found[0] == x ? 1 : 2;
        return;
    }
    for (unsigned i = 0; i < arity(s, x); i++)
        find_least(s, argument(s, x, i), found, n);
}

term key_open(struct smt *s, term x, term *least)
{
    term found[2] = {NULL, NULL}, name = term_constant(s, s->word_sort, "key");
    unsigned n = 0;
    find_least(s, x, found, &n);
    *least = n == 1 ? found[0] : NULL;
    return n == 1 ? term_substitute(s, x, found, &name, 1) : x;
}

/* The lanes whose operand or membership occurs in x. */
static lanemask lanes_of(struct smt *s, term x, const term a[WARP_LANES], const term group[WARP_LANES])
{
    lanemask lanes = 0;
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST)
        return 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (x == a[k] || x == group[k])
            return 1u << k;
    for (unsigned i = 0; i < arity(s, x); i++)
        lanes |= lanes_of(s, argument(s, x, i), a, group);
    return lanes;
}

static unsigned lowest(lanemask lanes)
{
    unsigned k = 0;
    while (k + 1 < WARP_LANES && (lanes >> k & 1u) == 0)
        k++;
    return k;
}

/* The parts of the minimum that speak of lane k make its key. A part may be counted to any lane: the minimum is that of
 * all parts. */
static bool decide_parts(struct proof *proof, const struct algebra_leaf *leaves, size_t n, bool unsigned_too)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const enum algebra op = key_operation(proof->info);
    term part[WARP_LANES], a[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        part[k] = key_neutral(s, proof->info);
        a[k] = as_term(m, spec_memory_word(m, "a", k));
    }
    for (size_t i = 0; i < n; i++) {
        lanemask of_word = lanes_of(s, leaves[i].x, a, proof->split.group);
        const unsigned k = lowest(of_word != 0 ? of_word : lanes_of(s, leaves[i].c, a, proof->split.group));
        term x = term_ite(s, leaves[i].c, leaves[i].x, key_neutral(s, proof->info));
        part[k] = algebra_apply(s, op, part[k], x);
        if (unsigned_too && !decide(&proof->d, &proof->split, term_sle(s, term_word(s, 0), x),
                                    "a key that is compared as an unsigned number", k))
            return false;
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (!decide(&proof->d, &proof->split, term_eq(s, part[k], key_of_lane(proof, m, k)),
                    "the key of a lane in the kernel", k))
            return false;
    return true;
}

bool key_decide_word(struct proof *proof, const struct scalar *word)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const enum algebra op = key_operation(proof->info);
    term least, x = key_open(s, as_term(m, word), &least), key = term_constant(s, s->word_sort, "key");
    struct algebra_leaf *leaves;
    size_t n;
    bool ok, unsigned_too;
    if (least == NULL) { /* no minimum of two, as in a group of one lane */
        key = key_neutral(s, proof->info);
        for (unsigned k = 0; k < WARP_LANES; k++)
            key = algebra_apply(s, op, key, key_of_lane(proof, m, k));
        return decide(&proof->d, &proof->split, term_eq(s, x, key_number(s, key)), "the kernel's d", WARP_LANES);
    }
    leaves = algebra_leaves(s, op, least, &n, &unsigned_too);
    ok = decide_parts(proof, leaves, n, unsigned_too);
    free(leaves);
    proof->d.outcome->algebraic += ok;
    return ok && decide(&proof->d, &proof->split,
                        term_implies(s, key_in_range(s, proof->info, key), term_eq(s, x, key_number(s, key))),
                        "the number of the kernel's key", WARP_LANES);
}

/* The transcription's loop over the lanes, one round at a time, and the algebra of keys. */

#define KEY_ENDS 16u

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
    return spec_memory_word(m, "reduced", 0);
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
    const unsigned c = split_case(machine, &proof->split);
    spec_memory_put(machine, w, offsetof(struct spec_warp, c), machine_address(machine, c, 0));
    spec_memory_put(machine, w, offsetof(struct spec_warp, info), spec_memory_info(machine, &proof->split));
    machine->objects[w].constant = true;
}

static void run_round(struct machine *machine, void *context)
{
    struct round *round = context;
    struct maker *m = &machine->m;
    const unsigned w =
        machine_object(machine, "struct spec_warp", sizeof(struct spec_warp), _Alignof(struct spec_warp));
    const struct value *a[2], *returned;
    put_warp(machine, round->proof, w);
    a[0] = make_value(m, machine_address(machine, w, 0));
    a[1] = make_value(m, make_bits(m, WARP_LANES, round->proof->split.group));
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
        if (!decide(&proof->d, &proof->split, claim, "a round of the transcription's reduction", round->lane))
            return false;
    }
    if (round->returned == NULL)
        return decide(&proof->d, &proof->split, term_implies(s, before(s, info, key), any),
                      "the transcription's reduction ends early", round->lane);
    claim = term_eq(s, as_term(&proof->spec->m, round->returned), key_number(s, next));
    if (round->lane + 1 < WARP_LANES)
        claim = term_and(s, claim, key_is_sticky(s, info, lane));
    claim = term_implies(s, term_and(s, before(s, info, key), term_not(s, any)), claim);
    return decide(&proof->d, &proof->split, claim, "the end of the transcription's reduction", round->lane);
}

static bool prove_round(struct proof *proof, unsigned lane)
{
    const size_t mark = smt_mark(proof->d.s);
    struct round round = {.proof = proof, .lane = lane};
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    ok = proof_run(proof, proof->spec, run_round, &round);
    proof->split.members = NULL;
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
    const struct case_split none = {0};
    const struct warp_form_info *info = proof->info;
    const enum algebra op = key_operation(info);
    struct smt *s = proof->d.s;
    term x = term_constant(s, s->word_sort, "x"), y = term_constant(s, s->word_sort, "y");
    term least = algebra_apply(s, op, x, y), nan = term_word(s, 0x7fffffffu), claims[ALGEBRA_LEMMAS + 4];
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
