/*
 * Steps on lanes and masks: which lanes are active, in which group, where in the warp.
 */
#include "check/reduce/steps.h"

#include "model/lanes.h"

static void forget_lanes(struct warp_case *c, lanemask lanes)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] &= ~lanes;
}

static void zero_registers(struct warp_case *c, lanemask lanes)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(lanes, lane))
            c->a[lane] = c->a_high[lane] = c->b[lane] = c->c[lane] = c->membermask[lane] = 0;
}

/* What the lanes hold goes to the lowest lane that stays, so that a sum which must be large stays so. */
static bool drop_into_sum(struct reducer *r, lanemask lanes)
{
    struct warp_case candidate = *r->best;
    const lanemask staying = candidate.active & ~lanes;
    if (warp_form_get(candidate.form)->op != WARP_ADD || staying == 0)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(lanes, lane))
            candidate.a[lanes_lowest(staying)] += candidate.a[lane];
    candidate.active = staying;
    zero_registers(&candidate, lanes);
    forget_lanes(&candidate, lanes);
    return reduce_propose(r, &candidate);
}

/* Three ways for lanes not to execute: exited and not named, exited though named, elsewhere though named. Each is tried
 * with nothing in their registers first. */
static bool drop_lanes(struct reducer *r, lanemask lanes)
{
    for (unsigned way = 0; way < 6; way++) {
        struct warp_case candidate = *r->best;
        candidate.active &= ~lanes;
        if (way < 3)
            zero_registers(&candidate, lanes);
        if (way % 3 == 0)
            forget_lanes(&candidate, lanes);
        if (way % 3 == 1)
            candidate.exited |= lanes;
        if (reduce_propose(r, &candidate))
            return true;
    }
    return drop_into_sum(r, lanes);
}

static void merge_groups(struct reducer *r)
{
    struct warp_case candidate = *r->best;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        candidate.membermask[lane] = r->best->active;
    reduce_propose(r, &candidate);
    for (unsigned from = 0; from < WARP_LANES; from++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            candidate = *r->best;
            if (!lane_in(candidate.active, from) || !lane_in(candidate.active, lane))
                continue;
            candidate.membermask[lane] = candidate.membermask[from];
            reduce_propose(r, &candidate);
        }
    }
}

static void drop_exited(struct reducer *r, lanemask lanes)
{
    struct warp_case candidate = *r->best;
    candidate.exited &= ~lanes;
    if (candidate.exited == r->best->exited || reduce_propose(r, &candidate))
        return;
    forget_lanes(&candidate, lanes);
    reduce_propose(r, &candidate);
}

void reduce_lanes(struct reducer *r)
{
    /* Removes lanes, large pieces first and from the top, so that low lanes stay. */
    for (unsigned size = WARP_LANES / 2; size > 0; size /= 2) {
        for (unsigned at = WARP_LANES; at > 0; at -= size) {
            const lanemask piece = (UINT32_MAX >> (WARP_LANES - size)) << (at - size);
            if ((r->best->active & piece) != 0)
                drop_lanes(r, r->best->active & piece);
        }
    }
    merge_groups(r);
    drop_exited(r, r->best->exited);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        drop_exited(r, r->best->exited & (lanemask)1 << lane);
}

/* Gives all active lanes that hold `from` the membermask `to`. */
static bool replace_mask(struct reducer *r, uint32_t from, uint32_t to)
{
    struct warp_case candidate = *r->best;
    const lanemask lanes = lanes_with_mask(&candidate, from);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(lanes, lane))
            candidate.membermask[lane] = to;
    return reduce_propose(r, &candidate);
}

void reduce_masks(struct reducer *r)
{
    if (!warp_form_is_sync(warp_form_get(r->best->form)))
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(r->best->active, lane))
            continue;
        replace_mask(r, r->best->membermask[lane], lanes_with_mask(r->best, r->best->membermask[lane]));
        for (unsigned bit = 0; bit < WARP_LANES; bit++)
            replace_mask(r, r->best->membermask[lane], r->best->membermask[lane] ^ (lanemask)1 << bit);
    }
}

static lanemask permute_mask(lanemask lanes, const unsigned char to[WARP_LANES])
{
    lanemask result = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(lanes, lane))
            result |= (lanemask)1 << to[lane];
    return result;
}

/* The b with which the lane reads lane j in this mode; `b` itself when there is none. */
static uint32_t retarget(const struct warp_form_info *info, unsigned lane, unsigned j, uint32_t b)
{
    const uint32_t ignored = b & ~SHIFT_MEANING_B;
    switch (info->op) {
    case WARP_UP:
        return j <= lane ? ignored | (lane - j) : b;
    case WARP_DOWN:
        return j >= lane ? ignored | (j - lane) : b;
    case WARP_BFLY:
        return ignored | (lane ^ j);
    case WARP_IDX:
    case WARP_OPS_BUT_SHFL:
        break;
    }
    return ignored | j;
}

/* The lane that b selects, whatever c says. */
static unsigned target_of(const struct warp_form_info *info, unsigned lane, uint32_t b)
{
    const uint32_t shift = b & SHIFT_MEANING_B;
    switch (info->op) {
    case WARP_UP:
        return (lane - shift) % WARP_LANES;
    case WARP_DOWN:
        return (lane + shift) % WARP_LANES;
    case WARP_BFLY:
        return lane ^ shift;
    case WARP_IDX:
    case WARP_OPS_BUT_SHFL:
        break;
    }
    return shift;
}

/* Moves each lane, with its registers, to to[lane]; masks follow. With `follow_b` each b still selects the same
 * lane afterwards. */
static bool permute(struct reducer *r, const unsigned char to[WARP_LANES], bool follow_b)
{
    const struct warp_case *from = r->best;
    const struct warp_form_info *info = warp_form_get(from->form);
    struct warp_case candidate = *from;
    candidate.active = permute_mask(from->active, to);
    candidate.exited = permute_mask(from->exited, to);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t b = from->b[lane];
        candidate.a[to[lane]] = from->a[lane];
        candidate.a_high[to[lane]] = from->a_high[lane];
        candidate.b[to[lane]] = follow_b ? retarget(info, to[lane], to[target_of(info, lane, b)], b) : b;
        candidate.c[to[lane]] = from->c[lane];
        candidate.membermask[to[lane]] = permute_mask(from->membermask[lane], to);
    }
    return reduce_propose(r, &candidate);
}

static bool permute_both(struct reducer *r, const unsigned char to[WARP_LANES])
{
    return permute(r, to, false) || (warp_form_is_shfl(warp_form_get(r->best->form)) && permute(r, to, true));
}

/* Moves all used lanes down by `by`; they keep their distances. */
static void rotate_down(struct reducer *r, unsigned by)
{
    unsigned char to[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to[lane] = (unsigned char)((lane - by) % WARP_LANES);
    permute_both(r, to);
}

/* Moves the used lanes to 0, 1, 2..., in their order. */
static void close_ranks(struct reducer *r)
{
    const lanemask used = r->best->active | r->best->exited;
    unsigned char to[WARP_LANES];
    unsigned char next = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(used, lane))
            to[lane] = next++;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!lane_in(used, lane))
            to[lane] = next++;
    permute_both(r, to);
}

static bool swap_lanes(struct reducer *r, unsigned x, unsigned y)
{
    unsigned char to[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to[lane] = (unsigned char)(lane == x ? y : lane == y ? x : lane);
    return permute_both(r, to);
}

void reduce_position(struct reducer *r)
{
    close_ranks(r);
    for (unsigned by = WARP_LANES - 1; by > 0; by--)
        rotate_down(r, by);
    for (unsigned lane = 1; lane < WARP_LANES; lane++)
        for (unsigned below = 0; below < lane; below++)
            if (lane_in(r->best->active | r->best->exited, lane) && swap_lanes(r, lane, below))
                break;
}
