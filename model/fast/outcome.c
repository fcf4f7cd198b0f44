/* Outcomes: undefined first, then waiting, then done. */
#include "lanes.h"
#include "outcome.h"

#include <string.h>

static bool is_constant(const struct warp_column *column)
{
    return column->values == NULL || column->stride == 0;
}

bool fast_outcomes_constant(const struct warp_batch *batch, bool sync)
{
    const bool same_members =
        !sync || batch->membermask.values == NULL || (batch->membermask.per_warp && batch->membermask.stride == 0);
    return same_members && is_constant(&batch->active) && is_constant(&batch->exited);
}

/* Reads one word for each warp, or `otherwise` when the batch has none. */
static void load(const struct warp_column *column, uint32_t otherwise, size_t first, size_t n, uint32_t *to)
{
    if (column->values == NULL)
        for (size_t w = 0; w < n; w++)
            to[w] = otherwise;
    else if (column->stride == 1)
        memcpy(to, column->values + first, n * sizeof *to);
    else
        for (size_t w = 0; w < n; w++)
            to[w] = *fast_at(column, first + w);
}

static bool all_same(const uint32_t *words, size_t n)
{
    uint32_t differs = 0;
    for (size_t w = 1; w < n; w++)
        differs |= words[w] ^ words[0];
    return differs == 0;
}

/* Is each row the one before it? Rows without gaps are compared at once. */
static bool rows_same(const struct warp_column *column, size_t first, size_t n)
{
    const uint32_t *values = fast_at(column, first);
    const size_t rows = column->stride == WARP_LANES ? n - 1 : 1, row = WARP_LANES * sizeof *values;
    for (size_t w = 1; w < n; w += rows, values += rows * column->stride)
        if (memcmp(values, values + column->stride, rows * row) != 0)
            return false;
    return true;
}

static bool any(const lanemask *sets, size_t n)
{
    lanemask all = 0;
    for (size_t w = 0; w < n; w++)
        all |= sets[w];
    return all != 0;
}

/* Do the warps pass the same membermasks, lane by lane, and are the same lanes there? So it is where all of them
 * execute one instruction of a kernel that cuts its warps into tiles. */
static bool is_repeated(const struct warp_batch *batch, size_t first, size_t n, const struct fast_outcomes *o)
{
    const struct warp_column *members = &batch->membermask;
    return n > 1 && members->values != NULL && !members->per_warp && all_same(o->active, n) && all_same(o->exited, n) &&
           rows_same(members, first, n);
}

static void load_members(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t first, size_t n,
                         struct fast_outcomes *o)
{
    struct warp_column members = batch->membermask;
    if (members.values != NULL && !members.per_warp) {
        members.values += first * members.stride;
        kernels->unify(&members, n, &(struct fast_unified){o->active, o->exited, o->mask, o->stray, o->open});
        o->mixed = any(o->stray, n);
        return;
    }
    load(&members, FAST_ALL_LANES, first, n, o->mask);
    memset(o->stray, 0, n * sizeof o->stray[0]);
}

/* Without stray lanes all active lanes have one membermask: a lane that has not arrived is missing for all of them
 * or for none. */
static void settle_sync(size_t n, bool convergence, struct fast_outcomes *o)
{
    for (size_t w = 0; w < n; w++) {
        const lanemask counted = o->stray[w] == 0 ? o->active[w] : 0;
        const lanemask members = counted & o->mask[w];
        const lanemask missing = o->mask[w] & ~o->exited[w] & ~o->active[w];
        const lanemask stuck = missing != 0 ? members : 0;
        o->group[w] = members & ~stuck;
        o->missing[w] = missing;
        o->waiting[w] = convergence ? 0 : stuck;
        o->undefined[w] = (counted & ~o->mask[w]) | (convergence ? stuck : 0);
    }
}

static void repeat(lanemask *words, size_t n)
{
    for (size_t w = 1; w < n; w++)
        words[w] = words[0];
}

void fast_repeat(const struct warp_batch *batch, size_t n, struct fast_outcomes *o)
{
    repeat(o->group, n);
    if (batch->waits_for.values != NULL || batch->waiting.values != NULL) {
        repeat(o->missing, n);
        repeat(o->waiting, n);
    }
    if (batch->undefined.values != NULL)
        repeat(o->undefined, n);
}

static void settle_without_members(size_t n, struct fast_outcomes *o)
{
    memcpy(o->group, o->active, n * sizeof o->group[0]);
    memset(o->missing, 0, n * sizeof o->missing[0]);
    memset(o->waiting, 0, n * sizeof o->waiting[0]);
    memset(o->undefined, 0, n * sizeof o->undefined[0]);
}

void fast_settle(const struct fast_kernels *kernels, const struct warp_batch *batch, bool sync, size_t first, size_t n,
                 struct fast_outcomes *o)
{
    o->mixed = o->same = false;
    load(&batch->exited, 0, first, n, o->exited);
    load(&batch->active, FAST_ALL_LANES, first, n, o->active);
    for (size_t w = 0; w < n; w++)
        o->active[w] &= ~o->exited[w];
    if (!sync) {
        settle_without_members(n, o);
        return;
    }
    o->same = is_repeated(batch, first, n, o);
    load_members(kernels, batch, first, o->same ? 1 : n, o);
    settle_sync(o->same ? 1 : n, warp_target_needs_convergence(batch->target), o);
    if (o->same)
        fast_repeat(batch, n, o);
}

/* Lanes `same` are the active lanes that pass `mask`. */
static void settle_class(lanemask mask, lanemask same, bool convergence, uint32_t *waits_for, struct fast_outcomes *o,
                         size_t w, struct fast_groups *groups)
{
    const lanemask members = same & mask;
    const lanemask missing = mask & ~o->exited[w] & ~same;
    o->undefined[w] |= same & ~mask;
    if (members == 0)
        return;
    if (missing == 0) {
        groups->lanes[groups->n++] = members;
        groups->done |= members;
    } else if (convergence) {
        o->undefined[w] |= members;
    } else {
        o->waiting[w] |= members;
        for (unsigned lane = 0; waits_for != NULL && lane < WARP_LANES; lane++) /* no processor predicts these lanes */
            waits_for[lane] = (members & fast_lane_bit[lane]) ? missing : waits_for[lane];
    }
}

lanemask fast_settle_class(const struct fast_kernels *kernels, const uint32_t *members, bool convergence,
                           uint32_t *waits_for, struct fast_outcomes *o, size_t w, struct fast_groups *groups,
                           lanemask rest)
{
    const uint32_t mask = members[fast_first_lane(rest)];
    const lanemask same = (o->open[w] == 0 ? mask : kernels->equal(members, mask)) & o->active[w];
    settle_class(mask, same, convergence, waits_for, o, w, groups);
    return rest & ~same;
}

void fast_settle_groups(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t at,
                        struct fast_outcomes *o, size_t w, struct fast_groups *groups)
{
    const uint32_t *members = fast_at(&batch->membermask, at);
    const bool convergence = warp_target_needs_convergence(batch->target);
    uint32_t *waits_for =
        batch->waits_for.values == NULL ? NULL : batch->waits_for.values + at * batch->waits_for.stride;
    lanemask rest = o->active[w];
    groups->n = 0;
    groups->done = 0;
    while (rest != 0)
        rest = fast_settle_class(kernels, members, convergence, waits_for, o, w, groups, rest);
}

void fast_repeat_mixed(const struct warp_batch *batch, size_t first, size_t n, struct fast_outcomes *o)
{
    const struct warp_sink *waits_for = &batch->waits_for;
    uint32_t *row = waits_for->values == NULL ? NULL : waits_for->values + first * waits_for->stride;
    fast_repeat(batch, n, o);
    for (size_t w = 1; row != NULL && w < n; w++)
        memcpy(row + w * waits_for->stride, row, WARP_LANES * sizeof *row);
}

void fast_settle_lanes(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t first, size_t n,
                       struct fast_outcomes *o)
{
    const size_t settled = o->same ? 1 : n;
    struct fast_groups groups;
    lanemask open = 0;
    for (size_t w = 0; w < settled; w++) { /* without a branch: compilers vectorize it */
        const lanemask mixed = o->stray[w] != 0 ? FAST_ALL_LANES : 0;
        o->group[w] = (o->active[w] & mixed) | (o->group[w] & ~mixed);
        open |= o->open[w] & mixed;
    }
    for (size_t w = 0; open != 0 && w < settled; w++) {
        if (o->stray[w] == 0 || o->open[w] == 0)
            continue;
        fast_settle_groups(kernels, batch, first + w, o, w, &groups);
        o->group[w] = groups.done;
    }
    if (o->same)
        fast_repeat_mixed(batch, first, n, o);
}
