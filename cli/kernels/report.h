/*
 * What `warpcheck kernel` tells of the entries that it executed: to people, as JSON, as SARIF, and as a page of HTML.
 */
#ifndef WARPCHECK_CLI_KERNELS_REPORT_H
#define WARPCHECK_CLI_KERNELS_REPORT_H

#include "cli/kernels/proof.h"
#include "kernel/report.h"

enum told_verdict {
    TOLD_CLEAN,
    TOLD_KNOWN, /* errors, but all of them are in the baseline */
    TOLD_ERROR,
    TOLD_UNKNOWN,   /* no execution ended in a way that allows a verdict */
    TOLD_UNREACHED, /* no execution came to any of its warp instructions */
    TOLD_NOTHING,   /* it has no warp instruction, no barrier and no shared memory: nothing that could be wrong */
    TOLD_UNREAD,
    TOLD_VERDICTS
};
const char *told_verdict_name(enum told_verdict verdict); /* "clean", "known", "error", "unknown", ... */

/* One entry. */
struct told {
    const char *path; /* of its module */
    const char *name; /* as the module has it */
    enum told_verdict verdict;
    const char *why;                        /* UNREAD: why it was not executed */
    const struct kernel_search *search;     /* NULL when UNREAD */
    const char *known[KERNEL_FINDINGS_MAX]; /* per finding: the baseline's reason; NULL: it is not in it */
    const struct proof *proof;              /* NULL: none was asked for, or none could be tried */
    uint32_t left_out;                      /* findings of kinds that --only does not name */
    uint32_t left_out_kinds;                /* those kinds: bit set of enum kernel_kind */
    bool notes;                             /* people: print the notes too */
    bool launch_is_stated;                  /* --block was given */
    bool has_baseline;
};

/* Sums over all entries. */
struct totals {
    uint32_t entries[TOLD_VERDICTS];
    uint32_t errors, known, questions, notes;
};
void totals_add(struct totals *totals, const struct told *told);

/* "ERROR", "question" or "note". */
const char *finding_word(const struct kernel_finding *finding);
/* Is the finding shown? Errors and questions always are; notes only where they are asked for. */
bool is_told(const struct told *told, const struct kernel_finding *finding);

/* The line of a baseline that stands for this error, without its reason. It survives shifted lines: the class, the
 * entry, the instruction, and a hash of the source's line (or "-" where the source is not there). */
void kernel_signature(const struct code *code, const struct kernel_event *event, struct buffer *out);

/* ---- people ---- */
void print_told(const struct told *told);
void print_totals(const struct totals *totals);

/* ---- JSON, into the object that out_start began ---- */
void json_told(const struct told *told);
void json_totals(const struct totals *totals);

/* ---- SARIF 2.1.0 ---- */
struct sarif;
struct sarif *sarif_new(void); /* NULL: no memory */
void sarif_add(struct sarif *sarif, const struct told *told);
/* Writes the file whole or not at all. Frees it in any case. */
bool sarif_write(struct sarif *sarif, const char *path, struct error *error);

/* ---- HTML ---- */
struct page;
struct page *page_new(struct error *error); /* NULL with one line */
void page_add(struct page *page, const struct told *told);
/* Writes the file whole or not at all. Frees the page in any case. */
bool page_write(struct page *page, const struct totals *totals, const char *path, struct error *error);

#endif
