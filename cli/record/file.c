/* Collecting cases, asking the device, writing the file. */
#include "check/enumerate.h"
#include "check/random.h"
#include "cli/record/record.h"
#include "gpu/throughput.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <string.h>

enum { BATCH = 1024, RANDOM_TRIES = 400000 };

/* Where the cases of a recording come from, in shares of the whole. */
struct collection {
    const struct warp_impl *gpu;
    struct recording_writer *writer;
    struct warp_case cases[BATCH];
    struct warp_result results[BATCH];
    size_t n;
    uint64_t recorded;
    uint64_t wanted[WARP_FORMS]; /* of each form, still */
    uint32_t ptx_least, ptx_greatest;
    char error[400];
};

static bool flush_batch(struct collection *k)
{
    if (k->n > 0 && !k->gpu->eval(k->gpu->state, k->cases, k->n, k->results, k->error, sizeof k->error))
        return false;
    for (size_t i = 0; i < k->n; i++) {
        if (k->results[i].done != k->cases[i].active) {
            snprintf(k->error, sizeof k->error, "%s: a lane did not come back", warp_form_get(k->cases[i].form)->name);
            return false;
        }
        if (!recording_add(k->writer, &k->cases[i], &k->results[i])) {
            snprintf(k->error, sizeof k->error, "%s: the answer cannot be kept", warp_form_get(k->cases[i].form)->name);
            return false;
        }
    }
    k->recorded += k->n;
    k->n = 0;
    return true;
}

/* Takes a case if more of its form are wanted and the device can run it. */
static bool offer(struct collection *k, const struct warp_case *c)
{
    const uint16_t ptx = warp_legal_from(warp_form_get(c->form), c->target);
    if (k->wanted[c->form] == 0 || c->active == 0 || !warp_impl_accepts(k->gpu, c, NULL, 0))
        return true;
    k->wanted[c->form]--;
    if (k->ptx_least == 0 || ptx < k->ptx_least)
        k->ptx_least = ptx;
    if (ptx > k->ptx_greatest)
        k->ptx_greatest = ptx;
    k->cases[k->n++] = *c;
    return k->n < BATCH || flush_batch(k);
}

static void want(struct collection *k, uint64_t each)
{
    for (size_t i = 0; i < WARP_FORMS; i++)
        k->wanted[i] = each;
}

/* Evenly spaced cases of each enumeration, whatever the form: `each` of an enumeration. */
static bool collect_enumerations(struct collection *k, uint64_t each)
{
    const struct enumeration *e;
    struct warp_case c;
    want(k, UINT64_MAX);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        const uint64_t count = e->count();
        const uint64_t n = count < each ? count : each;
        for (uint64_t j = 0; j < n; j++) {
            e->make((uint64_t)((double)count / (double)n * (double)j), &c);
            if (!offer(k, &c))
                return false;
        }
    }
    return true;
}

static bool collect_random(struct collection *k, uint64_t seed, uint64_t each)
{
    struct warp_case c;
    want(k, each);
    for (uint64_t i = 0; i < RANDOM_TRIES; i++) {
        random_case(seed, i, WARP_FAMILY_ALL, &c);
        if (!offer(k, &c))
            return false;
    }
    return true;
}

/* Cases as the device itself makes them for --throughput: groups, exited lanes and divergence in most. */
static bool collect_generated(struct collection *k, uint64_t seed, uint64_t each)
{
    const struct gpu_info *device = gpu_get_info(k->gpu);
    struct warp_case c;
    want(k, each);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct throughput_request request = {.space = THROUGHPUT_RANDOM, .seed = (uint32_t)seed};
        if (!throughput_target(warp_form_get(form), device->sm, UINT16_MAX, &request))
            continue;
        for (uint32_t i = 0; k->wanted[form] > 0 && i < 4 * each; i++) {
            throughput_case(&request, i * 5u, &c);
            if (!offer(k, &c))
                return false;
        }
    }
    return true;
}

/* Fills the writer. The three sources give about a third each. */
static bool collect(struct collection *k, uint64_t seed, uint64_t cases)
{
    return collect_generated(k, seed, cases * 45 / 100 / 30) && collect_random(k, seed, cases * 35 / 100 / 30) &&
           collect_enumerations(k, cases * 20 / 100 / 8) && flush_batch(k);
}

int record_file(const struct warp_impl *gpu, const char *path, uint64_t seed, uint64_t cases, bool stored)
{
    static struct collection k;
    const struct gpu_info *device = gpu_get_info(gpu);
    struct error error;
    struct recording_info info = {
        .sm = device->sm, .driver = device->driver, .parts = gpu->provides, .seed = (uint32_t)seed};
    snprintf(info.device, sizeof info.device, "%s", device->device);
    snprintf(info.driver_name, sizeof info.driver_name, "%s", device->driver_name);
    k.gpu = gpu;
    k.writer = recording_start(&info);
    if (k.writer == NULL || !collect(&k, seed, cases)) {
        fprintf(stderr, "warpcheck record: nothing written: %s\n", k.writer == NULL ? "not enough memory" : k.error);
        return STATUS_MISMATCH;
    }
    recording_set_ptx(k.writer, k.ptx_least, k.ptx_greatest);
    if (!recording_finish(k.writer, path, !stored, &error)) {
        fprintf(stderr, "warpcheck record: %s\n", error.text);
        return STATUS_USAGE;
    }
    return record_describe(path);
}

/* Writes the answers in another file, compressed. */
int record_pack(const char *from, const char *to)
{
    struct error error = {.code = ERROR_NONE};
    struct recording *recording = recording_load(from, &error);
    struct recording_writer *writer = recording != NULL ? recording_start(recording_get_info(recording)) : NULL;
    bool good = writer != NULL;
    for (size_t i = 0; good && i < recording_count(recording); i++) {
        struct warp_case c;
        struct warp_result r;
        recording_get(recording, i, &c, &r);
        good = recording_add(writer, &c, &r);
    }
    good = writer != NULL && recording_finish(writer, to, true, &error) && good;
    recording_free(recording);
    if (!good)
        fprintf(stderr, "warpcheck record: %s\n", error.text);
    return good ? STATUS_AGREE : STATUS_USAGE;
}
