#define _POSIX_C_SOURCE 200809L

#include "gpu/driver.h"
#include "gpu/gpu.h"
#include "gpu/throughput/throughput.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

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
        if (ptx == 0 || !driver_runs_target(device_sm, t->target))
            continue;
        ptx = ptx < LEAST_PTX ? LEAST_PTX : ptx;
        if (ptx > greatest_ptx || !warp_legal(info, WARP_DST_D, ptx, t->target, NULL, 0))
            continue;
        request->form = info->form;
        request->target = t->target;
        request->ptx = ptx;
        found = true;
    }
    return found;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Takes n cases the ordinary way; returns how many differ from the reference. `first` receives the first that does. */
static bool ordinary_way(const struct warp_impl *gpu, const struct warp_impl *reference, const struct warp_case *cases,
                         size_t n, uint64_t *differ, const struct warp_case **first, char *error, size_t error_size)
{
    struct warp_result expected[RECHECK_BATCH], observed[RECHECK_BATCH];
    *differ = 0;
    *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (!warp_impl_accepts(gpu, &cases[i], error, error_size))
            return false;
    if (!reference->eval(reference->state, cases, n, expected, error, error_size) ||
        !gpu->eval(gpu->state, cases, n, observed, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!warp_result_compare(&cases[i], &expected[i], &observed[i], gpu->provides & reference->provides, NULL)) {
            *first = *differ == 0 ? &cases[i] : *first;
            ++*differ;
        }
    return true;
}

static bool recheck(const struct warp_impl *gpu, const struct warp_impl *reference,
                    const struct throughput_request *request, const struct throughput_reply *reply,
                    struct throughput_report *report, char *error, size_t error_size)
{
    struct warp_case cases[RECHECK_BATCH];
    const struct warp_case *first;
    uint64_t differ;
    const size_t n = reply->named < RECHECK_BATCH ? reply->named : RECHECK_BATCH;
    for (size_t i = 0; i < n; i++)
        throughput_case(request, reply->index[i], &cases[i]);
    if (!ordinary_way(gpu, reference, cases, n, &differ, &first, error, error_size))
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
                   const struct throughput_request *request, struct throughput_report *report, char *error,
                   size_t error_size)
{
    struct warp_case cases[SAMPLES_A_REQUEST];
    const struct warp_case *first;
    const uint32_t count = request->warps * THROUGHPUT_CASES_A_WARP;
    uint64_t differ;
    for (uint32_t i = 0; i < SAMPLES_A_REQUEST; i++)
        throughput_case(request, request->first + i * (count / SAMPLES_A_REQUEST) + i % 7u, &cases[i]);
    if (!ordinary_way(gpu, reference, cases, SAMPLES_A_REQUEST, &differ, &first, error, error_size))
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
                      char *error, size_t error_size)
{
    const struct gpu_info *device = gpu_get_info(gpu);
    const bool points = space == THROUGHPUT_POINTS;
    struct throughput_request request = {.space = space, .seed = seed};
    struct throughput_reply reply;
    double begin;
    memset(report, 0, sizeof *report);
    if (!throughput_target(info, device->sm, driver_ptx(device->driver), &request)) {
        snprintf(error, error_size, "no target that the sm_%u device runs has %s", (unsigned)device->sm, info->name);
        return false;
    }
    request.warps = points ? THROUGHPUT_POINT_CASES / THROUGHPUT_CASES_A_WARP : WARPS_A_REQUEST;
    do {
        const uint32_t count = request.warps * THROUGHPUT_CASES_A_WARP;
        begin = now();
        if (!gpu_throughput(gpu, &request, &reply, error, error_size))
            return false;
        report->seconds += now() - begin;
        report->cases += count;
        report->lanes += reply.lanes;
        report->mismatches += reply.mismatches;
        if (!recheck(gpu, reference, &request, &reply, report, error, error_size) ||
            !sample(gpu, reference, &request, report, error, error_size))
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
