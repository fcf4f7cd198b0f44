/* The cases of a seed, as the device makes them: kernel.c has the same in PTX. */
#include "gpu/throughput/throughput.h"

/* A bijection of 32-bit words that mixes well ("lowbias32"). */
static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static uint32_t word(uint32_t key, uint32_t k)
{
    return mix(key + k * 0x9e3779b9u);
}

/* What a case is drawn from. The numbers of the words are those of throughput/kernel.c. */
struct draw {
    uint32_t key;     /* of the case */
    uint32_t choices; /* word 0: kinds, two bits each */
    lanemask exited, active;
};

static lanemask draw_exited(uint32_t warp_key)
{
    switch (word(warp_key, 0) & 3u) {
    case 2:
        return word(warp_key, 1) & word(warp_key, 2);
    case 3:
        return word(warp_key, 1);
    default:
        return 0;
    }
}

static lanemask draw_active(const struct draw *d)
{
    switch (d->choices & 3u) {
    case 2:
        return word(d->key, 1) & ~d->exited;
    case 3:
        return (word(d->key, 1) | word(d->key, 2)) & ~d->exited;
    default:
        return ~d->exited;
    }
}

/* One, two or four groups; some of the exited lanes are named where the choice says so. */
static lanemask draw_membermask(const struct draw *d, unsigned lane)
{
    const uint32_t kind = d->choices >> 2 & 3u;
    const uint32_t first = kind >= 1 ? word(d->key, 3) : UINT32_MAX;
    const uint32_t second = kind >= 2 ? word(d->key, 4) : UINT32_MAX;
    const lanemask group = (first >> lane & 1u ? first : ~first) & (second >> lane & 1u ? second : ~second) & d->active;
    return group | (d->choices >> 4 & 1u ? d->exited & word(d->key, 6) : 0u);
}

/* All lanes equal, or all but one, in half of the cases of instructions that ask whether they are. */
static uint32_t draw_value(const struct draw *d, const struct warp_form_info *info, unsigned lane, uint32_t *high)
{
    const bool equal = !warp_form_is_shfl(info) && (d->choices >> 7 & 1u);
    const uint32_t source = !equal ? lane : lane == (word(d->key, 8) & 31u) ? 33u : 32u;
    const uint32_t r = word(d->key, 64 + source);
    const uint32_t kind = warp_form_is_shfl(info) ? 0u : d->choices >> 5 & 3u;
    *high = info->type != WARP_B64 ? 0u : kind == 1 ? r >> 8 & 1u : mix(r);
    switch (info->type == WARP_PRED ? 4u : kind) {
    case 0:
        return r;
    case 1:
        return r & 7u;
    case 2:
        return 0x7fffffffu + (r & 3u);
    case 3:
        return r & word(d->key, 7);
    default:
        return r & 1u;
    }
}

static uint32_t widest_destination(const struct warp_form_info *info)
{
    return info->destinations >> WARP_DST_D_P & 1u ? WARP_DST_D_P : WARP_DST_D;
}

static void point_operands(struct warp_case *c, uint32_t index)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->b[lane] = index & 31u;
        c->c[lane] = (index >> 5 & 31u) | (index >> 10 & 31u) << 8;
    }
}

static void random_operands(struct warp_case *c, const struct draw *d)
{
    const bool uniform = d->choices >> 8 & 1u;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c->b[lane] = word(d->key, 128 + (uniform ? 0 : lane));
        c->c[lane] = word(d->key, 192 + (uniform ? 0 : lane));
    }
}

void throughput_case(const struct throughput_request *request, uint32_t index, struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(request->form);
    const bool points = request->space == THROUGHPUT_POINTS;
    struct draw d;
    warp_case_init(c, info->form);
    c->target = request->target;
    c->dst = widest_destination(info);
    d.key = mix(request->seed + mix(index));
    d.choices = word(d.key, 0);
    d.exited = points ? 0 : draw_exited(mix(request->seed ^ mix(index / THROUGHPUT_CASES_A_WARP ^ 0x77617270u)));
    d.active = points ? UINT32_MAX : draw_active(&d);
    c->exited = d.exited;
    c->active = d.active;
    for (unsigned lane = 0; lane < WARP_LANES && info->type != WARP_NO_SOURCE; lane++)
        c->a[lane] = draw_value(&d, info, lane, &c->a_high[lane]);
    for (unsigned lane = 0; lane < WARP_LANES && warp_form_is_sync(info) && !points; lane++)
        c->membermask[lane] = draw_membermask(&d, lane);
    if (warp_form_is_shfl(info) && points)
        point_operands(c, index);
    else if (warp_form_is_shfl(info))
        random_operands(c, &d);
}
