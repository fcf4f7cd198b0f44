#include "smt/catalogue/shfl.h"

#include <string.h>

enum warp_form shfl_form(enum warp_op mode)
{
    return mode == WARP_UP     ? WARP_SHFL_SYNC_UP_B32
           : mode == WARP_DOWN ? WARP_SHFL_SYNC_DOWN_B32
           : mode == WARP_BFLY ? WARP_SHFL_SYNC_BFLY_B32
                               : WARP_SHFL_SYNC_IDX_B32;
}

const char *shfl_mode_name(enum warp_op mode)
{
    return mode == WARP_UP ? "up" : mode == WARP_DOWN ? "down" : mode == WARP_BFLY ? "bfly" : "idx";
}

struct smt_warp *shfl_uniform(struct goal *g, enum warp_op mode, const term a[WARP_LANES], term b, term c)
{
    struct smt_warp *w = goal_full_warp(g, shfl_form(mode));
    memcpy(w->a, a, sizeof w->a);
    goal_uniform(w->b, b);
    goal_uniform(w->c, c);
    return w;
}

void shfl_lane_make(struct goal *g, enum warp_op mode, term c, struct shfl_lane *v)
{
    struct smt *s = g->s;
    term numbers[WARP_LANES];
    term inside;
    goal_lane_numbers(g, numbers);
    v->lane = goal_lane_number(g, "lane");
    v->b = goal_word(g, "b");
    v->c = c != NULL ? c : goal_word(g, "c");
    v->bval = term_field(s, v->b, 4, 0);
    v->cval = term_field(s, v->c, 4, 0);
    v->segmask = term_field(s, v->c, 12, 8);
    v->min_lane = term_band(s, v->lane, v->segmask);
    inside = term_band(s, v->cval, term_bnot(s, v->segmask));
    v->max_lane = term_bor(s, v->min_lane, inside);
    v->w = shfl_uniform(g, mode, numbers, v->b, v->c);
    v->r = goal_result(g, v->w, v->lane);
}

void shfl_width_make(struct goal *g, enum warp_op mode, struct shfl_width *width)
{
    struct smt *s = g->s;
    term log = term_extend(s, 32, goal_bits(g, "log_width", 3));
    goal_assume(g, term_ule(s, log, term_word(s, 5)));
    width->width = term_shl(s, term_word(s, 1), log);
    width->segmask = term_sub(s, term_word(s, 32), width->width);
    width->c = term_bor(s, term_shl(s, width->segmask, term_word(s, 8)), term_word(s, mode == WARP_UP ? 0 : 31));
}
