/* Which lanes of each warp matter to a witness: from the claim backwards, along the values that it was refuted with. */
#include "smt/flat.h"
#include "smt/replay.h"

#include <stdlib.h>
#include <string.h>

struct flow {
    const struct witness *w;
    Z3_context z3;
    struct term_list known, values; /* constants with a value, and the value */
    struct term_list truths;        /* Bools, each kept at the place that `index` gives its id */
    uint64_t *truth;                /* and whether they hold */
    bool *seen;                     /* by id */
    size_t *index;                  /* by id: place in truths + 1 */
    unsigned ids;
    lanemask *spoken; /* of each warp: the lanes whose result is looked at */
};

static unsigned id_of(const struct flow *f, term x)
{
    return Z3_get_ast_id(f->z3, x);
}

static bool first_time(struct flow *f, term x)
{
    unsigned id = id_of(f, x);
    if (id >= f->ids) {
        unsigned room = 2 * id + 64;
        f->seen = smt_grow(f->seen, room, sizeof *f->seen);
        f->index = smt_grow(f->index, room, sizeof *f->index);
        memset(f->seen + f->ids, 0, (room - f->ids) * sizeof *f->seen);
        memset(f->index + f->ids, 0, (room - f->ids) * sizeof *f->index);
        f->ids = room;
    }
    if (f->seen[id])
        return false;
    f->seen[id] = true;
    return true;
}

static unsigned arguments(const struct flow *f, term x)
{
    return Z3_get_ast_kind(f->z3, x) == Z3_APP_AST ? Z3_get_app_num_args(f->z3, Z3_to_app(f->z3, x)) : 0;
}

static term argument(const struct flow *f, term x, unsigned i)
{
    return Z3_get_app_arg(f->z3, Z3_to_app(f->z3, x), i);
}

static void collect(struct flow *f, term x)
{
    if (!first_time(f, x))
        return;
    if (Z3_get_sort(f->z3, x) == f->w->g->s->bool_sort) {
        term_list_add(&f->truths, x);
        f->index[id_of(f, x)] = f->truths.count;
    }
    for (unsigned i = 0; i < arguments(f, x); i++)
        collect(f, argument(f, x, i));
}

static bool holds(const struct flow *f, term x)
{
    return f->truth[f->index[id_of(f, x)] - 1] != 0;
}

/* The value of every Bool that the walk may meet; false when there is an operation that is not known. */
static bool evaluate(struct flow *f)
{
    struct smt *s = f->w->g->s;
    char why[120];
    struct flat *flat = flat_make(s, f->truths.items, f->truths.count, f->known.items, f->known.count, why, sizeof why);
    uint64_t *inputs = smt_grow(NULL, f->known.count + 1, sizeof *inputs);
    f->truth = smt_grow(NULL, f->truths.count + 1, sizeof *f->truth);
    for (size_t i = 0; i < f->known.count; i++) {
        inputs[i] = 0;
        term_value(s, f->values.items[i], &inputs[i]);
    }
    if (flat != NULL)
        flat_run(flat, inputs, f->truth);
    flat_free(flat);
    free(inputs);
    return flat != NULL;
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
    for (unsigned i = 0; i < arguments(f, x); i++)
        if (holds(f, argument(f, x, i)) == deciding) {
            walk(f, argument(f, x, i));
            return;
        }
    for (unsigned i = 0; i < arguments(f, x); i++)
        walk(f, argument(f, x, i));
}

static void walk(struct flow *f, term x)
{
    unsigned n = arguments(f, x);
    if (!first_time(f, x))
        return;
    if (n == 0) {
        speak_of(f, x);
        return;
    }
    switch (Z3_get_decl_kind(f->z3, Z3_get_app_decl(f->z3, Z3_to_app(f->z3, x)))) {
    case Z3_OP_AND:
        walk_some(f, x, false);
        return;
    case Z3_OP_OR:
        walk_some(f, x, true);
        return;
    case Z3_OP_IMPLIES:
        if (!holds(f, argument(f, x, 0))) {
            walk(f, argument(f, x, 0));
            return;
        }
        break;
    case Z3_OP_ITE:
        walk(f, argument(f, x, 0));
        walk(f, argument(f, x, holds(f, argument(f, x, 0)) ? 1 : 2));
        return;
    default:
        break;
    }
    for (unsigned i = 0; i < n; i++)
        walk(f, argument(f, x, i));
}

static void collect_all(struct flow *f)
{
    const struct goal *g = f->w->g;
    collect(f, f->w->claim->claim);
    for (size_t i = 0; i < g->warps_count; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            collect(f, g->warps[i]->a[lane]);
            collect(f, g->warps[i]->b[lane]);
            collect(f, g->warps[i]->c[lane]);
            collect(f, g->warps[i]->membermask[lane]);
        }
}

static void walk_lanes(struct flow *f, const term operand[WARP_LANES], lanemask lanes)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1u)
            walk(f, operand[lane]);
}

bool witness_matters(const struct witness *w, const struct warp_impl *impl, const struct warp_case *cases,
                     lanemask lanes[GOAL_WARPS])
{
    const struct goal *g = w->g;
    lanemask spoken[GOAL_WARPS] = {0};
    struct flow f = {.w = w, .z3 = g->s->z3, .spoken = spoken};
    bool ok;
    witness_known(w, &f.known, &f.values);
    collect_all(&f);
    ok = evaluate(&f);
    memset(f.seen, 0, f.ids * sizeof *f.seen);
    if (ok)
        walk(&f, w->claim->claim);
    for (size_t i = g->warps_count; ok && i-- > 0;) {
        lanes[i] = witness_reaching(impl, &cases[i], spoken[i]);
        walk_lanes(&f, g->warps[i]->a, lanes[i]);
        walk_lanes(&f, g->warps[i]->b, spoken[i]);
        walk_lanes(&f, g->warps[i]->c, spoken[i]);
        walk_lanes(&f, g->warps[i]->membermask, spoken[i]);
    }
    term_list_free(&f.known);
    term_list_free(&f.values);
    term_list_free(&f.truths);
    free(f.truth);
    free(f.seen);
    free(f.index);
    return ok;
}
