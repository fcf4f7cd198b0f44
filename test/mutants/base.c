#include "base.h"

#include <string.h>

void base_arrive(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    const uint32_t mine = c->membermask[lane];
    arrival->outcome = DONE;
    arrival->waits_for = 0;
    if (!warp_form_is_sync(warp_form_get(c->form))) {
        arrival->group = c->active;
        return;
    }
    arrival->group = mine & ~c->exited;
    if (!in_mask(mine, lane)) {
        arrival->outcome = UNDEFINED;
        return;
    }
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(arrival->group, other) && !(in_mask(c->active, other) && c->membermask[other] == mine))
            arrival->waits_for |= (lanemask)1 << other;
    if (arrival->waits_for != 0)
        arrival->outcome = warp_target_needs_convergence(c->target) ? UNDEFINED : WAITING;
}

struct segment segment_of(int lane, uint32_t c)
{
    struct segment s;
    s.clamp = (int)(c & 31u);
    s.mask = (int)(c >> 8 & 31u);
    s.first = lane & s.mask;
    s.last = s.first | (s.clamp & ~s.mask);
    return s;
}

int base_source(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const struct segment s = segment_of(lane, c);
    const int shift = (int)(b & 31u);
    int j = lane;
    switch (mode) {
    case WARP_UP:
        j = lane - shift;
        *in_range = j >= s.last;
        break;
    case WARP_DOWN:
        j = lane + shift;
        *in_range = j <= s.last;
        break;
    case WARP_BFLY:
        j = lane ^ shift;
        *in_range = j <= s.last;
        break;
    case WARP_IDX:
    case WARP_OPS_BUT_SHFL:
        j = s.first | (shift & ~s.mask);
        *in_range = j <= s.last;
        break;
    }
    return j;
}

void base_shfl(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    int j = s->source(op_of(c), (int)lane, c->b[lane], c->c[lane], &r->p);
    if (!r->p)
        j = (int)lane;
    j &= 31; /* a mutant's may lie outside the warp */
    r->d = c->a[j];
    r->d_defined = in_mask(group, (unsigned)j);
}

bool predicate_of(const struct warp_case *c, unsigned lane)
{
    return (c->a[lane] != 0) != (c->negate != 0);
}

void base_vote(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    lanemask yes = 0;
    (void)s;
    (void)lane;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && predicate_of(c, other))
            yes |= (lanemask)1 << other;
    switch (op_of(c)) {
    case WARP_ALL:
        r->p = yes == group;
        break;
    case WARP_ANY:
        r->p = yes != 0;
        break;
    case WARP_UNI:
        r->p = yes == group || yes == 0;
        break;
    case WARP_BALLOT:
        r->d = yes;
        break;
    case WARP_OPS_BUT_VOTE:
        break;
    }
}

void base_match(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    lanemask same = 0;
    (void)s;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && c->a[other] == c->a[lane] && c->a_high[other] == c->a_high[lane])
            same |= (lanemask)1 << other;
    if (op_of(c) == WARP_ALL) {
        r->p = same == group;
        r->d = r->p ? group : 0;
    } else {
        r->d = same;
    }
}

bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

int32_t float_order(uint32_t bits)
{
    const int32_t magnitude = (int32_t)(bits & 0x7fffffffu);
    return bits >> 31 ? -magnitude - 1 : magnitude;
}

static bool is_less(const struct warp_form_info *info, uint32_t x, uint32_t y)
{
    if (info->type == WARP_F32)
        return float_order(x) < float_order(y);
    if (info->type == WARP_S32)
        return (int32_t)x < (int32_t)y;
    return x < y;
}

uint32_t combine(const struct warp_form_info *info, uint32_t x, uint32_t y)
{
    switch (info->op) {
    case WARP_ADD:
        return x + y;
    case WARP_AND:
        return x & y;
    case WARP_OR:
        return x | y;
    case WARP_XOR:
        return x ^ y;
    case WARP_MIN:
        return is_less(info, y, x) ? y : x;
    case WARP_MAX:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return is_less(info, x, y) ? y : x;
}

void base_redux(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    bool found = false;
    (void)s;
    (void)lane;
    r->d = CANONICAL_NAN;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint32_t x = info->abs ? c->a[other] & 0x7fffffffu : c->a[other];
        if (!in_mask(group, other))
            continue;
        if (info->type == WARP_F32 && is_nan(x)) {
            if (!info->nan)
                continue;
            r->d = CANONICAL_NAN;
            return;
        }
        r->d = found ? combine(info, r->d, x) : x;
        found = true;
    }
}

static void base_activemask(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    (void)s;
    (void)lane;
    (void)group;
    r->d = c->active;
}

/* It gives no value. */
static void base_bar_warp(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                          struct answer *r)
{
    (void)s;
    (void)c;
    (void)lane;
    (void)group;
    (void)r;
}

void base_elect(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    (void)s;
    (void)c;
    r->d = 0;
    while (r->d < WARP_LANES - 1 && !in_mask(group, r->d))
        r->d++;
    r->p = r->d == lane;
}

static lane_fn instruction(const struct steps *s, enum warp_family family)
{
    switch (family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return s->shfl;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return s->vote;
    case WARP_MATCH_SYNC:
        return s->match;
    case WARP_REDUX_SYNC:
        return s->redux;
    case WARP_ELECT:
        return s->elect;
    case WARP_BAR_WARP:
        return base_bar_warp;
    case WARP_ACTIVEMASK:
    case WARP_FAMILIES:
        break;
    }
    return s->activemask;
}

static void eval_lane(const struct steps *s, const struct warp_case *c, unsigned lane, struct warp_result *result)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const lanemask bit = (lanemask)1 << lane;
    struct arrival arrival;
    struct answer r = {.d_defined = true};
    s->arrive(c, lane, &arrival);
    result->waiting |= arrival.outcome == WAITING ? bit : 0;
    result->undefined |= arrival.outcome == UNDEFINED ? bit : 0;
    result->waits_for[lane] = arrival.outcome == WAITING ? arrival.waits_for : 0;
    if (arrival.outcome != DONE)
        return;
    result->done |= bit;
    instruction(s, info->family)(s, c, lane, arrival.group, &r);
    if (warp_form_writes_p(info, c->dst) && r.p)
        result->p |= bit;
    if (warp_form_writes_d(info, c->dst) && r.d_defined) {
        result->d_defined |= bit;
        result->d[lane] = r.d;
    }
}

/* The base's steps where the mutant has none. */
static struct steps complete(const struct steps *s)
{
    struct steps all = *s;
    all.arrive = s->arrive != NULL ? s->arrive : base_arrive;
    all.source = s->source != NULL ? s->source : base_source;
    all.shfl = s->shfl != NULL ? s->shfl : base_shfl;
    all.vote = s->vote != NULL ? s->vote : base_vote;
    all.match = s->match != NULL ? s->match : base_match;
    all.redux = s->redux != NULL ? s->redux : base_redux;
    all.activemask = s->activemask != NULL ? s->activemask : base_activemask;
    all.elect = s->elect != NULL ? s->elect : base_elect;
    return all;
}

void memory_clear(struct memory *memory)
{
    const bool for_ever = memory->for_ever;
    memset(memory, 0, sizeof *memory);
    memory->for_ever = for_ever;
}

bool base_eval(void *mutant, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
               size_t error_size)
{
    const struct steps s = complete(&((const struct mutant *)mutant)->steps);
    (void)error;
    (void)error_size;
    memset(results, 0, n * sizeof results[0]);
    if (s.memory != NULL && !s.memory->for_ever)
        memory_clear(s.memory);
    for (size_t i = 0; i < n; i++) {
        if (s.begin != NULL)
            s.begin(s.memory, &cases[i]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if (in_mask(cases[i].active, lane))
                eval_lane(&s, &cases[i], lane, &results[i]);
    }
    return true;
}
