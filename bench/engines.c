/*
 * Fuzz targets under their engines, against an empty target in the same run. libFuzzer's figures are per second of
 * processor time, so that other work on the machine counts little; AFL++'s, which waits for its target, by the clock.
 */
#define _XOPEN_SOURCE 700 /* getrusage */
#include "bench.h"

#include "base/file.h"
#include "base/process.h"
#include "warpcheck_fast.h"
#ifdef WARPCHECK_BENCH_HARNESS
#include "fuzz/status.h"
#endif

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TRIES 3 /* the best one counts */

/* What is timed. */
struct line {
    const char *name, *target, *derived;
    bool is_afl, is_whole; /* the value of the others is a percentage of the last line before them that is whole */
    bool is_alone;         /* only the fastest variant: one case, two implementations */
    unsigned runs;
};

static const struct line lines[] = {
    {"libFuzzer, empty target", "fuzz_empty", "0", false, true, false, 1000000},
    {"libFuzzer, shfl.sync, one case", "fuzz_shfl_sync", "0", false, false, true, 500000},
    {"libFuzzer, all instructions, one case", "fuzz_all", "0", false, false, true, 500000},
    {"libFuzzer, shfl.sync, in batches", "fuzz_shfl_sync", "64", false, false, false, 30000},
    {"libFuzzer, all instructions, in batches", "fuzz_all", "64", false, false, false, 30000},
    {"AFL++, empty target", "fuzz_empty", "0", true, true, false, 0},
    {"AFL++, shfl.sync, in batches", "fuzz_shfl_sync", "64", true, false, false, 0},
    {"AFL++, all instructions, in batches", "fuzz_all", "64", true, false, false, 0},
};

/* Processor time of the children that have ended. */
static double children_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/* Runs a command in a folder with its output discarded. Seconds of processor time, or 0 when it failed. */
static double run(const char *const *argv, const struct process_variable *variables, size_t count, const char *folder)
{
    const struct process_plan plan = {
        .argv = argv, .folder = folder, .variables = variables, .variables_count = count, .in = PROCESS_NULL};
    const double before = children_seconds();
    return process_run(&plan, 0, NULL, 0, NULL) ? children_seconds() - before : 0;
}

/* Checks for each execution, from the counters that the target leaves: comparisons of two results. */
static double checks_each(const char *scratch)
{
    double checks = 0;
#ifdef WARPCHECK_BENCH_HARNESS
    char path[FILE_PATH_MAX];
    struct fuzz_status *status;
    snprintf(path, sizeof path, "%.4000s/status", scratch);
    status = status_read(path);
    if (status != NULL && status->executions > 0)
        checks = (double)status->checks / (double)status->executions;
    status_close(status);
    unlink(path);
#else
    (void)scratch;
#endif
    return checks;
}

/* The fastest variant that this machine can run. */
static const char *fastest(void)
{
    struct fast_variant variant;
    const char *name = "fast-portable";
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (variant.impl != NULL)
            name = variant.name;
    return name;
}

/* Executions a second of processor time; 0 when the target is not there or fails. */
static double libfuzzer(const char *targets, const struct line *line, const char *scratch)
{
    const unsigned runs = line->runs;
    char path[FILE_PATH_MAX], count[32], seed[32];
    const char *const argv[] = {path, "-max_len=720", "-len_control=0", "-entropic=0", count, seed, NULL};
    const struct process_variable variables[] = {{"WARPCHECK_FUZZ_DERIVED", line->derived},
                                                 {"WARPCHECK_FUZZ_SIGNALS", "16"}, /* as in a campaign */
                                                 {"WARPCHECK_FUZZ_STATUS", "status"},
                                                 {"WARPCHECK_FUZZ_IMPL", line->is_alone ? fastest() : "fast-all"}};
    double best = 0;
    snprintf(path, sizeof path, "%.4000s/%.64s", targets, line->target);
    snprintf(count, sizeof count, "-runs=%u", runs);
    for (int try = 1; try <= TRIES; try++) {
        double seconds;
        snprintf(seed, sizeof seed, "-seed=%d", try);
        seconds = run(argv, variables, sizeof variables / sizeof variables[0], scratch);
        if (seconds > 0 && runs / seconds > best)
            best = runs / seconds;
    }
    return best;
}

/* execs_per_sec of AFL++'s own statistics. */
static double read_rate(const char *scratch)
{
    char path[FILE_PATH_MAX], line[256];
    double rate = 0;
    FILE *file;
    snprintf(path, sizeof path, "%.4000s/out/default/fuzzer_stats", scratch);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "execs_per_sec", 13) == 0 && strchr(line, ':') != NULL)
            rate = strtod(strchr(line, ':') + 1, NULL);
    if (file != NULL)
        fclose(file);
    return rate;
}

/* Executions a second by the clock, over some seconds. */
static double afl(const char *targets, const struct line *line, const char *scratch)
{
    char path[FILE_PATH_MAX], mutator[FILE_PATH_MAX], out[FILE_PATH_MAX], in[FILE_PATH_MAX], seed[FILE_PATH_MAX],
        status[FILE_PATH_MAX];
    const char *const argv[] = {"afl-fuzz", "-V", "6",  "-s",  "1",  "-G", "720",
                                "-i",       "in", "-o", "out", "--", path, NULL};
    const struct process_variable variables[] = {{"WARPCHECK_FUZZ_DERIVED", line->derived},
                                                 {"WARPCHECK_FUZZ_STATUS", status},
                                                 {"AFL_CUSTOM_MUTATOR_LIBRARY", mutator},
                                                 {"AFL_CUSTOM_MUTATOR_ONLY", "1"},
                                                 {"AFL_DISABLE_TRIM", "1"},
                                                 {"AFL_NO_UI", "1"},
                                                 {"AFL_TRY_AFFINITY", "1"},
                                                 {"AFL_SKIP_CPUFREQ", "1"},
                                                 {"AFL_FAST_CAL", "1"},
                                                 {"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"}};
    snprintf(path, sizeof path, "%.4000s/%.64s", targets, line->target);
    snprintf(status, sizeof status, "%.4000s/status", scratch);
    snprintf(mutator, sizeof mutator, "%.4000s/libwarpcheck-afl-mutator.so", targets);
    snprintf(out, sizeof out, "%.4000s/out", scratch);
    folder_remove(out);
    snprintf(in, sizeof in, "%.4000s/in", scratch);
    snprintf(seed, sizeof seed, "%.4000s/in/zero", scratch);
    if (!folder_make(in, NULL) || !file_write(seed, "", 1, NULL))
        return 0;
    return run(argv, variables, sizeof variables / sizeof variables[0], scratch) > 0 ? read_rate(scratch) : 0;
}

/* The engine's targets in the folder of --targets: DIR/libfuzzer/fuzz and DIR/afl/fuzz, or DIR itself with libFuzzer's.
 */
static bool find_targets(const char *given, bool is_afl, char folder[FILE_PATH_MAX])
{
    char probe[FILE_PATH_MAX];
    snprintf(folder, FILE_PATH_MAX, "%.4000s/%s/fuzz", given, is_afl ? "afl" : "libfuzzer");
    snprintf(probe, sizeof probe, "%.4000s/fuzz_all", folder);
    if (access(probe, X_OK) == 0)
        return true;
    snprintf(folder, FILE_PATH_MAX, "%.4000s", given);
    snprintf(probe, sizeof probe, "%.4000s/fuzz_all", folder);
    return !is_afl && access(probe, X_OK) == 0;
}

static struct bench_job measure(size_t i, const char *folder, const char *scratch, double *whole)
{
    const bool batches = strcmp(lines[i].derived, "0") != 0;
    const double rate = lines[i].is_afl ? afl(folder, &lines[i], scratch) : libfuzzer(folder, &lines[i], scratch);
    const double checks = checks_each(scratch);
    struct bench_job job = {.name = lines[i].name, .value = rate * (batches ? checks : 1)};
    job.unit = batches ? "checks/s" : "executions/s";
    if (rate <= 0)
        job.unavailable = "the target failed; see docs/fuzzing.md for how to build it";
    if (lines[i].is_whole)
        *whole = rate;
    else if (*whole > 0 && !batches)
        job.percent = 100 * rate / *whole;
    return job;
}

size_t bench_engines(const char *targets, struct bench_job *jobs, size_t room)
{
    char scratch[FILE_PATH_MAX], folder[FILE_PATH_MAX], absolute[FILE_PATH_MAX];
    double whole = 0;
    size_t n = 0;
    if (targets != NULL)
        file_absolute(targets, absolute);
    if (!folder_temporary("bench", scratch, NULL))
        return 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && n < room; i++) {
        if (targets == NULL)
            jobs[n++] = (struct bench_job){.name = lines[i].name, .unavailable = "needs --targets DIR"};
        else if (!find_targets(absolute, lines[i].is_afl, folder))
            jobs[n++] =
                (struct bench_job){.name = lines[i].name, .unavailable = "not built in the folder of --targets"};
        else
            jobs[n++] = measure(i, folder, scratch, &whole);
    }
    folder_remove(scratch);
    return n;
}
