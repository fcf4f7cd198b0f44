/*
 * From a case to its buckets, and from buckets to code edges.
 */
#include "fuzz/coverage/internal.h"

#include <string.h>

static void group_buckets(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                          const struct warp_form_info *info, lanemask group)
{
    struct coverage_lanes lanes = {group, coverage_first_lane(group)};
    switch (info->family) {
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        coverage_vote(set, c, info, &lanes);
        break;
    case WARP_MATCH_SYNC:
        coverage_match(set, c, info, &lanes);
        break;
    case WARP_REDUX_SYNC:
        coverage_redux(set, c, r, info, &lanes);
        break;
    default:
        break;
    }
}

void coverage_clear(struct coverage_set *set)
{
    memset(set->words, 0, sizeof set->words);
    set->count = 0;
}

void coverage_add(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    coverage_state(set, c, r, info);
    if (warp_form_is_shfl(info)) {
        coverage_shfl(set, c, r, info);
        return;
    }
    for (lanemask left = r->done; left != 0;) {
        lanemask group = warp_form_is_sync(info) ? c->membermask[coverage_first_lane(left)] & ~c->exited : c->active;
        if ((group & left) == 0)
            return;
        group_buckets(set, c, r, info, group);
        left &= ~group;
    }
}

/* An empty statement that the compiler must keep apart from all others: its operand is the bucket. */
#define EDGE(n)                                                                                                        \
    case (n):                                                                                                          \
        __asm__ volatile("" : : "i"(n));                                                                               \
        break;
#define EDGES4(n)   EDGE(n) EDGE((n) + 1) EDGE((n) + 2) EDGE((n) + 3)
#define EDGES16(n)  EDGES4(n) EDGES4((n) + 4) EDGES4((n) + 8) EDGES4((n) + 12)
#define EDGES64(n)  EDGES16(n) EDGES16((n) + 16) EDGES16((n) + 32) EDGES16((n) + 48)
#define EDGES256(n) EDGES64(n) EDGES64((n) + 64) EDGES64((n) + 128) EDGES64((n) + 192)

_Static_assert(COVERAGE_BUCKETS <= 1408, "add edges to walk()");

static void walk(unsigned bucket)
{
    switch (bucket) {
        EDGES256(0)
        EDGES256(256)
        EDGES256(512)
        EDGES256(768)
        EDGES256(1024)
        EDGES64(1280)
        EDGES64(1344)
    default:
        break;
    }
}

void coverage_signal(const struct coverage_set *set)
{
    for (unsigned i = 0; i < set->count; i++)
        walk(set->list[i]);
}
