/* warpcheck exhaust: the enumerations, one by one, with their counts. */
#include "check/enumerate.h"
#include "base/clock.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/campaign.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <string.h>

struct tally {
    const struct enumeration *enumeration;
    uint64_t compared, not_accepted, mismatches;
    double seconds;
    bool whole; /* every case was offered */
};

static bool wanted(const struct enumeration *enumeration, char **words, int count)
{
    for (int i = 1; i <= count; i++)
        if (strcmp(words[i], enumeration->name) == 0 || ask_families(words[i], NULL) & enumeration->families)
            return true;
    return count == 0;
}

/* Each word must name something. */
static int check_words(char **words, int count)
{
    for (int i = 1; i <= count; i++) {
        bool known = ask_families(words[i], NULL) != 0;
        const struct enumeration *enumeration;
        for (size_t k = 0; !known && (enumeration = enumeration_get(k)); k++)
            known = strcmp(words[i], enumeration->name) == 0;
        if (!known)
            return usage_error(&command_exhaust, "no enumeration or family '%s' (warpcheck list enumerations)",
                               words[i]);
    }
    return STATUS_AGREE;
}

static void take_totals(const struct campaign *campaign, struct tally *tally, bool before)
{
    struct checker_counts total = campaign_total(campaign);
    if (before) {
        tally->compared = total.compared;
        tally->not_accepted = total.cases - total.compared;
        tally->mismatches = total.mismatches;
        tally->seconds = clock_seconds();
        return;
    }
    tally->not_accepted = total.cases - total.compared - tally->not_accepted;
    tally->compared = total.compared - tally->compared;
    tally->mismatches = total.mismatches - tally->mismatches;
    tally->seconds = clock_seconds() - tally->seconds;
}

static void print_tally(const struct tally *tally)
{
    const struct enumeration *e = tally->enumeration;
    printf("%-22s %13s %10s %-13s %8.2f s", e->name, number_text(tally->compared),
           number_text(e->count() * e->points_per_case), e->point, tally->seconds);
    printf(" %8s mismatches", number_text(tally->mismatches));
    if (tally->not_accepted)
        printf(", %s not accepted", number_text(tally->not_accepted));
    printf("%s\n    %s%s%s\n", tally->whole ? "" : "  NOT FINISHED", paint(PAINT_DIM), e->what, paint(PAINT_PLAIN));
}

static bool run_one(struct campaign *campaign, const struct enumeration *enumeration, struct tally *tally)
{
    uint64_t made = 0;
    tally->enumeration = enumeration;
    take_totals(campaign, tally, true);
    bool good = campaign_sweep(campaign, KIND_ENUMERATE, enumeration->name, campaign_make_enumerated, enumeration,
                               enumeration->count(), 0.0, &made);
    take_totals(campaign, tally, false);
    tally->whole = made == enumeration->count();
    if (!campaign->json)
        print_tally(tally);
    fflush(stdout);
    return findings_report(&campaign->findings) && good;
}

static int exhaust(struct campaign *campaign, char **words, int count)
{
    struct tally tally = {0};
    const struct enumeration *enumeration;
    bool good = true;
    if (!campaign->json)
        printf("%s%-22s %13s %10s %-13s%s\n", paint(PAINT_BOLD), "enumeration", "cases", "", "points",
               paint(PAINT_PLAIN));
    for (size_t i = 0; good && !interrupted() && (enumeration = enumeration_get(i)); i++)
        if (wanted(enumeration, words, count))
            good = run_one(campaign, enumeration, &tally);
    return campaign_finish(campaign, "exhaust");
}

static int run_main(int argc, char **argv)
{
    struct campaign campaign = {.families = WARP_FAMILY_ALL};
    struct option_list impls = {{NULL}, 0};
    const char *reference = "spec";
    const char *out = NULL;
    int status = STATUS_USAGE;
    const struct option table[] = {
        {"impl", OPTION_LIST, &impls, "NAME", "implementation to check, may be repeated (default: fast)"},
        {"reference", OPTION_TEXT, &reference, "NAME", "what it is checked against (default: spec)"},
        {"out", OPTION_TEXT, &out, "DIR", "where reproducers of mismatches go (default: ./crashes)"},
        {"json", OPTION_FLAG, &campaign.json, NULL, "print the report as JSON"},
    };
    int operands = options_parse(&command_exhaust, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (check_words(argv, operands) != STATUS_AGREE || (campaign.json && !out_available(&command_exhaust)) ||
        (out && !campaign_folder(out)))
        return STATUS_USAGE;
    if (impls.count == 0)
        impls.items[impls.count++] = "fast";
    interrupt_catch();
    if (campaign_open(&campaign, reference, impls.items, impls.count, out ? out : "crashes"))
        status = exhaust(&campaign, argv, operands);
    campaign_close(&campaign);
    return status;
}

const struct command command_exhaust = {
    .name = "exhaust",
    .summary = "complete enumeration where the space is finite, bounded elsewhere, with the counts",
    .help = "usage: warpcheck exhaust [ENUMERATION|FAMILY...] [OPTION...]\n"
            "\n"
            "Goes through every case of the named enumerations (default: all; warpcheck list enumerations shows\n"
            "them). `shfl` takes every lane, b, clamp and segment mask in all four modes: 2^22 points.\n"
            "\n"
            "  warpcheck exhaust shfl --impl ./mine.so\n",
    .run = run_main};
