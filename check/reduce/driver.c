#include "check/reduce/steps.h"

#include "base/clock.h"
#include "base/interrupt.h"

bool reduce_propose(struct reducer *r, const struct warp_case *candidate)
{
    struct reduce_cost cost;
    if (!reduction_goes_on(r->limits) || warp_case_check(candidate) != NULL)
        return false;
    reduce_cost_of(candidate, &cost);
    if (!reduce_cost_less(&cost, &r->cost))
        return false;
    r->limits->tried++;
    if (!r->test(r->context, candidate))
        return false;
    *r->best = *candidate;
    r->cost = cost;
    r->limits->kept++;
    return true;
}

bool reduction_goes_on(const struct reduction *r)
{
    return r->tried < r->limit && !interrupted() && (r->until <= 0 || clock_seconds() < r->until);
}

void reduce_case(struct warp_case *c, reduce_test test, void *context, struct reduction *limits)
{
    static void (*const steps[])(struct reducer *) = {reduce_lanes, reduce_masks,  reduce_form,   reduce_position,
                                                      reduce_shift, reduce_source, reduce_garbage};
    struct reducer r = {.best = c, .test = test, .context = context, .limits = limits};
    uint64_t kept_before;
    if (!reduction_goes_on(limits))
        return;
    reduce_cost_of(c, &r.cost);
    limits->tried++;
    if (!test(context, c))
        return;
    /* Repeats the steps until a whole round finds nothing, so that a second reduction finds nothing either. The
     * cost falls, so this ends. */
    do {
        kept_before = limits->kept;
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            steps[i](&r);
    } while (limits->kept != kept_before && reduction_goes_on(limits));
}

uint32_t reduce_parts(const struct warp_diff *diff)
{
    return (diff->d != 0 ? WARP_PART_D : 0) | (diff->p != 0 ? WARP_PART_P : 0) |
           (diff->outcome != 0 ? WARP_PART_OUTCOME : 0) | (diff->waits_for != 0 ? WARP_PART_WAITS_FOR : 0) |
           (diff->d_defined != 0 ? WARP_PART_D_DEFINED : 0);
}

uint32_t reduce_part(const struct warp_diff *diff)
{
    const uint32_t parts = reduce_parts(diff);
    static const uint32_t order[] = {WARP_PART_D, WARP_PART_P, WARP_PART_OUTCOME, WARP_PART_WAITS_FOR};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (parts & order[i])
            return order[i];
    return WARP_PART_D_DEFINED;
}

bool reduce_pair_differs(void *pair, const struct warp_case *c)
{
    const struct finding_pair *const p = pair;
    struct finding f;
    return finding_make(&f, p->reference, p->observed, c);
}

struct same_part {
    struct finding_pair pair;
    uint32_t part;
    struct finding *last; /* of the last case that differs so: the simplest one */
};

static bool differs_in_part(void *context, const struct warp_case *c)
{
    const struct same_part *const same = context;
    struct finding f;
    if (!finding_make(&f, same->pair.reference, same->pair.observed, c) || (reduce_parts(&f.diff) & same->part) == 0)
        return false;
    *same->last = f;
    return true;
}

void reduce_mismatch(struct warp_case *c, const struct warp_impl *reference, const struct warp_impl *observed,
                     struct reduction *r)
{
    struct finding f;
    struct same_part same = {{reference, observed}, 0, &f};
    if (finding_make(&f, reference, observed, c))
        same.part = reduce_part(&f.diff);
    reduce_case(c, differs_in_part, &same, r);
}

bool reduce_finding(struct finding *f, struct warp_case *c, const struct warp_impl *reference,
                    const struct warp_impl *observed, struct reduction *r)
{
    struct warp_case reduced = *c;
    struct same_part same = {{reference, observed}, 0, f};
    if (!finding_make(f, reference, observed, c))
        return false;
    same.part = reduce_part(&f->diff);
    reduce_case(&reduced, differs_in_part, &same, r);
    if (interrupted()) { /* nobody is asked any more: `f` is of the simplest case so far */
        *c = reduced;
        return true;
    }
    if (!finding_make(f, reference, observed, &reduced))
        return finding_make(f, reference, observed, c);
    *c = reduced;
    return true;
}
