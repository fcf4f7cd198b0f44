/*
 * An implementation in which any set of known mistakes can be switched on.
 *
 * Without mistakes it is right; a test compares it with the transcription. It shares no code with the transcription.
 * Its only purpose is to compute what somebody who made these mistakes would answer.
 */
#ifndef WARPCHECK_CHECK_CAUSE_READING_H
#define WARPCHECK_CHECK_CAUSE_READING_H

#include "warpcheck/warp.h"

/* Instructions that a mistake can be made in. */
#define CLASS_SHFL       1u
#define CLASS_VOTE       2u
#define CLASS_MATCH      4u
#define CLASS_REDUX      8u
#define CLASS_ACTIVEMASK 16u
#define CLASS_SYNC       32u /* all with a membermask */
#define CLASS_LEGACY     64u /* shfl and vote without */
#define CLASS_BAR_WARP   128u
#define CLASS_ELECT      256u
#define CLASS_ENDS       512u /* no instruction: answers are right, and it shows only where an implementation ends */

enum mistake {
#define MISTAKE(id, classes, reading, clause, words) MISTAKE_##id,
#include "check/cause/mistakes.def"
#undef MISTAKE
    MISTAKES
};

struct mistake_info {
    const char *name;   /* "B_WHOLE" */
    uint32_t classes;   /* CLASS_... */
    unsigned reading;   /* number of the reading of ours in docs/ambiguities.md that is at stake; 0: none */
    const char *clause; /* place in the page of the instruction */
    const char *words;  /* what is wrong, as a clause */
};
/* Constant; lives for ever. */
const struct mistake_info *mistake_get(enum mistake mistake);

/* The classes that a form is in. */
uint32_t mistake_classes(const struct warp_form_info *info);

/* shfl's modes in another order: [mode - WARP_UP] is the one that is computed, from 0; with MODE_OWN_CLAMP from the
 * width, so with the clamp that CUDA writes for the mode that is computed. */
#define MODE_OWN_CLAMP 4u
struct mode_order {
    uint8_t of[4];
};

/* The operations in which a mistake may be made alone: those of enum warp_op, and behind them what has code of its own
 * for another type. */
enum {
    READING_MIN_F32 = WARP_OPS,
    READING_MAX_F32,
    READING_ANY_B64,
    READING_ALL_B64,
    READING_ADD_S32,
    READING_MIN_S32,
    READING_MAX_S32,
    READING_OPS
};
unsigned reading_op(const struct warp_form_info *info);

struct reading {
    /* Bit i of ops[m]: mistake m is made in operation i (reading_op); 0: it is not made. */
    uint32_t ops[MISTAKES];
    struct mode_order order; /* {0, 1, 2, 3}: the manual's */
};

/* A reading without mistakes. */
void reading_init(struct reading *reading);

struct reading_answer {
    struct warp_result r; /* where a lane's source does not take part, d is that source lane's register */
    lanemask anything;    /* lanes that would read a lane that no warp has: d may be any value */
    lanemask beyond;      /* lanes that would read one, but do not use it: there an implementation may end */
    lanemask endless;     /* lanes that would loop without an end */
};
/* What is answered to the case in this reading. */
void reading_eval(const struct reading *reading, const struct warp_case *c, struct reading_answer *answer);
/* The same in these lanes alone; the others have no answer. */
void reading_eval_lanes(const struct reading *reading, const struct warp_case *c, lanemask lanes,
                        struct reading_answer *answer);

#endif
