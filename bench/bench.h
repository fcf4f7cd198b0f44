/*
 * The benchmark: operations × cache levels × contestants. Contestants take turns in one run, so that ratios mean
 * something on a machine whose speed drifts.
 */
#ifndef WARPCHECK_BENCH_H
#define WARPCHECK_BENCH_H

#include "warpcheck_batch.h"

#include <stdio.h>

enum bench_level { BENCH_L1, BENCH_L2, BENCH_MEMORY, BENCH_LEVELS };
extern const char *const bench_level_names[BENCH_LEVELS];

/* How the lanes' membermasks are given. */
enum bench_members {
    BENCH_FULL,     /* all lanes active, no membermask array */
    BENCH_PER_WARP, /* another membermask a warp, the active lanes are those in it */
    /* From here on with a membermask array a lane. */
    BENCH_PER_LANE, /* all lanes of a warp alike */
    BENCH_GROUPS,   /* four groups in each warp: tiles of 8, in all warps the same */
    BENCH_OTHERS    /* likewise, of any lanes, in each warp others */
};

struct bench_operation {
    const char *name;
    uint32_t form, dst;
    enum bench_members members;
    bool uniform;      /* shfl: one b and c a warp */
    unsigned distinct; /* match.any: values in a warp; else 0 */
};

/* The i-th operation, or NULL past the end. */
const struct bench_operation *bench_operation_get(size_t i);

/* An operation's operands and results. */
struct bench_data {
    const struct bench_operation *operation;
    struct warp_batch batch; /* n is set for each measurement */
    size_t bytes;            /* read and written a warp, what a memcpy is given to move */
    size_t n;                /* warps that the arrays hold */
    struct warp_case *cases; /* the first cases_n of the same warps */
    struct warp_result *results;
    size_t cases_n;
    unsigned char *copy_from, *copy_to; /* bytes * n / 2 each */
    uint32_t *memory;                   /* what the arrays lie in */
};

/* Room for n warps and the operands of the operation; false when memory is short. Free with bench_data_free. */
bool bench_data_init(struct bench_data *data, const struct bench_operation *operation, size_t n);
void bench_data_free(struct bench_data *data);
/* Warps whose data fit the level: three quarters of the first, 256 KiB of the second, 160 MiB of memory. */
size_t bench_data_warps(const struct bench_operation *operation, enum bench_level level);

/* One thing that is timed: `run` answers n warps of the data. */
struct bench_contestant {
    char name[40];
    const struct warp_impl *impl; /* NULL: memcpy */
    bool cases;                   /* through the implementation interface, case by case in memory; else a batch */
};

/* Median time in ns a warp of each contestant, in `ns`, which has room for count. Contestants take turns. */
void bench_measure(struct bench_data *data, const struct bench_contestant *contestants, size_t count, size_t n,
                   unsigned rounds, double *ns);

double bench_now_ns(void);

/* One line of the result. */
struct bench_line {
    const char *operation, *level;
    char contestant[40];
    double ns;
    double to_spec;   /* how many times as fast as spec; 0: not measured */
    double to_memcpy; /* time over memcpy's; 0: not measured */
    size_t bytes;
};

/* Whole jobs that a user waits for. `value` is in `unit`; `text` is NULL, or why there is no value. */
struct bench_job {
    const char *name, *unit;
    double value;
    double percent; /* of an empty target in the same run; 0: not compared */
    const char *unavailable;
};
/*
 * Measures the jobs; `targets` is the folder of the engines' builds (engines/ of a build folder), or NULL. Returns how
 * many there are, at most `room`.
 */
#define BENCH_JOBS 24
size_t bench_jobs(const char *targets, struct bench_job *jobs, size_t room);

/* The jobs that run fuzz targets under their engines. */
size_t bench_engines(const char *targets, struct bench_job *jobs, size_t room);

/* Checks a second of the fuzz harness, or 0 where it is not part of the build. */
double bench_harness_checks(void);

struct bench_report {
    struct bench_line *lines;
    size_t lines_n, lines_room;
    struct bench_job jobs[BENCH_JOBS];
    size_t jobs_n;
};

void bench_report_table(const struct bench_report *report, FILE *out);
bool bench_report_json(const struct bench_report *report, FILE *out);

/* `compare A.json B.json`: returns the exit status. */
int bench_compare(const char *before, const char *after);

#endif
