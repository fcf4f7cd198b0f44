#include "proofs/fast/hinted.h"

#include "proofs/fast/random.h"

#define FEWEST 2u
#define COUNTS (WARP_LANES - FEWEST + 1) /* numbers of groups */

static uint32_t hint(const struct hints *hints, uint64_t *seed)
{
    return hints->n == 0 ? next(seed) : hints->word[next(seed) % hints->n];
}

/* n lanes, one in each group, and the others in any. */
static void deal(unsigned of[WARP_LANES], unsigned n, uint64_t *seed)
{
    unsigned order[WARP_LANES] = {0};
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const unsigned at = next(seed) % (k + 1);
        order[k] = order[at];
        order[at] = k;
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        of[order[k]] = k < n ? k : next(seed) % n;
}

/* Which of n groups each lane is in. */
static void split(unsigned of[WARP_LANES], unsigned n, unsigned way, const struct hints *hints, uint64_t *seed)
{
    const lanemask word = hint(hints, seed);
    unsigned others = 0;
    if (way == 0)
        deal(of, n, seed);
    for (unsigned k = 0; k < WARP_LANES && way != 0; k++)
        of[k] = way == 1 ? k % n : way == 2 ? k * n / WARP_LANES : (word >> k & 1) != 0 ? 0 : 1 + others++ % (n - 1);
}

static unsigned some_lane(lanemask lanes, uint64_t *seed)
{
    unsigned lane = next(seed) % WARP_LANES;
    while (lanes != 0 && (lanes >> lane & 1) == 0)
        lane = (lane + 1) % WARP_LANES;
    return lane;
}

/* Most lanes of one of the words pass it, and one of them may be elsewhere. */
static void pass_hint(struct warp_case *c, const struct hints *hints, uint64_t *seed)
{
    const lanemask word = hint(hints, seed);
    for (unsigned k = 0; k < WARP_LANES; k++)
        if ((word >> k & 1) != 0 && next(seed) % 4 != 0)
            c->membermask[k] = word;
    if (next(seed) % 2 == 0)
        c->active &= ~(1u << some_lane(word, seed));
}

void hinted_case(struct warp_case *c, const struct warp_case *like, const struct hints *hints, unsigned i,
                 uint64_t *seed)
{
    const unsigned n = FEWEST + i % COUNTS, way = i / COUNTS % 4, state = i / COUNTS / 4 % 4;
    lanemask groups[WARP_LANES] = {0};
    unsigned of[WARP_LANES];
    *c = *like;
    split(of, n, way, hints, seed);
    for (unsigned k = 0; k < WARP_LANES; k++)
        groups[of[k]] |= 1u << k;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        c->membermask[k] = groups[of[k]];
        if (next(seed) % 4 == 0)
            c->a[k] = hint(hints, seed);
        if (next(seed) % 8 == 0)
            c->b[k] = hint(hints, seed);
        if (next(seed) % 8 == 0)
            c->c[k] = hint(hints, seed);
    }
    c->exited = state == 2 ? next(seed) & next(seed) : 0;
    c->active = ~c->exited;
    if (state == 1)
        c->active &= ~(1u << next(seed) % WARP_LANES);
    if (state == 3)
        pass_hint(c, hints, seed);
    warp_case_repair(c);
    c->form = like->form;
    warp_case_repair(c);
}
