/*
 * Lanes that go round in circles. The block is watched over some rounds. Lanes that run circle when, between two
 * moments with the same registers and places, each of them has executed something, while nothing changed a word of
 * memory and nothing was asked that may answer otherwise another time: clocks, activemask. Then each of these lanes
 * does for ever what it did, in any order in which lanes and warps may run: the execution has no end, and is ended
 * there.
 *
 * It is a deadlock where other lanes wait for them, each of them has polled shared memory (a volatile, relaxed or
 * atomic access) and none has read global memory, which another block could change: a spin loop on a word that only a
 * waiting lane could change.
 */
#include "kernel/exec/block.h"

#define FIRST_WATCH UINT64_C(512) /* steps after which the block is watched; later after twice as many as were made */
#define ROUNDS_MAX  64u           /* of one watch: a loop comes back to its place after so many at the latest */
#define NEVER       UINT64_MAX

void circle_start(struct kernel *kernel)
{
    kernel->circle = (struct circle){.next = kernel->watch ? NEVER : FIRST_WATCH};
}

/* What a running lane depends on: its place, the calls on the way, its registers and its local memory. */
static uint64_t digest_of_lane(const struct warp *w, unsigned lane, uint64_t digest)
{
    const struct code *code = w->kernel->code;
    digest = random_mix(digest ^ w->pc[lane]);
    for (uint32_t n = 0; n < code->functions_count; n++)
        digest = random_mix(digest ^ w->returns[n][lane]);
    for (uint32_t row = code->registers; row < code->rows; row++)
        digest = random_mix(digest ^ w->rows[(size_t)row * WARP_LANES + lane]);
    return digest ^ random_mix(hash_bytes(HASH_START, w->frames + lane * code->frame_bytes, code->frame_bytes));
}

/* Of the lanes that run, one that is furthest behind: whoever is ahead may not have its turn for long. */
static bool find_probe(const struct kernel *kernel, const struct warp **warp, unsigned *lane)
{
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        const struct warp *w = *warp = kernel->warps[n];
        if (!w->running)
            continue;
        *lane = (unsigned)__builtin_ctz(w->running);
        for (lanemask m = w->running; m != 0; m &= m - 1)
            if (w->pc[__builtin_ctz(m)] < w->pc[*lane])
                *lane = (unsigned)__builtin_ctz(m);
        return true;
    }
    return false;
}

static uint64_t probe_of(const struct kernel *kernel)
{
    const struct warp *w;
    unsigned lane;
    return find_probe(kernel, &w, &lane) ? digest_of_lane(w, lane, w->number * WARP_LANES + lane) : 0;
}

static uint64_t digest_of(const struct kernel *kernel)
{
    uint64_t digest = kernel->heap;
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        const struct warp *w = kernel->warps[n];
        const lanemask sets[] = {w->running, w->waiting, w->blocked, w->exited};
        for (unsigned k = 0; k < sizeof sets / sizeof sets[0]; k++)
            digest = random_mix(digest ^ sets[k]);
        for (lanemask m = w->running; m != 0; m &= m - 1)
            digest = digest_of_lane(w, (unsigned)__builtin_ctz(m), digest);
    }
    return digest;
}

static bool some_wait(const struct kernel *kernel)
{
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        if (kernel->warps[n]->waiting | kernel->warps[n]->blocked)
            return true;
    return false;
}

static unsigned running_of(const struct kernel *kernel)
{
    unsigned running = 0;
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        running += (unsigned)__builtin_popcount(kernel->warps[n]->running);
    return running;
}

static void begin(struct kernel *kernel, bool whole)
{
    kernel->memory.changed = kernel->memory.foreign = false;
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        kernel->warps[n]->stepped = kernel->warps[n]->polled = 0;
    kernel->circle.running = running_of(kernel);
    kernel->circle.probe = probe_of(kernel);
    kernel->circle.is_whole = whole;
    kernel->circle.digest = whole ? digest_of(kernel) : 0;
}

/* Of all lanes that run: have they executed something, and have they polled? */
static bool all_have(const struct kernel *kernel, bool polled)
{
    bool any = false;
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        const struct warp *w = kernel->warps[n];
        any |= w->running != 0;
        if (w->running & ~(polled ? w->stepped & w->polled : w->stepped))
            return false;
    }
    return any;
}

/* Is the lane back that was furthest behind? */
static bool is_probe_back(const struct kernel *kernel)
{
    const struct warp *w;
    unsigned lane;
    return find_probe(kernel, &w, &lane) && (w->stepped >> lane & 1u) && probe_of(kernel) == kernel->circle.probe;
}

/* Whether all lanes are back is not asked before one of them is. The moment to come back to is chosen anew when a lane
 * has stopped, and now and then: a loop may have begun since. */
static bool is_closed(struct kernel *kernel)
{
    const struct circle *circle = &kernel->circle;
    const bool is_back = is_probe_back(kernel);
    if (kernel->memory.changed)
        return false;
    if (is_back && circle->is_whole && all_have(kernel, false) && digest_of(kernel) == circle->digest)
        return true;
    if ((is_back && !circle->is_whole) || running_of(kernel) != circle->running ||
        (circle->rounds & (circle->rounds - 1)) == 0)
        begin(kernel, is_back || circle->is_whole);
    return false;
}

enum circle_kind circle_look(struct kernel *kernel)
{
    struct circle *circle = &kernel->circle;
    if (kernel->outcome->steps < circle->next)
        return CIRCLE_OPEN;
    if (circle->rounds == 0) {
        circle->rounds = ROUNDS_MAX;
        begin(kernel, false);
        return CIRCLE_OPEN;
    }
    if (is_closed(kernel))
        return some_wait(kernel) && all_have(kernel, true) && !kernel->memory.foreign ? CIRCLE_DEADLOCK
                                                                                      : CIRCLE_ENDLESS;
    if (kernel->memory.changed || --circle->rounds == 0) {
        circle->rounds = 0;
        circle->is_whole = false;
        circle->next = 2 * kernel->outcome->steps;
    }
    return CIRCLE_OPEN;
}
