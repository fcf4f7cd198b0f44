#include "smt/encode/encode.h"

/* maxLane = (lane[4:0] & segmask[4:0]) | (cval[4:0] & ~segmask[4:0]); minLane = (lane[4:0] & segmask[4:0]). */
static void limits(struct smt *s, term lane, term cval, term segmask, struct smt_shfl_source *source)
{
    source->min_lane = term_band(s, lane, segmask);
    source->max_lane = term_bor(s, source->min_lane, term_band(s, cval, term_bnot(s, segmask)));
    if (smt_faulty(s, SMT_FAULT_SHFL_CLAMP_IGNORED))
        source->max_lane = term_bor(s, source->min_lane, term_band(s, term_word(s, 31), term_bnot(s, segmask)));
    if (smt_faulty(s, SMT_FAULT_SHFL_SEGMENT_IGNORED))
        source->max_lane = cval;
}

/* The operands' fields: 5 bits, taken as numbers, so that j is computed in signed arithmetic and does not wrap. */
struct smt_shfl_source encode_shfl_source(struct smt *s, enum warp_op op, term lane, term b, term c)
{
    struct smt_shfl_source source = {0};
    term bval = smt_faulty(s, SMT_FAULT_SHFL_B_UNMASKED) ? b : term_field(s, b, 4, 0);
    term cval = smt_faulty(s, SMT_FAULT_SHFL_C_UNMASKED) ? c : term_field(s, c, 4, 0);
    term segmask = term_field(s, c, 12, 8);
    term not_above;
    limits(s, lane, cval, segmask, &source);
    switch (op) {
    case WARP_UP:
        source.j = term_sub(s, lane, bval);
        source.pval = term_sle(s, source.max_lane, source.j);
        if (smt_faulty(s, SMT_FAULT_SHFL_UP_MIN_LANE))
            source.pval = term_sle(s, source.min_lane, source.j);
        return source;
    case WARP_DOWN:
        source.j = term_add(s, lane, bval);
        if (smt_faulty(s, SMT_FAULT_SHFL_DOWN_WRAPS))
            source.j = term_band(s, source.j, term_word(s, 31));
        break;
    case WARP_BFLY:
        source.j = term_bxor(s, lane, bval);
        break;
    default:
        source.j = term_bor(s, source.min_lane, term_band(s, bval, term_bnot(s, segmask)));
        if (smt_faulty(s, SMT_FAULT_SHFL_IDX_ABSOLUTE))
            source.j = bval;
        break;
    }
    not_above = term_sle(s, source.j, source.max_lane);
    if (op == WARP_BFLY && smt_faulty(s, SMT_FAULT_SHFL_BFLY_OWN_SEGMENT))
        not_above = term_and(s, not_above, term_sle(s, source.min_lane, source.j));
    source.pval = not_above;
    return source;
}

term encode_shfl_lane(struct smt *s, const struct smt_shfl_source *source, term lane)
{
    if (smt_faulty(s, SMT_FAULT_SHFL_NO_OWN))
        return source->j;
    return term_ite(s, source->pval, source->j, lane);
}

/* "results are undefined if a thread sources a register from an inactive thread or a thread that is not in membermask".
 */
void encode_shfl(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term b = term_of_lane(s, w->b, lane);
    term c = term_of_lane(s, w->c, lane);
    struct smt_shfl_source source;
    term j;
    if (smt_faulty(s, SMT_FAULT_SHFL_C_OF_LANE_0))
        c = w->c[0];
    if (smt_faulty(s, SMT_FAULT_SHFL_B_OF_LANE_0) && w->info->op != WARP_IDX)
        b = w->b[0];
    source = encode_shfl_source(s, w->info->op, lane, b, c);
    j = encode_shfl_lane(s, &source, lane);
    r->d = term_of_lane(s, w->a, j);
    r->d_defined = term_in(s, j, smt_faulty(s, SMT_FAULT_SHFL_ALL_DEFINED) ? term_word(s, UINT32_MAX) : r->group);
    r->p = source.pval;
    if (smt_faulty(s, SMT_FAULT_SHFL_P_FROM_GROUP))
        r->p = term_and(s, source.pval, r->d_defined);
}
