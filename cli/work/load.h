/*
 * The folders that belong to warpcheck, and how much of a file the commands read.
 */
#ifndef WARPCHECK_CLI_WORK_LOAD_H
#define WARPCHECK_CLI_WORK_LOAD_H

#include "base/text.h"
#include "check/case_file.h"

#define LOAD_LINE_MAX 1024u
#define LOAD_FILE_MAX CASE_FILE_MAX

/* Finds the folder of that name that belongs to warpcheck: below $WARPCHECK_ROOT, in the source folder, or here.
 * Returns false when there is none. */
bool load_default_folder(const char *name, char *path, size_t path_size);

#endif
