/*
 * Time: how long something takes, and how old a file is.
 */
#ifndef WARPCHECK_BASE_CLOCK_H
#define WARPCHECK_BASE_CLOCK_H

/* Seconds on a clock that never goes back. */
double clock_seconds(void);
/* The same, as it was up to some milliseconds ago; this costs less. */
double clock_coarse_seconds(void);

/* Seconds that this thread has computed: on a busy machine they take longer, and as much is done in them. */
double clock_thread_seconds(void);

/* Seconds since 1970, as files have them. It may go back: never measure with it. */
double clock_calendar(void);

/* Waits; signals may end it early. */
void clock_sleep(double seconds);

#endif
