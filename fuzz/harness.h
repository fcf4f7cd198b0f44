/*
 * What every fuzz target shares: options from the environment, the counters, the check of a case and its relatives,
 * reports.
 *
 * Environment:
 *   WARPCHECK_FUZZ_IMPL        under test: "fast" (default), "fast-VARIANT", "fast-batch", FILE.so or FILE.so:NAME
 *   WARPCHECK_FUZZ_FAMILIES    a set of families (bits of enum warp_family): the target limits itself to them
 *   WARPCHECK_FUZZ_DERIVED     relatives that are checked with each case, 0 to 64 (default 64)
 *   WARPCHECK_FUZZ_SIGNALS     how often the engine is shown each bucket in this process (default 0: always). For
 *                              libFuzzer alone: AFL++ wants the same trace of an input every time
 *   WARPCHECK_FUZZ_INPUTS      folder: each input that shows something is written there, for a campaign to look at
 *   WARPCHECK_FUZZ_STATUS      file for the counters
 *   WARPCHECK_FUZZ_KEEP_GOING  not empty: count what is found and go on; else the target ends at the first, as engines
 *                              want it
 *   WARPCHECK_FUZZ_HERE        not empty: a target without an engine loads a plugin into its own process, as engines do
 *                              (for a debugger); else that has a process of its own
 *   WARPCHECK_FUZZ_PROGRAM     how printed commands call the program (default: where this build puts it)
 *
 * A target only tells: a line, and the input. Whoever runs it looks at the input again in another process, reduces
 * what it shows and keeps it as a finding: the campaign (fuzz/campaign/rerun.h), or `warpcheck replay --target`.
 */
#ifndef WARPCHECK_FUZZ_HARNESS_H
#define WARPCHECK_FUZZ_HARNESS_H

#include "check/finding.h"
#include "fuzz/status.h"

#define HARNESS_TESTED_MAX 8u

/*
 * "fast" stands for every variant of fast that this CPU has, so that the transcription's answer, which costs the most,
 * is compared with several; where WARPCHECK_FAST chooses one, for that one. Each comparison is a check.
 */
struct harness {
    const struct warp_impl *reference; /* the transcription */
    const struct warp_impl *tested[HARNESS_TESTED_MAX];
    size_t tested_count;              /* more than one only for variants of fast, which accept every case */
    const struct warp_impl *observed; /* the first of them; in a report, the one that is wrong */
    const char *observed_spec;        /* as WARPCHECK_FUZZ_IMPL names it */
    uint32_t families;
    unsigned derived;
    unsigned signals;
    bool keep_going;
    bool replays;       /* no engine: harness_replays */
    const char *input;  /* then: the file that is replayed */
    const char *inputs; /* folder for inputs that show something; NULL: none */
    const char *program;
    struct fuzz_status *status;
};

/* Reads the environment. What cannot be used is one clear line on standard error and exit status 2. Called once. */
struct harness *harness_start(uint32_t families);

/* Called by what replays inputs without an engine: before LLVMFuzzerInitialize with NULL, and before each input with
 * its file. A failure then ends the process with status 1 instead of a signal. */
void harness_replays(const char *input);
/* Mismatches and failures so far. */
uint64_t harness_mismatches(void);

/* Decodes an input and checks the case and its relatives, the implementation against the transcription. `decoded` (or
 * NULL) is asked first for the case of the bytes; where it does not know it, they are decoded. */
typedef bool (*harness_decode_fn)(const uint8_t *data, size_t size, struct warp_case *c);
void harness_check_input(struct harness *h, const uint8_t *data, size_t size, harness_decode_fn decoded);

/* Counts one execution and the buckets of a case, and shows them to the engine. */
void harness_count_case(struct harness *h, const struct warp_case *c, const struct warp_result *r);

/*
 * The property under test failed on the input: counts it, writes the input into the folder for them, prints a line (two
 * for a farm: "Assertion failure: SIGNATURE" groups what it finds), and ends the target, or returns when it is to keep
 * going. `f` is not reduced. `sort` (of `sort_size` bytes) tells sorts of failures apart: of a flood of one sort some
 * inputs are written, and the others counted, so that the search for others goes on.
 */
void harness_found(struct harness *h, const struct finding *f, const void *sort, size_t sort_size, const uint8_t *data,
                   size_t size);

/* A property without a pair of results failed (parsers, round trips): its name, what is wrong. */
void harness_failure(struct harness *h, const char *name, const char *what, const uint8_t *data, size_t size);

/*
 * The implementation `observed` could not answer case `c`: prints a line and ends the target in any case, for what a
 * crash leaves in memory is not to be trusted. The engine keeps the input. Without an engine the status is 1.
 */
void harness_unanswered(struct harness *h, const struct warp_case *c, const char *why);

/*
 * For targets that ask by other ways than harness_check_input (laws, programs): tested[] become watched ones, which
 * remember the first case that is not answered. What is not accepted is no such case. One harness a process.
 */
void harness_watch(struct harness *h);
/* Ends the target as harness_unanswered does when a case was not answered since harness_watch. */
void harness_end_unanswered(struct harness *h);

/* Opens what WARPCHECK_FUZZ_IMPL names, again where it was open before. */
void harness_open(struct harness *h);

/* Every target. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
