#include "proofs/fast/confirm.h"

#include "proofs/fast/kernel.h"
#include "base/random.h"
#include "proofs/fast/spec_memory.h"

#include <stdio.h>
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
    const unsigned c = machine_object(machine, "the case", sizeof *run->c, _Alignof(struct warp_case));
    const unsigned r = machine_object(machine, "the result", sizeof run->result, _Alignof(struct warp_result));
    const struct scalar *null = make_pointer(m, 0, 0, NULL, 1);
    const struct value *a[6];
    uint32_t words[sizeof *run->c / 4], answer[sizeof run->result / 4];
    memcpy(words, run->c, sizeof words);
    for (size_t i = 0; i < sizeof words / 4; i++)
        spec_memory_put(machine, c, 4 * i, make_known(m, 32, words[i]));
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
        const struct scalar *x = spec_memory_get(machine, r, 4 * i, 32);
        uint64_t number = 0;
        run->known &= is_known(x, &number);
        answer[i] = (uint32_t)number;
    }
    memcpy(&run->result, answer, sizeof run->result);
}

/* Does the compiled transcription, as translated, differ from the encoding as evaluated? */
static bool differs_from_encoding(struct proof *proof, const struct warp_case *c)
{
    const size_t mark = smt_mark(proof->d.s);
    const struct warp_impl *encoding = proof->d.options->fast;
    struct concrete spec = {.proof = proof, .c = c, .function = "spec_eval"};
    struct warp_result r;
    char error[64];
    bool differ;
    if (encoding == NULL)
        return false;
    machine_reset(proof->spec);
    differ = machine_try(proof->spec, run_concrete, &spec) && spec.known &&
             encoding->eval(encoding->state, c, 1, &r, error, sizeof error) &&
             !warp_result_compare(c, &spec.result, &r, WARP_PART_ALL, NULL);
    smt_release(proof->d.s, mark);
    return differ;
}

/* Do the compiled programs, as translated, differ on the case? (Of the encoding: its terms, evaluated.) */
static bool confirm_case(struct proof *proof, const struct warp_case *c)
{
    const size_t mark = smt_mark(proof->d.s);
    struct concrete spec = {.proof = proof, .c = c, .function = "spec_eval"};
    struct concrete fast = {.proof = proof, .c = c, .function = "eval", .state = proof->state};
    bool differ;
    if (proof->fast == NULL)
        return differs_from_encoding(proof, c);
    machine_reset(proof->spec);
    machine_reset(proof->fast);
    differ = machine_try(proof->spec, run_concrete, &spec) && machine_try(proof->fast, run_concrete, &fast) &&
             spec.known && fast.known && !warp_result_compare(c, &spec.result, &fast.result, WARP_PART_ALL, NULL);
    smt_release(proof->d.s, mark);
    return differ;
}

/* Words among which many are equal, and membermasks that often make groups. */
static void random_case(struct warp_case *c, const struct warp_form_info *info, struct random *seed)
{
    const uint32_t low = random_word(seed) % 2 == 0 ? 3 : UINT32_MAX, split = random_word(seed) & random_word(seed);
    uint32_t words[sizeof *c / 4];
    for (size_t i = 0; i < sizeof words / 4; i++)
        words[i] = random_word(seed) & low;
    memcpy(c, words, sizeof *c);
    c->form = info->form;
    c->exited = random_word(seed) & random_word(seed) & random_word(seed);
    c->active = ~c->exited & (random_word(seed) % 2 == 0 ? UINT32_MAX : random_word(seed) | random_word(seed));
    for (unsigned k = 0; k < WARP_LANES; k++)
        c->membermask[k] = random_word(seed) % 16 == 0 ? random_word(seed) : split >> k & 1u ? split : ~split;
    warp_case_repair(c);
    c->form = info->form;
    warp_case_repair(c);
}

static bool agrees(struct proof *proof, struct machine *machine, struct concrete *run, const struct warp_impl *native)
{
    struct compiled_outcome *o = proof->d.outcome;
    struct warp_result r;
    char error[64];
    if (native == NULL)
        return true;
    memset(&r, 0, sizeof r);
    if (!proof_run(proof, machine, run_concrete, run))
        return false;
    if (!native->eval(native->state, run->c, 1, &r, error, sizeof error))
        return true;
    o->concrete++;
    if (run->known && warp_result_compare(run->c, &r, &run->result, WARP_PART_ALL, NULL))
        return true;
    o->verdict = COMPILED_ERROR;
    o->witness = *run->c;
    o->has_witness = true;
    snprintf(o->note, sizeof o->note, "the translation of '%s' contradicts the native code", native->name);
    return false;
}

bool confirm_native(struct proof *proof)
{
    const struct compiled_options *options = proof->d.options;
    struct random seed = {options->seed};
    for (unsigned i = 0; i < options->concrete; i++) {
        struct warp_case c;
        struct concrete spec = {.proof = proof, .c = &c, .function = "spec_eval"};
        struct concrete fast = {.proof = proof, .c = &c, .function = "eval", .state = proof->state};
        random_case(&c, proof->info, &seed);
        if (!agrees(proof, proof->spec, &spec, options->spec) ||
            (proof->fast != NULL && !agrees(proof, proof->fast, &fast, options->fast)))
            return false;
    }
    return true;
}

/* --- a witness where the solver's is none ------------------------------------------------------------------------ */

#define NEAR_CASES  400u
#define OTHER_CASES 1600u
#define PLAIN_CASES 800u /* with lanes outside their membermasks, and lanes that wait */

/* Floats of every class, and numbers at which comparisons change. */
static uint32_t special(struct random *seed)
{
    static const uint32_t words[] = {0,           0x80000000u, 1,           0x80000001u, 0x3f800000u, 0xbf800000u,
                                     0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00001u, 0x7f800001u, 0x7fffffffu,
                                     0xffffffffu, 0x007fffffu, 0x807fffffu, 0x7f7fffffu};
    return words[random_word(seed) % (sizeof words / sizeof *words)];
}

static uint32_t some_word(const struct warp_case *like, struct random *seed)
{
    switch (random_word(seed) % 4) {
    case 0:
        return special(seed);
    case 1:
        return random_word(seed) & random_word(seed) % 64;
    default:
        return like->a[random_word(seed) % WARP_LANES];
    }
}

/* Puts each lane into one of n groups, which are complete but for a lane now and then. */
static void split_warp(struct warp_case *c, unsigned n, struct random *seed)
{
    lanemask groups[WARP_LANES] = {0};
    unsigned of[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        of[k] = random_word(seed) % n;
        groups[of[k]] |= 1u << k;
    }
    c->exited = random_word(seed) % 2 == 0 ? 0 : random_word(seed) & random_word(seed) & random_word(seed);
    c->active = ~c->exited & (random_word(seed) % 8 == 0 ? random_word(seed) : UINT32_MAX);
    for (unsigned k = 0; k < WARP_LANES; k++)
        c->membermask[k] = groups[of[k]];
}

/* A few lanes of the solver's case in one group, or many groups, with its operands and special ones. */
static void near_case(struct warp_case *c, const struct warp_case *like, const struct warp_form_info *info,
                      struct random *seed)
{
    *c = *like;
    c->form = info->form;
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (random_word(seed) % 4 == 0)
            c->a[k] = some_word(like, seed);
    if (random_word(seed) % 2 == 0) {
        split_warp(c, 1 + random_word(seed) % WARP_LANES, seed);
    } else {
        c->exited = 0;
        c->active = random_word(seed) % 4 == 0
                        ? UINT32_MAX
                        : 1u << random_word(seed) % WARP_LANES | (random_word(seed) & random_word(seed));
        for (unsigned k = 0; k < WARP_LANES; k++)
            c->membermask[k] = c->active;
    }
    warp_case_repair(c);
    c->form = info->form;
    warp_case_repair(c);
}

static bool is_witness(struct proof *proof, const struct warp_case *c)
{
    struct compiled_outcome *o = proof->d.outcome;
    if (warp_case_check(c) != NULL || !confirm_case(proof, c))
        return false;
    o->witness = *c;
    o->has_witness = true;
    return true;
}

bool confirm_witness(struct proof *proof)
{
    struct compiled_outcome *o = proof->d.outcome;
    struct warp_case like, c;
    struct random seed = {1}, plain_seed = {2};
    if (o->has_witness && confirm_case(proof, &o->witness))
        return true;
    random_case(&like, proof->info, &seed);
    if (o->has_witness)
        like = o->witness;
    for (unsigned i = 0; i < NEAR_CASES + HINTED_CASES + OTHER_CASES; i++) {
        struct warp_case base = like;
        if (i >= NEAR_CASES)
            random_case(&base, proof->info, &seed);
        if (i >= NEAR_CASES && i < NEAR_CASES + HINTED_CASES)
            hinted_case(&c, &base, &proof->d.hints, i - NEAR_CASES, &seed);
        else
            near_case(&c, &base, proof->info, &seed);
        if (is_witness(proof, &c))
            return true;
        if (i >= PLAIN_CASES)
            continue;
        random_case(&c, proof->info, &plain_seed);
        if (is_witness(proof, &c))
            return true;
    }
    return false;
}
