/* kernels->equal and kernels->unify. */
#include "proofs/fast/groups_layout.h"

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
                    decide(&proof->d, &proof->setting, small.right, what, WARP_LANES) &&
                    proof_obligations(proof, proof->fast);
    smt_release(proof->d.s, mark);
    return ok;
}

bool groups_prove_equal(struct proof *proof)
{
    return prove_small(proof, run_equal, 0, "kernels->equal");
}

bool groups_prove_unify(struct proof *proof, unsigned lane)
{
    return prove_small(proof, run_unify, lane, "kernels->unify");
}
