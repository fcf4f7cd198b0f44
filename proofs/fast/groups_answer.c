/* In place of fast_settle_groups. */
#include "proofs/fast/groups_layout.h"

#include <stddef.h>

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
