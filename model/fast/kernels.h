/*
 * What a variant of `fast` provides: kernels over a strip of warps, each warp with one group.
 *
 * Outcomes, several groups in a warp, destinations and layouts are settled once for all variants (batch.c). What is
 * left for a kernel: lanes of `group` execute the instruction together, all others get 0. A warp with no done lane has
 * the empty group.
 */
#ifndef WARPCHECK_FAST_KERNELS_H
#define WARPCHECK_FAST_KERNELS_H

#include "warpcheck_batch.h"

/*
 * One source text becomes one loop for each mode or operation: the constant argument has to reach the innermost
 * expression. Compilers that are not told so share one loop and test the mode in it, which is right but slow.
 */
#if defined(__GNUC__)
#define FAST_INLINE static inline __attribute__((always_inline))
#else
#define FAST_INLINE static inline
#endif

/*
 * Keeps a small loop in a function of its own. Inlined into a loop over warps, it would lose what `restrict` says
 * about its arrays or be mixed with the code around it, and then it would not be vectorized.
 */
#if defined(__GNUC__)
#define FAST_OUTLINE static __attribute__((noinline, unused))
#else
#define FAST_OUTLINE static
#endif

/* A function that proofs, which are about what clang makes, execute apart from its callers. Inlined it is faster. */
#if defined(__clang__)
#define FAST_APART __attribute__((noinline))
#elif defined(__GNUC__)
#define FAST_APART __attribute__((visibility("hidden"))) /* nobody else's: gcc may inline it with -fPIC */
#else
#define FAST_APART
#endif

#define FAST_STRIP         128u /* warps; some KiB of lane masks, which stay in the first-level cache */
#define FAST_ALL_LANES     0xffffffffu
#define FAST_CANONICAL_NAN 0x7fffffffu

_Static_assert(FAST_STRIP >= WARP_LANES, "the groups of one warp fit a strip");

struct fast_strip {
    size_t n; /* 1 .. FAST_STRIP */
    struct warp_column a, a_high, b, c;
    struct warp_sink d;    /* shfl, match.any, by_lane: 32 words a warp; always there */
    const lanemask *group; /* one a warp */
    /* shfl: NULL, or each lane has a group of its own in this one: members[i] & group, if it is in the latter. by_lane:
     * likewise, always there. */
    struct warp_column members;
    lanemask *word;      /* out: one a warp, see each kernel; redux has room for FAST_STRIP */
    lanemask *d_defined; /* out: one a warp; shfl */
};

enum fast_redux {
    FAST_ADD,
    FAST_MIN_U32,
    FAST_MAX_U32,
    FAST_MIN_S32,
    FAST_MAX_S32,
    FAST_AND,
    FAST_OR,
    FAST_XOR,
    FAST_MIN_F32, /* then .abs, .NaN, .abs.NaN */
    FAST_MIN_ABS_F32,
    FAST_MIN_NAN_F32,
    FAST_MIN_ABS_NAN_F32,
    FAST_MAX_F32,
    FAST_MAX_ABS_F32,
    FAST_MAX_NAN_F32,
    FAST_MAX_ABS_NAN_F32,
    FAST_REDUX_COUNT
};

typedef void (*fast_kernel)(struct fast_strip *strip);

/* What unify is told of n warps, one a warp, and where it leaves what it finds. Lanes that are not active do not
 * matter. */
struct fast_unified {
    const lanemask *active, *exited;
    lanemask *mask;  /* the membermask that the first active lane passes */
    lanemask *stray; /* the active lanes that pass another */
    lanemask *open;  /* empty only if all active lanes are done; looked at where there are stray lanes */
};

typedef lanemask fast_equal(const uint32_t values[WARP_LANES], uint32_t v);
/* Which lanes are left of `rest`; `open` as in fast_unified. */
typedef lanemask fast_turn(const uint32_t *members, lanemask active, lanemask exited, lanemask rest, lanemask *open);

struct fast_kernels {
    /* The lanes of a warp whose value is v. */
    fast_equal *equal;
    /* Per-lane membermasks of n warps, and one turn of that (unify.h); NULL where it takes none. */
    void (*unify)(const struct warp_column *membermask, size_t n, const struct fast_unified *u);
    fast_turn *take_group;
    /* with[w]: the lanes of warp w whose membermask has a lane of sets[w]. */
    void (*with)(const struct warp_column *membermask, size_t n, const lanemask *sets, lanemask *with);
    /* out's lanes in lanes[w] become word[w], the others 0. */
    void (*spread)(const uint32_t *word, const lanemask *lanes, size_t n, const struct warp_sink *out);

    /* One row: its lanes in lanes[g] become word[g], those in none of the n sets 0; the sets do not overlap. */
    void (*spread_groups)(const uint32_t *word, const lanemask *lanes, size_t n, uint32_t *row);

    fast_kernel ballot;       /* word: lanes of the group with a not 0; a is per lane */
    fast_kernel shfl[4];      /* by WARP_UP...; d; word: pval of the group's lanes; d_defined; d is 0 elsewhere */
    fast_kernel match_any[2]; /* b32, b64; d */
    fast_kernel match_all[2]; /* word: the group if all its a are equal, else 0 */
    const fast_kernel *redux; /* by enum fast_redux; word: the result, anything when the group is empty */

    /* Likewise for the groups of `members`, all groups of a warp at once. NULL: this variant takes them in turn. */
    fast_kernel match_any_by_lane[2]; /* d */
    fast_kernel match_all_by_lane[2]; /* d; word: the lanes in whose group all a are equal */
    const fast_kernel *redux_by_lane; /* d; word: nothing */
};

_Static_assert(WARP_UP == 0 && WARP_DOWN == 1 && WARP_BFLY == 2 && WARP_IDX == 3, "indices of fast_kernels.shfl");

extern const struct fast_kernels fast_kernels_portable;
/* The SIMD variants; NULL in variant.c where they are not compiled in. */
extern const struct fast_kernels fast_kernels_avx2;
extern const struct fast_kernels fast_kernels_avx512;
extern const struct fast_kernels fast_kernels_neon;

/* Portable kernels, one file an instruction; SIMD variants may borrow them. */
void fast_shfl_up_portable(struct fast_strip *strip);
void fast_shfl_down_portable(struct fast_strip *strip);
void fast_shfl_bfly_portable(struct fast_strip *strip);
void fast_shfl_idx_portable(struct fast_strip *strip);
void fast_ballot_portable(struct fast_strip *strip);
void fast_bar_warp_portable(struct fast_strip *strip); /* word: 0, since it gives nothing */
void fast_elect_portable(struct fast_strip *strip);    /* word: the leader's bit; the same for all variants */
void fast_match_any_b32_portable(struct fast_strip *strip);
void fast_match_any_b64_portable(struct fast_strip *strip);
void fast_match_all_b32_portable(struct fast_strip *strip);
void fast_match_all_b64_portable(struct fast_strip *strip);
extern const fast_kernel fast_redux_portable[FAST_REDUX_COUNT];

/* Answers a valid batch: fast_batch_eval has checked it, or it was made from cases. */
void fast_batch_run(const struct fast_kernels *kernels, const struct warp_batch *batch);

FAST_INLINE const uint32_t *fast_at(const struct warp_column *column, size_t w)
{
    return column->values + w * column->stride;
}

/* The members of each lane of a warp; NULL: there is one group. */
FAST_INLINE const uint32_t *fast_members(const struct fast_strip *strip, size_t w)
{
    return strip->members.values == NULL ? NULL : fast_at(&strip->members, w);
}

/* How shfl's operands are given. */
struct fast_shape {
    bool b_per_warp, c_per_warp;
    bool constant; /* one b and one c for all warps: so are the sources */
};

FAST_INLINE struct fast_shape fast_shape_of(const struct fast_strip *strip)
{
    const bool once = strip->b.stride == 0 && strip->c.stride == 0;
    return (struct fast_shape){strip->b.per_warp, strip->c.per_warp, strip->b.per_warp && strip->c.per_warp && once};
}

/* The number of the lowest lane of a set, which is not empty. */
FAST_INLINE unsigned fast_lowest_lane(lanemask lanes)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(lanes);
#else
    unsigned lane = 0;
    while (!(lanes >> lane & 1u))
        lane++;
    return lane;
#endif
}

/* Likewise; 31 for the empty set, whose result nobody looks at. */
FAST_INLINE unsigned fast_first_lane(lanemask lanes)
{
    return fast_lowest_lane(lanes | 0x80000000u);
}

#endif
