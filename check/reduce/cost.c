#include "check/reduce/steps.h"

uint32_t reduce_plain_target(const struct warp_form_info *info)
{
    const struct warp_target_info *t;
    if (warp_form_is_sync(info))
        for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
            if (!warp_target_needs_convergence(t->target) && warp_legal_from(info, t->target) != 0)
                return t->target;
    return warp_form_least_target(info);
}

uint32_t reduce_plain_c(const struct warp_form_info *info)
{
    return info->op == WARP_UP ? 0 : 31;
}

/* The cost of a target: 0 for the plainest, else its place among the known ones. */
static uint32_t target_cost(const struct warp_case *c, const struct warp_form_info *info)
{
    uint32_t place = 0;
    if (c->target == reduce_plain_target(info))
        return 0;
    while (warp_target_get(place) != NULL && warp_target_get(place)->target != c->target)
        place++;
    return place + 1;
}

/* How many different values the operand has in the active lanes. */
static uint32_t count_values(const struct warp_case *c, const uint32_t operand[WARP_LANES])
{
    uint32_t values = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned before = 0;
        if (!lane_in(c->active, lane))
            continue;
        while (before < lane && !(lane_in(c->active, before) && operand[before] == operand[lane]))
            before++;
        values += before == lane;
    }
    return values;
}

static uint32_t mask_cost(const struct warp_case *c)
{
    uint32_t cost = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(c->active, lane))
            cost += lanes_in(c->membermask[lane] ^ lanes_with_mask(c, c->membermask[lane]));
    return cost;
}

/* The cost of a word: few bits first, then a small number. */
static uint32_t bits_cost(uint32_t field)
{
    return lanes_in(field) * 0x2000u + field;
}

/* The cost of c: the whole warp first, then the mode's other clamp, then widths as CUDA encodes them, then
 * anything. */
static uint32_t segment_cost(uint32_t c, uint32_t plain)
{
    const uint32_t segment = c >> 8;
    const uint32_t clamp = c & 31u;
    const uint32_t within = ~segment & 31u;
    const bool is_width = (within & (within + 1)) == 0; /* a run of ones from bit 0: segments of a power of two */
    if (c == plain)
        return 0;
    if (segment == 0 && (clamp == 0 || clamp == 31))
        return 1;
    return is_width && clamp == (plain & 31u) ? 2 + lanes_in(segment) : 8 + bits_cost(c);
}

/* The cost of bits that have no meaning: few first, then low ones. */
static uint32_t ignored_cost(uint32_t bits)
{
    uint32_t highest = 0;
    for (uint32_t bit = 0; bit < 32; bit++)
        highest = bits >> bit & 1u ? bit : highest;
    return lanes_in(bits) * 32 + highest;
}

static void shift_costs(const struct warp_case *c, const struct warp_form_info *info, struct reduce_cost *cost)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(c->active, lane))
            continue;
        cost->part[COST_IGNORED] +=
            ignored_cost(c->b[lane] & ~SHIFT_MEANING_B) + ignored_cost(c->c[lane] & ~SHIFT_MEANING_C);
        cost->part[COST_SHIFT] += bits_cost(c->b[lane] & SHIFT_MEANING_B);
        cost->part[COST_SHIFT] += segment_cost(c->c[lane] & SHIFT_MEANING_C, reduce_plain_c(info));
    }
    cost->part[COST_UNIFORM] = count_values(c, c->b) + count_values(c, c->c);
}

const uint32_t reduce_plain_floats[PLAIN_FLOATS] = {0x00000000u, 0x3f800000u, 0xbf800000u, 0x80000000u,
                                                    0x7f800000u, 0xff800000u, 0x7fffffffu, 0x7fc00000u};

static uint32_t float_cost(uint32_t word)
{
    for (uint32_t i = 0; i < PLAIN_FLOATS; i++)
        if (word == reduce_plain_floats[i])
            return i;
    return 16 + lanes_in(word);
}

/* The cost of a value: 0, 1, the lane's own number, a small number, few bits, in this order. */
static uint32_t integer_cost(uint32_t word, unsigned lane)
{
    if (word <= 1)
        return word;
    if (word == lane)
        return 2;
    return word < 256 ? 3 + lanes_in(word) : 16 + lanes_in(word);
}

static uint32_t source_cost(const struct warp_case *c, const struct warp_form_info *info)
{
    uint32_t cost = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(c->active, lane))
            continue;
        if (info->type == WARP_F32)
            cost += float_cost(c->a[lane]);
        else
            cost += integer_cost(c->a[lane], lane) + integer_cost(c->a_high[lane], lane);
    }
    return cost;
}

static uint32_t position_cost(lanemask lanes)
{
    uint32_t cost = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        cost += lane_in(lanes, lane) ? lane : 0;
    return cost;
}

static uint32_t nonzero(uint32_t word)
{
    return word != 0;
}

static uint32_t garbage_cost(const struct warp_case *c)
{
    uint32_t words = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!lane_in(c->active, lane))
            words += nonzero(c->a[lane]) + nonzero(c->a_high[lane]) + nonzero(c->b[lane]) + nonzero(c->c[lane]) +
                     nonzero(c->membermask[lane]);
    return words;
}

void reduce_cost_of(const struct warp_case *c, struct reduce_cost *cost)
{
    static const uint32_t dst_cost[WARP_DST_COUNT] = {
        [WARP_DST_D] = 0, [WARP_DST_D_P] = 2, [WARP_DST_SINK_P] = 4, [WARP_DST_D_SINK] = 6};
    const struct warp_form_info *info = warp_form_get(c->form);
    *cost = (struct reduce_cost){0};
    cost->part[COST_ACTIVE] = lanes_in(c->active);
    cost->part[COST_GROUPS] = count_values(c, c->membermask);
    cost->part[COST_EXITED] = lanes_in(c->exited);
    cost->part[COST_MASKS] = warp_form_is_sync(info) ? mask_cost(c) : 0;
    cost->part[COST_TARGET] = target_cost(c, info);
    cost->part[COST_FORM] = dst_cost[c->dst] + c->negate;
    cost->part[COST_POSITION] = position_cost(c->active | c->exited);
    if (warp_form_is_shfl(info))
        shift_costs(c, info, cost);
    cost->part[COST_SOURCE] = source_cost(c, info);
    cost->part[COST_GARBAGE] = garbage_cost(c);
}

bool reduce_cost_less(const struct reduce_cost *x, const struct reduce_cost *y)
{
    size_t i = 0;
    while (i < COST_PARTS - 1 && x->part[i] == y->part[i])
        i++;
    return x->part[i] < y->part[i];
}

bool reduce_is_simpler(const struct warp_case *x, const struct warp_case *y)
{
    struct reduce_cost of_x, of_y;
    reduce_cost_of(x, &of_x);
    reduce_cost_of(y, &of_y);
    return reduce_cost_less(&of_x, &of_y);
}
