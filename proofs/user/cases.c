/* The cases of a goal, and the transcription on them. */
#include "proofs/user/proof.h"

#include "proofs/fast/redux_float.h"
#include "proofs/fast/spec_memory.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    char letter; /* in the names of terms */
    bool is_word;
} unknowns[] = {
    [UNKNOWN_A] = {'a', true},       [UNKNOWN_A_HIGH] = {'h', true},      [UNKNOWN_B] = {'b', true},
    [UNKNOWN_C] = {'c', true},       [UNKNOWN_PREDICATE] = {'q', false},  [UNKNOWN_IN_GROUP] = {'g', false},
    [UNKNOWN_EXITED] = {'e', false}, [UNKNOWN_WAITED_FOR] = {'u', false}, [UNKNOWN_EXITED_MEMBER] = {'x', false},
};
_Static_assert(sizeof unknowns / sizeof *unknowns == UNKNOWNS, "a letter for each");

term user_unknown(struct user_proof *p, enum user_unknown_is kind, unsigned lane, bool rank)
{
    char name[24];
    term t;
    snprintf(name, sizeof name, "%s%c[%u]", rank ? "rank " : "", unknowns[kind].letter, lane);
    t = term_constant(p->s, unknowns[kind].is_word ? p->s->word_sort : p->s->bool_sort, name);
    if (p->unknown_count < USER_UNKNOWNS)
        p->unknowns[p->unknown_count++] = (struct user_unknown){kind, lane, t};
    return t;
}

static term unknown(struct user_proof *p, enum user_unknown_is kind, unsigned lane)
{
    return user_unknown(p, kind, lane, false);
}

static void make_before(struct user_proof *p)
{
    for (unsigned i = 0; i < USER_BEFORE; i++) {
        char name[24];
        snprintf(name, sizeof name, "before[%u]", i);
        p->before[i] = term_constant(p->s, p->s->word_sort, name);
    }
}

static void make_operands(struct user_proof *p, unsigned k)
{
    const struct warp_form_info *info = p->request->info;
    term zero = v_number(p->s, 0, 32);
    const bool is_shfl = warp_form_is_shfl(info);
    p->predicates[k] =
        info->type == WARP_PRED || info->op == WARP_BALLOT ? unknown(p, UNKNOWN_PREDICATE, k) : term_bool(p->s, false);
    p->words[OPERAND_A][k] = info->type == WARP_PRED ? zero : unknown(p, UNKNOWN_A, k);
    p->words[OPERAND_HIGH][k] = info->type == WARP_B64 ? unknown(p, UNKNOWN_A_HIGH, k) : zero;
    p->words[OPERAND_B][k] = is_shfl ? unknown(p, UNKNOWN_B, k) : zero;
    p->words[OPERAND_C][k] = is_shfl ? unknown(p, UNKNOWN_C, k) : zero;
}

void user_cases_make(struct user_proof *p, struct user_cases cases)
{
    struct smt *s = p->s;
    const bool is_sync = warp_form_is_sync(p->request->info);
    term yes = term_bool(s, true), no = term_bool(s, false), none[WARP_LANES];
    p->unknown_count = p->held.count = 0;
    p->led = p->of_key = NULL;
    make_before(p);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const bool below = cases.leader < WARP_LANES && k < cases.leader;
        term g = cases.group == GROUP_OF_ALL || k == cases.leader ? yes
                 : below || k >= cases.limit                      ? no
                                                                  : unknown(p, UNKNOWN_IN_GROUP, k);
        term e = b_and(s, unknown(p, UNKNOWN_EXITED, k), b_not(s, g));
        term other = is_sync ? b_and(s, unknown(p, UNKNOWN_WAITED_FOR, k), b_not(s, b_or(s, g, e))) : no;
        p->group[k] = g;
        p->exited[k] = e;
        p->active[k] = b_or(s, g, other);
        p->members[k] = is_sync ? b_or(s, g, b_and(s, e, unknown(p, UNKNOWN_EXITED_MEMBER, k))) : g;
        none[k] = cases.leader == WARP_LANES ? b_not(s, g) : g;
        make_operands(p, k);
    }
    /* Some lane is in the group; not all are, which is a goal of its own. */
    p->assumption = cases.group != GROUP_NOT_OF_ALL || cases.leader > 0 ? yes : b_not(s, b_all(s, none, WARP_LANES));
    if (cases.leader == WARP_LANES)
        p->assumption = b_not(s, b_all(s, none, WARP_LANES));
}

void user_lanes_make(struct user_proof *p, uint32_t width)
{
    struct smt *s = p->s;
    p->unknown_count = p->held.count = 0;
    p->led = p->of_key = NULL;
    make_before(p);
    p->width = width;
    p->assumption = term_bool(s, true);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        p->group[k] = p->active[k] = p->members[k] = term_bool(s, true);
        p->exited[k] = p->predicates[k] = term_bool(s, false);
        p->words[OPERAND_A][k] = v_number(s, k, 32);
        p->words[OPERAND_HIGH][k] = v_number(s, 0, 32);
        p->words[OPERAND_B][k] = unknown(p, UNKNOWN_B, k);
        p->words[OPERAND_C][k] =
            width != 0 ? v_number(s, user_cuda_c(p->request->info, width), 32) : unknown(p, UNKNOWN_C, k);
    }
}

/* The layout of the transcription's struct spec_warp (model/spec/spec.h), which the bitcode confirms. */
struct spec_warp_layout {
    const void *c, *info;
    bool writes_d, writes_p;
    lanemask done;
    lanemask group[WARP_LANES];
};

static void put(struct machine *machine, unsigned object, size_t at, const struct scalar *x)
{
    machine_store(machine, machine_address(machine, object, at), x);
}

static const struct scalar *predicate_word(struct maker *m, term b)
{
    term bits[32];
    bits[0] = b;
    for (unsigned i = 1; i < 32; i++)
        bits[i] = term_bool(m->s, false);
    return make_bits(m, 32, bits);
}

static unsigned put_case(struct machine *machine, const struct user_proof *p)
{
    struct maker *m = &machine->m;
    const struct warp_form_info *info = p->request->info;
    const unsigned c = machine_object(machine, "the case", sizeof(struct warp_case), _Alignof(struct warp_case));
    const size_t at[4] = {offsetof(struct warp_case, a), offsetof(struct warp_case, a_high),
                          offsetof(struct warp_case, b), offsetof(struct warp_case, c)};
    for (size_t i = 0; i < sizeof(struct warp_case); i += 4)
        put(machine, c, i, make_known(m, 32, 0));
    put(machine, c, offsetof(struct warp_case, form), make_known(m, 32, info->form));
    put(machine, c, offsetof(struct warp_case, target), make_known(m, 32, warp_form_least_target(info)));
    put(machine, c, offsetof(struct warp_case, dst), make_known(m, 32, user_dst(info)));
    put(machine, c, offsetof(struct warp_case, exited), make_bits(m, 32, p->exited));
    put(machine, c, offsetof(struct warp_case, active), make_bits(m, 32, p->active));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        for (unsigned i = 0; i < 4; i++)
            put(machine, c, at[i] + 4 * k,
                i == OPERAND_A && info->type == WARP_PRED ? predicate_word(m, p->predicates[k])
                                                          : make_term(m, p->words[i][k]));
        put(machine, c, offsetof(struct warp_case, membermask) + 4 * k, make_bits(m, 32, p->members));
    }
    machine->objects[c].constant = true;
    return c;
}

/* The groups of lanes that are not done are anything. */
static const struct scalar *group_word(struct machine *machine, const struct user_proof *p, unsigned k)
{
    struct maker *m = &machine->m;
    term other[32];
    for (unsigned i = 0; i < 32; i++) {
        char name[24];
        snprintf(name, sizeof name, "other[%u][%u]", k, i);
        other[i] = term_constant(p->s, p->s->bool_sort, name);
    }
    return scalar_select(m, p->group[k], make_bits(m, 32, p->group), make_bits(m, 32, other));
}

static unsigned put_warp(struct machine *machine, const struct user_proof *p, unsigned c)
{
    struct maker *m = &machine->m;
    const struct warp_form_info *info = p->request->info;
    const struct value *form[1] = {make_value(m, make_known(m, 32, info->form))};
    const struct value *found = machine_call(machine, "warp_form_get", form, 1);
    LLVMTypeRef type = LLVMGetTypeByName2(LLVMGetModuleContext(machine->module), "struct.spec_warp");
    const unsigned w =
        machine_object(machine, "the warp", sizeof(struct spec_warp_layout), _Alignof(struct spec_warp_layout));
    if (type == NULL || LLVMABISizeOfType(machine->layout, type) != sizeof(struct spec_warp_layout))
        fail(m, "the transcription's struct spec_warp is not what the proof expects");
    put(machine, w, offsetof(struct spec_warp_layout, c), machine_address(machine, c, 0));
    put(machine, w, offsetof(struct spec_warp_layout, info), found->e[0]);
    put(machine, w, offsetof(struct spec_warp_layout, writes_d),
        make_known(m, 8, warp_form_writes_d(info, user_dst(info))));
    put(machine, w, offsetof(struct spec_warp_layout, writes_p),
        make_known(m, 8, warp_form_writes_p(info, user_dst(info))));
    put(machine, w, offsetof(struct spec_warp_layout, done), make_bits(m, 32, p->group));
    for (unsigned k = 0; k < WARP_LANES; k++)
        put(machine, w, offsetof(struct spec_warp_layout, group) + 4 * k, group_word(machine, p, k));
    return w;
}

/* Is the word the group wherever the program may be here? */
static bool is_group(struct machine *machine, const struct user_proof *p, const struct scalar *word)
{
    struct maker *m = &machine->m;
    const struct scalar *group = make_bits(m, WARP_LANES, p->group);
    return scalar_same(word, group) ||
           (word->poison == NULL && !machine_possible(machine, as_bool(m, arith_compare(m, LLVMIntNE, word, group))));
}

/* In place of the transcription's reduction of floats: the number of the least key of the group. */
static bool answer_float(struct machine *machine, void *context, const char *name, const struct value *const *a,
                         unsigned n, const struct value **result)
{
    const struct user_proof *p = context;
    const struct warp_form_info *info = p->request->info;
    struct maker *m = &machine->m;
    term key = key_neutral(p->s, info);
    if (strcmp(name, KEY_FUNCTION) != 0)
        return false;
    if (n != 2 || !is_group(machine, p, a[1]->e[0]))
        fail(m, "'%s' is called in another way than the proof expects", name);
    for (unsigned k = 0; k < WARP_LANES; k++)
        key = algebra_apply(
            p->s, key_operation(info), key,
            term_ite(p->s, p->group[k], key_of_float(p->s, info, p->words[OPERAND_A][k]), key_neutral(p->s, info)));
    *result = make_value(m, make_term(m, key_number(p->s, key)));
    return true;
}

static void run_spec(struct machine *machine, void *context)
{
    struct user_proof *p = context;
    struct maker *m = &machine->m;
    const unsigned c = put_case(machine, p), w = put_warp(machine, p, c);
    const unsigned r = machine_object(machine, "the result", sizeof(struct warp_result), _Alignof(struct warp_result));
    const struct value *a[2] = {make_value(m, machine_address(machine, w, 0)),
                                make_value(m, machine_address(machine, r, 0))};
    for (size_t i = 0; i < sizeof(struct warp_result); i += 4)
        put(machine, r, i, make_known(m, 32, 0));
    if (p->keyed) {
        machine->hook = answer_float;
        machine->hook_context = p;
    }
    machine_assume_here(machine, p->assumption);
    machine_call(machine, spec_memory_instruction(p->request->info), a, 2);
    machine->hook = NULL;
    for (unsigned k = 0; k < WARP_LANES; k++)
        p->d[k] = machine_load(machine, machine_address(machine, r, offsetof(struct warp_result, d) + 4 * k), 32);
    as_bits(m, machine_load(machine, machine_address(machine, r, offsetof(struct warp_result, p)), 32), p->p);
    as_bits(m, machine_load(machine, machine_address(machine, r, offsetof(struct warp_result, d_defined)), 32),
            p->d_defined);
}

static void run_user(struct machine *machine, void *context)
{
    struct user_proof *p = context;
    struct maker *m = &machine->m;
    struct user_inputs in = {.lane = p->lane, .width = p->width};
    for (unsigned k = 0; k < WARP_LANES; k++) {
        in.a[k] = make_term(m, p->words[OPERAND_A][k]);
        in.high[k] = make_term(m, p->words[OPERAND_HIGH][k]);
        in.b[k] = make_term(m, p->words[OPERAND_B][k]);
        in.c[k] = make_term(m, p->words[OPERAND_C][k]);
    }
    for (unsigned i = 0; i < USER_BEFORE; i++)
        in.before[i] = make_term(m, p->before[i]);
    in.members = make_bits(m, 32, p->members);
    in.active = make_bits(m, 32, p->active);
    in.predicates = make_bits(m, 32, p->predicates);
    machine->by_bits = machine->m.takes_apart = true;
    machine->m.seals_choices = p->keyed;
    machine->m.packing = p->watches_packing ? &p->packing : NULL;
    machine_assume_here(machine, p->assumption);
    user_call_shape(machine, p->request, p->shape, &in, &p->out);
}

static bool run(struct user_proof *p, struct machine *machine, void (*work)(struct machine *, void *),
                const char *whose)
{
    machine_reset(machine);
    machine->hook = NULL;
    if (machine_try(machine, work, p)) {
        p->outcome->steps += machine->steps;
        return true;
    }
    p->outcome->verdict = machine->m.error.code == ERROR_TIMEOUT ? COMPILED_OPEN : COMPILED_ERROR;
    p->outcome->unusable = machine == p->user && machine->m.error.code != ERROR_TIMEOUT;
    snprintf(p->outcome->note, sizeof p->outcome->note, "%s%s%s: %.400s", machine == p->user ? p->request->file : "",
             machine == p->user ? ": " : "", whose, machine->m.error.text);
    return false;
}

bool user_run_spec(struct user_proof *p)
{
    return run(p, p->spec, run_spec, "spec");
}

bool user_run_function(struct user_proof *p)
{
    return run(p, p->user, run_user, p->request->function);
}
