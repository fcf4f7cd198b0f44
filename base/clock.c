#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep, gmtime_r */
#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void clock_sleep(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    if (seconds > 0)
        nanosleep(&time, NULL);
}

const char *clock_date(char text[CLOCK_DATE_MAX])
{
    const time_t now = time(NULL);
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&now, &utc) != NULL)
        strftime(text, CLOCK_DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}
