/*
 * Answers that came as lines, sorted by cause: whoever gave them is not there to be asked again, so nothing is reduced.
 * Of each cause the plainest case that came is shown.
 */
#ifndef WARPCHECK_CLI_WORK_JUDGED_H
#define WARPCHECK_CLI_WORK_JUDGED_H

#include "check/cause/cause.h"
#include "check/cause/plain.h"
#include "check/finding.h"
#include "warpcheck/form.h"

#define JUDGED_KINDS_MAX  128u
#define JUDGED_GROUPS_MAX 64u

/* Mismatches of one class (finding_class), and the plainest of them. */
struct judged_kind {
    char class[FINDING_SIGNATURE_MAX];
    struct finding f;
    enum plainness plain;
    uint64_t times, line; /* of f */
};

/* One cause over all instructions and forms that show it. */
struct judged_group {
    bool known; /* `term` gives these answers; else no known mistake explains them */
    struct cause_term term;
    const struct cause *cause; /* of the instruction in which it was seen first */
    enum warp_family family;   /* that one */
    const struct judged_kind *lead;
    uint64_t times, forms; /* bit set of enum warp_form */
};

struct judged {
    struct cause_evidence evidence[WARP_FAMILIES];
    struct cause causes[WARP_FAMILIES];
    struct judged_kind kinds[JUDGED_KINDS_MAX];
    size_t kinds_count;
    uint64_t unsorted; /* mismatches of classes beyond these */
    struct judged_group groups[JUDGED_GROUPS_MAX];
    size_t groups_count;
};

/* Takes an answer in line `line`; `agrees`: it is right, and `f` has no diff. False: no memory. */
bool judged_add(struct judged *judged, const struct finding *f, bool agrees, uint64_t line);

/* Sorts what was taken: looks for the causes, some seconds at most, and fills in the groups, the first seen first. */
void judged_settle(struct judged *judged);

void judged_free(struct judged *judged);

#endif
