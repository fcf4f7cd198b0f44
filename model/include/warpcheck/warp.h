/*
 * A case: one warp about to execute one instruction. A result: what each lane got.
 *
 * Outcomes, groups and unpredictable values are defined in ARCHITECTURE.md ("Meaning").
 */
#ifndef WARPCHECK_WARP_H
#define WARPCHECK_WARP_H

#include "warpcheck/form.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * All arrays have one element a lane. Operands are per-lane registers, so every lane has a value, also a lane that does
 * not execute the instruction: an implementation that reads it is wrong, and garbage there shows it. 704 bytes, a
 * multiple of 64, so that an aligned array of cases stays aligned.
 */
struct warp_case {
    uint32_t form;          /* enum warp_form */
    uint32_t target;        /* WARP_TARGET(...), one for which the form is legal in some PTX version */
    uint32_t dst;           /* enum warp_dst, one that the form takes */
    uint32_t negate;        /* 1: the source predicate is written !a (vote only), else 0 */
    lanemask exited;        /* lanes that have ended */
    lanemask active;        /* lanes that execute the instruction now, guard predicate true; active & exited == 0 */
    uint32_t reserved[10];  /* zero */
    uint32_t a[WARP_LANES]; /* source; .pred: 0 or 1; .b64: the low half; .f32: the bits; no source: 0 */
    uint32_t a_high[WARP_LANES];     /* .b64: the high half, else 0 */
    uint32_t b[WARP_LANES];          /* shfl: any 32 bits, else 0 */
    uint32_t c[WARP_LANES];          /* shfl: any 32 bits, else 0 */
    uint32_t membermask[WARP_LANES]; /* .sync forms: any 32 bits, else 0 */
};

/* 320 bytes. Every active lane is in exactly one of done, waiting, undefined; no other lane is in any. */
struct warp_result {
    uint32_t d[WARP_LANES];         /* meaningful for lanes in d_defined */
    uint32_t waits_for[WARP_LANES]; /* waiting lanes: the non-exited lanes that have not arrived; else 0 */
    lanemask p;                     /* predicate destination of done lanes, where the form writes one, else 0 */
    lanemask d_defined;             /* done lanes whose d is predictable; 0 where the form writes no d */
    lanemask done;
    lanemask waiting;
    lanemask undefined;
    uint32_t reserved[11]; /* zero */
};

/* Parts of a result, as a bit set: what an implementation provides, what a comparison looks at. */
#define WARP_PART_D         1u /* d of done lanes */
#define WARP_PART_P         2u /* p of done lanes */
#define WARP_PART_D_DEFINED 4u /* which d are predictable */
#define WARP_PART_OUTCOME   8u /* done, waiting, undefined */
#define WARP_PART_WAITS_FOR 16u
#define WARP_PART_ALL       31u

/*
 * Is this a case at all? NULL when it is, else a constant clause that says which field is wrong (unknown form, target
 * for which the form is never legal, destination that the form lacks, exited and active overlap, operand that the form
 * does not have...).
 */
const char *warp_case_check(const struct warp_case *c);

/*
 * Makes any bit pattern a case that passes warp_case_check and keeps what it can: form and target are taken modulo what
 * exists, active loses exited lanes, predicates lose all but bit 0, operands that the form lacks become 0. A case that
 * passes the check is left as it is.
 */
void warp_case_repair(struct warp_case *c);

/* A case of `form` with every lane active, full membermasks, zero operands, its first destination and least target. */
void warp_case_init(struct warp_case *c, enum warp_form form);

/* The least target for which the form is legal in some PTX version. */
uint32_t warp_form_least_target(const struct warp_form_info *info);

/* The 64-bit source of a .b64 form. */
static inline uint64_t warp_case_a64(const struct warp_case *c, unsigned lane)
{
    return (uint64_t)c->a_high[lane] << 32 | c->a[lane];
}

/* How two results differ, as lane masks; all zero when they agree. */
struct warp_diff {
    lanemask outcome; /* done, waiting or undefined differs */
    lanemask d_defined;
    lanemask d; /* both done, d predictable, d differs */
    lanemask p;
    lanemask waits_for; /* both waiting, for different lanes */
};

/*
 * Compares the parts in `parts` (WARP_PART_...) of two results of one case. d is compared only in lanes that are done
 * and whose d is predictable by `reference` (and by `observed`, where WARP_PART_D_DEFINED is among the parts); d and p
 * only when the case's destinations select them; with WARP_PART_OUTCOME a lane that is done in neither has neither p
 * nor a predictable d. Without WARP_PART_OUTCOME `observed` is taken to be done where `reference` is.
 *
 * elect.sync may elect any lane of a group: where `observed` has elected another one than `reference`, `reference` is
 * taken to have elected it too. So they differ when d, or p, does not fit one leader from the group.
 *
 * Returns true when they agree; `diff` may be NULL.
 */
bool warp_result_compare(const struct warp_case *c, const struct warp_result *reference,
                         const struct warp_result *observed, uint32_t parts, struct warp_diff *diff);

/*
 * The active lanes in which warp_result_compare looks at something of these parts. With none of them two results that
 * agree say nothing: no lane is active, d is asked of lanes that are undefined, the form has no p.
 */
lanemask warp_result_compared(const struct warp_case *c, const struct warp_result *reference,
                              const struct warp_result *observed, uint32_t parts);

/* Gives a group of an elect.sync this leader: d in all its lanes, p in the leader alone. */
void warp_result_elect(struct warp_result *r, lanemask group, unsigned leader);

#ifdef __cplusplus
}
#endif

#endif
