/* The terms of one lane of the encoding, in the names of the proofs about compiled code. */
#include "proofs/fast/encoding.h"

#include "proofs/node.h"

#include <stdio.h>

static term named(struct smt *s, Z3_sort sort, const char *name, unsigned k)
{
    char full[32];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return term_constant(s, sort, full);
}

static term source(struct smt *s, const struct warp_form_info *info, unsigned k)
{
    if (info->type == WARP_PRED)
        return named(s, s->bool_sort, "q", k);
    if (info->type == WARP_B64)
        return term_concat(s, named(s, s->word_sort, "h", k), named(s, s->word_sort, "a", k));
    return named(s, s->word_sort, "a", k);
}

void encoding_warp(struct proof *proof, uint32_t dst, const term active[WARP_LANES], const term exited[WARP_LANES],
                   struct smt_warp *w)
{
    struct smt *s = proof->d.s;
    const struct warp_form_info *info = proof->info;
    encode_warp(s, w, info->form, dst, "encoding");
    w->convergence = proof->setting.convergence;
    w->active = term_mask(s, active);
    w->exited = term_mask(s, exited);
    if (info->type == WARP_PRED)
        w->negate = named(s, s->bool_sort, "negate", 0);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (info->type != WARP_NO_SOURCE)
            w->a[k] = source(s, info, k);
        if (warp_form_is_shfl(info)) {
            w->b[k] = named(s, s->word_sort, "b", k);
            w->c[k] = named(s, s->word_sort, "c", k);
        }
        if (warp_form_is_sync(info))
            w->membermask[k] = named(s, s->word_sort, "mm", k);
    }
}

/* encode_lane writes "d_defined ? d : an unpredictable value". */
term encoding_value(struct smt *s, const struct smt_lane *r)
{
    return is(s, r->d, Z3_OP_ITE) && argument(s, r->d, 0) == r->d_defined && argument(s, r->d, 2) == r->unpredictable
               ? smt_keep(s, argument(s, r->d, 1))
               : r->d;
}

/*
 * Terms are replaced by terms that are equal to them in every case that is spoken of: what is proved with any group is
 * so with the lane's own.
 */
term encoding_in_group(struct proof *proof, const struct smt_lane *r, bool done, term x)
{
    struct smt *s = proof->d.s;
    term in[WARP_LANES], mask = term_mask(s, proof->setting.group), is_done = term_bool(s, done);
    x = term_substitute(s, x, &r->done, &is_done, 1);
    for (unsigned k = 0; k < WARP_LANES; k++)
        in[k] = term_in(s, term_word(s, k), r->group);
    x = term_substitute(s, x, in, proof->setting.group, WARP_LANES);
    return term_substitute(s, x, &r->group, &mask, 1);
}

void encoding_lane(struct proof *proof, unsigned k, bool done, struct encoded *e)
{
    struct smt *s = proof->d.s;
    const struct setting_choice *dst = &proof->setting.dst;
    *e = (struct encoded){NULL, NULL, NULL};
    for (unsigned i = dst->n; i-- > 0;) { /* the first whose condition is true; the last one's is */
        struct smt_warp w;
        struct smt_lane r;
        term d_defined, p, d;
        encoding_warp(proof, (uint32_t)dst->number[i], proof->setting.active, proof->setting.exited, &w);
        encode_lane(s, &w, term_word(s, k), &r);
        p = encoding_in_group(proof, &r, done, r.p);
        d_defined = encoding_in_group(proof, &r, done, r.d_defined);
        e->p = e->p == NULL ? p : term_ite(s, dst->when[i], p, e->p);
        e->d_defined = e->d_defined == NULL ? d_defined : term_ite(s, dst->when[i], d_defined, e->d_defined);
        if (is_false(s, term_simplify(s, d_defined)))
            continue;
        d = encoding_in_group(proof, &r, done, encoding_value(s, &r));
        e->d = e->d == NULL || e->d == d ? d : term_ite(s, dst->when[i], d, e->d);
    }
}
