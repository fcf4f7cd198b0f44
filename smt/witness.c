#include "smt/witness.h"

#include "smt/term_compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that has a value so far: unknowns first, then the results of the warps that were executed. */
struct known {
    struct smt *s;
    Z3_model model;
    struct term_list from, to;
};

static term zero_of(struct smt *s, term x)
{
    unsigned width = term_width(s, x);
    return width == 0 ? term_bool(s, false) : term_bits(s, 0, width);
}

static term assigned(const struct assignment *values, term unknown)
{
    for (size_t i = 0; i < values->unknown.count; i++)
        if (values->unknown.items[i] == unknown)
            return values->value.items[i];
    return NULL;
}

static void know(struct known *k, term x, term value)
{
    term_list_add(&k->from, x);
    term_list_add(&k->to, value);
}

static void know_unknowns(struct known *k, const struct witness *w)
{
    for (size_t i = 0; i < w->g->unknowns.count; i++) {
        term x = w->g->unknowns.items[i];
        term value = assigned(w->values, x);
        know(k, x, value != NULL ? value : zero_of(k->s, x));
    }
}

static term known_value(const struct known *k, term x)
{
    for (size_t i = 0; i < k->from.count; i++)
        if (k->from.items[i] == x)
            return k->to.items[i];
    return NULL;
}

/* False when something in x has no value. Functions without a fixed meaning get theirs from the solver's model. */
static bool evaluate(struct known *k, term x, uint64_t *value)
{
    Z3_ast result = NULL;
    term literal = known_value(k, x);
    if (term_value(k->s, literal != NULL ? literal : x, value))
        return true;
    x = term_simplify(k->s, term_substitute(k->s, x, k->from.items, k->to.items, k->from.count));
    if (term_value(k->s, x, value))
        return true;
    if (k->model == NULL || !Z3_model_eval(k->s->z3, k->model, x, true, &result))
        return false;
    return term_value(k->s, smt_keep(k->s, result), value);
}

/* Evaluates all at once, as the arguments of one term, so that shared parts are evaluated once. */
static bool evaluate_all(struct known *k, const term *x, size_t n, uint64_t *values)
{
    Z3_context z3 = k->s->z3;
    Z3_sort *sorts = smt_grow(NULL, n + 1, sizeof *sorts);
    Z3_func_decl tuple;
    term all;
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        sorts[i] = Z3_get_sort(z3, x[i]);
    tuple = Z3_mk_func_decl(z3, Z3_mk_string_symbol(z3, "all"), (unsigned)n, sorts, k->s->bool_sort);
    smt_keep(k->s, Z3_func_decl_to_ast(z3, tuple));
    all = smt_keep(k->s, Z3_mk_app(z3, tuple, (unsigned)n, x));
    all = term_simplify(k->s, term_substitute(k->s, all, k->from.items, k->to.items, k->from.count));
    for (size_t i = 0; i < n && ok; i++)
        ok = evaluate(k, Z3_get_app_arg(z3, Z3_to_app(z3, all), (unsigned)i), &values[i]);
    free(sorts);
    return ok;
}

static bool evaluate_word(struct known *k, term x, uint32_t *word)
{
    uint64_t value = 0;
    bool ok = evaluate(k, x, &value);
    *word = (uint32_t)value;
    return ok;
}

/* The least target for which the form is legal, on the wanted side of the convergence rule. */
static uint32_t choose_target(const struct warp_form_info *info, bool convergence)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (warp_legal_from(info, t->target) != 0 && warp_target_needs_convergence(t->target) == convergence)
            return t->target;
    return warp_form_least_target(info);
}

enum { FIELDS = 4 + 4 * WARP_LANES };

static bool make_case(struct known *k, const struct smt_warp *w, struct warp_case *c)
{
    term fields[FIELDS] = {w->convergence, w->negate, w->exited, w->active};
    uint64_t values[FIELDS];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        fields[4 + 4 * lane] = w->a[lane];
        fields[5 + 4 * lane] = w->b[lane];
        fields[6 + 4 * lane] = w->c[lane];
        fields[7 + 4 * lane] = w->membermask[lane];
    }
    if (!evaluate_all(k, fields, FIELDS, values))
        return false;
    warp_case_init(c, w->info->form);
    c->dst = w->dst;
    c->target = choose_target(w->info, values[0] != 0);
    c->negate = (uint32_t)values[1];
    c->exited = (uint32_t)values[2];
    c->active = (uint32_t)values[3];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->a[lane] = (uint32_t)values[4 + 4 * lane];
        c->a_high[lane] = (uint32_t)(values[4 + 4 * lane] >> 32);
        c->b[lane] = (uint32_t)values[5 + 4 * lane];
        c->c[lane] = (uint32_t)values[6 + 4 * lane];
        c->membermask[lane] = (uint32_t)values[7 + 4 * lane];
    }
    return warp_case_check(c) == NULL;
}

static void know_bit(struct known *k, term x, lanemask mask, uint32_t lane)
{
    know(k, x, term_bool(k->s, mask >> (lane & 31) & 1u));
}

/* The implementation's result for one lane. A d that is not defined keeps the value that the solver chose. */
static bool know_result(struct known *k, const struct goal_result *g, const struct warp_result *r)
{
    uint32_t lane;
    uint32_t d;
    if (!evaluate_word(k, g->lane, &lane) || !evaluate_word(k, g->shown.unpredictable, &d))
        return false;
    if (lane >= WARP_LANES)
        return false;
    if (r->d_defined >> lane & 1u)
        d = r->d[lane];
    know_bit(k, g->shown.done, r->done, lane);
    know_bit(k, g->shown.waiting, r->waiting, lane);
    know_bit(k, g->shown.undefined, r->undefined, lane);
    know_bit(k, g->shown.d_defined, r->d_defined, lane);
    know_bit(k, g->shown.p, r->p, lane);
    know(k, g->shown.d, term_word(k->s, d));
    know(k, g->shown.waits_for, term_word(k->s, r->waits_for[lane]));
    return true;
}

static enum replayed run_warp(struct known *k, const struct goal *g, size_t i, const struct warp_impl *impl,
                              struct warp_case *c)
{
    struct warp_result r;
    char error[128];
    if (!make_case(k, g->warps[i], c))
        return REPLAY_NO_CASE;
    if (impl == NULL)
        return REPLAY_REFUTES;
    memset(&r, 0, sizeof r);
    if (!warp_impl_accepts(impl, c, error, sizeof error) || !impl->eval(impl->state, c, 1, &r, error, sizeof error))
        return REPLAY_NO_ANSWER;
    for (size_t j = 0; j < g->results_count; j++)
        if (g->results[j].warp == i && !know_result(k, &g->results[j], &r))
            return REPLAY_NO_CASE;
    return REPLAY_REFUTES;
}

static void know_encoding(struct known *k, const struct goal *g)
{
    size_t n = g->from.count;
    uint64_t *values = smt_grow(NULL, n + 1, sizeof *values);
    if (n > 0 && evaluate_all(k, g->to.items, n, values))
        for (size_t i = 0; i < n; i++) {
            unsigned width = term_width(k->s, g->from.items[i]);
            know(k, g->from.items[i], width == 0 ? term_bool(k->s, values[i] != 0) : term_bits(k->s, values[i], width));
        }
    free(values);
}

/* Are the hypotheses true and the claim false? */
static enum replayed judge(struct known *k, const struct witness *w)
{
    uint64_t value = 0;
    for (size_t i = 0; i < w->g->hypotheses.count; i++)
        if (!evaluate(k, w->g->hypotheses.items[i], &value) || value == 0)
            return REPLAY_DIFFERS;
    if (w->claim->when != NULL && (!evaluate(k, w->claim->when, &value) || value == 0))
        return REPLAY_DIFFERS;
    return evaluate(k, w->claim->claim, &value) && value == 0 ? REPLAY_REFUTES : REPLAY_DIFFERS;
}

/* Is every result what the encoding says? If not, the two differ, even if the claim fails for both. */
static bool agrees_with_encoding(struct known *k, const struct goal *g)
{
    size_t n = g->from.count;
    uint64_t *values = smt_grow(NULL, 2 * n + 1, sizeof *values);
    bool ok = n == 0 || (evaluate_all(k, g->from.items, n, values) && evaluate_all(k, g->to.items, n, values + n));
    for (size_t i = 0; i < n && ok; i++)
        ok = values[i] == values[n + i];
    free(values);
    return ok;
}

static enum replayed replay(const struct witness *w, const struct warp_impl *impl, struct warp_case *cases,
                            bool strictly)
{
    struct smt *s = w->g->s;
    size_t mark = smt_mark(s);
    struct known k = {s, w->values->model, {0}, {0}};
    enum replayed outcome = REPLAY_REFUTES;
    know_unknowns(&k, w);
    if (impl == NULL)
        know_encoding(&k, w->g);
    for (size_t i = 0; i < w->g->warps_count && outcome == REPLAY_REFUTES; i++)
        outcome = run_warp(&k, w->g, i, impl, &cases[i]);
    if (outcome == REPLAY_REFUTES)
        outcome = judge(&k, w);
    if (outcome == REPLAY_REFUTES && strictly && !agrees_with_encoding(&k, w->g))
        outcome = REPLAY_DIFFERS;
    term_list_free(&k.from);
    term_list_free(&k.to);
    smt_release(s, mark);
    return outcome;
}

enum replayed witness_replay(const struct witness *w, const struct warp_impl *impl, struct warp_case *cases)
{
    return replay(w, impl, cases, true);
}

/* Tries another value for the i-th unknown that has one; keeps it when the witness still refutes. */
static bool try_value(struct witness *w, const struct warp_impl *impl, size_t i, uint64_t candidate)
{
    struct smt *s = w->g->s;
    static struct warp_case cases[GOAL_WARPS];
    term old = w->values->value.items[i];
    unsigned width = term_width(s, old);
    w->values->value.items[i] = width == 0 ? term_bool(s, candidate != 0) : term_bits(s, candidate, width);
    if (replay(w, impl, cases, false) == REPLAY_REFUTES)
        return true;
    w->values->value.items[i] = old;
    return false;
}

static void reduce_mask(struct witness *w, const struct warp_impl *impl, size_t i, unsigned *limit)
{
    for (unsigned bit = 0; bit < 32 && *limit > 0; bit++) {
        uint64_t value = 0;
        term_value(w->g->s, w->values->value.items[i], &value);
        if (!(value >> bit & 1))
            continue;
        (*limit)--;
        try_value(w, impl, i, value & ~(UINT64_C(1) << bit));
    }
}

/* Takes a lane out of every mask that names it. */
static void drop_lane(struct witness *w, const struct warp_impl *impl, unsigned lane)
{
    struct smt *s = w->g->s;
    struct term_list *values = &w->values->value;
    static struct warp_case cases[GOAL_WARPS];
    term *old = smt_grow(NULL, values->count + 1, sizeof *old);
    bool changed = false;
    memcpy(old, values->items, values->count * sizeof *old);
    for (size_t i = 0; i < values->count; i++) {
        uint64_t value = 0;
        if (goal_mask_kind(w->g, w->values->unknown.items[i]) != GOAL_NO_MASK &&
            term_value(s, values->items[i], &value) && (value >> lane & 1u)) {
            values->items[i] = term_bits(s, value & ~(UINT64_C(1) << lane), term_width(s, values->items[i]));
            changed = true;
        }
    }
    if (changed && replay(w, impl, cases, false) != REPLAY_REFUTES)
        memcpy(values->items, old, values->count * sizeof *old);
    free(old);
}

/* Simplifies masks of lanes first: then the operands of removed lanes no longer matter. */
void witness_reduce(struct witness *w, const struct warp_impl *impl, unsigned limit)
{
    struct smt *s = w->g->s;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        drop_lane(w, impl, lane);
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < w->values->unknown.count && limit > 2; i++) {
            uint64_t value = 0;
            bool mask = goal_mask_kind(w->g, w->values->unknown.items[i]) == GOAL_WARP_MASK;
            if (mask != (pass == 0) || !term_value(s, w->values->value.items[i], &value) || value == 0)
                continue;
            limit--;
            if (try_value(w, impl, i, 0) || value == 1)
                continue;
            if (mask)
                reduce_mask(w, impl, i, &limit);
            else if (limit-- > 0 && !try_value(w, impl, i, 1) && value > 31 && limit-- > 0)
                try_value(w, impl, i, value & 31);
        }
}

static lanemask lanes_spoken_of(const struct witness *w, size_t warp)
{
    struct known k = {w->g->s, w->values->model, {0}, {0}};
    lanemask lanes = 0;
    know_unknowns(&k, w);
    for (size_t j = 0; j < w->g->results_count; j++) {
        uint32_t lane;
        if (w->g->results[j].warp == warp && evaluate_word(&k, w->g->results[j].lane, &lane) && lane < WARP_LANES)
            lanes |= 1u << lane;
    }
    term_list_free(&k.from);
    term_list_free(&k.to);
    return lanes;
}

static bool reaches(const struct warp_result *before, const struct warp_result *after, lanemask lanes)
{
    if (((before->p ^ after->p) | (before->done ^ after->done) | (before->d_defined ^ after->d_defined)) & lanes)
        return true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((lanes & before->d_defined) >> lane & 1u && before->d[lane] != after->d[lane])
            return true;
    return false;
}

static lanemask reaching_lanes(const struct warp_impl *impl, const struct warp_case *c, lanemask spoken)
{
    lanemask lanes = spoken;
    struct warp_result before, after;
    char error[64];
    if (impl == NULL || !impl->eval(impl->state, c, 1, &before, error, sizeof error))
        return lanes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct warp_case other = *c;
        other.a[lane] ^= 1u;
        if (warp_case_check(&other) == NULL && impl->eval(impl->state, &other, 1, &after, error, sizeof error) &&
            reaches(&before, &after, spoken))
            lanes |= 1u << lane;
    }
    return lanes;
}

/* Every constant with its value: unknowns, and the results by the encoding. The caller frees both lists. */
static void all_known(const struct witness *w, struct term_list *constants, struct term_list *values)
{
    struct known k = {w->g->s, w->values->model, {0}, {0}};
    know_unknowns(&k, w);
    know_encoding(&k, w->g);
    *constants = k.from;
    *values = k.to;
}

/* Finds the lanes that matter when warps feed each other: walks backwards from the claim, along the values that
 * refuted it. */
struct flow {
    const struct witness *w;
    struct smt *s;
    struct term_list known, values; /* constants with a value, and the value */
    struct term_list truths;        /* Bools, each kept at the place that `index` gives its id */
    uint64_t *truth;                /* and whether they hold */
    struct term_map seen;           /* 1: the walk was there */
    struct term_map index;          /* place in truths, plus 1 */
    lanemask *spoken;               /* of each warp: the lanes whose result is looked at */
};

static bool first_time(struct flow *f, term x)
{
    uint32_t *const seen = term_map_at(f->s, &f->seen, x);
    const bool first = *seen == 0;
    *seen = 1;
    return first;
}

static void gather(struct flow *f, term x)
{
    if (!first_time(f, x))
        return;
    if (Z3_get_sort(f->s->z3, x) == f->s->bool_sort) {
        term_list_add(&f->truths, x);
        *term_map_at(f->s, &f->index, x) = (uint32_t)f->truths.count;
    }
    for (unsigned i = 0; i < term_arguments(f->s, x); i++)
        gather(f, term_argument(f->s, x, i));
}

static bool holds(struct flow *f, term x)
{
    return f->truth[*term_map_at(f->s, &f->index, x) - 1] != 0;
}

/* The value of every Bool that the walk may meet; false when there is an operation that is not known. */
static bool find_truths(struct flow *f)
{
    struct term_code *code = term_compile(f->s, f->truths.items, f->truths.count, f->known.items, f->known.count, NULL);
    uint64_t *inputs = smt_grow(NULL, f->known.count + 1, sizeof *inputs);
    f->truth = smt_grow(NULL, f->truths.count + 1, sizeof *f->truth);
    for (size_t i = 0; i < f->known.count; i++) {
        inputs[i] = 0;
        term_value(f->s, f->values.items[i], &inputs[i]);
    }
    if (code != NULL)
        term_code_run(code, inputs, f->truth);
    term_code_free(code);
    free(inputs);
    return code != NULL;
}

static bool is_result(const struct goal_result *r, term x)
{
    const struct smt_lane *c = &r->shown;
    return x == c->done || x == c->waiting || x == c->undefined || x == c->d_defined || x == c->p || x == c->d ||
           x == c->waits_for;
}

static void speak_of(struct flow *f, term constant)
{
    const struct goal *g = f->w->g;
    for (size_t i = 0; i < g->results_count; i++)
        if (is_result(&g->results[i], constant)) {
            uint64_t lane = WARP_LANES;
            term x = term_substitute(g->s, g->results[i].lane, f->known.items, f->values.items, f->known.count);
            if (term_value(g->s, term_simplify(g->s, x), &lane) && lane < WARP_LANES)
                f->spoken[g->results[i].warp] |= 1u << lane;
            return;
        }
}

static void walk(struct flow *f, term x);

/* The first argument with this truth decides; without one all do. */
static void walk_some(struct flow *f, term x, bool deciding)
{
    for (unsigned i = 0; i < term_arguments(f->s, x); i++)
        if (holds(f, term_argument(f->s, x, i)) == deciding) {
            walk(f, term_argument(f->s, x, i));
            return;
        }
    for (unsigned i = 0; i < term_arguments(f->s, x); i++)
        walk(f, term_argument(f->s, x, i));
}

static void walk(struct flow *f, term x)
{
    unsigned n = term_arguments(f->s, x);
    if (!first_time(f, x))
        return;
    if (n == 0) {
        speak_of(f, x);
        return;
    }
    switch (term_kind(f->s, x)) {
    case Z3_OP_AND:
        walk_some(f, x, false);
        return;
    case Z3_OP_OR:
        walk_some(f, x, true);
        return;
    case Z3_OP_IMPLIES:
        if (!holds(f, term_argument(f->s, x, 0))) {
            walk(f, term_argument(f->s, x, 0));
            return;
        }
        break;
    case Z3_OP_ITE:
        walk(f, term_argument(f->s, x, 0));
        walk(f, term_argument(f->s, x, holds(f, term_argument(f->s, x, 0)) ? 1 : 2));
        return;
    default:
        break;
    }
    for (unsigned i = 0; i < n; i++)
        walk(f, term_argument(f->s, x, i));
}

static void gather_all(struct flow *f)
{
    const struct goal *g = f->w->g;
    gather(f, f->w->claim->claim);
    for (size_t i = 0; i < g->warps_count; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            gather(f, g->warps[i]->a[lane]);
            gather(f, g->warps[i]->b[lane]);
            gather(f, g->warps[i]->c[lane]);
            gather(f, g->warps[i]->membermask[lane]);
        }
}

static void walk_lanes(struct flow *f, const term operand[WARP_LANES], lanemask lanes)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1u)
            walk(f, operand[lane]);
}

static bool lanes_along_claim(const struct witness *w, const struct warp_impl *impl, const struct warp_case *cases,
                              lanemask lanes[GOAL_WARPS])
{
    const struct goal *g = w->g;
    lanemask spoken[GOAL_WARPS] = {0};
    struct flow f = {.w = w, .s = g->s, .spoken = spoken};
    bool ok;
    all_known(w, &f.known, &f.values);
    gather_all(&f);
    ok = find_truths(&f);
    term_map_free(&f.seen);
    if (ok)
        walk(&f, w->claim->claim);
    for (size_t i = g->warps_count; ok && i-- > 0;) {
        lanes[i] = reaching_lanes(impl, &cases[i], spoken[i]);
        walk_lanes(&f, g->warps[i]->a, lanes[i]);
        walk_lanes(&f, g->warps[i]->b, spoken[i]);
        walk_lanes(&f, g->warps[i]->c, spoken[i]);
        walk_lanes(&f, g->warps[i]->membermask, spoken[i]);
    }
    term_list_free(&f.known);
    term_list_free(&f.values);
    term_list_free(&f.truths);
    free(f.truth);
    term_map_free(&f.seen);
    term_map_free(&f.index);
    return ok;
}

void witness_lanes(const struct witness *w, const struct warp_impl *impl, const struct warp_case *cases,
                   lanemask lanes[GOAL_WARPS])
{
    if (w->g->warps_count > 1 && lanes_along_claim(w, impl, cases, lanes))
        return;
    for (size_t i = 0; i < w->g->warps_count; i++)
        lanes[i] = reaching_lanes(impl, &cases[i], lanes_spoken_of(w, i));
}

void witness_text(const struct witness *w, char *out, size_t size)
{
    struct known k = {w->g->s, w->values->model, {0}, {0}};
    size_t used = 0;
    out[0] = '\0';
    know_unknowns(&k, w);
    for (size_t i = 0; i < w->g->named_unknowns && used < size; i++) {
        uint64_t value = 0;
        term x = w->g->unknowns.items[i];
        int n;
        if (!evaluate(&k, x, &value))
            continue;
        n = snprintf(
            out + used, size - used, value < 10 ? "%s%s = %llu" : "%s%s = %#llx", used > 0 ? ", " : "",
            Z3_get_symbol_string(k.s->z3, Z3_get_decl_name(k.s->z3, Z3_get_app_decl(k.s->z3, Z3_to_app(k.s->z3, x)))),
            (unsigned long long)value);
        used += n > 0 ? (size_t)n : 0;
    }
    term_list_free(&k.from);
    term_list_free(&k.to);
}
