#include "proofs/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void need(struct machine *machine, bool condition, const char *name)
{
    if (!condition)
        fail(&machine->m, "a harness calls '%s' with arguments that it does not take", name);
}

static uint64_t number_of(struct machine *machine, const struct value *x, const char *name)
{
    need(machine, x->e[0]->kind == KNOWN && x->e[0]->poison == NULL, name);
    return x->e[0]->number;
}

static void text_of(struct machine *machine, const struct value *x, const char *name, char *text, size_t room)
{
    const struct scalar *p = x->e[0];
    size_t n = 0;
    need(machine, p->kind == POINTER && p->index == NULL && p->object != 0, name);
    do {
        uint64_t c = 0;
        need(machine, n < room && p->number + n < machine->sizes[p->object], name);
        is_known(memory_load(&machine->m, &machine->now, p->object, p->number + n, 8), &c);
        text[n] = (char)c;
    } while (text[n++] != '\0');
}

static term unknown(struct maker *m, Z3_sort sort, const char *name, uint64_t k)
{
    char full[96];
    snprintf(full, sizeof full, "%s[%u]", name, (unsigned)k);
    return term_constant(m->s, sort, full);
}

static const struct scalar *lanes(struct maker *m, const char *name)
{
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = unknown(m, m->s->bool_sort, name, k);
    return make_bits(m, WARP_LANES, bits);
}

static const struct scalar *below(struct machine *machine, const char *name, uint64_t n)
{
    term when[WARP_LANES + 1];
    uint64_t numbers[WARP_LANES + 1];
    need(machine, n > 0 && n <= WARP_LANES + 1, "any_below");
    for (uint64_t i = 0; i < n; i++) {
        when[i] = unknown(&machine->m, machine->m.s->bool_sort, name, i);
        numbers[i] = i;
    }
    return make_choice(&machine->m, 64, (unsigned)n, when, numbers);
}

/* any_...(name, k) */
static const struct scalar *any_named(struct machine *machine, const char *function, const struct value *const *a)
{
    struct maker *m = &machine->m;
    char name[64], full[80];
    text_of(machine, a[0], function, name, sizeof name);
    const uint64_t k = number_of(machine, a[1], function);
    if (strcmp(function, "any_word") == 0)
        return make_term(m, unknown(m, m->s->word_sort, name, k));
    if (strcmp(function, "any_below") == 0)
        return below(machine, name, k);
    need(machine, strcmp(function, "any_lanes") == 0, function);
    snprintf(full, sizeof full, "%s[%u]", name, (unsigned)k);
    return lanes(m, full);
}

static void check(struct machine *machine, const struct value *const *a)
{
    struct smt *s = machine->m.s;
    const struct scalar *x = a[0]->e[0];
    char text[96], *what;
    text_of(machine, a[1], "check", text, sizeof text);
    what = arena_take(&machine->m.arena, sizeof text);
    memcpy(what, text, sizeof text);
    machine_check(
        machine, b_and(s, as_bool(&machine->m, x), x->poison == NULL ? term_bool(s, true) : b_not(s, x->poison)), what);
}

/* Calls the contract of a function; false: it has none, or is called by that. */
static bool call_contract(struct machine *machine, const char *contracts, const char *name,
                          const struct value *const *a, unsigned n, const struct value **result)
{
    char contract[128];
    snprintf(contract, sizeof contract, "%s_%s", contracts, name);
    if (LLVMGetNamedFunction(machine->module, contract) == NULL || strcmp(machine->where, contract) == 0)
        return false;
    *result = machine_call(machine, contract, a, n);
    return true;
}

bool harness_answer(struct machine *machine, void *context, const char *name, const struct value *const *a, unsigned n,
                    const struct value **result)
{
    const struct harness *harness = context;
    struct maker *m = &machine->m;
    const struct scalar *x = NULL;
    if (harness->contracts != NULL && call_contract(machine, harness->contracts, name, a, n, result))
        return true;
    if (strcmp(name, "check") == 0) {
        check(machine, a);
    } else if (strcmp(name, "given_case") == 0) {
        x = machine_address(machine, harness->proof->split.object, 0);
    } else if (strcmp(name, "given_number") == 0) {
        x = make_known(m, 32, harness->number);
    } else if (strcmp(name, "any_object") == 0) {
        const unsigned alignment = (unsigned)number_of(machine, a[1], name);
        x = machine_address(machine, machine_object(machine, name, number_of(machine, a[0], name), alignment), 0);
    } else if (strcmp(name, "any_constant") == 0) {
        need(machine, a[0]->e[0]->kind == POINTER, name);
        machine->objects[a[0]->e[0]->object].constant = true;
    } else if (strncmp(name, "any_", 4) == 0) {
        x = any_named(machine, name, a);
    } else {
        return false;
    }
    *result = x == NULL ? NULL : make_value(m, x);
    return true;
}

struct run {
    struct proof *proof;
    const char *name;
    struct harness harness;
};

static void execute(struct machine *machine, void *context)
{
    struct run *run = context;
    LLVMValueRef kernels = LLVMGetNamedGlobal(machine->module, run->proof->state);
    const struct value *argument;
    if (kernels == NULL)
        fail(&machine->m, "the bitcode has no variable '%s'", run->proof->state);
    argument = make_value(&machine->m, machine_global(machine, kernels));
    split_case(machine, &run->proof->split);
    machine->hook = harness_answer;
    machine->hook_context = &run->harness;
    machine_call(machine, run->name, &argument, 1);
}

bool harness_prove(struct proof *proof, const char *name, const char *contracts, unsigned number)
{
    const size_t mark = smt_mark(proof->d.s);
    struct run run = {proof, name, {proof, contracts, number}};
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    ok = proof_run(proof, proof->fast, execute, &run);
    proof->split.members = NULL;
    ok = ok && proof_obligations(proof, proof->fast);
    smt_release(proof->d.s, mark);
    return ok;
}
