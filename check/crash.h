/*
 * A case on which an implementation crashed or did not come back, kept as a finding.
 */
#ifndef WARPCHECK_CHECK_CRASH_H
#define WARPCHECK_CHECK_CRASH_H

#include "warpcheck/warp.h"

#define CRASH_FATE_MAX 16u
#define CRASH_NAME_MAX 96u

/*
 * How an implementation ended, in one word, from the reason that it or its guard gave: "segv" of "crashed with SIGSEGV
 * on ...", "hang" where it gave no answer in time, "exit" where it ended the process, else `otherwise`.
 */
void crash_fate(const char *reason, const char *otherwise, char fate[CRASH_FATE_MAX]);

/* The name of its folder, "redux.sync-segv". */
void crash_name(const struct warp_case *c, const char *fate, char name[CRASH_NAME_MAX]);

/*
 * Writes DIR/NAME/{case.txt,finding.txt,verdict.txt} as finding_write does (check/finding.h). `line` says what
 * happened, without a line break.
 */
bool crash_write(const char *dir, const char *name, const struct warp_case *c, const char *line, char *path,
                 size_t path_size, bool *existed, char *error, size_t error_size);

#endif
