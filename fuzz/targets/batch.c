/*
 * Property: `fast` answers a batch of warps through its interface for batches as the transcription answers each warp.
 *
 * The input is a case; it and relatives of it, made one instruction, are the warps, again and again. Some batches are
 * so large that results are written past the caches.
 */
#include "base/random.h"
#include "check/impl/fast_batch.h"
#include "fuzz/derive.h"
#include "fuzz/harness.h"
#include "fuzz/mutator.h"
#include "warpcheck/bytes.h"
#include "warpcheck/form.h"

#include <stdlib.h>
#include <string.h>

#define KINDS_MAX   13u     /* of warps */
#define SMALL_MAX   300u    /* warps in most batches */
#define LARGE       196608u /* 24 MiB of d: fast streams from there on (check/batch.h) */
#define LARGE_EVERY 1024u   /* inputs */
#define GARBAGE     0xa5

static struct harness *harness;

/* The warps of a batch, and room for its answers. */
struct room {
    uint32_t *a, *a_high, *b, *c, *membermask, *d, *waits_for; /* WARP_LANES words a warp */
    uint32_t *active, *exited, *p, *d_defined, *done, *waiting, *undefined;
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start(WARP_FAMILY_ALL);
    mutator_set_families(harness->families);
    return 0;
}

/* One block for all rows; the large operands begin where a row does. */
static void *make_room(size_t n, struct room *room)
{
    uint32_t **const rows[] = {&room->a,          &room->a_high, &room->b,        &room->c,
                               &room->membermask, &room->d,      &room->waits_for};
    uint32_t **const words[] = {&room->active, &room->exited,  &room->p,        &room->d_defined,
                                &room->done,   &room->waiting, &room->undefined};
    uint32_t *const block = aligned_alloc(64, (7 * (n + 16) * WARP_LANES + 7 * (n + 16)) * 4 / 64 * 64 + 64);
    uint32_t *at = block;
    for (size_t i = 0; block != NULL && i < 7; i++, at += (n + 16) * WARP_LANES)
        *rows[i] = at;
    for (size_t i = 0; block != NULL && i < 7; i++, at += n + 16)
        *words[i] = at;
    return block;
}

static void put_warp(const struct room *room, size_t w, const struct warp_case *c)
{
    memcpy(room->a + w * WARP_LANES, c->a, sizeof c->a);
    memcpy(room->a_high + w * WARP_LANES, c->a_high, sizeof c->a_high);
    memcpy(room->b + w * WARP_LANES, c->b, sizeof c->b);
    memcpy(room->c + w * WARP_LANES, c->c, sizeof c->c);
    memcpy(room->membermask + w * WARP_LANES, c->membermask, sizeof c->membermask);
    room->active[w] = c->active;
    room->exited[w] = c->exited;
}

static void take_answer(const struct room *room, size_t w, struct warp_result *r)
{
    memset(r, 0, sizeof *r);
    memcpy(r->d, room->d + w * WARP_LANES, sizeof r->d);
    memcpy(r->waits_for, room->waits_for + w * WARP_LANES, sizeof r->waits_for);
    r->p = room->p[w];
    r->d_defined = room->d_defined[w];
    r->done = room->done[w];
    r->waiting = room->waiting[w];
    r->undefined = room->undefined[w];
}

static struct warp_batch batch_of(const struct room *room, const struct warp_case *c, size_t n)
{
    return (struct warp_batch){.form = c->form,
                               .target = c->target,
                               .dst = c->dst,
                               .negate = c->negate,
                               .n = n,
                               .a = {room->a, WARP_LANES, false},
                               .a_high = {room->a_high, WARP_LANES, false},
                               .b = {room->b, WARP_LANES, false},
                               .c = {room->c, WARP_LANES, false},
                               .membermask = {room->membermask, WARP_LANES, false},
                               .active = {room->active, 1, true},
                               .exited = {room->exited, 1, true},
                               .d = {room->d, WARP_LANES},
                               .waits_for = {room->waits_for, WARP_LANES},
                               .p = {room->p, 1},
                               .d_defined = {room->d_defined, 1},
                               .done = {room->done, 1},
                               .waiting = {room->waiting, 1},
                               .undefined = {room->undefined, 1}};
}

/* The case and those of its relatives that are the same instruction. Returns how many. */
static size_t make_kinds(const struct warp_case *base, struct warp_case kinds[KINDS_MAX])
{
    size_t count = 1;
    kinds[0] = *base;
    for (unsigned k = 0; k < DERIVED_MAX && count < KINDS_MAX; k++) {
        struct warp_case *const c = &kinds[count];
        derive_case(base, k, c);
        count += c->form == base->form && c->target == base->target && c->dst == base->dst && c->negate == base->negate;
    }
    return count;
}

static void check(const struct warp_case *kinds, size_t count, size_t n, const uint8_t *data, size_t size)
{
    static struct warp_result expected[KINDS_MAX];
    struct room room;
    char error[256] = "";
    void *const block = make_room(n, &room);
    if (block == NULL)
        return;
    if (!harness->reference->eval(harness->reference->state, kinds, count, expected, error, sizeof error))
        abort();
    harness_count_case(harness, &kinds[0], &expected[0]);
    for (size_t w = 0; w < n; w++)
        put_warp(&room, w, &kinds[w % count]);
    memset(room.d, GARBAGE, n * WARP_LANES * sizeof *room.d);
    const struct warp_batch batch = batch_of(&room, &kinds[0], n);
    if (!impl_fast_batch_run(NULL, &batch, error, sizeof error))
        harness_failure(harness, "batch-refused", error, data, size);
    for (size_t w = 0; w < n; w++) {
        struct warp_result r;
        take_answer(&room, w, &r);
        if (!warp_result_compare(&kinds[w % count], &expected[w % count], &r, WARP_PART_ALL, NULL)) {
            harness_failure(harness, "batch-wrong", "a warp of a batch is answered otherwise than its case", data,
                            size);
            break;
        }
    }
    harness->status->checks += n;
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct warp_case base, kinds[KINDS_MAX];
    const uint64_t hash = random_mix(hash_bytes(HASH_START, data, size));
    const size_t n = hash % LARGE_EVERY == 0 ? LARGE + (size_t)(hash >> 32) % 64 : 1 + (size_t)(hash >> 32) % SMALL_MAX;
    warp_case_from_bytes(data, size, harness->families, &base);
    status_asks(harness->status, data, size);
    check(kinds, make_kinds(&base, kinds), n, data, size);
    status_answered(harness->status);
    return 0;
}
