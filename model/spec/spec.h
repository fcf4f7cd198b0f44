/*
 * Inside the transcription: what its files share. Clauses are named by the page of the manual ("Parallel Thread
 * Execution ISA", PTX ISA 9.1) and its heading, for example [shfl.sync: Semantics].
 *
 * Each instruction reads as its page does: what the lanes wait for, then the lanes one by one or group by group.
 */
#ifndef WARPCHECK_SPEC_INTERNAL_H
#define WARPCHECK_SPEC_INTERNAL_H

#include "warpcheck_spec.h"

/* The files are compiled twice: for every processor, and for those with AVX2 by these names. */
#ifdef SPEC_FOR_AVX2
#define spec_eval       spec_eval_avx2
#define spec_wait       spec_wait_avx2
#define spec_shfl       spec_shfl_avx2
#define spec_vote       spec_vote_avx2
#define spec_match      spec_match_avx2
#define spec_redux      spec_redux_avx2
#define spec_activemask spec_activemask_avx2
#define spec_bar_warp   spec_bar_warp_avx2
#define spec_elect      spec_elect_avx2
#endif

/* What warp_impl wants. The second is there where the compiler has AVX2, for processors that have it. */
bool spec_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
               size_t error_size);
bool spec_eval_avx2(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                    size_t error_size);

/* The state of a warp once the instruction has waited for the threads that its membermasks name. */
struct spec_warp {
    const struct warp_case *c;
    const struct warp_form_info *info;
    bool writes_d; /* the destinations that the case selects; a sink takes nothing */
    bool writes_p;
    lanemask done;
    lanemask group[WARP_LANES]; /* done lanes: the lanes that take part with this one */
};

/*
 * The special register %lanemask_eq of each lane: the bit at the lane's number. A table and no shift, so that the loops
 * over lanes read it as vectors also where a processor cannot shift each element by another number.
 */
#define EQ4(lane) 1u << (lane), 2u << (lane), 4u << (lane), 8u << (lane)
static const lanemask lanemask_eq[WARP_LANES] = {EQ4(0), EQ4(4), EQ4(8), EQ4(12), EQ4(16), EQ4(20), EQ4(24), EQ4(28)};
#undef EQ4

/* The special register %lanemask_lt of each lane: the bits of the lanes below. */
#define LT4(lane) (1u << (lane)) - 1u, (2u << (lane)) - 1u, (4u << (lane)) - 1u, (8u << (lane)) - 1u
static const lanemask lanemask_lt[WARP_LANES] = {LT4(0), LT4(4), LT4(8), LT4(12), LT4(16), LT4(20), LT4(24), LT4(28)};
#undef LT4

static inline bool lane_in(lanemask lanes, unsigned lane)
{
    return (lanes & lanemask_eq[lane]) != 0;
}

/* Sets one value in all of these lanes; the others keep theirs. There is no branch on the lane, because no
 * processor could predict it, and every check runs this. */
static inline void write_lanes(uint32_t values[WARP_LANES], lanemask lanes, uint32_t value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t before = values[lane];
        values[lane] = lane_in(lanes, lane) ? value : before;
    }
}

/* The done lanes that stand for their groups: the lowest of each. Every lane of a group has the same group. */
static inline lanemask group_leaders(const struct spec_warp *w)
{
    lanemask leaders = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        leaders |= (w->group[lane] & lanemask_lt[lane]) == 0 ? lanemask_eq[lane] : 0;
    return leaders & w->done;
}

/* Works out the outcomes: fills `w` and the outcomes of `r`. */
void spec_wait(const struct warp_case *c, const struct warp_form_info *info, struct spec_warp *w,
               struct warp_result *r);

void spec_shfl(const struct spec_warp *w, struct warp_result *r);
void spec_vote(const struct spec_warp *w, struct warp_result *r);
void spec_match(const struct spec_warp *w, struct warp_result *r);
void spec_redux(const struct spec_warp *w, struct warp_result *r);
void spec_activemask(const struct spec_warp *w, struct warp_result *r);
void spec_bar_warp(const struct spec_warp *w, struct warp_result *r);
void spec_elect(const struct spec_warp *w, struct warp_result *r);

/* Sets d = value where the case selects d, and marks it predictable. */
static inline void write_d(const struct spec_warp *w, struct warp_result *r, unsigned lane, uint32_t d)
{
    if (!w->writes_d)
        return;
    r->d[lane] = d;
    r->d_defined |= 1u << lane;
}

/* Sets the same d for all of these lanes. */
static inline void write_d_of_lanes(const struct spec_warp *w, struct warp_result *r, lanemask lanes, uint32_t d)
{
    if (!w->writes_d)
        return;
    write_lanes(r->d, lanes, d);
    r->d_defined |= lanes;
}

static inline void write_p_of_lanes(const struct spec_warp *w, struct warp_result *r, lanemask lanes, bool p)
{
    if (w->writes_p && p)
        r->p |= lanes;
}

static inline void write_p(const struct spec_warp *w, struct warp_result *r, unsigned lane, bool p)
{
    if (w->writes_p)
        r->p |= (lanemask)p << lane;
}

#endif
