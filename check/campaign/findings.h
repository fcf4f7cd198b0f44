/*
 * The findings of a campaign: gathers mismatches and endings, sorts them by cause, then reduces, names and keeps one
 * case of each cause. A view shows them.
 */
#ifndef WARPCHECK_CHECK_CAMPAIGN_FINDINGS_H
#define WARPCHECK_CHECK_CAMPAIGN_FINDINGS_H

#include "check/campaign/causes.h"
#include "check/campaign/lead.h"

#include <pthread.h>

#define FINDINGS_MAX (WARP_FAMILIES * FINDINGS_FAMILY_MAX + ENTRIES_MAX)
/* Kinds of one instruction without an entry: a flood of one instruction leaves room for others. */
#define FINDINGS_FAMILY_MAX 32u
/* So many mismatches of one implementation in one stage end the stage for it. */
#define FINDINGS_STOP_AFTER 50000u

/* A case on which the implementation crashes, exits or hangs. */
struct found_ending {
    enum error_code code;
    char signature[FINDING_SIGNATURE_MAX];
    char words[64]; /* "crashes with SIGSEGV" */
    char call[LEAD_CALL_MAX];
    char line[FINDING_LINE_MAX];
    char path[FILE_PATH_MAX]; /* its folder, absolute */
    char command[12288];
    struct warp_case c;
};

/* What is reported: one cause of one implementation; or one kind of mismatch with what a file expects or a device
 * answered, where the reference does not give that; or one of the batch interface. */
struct found {
    const struct findings_source *source;
    const struct warp_impl *reference;
    const struct warp_impl *observed;
    char label[4096];                      /* the reference that it was compared with */
    char kind[FINDING_SIGNATURE_MAX];      /* the kind of the case before it was reduced */
    char signature[FINDING_SIGNATURE_MAX]; /* of the reduced case; until then the kind */
    struct found *same;                    /* an earlier finding that reduced to the same signature */
    struct warp_case c;                    /* the one with the fewest active lanes so far */
    struct finding seen;                   /* c, as it was answered then; nothing for what is sorted by cause */
    struct warp_case *batch; /* the cases that were asked in one call with the first one, needed when it does not differ
                                alone; owned */
    size_t batch_n;
    size_t batch_at;
    uint64_t hits;
    uint64_t forms;                  /* bit set of enum warp_form: all that show it */
    const struct cause_entry *entry; /* NULL: it is not sorted by cause */
    size_t entry_index;
    char slug[CAUSE_SLUG_MAX];  /* of its mistake, or "" */
    uint64_t also;              /* forms that its folder shows */
    char cause[CAUSE_LINE_MAX]; /* "b is not reduced to 5 bits (explains all ...", "" without an entry */
    char call[LEAD_CALL_MAX];   /* "__shfl_xor_sync(0xffffffff, v, 33, 32) in lane 1 returns 0x1, must be 0x0"; or "" */
    unsigned reading;           /* number in docs/ambiguities.md of the reading that it rests on; 0: none */
    char notes[LEAD_NOTES_MAX]; /* what is seen in the wrong values: "d of lane 1 was never written"; or "" */
    struct found_ending *ending; /* it also ends the implementation, or does nothing else (`ends`); NULL: no. Owned */
    bool undrawn;                /* there is no answer to draw */
    bool ends;                   /* no wrong answer is shown: the ending is the finding, and no field below is set */
    bool reported;
    bool unreduced;           /* nobody could be asked again after an interrupt: the case is as it was seen */
    bool reproduced;          /* it happened again when the case was asked alone, or with its fellows */
    char path[FILE_PATH_MAX]; /* its folder, absolute; "" when it was not written */
    char command[12288];      /* the command that replays it */
    char line[FINDING_LINE_MAX];
    struct warp_result expected, answer; /* to the case, once it is reported and reproduced */
    uint32_t parts;                      /* that were compared */
};

struct batch_outcome;
struct findings {
    pthread_mutex_t lock;
    /* Of the campaign, which sets them when it is opened. */
    const struct warp_impl *reference;
    const char *reference_option;
    const char *out;     /* where findings are kept */
    const char *program; /* with which the commands begin that show them again */
    struct causes *causes;
    size_t entries;      /* of the causes, that were reported */
    struct found *items; /* FINDINGS_MAX */
    size_t of_family[WARP_FAMILIES];
    size_t count;
    uint64_t unkept;                  /* mismatches of kinds beyond these */
    const struct findings_view *view; /* NULL: nothing is shown */
    size_t drawn;                     /* by the view */
};

/* What shows findings to people as they are kept. `existed`: the folder was there before. */
struct findings_view {
    void (*found)(struct findings *findings, const struct found *found, const struct finding *f,
                  const struct reduction *stats, bool existed);
    /* `found`: what has the same cause; NULL: its cause is not known. */
    void (*ending)(const struct found *found, const struct found_ending *e, const char *observed_option, bool existed);
    /* What an engine kept and what does not show when its case is asked again. */
    void (*engine)(const char *line, const char *folder, const char *command);
    void (*batch)(struct findings *findings, const struct found *found, const struct batch_outcome *outcome,
                  const char *layout, bool existed);
};

/* Prepares to gather findings; `seed` draws the cases that are asked to find causes. */
bool findings_init(struct findings *findings, uint64_t seed, const struct findings_view *view);
void findings_free(struct findings *findings);

/* The on_mismatch of a checker whose context is a struct findings_source. Safe from several threads. */
bool findings_collect(void *context, const struct checker *checker, const struct warp_case *c,
                      const struct warp_result *reference, const struct warp_result *observed,
                      const struct warp_diff *diff);

/* Sorts what was gathered since the last call, and reduces, shows and writes what is new. After an interrupt one case
 * of each class is shown and written as it was seen. False with one line: one could not be written. */
bool findings_report(struct findings *findings, struct error *error);

/* Looks for the cause of an ending, reduces, shows and keeps the case on which the implementation crashed or hung;
 * `ending` says how it ended, `observed` NULL that it cannot be asked again. What was gathered before is reported
 * first. False with one line: it could not be kept. */
bool findings_crash(struct findings *findings, const struct findings_source *source, const struct warp_impl *observed,
                    const struct warp_case *c, const struct error *ending, struct error *error);

/* (batched.c) Shows a trial of the batch interface that differs and, with `write`, keeps it: `warpcheck batch --trial`
 * asks it again. Trials with one signature are one finding. The checker's context is a struct findings_source. The
 * caller holds a lock. False with one line: it could not be kept. */
bool findings_batch(const struct checker *checker, const struct batch_outcome *outcome, uint64_t seed, uint64_t trial,
                    bool write, struct error *error);

/* Is there a finding of this implementation that depends on earlier calls, and that shows again? */
bool findings_keep_state(const struct findings *findings, const struct warp_impl *observed);

/* Shows and lists a finding that an engine kept in `folder`, and that does not show when its case is asked again. */
void findings_add_kept(struct findings *findings, const struct findings_source *source,
                       const struct warp_impl *observed, const char *line, const char *folder, const char *command);

#endif
