#include "smt/encode/encode.h"

#include <stdio.h>

static term field(struct smt *s, Z3_sort sort, const char *prefix, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", prefix, name);
    return term_constant(s, sort, full);
}

/* One constant a lane, or 32 times `absent` when the form has no such operand. */
static void operand(struct smt *s, term v[WARP_LANES], Z3_sort sort, const char *prefix, const char *name, term absent)
{
    char full[64];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        snprintf(full, sizeof full, "%s.%s[%u]", prefix, name, lane);
        v[lane] = absent != NULL ? absent : term_constant(s, sort, full);
    }
}

static Z3_sort source_sort(struct smt *s, const struct warp_form_info *info)
{
    Z3_sort sort;
    if (info->type == WARP_PRED)
        return s->bool_sort;
    if (info->type != WARP_B64)
        return s->word_sort;
    sort = Z3_mk_bv_sort(s->z3, 64);
    smt_keep(s, Z3_sort_to_ast(s->z3, sort));
    return sort;
}

/* A new constant each time: two instructions need not prefer the same lanes, whatever they are called. */
static term any_lanes(struct smt *s)
{
    char name[32];
    snprintf(name, sizeof name, "preferred!%u", s->fresh++);
    return term_constant(s, s->word_sort, name);
}

void encode_warp(struct smt *s, struct smt_warp *w, enum warp_form form, uint32_t dst, const char *prefix)
{
    term zero = term_word(s, 0);
    w->info = warp_form_get(form);
    w->dst = dst;
    w->convergence = field(s, s->bool_sort, prefix, "convergence");
    w->negate = w->info->type == WARP_PRED ? field(s, s->bool_sort, prefix, "negate") : term_bool(s, false);
    w->exited = field(s, s->word_sort, prefix, "exited");
    w->active = field(s, s->word_sort, prefix, "active");
    operand(s, w->a, source_sort(s, w->info), prefix, "a", w->info->type == WARP_NO_SOURCE ? zero : NULL);
    operand(s, w->b, s->word_sort, prefix, "b", warp_form_is_shfl(w->info) ? NULL : zero);
    operand(s, w->c, s->word_sort, prefix, "c", warp_form_is_shfl(w->info) ? NULL : zero);
    operand(s, w->membermask, s->word_sort, prefix, "membermask", warp_form_is_sync(w->info) ? NULL : zero);
    w->preferred = warp_form_any_leader(w->info) ? any_lanes(s) : zero;
}

static void by_family(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    switch (w->info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        encode_shfl(s, w, lane, r);
        break;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        encode_vote(s, w, lane, r);
        break;
    case WARP_MATCH_SYNC:
        encode_match(s, w, lane, r);
        break;
    case WARP_REDUX_SYNC:
        encode_redux(s, w, lane, r);
        break;
    case WARP_ACTIVEMASK:
        encode_activemask(s, w, lane, r);
        break;
    case WARP_BAR_WARP: /* no destination: the outcome is all there is */
        break;
    case WARP_ELECT:
        encode_elect(s, w, lane, r);
        break;
    case WARP_FAMILIES:
        smt_defect("%s has no family", w->info->name);
    }
}

/* d, p and d_defined of a lane whose outcome is known. */
static void results(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    char name[32];
    r->d = term_word(s, 0);
    r->p = r->d_defined = term_bool(s, false);
    by_family(s, w, lane, r);
    if (!warp_form_writes_d(w->info, w->dst)) {
        r->d = term_word(s, 0);
        r->d_defined = term_bool(s, false);
    }
    if (!warp_form_writes_p(w->info, w->dst))
        r->p = term_bool(s, false);
    snprintf(name, sizeof name, "unpredictable!%u", s->fresh++);
    r->unpredictable = term_constant(s, s->word_sort, name);
    r->p = term_and(s, r->done, r->p);
    r->d_defined = term_and(s, r->done, r->d_defined);
    r->d = term_ite(s, r->d_defined, r->d, r->unpredictable);
}

void encode_lane(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    encode_outcome(s, w, lane, r);
    results(s, w, lane, r);
}

void encode_done_lane(struct smt *s, const struct smt_warp *w, term lane, term group, struct smt_lane *r)
{
    r->done = term_bool(s, true);
    r->waiting = r->undefined = term_bool(s, false);
    r->waits_for = term_word(s, 0);
    r->group = group;
    results(s, w, lane, r);
}
