/*
 * Recordings: cases and what a device answered, in a versioned, checksummed, usually compressed file (FILE.rec).
 *
 * Reading needs no CUDA. Format: docs/recordings.md.
 */
#ifndef WARPCHECK_RECORDING_H
#define WARPCHECK_RECORDING_H

#include "base/error.h"
#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RECORDING_VERSION 1u

struct recording_info {
    char device[128];     /* "NVIDIA H200" */
    char driver_name[64]; /* "580.159.04", or empty */
    uint32_t sm;          /* 90 */
    uint32_t driver;      /* 13000 */
    uint32_t ptx_least;   /* PTX versions, times ten, of the texts that ran */
    uint32_t ptx_greatest;
    uint32_t parts; /* WARP_PART_... that the results fill */
    uint32_t seed;  /* of the random cases among them */
};

struct recording;

/*
 * Reads and checks the whole file: length, checksum, version, every case. Returns NULL and one clear line in `error`
 * (what is wrong, where, how to mend it).
 */
struct recording *recording_load(const char *path, struct error *error);
void recording_free(struct recording *recording);

const struct recording_info *recording_get_info(const struct recording *recording);
size_t recording_count(const struct recording *recording);
/* The case and the answer with this index (below recording_count); either pointer may be NULL. */
void recording_get(const struct recording *recording, size_t index, struct warp_case *c, struct warp_result *result);

/*
 * The recording as an implementation (its `close` frees everything): it accepts the cases that it holds and answers as
 * the device did. Its description names the device. NULL and one clear line in `error` as for recording_load.
 */
const struct warp_impl *recording_open(const char *path, struct error *error);
/* The recording behind an implementation that recording_open returned, to walk over its cases; NULL for any other. */
const struct recording *recording_of(const struct warp_impl *impl);

/* Counts for one form of a recording: cases, and of them those with several groups, exited lanes, lanes elsewhere. */
struct recording_coverage {
    uint64_t cases, lanes, groups, exited, elsewhere;
};
void recording_coverage(const struct recording *recording, enum warp_form form, struct recording_coverage *coverage);

/*
 * What the device returned in d where the manual leaves it unpredictable (shfl from a lane outside the group), sorted
 * by what the source lane was doing. Never used in a comparison.
 */
enum recording_source { SOURCE_EXITED, SOURCE_ELSEWHERE, SOURCE_OTHER_GROUP, SOURCES };
struct recording_unpredictable {
    uint64_t lanes;
    uint64_t source;  /* d is the source lane's a */
    uint64_t own;     /* d is the own a */
    uint64_t zero;    /* d is 0 */
    uint64_t several; /* d is more than one of these, which are equal here */
    uint64_t other;
};
void recording_unpredictable(const struct recording *recording, enum warp_family family,
                             struct recording_unpredictable counts[SOURCES]);

/*
 * To write a recording: start, add, finish. recording_finish writes under another name, flushes and renames, so that
 * the file is complete or absent. It frees the writer, also when it fails.
 */
struct recording_writer;
struct recording_writer *recording_start(const struct recording_info *info);
/* Returns false when a recording cannot hold the answer (a lane waits or is undefined, or a field that the form
 * lacks is set) or memory ran out. */
bool recording_add(struct recording_writer *writer, const struct warp_case *c, const struct warp_result *result);
/* Sets the PTX versions that were used, once they are known. */
void recording_set_ptx(struct recording_writer *writer, uint32_t least, uint32_t greatest);
bool recording_finish(struct recording_writer *writer, const char *path, bool compress, struct error *error);

#ifdef __cplusplus
}
#endif

#endif
