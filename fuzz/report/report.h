/*
 * What reports of all kinds share: names of those that are wrong, the folder, the line, the command.
 */
#ifndef WARPCHECK_FUZZ_REPORT_REPORT_H
#define WARPCHECK_FUZZ_REPORT_REPORT_H

#include "check/finding.h"
#include "fuzz/harness.h"

#define REPORT_PATH_MAX   4096u /* realpath's */
#define REPORT_QUOTED_MAX (4u * REPORT_PATH_MAX + 256u)
#define REPORT_NAMES_MAX  (HARNESS_TESTED_MAX * 20u)
#define REPORT_REDUCE_S                                                                                                \
    2.0 /* an input that shows a defect costs the campaign about that at most, for each property                       \
         */

/* Ends the target after a failure: an engine sees a crash, a replay ends with status 1. Returns when it is to keep
 * going. */
void report_end_target(const struct harness *h);

/* The absolute form of a path that exists; itself when that fails. */
void report_absolute(const char *path, char out[REPORT_PATH_MAX]);

/* " --impl NAME" for the command, with `observed` as a person would call it from any folder. */
void report_implementation_option(const struct harness *h);

/*
 * Which of those tested show the defect? `all` is their names for the line; `only` is for the signature: empty when all
 * of them do, else "-avx2" or "-avx2.portable". Returns how many.
 */
typedef bool (*report_shows_fn)(void *context, const struct warp_impl *impl);
size_t report_name_differing(const struct harness *h, report_shows_fn shows, void *context, char all[REPORT_NAMES_MAX],
                             char only[REPORT_NAMES_MAX + 1]);

/* Prints the command that replays FOLDER/FILE, from any folder. `replay`: its words between the program and the file
 * ("replay"); NULL: the target itself takes the file. */
void report_command(const struct harness *h, const char *folder, const char *file, const char *replay);

/*
 * Keeps a finding and prints its line and its command (`replay`, as above; where it is NULL the file is an input, and
 * of several inputs the newest is kept). Counts it; what could not be written is said.
 */
void report_keep(struct harness *h, const struct finding_entry *entry, const char *replay);

#endif
