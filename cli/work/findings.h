/*
 * How findings are shown to people.
 */
#ifndef WARPCHECK_CLI_WORK_FINDINGS_H
#define WARPCHECK_CLI_WORK_FINDINGS_H

#include "check/campaign/findings.h"

#define FINDINGS_DRAWN_MAX 8u /* findings of one campaign that are drawn; the others are one line each */

/* Prints each finding of a campaign when it is kept. */
extern const struct findings_view findings_shown;

/* Prints one finding: line, drawing. `all`: all 32 lanes. */
void finding_print(const struct finding *f, bool all);

#endif
