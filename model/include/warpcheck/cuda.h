/*
 * Plugins in the shapes that people have: one function a lane, CUDA's arguments or PTX's. Header only, C11 and C++17.
 *
 *     #include <warpcheck/cuda.h>
 *
 *     static uint32_t my_shfl(enum warpcheck_shfl mode, uint32_t mask, uint32_t active,
 *                             const uint32_t values[32], unsigned lane, int b, int width)
 *     {
 *         ... return what lane `lane` gets ...
 *     }
 *
 *     WARPCHECK_CUDA_SHFL(mine, my_shfl)
 *     WARPCHECK_PLUGIN(&mine)
 *
 * and: cc -shared -fPIC -I.../include mine.c -o mine.so; warpcheck run --impl ./mine.so
 *
 * Each macro defines a `struct warp_impl` of that name, which accepts the cases that the function's shape can say and
 * provides what it gives, and nothing else: what is not offered is counted and shown, never called wrong. The
 * functions are called for lanes that are done, one after another; they may not wait for each other.
 *
 * Values of lanes that do not take part are passed as they stand in registers: a function that reads one where it
 * should not is wrong, and garbage there shows it. A value beside those of the 32 lanes, as values[-1] or values[32],
 * reads as 0xbadbad00.
 */
#ifndef WARPCHECK_CUDA_H
#define WARPCHECK_CUDA_H

#include "warpcheck/impl.h"

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modes and operations, by CUDA's names. */
enum warpcheck_shfl { WARPCHECK_SHFL_UP, WARPCHECK_SHFL_DOWN, WARPCHECK_SHFL_XOR, WARPCHECK_SHFL_IDX };
enum warpcheck_vote { WARPCHECK_VOTE_ALL, WARPCHECK_VOTE_ANY, WARPCHECK_VOTE_UNI, WARPCHECK_VOTE_BALLOT };
enum warpcheck_match { WARPCHECK_MATCH_ANY, WARPCHECK_MATCH_ALL };
enum warpcheck_redux {
    WARPCHECK_REDUX_ADD_U32,
    WARPCHECK_REDUX_MIN_U32,
    WARPCHECK_REDUX_MAX_U32,
    WARPCHECK_REDUX_ADD_S32,
    WARPCHECK_REDUX_MIN_S32,
    WARPCHECK_REDUX_MAX_S32,
    WARPCHECK_REDUX_AND_B32,
    WARPCHECK_REDUX_OR_B32,
    WARPCHECK_REDUX_XOR_B32
};

/*
 * __shfl_{up,down,xor,idx}_sync(mask, values[lane], b, width) in lane `lane`: b is delta, lane mask or source lane, as
 * the caller passes it (also 32 and more, also negative); width is 1, 2, 4, 8, 16 or 32. `mask` is the same in all
 * lanes; `active` are the lanes that execute it: those of the mask that have not exited.
 */
typedef uint32_t (*warpcheck_cuda_shfl_fn)(enum warpcheck_shfl mode, uint32_t mask, uint32_t active,
                                           const uint32_t values[32], unsigned lane, int b, int width);
/* shfl.sync.mode.b32 d|*p, values[lane], b, c, mask; in lane `lane`, with PTX's c: clamp and segment mask. */
typedef uint32_t (*warpcheck_ptx_shfl_fn)(enum warpcheck_shfl mode, uint32_t mask, uint32_t active,
                                          const uint32_t values[32], unsigned lane, uint32_t b, uint32_t c, bool *p);
/* __{all,any,uni,ballot}_sync(mask, predicate) in lane `lane`: bit i of `predicates` is lane i's, after a negation.
 * Gives 0 or 1; of ballot a lane mask. */
typedef uint32_t (*warpcheck_cuda_vote_fn)(enum warpcheck_vote op, uint32_t mask, uint32_t active, uint32_t predicates,
                                           unsigned lane);
/* __match_{any,all}_sync(mask, value[, p]) in lane `lane`; `bits` is 32 or 64. Of match.any *p is not looked at. */
typedef uint32_t (*warpcheck_cuda_match_fn)(enum warpcheck_match op, uint32_t mask, uint32_t active,
                                            const uint64_t values[32], int bits, unsigned lane, bool *p);
/* __reduce_*_sync(mask, value) in lane `lane`. */
typedef uint32_t (*warpcheck_cuda_redux_fn)(enum warpcheck_redux op, uint32_t mask, uint32_t active,
                                            const uint32_t values[32], unsigned lane);

/*
 * Any instruction in lane `lane`, as a simulator executes it: `c` is the instruction (enum warp_form) with the
 * registers of all lanes, `group` the lanes that take part. Writes what the instruction has of d and p. False: it does
 * not have this instruction; it must then say so for every lane. Of a pair d|p both must be written.
 */
typedef bool (*warpcheck_lane_fn)(const struct warp_case *c, uint32_t group, unsigned lane, uint32_t *d, bool *p);

/* --- how a case is taken apart; nothing below is to be called by plugins --- */

#define WARPCHECK_INLINE static inline
#if defined(__GNUC__)
#undef WARPCHECK_INLINE
#define WARPCHECK_INLINE static inline __attribute__((unused))
#endif

/* A row of the instruction table, for this header alone: the functions of form.h live in a library. */
struct warpcheck_row {
    enum warp_family family;
    enum warp_op op;
    enum warp_type type;
};

WARPCHECK_INLINE struct warpcheck_row warpcheck_row_of(uint32_t form)
{
    static const struct warpcheck_row rows[] = {
#define WARP_FORM(id, name, family, op, type, ...) {WARP_##family, WARP_##op, WARP_##type},
#include "warpcheck/forms.def"
#undef WARP_FORM
    };
    static const struct warpcheck_row unknown = {WARP_FAMILIES, WARP_ADD, WARP_PRED}; /* newer than this header */
    return form < sizeof rows / sizeof rows[0] ? rows[form] : unknown;
}

WARPCHECK_INLINE bool warpcheck_declines(char *why, size_t why_size, const char *words)
{
    if (why_size > 0)
        snprintf(why, why_size, "%s", words);
    return false;
}

/* One membermask in all active lanes, which are exactly its lanes that have not exited: every active lane is done. */
WARPCHECK_INLINE bool warpcheck_is_one_group(const struct warp_case *c, char *why, size_t why_size)
{
    unsigned first = 0;
    if (c->active == 0)
        return warpcheck_declines(why, why_size, "no lane executes it");
    while (!(c->active >> first & 1u))
        first++;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && c->membermask[lane] != c->membermask[first])
            return warpcheck_declines(why, why_size, "lanes pass different membermasks");
    if ((c->membermask[first] & ~c->exited) != c->active)
        return warpcheck_declines(why, why_size, "lanes of the membermask are elsewhere");
    return true;
}

WARPCHECK_INLINE uint32_t warpcheck_mask_of(const struct warp_case *c)
{
    unsigned first = 0;
    while (!(c->active >> first & 1u))
        first++;
    return c->membermask[first];
}

/* The width that c = (32 - width) << 8 | clamp says, as CUDA's functions write it; 0: c is no such number. */
WARPCHECK_INLINE int warpcheck_width_of(enum warp_op mode, uint32_t c)
{
    const uint32_t clamp = mode == WARP_UP ? 0 : 31;
    for (int width = 1; width <= 32; width *= 2)
        if (c == ((uint32_t)(32 - width) << 8 | clamp))
            return width;
    return 0;
}

WARPCHECK_INLINE bool warpcheck_has_widths(const struct warp_case *c, enum warp_op mode, char *why, size_t why_size)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && warpcheck_width_of(mode, c->c[lane]) == 0)
            return warpcheck_declines(why, why_size, "c is no width of CUDA's");
    return true;
}

WARPCHECK_INLINE enum warpcheck_shfl warpcheck_mode_of(enum warp_op op)
{
    return op == WARP_UP     ? WARPCHECK_SHFL_UP
           : op == WARP_DOWN ? WARPCHECK_SHFL_DOWN
           : op == WARP_BFLY ? WARPCHECK_SHFL_XOR
                             : WARPCHECK_SHFL_IDX;
}

WARPCHECK_INLINE enum warpcheck_vote warpcheck_vote_of(enum warp_op op)
{
    return op == WARP_ALL   ? WARPCHECK_VOTE_ALL
           : op == WARP_ANY ? WARPCHECK_VOTE_ANY
           : op == WARP_UNI ? WARPCHECK_VOTE_UNI
                            : WARPCHECK_VOTE_BALLOT;
}

WARPCHECK_INLINE enum warpcheck_redux warpcheck_redux_of(struct warpcheck_row row)
{
    const bool is_signed = row.type == WARP_S32;
    return row.op == WARP_ADD   ? (is_signed ? WARPCHECK_REDUX_ADD_S32 : WARPCHECK_REDUX_ADD_U32)
           : row.op == WARP_MIN ? (is_signed ? WARPCHECK_REDUX_MIN_S32 : WARPCHECK_REDUX_MIN_U32)
           : row.op == WARP_MAX ? (is_signed ? WARPCHECK_REDUX_MAX_S32 : WARPCHECK_REDUX_MAX_U32)
           : row.op == WARP_AND ? WARPCHECK_REDUX_AND_B32
           : row.op == WARP_OR  ? WARPCHECK_REDUX_OR_B32
                                : WARPCHECK_REDUX_XOR_B32;
}

WARPCHECK_INLINE uint32_t warpcheck_predicates_of(const struct warp_case *c)
{
    uint32_t predicates = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        predicates |= (uint32_t)((c->a[lane] != 0) != (c->negate != 0)) << lane;
    return predicates;
}

/* What accepts and eval of each shape share. */
enum warpcheck_shape {
    WARPCHECK_SHAPE_CUDA_SHFL,
    WARPCHECK_SHAPE_PTX_SHFL,
    WARPCHECK_SHAPE_VOTE,
    WARPCHECK_SHAPE_MATCH,
    WARPCHECK_SHAPE_REDUX
};

WARPCHECK_INLINE bool warpcheck_accepts(enum warpcheck_shape shape, const struct warp_case *c, char *why,
                                        size_t why_size)
{
    const struct warpcheck_row row = warpcheck_row_of(c->form);
    static const enum warp_family families[] = {WARP_SHFL_SYNC, WARP_SHFL_SYNC, WARP_VOTE_SYNC, WARP_MATCH_SYNC,
                                                WARP_REDUX_SYNC};
    if (row.family != families[shape])
        return warpcheck_declines(why, why_size, "another instruction");
    if (shape == WARPCHECK_SHAPE_CUDA_SHFL && !warpcheck_has_widths(c, row.op, why, why_size))
        return false;
    if (shape == WARPCHECK_SHAPE_REDUX && row.type == WARP_F32)
        return warpcheck_declines(why, why_size, "no .f32");
    return warpcheck_is_one_group(c, why, why_size);
}

/* One lane of one case: its d and p. `fn` is one of the types above. */
WARPCHECK_INLINE void warpcheck_lane(enum warpcheck_shape shape, void (*fn)(void), const struct warp_case *c,
                                     const uint32_t values[WARP_LANES], const uint64_t wide[WARP_LANES], unsigned lane,
                                     struct warp_result *r)
{
    const struct warpcheck_row row = warpcheck_row_of(c->form);
    const uint32_t mask = warpcheck_mask_of(c);
    bool p = false;
    switch (shape) {
    case WARPCHECK_SHAPE_CUDA_SHFL:
        r->d[lane] = ((warpcheck_cuda_shfl_fn)fn)(warpcheck_mode_of(row.op), mask, c->active, values, lane,
                                                  (int)c->b[lane], warpcheck_width_of(row.op, c->c[lane]));
        break;
    case WARPCHECK_SHAPE_PTX_SHFL:
        r->d[lane] = ((warpcheck_ptx_shfl_fn)fn)(warpcheck_mode_of(row.op), mask, c->active, values, lane, c->b[lane],
                                                 c->c[lane], &p);
        break;
    case WARPCHECK_SHAPE_VOTE:
        r->d[lane] =
            ((warpcheck_cuda_vote_fn)fn)(warpcheck_vote_of(row.op), mask, c->active, warpcheck_predicates_of(c), lane);
        p = r->d[lane] != 0;
        break;
    case WARPCHECK_SHAPE_MATCH:
        r->d[lane] = ((warpcheck_cuda_match_fn)fn)(row.op == WARP_ALL ? WARPCHECK_MATCH_ALL : WARPCHECK_MATCH_ANY, mask,
                                                   c->active, wide, row.type == WARP_B64 ? 64 : 32, lane, &p);
        break;
    case WARPCHECK_SHAPE_REDUX:
        r->d[lane] = ((warpcheck_cuda_redux_fn)fn)(warpcheck_redux_of(row), mask, c->active, values, lane);
        break;
    }
    r->p |= (lanemask)p << lane;
}

/* The values, and on either side words that belong to nobody: a wrong index reads the same every time. */
#define WARPCHECK_MARGIN 256
struct warpcheck_values {
    uint32_t before[WARPCHECK_MARGIN], lanes[WARP_LANES], behind[WARPCHECK_MARGIN];
    uint64_t wide_before[WARPCHECK_MARGIN], wide[WARP_LANES], wide_behind[WARPCHECK_MARGIN];
};
#define WARPCHECK_NOBODYS 0xbadbad00u

WARPCHECK_INLINE void warpcheck_case(enum warpcheck_shape shape, void (*fn)(void), const struct warp_case *c,
                                     struct warp_result *r)
{
    static struct warpcheck_values v; /* an implementation is called from one thread at a time */
    memset(r, 0, sizeof *r);
    for (unsigned i = 0; v.before[0] != WARPCHECK_NOBODYS && i < WARPCHECK_MARGIN; i++) {
        const unsigned k = WARPCHECK_MARGIN - 1 - i; /* before[0] comes last */
        v.behind[k] = WARPCHECK_NOBODYS;
        v.wide_before[k] = v.wide_behind[k] = WARPCHECK_NOBODYS;
        v.before[k] = WARPCHECK_NOBODYS;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        v.lanes[lane] = c->a[lane];
        v.wide[lane] = (uint64_t)c->a_high[lane] << 32 | c->a[lane];
    }
    r->done = c->active;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->active >> lane & 1u)
            warpcheck_lane(shape, fn, c, v.lanes, v.wide, lane, r);
}

/* The lanes that take part with this one, when all that it names are here with the same mask; else 0. */
WARPCHECK_INLINE uint32_t warpcheck_group_of(const struct warp_case *c, unsigned lane)
{
    uint32_t same = 0;
    if (!(WARP_FAMILIES_SYNC >> warpcheck_row_of(c->form).family & 1))
        return c->active;
    for (unsigned i = 0; i < WARP_LANES; i++)
        same |= (uint32_t)(c->membermask[i] == c->membermask[lane]) << i;
    const uint32_t group = c->membermask[lane] & ~c->exited;
    return (group & ~(same & c->active)) == 0 && (group >> lane & 1u) ? group : 0;
}

/* Every active lane is done, and the function has the instruction. */
WARPCHECK_INLINE bool warpcheck_lane_accepts(warpcheck_lane_fn fn, const struct warp_case *c, char *why,
                                             size_t why_size)
{
    unsigned first = WARP_LANES;
    uint32_t d = 0;
    bool p = false;
    for (unsigned lane = WARP_LANES; lane-- > 0;) {
        if (!(c->active >> lane & 1u))
            continue;
        if (warpcheck_group_of(c, lane) == 0)
            return warpcheck_declines(why, why_size, "lanes wait or are undefined");
        first = lane;
    }
    if (first == WARP_LANES)
        return warpcheck_declines(why, why_size, "no lane executes it");
    return fn(c, warpcheck_group_of(c, first), first, &d, &p) ||
           warpcheck_declines(why, why_size, "another instruction");
}

WARPCHECK_INLINE void warpcheck_lane_case(warpcheck_lane_fn fn, const struct warp_case *c, struct warp_result *r)
{
    memset(r, 0, sizeof *r);
    r->done = c->active;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool p = false;
        if (!(c->active >> lane & 1u))
            continue;
        fn(c, warpcheck_group_of(c, lane), lane, &r->d[lane], &p);
        r->p |= (lanemask)p << lane;
    }
}

#define WARPCHECK_LANE(name, function)                                                                                 \
    static bool name##_accepts(void *state, const struct warp_case *c, char *why, size_t why_size)                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        return warpcheck_lane_accepts(function, c, why, why_size);                                                     \
    }                                                                                                                  \
    static bool name##_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,         \
                            char *error, size_t error_size)                                                            \
    {                                                                                                                  \
        (void)state, (void)error, (void)error_size;                                                                    \
        for (size_t i = 0; i < n; i++)                                                                                 \
            warpcheck_lane_case(function, &cases[i], &results[i]);                                                     \
        return true;                                                                                                   \
    }                                                                                                                  \
    static const struct warp_impl name = {                                                                             \
        #name, "instructions, lane by lane", WARP_PART_D | WARP_PART_P, 0, name##_accepts, name##_eval, 0};

#define WARPCHECK_SHAPED(name, function, type, shape, parts, words)                                                    \
    static bool name##_accepts(void *state, const struct warp_case *c, char *why, size_t why_size)                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        return warpcheck_accepts(shape, c, why, why_size);                                                             \
    }                                                                                                                  \
    static bool name##_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,         \
                            char *error, size_t error_size)                                                            \
    {                                                                                                                  \
        const type typed = function; /* the compiler checks the shape of the function here */                          \
        (void)state, (void)error, (void)error_size;                                                                    \
        for (size_t i = 0; i < n; i++)                                                                                 \
            warpcheck_case(shape, (void (*)(void))typed, &cases[i], &results[i]);                                      \
        return true;                                                                                                   \
    }                                                                                                                  \
    static const struct warp_impl name = {#name, words, parts, 0, name##_accepts, name##_eval, 0};

#define WARPCHECK_CUDA_SHFL(name, function)                                                                            \
    WARPCHECK_SHAPED(name, function, warpcheck_cuda_shfl_fn, WARPCHECK_SHAPE_CUDA_SHFL, WARP_PART_D,                   \
                     "__shfl_*_sync, lane by lane")
#define WARPCHECK_PTX_SHFL(name, function)                                                                             \
    WARPCHECK_SHAPED(name, function, warpcheck_ptx_shfl_fn, WARPCHECK_SHAPE_PTX_SHFL, WARP_PART_D | WARP_PART_P,       \
                     "shfl.sync, lane by lane")
#define WARPCHECK_CUDA_VOTE(name, function)                                                                            \
    WARPCHECK_SHAPED(name, function, warpcheck_cuda_vote_fn, WARPCHECK_SHAPE_VOTE, WARP_PART_D | WARP_PART_P,          \
                     "votes, lane by lane")
#define WARPCHECK_CUDA_MATCH(name, function)                                                                           \
    WARPCHECK_SHAPED(name, function, warpcheck_cuda_match_fn, WARPCHECK_SHAPE_MATCH, WARP_PART_D | WARP_PART_P,        \
                     "__match_*_sync, lane by lane")
#define WARPCHECK_CUDA_REDUX(name, function)                                                                           \
    WARPCHECK_SHAPED(name, function, warpcheck_cuda_redux_fn, WARPCHECK_SHAPE_REDUX, WARP_PART_D,                      \
                     "__reduce_*_sync, lane by lane")

#ifdef __cplusplus
#define WARPCHECK_C_BEGIN extern "C" {
#define WARPCHECK_C_END   }
#else
#define WARPCHECK_C_BEGIN
#define WARPCHECK_C_END
#endif
#if defined(__GNUC__)
#define WARPCHECK_EXPORT __attribute__((visibility("default")))
#else
#define WARPCHECK_EXPORT
#endif

/* The plugin's entry: pointers to what the macros above defined, or to structures of your own. Once in a plugin. */
#define WARPCHECK_PLUGIN(...)                                                                                          \
    WARPCHECK_C_BEGIN                                                                                                  \
    extern WARPCHECK_EXPORT const uint32_t warpcheck_abi_version;                                                      \
    const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;                                                           \
    WARPCHECK_EXPORT const struct warp_impl *warpcheck_implementation(size_t i);                                       \
    const struct warp_impl *warpcheck_implementation(size_t i)                                                         \
    {                                                                                                                  \
        static const struct warp_impl *const all[] = {__VA_ARGS__};                                                    \
        return i < sizeof all / sizeof all[0] ? all[i] : 0;                                                            \
    }                                                                                                                  \
    WARPCHECK_C_END

#ifdef __cplusplus
}
#endif

#endif
