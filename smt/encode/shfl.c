#include "smt/encode/encode.h"

/* maxLane = (lane[4:0] & segmask[4:0]) | (cval[4:0] & ~segmask[4:0]); minLane = (lane[4:0] & segmask[4:0]). */
static void limits(struct smt *s, term lane, term cval, term segmask, struct smt_shfl_source *source)
{
    source->min_lane = term_band(s, lane, segmask);
    source->max_lane = term_bor(s, source->min_lane, term_band(s, cval, term_bnot(s, segmask)));
}

/* The operands' fields: 5 bits, taken as numbers, so that j is computed in signed arithmetic and does not wrap. */
struct smt_shfl_source encode_shfl_source(struct smt *s, enum warp_op op, term lane, term b, term c)
{
    struct smt_shfl_source source = {0};
    term bval = term_field(s, b, 4, 0);
    term cval = term_field(s, c, 4, 0);
    term segmask = term_field(s, c, 12, 8);
    limits(s, lane, cval, segmask, &source);
    switch (op) {
    case WARP_UP:
        source.j = term_sub(s, lane, bval);
        source.pval = term_sle(s, source.max_lane, source.j);
        return source;
    case WARP_DOWN:
        source.j = term_add(s, lane, bval);
        break;
    case WARP_BFLY:
        source.j = term_bxor(s, lane, bval);
        break;
    case WARP_IDX:
        source.j = term_bor(s, source.min_lane, term_band(s, bval, term_bnot(s, segmask)));
        break;
    case WARP_OPS_BUT_SHFL:
        smt_defect("a shuffle's mode is up, down, bfly or idx");
    }
    source.pval = term_sle(s, source.j, source.max_lane);
    return source;
}

term encode_shfl_lane(struct smt *s, const struct smt_shfl_source *source, term lane)
{
    return term_ite(s, source->pval, source->j, lane);
}

/* "results are undefined if a thread sources a register from an inactive thread or a thread that is not in membermask".
 */
void encode_shfl(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term b = term_of_lane(s, w->b, lane);
    term c = term_of_lane(s, w->c, lane);
    struct smt_shfl_source source = encode_shfl_source(s, w->info->op, lane, b, c);
    term j = encode_shfl_lane(s, &source, lane);
    r->d = term_of_lane(s, w->a, j);
    r->d_defined = term_in(s, j, r->group);
    r->p = source.pval;
}
