/*
 * A case on which an implementation crashed or did not come back, kept as a finding.
 */
#ifndef WARPCHECK_FUZZ_CRASH_H
#define WARPCHECK_FUZZ_CRASH_H

#include "warpcheck/warp.h"

/*
 * Writes FINDINGS/NAME/{case.txt,finding.txt,verdict.txt}; the folder appears whole, by one rename, after its files
 * were flushed. Its path is written to `folder`. False when a folder of that name is there, or it cannot be written.
 */
bool crash_write(const char *findings, const char *name, const struct warp_case *c, const char *line, char *folder,
                 size_t folder_size);

#endif
