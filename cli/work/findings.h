/*
 * Gathers mismatches, sorts them by cause, then reduces, draws and keeps one case of each cause.
 */
#ifndef WARPCHECK_CLI_WORK_FINDINGS_H
#define WARPCHECK_CLI_WORK_FINDINGS_H

#include "check/campaign/causes.h"
#include "cli/work/lead.h"

#include <pthread.h>

#define FINDINGS_MAX (WARP_FAMILIES * FINDINGS_FAMILY_MAX + ENTRIES_MAX)
/* Kinds of one instruction without an entry: a flood of one instruction leaves room for others. */
#define FINDINGS_FAMILY_MAX 32u
#define FINDINGS_DRAWN_MAX  8u /* findings of one implementation that are drawn; the others are one line each */
/* So many mismatches of one implementation in one stage end the stage for it. */
#define FINDINGS_STOP_AFTER 50000u

/* A case on which the implementation crashes, exits or hangs. */
struct found_ending {
    enum error_code code;
    char signature[FINDING_SIGNATURE_MAX];
    char words[64]; /* "crashes with SIGSEGV" */
    char call[LEAD_CALL_MAX];
    char line[FINDING_LINE_MAX];
    char path[4096]; /* its folder, absolute */
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
    bool reproduced;     /* it happened again when the case was asked alone, or with its fellows */
    char path[4096];     /* its folder, absolute; "" when it was not written */
    char command[12288]; /* the command that replays it */
    char line[FINDING_LINE_MAX];
    struct warp_result expected, answer; /* to the case, once it is reported and reproduced */
    uint32_t parts;                      /* that were compared */
};

struct findings {
    pthread_mutex_t lock;
    const struct campaign *campaign;
    struct causes *causes;
    size_t entries;      /* of the causes, that were reported */
    struct found *items; /* FINDINGS_MAX */
    size_t of_family[WARP_FAMILIES];
    size_t count;
    uint64_t unkept; /* mismatches of kinds beyond these */
    const char *dir; /* where reproducers are written */
    bool quiet;      /* print nothing */
    size_t drawn;
    char error[1200]; /* why a reproducer could not be written */
};

/* Prepares to gather the findings of `campaign`, which must live longer. */
bool findings_init(struct findings *findings, const struct campaign *campaign);
void findings_free(struct findings *findings);

/* The on_mismatch of a checker whose context is a struct findings_source. Safe from several threads. */
bool findings_collect(void *context, const struct checker *checker, const struct warp_case *c,
                      const struct warp_result *reference, const struct warp_result *observed,
                      const struct warp_diff *diff);

/*
 * Sorts what was gathered since the last call, and reduces, prints and writes what is new. Returns false when one could
 * not be written; `error` says why.
 */
bool findings_report(struct findings *findings);

/* Looks for the cause of an ending, prints and keeps the case on which the implementation crashed or hung; `ending`
 * says how it ended. What was gathered before is reported first. */
void findings_crash(struct findings *findings, const char *observed_option, const struct warp_case *c,
                    const struct error *ending);

/* Is there a finding of this implementation that depends on earlier calls, and that shows again? */
bool findings_keep_state(const struct findings *findings, const struct warp_impl *observed);

/* Prints and lists a finding that an engine kept in `folder`, and that does not show when its case is asked again. */
void findings_add_kept(struct findings *findings, const struct findings_source *source,
                       const struct warp_impl *observed, const char *line, const char *folder, const char *command);

/* Prints one finding: line, drawing. Also used by replay and reduce. */
void finding_print(const struct finding *f, bool all);

/* "warpcheck COMMAND --impl ...", and its length. */
size_t findings_command(const char *command, const char *observed_option, char *text, size_t size);
/* "warpcheck replay --impl ... PATH", with quotes where the shell needs them. */
void findings_replay_command(const char *reference_option, const char *observed_option, const char *path, char *text,
                             size_t size);

#endif
