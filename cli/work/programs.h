/*
 * Programs from files, and executed over two implementations on inputs drawn from a seed.
 */
#ifndef WARPCHECK_CLI_WORK_PROGRAMS_H
#define WARPCHECK_CLI_WORK_PROGRAMS_H

#include "kernel/differ.h"

/* Reads a program ("-": standard input); program_free it. NULL after one line on standard error, "FILE:LINE:COLUMN:
 * what" or "FILE: what". */
struct program *program_load(const char *path);

struct against {
    const struct warp_impl *reference, *observed;
    uint64_t seed, count;
    bool json; /* an object of the open array instead of lines */
};

/* Prints whether both implementations do the same on each input, else the first difference. Returns the exit
 * status: 2, with a line on standard error, when an implementation did not answer. */
int against_run(const struct against *a, const char *path, const struct program *program);

#endif
