/*
 * Inside the transcription: what its files share. Clauses are named by the manual's page and its heading, for example
 * [shfl.sync: Semantics].
 *
 * Each instruction reads as its page does: what the lanes wait for, then the lanes one by one or group by group.
 */
#ifndef WARPCHECK_SPEC_INTERNAL_H
#define WARPCHECK_SPEC_INTERNAL_H

#include "warpcheck_spec.h"

/* Where a warp stands once the instruction has waited for the threads that its membermasks name. */
struct spec_warp {
    const struct warp_case *c;
    const struct warp_form_info *info;
    bool writes_d; /* the destinations that the case selects; a sink takes nothing */
    bool writes_p;
    lanemask done;
    lanemask group[WARP_LANES]; /* done lanes: the lanes that take part with this one */
};

static inline bool lane_in(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

/* The done lane that stands for its group: the lowest. Every lane of a group has the same group. */
static inline bool leads_group(const struct spec_warp *w, unsigned lane)
{
    return lane_in(w->done, lane) && (w->group[lane] & ((1u << lane) - 1u)) == 0;
}

/* Fills `w` and the outcomes of `r`. */
void spec_wait(const struct warp_case *c, const struct warp_form_info *info, struct spec_warp *w,
               struct warp_result *r);

void spec_shfl(const struct spec_warp *w, struct warp_result *r);
void spec_vote(const struct spec_warp *w, struct warp_result *r);
void spec_match(const struct spec_warp *w, struct warp_result *r);
void spec_redux(const struct spec_warp *w, struct warp_result *r);
void spec_activemask(const struct spec_warp *w, struct warp_result *r);

/* d = value, where there is such a destination: it is then predictable. */
static inline void write_d(const struct spec_warp *w, struct warp_result *r, unsigned lane, uint32_t d)
{
    if (!w->writes_d)
        return;
    r->d[lane] = d;
    r->d_defined |= 1u << lane;
}

static inline void write_p(const struct spec_warp *w, struct warp_result *r, unsigned lane, bool p)
{
    if (w->writes_p)
        r->p |= (lanemask)p << lane;
}

#endif
