/*
 * A campaign without the command line: a variant of fast against the transcription in enumerations, the corpus' case
 * files, random cases and batches. Needs a compiler alone, so that it also runs under an emulator, where the libraries
 * of the whole program are not installed.
 *
 *   fast_campaign VARIANT CORPUS SECONDS
 *
 * Exit status 0: every stage ran to its end, compared something, and all agree.
 */
#include "check/campaign/campaign.h"
#include "check/campaign/findings.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Did each stage run to its end with something compared? */
static bool all_ran(const struct campaign *campaign)
{
    bool good = true;
    for (size_t i = 0; i < campaign->reports_count; i++) {
        const struct stage_report *report = &campaign->reports[i];
        printf("%s: %s, %llu %s%s%s\n", report->stage->name, stage_state_name(report->state),
               (unsigned long long)report->compared, report->unit ? report->unit : "cases",
               report->state == STAGE_RAN ? "" : ": ", report->state == STAGE_RAN ? "" : report->why.text);
        good = good && report->state == STAGE_RAN && report->compared > 0;
    }
    return good;
}

int main(int argc, char **argv)
{
    static const struct stage *const stages[] = {&stage_batches, &stage_enumerate, &stage_replay, &stage_random};
    static struct campaign campaign = {.seed = 2, .families = WARP_FAMILY_ALL, .out = ".", .program = "warpcheck"};
    static struct findings findings;
    struct error error;
    if (argc != 4) {
        fprintf(stderr, "usage: fast_campaign VARIANT CORPUS SECONDS\n");
        return 2;
    }
    campaign.corpus = argv[2];
    campaign.seconds = strtod(argv[3], NULL);
    campaign.findings = &findings;
    if (!findings_init(&findings, campaign.seed, NULL))
        return 2;
    if (!campaign_open(&campaign, "spec", (const char *const[]){argv[1]}, 1, &error)) {
        printf("%s\n", error.text);
        return 2;
    }
    campaign_run(&campaign, stages, sizeof stages / sizeof stages[0]);
    const bool ran = all_ran(&campaign) && campaign.reports_count == sizeof stages / sizeof stages[0];
    const enum verdict verdict = campaign_verdict(&campaign);
    for (size_t i = 0; i < findings.count; i++)
        printf("%s: %s\n", findings.items[i].cause, findings.items[i].line);
    printf("%s: %s\n", argv[1], verdict_name(verdict));
    campaign_close(&campaign);
    findings_free(&findings);
    return ran && verdict == VERDICT_AGREE ? 0 : 1;
}
