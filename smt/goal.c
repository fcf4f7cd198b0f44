#include "smt/goal.h"

#include "smt/lemma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void goal_init(struct goal *g, struct smt *s)
{
    memset(g, 0, sizeof *g);
    g->s = s;
}

void goal_free(struct goal *g)
{
    term_list_free(&g->hypotheses);
    lemmas_free(g);
    free(g->facts);
    term_list_free(&g->abstracted);
    term_list_free(&g->unknowns);
    term_list_free(&g->warp_masks);
    term_list_free(&g->lane_masks);
    term_list_free(&g->from);
    term_list_free(&g->to);
    term_replacer_free(&g->expansion);
    for (size_t i = 0; i < g->warps_count; i++)
        free(g->warps[i]);
    free(g->claims);
    free(g->results);
    memset(g, 0, sizeof *g);
}

/* Named unknowns stand first, so that a witness can show them alone. */
static term named(struct goal *g, term x)
{
    struct term_list *u = &g->unknowns;
    term_list_add(u, x);
    u->items[u->count - 1] = u->items[g->named_unknowns];
    u->items[g->named_unknowns++] = x;
    return x;
}

void goal_unknown(struct goal *g, term constant, bool show_it)
{
    if (show_it)
        named(g, constant);
    else
        term_list_add(&g->unknowns, constant);
}

term goal_word(struct goal *g, const char *name)
{
    return named(g, term_constant(g->s, g->s->word_sort, name));
}

term goal_membermask(struct goal *g)
{
    const term x = goal_word(g, "membermask");
    term_list_add(&g->warp_masks, x);
    return x;
}

enum goal_mask goal_mask_kind(const struct goal *g, term unknown)
{
    for (size_t i = 0; i < g->warp_masks.count; i++)
        if (g->warp_masks.items[i] == unknown)
            return GOAL_WARP_MASK;
    for (size_t i = 0; i < g->lane_masks.count; i++)
        if (g->lane_masks.items[i] == unknown)
            return GOAL_LANE_MASK;
    return GOAL_NO_MASK;
}

term goal_bool(struct goal *g, const char *name)
{
    return named(g, term_constant(g->s, g->s->bool_sort, name));
}

static term bits_constant(struct smt *s, const char *name, unsigned width)
{
    Z3_sort sort = Z3_mk_bv_sort(s->z3, width);
    smt_keep(s, Z3_sort_to_ast(s->z3, sort));
    return term_constant(s, sort, name);
}

term goal_bits(struct goal *g, const char *name, unsigned width)
{
    return named(g, bits_constant(g->s, name, width));
}

term goal_lane_number(struct goal *g, const char *name)
{
    return term_extend(g->s, 32, goal_bits(g, name, 5));
}

void goal_operand(struct goal *g, term v[WARP_LANES], const char *name, unsigned width)
{
    char full[64];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        snprintf(full, sizeof full, "%s[%u]", name, lane);
        v[lane] = width == 0 ? term_constant(g->s, g->s->bool_sort, full) : bits_constant(g->s, full, width);
        term_list_add(&g->unknowns, v[lane]);
        if (width > 0 && width < 32)
            v[lane] = term_extend(g->s, 32, v[lane]);
    }
}

static void unknown_unless_literal(struct goal *g, term x)
{
    uint64_t literal;
    if (!term_value(g->s, x, &literal))
        term_list_add(&g->unknowns, x);
}

static struct smt_warp *place_for_warp(struct goal *g)
{
    if (g->warps_count == GOAL_WARPS) {
        fprintf(stderr, "warpcheck: a property has more than %d warps\n", GOAL_WARPS);
        abort();
    }
    g->warps[g->warps_count] = smt_grow(NULL, 1, sizeof **g->warps);
    return g->warps[g->warps_count++];
}

struct smt_warp *goal_copy(struct goal *g, const struct smt_warp *w)
{
    struct smt_warp *copy = place_for_warp(g);
    *copy = *w;
    return copy;
}

static struct smt_warp *new_warp(struct goal *g, enum warp_form form, char prefix[16])
{
    struct smt_warp *w = place_for_warp(g);
    const struct warp_form_info *info = warp_form_get(form);
    uint32_t dst = warp_form_widest_dst(info);
    snprintf(prefix, 16, "w%zu", g->warps_count - 1);
    encode_warp(g->s, w, form, dst, prefix);
    if (!warp_target_needs_convergence(warp_form_least_target(info)))
        w->convergence = term_bool(g->s, false);
    return w;
}

static void add_unknowns(struct goal *g, const struct smt_warp *w)
{
    unknown_unless_literal(g, w->convergence);
    unknown_unless_literal(g, w->negate);
    unknown_unless_literal(g, w->exited);
    unknown_unless_literal(g, w->active);
    unknown_unless_literal(g, w->preferred);
    term_list_add(&g->warp_masks, w->exited);
    term_list_add(&g->warp_masks, w->active);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unknown_unless_literal(g, w->a[lane]);
        unknown_unless_literal(g, w->b[lane]);
        unknown_unless_literal(g, w->c[lane]);
        unknown_unless_literal(g, w->membermask[lane]);
        term_list_add(&g->lane_masks, w->membermask[lane]);
    }
}

struct smt_warp *goal_warp(struct goal *g, enum warp_form form)
{
    char prefix[16];
    struct smt_warp *w = new_warp(g, form, prefix);
    add_unknowns(g, w);
    goal_assume(g, term_eq(g->s, term_band(g->s, w->active, w->exited), term_word(g->s, 0)));
    return w;
}

struct smt_warp *goal_full_warp(struct goal *g, enum warp_form form)
{
    char prefix[16];
    struct smt_warp *w = new_warp(g, form, prefix);
    w->convergence = term_bool(g->s, false);
    w->exited = term_word(g->s, 0);
    w->active = term_word(g->s, UINT32_MAX);
    if (warp_form_is_sync(w->info))
        goal_same_membermask(w, w->active);
    add_unknowns(g, w);
    return w;
}

void goal_group_make(struct goal *g, enum warp_form form, struct goal_group *group)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, form);
    group->w = w;
    group->membermask = goal_membermask(g);
    group->group = term_band(s, group->membermask, term_bnot(s, w->exited));
    for (unsigned k = 0; k < WARP_LANES; k++)
        w->membermask[k] = term_ite(s, term_in(s, term_word(s, k), group->group), group->membermask, w->membermask[k]);
    goal_assume(g, term_eq(s, term_band(s, group->group, term_bnot(s, w->active)), term_word(s, 0)));
}

struct smt_lane goal_group_result(struct goal *g, const struct goal_group *group, unsigned lane)
{
    struct smt_warp *w = goal_copy(g, group->w);
    w->membermask[lane] = group->membermask;
    return goal_result(g, w, term_word(g->s, lane));
}

void goal_uniform(term v[WARP_LANES], term value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        v[lane] = value;
}

void goal_same_membermask(struct smt_warp *w, term membermask)
{
    goal_uniform(w->membermask, membermask);
}

void goal_lane_numbers(struct goal *g, term v[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        v[lane] = term_word(g->s, lane);
}

static term shown(struct goal *g, const char *name, bool is_word)
{
    char full[48];
    snprintf(full, sizeof full, "r%zu.%s", g->results_count, name);
    return term_constant(g->s, is_word ? g->s->word_sort : g->s->bool_sort, full);
}

/* The constant, and what it means in terms of unknowns alone. */
static void define(struct goal *g, term constant, term meaning)
{
    term expanded = goal_expand(g, meaning);
    term_list_add(&g->from, constant);
    term_list_add(&g->to, expanded);
    term_replacer_add(g->s, &g->expansion, constant, expanded);
}

static struct smt_lane show(struct goal *g, const struct smt_warp *w, term lane, const struct smt_lane *meant)
{
    struct goal_result *r;
    g->results = smt_room(g->results, g->results_count, &g->results_room, sizeof *g->results);
    r = &g->results[g->results_count];
    r->warp = 0;
    while (g->warps[r->warp] != w)
        r->warp++;
    r->lane = lane;
    r->shown.done = shown(g, "done", false);
    r->shown.waiting = shown(g, "waiting", false);
    r->shown.undefined = shown(g, "undefined", false);
    r->shown.d_defined = shown(g, "d_defined", false);
    r->shown.p = shown(g, "p", false);
    r->shown.d = shown(g, "d", true);
    r->shown.waits_for = shown(g, "waits_for", true);
    r->shown.group = meant->group;
    r->shown.unpredictable = meant->unpredictable;
    term_list_add(&g->unknowns, meant->unpredictable);
    define(g, r->shown.done, meant->done);
    define(g, r->shown.waiting, meant->waiting);
    define(g, r->shown.undefined, meant->undefined);
    define(g, r->shown.d_defined, meant->d_defined);
    define(g, r->shown.p, meant->p);
    define(g, r->shown.d, meant->d);
    define(g, r->shown.waits_for, meant->waits_for);
    return g->results[g->results_count++].shown;
}

struct smt_lane goal_result(struct goal *g, const struct smt_warp *w, term lane)
{
    struct smt_lane meant;
    encode_lane(g->s, w, lane, &meant);
    return show(g, w, lane, &meant);
}

struct smt_lane goal_group_done(struct goal *g, const struct goal_group *group, term lane)
{
    struct smt_lane meant;
    encode_done_lane(g->s, group->w, lane, group->group, &meant);
    return show(g, group->w, lane, &meant);
}

term goal_expand(struct goal *g, term x)
{
    return term_replace(g->s, &g->expansion, x);
}

void goal_assume(struct goal *g, term hypothesis)
{
    term_list_add(&g->hypotheses, hypothesis);
}

void goal_abstract(struct goal *g, term x)
{
    if (!g->is_lemma)
        term_list_add(&g->abstracted, goal_expand(g, x));
}

void goal_claim_when(struct goal *g, const char *what, term when, term claim)
{
    struct goal_claim *c;
    g->claims = smt_room(g->claims, g->claims_count, &g->claims_room, sizeof *g->claims);
    c = &g->claims[g->claims_count++];
    memset(c, 0, sizeof *c);
    snprintf(c->what, sizeof c->what, "%s", what);
    c->when = when;
    c->claim = claim;
    c->first_fact = g->claims_count > 1 ? g->claims[g->claims_count - 2].end_fact : 0;
    c->end_fact = g->facts_count;
}

void goal_claim(struct goal *g, const char *what, term claim)
{
    goal_claim_when(g, what, NULL, claim);
}
