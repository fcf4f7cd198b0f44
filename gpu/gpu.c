#include "gpu/gpu.h"

#include "gpu/driver.h"
#include "model/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDA 11.x compiles PTX 7.x, CUDA 12.x PTX 8.x with one version skipped (12.6 still has 8.5), CUDA 13.x PTX 9.x. */
uint16_t gpu_ptx(uint32_t driver)
{
    const uint32_t major = driver / 1000;
    const uint32_t minor = driver % 1000 / 10;
    if (major < 10)
        return 60;
    if (major == 10)
        return (uint16_t)(63 + minor);
    if (major == 12 && minor > 5)
        return (uint16_t)(80 + minor - 1);
    return (uint16_t)((major - 4) * 10 + minor);
}

bool gpu_runs_target(uint32_t device_sm, uint32_t target)
{
    const uint32_t sm = target / 10, suffix = target % 10;
    if (suffix == WARP_SUFFIX_A)
        return sm == device_sm;
    if (suffix == WARP_SUFFIX_F)
        return sm / 10 == device_sm / 10 && sm <= device_sm;
    return suffix == 0 && sm >= 30 && sm <= device_sm;
}

enum { START_MS = 60000, TIMEOUT_MS = 60000, SINGLE_TIMEOUT_MS = 5000 };

struct gpu {
    struct warp_impl impl;
    struct gpu_info info;
    struct worker *worker;
    unsigned timeout_ms;
    char description[320];
    uint32_t answers[WORKER_CASES * ANSWER_WORDS];
};

static struct gpu *opened; /* by gpu_get: one device, one process for it */

static bool gpu_accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct gpu *g = state;
    const struct warp_form_info *info = warp_form_get(c->form);
    const uint16_t ptx = warp_legal_from(info, c->target);
    if (info->type == WARP_F32 && !gpu_runs_target(g->info.sm, c->target)) {
        snprintf(why, why_size, "f32 redux needs sm_100a or its family: the device is sm_%u", (unsigned)g->info.sm);
        return false;
    }
    if (!gpu_runs_target(g->info.sm, c->target)) {
        snprintf(why, why_size, "its target is below sm_30 or not one that an sm_%u device runs", (unsigned)g->info.sm);
        return false;
    }
    if (ptx > gpu_ptx(g->info.driver)) {
        snprintf(why, why_size, "the driver does not compile PTX %d.%d", ptx / 10, ptx % 10);
        return false;
    }
    if (lanes_not_done(c) != 0) {
        snprintf(why, why_size, "a lane is undefined or would wait: not run on a device");
        return false;
    }
    return true;
}

static void read_answer(const struct warp_case *c, const uint32_t answer[ANSWER_WORDS], struct warp_result *r)
{
    memset(r, 0, sizeof *r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t flags = answer[WARP_LANES + lane];
        if (!(c->active >> lane & 1u))
            continue;
        r->done |= (lanemask)(flags & ANSWER_RAN ? 1u : 0u) << lane;
        r->p |= (lanemask)(flags & ANSWER_P ? 1u : 0u) << lane;
        r->d[lane] = warp_form_writes_d(warp_form_get(c->form), c->dst) ? answer[lane] : 0;
    }
    r->d_defined = lanes_predictable(c) & r->done;
}

/* Runs the cases one at a time, to find the one after which the device failed. */
static void name_culprit(struct gpu *g, const struct warp_case *cases, size_t n, struct error *error)
{
    const struct error first = *error;
    struct error what;
    const unsigned timeout_ms = g->timeout_ms < SINGLE_TIMEOUT_MS ? g->timeout_ms : SINGLE_TIMEOUT_MS;
    for (size_t i = 0; i < n; i++)
        if (!worker_evaluate(g->worker, &cases[i], 1, g->answers, timeout_ms, &what)) {
            const struct warp_case *c = &cases[i];
            error_set(error, what.code, "%s target=%s exited=0x%x active=0x%x: %s", warp_form_get(c->form)->name,
                      warp_target_name(c->target), (unsigned)c->exited, (unsigned)c->active, what.text);
            return;
        }
    error_set(error, first.code, "%s (in a batch of %zu cases; each alone ran)", first.text, n);
}

static bool eval_some(struct gpu *g, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    struct error what;
    if (!worker_evaluate(g->worker, cases, n, g->answers, g->timeout_ms, &what)) {
        if (n > 1)
            name_culprit(g, cases, n, &what);
        snprintf(error, error_size, "%s", what.text);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        read_answer(&cases[i], g->answers + i * ANSWER_WORDS, &results[i]);
    return true;
}

/* The last gate: a case that may hang never reaches a device, whatever the caller does. */
static bool all_safe(struct gpu *g, const struct warp_case *cases, size_t n, char *error, size_t error_size)
{
    for (size_t i = 0; i < n; i++)
        if (!gpu_accepts(g, &cases[i], error, error_size))
            return false;
    return true;
}

static bool gpu_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                     size_t error_size)
{
    struct gpu *g = state;
    if (!all_safe(g, cases, n, error, error_size))
        return false;
    for (size_t done = 0; done < n; done += WORKER_CASES) {
        const size_t part = n - done < WORKER_CASES ? n - done : WORKER_CASES;
        if (!eval_some(g, cases + done, part, results + done, error, error_size))
            return false;
    }
    return true;
}

static void gpu_close(void *state)
{
    struct gpu *g = state;
    worker_stop(g->worker);
    if (opened == g)
        opened = NULL;
    free(g);
}

const struct warp_impl *gpu_open(const struct worker_ops *ops, unsigned timeout_ms, struct error *error)
{
    struct gpu *g = calloc(1, sizeof *g);
    if (g == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    g->timeout_ms = timeout_ms;
    g->worker = worker_start(ops, START_MS, &g->info, error);
    if (g->worker == NULL) {
        free(g);
        return NULL;
    }
    snprintf(g->description, sizeof g->description, "%s, sm_%u, driver %s, CUDA %u.%u%s", g->info.device,
             (unsigned)g->info.sm, g->info.driver_name[0] != '\0' ? g->info.driver_name : "unknown",
             (unsigned)g->info.driver / 1000, (unsigned)g->info.driver % 1000 / 10,
             getenv("WARPCHECK_GPU_PLANT") != NULL ? "; A DEFECT IS PLANTED (WARPCHECK_GPU_PLANT)" : "");
    g->impl = (struct warp_impl){.name = "gpu",
                                 .description = g->description,
                                 .provides = WARP_PART_D | WARP_PART_P | WARP_PART_OUTCOME,
                                 .state = g,
                                 .accepts = gpu_accepts,
                                 .eval = gpu_eval,
                                 .close = gpu_close};
    return &g->impl;
}

/* WARPCHECK_GPU_TIMEOUT_MS, or the usual time for one request. */
static unsigned configured_timeout(void)
{
    const char *text = getenv("WARPCHECK_GPU_TIMEOUT_MS");
    const unsigned long value = text != NULL ? strtoul(text, NULL, 10) : 0;
    return value > 0 && value < 3600000 ? (unsigned)value : TIMEOUT_MS;
}

const struct warp_impl *gpu_get(struct error *error)
{
    const struct worker_ops *ops = driver_ops();
    const struct warp_impl *impl;
    if (opened != NULL)
        return &opened->impl;
    if (ops == NULL) {
        error_set(error, ERROR_UNAVAILABLE,
                  "built without the CUDA driver's declarations (Debian: libffmpeg-nvenc-dev, or a CUDA toolkit)");
        return NULL;
    }
    impl = gpu_open(ops, configured_timeout(), error);
    if (impl != NULL)
        opened = impl->state;
    return impl;
}

const struct gpu_info *gpu_get_info(const struct warp_impl *impl)
{
    const struct gpu *g = impl->state;
    return &g->info;
}

bool gpu_throughput(const struct warp_impl *impl, const struct throughput_request *request,
                    struct throughput_reply *reply, struct error *error)
{
    struct gpu *g = impl->state;
    return worker_throughput(g->worker, request, reply, g->timeout_ms, error);
}
