/*
 * A program over two implementations, on inputs of a seed.
 */
#ifndef WARPCHECK_CLI_PROGRAM_AGAINST_H
#define WARPCHECK_CLI_PROGRAM_AGAINST_H

#include "kernel/differ.h"

struct against {
    const struct warp_impl *reference, *observed;
    uint64_t seed, count;
    bool json; /* an object of the open array instead of lines */
};

/* Prints whether they do the same on each of the inputs, else the first difference. Returns the exit status; what an
 * implementation did not answer is a line on standard error and 2. */
int against_run(const struct against *a, const char *path, const struct program *program);

#endif
