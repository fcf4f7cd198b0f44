/*
 * Stands for a fuzzing engine's target whose process the implementation under test has made useless: it counts a few
 * checks, and what comes then is said by WARPCHECK_TEST_ENGINE.
 */
#define _GNU_SOURCE /* usleep */
#include "fuzz/status.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hear_nothing(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void check_some(struct fuzz_status *status)
{
    status_asks(status, (const uint8_t *)"", 0);
    status->executions++;
    status->checks += 65;
    status_answered(status);
}

int main(void)
{
    const char *const way = getenv("WARPCHECK_TEST_ENGINE");
    struct fuzz_status *status;
    if (way == NULL)
        return 2;
    if (strcmp(way, "never-begins") == 0) {
        hear_nothing();
        for (;;)
            pause();
    }
    status = status_open(getenv("WARPCHECK_FUZZ_STATUS"), NULL);
    if (status == NULL)
        return 2;
    check_some(status);
    if (strcmp(way, "works") != 0)
        hear_nothing();
    if (strcmp(way, "hangs") == 0)
        status_asks(status, (const uint8_t *)"", 0);
    if (strcmp(way, "ends-late") == 0) { /* when nobody looks any more but to stop it */
        status_asks(status, (const uint8_t *)"", 0);
        usleep(1500000);
        return 0;
    }
    for (;;) {
        if (strcmp(way, "works") == 0 || strcmp(way, "is-deaf") == 0)
            check_some(status);
        usleep(1000);
    }
}
