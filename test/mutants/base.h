/*
 * A plain lane-level implementation whose steps can be replaced one at a time: with none replaced it is right, and each
 * mutant replaces one by a version with a mistake that real implementations made.
 *
 * It is written on its own, from the manual; it shares the case and the instruction table with the rest, nothing else.
 */
#ifndef WARPCHECK_TEST_MUTANTS_BASE_H
#define WARPCHECK_TEST_MUTANTS_BASE_H

#include "warpcheck/impl.h"

enum outcome { DONE, WAITING, UNDEFINED };

/* The outcome of one lane, settled before the instruction computes anything. */
struct arrival {
    enum outcome outcome;
    lanemask group;     /* of a done lane */
    lanemask waits_for; /* of a waiting lane */
};

/* The result of one done lane. d_defined starts as true. */
struct answer {
    uint32_t d;
    bool p;
    bool d_defined;
};

/*
 * The state that a mutant keeps from one case to the next; most keep none. With `for_ever` it lasts from one call to
 * the next, until the plugin is opened anew; else each call begins with nothing.
 */
struct memory {
    bool for_ever;
    lanemask before; /* left by earlier cases */
    lanemask now;    /* by this one */
    bool cleared;    /* the case before cleared it */
};
void memory_clear(struct memory *memory);

struct steps;
typedef void (*lane_fn)(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                        struct answer *r);

struct steps {
    void (*arrive)(const struct warp_case *c, unsigned lane, struct arrival *arrival);
    /* The source lane that shfl computes; sets whether it is in range. The result is used when in range. */
    int (*source)(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range);
    lane_fn shfl;
    lane_fn vote;
    lane_fn match;
    lane_fn redux;
    lane_fn activemask;
    lane_fn elect;
    struct memory *memory;                                           /* NULL: nothing is kept */
    void (*begin)(struct memory *memory, const struct warp_case *c); /* before the lanes of a case; NULL: nothing */
};

struct mutant {
    const char *name;
    const char *description; /* the class of mistake */
    struct steps steps;      /* NULL: as the base does */
    uint32_t provides;       /* 0: everything */
    bool (*accepts)(void *state, const struct warp_case *c, char *why, size_t why_size);
};

/* The right steps, for mutants that change what goes into them or comes out. */
void base_arrive(const struct warp_case *c, unsigned lane, struct arrival *arrival);
int base_source(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range);
void base_shfl(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r);
void base_vote(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r);
void base_match(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r);
void base_redux(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r);
void base_elect(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r);

/* The fields of c. */
struct segment {
    int clamp, mask, first, last; /* last is the manual's maxLane */
};
struct segment segment_of(int lane, uint32_t c);

/* The predicate that the lane votes, after negation. */
bool predicate_of(const struct warp_case *c, unsigned lane);

#define CANONICAL_NAN 0x7fffffffu
bool is_nan(uint32_t bits);
/* Orders floats that are not NaN as the manual does: negative before positive, -0 before +0. */
int32_t float_order(uint32_t bits);
/* The reduction of two values, neither NaN. */
uint32_t combine(const struct warp_form_info *info, uint32_t x, uint32_t y);

static inline bool in_mask(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

static inline enum warp_op op_of(const struct warp_case *c)
{
    return warp_form_get(c->form)->op;
}

/* Runs a mutant, whose state it is, over a batch. */
bool base_eval(void *mutant, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
               size_t error_size);

/* Each table ends with an entry without a name. */
extern const struct mutant mutants_of_shfl[];
extern const struct mutant mutants_of_masks[];
extern const struct mutant mutants_of_vote[];
extern const struct mutant mutants_of_match[];
extern const struct mutant mutants_of_redux[];
extern const struct mutant mutants_of_elect[];
extern const struct mutant mutants_of_memory[];
extern const struct mutant mutants_of_compilers[];

#endif
