/*
 * The parts of `warpcheck score`.
 */
#ifndef WARPCHECK_CLI_SCORE_SCORE_H
#define WARPCHECK_CLI_SCORE_SCORE_H

#include "fuzz/score/score.h"

/* Measures what has no result yet, and appends each result to the file `results` (NULL: none) as soon as it is
 * there. Returns false, after a line, when the file cannot be written. */
bool score_measure_all(struct score_subject *subjects, size_t count, const struct score_plan *plan,
                       const char *results);

/* Prints what is missed, equivalent or could not run, with counts. Each returns an exit status. */
int score_summarize(const struct score_subject *subjects, size_t count, const struct score_plan *plan);
int score_summarize_programs(const struct score_program *programs, size_t count, const struct score_control *control);

#endif
