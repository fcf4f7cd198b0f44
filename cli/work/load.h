/*
 * The folders that belong to warpcheck, and how much of a file the commands read.
 */
#ifndef WARPCHECK_CLI_WORK_LOAD_H
#define WARPCHECK_CLI_WORK_LOAD_H

#include "base/text.h"
#include "check/case_file.h"
#include "cli/command.h"

#define LOAD_LINE_MAX 1024u
#define LOAD_FILE_MAX CASE_FILE_MAX

/* Finds the folder of that name that belongs to warpcheck: below $WARPCHECK_ROOT, in the source folder, or here.
 * Returns false when there is none. */
bool load_default_folder(const char *name, char *path, size_t path_size);

/* How to call the program: the bootstrap script when it started this program, so that a later rebuild is used; else
 * this program's path. */
void load_program(char *path, size_t path_size);

/* The folder that -I names to find warpcheck/cuda.h: the installed one, or the one in the source folder. False when
 * there is none. */
bool load_headers(char *path, size_t path_size);

/* Adds every case of a folder to *cases, which the caller frees. What cannot be read is named and left out: false. */
bool load_cases(const struct command *command, const char *folder, struct warp_case **cases, size_t *count);

#endif
