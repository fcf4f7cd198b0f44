/*
 * The mapped counters of a target.
 */
#define _GNU_SOURCE /* madvise */
#include "fuzz/status.h"

#include "base/file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(offsetof(struct fuzz_status, hits) == 64, "test/fuzz/cmin.sh reads them there");

static struct fuzz_status *started(struct fuzz_status *status)
{
    if (status != NULL && (status->magic != FUZZ_STATUS_MAGIC || status->buckets != COVERAGE_BUCKETS)) {
        memset(status, 0, sizeof *status);
        status->magic = FUZZ_STATUS_MAGIC;
        status->buckets = COVERAGE_BUCKETS;
    }
    if (status != NULL)
        status->asked_size = status->feedback.asks = 0; /* of the process before */
    return status;
}

struct fuzz_status *status_open(const char *path, struct error *error)
{
    struct fuzz_status *status = NULL;
    error_clear(error);
    if (path != NULL && (status = file_map(path, sizeof *status, true, error)) == NULL)
        error_prefix(error, "cannot keep counts");
    return started(status != NULL ? status : calloc(1, sizeof *status));
}

struct fuzz_status *status_at(int fd)
{
    void *at = MAP_FAILED;
    if (ftruncate(fd, sizeof(struct fuzz_status)) == 0)
        at = mmap(NULL, sizeof(struct fuzz_status), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : started(at);
}

/* An input that is still being checked when the next one begins ended its process. */
static void note_lost(struct fuzz_status *status)
{
    if (status->asked_size == 0)
        return;
    status->lost_size = status->asked_size - 1;
    memcpy(status->lost_input, status->asked, FUZZ_ASKED_MAX);
    status->lost++;
    status->asked_size = 0;
}

void status_asks(struct fuzz_status *status, const uint8_t *data, size_t size)
{
    note_lost(status);
    if (size > FUZZ_ASKED_MAX) {
        status->asks++;
        return;
    }
    if (size > 0)
        memcpy(status->asked, data, size);
    status->asked_size = size + 1;
    status->asks++;
}

void status_answered(struct fuzz_status *status)
{
    status->asked_size = 0;
}

struct fuzz_status *status_read(const char *path)
{
    struct fuzz_status *const status = file_map(path, sizeof *status, false, NULL);
    if (status != NULL && (status->magic != FUZZ_STATUS_MAGIC || status->buckets != COVERAGE_BUCKETS)) {
        status_close(status);
        return NULL;
    }
    if (status != NULL)
        madvise(status, sizeof *status, MADV_DONTFORK); /* other processes of the reader have no part in it */
    return status;
}

void status_close(struct fuzz_status *status)
{
    if (status != NULL)
        munmap(status, sizeof *status);
}
