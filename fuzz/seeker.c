#define _GNU_SOURCE /* memfd_create */
#include "fuzz/seeker.h"

#include "base/clock.h"
#include "base/process.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define STARTS_MAX 20u  /* of one that ends again and again */
#define DERIVED    "8"  /* relatives of each case that it checks */
#define LOAD_S     60.0 /* until it is ready */
#define HUNG_S     2.0  /* without another case */
#define LOOK_MS    50

static struct {
    const char *target; /* NULL: nobody said where it is, or it cannot seek */
    pid_t pid;          /* 0: it does not run */
    int link, counters; /* file descriptors; `counters`: where there is a status */
    unsigned starts;
    struct fuzz_status *status;
    struct seeker_message message;
} seeker;

void seeker_of(const char *target)
{
    seeker.target = target;
}

static void stop(void)
{
    close(seeker.link);
    process_kill(seeker.pid);
    seeker.pid = 0;
}

void seeker_end(void)
{
    if (seeker.pid != 0)
        stop();
    if (seeker.status != NULL)
        close(seeker.counters);
    status_close(seeker.status);
    seeker.status = NULL;
    seeker.target = NULL;
}

static uint64_t cases_asked(void)
{
    return seeker.status != NULL ? seeker.status->asks : 0;
}

/* Waits for a message as long as it goes on from case to case. False: it has ended, or hangs. */
static bool get(struct seeker_message *m, double patience_s)
{
    struct pollfd link = {seeker.link, POLLIN, 0};
    double moved = clock_seconds();
    uint64_t asked = cases_asked();
    for (size_t got = 0; got < sizeof *m;) {
        if (poll(&link, 1, LOOK_MS) > 0) {
            const ssize_t n = recv(seeker.link, (char *)m + got, sizeof *m - got, 0);
            if (n == 0 || (n < 0 && errno != EINTR))
                return false;
            got += n > 0 ? (size_t)n : 0;
        }
        if (cases_asked() != asked) {
            asked = cases_asked();
            moved = clock_seconds();
        }
        if (clock_seconds() - moved > patience_s)
            return false;
    }
    return true;
}

static bool spawn(int link)
{
    const char *const argv[] = {seeker.target, NULL};
    const struct process_variable variables[] = {{SEEKER_VARIABLE, "1"},
                                                 {"WARPCHECK_FUZZ_STATUS", NULL},
                                                 {"WARPCHECK_FUZZ_DERIVED", DERIVED},
                                                 {"WARPCHECK_FUZZ_MUTATOR", "own"},
                                                 {"WARPCHECK_FUZZ_KEEP_GOING", "1"},
                                                 {"WARPCHECK_FUZZ_INPUTS", NULL}};
    const struct process_plan plan = {.argv = argv,
                                      .variables = variables,
                                      .variables_count = sizeof variables / sizeof variables[0],
                                      .in = link,
                                      .out = seeker.counters,
                                      .err = PROCESS_NULL};
    const int dumpable = prctl(PR_GET_DUMPABLE);
    struct error error;
    seeker.pid = process_start(&plan, &error);
    prctl(PR_SET_DUMPABLE, dumpable); /* the search for leaks looks into this process */
    return seeker.pid > 0;
}

/* Its counters, in memory that both see, show what it was asked last. They stay where they are: the mutator learns from
 * what is compared there. */
static bool has_counters(void)
{
    if (seeker.status != NULL)
        return true;
    seeker.counters = memfd_create("warpcheck-counters", MFD_CLOEXEC);
    if (seeker.counters < 0)
        return false;
    seeker.status = status_at(seeker.counters);
    if (seeker.status == NULL)
        close(seeker.counters);
    return seeker.status != NULL;
}

static bool start(void)
{
    int ends[2];
    if (!has_counters() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    memset(&seeker.status->feedback, 0, sizeof seeker.status->feedback); /* its code lies elsewhere now */
    seeker.link = ends[0];
    if (!spawn(ends[1])) {
        close(ends[0]);
        seeker.pid = 0;
    }
    close(ends[1]);
    if (seeker.pid != 0 && !get(&seeker.message, LOAD_S))
        stop();
    return seeker.pid != 0;
}

bool seeker_can(void)
{
    if (seeker.target == NULL || seeker.pid != 0)
        return seeker.target != NULL;
    if (seeker.starts++ == STARTS_MAX || !start())
        seeker.target = NULL;
    return seeker.target != NULL;
}

const struct feedback *seeker_feedback(void)
{
    return seeker.status != NULL ? &seeker.status->feedback : NULL;
}

/* The input that it was asked when it ended. */
static size_t asked_last(uint8_t *data, size_t max_size)
{
    const size_t size = seeker.status->asked_size > 0 ? (size_t)seeker.status->asked_size - 1 : 0;
    if (size == 0 || size > max_size || size > FUZZ_ASKED_MAX)
        return 0;
    memcpy(data, seeker.status->asked, size);
    return size;
}

size_t seeker_ask(uint8_t *data, size_t size, size_t max_size, uint64_t seed)
{
    struct seeker_message *const m = &seeker.message;
    if (size > FUZZ_ASKED_MAX || !seeker_can())
        return 0;
    m->seed = seed;
    m->size = (uint32_t)size;
    memcpy(m->data, data, size);
    if (!process_send(seeker.link, m, sizeof *m) || !get(m, HUNG_S)) {
        stop();
        return asked_last(data, max_size);
    }
    if (m->size > max_size || m->size > FUZZ_ASKED_MAX)
        return 0;
    memcpy(data, m->data, m->size);
    return m->size;
}
