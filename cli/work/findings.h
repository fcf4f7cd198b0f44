/*
 * Gathers mismatches by kind, then reduces, draws and keeps them.
 */
#ifndef WARPCHECK_CLI_WORK_FINDINGS_H
#define WARPCHECK_CLI_WORK_FINDINGS_H

#include "check/campaign/campaign.h"
#include "check/finding.h"

#include <pthread.h>

#define FINDINGS_MAX        (WARP_FAMILIES * FINDINGS_FAMILY_MAX)
#define FINDINGS_FAMILY_MAX 32u /* kinds of one instruction that are kept: a flood of one leaves room for others */
#define FINDINGS_DRAWN_MAX  8u  /* findings of one implementation that are drawn; the others are one line each */
#define FINDINGS_STOP_AFTER                                                                                            \
    50000u /* mismatches of one implementation in one stage, after which the stage leaves it                           \
            */

/* One kind of mismatch of one pair of implementations. */
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
    uint64_t forms; /* bit set of enum warp_form: all that show it */
    bool reported;
    bool reproduced;     /* it happened again when the case was asked alone, or with its fellows */
    char path[4096];     /* its folder, absolute; "" when it was not written */
    char command[12288]; /* the command that replays it */
    char line[FINDING_LINE_MAX];
};

struct findings {
    pthread_mutex_t lock;
    struct found *items; /* FINDINGS_MAX */
    size_t of_family[WARP_FAMILIES];
    size_t count;
    uint64_t unkept; /* mismatches of kinds beyond these */
    const char *dir; /* where reproducers are written */
    bool quiet;      /* print nothing */
    size_t drawn;
    char error[1200]; /* why a reproducer could not be written */
};

bool findings_init(struct findings *findings, const char *dir, bool quiet);
void findings_free(struct findings *findings);

/* The on_mismatch of a checker whose context is a struct findings_source. Safe from several threads. */
bool findings_collect(void *context, const struct checker *checker, const struct warp_case *c,
                      const struct warp_result *reference, const struct warp_result *observed,
                      const struct warp_diff *diff);

/*
 * Reduces, prints and writes what was gathered since the last call. A finding that reduces to an earlier one is
 * counted with it. Returns false when one could not be written; `error` says why.
 */
bool findings_report(struct findings *findings);

/* Prints and keeps the case on which the implementation crashed or hung; `ending` says how it ended. */
void findings_crash(struct findings *findings, const char *observed_option, const struct warp_case *c,
                    const struct error *ending);

/* Prints one finding: line, drawing. Also used by replay and reduce. */
void finding_print(const struct finding *f, bool all);

/* "warpcheck COMMAND --impl ...", and its length. */
size_t findings_command(const char *command, const char *observed_option, char *text, size_t size);
/* "warpcheck replay --impl ... PATH", with quotes where the shell needs them. */
void findings_replay_command(const char *reference_option, const char *observed_option, const char *path, char *text,
                             size_t size);

#endif
