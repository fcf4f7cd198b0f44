#include "proofs/case_split.h"

#include "model/spec/spec.h"
#include "proofs/number.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static term unknown(struct smt *s, struct case_split *split, Z3_sort sort, const char *name, unsigned lane)
{
    char full[32];
    term x;
    snprintf(full, sizeof full, "%s[%u]", name, lane);
    x = term_constant(s, sort, full);
    for (size_t i = 0; i < split->unknown_count; i++)
        if (split->unknowns[i] == x)
            return x;
    if (split->unknown_count < SPLIT_UNKNOWNS)
        split->unknowns[split->unknown_count++] = x;
    return x;
}

static void choose(struct smt *s, struct case_split *split, struct split_choice *choice, const char *name)
{
    for (unsigned i = 0; i < choice->n; i++)
        choice->when[i] = i + 1 == choice->n ? term_bool(s, true) : unknown(s, split, s->bool_sort, name, i);
}

/* The property of the number that is chosen, from the property of each number. */
static term of_choice(struct smt *s, const struct case_split *split, const struct split_choice *choice,
                      bool (*property)(const struct warp_form_info *info, uint32_t number))
{
    term x = term_bool(s, property(split->info, (uint32_t)choice->number[choice->n - 1]));
    for (unsigned i = choice->n - 1; i-- > 0;)
        x = b_ite(s, choice->when[i], term_bool(s, property(split->info, (uint32_t)choice->number[i])), x);
    return x;
}

static bool needs_convergence(const struct warp_form_info *info, uint32_t target)
{
    (void)info;
    return warp_target_needs_convergence(target);
}

static bool is_dst_of(const struct warp_form_info *info, uint32_t wanted, uint32_t dst)
{
    if ((info->destinations >> dst & 1u) == 0)
        return false;
    return wanted == SPLIT_ALL_DSTS || wanted == dst ||
           wanted == SPLIT_DSTS(warp_form_writes_d(info, dst), warp_form_writes_p(info, dst));
}

static void choose_target_and_dst(struct smt *s, struct case_split *split, uint32_t target, uint32_t dst)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL && split->target.n < SPLIT_CHOICES; i++)
        if (target == SPLIT_ALL_TARGETS ? warp_legal_from(split->info, t->target) != 0 : t->target == target)
            split->target.number[split->target.n++] = t->target;
    for (uint32_t i = 0; i < WARP_DST_COUNT; i++)
        if (is_dst_of(split->info, dst, i))
            split->dst.number[split->dst.n++] = i;
    choose(s, split, &split->target, "target");
    choose(s, split, &split->dst, "dst");
    split->convergence = of_choice(s, split, &split->target, needs_convergence);
    split->writes_d = of_choice(s, split, &split->dst, warp_form_writes_d);
    split->writes_p = of_choice(s, split, &split->dst, warp_form_writes_p);
}

/* A complete group: every lane is a member, an active lane outside M, exited, or none of these. */
static void complete_lane(struct smt *s, struct case_split *split, unsigned k)
{
    const unsigned given = split->lane;
    const bool is_sync = warp_form_is_sync(split->info);
    term yes = term_bool(s, true), no = term_bool(s, false);
    term g = unknown(s, split, s->bool_sort, "g", k), u = unknown(s, split, s->bool_sort, "u", k);
    term e = unknown(s, split, s->bool_sort, "e", k), x = unknown(s, split, s->bool_sort, "x", k);
    switch (split->kind) {
    case SPLIT_LANE:
        g = k == given ? yes : g;
        break;
    case SPLIT_LED:
        g = k < given ? no : k == given ? yes : g;
        break;
    case SPLIT_FULL:
        g = yes;
        break;
    case SPLIT_FIRST:
        g = k < given ? no : g;
        u = k < given ? no : k == given ? yes : u;
        e = k == given ? no : e;
        break;
    case SPLIT_ANY:
        break;
    case SPLIT_OUTSIDE:
    case SPLIT_MISSING:
    case SPLIT_NOBODY:
        g = no;
        u = split->kind == SPLIT_NOBODY || k < given ? no : k == given ? yes : u;
        e = split->kind == SPLIT_OUTSIDE && k == given ? no : e;
        break;
    }
    if (!is_sync)
        u = x = no;
    split->group[k] = g;
    split->active[k] = b_or(s, g, b_and(s, u, b_not(s, e)));
    split->exited[k] = b_and(s, e, b_not(s, g));
    split->member[k] = is_sync ? b_or(s, g, b_and(s, split->exited[k], x)) : no;
    split->undefined[k] = b_and(s, split->active[k], b_not(s, g));
    split->waiting[k] = split->missing[k] = no;
}

static void missing_lane(struct smt *s, struct case_split *split, unsigned k)
{
    const unsigned given = split->lane;
    term e = unknown(s, split, s->bool_sort, "e", k), u = unknown(s, split, s->bool_sort, "u", k);
    term m = unknown(s, split, s->bool_sort, "x", k), members;
    if (k <= given)
        u = term_bool(s, k == given);
    if (k == given)
        e = term_bool(s, false);
    split->group[k] = term_bool(s, false);
    split->active[k] = b_and(s, u, b_not(s, e));
    split->exited[k] = e;
    split->member[k] = m;
    members = b_and(s, split->active[k], m);
    split->undefined[k] = b_and(s, split->active[k], b_or(s, b_not(s, m), split->convergence));
    split->waiting[k] = b_and(s, members, b_not(s, split->convergence));
    split->missing[k] = b_and(s, m, b_not(s, b_or(s, e, split->active[k])));
}

void split_make(struct smt *s, struct case_split *split, const struct warp_form_info *info, uint32_t target,
                uint32_t dst, enum split_kind kind, unsigned lane)
{
    term none[WARP_LANES];
    memset(split, 0, sizeof *split);
    split->info = info;
    split->kind = kind;
    split->lane = lane;
    choose_target_and_dst(s, split, target, dst);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (kind == SPLIT_MISSING)
            missing_lane(s, split, k);
        else
            complete_lane(s, split, k);
        none[k] = kind == SPLIT_MISSING ? b_not(s, split->missing[k]) : split->group[k];
    }
    if (kind == SPLIT_MISSING || kind == SPLIT_LED) /* some lane is missing; some lane is not in the group */
        split->assumption = b_not(s, b_all(s, none, WARP_LANES));
}

static void put(struct machine *machine, unsigned object, size_t at, const struct scalar *x)
{
    memory_store(&machine->m, &machine->now, object, machine->sizes[object], at, x);
}

/* A word with one unknown bit. */
static const struct scalar *predicate(struct maker *m, term b)
{
    term bits[32];
    bits[0] = b;
    for (unsigned i = 1; i < 32; i++)
        bits[i] = term_bool(m->s, false);
    return make_bits(m, 32, bits);
}

static void put_operands(struct machine *machine, struct case_split *split, unsigned object, unsigned k)
{
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    const struct warp_form_info *info = split->info;
    const size_t at = k * sizeof(uint32_t);
    if (info->type == WARP_PRED)
        put(machine, object, offsetof(struct warp_case, a) + at, predicate(m, unknown(s, split, s->bool_sort, "q", k)));
    else if (info->type != WARP_NO_SOURCE)
        put(machine, object, offsetof(struct warp_case, a) + at, make_term(m, unknown(s, split, s->word_sort, "a", k)));
    if (info->type == WARP_B64)
        put(machine, object, offsetof(struct warp_case, a_high) + at,
            make_term(m, unknown(s, split, s->word_sort, "h", k)));
    if (warp_form_is_shfl(info)) {
        put(machine, object, offsetof(struct warp_case, b) + at, make_term(m, unknown(s, split, s->word_sort, "b", k)));
        put(machine, object, offsetof(struct warp_case, c) + at, make_term(m, unknown(s, split, s->word_sort, "c", k)));
    }
    if (warp_form_is_sync(info))
        put(machine, object, offsetof(struct warp_case, membermask) + at,
            make_term(m, v_ite(s, split->active[k], split->members, unknown(s, split, s->word_sort, "y", k))));
}

static void define_members(struct maker *m, struct case_split *split)
{
    term *bits = arena_take(&m->arena, sizeof split->member);
    memcpy(bits, split->member, sizeof split->member);
    split->members = term_constant(m->s, m->s->word_sort, "M");
    m->defined = smt_grow(m->defined, m->defined_count + 1, sizeof *m->defined);
    m->defined[m->defined_count].word = split->members;
    m->defined[m->defined_count++].bits = bits;
}

static const struct scalar *chosen(struct maker *m, const struct split_choice *choice)
{
    return make_choice(m, 32, choice->n, choice->when, choice->number);
}

unsigned split_case(struct machine *machine, struct case_split *split)
{
    struct maker *m = &machine->m;
    const unsigned object = machine_object(machine, "the case", sizeof(struct warp_case), _Alignof(struct warp_case));
    for (size_t i = 0; i < sizeof(struct warp_case); i += 4)
        put(machine, object, i, make_known(m, 32, 0));
    put(machine, object, offsetof(struct warp_case, form), make_known(m, 32, split->info->form));
    put(machine, object, offsetof(struct warp_case, target), chosen(m, &split->target));
    put(machine, object, offsetof(struct warp_case, dst), chosen(m, &split->dst));
    if (split->info->type == WARP_PRED)
        put(machine, object, offsetof(struct warp_case, negate),
            predicate(m, unknown(m->s, split, m->s->bool_sort, "negate", 0)));
    put(machine, object, offsetof(struct warp_case, exited), make_bits(m, 32, split->exited));
    put(machine, object, offsetof(struct warp_case, active), make_bits(m, 32, split->active));
    define_members(m, split);
    for (unsigned k = 0; k < WARP_LANES; k++)
        put_operands(machine, split, object, k);
    machine->objects[object].constant = true;
    split->object = object;
    return object;
}

static const struct scalar *byte_of_bool(struct maker *m, term b)
{
    return scalar_concat(m, make_known(m, 7, 0), make_bool(m, b));
}

/* Writes in place of spec_wait what it would have written. The groups of other lanes are arbitrary. */
static bool give_outcome(struct machine *machine, void *context, const char *name, const struct value *const *a,
                         unsigned n, const struct value **result)
{
    struct case_split *split = context;
    struct maker *m = &machine->m;
    const struct scalar *group;
    unsigned w, r;
    if (strcmp(name, "spec_wait") != 0)
        return false;
    if (n != 4 || a[2]->e[0]->number != 0 || a[3]->e[0]->number != 0 ||
        machine->sizes[a[2]->e[0]->object] != sizeof(struct spec_warp))
        fail(m, "spec_wait has other parameters than the proof expects");
    w = a[2]->e[0]->object;
    r = a[3]->e[0]->object;
    group = make_bits(m, 32, split->group);
    put(machine, w, offsetof(struct spec_warp, c), a[0]->e[0]);
    put(machine, w, offsetof(struct spec_warp, info), a[1]->e[0]);
    put(machine, w, offsetof(struct spec_warp, writes_d), byte_of_bool(m, split->writes_d));
    put(machine, w, offsetof(struct spec_warp, writes_p), byte_of_bool(m, split->writes_p));
    put(machine, w, offsetof(struct spec_warp, done), group);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term other[32];
        for (unsigned i = 0; i < 32;
             i++) { /* the same names in every run, so that the same claims are the same terms */
            char full[32];
            snprintf(full, sizeof full, "other[%u][%u]", k, i);
            other[i] = term_constant(m->s, m->s->bool_sort, full);
        }
        put(machine, w, offsetof(struct spec_warp, group) + 4 * k,
            scalar_select(m, split->group[k], group, make_bits(m, 32, other)));
    }
    put(machine, r, offsetof(struct warp_result, done), group);
    put(machine, r, offsetof(struct warp_result, undefined), make_bits(m, 32, split->undefined));
    *result = NULL;
    return true;
}

static const struct scalar *field(struct machine *machine, unsigned object, size_t at)
{
    return memory_load(&machine->m, &machine->now, object, at, 32);
}

static void read_mask(struct machine *machine, unsigned object, size_t at, term bits[WARP_LANES],
                      struct split_result *r)
{
    const struct scalar *x = field(machine, object, at);
    as_bits(&machine->m, x, bits);
    r->poison = poison_or(&machine->m, r->poison, x->poison);
}

static void read_result(struct machine *machine, unsigned object, struct split_result *r)
{
    struct maker *m = &machine->m;
    *r = (struct split_result){.reserved = term_bool(m->s, true)};
    for (unsigned k = 0; k < WARP_LANES; k++) {
        r->d[k] = need_data(m, field(machine, object, offsetof(struct warp_result, d) + 4 * k));
        r->waits_for[k] = need_data(m, field(machine, object, offsetof(struct warp_result, waits_for) + 4 * k));
        r->poison = poison_or(m, r->poison, r->waits_for[k]->poison);
    }
    read_mask(machine, object, offsetof(struct warp_result, p), r->p, r);
    read_mask(machine, object, offsetof(struct warp_result, d_defined), r->d_defined, r);
    read_mask(machine, object, offsetof(struct warp_result, done), r->done, r);
    read_mask(machine, object, offsetof(struct warp_result, waiting), r->waiting, r);
    read_mask(machine, object, offsetof(struct warp_result, undefined), r->undefined, r);
    for (size_t at = offsetof(struct warp_result, reserved); at < sizeof(struct warp_result); at += 4) {
        const struct scalar *x = field(machine, object, at);
        r->poison = poison_or(m, r->poison, x->poison);
        r->reserved = b_and(m->s, r->reserved, v_eq(m->s, as_term(m, x), v_number(m->s, 0, 32)));
    }
}

static void run(struct machine *machine, struct case_split *split, const char *function, const char *state,
                struct split_result *result)
{
    struct maker *m = &machine->m;
    const struct scalar *null = make_pointer(m, 0, 0, NULL, 1);
    const unsigned c = split_case(machine, split);
    const unsigned r = machine_object(machine, "the result", sizeof(struct warp_result), _Alignof(struct warp_result));
    const struct value *a[6], *returned;
    LLVMValueRef variable = state == NULL ? NULL : LLVMGetNamedGlobal(machine->module, state);
    split->result_object = r;
    if (state != NULL && variable == NULL)
        fail(m, "the bitcode has no variable '%s'", state);
    a[0] = make_value(m, variable == NULL ? null : machine_global(machine, variable));
    a[1] = make_value(m, machine_address(machine, c, 0));
    a[2] = make_value(m, make_known(m, 64, 1));
    a[3] = make_value(m, machine_address(machine, r, 0));
    a[4] = make_value(m, null);
    a[5] = make_value(m, make_known(m, 64, 0));
    if (split->assumption != NULL)
        machine_assume_here(machine, split->assumption);
    returned = machine_call(machine, function, a, 6);
    read_result(machine, r, result);
    result->returned = returned == NULL ? NULL : need_data(m, returned->e[0]);
}

void split_run(struct machine *machine, struct case_split *split, const char *function, const char *state,
               bool outcome_given, struct split_result *result)
{
    machine->hook = outcome_given ? give_outcome : NULL;
    machine->hook_context = split;
    run(machine, split, function, state, result);
}

void split_run_hooked(struct machine *machine, struct case_split *split, const char *function, const char *state,
                      machine_hook hook, void *context, struct split_result *result)
{
    machine->hook = hook;
    machine->hook_context = context;
    run(machine, split, function, state, result);
}

struct wait_watch {
    const struct case_split *split;
    term fits; /* NULL: the instruction was not reached */
};

/* In place of the instruction. */
static bool watch_wait(struct machine *machine, void *context, const char *name, const struct value *const *a,
                       unsigned n, const struct value **result)
{
    struct wait_watch *watch = context;
    struct maker *m = &machine->m;
    term bits[WARP_LANES];
    unsigned w;
    if (strncmp(name, "spec_", 5) != 0 || n != 2 || strcmp(name, "spec_wait") == 0)
        return false;
    w = a[0]->e[0]->object;
    if (machine->sizes[w] != sizeof(struct spec_warp))
        fail(m, "'%s' has other parameters than the proof expects", name);
    as_bits(m, field(machine, w, offsetof(struct spec_warp, done)), bits);
    watch->fits = term_bool(m->s, true);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const struct scalar *group = field(machine, w, offsetof(struct spec_warp, group) + 4 * k);
        term same = as_bool(m, arith_compare(m, LLVMIntEQ, group, make_bits(m, 32, watch->split->group)));
        if (group->poison != NULL)
            same = b_and(m->s, same, b_not(m->s, group->poison));
        same = b_or(m->s, b_not(m->s, watch->split->group[k]), same);
        watch->fits =
            b_and(m->s, watch->fits, b_and(m->s, same, b_not(m->s, b_xor(m->s, bits[k], watch->split->group[k]))));
    }
    *result = NULL;
    return true;
}

void split_run_wait(struct machine *machine, struct case_split *split, const char *function,
                    struct split_result *result, term *fits)
{
    struct wait_watch watch = {split, NULL};
    machine->hook = watch_wait;
    machine->hook_context = &watch;
    run(machine, split, function, NULL, result);
    if (watch.fits == NULL)
        fail(&machine->m, "%s does not come to an instruction", function);
    *fits = watch.fits;
}

/* --- the case behind a model --- */

/* x where the unknowns have these values; false: it is no number then. */
static bool valuation_of(const struct valuation *v, term x, uint64_t *value)
{
    const size_t mark = smt_mark(v->s);
    bool ok;
    x = smt_keep(v->s, Z3_substitute(v->s->z3, x, (unsigned)v->n, v->from, v->to));
    ok = term_value(v->s, smt_keep(v->s, Z3_simplify(v->s->z3, x)), value);
    smt_release(v->s, mark);
    return ok;
}

static bool valuation_mask(const struct valuation *v, const term bits[WARP_LANES], lanemask *mask)
{
    const size_t mark = smt_mark(v->s);
    term word = NULL;
    uint64_t value = 0;
    bool ok;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term bit = term_ite(v->s, bits[k], v_number(v->s, 1, 1), v_number(v->s, 0, 1));
        word = word == NULL ? bit : term_concat(v->s, bit, word);
    }
    ok = valuation_of(v, word, &value);
    smt_release(v->s, mark);
    *mask = (lanemask)value;
    return ok;
}

void valuation_ready(struct valuation *v, struct smt *s, const struct case_split *split)
{
    lanemask members = 0;
    v->s = s;
    v->split = split;
    for (v->n = 0; v->n < split->unknown_count; v->n++) {
        const unsigned width = term_width(s, split->unknowns[v->n]);
        v->from[v->n] = split->unknowns[v->n];
        v->to[v->n] = width == 0 ? term_bool(s, v->values[v->n] != 0) : v_number(s, v->values[v->n], width);
    }
    if (split->members == NULL)
        return;
    valuation_mask(v, split->member, &members);
    v->from[v->n] = split->members;
    v->to[v->n++] = v_number(s, members, 32);
}

/* The value of the unknown NAME[LANE]; 0 when the case split has none. */
static uint32_t named(const struct valuation *v, const char *name, unsigned lane)
{
    char full[32];
    snprintf(full, sizeof full, "%s[%u]", name, lane);
    for (size_t i = 0; i < v->split->unknown_count; i++) {
        Z3_app app = Z3_to_app(v->s->z3, v->split->unknowns[i]);
        Z3_symbol symbol = Z3_get_decl_name(v->s->z3, Z3_get_app_decl(v->s->z3, app));
        if (strcmp(Z3_get_symbol_string(v->s->z3, symbol), full) == 0)
            return (uint32_t)v->values[i];
    }
    return 0;
}

static uint32_t chosen_number(const struct valuation *v, const struct split_choice *choice, const char *name)
{
    for (unsigned i = 0; i + 1 < choice->n; i++)
        if (named(v, name, i) != 0)
            return (uint32_t)choice->number[i];
    return (uint32_t)choice->number[choice->n - 1];
}

void valuation_case(const struct valuation *v, struct warp_case *c)
{
    const struct case_split *split = v->split;
    const char *a = split->info->type == WARP_PRED ? "q" : "a";
    lanemask members = 0;
    warp_case_init(c, split->info->form);
    c->target = chosen_number(v, &split->target, "target");
    c->dst = chosen_number(v, &split->dst, "dst");
    c->negate = named(v, "negate", 0);
    valuation_mask(v, split->active, &c->active);
    valuation_mask(v, split->exited, &c->exited);
    valuation_mask(v, split->member, &members);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        c->a[k] = named(v, a, k);
        c->a_high[k] = named(v, "h", k);
        c->b[k] = named(v, "b", k);
        c->c[k] = named(v, "c", k);
        if (warp_form_is_sync(split->info))
            c->membermask[k] = c->active >> k & 1u ? members : named(v, "y", k);
    }
}
