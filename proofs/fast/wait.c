#include "proofs/fast/wait.h"

#include "proofs/fast/spec_memory.h"

#include <stddef.h>
#include <string.h>

#define CLAIMS 160u

struct waiting {
    struct proof *proof;
    unsigned c, w, r; /* objects */
    term claims[CLAIMS];
    unsigned claim_count;
    /* spec_eval */
    unsigned waits, instructions;
    /* spec_wait */
    term called[WARP_LANES], active[WARP_LANES]; /* the lane settles its class; it is active */
    const struct scalar *here[WARP_LANES];
};

static void claim(struct waiting *waiting, struct maker *m, term claim)
{
    if (waiting->claim_count == CLAIMS)
        fail(m, "too many claims about the transcription");
    waiting->claims[waiting->claim_count++] = claim;
}

static bool decide_claims(struct proof *proof, const struct waiting *waiting, const char *what)
{
    for (unsigned i = 0; i < waiting->claim_count; i++)
        if (!decide(&proof->d, &proof->split, waiting->claims[i], what, WARP_LANES))
            return false;
    return proof_obligations(proof, proof->spec);
}

static const struct scalar *flag(struct maker *m, term b)
{
    return scalar_concat(m, make_known(m, 7, 0), make_bool(m, b));
}

static size_t group_at(unsigned k)
{
    return offsetof(struct spec_warp, group) + 4 * (size_t)k;
}

/* --- spec_eval ------------------------------------------------------------------------------------------------- */

static void need(struct machine *machine, bool condition, const char *name)
{
    if (!condition)
        fail(&machine->m, "'%s' is called in another way than the proof expects", name);
}

static bool at_start(const struct scalar *p, unsigned object)
{
    return p->kind == POINTER && p->object == object && p->number == 0 && p->index == NULL;
}

static bool watch_eval(struct machine *machine, void *context, const char *name, const struct value *const *a,
                       unsigned n, const struct value **result)
{
    struct waiting *waiting = context;
    struct proof *proof = waiting->proof;
    *result = NULL;
    if (strcmp(name, "spec_wait") == 0) {
        need(machine,
             n == 4 && waiting->waits == 0 && at_start(a[0]->e[0], proof->split.object) &&
                 scalar_same(a[1]->e[0], spec_memory_info(machine, &proof->split)) &&
                 at_start(a[3]->e[0], proof->split.result_object) &&
                 machine->sizes[a[2]->e[0]->object] == sizeof(struct spec_warp),
             name);
        for (size_t at = 0; at < sizeof(struct warp_result); at += 4)
            claim(waiting, &machine->m,
                  spec_memory_same(&machine->m, spec_memory_get(machine, proof->split.result_object, at, 32),
                                   make_known(&machine->m, 32, 0)));
        waiting->w = a[2]->e[0]->object;
        waiting->waits++;
        return true;
    }
    if (strcmp(name, spec_memory_instruction(proof->info)) != 0)
        return false;
    need(machine,
         n == 2 && waiting->waits == 1 && waiting->instructions == 0 && at_start(a[0]->e[0], waiting->w) &&
             at_start(a[1]->e[0], proof->split.result_object),
         name);
    waiting->instructions++;
    return true;
}

static void run_eval(struct machine *machine, void *context)
{
    struct waiting *waiting = context;
    split_run_hooked(machine, &waiting->proof->split, "spec_eval", NULL, watch_eval, waiting,
                     &waiting->proof->spec_result);
    if (waiting->waits != 1 || waiting->instructions != 1)
        fail(&machine->m, "spec_eval does not wait and then execute its instruction");
    for (size_t at = 0; at < sizeof(struct warp_result); at += 4) /* nothing after the instruction */
        claim(waiting, &machine->m,
              spec_memory_same(&machine->m, spec_memory_get(machine, waiting->proof->split.result_object, at, 32),
                               make_known(&machine->m, 32, 0)));
}

/* --- spec_wait ------------------------------------------------------------------------------------------------- */

/* Do the lanes pass the same membermask? Any equivalence. */
static term same_mask(struct smt *s, unsigned x, unsigned y)
{
    if (x == y)
        return term_bool(s, true);
    return spec_memory_bool(s, "same", x < y ? x : y, x < y ? y : x);
}

static void put_case(struct machine *machine, struct waiting *waiting)
{
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    term exited[WARP_LANES];
    waiting->c = split_case(machine, &waiting->proof->split);
    machine->objects[waiting->c].constant = false;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        waiting->active[k] = spec_memory_bool(s, "active", 0, k);
        exited[k] = b_and(s, spec_memory_bool(s, "exited", 0, k), b_not(s, waiting->active[k]));
        spec_memory_put(machine, waiting->c, offsetof(struct warp_case, membermask) + 4 * k,
                        spec_memory_word(m, "mm", k));
    }
    spec_memory_put(machine, waiting->c, offsetof(struct warp_case, active), make_bits(m, WARP_LANES, waiting->active));
    spec_memory_put(machine, waiting->c, offsetof(struct warp_case, exited), make_bits(m, WARP_LANES, exited));
    machine->objects[waiting->c].constant = true;
}

/* `arrived`: the active lanes that pass a membermask. */
static void run_arrived(struct machine *machine, void *context)
{
    struct waiting *waiting = context;
    struct maker *m = &machine->m;
    const struct value *a[2];
    term expected[WARP_LANES];
    const struct scalar *v = spec_memory_word(m, "v", 0);
    put_case(machine, waiting);
    a[0] = make_value(m, machine_address(machine, waiting->c, 0));
    a[1] = make_value(m, v);
    for (unsigned k = 0; k < WARP_LANES; k++)
        expected[k] =
            b_and(m->s, waiting->active[k], v_eq(m->s, as_term(m, spec_memory_word(m, "mm", k)), as_term(m, v)));
    machine->hook = NULL;
    claim(waiting, m,
          spec_memory_same(m, machine_call(machine, "arrived", a, 2)->e[0], make_bits(m, WARP_LANES, expected)));
}

static unsigned lane_of_mask(struct machine *machine, const struct scalar *mask)
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (mask->kind == TERM && mask->t == as_term(&machine->m, spec_memory_word(&machine->m, "mm", k)))
            return k;
    fail(&machine->m, "spec_wait looks for lanes with a membermask that no lane passes");
}

static bool watch_wait(struct machine *machine, void *context, const char *name, const struct value *const *a,
                       unsigned n, const struct value **result)
{
    struct waiting *waiting = context;
    struct maker *m = &machine->m;
    unsigned lane;
    *result = NULL;
    if (strcmp(name, "arrived") == 0) {
        term bits[WARP_LANES];
        need(machine, n == 2 && at_start(a[0]->e[0], waiting->c), name);
        lane = lane_of_mask(machine, a[1]->e[0]);
        for (unsigned k = 0; k < WARP_LANES; k++)
            bits[k] = b_and(m->s, waiting->active[k], same_mask(m->s, lane, k));
        waiting->here[lane] = make_bits(m, WARP_LANES, bits);
        *result = make_value(m, waiting->here[lane]);
        return true;
    }
    if (strcmp(name, "wait_for_specified_threads") != 0)
        return false;
    need(machine, n == 4 && at_start(a[0]->e[0], waiting->w) && at_start(a[1]->e[0], waiting->r), name);
    lane = lane_of_mask(machine, a[2]->e[0]);
    need(machine,
         waiting->here[lane] != NULL && scalar_same(a[3]->e[0], waiting->here[lane]) && waiting->called[lane] == NULL,
         name);
    waiting->called[lane] = b_all(m->s, machine->path, machine->path_count);
    return true;
}

static void put_result(struct machine *machine, struct waiting *waiting)
{
    waiting->w = machine_object(machine, "struct spec_warp", sizeof(struct spec_warp), _Alignof(struct spec_warp));
    waiting->r =
        machine_object(machine, "struct warp_result", sizeof(struct warp_result), _Alignof(struct warp_result));
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++)
        spec_memory_put(machine, waiting->r, 4 * (size_t)i, spec_memory_bits(&machine->m, "before", i));
}

/* Claims that only r->done may have changed. */
static void claim_result(struct machine *machine, struct waiting *waiting, const struct scalar *done)
{
    struct maker *m = &machine->m;
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++) {
        const bool is_done = 4 * (size_t)i == offsetof(struct warp_result, done);
        claim(waiting, m,
              spec_memory_same(m, spec_memory_get(machine, waiting->r, 4 * (size_t)i, 32),
                               is_done ? done : spec_memory_bits(m, "before", i)));
    }
}

static void run_wait(struct machine *machine, void *context)
{
    struct waiting *waiting = context;
    struct maker *m = &machine->m;
    const struct case_split *split = &waiting->proof->split;
    const bool is_sync = warp_form_is_sync(split->info);
    const struct scalar *info = spec_memory_info(machine, split), *active;
    const struct value *a[4];
    put_case(machine, waiting);
    put_result(machine, waiting);
    a[0] = make_value(m, machine_address(machine, waiting->c, 0));
    a[1] = make_value(m, info);
    a[2] = make_value(m, machine_address(machine, waiting->w, 0));
    a[3] = make_value(m, machine_address(machine, waiting->r, 0));
    machine->hook = watch_wait;
    machine->hook_context = waiting;
    machine->by_bits = true; /* lane by lane, as the bits of those say that are open */
    machine_call(machine, "spec_wait", a, 4);
    active = make_bits(m, WARP_LANES, waiting->active);
    need(machine,
         at_start(spec_memory_get(machine, waiting->w, offsetof(struct spec_warp, c), 64), waiting->c) &&
             scalar_same(spec_memory_get(machine, waiting->w, offsetof(struct spec_warp, info), 64), info),
         "spec_wait");
    claim(waiting, m,
          spec_memory_same(m, spec_memory_get(machine, waiting->w, offsetof(struct spec_warp, writes_d), 8),
                           flag(m, split->writes_d)));
    claim(waiting, m,
          spec_memory_same(m, spec_memory_get(machine, waiting->w, offsetof(struct spec_warp, writes_p), 8),
                           flag(m, split->writes_p)));
    claim(waiting, m,
          spec_memory_same(m, spec_memory_get(machine, waiting->w, offsetof(struct spec_warp, done), 32),
                           is_sync ? make_known(m, 32, 0) : active));
    claim_result(machine, waiting, is_sync ? make_known(m, 32, 0) : active);
    for (unsigned k = 0; k < WARP_LANES && !is_sync; k++)
        claim(waiting, m,
              b_or(m->s, b_not(m->s, waiting->active[k]),
                   spec_memory_same(m, spec_memory_get(machine, waiting->w, group_at(k), 32), active)));
}

/*
 * A lane settles its class just when it is active and in no class that a lower lane has settled. (So the lowest lane of
 * each class settles it, and no other does: by induction, since passing the same membermask is an equivalence.)
 */
static bool decide_leaders(struct proof *proof, const struct waiting *waiting)
{
    struct smt *s = proof->d.s;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term expected = waiting->active[k];
        if (waiting->called[k] == NULL)
            return proof_open(proof, "a lane of the transcription never settles a class");
        for (unsigned i = 0; i < k; i++)
            expected = b_and(s, expected, b_not(s, b_and(s, waiting->called[i], same_mask(s, i, k))));
        if (!decide(&proof->d, &proof->split, b_not(s, b_xor(s, waiting->called[k], expected)),
                    "which lane of the transcription settles a class", k))
            return false;
    }
    return true;
}

/* --- wait_for_specified_threads: one class --------------------------------------------------------------------- */

static void put_class(struct machine *machine, struct waiting *waiting, const struct scalar *here)
{
    struct maker *m = &machine->m;
    put_case(machine, waiting);
    put_result(machine, waiting);
    (void)here;
    spec_memory_put(machine, waiting->w, offsetof(struct spec_warp, c), machine_address(machine, waiting->c, 0));
    spec_memory_put(machine, waiting->w, offsetof(struct spec_warp, info),
                    spec_memory_info(machine, &waiting->proof->split));
    spec_memory_put(machine, waiting->w, offsetof(struct spec_warp, writes_d), make_known(m, 8, 1));
    spec_memory_put(machine, waiting->w, offsetof(struct spec_warp, writes_p), make_known(m, 8, 1));
    spec_memory_put(machine, waiting->w, offsetof(struct spec_warp, done), spec_memory_bits(m, "w.done", 0));
    for (unsigned k = 0; k < WARP_LANES; k++)
        spec_memory_put(machine, waiting->w, group_at(k), spec_memory_bits(m, "w.group", k));
}

static const struct scalar *joined(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    return arith_binary(m, LLVMOr, (struct flags){0}, x, y);
}

static const struct scalar *of_lanes(struct maker *m, term when, const term lanes[WARP_LANES])
{
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = b_and(m->s, when, lanes[k]);
    return make_bits(m, WARP_LANES, bits);
}

void wait_class(struct smt *s, const struct case_split *split, const term exited[WARP_LANES],
                const term mask[WARP_LANES], const term here[WARP_LANES], struct wait_class *c)
{
    c->complete = term_bool(s, true);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        c->members[k] = b_and(s, here[k], mask[k]);
        c->outside[k] = b_and(s, here[k], b_not(s, mask[k]));
        c->missing[k] = b_and(s, mask[k], b_not(s, b_or(s, exited[k], here[k])));
        c->complete = b_and(s, c->complete, b_not(s, c->missing[k]));
    }
    c->undefined = b_and(s, b_not(s, c->complete), split->convergence);
    c->waits = b_and(s, b_not(s, c->complete), b_not(s, split->convergence));
}

/* Claims what the class leaves. */
static void claim_class(struct machine *machine, struct waiting *waiting, const struct wait_class *c)
{
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    const term *members = c->members;
    term nobody = c->complete, waits = c->waits, undefined = c->undefined;
    claim(waiting, m,
          spec_memory_same(m, spec_memory_get(machine, waiting->w, offsetof(struct spec_warp, done), 32),
                           joined(m, spec_memory_bits(m, "w.done", 0), of_lanes(m, nobody, members))));
    for (unsigned k = 0; k < WARP_LANES; k++)
        claim(waiting, m,
              spec_memory_same(m, spec_memory_get(machine, waiting->w, group_at(k), 32),
                               scalar_select(m, b_and(s, nobody, members[k]), make_bits(m, WARP_LANES, members),
                                             spec_memory_bits(m, "w.group", k))));
    for (unsigned i = 0; i < sizeof(struct warp_result) / 4; i++) {
        const size_t at = 4 * (size_t)i, row = offsetof(struct warp_result, waits_for);
        const struct scalar *word = spec_memory_bits(m, "before", i);
        if (at == offsetof(struct warp_result, undefined))
            word = joined(m, word, joined(m, make_bits(m, WARP_LANES, c->outside), of_lanes(m, undefined, members)));
        else if (at == offsetof(struct warp_result, waiting))
            word = joined(m, word, of_lanes(m, waits, members));
        else if (at >= row && at < row + sizeof(uint32_t[WARP_LANES]))
            word =
                scalar_select(m, b_and(s, waits, members[(at - row) / 4]), make_bits(m, WARP_LANES, c->missing), word);
        claim(waiting, m, spec_memory_same(m, spec_memory_get(machine, waiting->r, at, 32), word));
    }
}

static void run_class(struct machine *machine, void *context)
{
    struct waiting *waiting = context;
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    term here[WARP_LANES], mask_bits[WARP_LANES], exited[WARP_LANES];
    struct wait_class c;
    const struct value *a[4];
    const struct scalar *mask = spec_memory_bits(m, "mask", 0);
    put_class(machine, waiting, NULL);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        mask_bits[k] = spec_memory_bool(s, "mask", 0, k);
        here[k] = b_and(s, waiting->active[k], spec_memory_bool(s, "here", 0, k));
        exited[k] = b_and(s, spec_memory_bool(s, "exited", 0, k), b_not(s, waiting->active[k]));
    }
    wait_class(s, &waiting->proof->split, exited, mask_bits, here, &c);
    a[0] = make_value(m, machine_address(machine, waiting->w, 0));
    a[1] = make_value(m, machine_address(machine, waiting->r, 0));
    a[2] = make_value(m, mask);
    a[3] = make_value(m, make_bits(m, WARP_LANES, here));
    machine->hook = NULL;
    machine_call(machine, "wait_for_specified_threads", a, 4);
    claim_class(machine, waiting, &c);
}

static bool prove_run(struct proof *proof, void (*run)(struct machine *, void *), const char *what)
{
    const size_t mark = smt_mark(proof->d.s);
    struct waiting waiting = {.proof = proof};
    bool ok;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    ok = proof_run(proof, proof->spec, run, &waiting);
    proof->split.members = NULL;
    ok = ok && decide_claims(proof, &waiting, what) &&
         (run != run_wait || !warp_form_is_sync(proof->info) || decide_leaders(proof, &waiting));
    smt_release(proof->d.s, mark);
    return ok;
}

bool wait_prove(struct proof *proof)
{
    if (!prove_run(proof, run_eval, "spec_eval around its instruction") || !prove_run(proof, run_wait, "spec_wait"))
        return false;
    return !warp_form_is_sync(proof->info) || (prove_run(proof, run_arrived, "which lanes have arrived") &&
                                               prove_run(proof, run_class, "the outcome of a class"));
}
