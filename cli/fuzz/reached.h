/*
 * What a campaign reached, and when. It gives a line when nothing new came for long, and a graph at the end.
 */
#ifndef WARPCHECK_CLI_FUZZ_REACHED_H
#define WARPCHECK_CLI_FUZZ_REACHED_H

#include <stddef.h>
#include <stdint.h>

#define REACHED_MAX     48u  /* moments */
#define REACHED_QUIET_S 60.0 /* without anything new, after which it is said; then after twice as long, and so on */

struct reached {
    struct moment {
        double at_s;        /* since the campaign began */
        size_t hit, pairs;  /* buckets and pairs of features reached until then */
    } moments[REACHED_MAX]; /* when some were reached, in order; every other moment goes when there are too many */
    size_t count;
    size_t hit, pairs; /* the last that were told */
    uint64_t findings;
    double newest_s; /* when a bucket or a pair was reached or something found for the last time */
    double quiet_s;  /* the next time without anything new that is worth a line; 0: REACHED_QUIET_S */
};

/* Takes what was reached at this moment. Returns 0, or, when it is worth a line, for how many seconds nothing new came.
 */
double reached_add(struct reached *h, double at_s, size_t hit, size_t pairs, uint64_t findings);

#define REACHED_LINES 10u
/* Prints the graph of buckets, and the number of pairs, over time on standard output, in at most REACHED_LINES lines.
 * Nothing where no bucket was hit. */
void reached_print(const struct reached *h, double end_s, size_t reachable);

#endif
