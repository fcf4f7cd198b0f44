/*
 * Lanes that go round in circles while others wait for them: a spin loop on shared memory whose word only a waiting
 * lane could change. Without this such an execution would only be one that does not end.
 *
 * The block is watched over some rounds. Lanes that run circle when, between two moments with the same registers and
 * places, each of them has executed something and has polled shared memory (a volatile, relaxed or atomic access),
 * while nothing changed a word of shared memory and nothing touched what others could change or what may answer
 * otherwise another time: global memory, clocks, activemask. Then each of these lanes does for ever what it did, in any
 * order in which lanes and warps may run; and so the lanes that wait, wait for ever.
 */
#include "kernel/exec/block.h"

#define FIRST_WATCH                                                                                                    \
    (UINT64_C(1) << 12) /* steps after which the block is watched; each later watch after twice as many */
#define ROUNDS_MAX 64u  /* of one watch: a loop comes back to its place after so many at the latest */
#define NEVER      UINT64_MAX

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

static void begin(struct kernel *kernel)
{
    kernel->memory.changed = false;
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        kernel->warps[n]->stepped = kernel->warps[n]->polled = 0;
    kernel->circle.rounds = ROUNDS_MAX;
    kernel->circle.digest = digest_of(kernel);
}

static bool all_polled(const struct kernel *kernel)
{
    bool any = false;
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        const struct warp *w = kernel->warps[n];
        any |= w->running != 0;
        if (w->running & ~(w->stepped & w->polled))
            return false;
    }
    return any;
}

bool circle_closes(struct kernel *kernel)
{
    struct circle *circle = &kernel->circle;
    if (kernel->outcome->steps < circle->next)
        return false;
    if (circle->rounds == 0) {
        if (some_wait(kernel))
            begin(kernel);
        else
            circle->next *= 2;
        return false;
    }
    if (!kernel->memory.changed && digest_of(kernel) == circle->digest && all_polled(kernel))
        return true;
    if (kernel->memory.changed || --circle->rounds == 0) {
        circle->rounds = 0;
        circle->next *= 2;
    }
    return false;
}
