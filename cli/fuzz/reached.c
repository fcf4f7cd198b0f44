#include "cli/fuzz/reached.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define BAR 50u /* columns for all buckets */

static void remember(struct reached *h, double at_s, size_t hit, size_t pairs)
{
    if (h->count == REACHED_MAX) {
        for (size_t i = 0; i < REACHED_MAX / 2; i++)
            h->moments[i] = h->moments[2 * i];
        h->count = REACHED_MAX / 2;
    }
    h->moments[h->count++] = (struct moment){at_s, hit, pairs};
}

double reached_add(struct reached *h, double at_s, size_t hit, size_t pairs, uint64_t findings)
{
    const bool more = hit > h->hit || pairs > h->pairs;
    if (more)
        remember(h, at_s, hit, pairs);
    if (more || findings > h->findings) {
        h->hit = hit;
        h->pairs = pairs;
        h->findings = findings;
        h->newest_s = at_s;
        h->quiet_s = REACHED_QUIET_S;
        return 0;
    }
    if (h->quiet_s == 0)
        h->quiet_s = REACHED_QUIET_S;
    if (at_s - h->newest_s < h->quiet_s)
        return 0;
    h->quiet_s *= 2;
    return at_s - h->newest_s;
}

static void print_moment(double at_s, size_t hit, size_t pairs, size_t reachable)
{
    char bar[BAR + 1];
    const size_t length = reachable > 0 ? hit * BAR / reachable : 0;
    memset(bar, '#', sizeof bar);
    bar[length < BAR ? length : BAR] = '\0';
    printf("%9.1f s  %-*s  %4zu  %5zu\n", at_s, (int)BAR, bar, hit, pairs);
}

/* Moments of which each is `factor` times as late as the one before, or more. Returns how many there are. */
static size_t choose(const struct reached *h, double factor, size_t reachable, bool print)
{
    double next_s = 0;
    size_t lines = 0;
    for (size_t i = 0; i < h->count; i++) {
        if (h->moments[i].at_s < next_s)
            continue;
        next_s = h->moments[i].at_s * factor;
        lines++;
        if (print)
            print_moment(h->moments[i].at_s, h->moments[i].hit, h->moments[i].pairs, reachable);
    }
    return lines;
}

void reached_print(const struct reached *h, double end_s, size_t reachable)
{
    double factor = 1;
    if (h->count == 0)
        return;
    while (choose(h, factor, reachable, false) >= REACHED_LINES)
        factor *= 1.25;
    printf("\nbuckets over time, of %zu, and pairs of features:\n", reachable);
    choose(h, factor, reachable, true);
    print_moment(end_s, h->hit, h->pairs, reachable);
}
