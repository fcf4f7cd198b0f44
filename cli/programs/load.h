/*
 * Programs from files.
 */
#ifndef WARPCHECK_CLI_PROGRAM_LOAD_H
#define WARPCHECK_CLI_PROGRAM_LOAD_H

#include "ptx/program.h"

/* Reads a program ("-": standard input); program_free it. NULL after one line on standard error, "FILE:LINE:COLUMN:
 * what" or "FILE: what". */
struct program *program_load(const char *path);

#endif
