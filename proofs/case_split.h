/*
 * Case splits: the cases of a form, divided so that control flow over lane masks is mostly known.
 *
 * In every case split all active lanes pass one membermask M (lanes that are not active pass anything). Each case with
 * that property belongs to at least one case split:
 *
 *   LANE     a complete group that contains a given lane, any other lanes
 *   LED      a complete group whose lowest lane is given, not all 32 lanes
 *   FULL     the group of all 32 lanes
 *   OUTSIDE  active lanes, the lowest given, none of them in M
 *   MISSING  active lanes, the lowest given, and a lane of M that is neither active nor exited
 *   NOBODY   no active lane
 *   FIRST    no lane of M is missing, the lowest active lane is given
 *   ANY      any group that may also be empty, any other lanes, no lane of M is missing
 * LANE, and LED with FULL, are two ways to divide the cases with a group; FIRST is a third, which has those of OUTSIDE
 * as well.
 */
#ifndef WARPCHECK_PROOFS_CASE_SPLIT_H
#define WARPCHECK_PROOFS_CASE_SPLIT_H

#include "proofs/machine.h"

#include "warpcheck/warp.h"

enum split_kind {
    SPLIT_LANE,
    SPLIT_LED,
    SPLIT_FULL,
    SPLIT_OUTSIDE,
    SPLIT_MISSING,
    SPLIT_NOBODY,
    SPLIT_FIRST,
    SPLIT_ANY
};

#define SPLIT_ALL_TARGETS 0u             /* the target is any for which the form is legal */
#define SPLIT_ALL_DSTS    WARP_DST_COUNT /* so are the destinations */
/* The destinations, of those that the form takes, of which d is written or not, and p is or not. */
#define SPLIT_DSTS(writes_d, writes_p) (SPLIT_ALL_DSTS + 1u + (writes_d) + 2u * (writes_p))

#define SPLIT_UNKNOWNS                 700u
#define SPLIT_CHOICES                  64u

/* A field of the case that is one of several numbers: the first whose condition is true. The last condition is
 * always true. */
struct split_choice {
    unsigned n;
    uint64_t number[SPLIT_CHOICES];
    term when[SPLIT_CHOICES];
};

struct case_split {
    const struct warp_form_info *info;
    enum split_kind kind;
    unsigned lane;
    unsigned object, result_object; /* the case and the result, in the latest run */
    struct split_choice target, dst;
    term convergence, writes_d, writes_p; /* what follows from them */

    term active[WARP_LANES], exited[WARP_LANES], member[WARP_LANES];
    term group[WARP_LANES]; /* the lanes that are done, one group */
    term undefined[WARP_LANES], waiting[WARP_LANES];
    term missing[WARP_LANES]; /* the lanes that the waiting lanes wait for */
    term assumption;          /* true in every case of the case split; NULL: nothing needs to be assumed */
    term members;             /* M as a word, when it has a name of its own */
    term unknowns[SPLIT_UNKNOWNS];
    size_t unknown_count;
};

/* The bits of a case split; nothing is executed. */
void split_make(struct smt *s, struct case_split *split, const struct warp_form_info *info, uint32_t target,
                uint32_t dst, enum split_kind kind, unsigned lane);

/* A constant object that holds the case split's cases, and the unknowns of their operands. */
unsigned split_case(struct machine *machine, struct case_split *split);

/* The result that an implementation leaves. */
struct split_result {
    const struct scalar *d[WARP_LANES], *waits_for[WARP_LANES];
    term p[WARP_LANES], d_defined[WARP_LANES], done[WARP_LANES], waiting[WARP_LANES], undefined[WARP_LANES];
    const struct scalar *returned; /* what the function itself returns; NULL: nothing */
    term poison;                   /* of all words but d; NULL: never */
    term reserved;                 /* all reserved words are 0 */
};

/*
 * Executes `function`, of the type of warp_impl.eval, on the case split's cases. `state` names the variable whose
 * address is its state; NULL: null. `outcome_given`: the outcome and the groups come from the case split, not from
 * spec_wait.
 */
void split_run(struct machine *machine, struct case_split *split, const char *function, const char *state,
               bool outcome_given, struct split_result *result);

/* Runs it with the caller's hook (machine.h). */
void split_run_hooked(struct machine *machine, struct case_split *split, const char *function, const char *state,
                      machine_hook hook, void *context, struct split_result *result);

/*
 * The state that the transcription's spec_wait leaves for the instruction. `fits` says that the done lanes are the
 * group and that each lane of the group has it as its group.
 */
void split_run_wait(struct machine *machine, struct case_split *split, const char *function,
                    struct split_result *result, term *fits);

/* Values of the unknowns (a Bool: 0 or 1), in their order, and of M. */
struct valuation {
    struct smt *s;
    const struct case_split *split;
    uint64_t values[SPLIT_UNKNOWNS];
    term from[SPLIT_UNKNOWNS + 1], to[SPLIT_UNKNOWNS + 1];
    size_t n;
};

/* After `values` are filled. */
void valuation_ready(struct valuation *v, struct smt *s, const struct case_split *split);
/* The case in which the unknowns have these values. */
void valuation_case(const struct valuation *v, struct warp_case *c);

#endif
