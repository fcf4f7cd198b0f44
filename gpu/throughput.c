/* The cases of a seed as the device makes them: throughput_kernel.c draws the same in PTX. */
#include "gpu/throughput.h"

#include "base/clock.h"
#include "base/random.h"
#include "gpu/driver.h"
#include "gpu/gpu.h"

#include <stdio.h>
#include <string.h>

static uint32_t word(uint32_t key, uint32_t k)
{
    return random_mix32(key + k * 0x9e3779b9u);
}

/* The random words from which a case is drawn. Their numbers are those of throughput_kernel.c. */
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
    *high = info->type != WARP_B64 ? 0u : kind == 1 ? r >> 8 & 1u : random_mix32(r);
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
    c->dst = warp_form_widest_dst(info);
    d.key = random_mix32(request->seed + random_mix32(index));
    d.choices = word(d.key, 0);
    d.exited =
        points ? 0
               : draw_exited(random_mix32(request->seed ^ random_mix32(index / THROUGHPUT_CASES_A_WARP ^ 0x77617270u)));
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

enum { SAMPLES_A_REQUEST = 64, WARPS_A_REQUEST = 1 << 17, RECHECK_BATCH = 64 };

/* `bar.warp.sync`, which brings the lanes of a warp together again, came with PTX 6.0. */
#define LEAST_PTX 60u

bool throughput_target(const struct warp_form_info *info, uint32_t device_sm, uint16_t greatest_ptx,
                       struct throughput_request *request)
{
    const struct warp_target_info *t;
    bool found = false;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        uint16_t ptx = warp_legal_from(info, t->target);
        if (ptx == 0 || !gpu_runs_target(device_sm, t->target))
            continue;
        ptx = ptx < LEAST_PTX ? LEAST_PTX : ptx;
        if (ptx > greatest_ptx || !warp_legal(info, warp_form_widest_dst(info), ptx, t->target, NULL, 0))
            continue;
        request->form = info->form;
        request->target = t->target;
        request->ptx = ptx;
        found = true;
    }
    return found;
}

/* Checks n cases by the ordinary path and returns how many differ from the reference. `first` receives the first of
 * them. */
static bool ordinary_way(const struct warp_impl *gpu, const struct warp_impl *reference, const struct warp_case *cases,
                         size_t n, uint64_t *differ, const struct warp_case **first, struct error *error)
{
    struct warp_result expected[RECHECK_BATCH], observed[RECHECK_BATCH];
    char why[ERROR_TEXT_MAX];
    *differ = 0;
    *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (!warp_impl_accepts(gpu, &cases[i], why, sizeof why))
            return error_set(error, ERROR_DECLINED, "%s", why);
    if (!reference->eval(reference->state, cases, n, expected, why, sizeof why) ||
        !gpu->eval(gpu->state, cases, n, observed, why, sizeof why))
        return error_set(error, ERROR_DECLINED, "%s", why);
    for (size_t i = 0; i < n; i++)
        if (!warp_result_compare(&cases[i], &expected[i], &observed[i], gpu->provides & reference->provides, NULL)) {
            *first = *differ == 0 ? &cases[i] : *first;
            ++*differ;
        }
    return true;
}

static bool recheck(const struct warp_impl *gpu, const struct warp_impl *reference,
                    const struct throughput_request *request, const struct throughput_reply *reply,
                    struct throughput_report *report, struct error *error)
{
    struct warp_case cases[RECHECK_BATCH];
    const struct warp_case *first;
    uint64_t differ;
    const size_t n = reply->named < RECHECK_BATCH ? reply->named : RECHECK_BATCH;
    for (size_t i = 0; i < n; i++)
        throughput_case(request, reply->index[i], &cases[i]);
    if (!ordinary_way(gpu, reference, cases, n, &differ, &first, error))
        return false;
    report->rechecked += n;
    if (n > 0 && (!report->has_example || (report->confirmed == 0 && differ > 0))) {
        report->has_example = true;
        report->example = first != NULL ? *first : cases[0];
    }
    report->confirmed += differ;
    return true;
}

static bool sample(const struct warp_impl *gpu, const struct warp_impl *reference,
                   const struct throughput_request *request, struct throughput_report *report, struct error *error)
{
    struct warp_case cases[SAMPLES_A_REQUEST];
    const struct warp_case *first;
    const uint32_t count = request->warps * THROUGHPUT_CASES_A_WARP;
    uint64_t differ;
    for (uint32_t i = 0; i < SAMPLES_A_REQUEST; i++)
        throughput_case(request, request->first + i * (count / SAMPLES_A_REQUEST) + i % 7u, &cases[i]);
    if (!ordinary_way(gpu, reference, cases, SAMPLES_A_REQUEST, &differ, &first, error))
        return false;
    report->sampled += SAMPLES_A_REQUEST;
    report->sample_differs += differ;
    if (first != NULL && !report->has_example) {
        report->has_example = true;
        report->example = *first;
    }
    return true;
}

bool throughput_check(const struct warp_impl *gpu, const struct warp_impl *reference, const struct warp_form_info *info,
                      enum throughput_space space, uint32_t seed, uint64_t lanes, struct throughput_report *report,
                      struct error *error)
{
    const struct gpu_info *device = gpu_get_info(gpu);
    const bool points = space == THROUGHPUT_POINTS;
    struct throughput_request request = {.space = space, .seed = seed};
    struct throughput_reply reply;
    double begin;
    memset(report, 0, sizeof *report);
    if (!throughput_target(info, device->sm, gpu_ptx(device->driver), &request))
        return error_set(error, ERROR_UNAVAILABLE, "no target that the sm_%u device runs has %s", (unsigned)device->sm,
                         info->name);
    request.warps = points ? THROUGHPUT_POINT_CASES / THROUGHPUT_CASES_A_WARP : WARPS_A_REQUEST;
    do {
        const uint32_t count = request.warps * THROUGHPUT_CASES_A_WARP;
        begin = clock_seconds();
        if (!gpu_throughput(gpu, &request, &reply, error))
            return false;
        report->seconds += clock_seconds() - begin;
        report->cases += count;
        report->lanes += reply.lanes;
        report->mismatches += reply.mismatches;
        if (!recheck(gpu, reference, &request, &reply, report, error) ||
            !sample(gpu, reference, &request, report, error))
            return false;
        if (request.first > UINT32_MAX - 2 * count) {
            request.first = 0;
            request.seed++;
        } else {
            request.first += count;
        }
    } while (!points && report->lanes < lanes && report->mismatches == 0);
    return true;
}
