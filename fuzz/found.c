/*
 * What a target does when its property fails: it tells. The campaign reduces, names and keeps.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "fuzz/harness.h"

#include "base/random.h"
#include "base/text.h"
#include "check/impl/impl.h"
#include "fuzz/campaign/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRITTEN_OFTEN 12u /* inputs of one sort that are written; of later ones one in SAMPLE */
#define WRITTEN_FIRST 2u  /* of these, as many are written however many inputs wait already */
#define SAMPLE        64u
#define WAITING_MAX   16u /* inputs that wait for the campaign */

/* Ends the target: an engine sees a crash, a replay ends with status 1. */
static void end_target(const struct harness *h)
{
    fflush(NULL);
    if (h->replays)
        exit(1);
    abort();
}

/* Was this sort of failure written often enough? */
static bool is_flood(struct harness *h, const void *sort, size_t size)
{
    const uint64_t hash = (hash_bytes(HASH_START, sort, size) & ~UINT64_C(0xff)) | 0x100;
    const uint64_t waiting = h->status->written - h->status->examined;
    for (size_t probe = 0; probe < FUZZ_SORTS; probe++) {
        uint64_t *slot = &h->status->sorts[(hash / 256 + probe) % FUZZ_SORTS];
        const uint64_t times = *slot & 0xff;
        if (*slot != 0 && (*slot & ~UINT64_C(0xff)) != hash)
            continue;
        if (times >= WRITTEN_FIRST && waiting >= WAITING_MAX)
            return true;
        if (times >= WRITTEN_OFTEN)
            return h->status->mismatches % SAMPLE != 0;
        *slot = hash | (times + 1);
        return false;
    }
    return waiting >= WAITING_MAX;
}

/* Writes KIND-HASH.line (the signature, then the line) and then KIND-HASH with the input. */
static void write_input(struct harness *h, const struct finding *f, const char *signature, const char *line,
                        const uint8_t *data, size_t size)
{
    const uint8_t *const bytes = size > 0 ? data : (const uint8_t *)"";
    const uint64_t hash = hash_bytes(hash_bytes(HASH_START, signature, strlen(signature)), bytes, size);
    static char text[FINDING_LINE_MAX + FINDING_SIGNATURE_MAX + 2];
    char path[FILE_PATH_MAX], name[64];
    struct error error;
    bool existed;
    const int length = snprintf(text, sizeof text, "%s\n%s\n", signature, line);
    snprintf(name, sizeof name, "%s-%016llx.line", finding_kind_name(f->kind), (unsigned long long)hash);
    if (file_join(h->inputs, name, path, &error) && file_create(path, text, (size_t)length, &existed, &error)) {
        path[strlen(path) - strlen(".line")] = '\0';
        if (file_create(path, bytes, size, &existed, &error)) {
            h->status->written += !existed;
            return;
        }
    }
    fprintf(stderr, "warpcheck: an input could not be written: %s\n", error.text);
    if (h->status->unkept++ == 0)
        snprintf(h->status->unkept_why, sizeof h->status->unkept_why, "%.255s", error.text);
}

/* Prints the command that examines the input, reduces what it shows and keeps it. */
static void print_command(const struct harness *h)
{
    static char program[4 * FILE_PATH_MAX], impl[4 * FILE_PATH_MAX], input[4 * FILE_PATH_MAX];
    char whole[FILE_PATH_MAX], name[IMPL_FULL_MAX];
    const char *target = program_invocation_short_name;
    if (h->input != NULL)
        text_quote(file_absolute(h->input, whole), input, sizeof input);
    else
        snprintf(input, sizeof input, "FILE");
    target = target_short_name(target);
    if (target_judges_alone(target_kind(target))) {
        fprintf(stderr, "warpcheck: replay with: %s %s\n",
                text_quote(file_absolute(program_invocation_name, whole), program, sizeof program), input);
        return;
    }
    fprintf(stderr, "warpcheck: %s: %s replay --target %s --impl %s %s\n",
            h->input != NULL ? "replay with" : "replay the file that the engine writes with",
            text_quote(h->program, program, sizeof program), target,
            text_quote(impl_name_full(h->observed_spec, name), impl, sizeof impl), input);
}

/* Prints the failure, and returns its signature and line. */
static void tell(const struct harness *h, const struct finding *f, char signature[FINDING_SIGNATURE_MAX],
                 char line[FINDING_LINE_MAX])
{
    finding_short_signature(f, signature);
    finding_line(f, line, FINDING_LINE_MAX);
    fprintf(stderr, "\nAssertion failure: %s\nwarpcheck: %s: %s\n", signature, finding_kind_name(f->kind), line);
    if (h->inputs == NULL)
        print_command(h);
}

void harness_found(struct harness *h, const struct finding *f, const void *sort, size_t sort_size, const uint8_t *data,
                   size_t size, unsigned wrong)
{
    static char line[FINDING_LINE_MAX];
    char signature[FINDING_SIGNATURE_MAX];
    if (h->keep_going && h->inputs != NULL && is_flood(h, sort, sort_size)) {
        h->status->mismatches += wrong;
        h->status->skipped++;
        return;
    }
    tell(h, f, signature, line);
    if (h->inputs != NULL)
        write_input(h, f, signature, line, data, size);
    h->status->mismatches += wrong; /* a campaign that stops at the first one ends this process when it sees it */
    if (!h->keep_going)
        end_target(h);
}

void harness_failure(struct harness *h, const char *name, const char *what, const uint8_t *data, size_t size)
{
    const struct finding f = {.kind = FINDING_INPUT, .property = name, .what = what, .data = data, .size = size};
    harness_found(h, &f, name, strlen(name), data, size, 1);
}

void harness_unanswered(struct harness *h, const struct warp_case *c, const char *why)
{
    static char line[FINDING_LINE_MAX];
    char signature[FINDING_SIGNATURE_MAX];
    const struct finding f = {.kind = FINDING_ERROR, .c = *c, .observed_name = h->observed_spec, .what = why};
    h->status->mismatches++;
    tell(h, &f, signature, line);
    end_target(h);
}

/* --- implementations that are watched --- */

/* Stands for the implementation that it watches: with its name, parts and answers. */
struct watched {
    struct warp_impl impl;
    const struct warp_impl *inner;
};

static struct watched watched[HARNESS_TESTED_MAX];
static struct {
    const struct warp_impl *impl; /* NULL: all were answered */
    struct warp_case c;
    char why[512];
} unanswered;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct watched *const w = state;
    char why[sizeof unanswered.why] = "it does not say why";
    for (size_t i = 0; i < n; i++) {
        const bool answered = w->inner->eval(w->inner->state, &cases[i], 1, &results[i], why, sizeof why);
        if (answered)
            continue;
        if (unanswered.impl == NULL) {
            unanswered.impl = &w->impl;
            unanswered.c = cases[i];
            memcpy(unanswered.why, why, sizeof why);
        }
        snprintf(error, error_size, "%s", why);
        return false;
    }
    return true;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct watched *const w = state;
    return w->inner->accepts(w->inner->state, c, why, why_size);
}

void harness_watch(struct harness *h)
{
    unanswered.impl = NULL;
    for (size_t i = 0; i < h->tested_count; i++) {
        struct watched *const w = &watched[i];
        *w = (struct watched){.impl = *h->tested[i], .inner = h->tested[i]};
        w->impl.state = w;
        w->impl.eval = eval;
        w->impl.accepts = w->inner->accepts != NULL ? accepts : NULL;
        w->impl.close = NULL; /* who opened it closes it */
        h->tested[i] = &w->impl;
    }
    h->observed = h->tested[0];
}

void harness_end_unanswered(struct harness *h)
{
    if (unanswered.impl == NULL)
        return;
    h->observed = unanswered.impl;
    harness_unanswered(h, &unanswered.c, unanswered.why);
}
