/*
 * The stage of a run that needs the prover, and how the commands show a campaign.
 */
#ifndef WARPCHECK_CLI_WORK_STAGES_H
#define WARPCHECK_CLI_WORK_STAGES_H

#include "check/campaign/campaign.h"

extern const struct stage stage_prove;

/* Progress lines on standard error, and a line for each stage, or each enumeration, on standard output. */
extern const struct campaign_view view_stages, view_enumerations;
/* The view for --json: it shows progress and unreadable files on standard error, and nothing else. */
extern const struct campaign_view view_quiet;

/* Prints the end of a campaign: findings, table, implementations, what was left out, verdict; or the JSON. Closes
 * the implementations (campaign_end) before the verdict. Returns the exit status. */
int report_print(struct campaign *campaign, const char *command);

/* The names of the forms (bit set of enum warp_form), with commas between them; for a whole family, its name alone. */
struct buffer;
void report_add_forms(struct buffer *text, uint64_t forms);
/* "3 mismatches in 1,000 cases (32,000 lane results)" */
void report_add_counts(struct buffer *text, const struct checker_counts *counts);
/* The parts of a result (WARP_PART_...): "d, which d are predictable". */
void report_add_parts(struct buffer *text, uint32_t parts);
/* The forms, with how often each was met: "shfl.sync.up.b32 (1,200), ...". */
void report_add_hits(struct buffer *text, const uint64_t hits[WARP_FORMS]);
/* Writes the same as a page (cli/ui/html.h), after report_print. False with one line: it could not be written. */
bool report_page(const struct campaign *campaign, const char *command, const char *path, struct error *error);

#endif
