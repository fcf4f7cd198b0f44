#include "smt/compiled/proof/confirm.h"

#include "smt/compiled/proof/scene.h"

#include <string.h>

struct concrete {
    struct proof *proof;
    const struct warp_case *c;
    const char *function, *state;
    struct warp_result result;
    bool known; /* every word of the result is */
};

static void run_concrete(struct machine *machine, void *context)
{
    struct concrete *run = context;
    struct maker *m = &machine->m;
    const unsigned c = machine_object(machine, "the case", sizeof *run->c);
    const unsigned r = machine_object(machine, "the result", sizeof run->result);
    const struct scalar *null = make_pointer(m, 0, 0, NULL, 1);
    const struct value *a[6];
    uint32_t words[sizeof *run->c / 4], answer[sizeof run->result / 4];
    memcpy(words, run->c, sizeof words);
    for (size_t i = 0; i < sizeof words / 4; i++)
        scene_put(machine, c, 4 * i, make_known(m, 32, words[i]));
    machine->objects[c].constant = true;
    a[0] = make_value(m, run->state == NULL ? null
                                            : machine_global(machine, LLVMGetNamedGlobal(machine->module, run->state)));
    a[1] = make_value(m, machine_address(machine, c, 0));
    a[2] = make_value(m, make_known(m, 64, 1));
    a[3] = make_value(m, machine_address(machine, r, 0));
    a[4] = make_value(m, null);
    a[5] = make_value(m, make_known(m, 64, 0));
    machine->hook = NULL;
    machine_call(machine, run->function, a, 6);
    run->known = true;
    for (size_t i = 0; i < sizeof answer / 4; i++) {
        const struct scalar *x = scene_get(machine, r, 4 * i, 32);
        uint64_t number = 0;
        run->known &= is_known(x, &number);
        answer[i] = (uint32_t)number;
    }
    memcpy(&run->result, answer, sizeof run->result);
}

bool confirm_witness(struct proof *proof)
{
    const struct warp_case c = proof->d.outcome->witness;
    struct concrete spec = {.proof = proof, .c = &c, .function = "spec_eval"};
    struct concrete fast = {.proof = proof, .c = &c, .function = "eval", .state = proof->state};
    machine_reset(proof->spec);
    machine_reset(proof->fast);
    return machine_try(proof->spec, run_concrete, &spec) && machine_try(proof->fast, run_concrete, &fast) &&
           spec.known && fast.known && !warp_result_compare(&c, &spec.result, &fast.result, WARP_PART_ALL, NULL);
}
