/*
 * The report of a program that parts from the transcription (for the target that has programs).
 */
#ifndef WARPCHECK_FUZZ_REPORT_PROGRAM_H
#define WARPCHECK_FUZZ_REPORT_PROGRAM_H

#include "fuzz/harness.h"
#include "kernel/differ.h"

#define HARNESS_PROGRAM_SEED 1u /* as `warpcheck program` */

/*
 * The implementations tested[i] of which bit i of `who` is set do not do what the transcription does; `d` is the
 * difference of the first of them. Reduces the program, keeps it as program.ptx under program_difference_name, prints
 * its line and the command that replays it, and ends the target (or returns, when it is to keep going).
 */
void harness_program_differs(struct harness *h, const struct program *program, const struct program_difference *d,
                             uint32_t who);

#endif
