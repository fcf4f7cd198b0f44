/*
 * Mismatches: reduced, told apart, on disk before anybody hears of them.
 */
#include "fuzz/report/report.h"

#include "check/crash.h"
#include "base/text.h"
#include "check/reduce.h"
#include "check/sequence.h"
#include "fuzz/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REDUCE_LIMIT   4000u
#define REDUCE_OFTEN   12u /* mismatches of one kind that are reduced; of later ones one in SAMPLE */
#define SAMPLE         64u

#define SEQUENCE_LIMIT 2000u /* tries for each case of a sequence */
#define REPLAYED_MAX   64u   /* cases that warpcheck replay asks in one call */

uint64_t harness_hash(const void *data, size_t size)
{
    const uint8_t *byte = data; /* FNV-1a */
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash != 0 ? hash : 1;
}

bool harness_remember(struct harness *h, uint64_t hash)
{
    for (size_t probe = 0; probe < FUZZ_SIGNATURES; probe++) {
        uint64_t *slot = &h->status->signatures[(hash + probe) % FUZZ_SIGNATURES];
        if (*slot == hash)
            return false;
        if (*slot == 0) {
            *slot = hash;
            return true;
        }
    }
    return true; /* full: the folder on disk tells duplicates apart */
}

/* Has this kind of unreduced mismatch been reduced often enough? A flood of one defect must not stop the search for
 * others. */
static bool known_flood(struct harness *h, const struct finding *f, uint32_t wrong)
{
    const uint32_t kind[] = {wrong,
                             f->c.form,
                             f->diff.outcome != 0,
                             f->diff.d_defined != 0,
                             f->diff.d != 0,
                             f->diff.p != 0,
                             f->diff.waits_for != 0,
                             f->c.negate,
                             f->c.exited != 0,
                             f->reference.waiting != 0,
                             f->reference.undefined != 0};
    uint64_t hash = harness_hash(kind, sizeof kind) & ~UINT64_C(0xff);
    for (size_t probe = 0; probe < FUZZ_SIGNATURES; probe++) {
        uint64_t *slot = &h->status->kinds[(hash / 256 + probe) % FUZZ_SIGNATURES];
        if (*slot != 0 && (*slot & ~UINT64_C(0xff)) != hash)
            continue;
        if ((*slot & 0xff) >= REDUCE_OFTEN)
            return h->status->mismatches % SAMPLE != 0;
        *slot = hash | ((*slot & 0xff) + 1);
        return false;
    }
    return false;
}

void harness_unkept(struct harness *h, const char *why)
{
    fprintf(stderr, "warpcheck: finding not kept: %s\n", why);
    if (h->status->unkept++ == 0)
        snprintf(h->status->unkept_why, sizeof h->status->unkept_why, "%s", why);
}

/* `folder`: where it is kept, or NULL. */
static void announce(const struct harness *h, const struct finding *f, const char *folder)
{
    static char line[FINDING_LINE_MAX];
    finding_line(f, line, sizeof line);
    fprintf(stderr, "\nwarpcheck: MISMATCH %s\n", line);
    if (folder != NULL)
        report_command(h, folder, "case.txt", "replay");
}

static void keep(struct harness *h, struct finding *f)
{
    char name[2 * FINDING_SIGNATURE_MAX], folder[REPORT_PATH_MAX], error[512];
    bool existed = false;
    finding_signature(f, name); /* each form of it is written once */
    finding_form(f, name + strlen(name));
    if (!harness_remember(h, harness_hash(name, strlen(name)))) {
        h->status->duplicates++;
        return;
    }
    if (!finding_write_beside(f, h->reference, h->observed, h->findings, folder, sizeof folder, &existed, error,
                              sizeof error)) {
        harness_unkept(h, error);
        announce(h, f, NULL);
        return;
    }
    if (existed)
        h->status->duplicates++;
    else
        h->status->findings++;
    if (!existed || !h->keep_going)
        announce(h, f, folder);
}

/* Makes the finding of the first that differs when it is asked the case alone; that one is then `observed`. */
static bool differs_alone(struct harness *h, uint32_t wrong, const struct warp_case *c, struct finding *f)
{
    h->observed = h->tested[__builtin_ctz(wrong)];
    for (size_t i = 0; i < h->tested_count; i++)
        if ((wrong >> i & 1u) && finding_make(f, h->reference, h->tested[i], c)) {
            h->observed = h->tested[i];
            return true;
        }
    return false;
}

struct asked {
    const struct warp_impl *reference;
    const struct warp_case *c;
};

static bool differs_on(void *context, const struct warp_impl *impl)
{
    static struct finding other;
    const struct asked *asked = context;
    return finding_make(&other, asked->reference, impl, asked->c);
}

/* Says in the finding which of those tested differ on its case. */
static void name_differing(const struct harness *h, struct finding *f)
{
    static char all[REPORT_NAMES_MAX], only[REPORT_NAMES_MAX + 1];
    struct asked asked = {h->reference, &f->c};
    report_name_differing(h, differs_on, &asked, all, only);
    if (h->tested_count == 1)
        return;
    f->observed_name = all;
    f->only = only[0] != '\0' ? only + 1 : NULL;
}

/* Does the case of the sequence differ in one call with the others, every time, and not alone: as a replay asks? */
static bool differs_together(const struct harness *h, const struct warp_case *cases, size_t n, size_t at,
                             struct finding *f)
{
    static struct finding alone;
    for (unsigned times = 0; times < 2; times++) {
        for (size_t i = 0; i < n; i++)
            if (finding_make(&alone, h->reference, h->observed, &cases[i]) && i == at)
                return false;
        if (!sequence_find(f, h->reference, h->observed, cases, n, at))
            return false;
    }
    return true;
}

/* A mismatch that no replay shows again: a note, and the command that comes upon it again. */
static void note_state(struct harness *h, const struct warp_case *c)
{
    static char what[WARP_TEXT_MAX + 512], line[WARP_TEXT_MAX];
    char name[64], folder[REPORT_PATH_MAX], error[512], program[REPORT_QUOTED_MAX];
    const char *const family = warp_family_name(warp_form_get(c->form)->family);
    struct finding_file note = {"note.txt", what, 0};
    bool existed = false;
    snprintf(name, sizeof name, "%s-state", family);
    if (!harness_remember(h, harness_hash(name, strlen(name)))) {
        h->status->duplicates++;
        return;
    }
    warp_case_to_text(c, line, sizeof line);
    snprintf(
        what, sizeof what,
        "%s: %s answered a case wrongly, and rightly when it was asked alone, and no call that a replay makes shows "
        "it every time: it keeps something between calls, or is not deterministic\n%s\n",
        name, h->observed->name, line);
    note.size = strlen(what);
    if (!finding_write_files(h->findings, name, &note, 1, folder, sizeof folder, &existed, error, sizeof error))
        harness_unkept(h, error);
    else
        *(existed ? &h->status->duplicates : &h->status->findings) += 1;
    fprintf(stderr, "\nwarpcheck: MISMATCH %s\nwarpcheck: no case shows it again; look for it with: %s fuzz --only %s",
            what, text_quote(h->program, program, sizeof program), family);
    report_implementation_option(h);
    fprintf(stderr, "\n");
}

/* A mismatch that the case alone does not show: kept with the cases that were asked in the same call. */
static void unstable(struct harness *h, const struct warp_case *cases, size_t n, size_t at, uint32_t wrong)
{
    static struct warp_case copy[CHECKER_BATCH];
    static struct finding f;
    const size_t asked = at;
    struct reduce_stats stats = {0, 0};
    h->observed = h->tested[__builtin_ctz(wrong)];
    memcpy(copy, cases, n * sizeof *copy);
    if (differs_together(h, copy, n, at, &f)) {
        if (h->keep_going && known_flood(h, &f, wrong)) {
            h->status->skipped++;
            return;
        }
        sequence_reduce(copy, &n, &at, h->reference, h->observed, pace_tries(h->observed, copy, n, SEQUENCE_LIMIT),
                        &stats);
    }
    if (n <= REPLAYED_MAX && differs_together(h, copy, n, at, &f))
        keep(h, &f);
    else
        note_state(h, &cases[asked]);
    report_end_target(h);
}

void harness_mismatch(struct harness *h, const struct warp_case *cases, size_t n, size_t at, uint32_t wrong)
{
    static struct finding f;
    struct warp_case reduced;
    h->status->mismatches += (unsigned)__builtin_popcount(wrong);
    if (!differs_alone(h, wrong, &cases[at], &f)) {
        unstable(h, cases, n, at, wrong);
        return;
    }
    if (h->keep_going && known_flood(h, &f, wrong)) {
        h->status->skipped++;
        return;
    }
    reduce_mismatch(&f.c, h->reference, h->observed, pace_tries(h->observed, &cases[at], 1, REDUCE_LIMIT), NULL);
    reduced = f.c;
    if (!finding_make(&f, h->reference, h->observed, &reduced)) {
        unstable(h, cases, n, at, wrong);
        return;
    }
    name_differing(h, &f);
    keep(h, &f);
    report_end_target(h);
}

/* An artifact for the campaign: whole, or not there. */
static void write_file(const char *path, const uint8_t *data, size_t size)
{
    char temporary[REPORT_PATH_MAX + 32];
    FILE *file;
    bool good;
    snprintf(temporary, sizeof temporary, "%s.part", path);
    file = fopen(temporary, "wb");
    if (file == NULL)
        return;
    good = fwrite(data, 1, size, file) == size;
    if ((fclose(file) == 0 && good ? rename(temporary, path) : 1) != 0)
        remove(temporary);
}

/* The first case that it cannot answer alone; the first of all where there is none. It is open anew afterwards. */
static const struct warp_case *culprit(struct harness *h, const struct warp_case *cases, size_t n, char *reason,
                                       size_t reason_size)
{
    static struct warp_result result;
    harness_open(h);
    for (size_t i = 0; i < n; i++)
        if (!h->observed->eval(h->observed->state, &cases[i], 1, &result, reason, reason_size)) {
            harness_open(h);
            return &cases[i];
        }
    return &cases[0];
}

static void keep_crash(struct harness *h, const struct warp_case *cases, size_t n, const char *first_reason)
{
    static char line[WARP_TEXT_MAX + 1024], text[WARP_TEXT_MAX];
    char reason[512], fate[CRASH_FATE_MAX], name[CRASH_NAME_MAX], folder[REPORT_PATH_MAX], error[REPORT_PATH_MAX] = "";
    const struct warp_case *c;
    bool existed;
    snprintf(reason, sizeof reason, "%s", first_reason);
    c = n > 1 ? culprit(h, cases, n, reason, sizeof reason) : cases;
    crash_fate(reason, "error", fate);
    crash_name(c, fate, name);
    warp_case_to_text(c, text, sizeof text);
    reason[strcspn(reason, "\n")] = '\0';
    snprintf(line, sizeof line, "%s => %s does not answer: %s%s%.200s", text, h->observed_spec, fate,
             strcmp(fate, "error") == 0 ? ": " : "", strcmp(fate, "error") == 0 ? reason : "");
    fprintf(stderr, "\nwarpcheck: CRASH %s\n", line);
    if (!crash_write(h->findings, name, c, line, folder, sizeof folder, &existed, error, sizeof error)) {
        harness_unkept(h, error);
        return;
    }
    report_command(h, folder, "case.txt", "replay");
}

void harness_crash(struct harness *h, const uint8_t *data, size_t size, const struct warp_case *cases, size_t n,
                   const char *reason)
{
    char path[REPORT_PATH_MAX];
    h->status->mismatches++;
    if (h->artifacts == NULL) {
        keep_crash(h, cases, n, reason);
    } else if (strcmp(h->artifacts, "-") != 0) {
        snprintf(path, sizeof path, "%s/crash-%016llx", h->artifacts, (unsigned long long)harness_hash(data, size));
        write_file(path, data, size);
    }
    fflush(NULL);
    if (h->replays)
        _exit(1);
    abort();
}
