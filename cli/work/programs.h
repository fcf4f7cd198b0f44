/*
 * Programs from files, and executed over two implementations on inputs drawn from a seed.
 */
#ifndef WARPCHECK_CLI_WORK_PROGRAMS_H
#define WARPCHECK_CLI_WORK_PROGRAMS_H

#include "kernel/differ.h"

/* Reads a program ("-": standard input); program_free it. NULL after one line on standard error, "FILE:LINE:COLUMN:
 * what" or "FILE: what". */
struct program *program_load(const char *path);

/* An implementation, and of how many cases with an active lane it was asked. Look at `impl`. */
struct counted {
    struct warp_impl impl;
    const struct warp_impl *inner;
    uint64_t asked;
};
const struct warp_impl *counted_init(struct counted *counted, const struct warp_impl *inner);

struct against {
    const struct warp_impl *reference, *observed;
    uint64_t seed, count;
    bool json; /* an object of the open array instead of lines */
};

/* Prints whether both implementations do the same on each input, else the first difference. Returns the exit
 * status: 2, with a line on standard error, when an implementation did not answer. */
int against_run(const struct against *a, const char *path, const struct program *program);

/* A register's value in words; the type in which its values are readable. */
void program_value_text(char *buf, size_t size, enum ptx_type type, uint64_t value);
enum ptx_type program_shown_type(const struct program_register *reg);
/* How the claim failed first, one clause. Returns `buf`. */
const char *program_failure_text(const struct program *program, const struct program_claim *claim,
                                 const struct program_claim_record *r, char *buf, size_t size);

#endif
