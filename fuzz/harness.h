/*
 * What every fuzz target shares: options from the environment, the counters, the check of a case and its relatives,
 * and how it tells what it met.
 *
 * Environment:
 *   WARPCHECK_FUZZ_IMPL        under test: "fast-all" (default), "fast", "fast-VARIANT", "fast-batch", "spec",
 *                              FILE.so or FILE.so:NAME
 *   WARPCHECK_FUZZ_FAMILIES    a set of families (bits of enum warp_family): the target limits itself to them
 *   WARPCHECK_FUZZ_SEEKS       set by a mutator that starts the target to seek (fuzz/seeker.h)
 *   WARPCHECK_FUZZ_DERIVED     relatives that are checked with each case, 0 to 64 (default 64)
 *   WARPCHECK_FUZZ_CALLS       "long" (default): a plugin is asked some inputs in a long call too; "short": it is not
 *   WARPCHECK_FUZZ_SIGNALS     how often libFuzzer is shown each bucket in this process (default 0: always, since
 *                              AFL++ needs the same trace of an input every time)
 *   WARPCHECK_FUZZ_INPUTS      folder: inputs that show something are written there, for the campaign to examine
 *   WARPCHECK_FUZZ_STATUS      file for the counters
 *   WARPCHECK_FUZZ_KEEP_GOING  not empty: count failures and go on; else the target ends at the first, as engines
 *                              expect
 *   WARPCHECK_FUZZ_MUTATOR     under libFuzzer: "own" (default), "bytes" or "both" (fuzz/mutator.h)
 *   WARPCHECK_FUZZ_PROGRAM     how printed commands call the program (default: where this build puts it)
 *
 * A target only tells: it prints a line and writes the input. The campaign (fuzz/campaign/rerun.h) or `warpcheck
 * replay --target` examines the input in another process, reduces what it shows, and keeps that as a finding.
 */
#ifndef WARPCHECK_FUZZ_HARNESS_H
#define WARPCHECK_FUZZ_HARNESS_H

#include "check/finding.h"
#include "fuzz/mutator.h"
#include "fuzz/status.h"

#define HARNESS_TESTED_MAX 8u

/*
 * "fast-all" stands for every variant of fast that this CPU has, so that the transcription's answer, which costs the
 * most, is compared with several. Each comparison is a check.
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
    enum mutator_way way;
    bool keep_going;
    bool seeks;         /* it was started to seek, by a mutator (fuzz/seeker.h), and nothing else */
    bool attended;      /* a campaign reads the counters: it keeps what was asked when the target ended */
    bool watched;       /* it was compiled for coverage: its comparisons are noted (fuzz/feedback.h) */
    bool long_calls;    /* some inputs are asked in a long call too: a plugin is under test, and is not slow */
    bool replays;       /* no engine runs: see harness_replays */
    const char *input;  /* when `replays`: the file */
    const char *inputs; /* folder for inputs that show something; NULL: none */
    const char *program;
    struct fuzz_status *status;
};

/* Reads the environment. Call it once. A setting that cannot be used ends the process with one line on standard
 * error and status 2. */
struct harness *harness_start(uint32_t families);

/* A program that replays inputs without an engine calls this before LLVMFuzzerInitialize with NULL, and before each
 * input with its file. A failure then ends the process with status 1 instead of a signal. */
void harness_replays(const char *input);
/* Mismatches and failures so far. */
uint64_t harness_mismatches(void);

/* Decodes an input, and compares the implementation with the transcription on the case and its relatives. `decoded`
 * (or NULL) is asked first for the case of the bytes; when it does not know them, they are decoded. */
typedef bool (*harness_decode_fn)(const uint8_t *data, size_t size, struct warp_case *c);
void harness_check_input(struct harness *h, const uint8_t *data, size_t size, harness_decode_fn decoded);

/* Asks for the mutator that seeks: a case, or the call of n steps behind it (seek_ask_fn). Nothing is told, and nothing
 * counted but the checks. False: the implementation that is watched answers otherwise than the transcription. */
bool harness_agrees(struct harness *h, const struct warp_case *c, const uint8_t *steps, size_t n);

/* Counts one execution and the buckets of a case, and shows them to the engine. */
void harness_count_case(struct harness *h, const struct warp_case *c, const struct warp_result *r);

/*
 * Tells that the property under test failed on the input: prints a line (two for a farm, which
 * groups by "Assertion failure: SIGNATURE"), writes the input into the folder for inputs, counts `wrong` mismatches,
 * and ends the target or, when it is to keep going, returns. `f` is not reduced. `sort` (`sort_size` bytes) tells sorts
 * of failures apart: when one sort is frequent, only some of its inputs are written and the others counted, so that the
 * search for other sorts goes on.
 */
void harness_found(struct harness *h, const struct finding *f, const void *sort, size_t sort_size, const uint8_t *data,
                   size_t size, unsigned wrong);

/* Tells that a property that compares no results failed (parsers, round trips): its name, and what is wrong. */
void harness_failure(struct harness *h, const char *name, const char *what, const uint8_t *data, size_t size);

/*
 * Tells that the implementation `observed` could not answer case `c`: prints a line and always ends the target, because
 * memory cannot be trusted after a crash. The engine keeps the input. Without an engine the exit status is 1.
 */
void harness_unanswered(struct harness *h, const struct warp_case *c, const char *why);

/*
 * For targets that do not use harness_check_input (laws, programs): replaces tested[] by watched ones, which remember
 * the first case that was not answered. A case that is not accepted does not count. Call it for one harness a process.
 */
void harness_watch(struct harness *h);
/* Ends the target as harness_unanswered does when a case was not answered since harness_watch. */
void harness_end_unanswered(struct harness *h);

/* Opens the implementation that WARPCHECK_FUZZ_IMPL names; opens it again if it was open before. */
void harness_open(struct harness *h);

/* Every target defines these two, which the engine calls. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
