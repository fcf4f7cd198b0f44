/*
 * The parts of `warpcheck score`.
 */
#ifndef WARPCHECK_CLI_SCORE_SCORE_H
#define WARPCHECK_CLI_SCORE_SCORE_H

#include "fuzz/score/score.h"

/* Measures what the subjects do not know yet, and writes each result to the file `results` (NULL: to none) as soon as
 * it is there. False when that cannot be written, which is said. */
bool score_measure_all(struct score_subject *subjects, size_t count, const struct score_plan *plan,
                       const char *results);

/* Names what is missed, equivalent or could not run, and counts. Each returns an exit status. */
int score_summarize(const struct score_subject *subjects, size_t count, const struct score_plan *plan);
int score_summarize_programs(const struct score_program *programs, size_t count, const struct score_control *control);

#endif
