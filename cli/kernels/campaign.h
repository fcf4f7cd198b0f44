/*
 * Generated kernels, in processes: made, executed, asked of somebody else, compared; what differs is reduced, told
 * apart by its cause, and kept.
 */
#ifndef WARPCHECK_CLI_KERNELS_CAMPAIGN_H
#define WARPCHECK_CLI_KERNELS_CAMPAIGN_H

#include "cli/kernels/other.h"

struct kernel_campaign {
    const char *command; /* "cross kernels": whose complaints these are */
    struct other other;
    struct make_suite suite;
    uint64_t first, count; /* kernels first .. first + count - 1 */
    uint64_t jobs, module; /* processes at a time; kernels of a module */
    double seconds;        /* after which comparing ends, whatever is left; 0: no limit */
    double time;           /* seconds for reducing */
    bool is_endless;       /* `count` is no wish: it goes on until the time is over, of which reducing has its part */
    bool awaits_interrupt; /* Ctrl-C is its ordinary end */
    bool had_enough;       /* endless: set when it ended because too many kernels differ */
    const char *out;       /* findings are kept there; those of earlier campaigns are known causes */
    const char *record;    /* file of answers, or NULL */
};

#define KERNEL_CAMPAIGN_MODULE 64u

/* Runs it and prints what came of it. Returns the exit status: 0 when all that was compared agrees. */
int kernel_campaign_run(struct kernel_campaign *campaign);

#endif
