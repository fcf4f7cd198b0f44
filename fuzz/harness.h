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
 *   WARPCHECK_FUZZ_FINDINGS    folder for findings (default: "crashes" in the current folder)
 *   WARPCHECK_FUZZ_STATUS      file for the counters
 *   WARPCHECK_FUZZ_KEEP_GOING  not empty: count a mismatch and go on; else the target ends at the first, as engines do
 *   WARPCHECK_FUZZ_PINPOINT    file to which each case is written before it is evaluated, and by whom: what crashed
 *   WARPCHECK_FUZZ_PROGRAM     how printed commands call the program (default: where this build puts it)
 */
#ifndef WARPCHECK_FUZZ_HARNESS_H
#define WARPCHECK_FUZZ_HARNESS_H

#include "fuzz/status.h"
#include "warpcheck/impl.h"

#define HARNESS_TESTED_MAX 8u

/*
 * "fast" stands for every variant of fast that this CPU has, so that the transcription's answer, which costs the most,
 * is compared with several; where WARPCHECK_FAST chooses one, for that one. Each comparison is a check.
 */
struct harness {
    const struct warp_impl *reference; /* the transcription */
    const struct warp_impl *tested[HARNESS_TESTED_MAX];
    size_t tested_count;              /* more than one only for variants of fast, which accept every case */
    const struct warp_impl *observed; /* the first of them; in a report, the one that differs */
    const char *observed_spec;        /* as WARPCHECK_FUZZ_IMPL names it */
    uint32_t families;
    unsigned derived;
    unsigned signals;
    bool keep_going;
    bool replays; /* no engine: harness_replays */
    bool keeps;   /* a replay keeps what it finds: WARPCHECK_FUZZ_FINDINGS is set */
    const char *findings;
    const char *pinpoint;
    const char *artifacts;
    const char *program;
    struct fuzz_status *status;
};

/* Reads the environment. What cannot be used is one clear line on standard error and exit status 2. Called once. */
struct harness *harness_start(uint32_t families);

/* Called before LLVMFuzzerInitialize by what replays inputs without an engine: a failure then ends the process with
 * status 1 instead of a signal, and one that the input shows by itself is kept only where WARPCHECK_FUZZ_FINDINGS says.
 */
void harness_replays(void);
/* Mismatches and failures so far. */
uint64_t harness_mismatches(void);

/* Decodes an input and checks the case and its relatives, the implementation against the transcription. `decoded` (or
 * NULL) is asked first for the case of the bytes; where it does not know it, they are decoded. */
typedef bool (*harness_decode_fn)(const uint8_t *data, size_t size, struct warp_case *c);
void harness_check_input(struct harness *h, const uint8_t *data, size_t size, harness_decode_fn decoded);

/* Counts one execution and the buckets of a case, and shows them to the engine. */
void harness_count_case(struct harness *h, const struct warp_case *c, const struct warp_result *r);

/*
 * The property under test failed for this case: reduces it, writes the finding, prints its line and the command that
 * replays it, and ends the target (or returns, when it is to keep going). The case is number `at` of the n that they
 * answered in one call: where it differs only so, these become the finding (check/sequence.h). What neither shows again
 * is noted, without a case, under FAMILY-state. Bit i of `wrong`: tested[i] differs.
 *
 * One entry for all variants: those that differ on the reduced case are named in the line. Where they are not all that
 * were tested, they are in the signature too: a defect of one variant's code is not taken for another's.
 */
void harness_mismatch(struct harness *h, const struct warp_case *cases, size_t n, size_t at, uint32_t wrong);

/* Says that a finding was not kept, and counts it. */
void harness_unkept(struct harness *h, const char *why);

/*
 * A property without a pair of results failed (parsers, round trips). Prints `what`, keeps the input data[size]
 * (`input`, finding.txt, verdict.txt) in the findings under `name`, prints the command that replays it, and ends the
 * target (or returns). Of several inputs the newest is kept, until somebody has judged it: then NAME.2 begins.
 */
void harness_failure(struct harness *h, const char *name, const char *what, const uint8_t *data, size_t size);

/*
 * Those of tested[] of which bit i of `who` is set break the law on this case; `wrong` is what the first of them said.
 * Reduces the case as long as it says so, keeps the finding (check/finding.h) under law-NAME, with the family where the
 * law is about several, prints its line and the command that replays it, and ends the target (or returns).
 */
struct law;
void harness_law_broken(struct harness *h, const struct law *law, const char *wrong, const struct warp_case *c,
                        uint32_t who);

/*
 * The implementation could not answer the batch of an input: it crashed or did not come back. The target ends in any
 * case: what a crash leaves in memory is not to be trusted. A campaign gets the input and looks for the case in another
 * process; otherwise that is done here, and the case kept as a finding. Without an engine the status is 1.
 */
void harness_crash(struct harness *h, const uint8_t *data, size_t size, const struct warp_case *cases, size_t n,
                   const char *reason);

/*
 * For targets that ask by other ways than harness_check_input (laws, programs): tested[] become watched ones, which
 * write down each case before it is asked where WARPCHECK_FUZZ_PINPOINT says so, and remember the first that is not
 * answered: a crash, a hang, or an eval that returns false. What is not accepted is no such case. One harness a
 * process.
 */
void harness_watch(struct harness *h);
/* Ends the target as harness_crash does when a case was not answered since harness_watch; `data` is the input. */
void harness_end_unanswered(struct harness *h, const uint8_t *data, size_t size);

/* The file of WARPCHECK_FUZZ_PINPOINT, three lines: the case, the variant that is asked (empty where there is one
 * implementation), why it did not answer. */
void harness_pinpoint(const struct harness *h, const struct warp_impl *impl, const struct warp_case *c,
                      const char *why);
/* Empties it: nothing is being asked. */
void harness_pinpoint_done(const struct harness *h);
/* Writes the case down, asks it and notes how long that took. False: not answered, why in `error`. */
bool harness_ask_pinpointed(const struct harness *h, const struct warp_impl *impl, const struct warp_case *c,
                            struct warp_result *r, char *error, size_t error_size);

/* Opens what WARPCHECK_FUZZ_IMPL names, again where it was open before. */
void harness_open(struct harness *h);

/* True the first time that the hash is seen (kept in the status). */
bool harness_remember(struct harness *h, uint64_t hash);
uint64_t harness_hash(const void *data, size_t size);

/* Every target. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
