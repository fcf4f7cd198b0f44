#include "model/lanes.h"
#include "warpcheck/warp.h"

#include <string.h>

/* ---- elect.sync: any lane of a group may lead it ([elect.sync: Description]; docs/ambiguities.md) ---- */

static bool is_one_lane(lanemask lanes)
{
    return lanes != 0 && (lanes & (lanes - 1)) == 0;
}

/* The lane of the group, as a set, that every lane's d names; 0 when they name several, or none of the group. */
static lanemask named_by_all(const uint32_t d[WARP_LANES], lanemask group)
{
    lanemask named = group;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (group >> lane & 1u)
            named &= d[lane] < WARP_LANES ? 1u << d[lane] : 0u;
    return named;
}

/* Who leads a group by p and by d; the whole group by what is not looked at. */
struct election {
    lanemask by_p, by_d;
};

static struct election election_of(const struct warp_result *r, lanemask group, uint32_t parts, bool d_selected)
{
    const bool looks_at_d = d_selected && (parts & WARP_PART_D);
    return (struct election){parts & WARP_PART_P ? r->p & group : group,
                             looks_at_d ? named_by_all(r->d, group) : group};
}

/* p and d, as far as they are looked at, give one leader. */
static bool is_valid(struct election e, uint32_t parts)
{
    return is_one_lane(e.by_p & e.by_d) && (is_one_lane(e.by_p) || !(parts & WARP_PART_P));
}

void warp_result_elect(struct warp_result *r, lanemask group, unsigned leader)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (group >> lane & 1u)
            r->d[lane] = leader;
    r->p = (r->p & ~group) | (lanemask)1 << leader;
}

static unsigned number_of(lanemask one_lane)
{
    unsigned number = 0;
    while (!(one_lane >> number & 1u))
        number++;
    return number;
}

/*
 * The reference's answer for one group, with the leader that `observed` has elected: the lane of the group whose p
 * alone is true, else the lane that every d names. Where the reference itself has not elected one lane, or `observed`
 * names none, nothing changes, and they differ as any two results do.
 */
static void follow(struct warp_result *reference, const struct warp_result *observed, lanemask group, uint32_t parts,
                   bool d_selected)
{
    const struct election own = election_of(reference, group, parts, d_selected);
    const struct election other = election_of(observed, group, parts, d_selected);
    if (is_valid(own, parts) && (is_one_lane(other.by_p) || is_one_lane(other.by_d)))
        warp_result_elect(reference, group, number_of(is_one_lane(other.by_p) ? other.by_p : other.by_d));
}

static struct warp_result with_leaders_of(const struct warp_case *c, const struct warp_result *reference,
                                          const struct warp_result *observed, uint32_t parts, bool d_selected)
{
    struct warp_result r = *reference;
    lanemask open = reference->done;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask group = c->membermask[lane] & ~c->exited;
        if (open >> lane & 1u)
            follow(&r, observed, group, parts, d_selected);
        open &= ~(open >> lane & 1u ? group : 0u);
    }
    return r;
}

static bool compare(const struct warp_result *reference, const struct warp_result *observed, uint32_t parts,
                    bool d_selected, bool p_selected, struct warp_diff *diff)
{
    lanemask done = reference->done;
    lanemask predictable = reference->d_defined;
    lanemask stray = 0; /* lanes that have no d and no p by either outcome */
    struct warp_diff found = {0};

    if (parts & WARP_PART_OUTCOME) {
        found.outcome = (reference->done ^ observed->done) | (reference->waiting ^ observed->waiting) |
                        (reference->undefined ^ observed->undefined);
        done &= observed->done;
        stray = ~(reference->done | observed->done);
        if (parts & WARP_PART_WAITS_FOR)
            found.waits_for =
                lanes_that_differ(reference->waits_for, observed->waits_for) & reference->waiting & observed->waiting;
    }
    if (d_selected && (parts & WARP_PART_D_DEFINED)) {
        found.d_defined = ((reference->d_defined ^ observed->d_defined) & done) | (observed->d_defined & stray);
        predictable &= observed->d_defined;
    }
    if (d_selected && (parts & WARP_PART_D))
        found.d = lanes_that_differ(reference->d, observed->d) & done & predictable;
    if (p_selected && (parts & WARP_PART_P))
        found.p = ((reference->p ^ observed->p) & done) | (observed->p & stray);
    if (diff != NULL)
        *diff = found;
    return (found.outcome | found.waits_for | found.d_defined | found.d | found.p) == 0;
}

lanemask warp_result_compared(const struct warp_case *c, const struct warp_result *reference,
                              const struct warp_result *observed, uint32_t parts)
{
    (void)observed;
    if (parts & WARP_PART_OUTCOME) /* each active lane has one */
        return c->active;
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d_selected = warp_form_writes_d(info, c->dst);
    const bool p_selected = warp_form_writes_p(info, c->dst);
    const lanemask done = c->active & reference->done;
    lanemask lanes = 0;
    if ((d_selected && (parts & WARP_PART_D_DEFINED)) || (p_selected && (parts & WARP_PART_P)))
        lanes |= done;
    if (d_selected && (parts & WARP_PART_D))
        lanes |= done & reference->d_defined;
    return lanes;
}

bool warp_result_compare(const struct warp_case *c, const struct warp_result *reference,
                         const struct warp_result *observed, uint32_t parts, struct warp_diff *diff)
{
    if (lanes_same_results(reference, observed, 1)) {
        if (diff != NULL)
            *diff = (struct warp_diff){0};
        return true;
    }
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d_selected = warp_form_writes_d(info, c->dst);
    const bool p_selected = warp_form_writes_p(info, c->dst);
    struct warp_result elected;
    if (warp_form_any_leader(info)) {
        elected = with_leaders_of(c, reference, observed, parts, d_selected);
        reference = &elected;
    }
    return compare(reference, observed, parts, d_selected, p_selected, diff);
}
