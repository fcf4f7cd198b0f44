/*
 * The stage that proves the catalogue of properties.
 *
 * The prover runs in a process group of its own: Ctrl-C then ends it at once, whatever a solver is doing.
 */
#include "cli/work/stages.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/ui/terminal.h"

#include <stdio.h>

static bool wanted(const struct campaign *campaign)
{
    return campaign->proofs;
}

#ifdef WARPCHECK_HAVE_SMT
#include "smt/warpcheck_smt.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POLL_MS 200
/* What has no verdict when the stage's time is over is counted as not tried, and the stage as unfinished. */
#define PROPERTY_SECONDS 20.0
#define STAGE_SECONDS    240.0
/* At most JOBS_MAX * JOB_MEMORY_MB in all, so that a run fits small machines. */
#define JOBS_MAX      2u
#define JOB_MEMORY_MB 450

/* What the prover's process tells: short enough for one write to be whole. */
struct message {
    bool final;  /* nothing can change the verdict; else its lemmas are still to be looked at */
    bool failed; /* nothing could be started: note says why */
    size_t index;
    enum smt_verdict verdict;
    char note[200];
};
_Static_assert(sizeof(struct message) <= 512, "below PIPE_BUF everywhere");

static void send_message(int out, const struct message *message)
{
    if (write(out, message, sizeof *message) != (ssize_t)sizeof *message)
        _exit(STATUS_USAGE);
}

/* What the prover's callbacks need. */
struct teller {
    int out;
    const struct smt_property *const *properties;
    size_t n;
};

static void tell_verdict(int out, size_t index, bool final, const struct smt_outcome *outcome)
{
    struct message message = {.final = final, .index = index, .verdict = outcome->verdict};
    snprintf(message.note, sizeof message.note, "%.*s", (int)sizeof message.note - 1, outcome->note);
    send_message(out, &message);
}

static void tell_progress(void *context, const struct smt_property *property, const struct smt_outcome *outcome)
{
    const struct teller *teller = context;
    for (size_t i = 0; outcome && i < teller->n; i++)
        if (teller->properties[i] == property)
            tell_verdict(teller->out, i, false, outcome);
}

static void set_options(struct smt_options *options, const struct campaign *campaign, struct teller *teller)
{
    static const struct warp_impl *replay[2];
    static char programs[4200];
    smt_options_init(options);
    replay[0] = spec_get();
    replay[1] = fast_get();
    options->replay = replay;
    options->replay_count = 2;
    options->jobs = process_processors() > 1 ? JOBS_MAX : 1;
    options->memory_mb = JOB_MEMORY_MB;
    options->timeout_s = PROPERTY_SECONDS;
    options->progress = tell_progress;
    options->context = teller;
    snprintf(programs, sizeof programs, "%s/programs", campaign->corpus ? campaign->corpus : "corpus");
    options->programs_dir = programs;
}

/* In the child. */
static void prove_all(const struct campaign *campaign, const struct smt_property *const *properties, size_t n, int out)
{
    struct smt_options options;
    struct teller teller = {out, properties, n};
    struct message message = {.final = true, .failed = true, .note = "out of memory"};
    struct smt_outcome *outcomes = calloc(n, sizeof *outcomes);
    set_options(&options, campaign, &teller);
    if (!outcomes || !smt_prove(properties, n, &options, outcomes, message.note, sizeof message.note)) {
        send_message(out, &message);
        _exit(STATUS_USAGE);
    }
    for (size_t i = 0; i < n; i++)
        tell_verdict(out, i, true, &outcomes[i]);
    _exit(STATUS_AGREE);
}

static void take_verdict(struct campaign *campaign, const struct smt_property *property, const struct message *message)
{
    campaign->properties++;
    if (message->verdict == property->expected)
        campaign->properties_expected++;
    else
        campaign_note(campaign, "prove: %s: %s, expected %s%s%.100s", property->name,
                      smt_verdict_name(message->verdict), smt_verdict_name(property->expected),
                      message->note[0] ? ": " : "", message->note);
}

/* The next message; false when there will be none: the prover has ended, Ctrl-C, or out of time. */
static bool next_message(int in, struct message *message, struct progress *progress, uint64_t ended, size_t n)
{
    struct pollfd wait = {in, POLLIN, 0};
    while (!interrupted() && clock_seconds() - progress->start < STAGE_SECONDS) {
        progress_update(progress, ended, n, 0.0, 0);
        if (poll(&wait, 1, POLL_MS) <= 0)
            continue;
        ssize_t size = read(in, message, sizeof *message);
        if (size >= 0 || errno != EINTR)
            return size == (ssize_t)sizeof *message;
    }
    return false;
}

/* A verdict that rests on lemmas counts when all of them have theirs. */
static bool listen_to(struct campaign *campaign, const struct smt_property *const *properties, size_t n, int in,
                      struct error *error)
{
    struct message message = {.final = false};
    struct progress progress;
    uint64_t ended = 0;
    bool *taken = calloc(n, sizeof *taken);
    if (!taken)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    progress_start(&progress, "prove");
    progress.unit = "properties";
    while (next_message(in, &message, &progress, ended, n) && !message.failed && message.index < n) {
        const struct smt_property *property = properties[message.index];
        ended += !message.final;
        if (taken[message.index] || (!message.final && property->lemmas[0] != '\0'))
            continue;
        taken[message.index] = true;
        take_verdict(campaign, property, &message);
    }
    progress_end(&progress);
    free(taken);
    return !message.failed || error_set(error, ERROR_SYSTEM, "%s", message.note);
}

static bool prove_in_child(struct campaign *campaign, const struct smt_property *const *properties, size_t n,
                           struct error *error)
{
    int ends[2];
    if (pipe(ends) != 0)
        return error_errno(error, "the prover's process cannot be started");
    pid_t child = process_fork(error);
    if (child == 0) {
        close(ends[0]);
        prove_all(campaign, properties, n, ends[1]);
    }
    close(ends[1]);
    const bool good = child > 0 && listen_to(campaign, properties, n, ends[0], error);
    close(ends[0]);
    if (child > 0)
        process_kill(child);
    return good;
}

static bool run_prove(struct campaign *campaign, struct error *error)
{
    const size_t n = smt_property_count();
    const struct smt_property **properties = calloc(n + 1, sizeof *properties);
    if (!properties)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        properties[i] = smt_property_get(i);
    const bool good = prove_in_child(campaign, properties, n, error);
    free(properties);
    campaign_note(campaign, "prove: %llu of %zu properties have the verdict that is expected",
                  (unsigned long long)campaign->properties_expected, n);
    if (!good)
        return false;
    if (interrupted())
        return error_set(error, ERROR_INTERRUPTED, "interrupted");
    if (campaign->properties < n)
        return error_set(error, ERROR_TIMEOUT, "%llu of %zu properties not tried in %.0f s (warpcheck prove tries all)",
                         (unsigned long long)(n - campaign->properties), n, STAGE_SECONDS);
    return true;
}
#else
static bool run_prove(struct campaign *campaign, struct error *error)
{
    (void)campaign;
    return error_set(error, ERROR_UNAVAILABLE, "built without Z3 (Debian: libz3-dev)");
}
#endif

const struct stage stage_prove = {"prove", "the catalogue of properties, for all operands at once", run_prove, wanted};
