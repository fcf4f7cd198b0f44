/*
 * The mapped counters of a target.
 */
#define _GNU_SOURCE /* open, ftruncate, mmap, madvise */
#include "fuzz/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(offsetof(struct fuzz_status, hits) == 64, "test/fuzz/cmin.sh reads them there");

static struct fuzz_status *map(int fd)
{
    void *at = mmap(NULL, sizeof(struct fuzz_status), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

static struct fuzz_status *started(struct fuzz_status *status)
{
    if (status != NULL && (status->magic != FUZZ_STATUS_MAGIC || status->buckets != COVERAGE_BUCKETS)) {
        memset(status, 0, sizeof *status);
        status->magic = FUZZ_STATUS_MAGIC;
        status->buckets = COVERAGE_BUCKETS;
    }
    if (status != NULL)
        status->asked_size = 0; /* of the process before */
    return status;
}

struct fuzz_status *status_open(const char *path, char *error, size_t error_size)
{
    struct fuzz_status *status = NULL;
    int fd = -1;
    if (error_size > 0)
        error[0] = '\0';
    if (path != NULL) {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd >= 0 && ftruncate(fd, (off_t)sizeof *status) == 0 &&
            (errno = posix_fallocate(fd, 0, (off_t)sizeof *status)) == 0) /* or a full disk is a SIGBUS later */
            status = map(fd);
        if (status == NULL)
            snprintf(error, error_size, "cannot keep counts in %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
    }
    return started(status != NULL ? status : calloc(1, sizeof *status));
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
    struct stat about;
    struct fuzz_status *status = NULL;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &about) == 0 && about.st_size == (off_t)sizeof *status)
        status = map(fd);
    close(fd);
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
