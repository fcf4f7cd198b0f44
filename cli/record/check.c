/* The device against a reference, without a file. */
#include "check/checker.h"
#include "check/enumerate.h"
#include "check/random.h"
#include "cli/record/record.h"
#include "gpu/throughput.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"

#include <inttypes.h>
#include <stdio.h>

enum { BATCH = 1024 };

/* One line a form; returns the exit status. */
static int check_form(const struct warp_impl *gpu, const struct warp_impl *reference, uint32_t form,
                      enum throughput_space space, uint64_t seed, uint64_t lanes)
{
    const struct warp_form_info *info = warp_form_get(form);
    struct throughput_report r;
    char error[400];
    char text[WARP_TEXT_MAX];
    if (!throughput_check(gpu, reference, info, space, (uint32_t)seed, lanes, &r, error, sizeof error)) {
        printf("%-28s %-7s UNAVAILABLE: %s\n", info->name, space == THROUGHPUT_POINTS ? "points" : "random", error);
        return STATUS_AGREE;
    }
    printf("%-28s %-7s %14" PRIu64 " lane results %11" PRIu64 " cases %7.2f s %9" PRIu64 " mismatches; %" PRIu64
           " sampled on the host, %" PRIu64 " differ\n",
           info->name, space == THROUGHPUT_POINTS ? "points" : "random", r.lanes, r.cases, r.seconds, r.mismatches,
           r.sampled, r.sample_differs);
    if (r.mismatches + r.sample_differs == 0)
        return STATUS_AGREE;
    printf("  %" PRIu64 " mismatching cases went the ordinary way again, %" PRIu64
           " differ from %s there; one of them:\n  ",
           r.rechecked, r.confirmed, reference->name);
    warp_case_to_text(&r.example, text, sizeof text);
    puts(text);
    return STATUS_MISMATCH;
}

int record_throughput(const struct warp_impl *gpu, const struct warp_impl *reference, uint32_t families, uint64_t seed,
                      uint64_t lanes)
{
    int status = STATUS_AGREE;
    printf("warpcheck: %s makes and checks its own cases, seed %" PRIu64 "; %s checks a sample\n", gpu->description,
           seed, reference->name);
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        if (!(families >> info->family & 1u))
            continue;
        if (warp_form_is_shfl(info) && check_form(gpu, reference, form, THROUGHPUT_POINTS, seed, 0) != STATUS_AGREE)
            status = STATUS_MISMATCH;
        if (check_form(gpu, reference, form, THROUGHPUT_RANDOM, seed, lanes) != STATUS_AGREE)
            status = STATUS_MISMATCH;
        fflush(stdout);
    }
    return status;
}

static bool print_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                           const struct warp_result *reference, const struct warp_result *observed,
                           const struct warp_diff *diff)
{
    char text[WARP_TEXT_MAX];
    (void)context, (void)checker, (void)reference, (void)observed, (void)diff;
    warp_case_to_text(c, text, sizeof text);
    printf("mismatch: %s\n", text);
    return false;
}

static bool compare_all(struct checker *checker, uint64_t seed, uint64_t cases)
{
    static struct warp_case batch[BATCH];
    const struct enumeration *e;
    for (size_t i = 0; !checker->stopped && (e = enumeration_get(i)) != NULL; i++)
        for (uint64_t at = 0, n; !checker->stopped && at < e->count(); at += n) {
            for (n = 0; n < BATCH && at + n < e->count(); n++)
                e->make(at + n, &batch[n]);
            if (!checker_run(checker, batch, (size_t)n))
                return false;
        }
    for (uint64_t at = 0, n; !checker->stopped && at < cases; at += n) {
        for (n = 0; n < BATCH && at + n < cases; n++)
            random_case(seed, at + n, WARP_FAMILY_ALL, &batch[n]);
        if (!checker_run(checker, batch, (size_t)n))
            return false;
    }
    return true;
}

/* All enumerations and `cases` random ones, with the counts of each form. */
int record_compare(const struct warp_impl *gpu, const struct warp_impl *reference, uint64_t seed, uint64_t cases)
{
    static struct checker checker;
    checker_init(&checker, reference, gpu, print_mismatch, NULL);
    if (!compare_all(&checker, seed, cases)) {
        fprintf(stderr, "warpcheck record: %s\n", checker.error);
        return STATUS_MISMATCH;
    }
    printf("%s against %s, seed %" PRIu64 "\n%-28s %12s %12s %14s %10s\n", gpu->description, reference->name, seed,
           "instruction", "offered", "compared", "lane results", "mismatches");
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct checker_counts *n = &checker.forms[form];
        printf("%-28s %12" PRIu64 " %12" PRIu64 " %14" PRIu64 " %10" PRIu64 "\n", warp_form_get(form)->name, n->cases,
               n->compared, n->lane_results, n->mismatches);
    }
    for (size_t i = 0; i < checker.reasons_count; i++)
        printf("not accepted: %" PRIu64 " cases: %s (first: %s)\n", checker.reasons[i].cases, checker.reasons[i].why,
               checker.reasons[i].example);
    return checker_total(&checker).mismatches == 0 ? STATUS_AGREE : STATUS_MISMATCH;
}
