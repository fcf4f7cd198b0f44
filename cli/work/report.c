/* The end of a campaign for people: table, implementations, what was left out, verdict. */
#include "cli/command.h"
#include "base/clock.h"
#include "cli/work/campaign.h"

#include <stdio.h>
#include <string.h>

static void print_cell(uint64_t n, int width)
{
    printf(" %*s", width, n ? number_text(n) : "-");
}

static void print_instructions(const struct campaign *campaign)
{
    printf("\n%s%-12s", paint(PAINT_BOLD), "instruction");
    for (size_t k = 0; k < KINDS; k++)
        printf(" %13s", kind_names[k]);
    printf(" %15s %10s%s\n", "lane results", "mismatches", paint(PAINT_PLAIN));
    for (size_t f = 0; f < WARP_FAMILIES; f++) {
        uint64_t lanes = 0;
        uint64_t mismatches = 0;
        printf("%-12s", warp_family_name((uint32_t)f));
        for (size_t k = 0; k < KINDS; k++) {
            struct checker_counts counts = campaign_family(campaign, (enum kind)k, (enum warp_family)f);
            print_cell(counts.compared, 13);
            lanes += counts.lane_results;
            mismatches += counts.mismatches;
        }
        print_cell(lanes, 15);
        printf(" %s%10s%s\n", mismatches ? paint(PAINT_RED) : "", number_text(mismatches), paint(PAINT_PLAIN));
    }
}

static void print_own(const struct campaign *campaign)
{
    uint64_t compared = 0;
    uint64_t mismatches = 0;
    for (size_t k = 0; k < KINDS; k++) {
        compared += checker_total(&campaign->own[k]).compared;
        mismatches += checker_total(&campaign->own[k]).mismatches;
    }
    if (compared)
        printf("%-28.28s %13s cases %14s mismatches   against what files expect and devices answered\n",
               campaign->reference_option, number_text(compared), number_text(mismatches));
}

static void print_implementations(const struct campaign *campaign)
{
    printf("\n%simplementation%s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN));
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *subject = &campaign->subjects[i];
        uint64_t compared = 0;
        uint64_t mismatches = 0;
        uint64_t refused = subject_not_accepted(subject);
        uint64_t unanswered = subject_unanswered(subject);
        for (size_t k = 0; k < KINDS; k++) {
            compared += checker_total(&subject->kinds[k]).compared;
            mismatches += checker_total(&subject->kinds[k]).mismatches;
        }
        printf("%-28.28s %13s cases %14s mismatches   against %.20s", subject->impl->name, number_text(compared),
               number_text(mismatches), campaign->reference_option);
        if (refused)
            printf(", %s not accepted", number_text(refused));
        if (unanswered)
            printf(", %s not answered", number_text(unanswered));
        printf("\n");
    }
    print_own(campaign);
}

/* The parts that are not compared because one of the two does not give them. */
static void print_parts(const struct subject *subject)
{
    static const char *const names[] = {"d", "p", "which d are predictable", "outcomes", "whom lanes wait for"};
    uint32_t parts = checker_parts(&subject->kinds[0]);
    const char *comma = "";
    if (parts == WARP_PART_ALL)
        return;
    printf("not compared with %s: ", subject->impl->name);
    for (size_t i = 0; i < 5; i++) {
        if (parts >> i & 1u)
            continue;
        printf("%s%s", comma, names[i]);
        comma = ", ";
    }
    printf("\n");
}

static void print_reasons(const struct subject *subject)
{
    struct checker sum;
    checker_init(&sum, subject->kinds[0].reference, subject->kinds[0].observed, NULL, NULL);
    for (size_t k = 0; k < KINDS; k++)
        checker_add(&sum, &subject->kinds[k]);
    for (size_t i = 0; i < sum.reasons_count; i++)
        printf("not accepted: %s cases: %s (first: %s)\n", number_text(sum.reasons[i].cases), sum.reasons[i].why,
               sum.reasons[i].example);
    for (size_t k = 0; k < KINDS; k++)
        if (subject->kinds[k].stopped)
            printf("%s was left out of the rest of '%s' after %s mismatches\n", subject->impl->name, kind_names[k],
                   number_text(checker_total(&subject->kinds[k]).mismatches));
}

/* Below a finding that several forms show: which. */
static void print_forms(const struct found *found)
{
    const char *before = "  in ";
    if ((found->forms & (found->forms - 1)) == 0)
        return;
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (found->forms >> form & 1u) {
            printf("%s%s", before, warp_form_get(form)->name);
            before = ", ";
        }
    printf("\n");
}

static void print_findings(const struct campaign *campaign)
{
    size_t kinds = 0;
    for (size_t i = 0; i < campaign->findings.count; i++) {
        const struct found *found = &campaign->findings.items[i];
        if (!found->reported || found->same)
            continue;
        if (kinds++ == 0)
            printf("\n%sfindings%s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN));
        printf("%-20.20s %-50s %13s times%s\n", found->observed->name, found->signature, number_text(found->hits),
               found->reproduced ? "" : ", not alone");
        print_forms(found);
    }
    if (campaign->findings.unkept)
        printf("and %s mismatches of further kinds; mend these first\n", number_text(campaign->findings.unkept));
}

int campaign_status(const struct campaign *campaign)
{
    if (campaign->findings.error[0] != '\0' || campaign->unreadable)
        return STATUS_USAGE;
    if (interrupted() || campaign->failed || campaign->unproved || campaign_total(campaign).mismatches ||
        campaign->fuzzed_mismatches || !campaign_total(campaign).compared)
        return STATUS_MISMATCH;
    return STATUS_AGREE;
}

const char *campaign_verdict(const struct campaign *campaign)
{
    if (campaign_total(campaign).mismatches || campaign->fuzzed_mismatches)
        return "MISMATCH";
    if (campaign->failed)
        return "FAILED";
    if (interrupted())
        return "INTERRUPTED";
    if (campaign->unreadable)
        return "UNREADABLE INPUT";
    if (campaign->unproved)
        return "NOT ALL PROVED";
    return campaign_total(campaign).compared ? "all agree" : "NOTHING COMPARED";
}

static void print_verdict(const struct campaign *campaign)
{
    struct checker_counts total = campaign_total(campaign);
    bool good = campaign_status(campaign) == STATUS_AGREE;
    printf("\n%s%s%s: %s mismatches in %s cases (%s lane results), %.1f s\n", paint(good ? PAINT_GREEN : PAINT_RED),
           campaign_verdict(campaign), paint(PAINT_PLAIN), number_text(total.mismatches), number_text(total.compared),
           number_text(total.lane_results), clock_seconds() - campaign->start);
    if (campaign->fuzzed_mismatches)
        printf("and %s mismatches in %s checks by libFuzzer\n", number_text(campaign->fuzzed_mismatches),
               number_text(campaign->fuzzed_checks));
    if (interrupted())
        printf("INTERRUPTED: this is what was done so far; it is no answer about the rest\n");
    if (campaign->unreadable)
        printf("%s files could not be read: see above\n", number_text(campaign->unreadable));
}

int campaign_finish(struct campaign *campaign, const char *command)
{
    if (campaign->json) {
        campaign_json(campaign, command);
    } else {
        print_instructions(campaign);
        print_implementations(campaign);
        for (size_t i = 0; i < campaign->count; i++) {
            print_parts(&campaign->subjects[i]);
            print_reasons(&campaign->subjects[i]);
        }
        if (campaign->notes_count)
            printf("\n");
        for (size_t i = 0; i < campaign->notes_count; i++)
            printf("%s\n", campaign->notes[i]);
        print_findings(campaign);
        print_verdict(campaign);
    }
    fflush(stdout);
    if (campaign->findings.error[0] != '\0')
        fprintf(stderr, "warpcheck: the reproducer was not written: %s\n", campaign->findings.error);
    if (campaign->failed)
        fprintf(stderr, "warpcheck: %s\n", campaign->error);
    return campaign_status(campaign);
}
