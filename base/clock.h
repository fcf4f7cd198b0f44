/*
 * Time: how long something takes, and the date for people.
 */
#ifndef WARPCHECK_BASE_CLOCK_H
#define WARPCHECK_BASE_CLOCK_H

#include <stddef.h>

/* Seconds on a clock that never goes back. */
double clock_seconds(void);

/* Waits; signals may end it early. */
void clock_sleep(double seconds);

#endif
