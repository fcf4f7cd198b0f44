/*
 * How long something takes.
 */
#ifndef WARPCHECK_CHECK_CLOCK_H
#define WARPCHECK_CHECK_CLOCK_H

/* Seconds on a clock that never goes back. */
double clock_seconds(void);

#endif
