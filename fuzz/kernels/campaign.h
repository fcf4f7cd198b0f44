/*
 * A campaign of generated kernels, in processes: made, executed, asked of a peer, compared; what differs is told apart
 * by its cause, reduced, judged and kept. Nothing here prints: a view shows what happens, and who asked for the
 * campaign prints its end.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_CAMPAIGN_H
#define WARPCHECK_FUZZ_KERNELS_CAMPAIGN_H

#include "check/campaign/campaign.h"
#include "fuzz/kernels/finding.h"

/* A cause, and how many kernels have it. */
struct kernel_cause {
    struct generated_cause is;
    char first[160]; /* the name of the finding; its folder has another when that was taken */
    uint64_t kernels;
    bool explains; /* others can be tried without it */
    bool is_hung;  /* those that hang, and no others: what still hangs costs seconds */
    bool known;    /* from an earlier campaign */
};

/* What is told of a difference. */
struct kernel_news {
    enum {
        NEWS_EXPLAINED, /* not reduced: it is gone without the culprit `word` of the finding `name` */
        NEWS_KEPT,      /* reduced, and kept as the folder `name` */
        NEWS_KNOWN,     /* the same, but that folder was there */
        NEWS_SAME,      /* reduced, it is the finding `name` */
        NEWS_UNREDUCED  /* `why` */
    } what;
    const struct generated_difference *is;
    enum generated_verdict verdict; /* not of EXPLAINED */
    const char *name, *word, *why;
};

struct kernel_campaign;
struct kernel_campaign_view {
    const struct campaign_view *progress; /* began, progress, over; NULL: none */
    void (*difference)(const struct kernel_campaign *campaign, const struct kernel_news *news);
};

#define KERNEL_CAMPAIGN_MODULE 64u
#define KERNEL_CAMPAIGN_REST                                                                                           \
    "not-reduced.txt"     /* one line for each difference that was not reduced, with its number                        \
                           */
#define KERNEL_CAUSES 48u /* that are told apart */

struct kernel_campaign {
    struct peer peer;
    struct make_suite suite;
    uint64_t first, count; /* kernels first .. first + count - 1 */
    uint64_t jobs, module; /* processes at a time; kernels of a module */
    double seconds;        /* after which comparing ends, whatever is left; 0: no limit */
    double time;           /* seconds for reducing */
    bool is_endless;       /* `count` is no wish: it goes on until the time is over, of which reducing has its part */
    const char *out;       /* findings are kept there; those of earlier campaigns are known causes */
    const char *record;    /* file of answers, or NULL */
    const struct kernel_campaign_view *view; /* NULL: nothing is shown */

    /* Results. All below are kernels, but answers (kernels at a level), groups (warp instructions) and lost (launches
     * that hung or faulted). */
    bool is_compared; /* there are results */
    bool had_enough;  /* endless: it ended because too many kernels differ */
    bool is_hopeless; /* so many were lost that no others were asked */
    uint64_t verdicts[MAKE_VERDICTS], groups, answers, declined, unasked, differing, kernels, kept, lost;
    uint64_t covered;          /* of `count`: all before the first that was not done */
    char declined_because[64]; /* the first of them */
    struct make_coverage coverage;
    struct gpu_info info;
    double took, lasted; /* seconds in all; of comparing */
    struct kernel_cause causes[KERNEL_CAUSES];
    uint32_t causes_count;
    uint64_t unreduced, unreduced_verdicts[VERDICT_OPEN + 1];
    bool are_listed; /* the unreduced, in KERNEL_CAMPAIGN_REST */
};

/* Runs it. False with one line: something could not be asked, kept or written; what was done counts (is_compared). */
bool kernel_campaign_run(struct kernel_campaign *campaign, struct error *error);

/*
 * (differences.c) Explains the kernels at which the peer differs by the findings of earlier campaigns in campaign->out,
 * and reduces the others while there is time (`until`, on clock_seconds()'s clock); tells of each, and keeps each new
 * cause in the campaign and as a finding. False as above.
 */
bool differences_examine(struct kernel_campaign *campaign, const struct peer *peer,
                         const struct generated_difference *all, size_t count, double until, struct error *error);

#endif
