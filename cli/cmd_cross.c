/* warpcheck cross A B: any two implementations. */
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/campaign.h"

#include <stdio.h>

static const struct stage *const stages[] = {&stage_enumerate, &stage_replay, &stage_recorded, &stage_random};

static int cross(struct campaign *campaign, char **names, const char *out)
{
    const char *observed = names[2];
    int status = STATUS_USAGE;
    interrupt_catch();
    if (campaign_open(campaign, names[1], &observed, 1, out)) {
        if (!campaign->json)
            printf("warpcheck: %s against %s, seed %llu\n\n", names[2], names[1], (unsigned long long)campaign->seed);
        campaign_run(campaign, stages, sizeof stages / sizeof stages[0]);
        status = campaign_finish(campaign, "cross");
    }
    campaign_close(campaign);
    return status;
}

static int run_main(int argc, char **argv)
{
    static char corpus_path[4096];
    struct campaign campaign = {.seed = 1, .seconds = 10.0};
    const char *out = NULL;
    const char *only = "all";
    const struct option table[] = {
        {"only", OPTION_TEXT, &only, "FAMILY", "one family of instructions: shfl, vote, match.sync..."},
        {"seconds", OPTION_SECONDS, &campaign.seconds, "N", "length of the random stage (default: 10)"},
        {"seed", OPTION_NUMBER, &campaign.seed, "S", "of the random cases (default: 1)"},
        {"cases", OPTION_COUNT, &campaign.cases, "N", "random cases, instead of a time: repeats exactly"},
        {"corpus", OPTION_TEXT, &campaign.corpus, "DIR", "case files and recordings (default: warpcheck's own)"},
        {"out", OPTION_TEXT, &out, "DIR", "where reproducers of mismatches go (default: ./crashes)"},
        {"json", OPTION_FLAG, &campaign.json, NULL, "print the report as JSON"},
    };
    int operands = options_parse(&command_cross, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 2)
        return usage_error(&command_cross,
                           "needs two implementations: warpcheck cross A B (warpcheck list implementations)");
    campaign.families = ask_families(only, NULL);
    if (!campaign.families)
        return ask_unknown_instruction(&command_cross, only);
    if ((campaign.json && !out_available(&command_cross)) || (out && !campaign_folder(out)))
        return STATUS_USAGE;
    if (!campaign.corpus && load_default_folder("corpus", corpus_path, sizeof corpus_path))
        campaign.corpus = corpus_path;
    return cross(&campaign, argv, out ? out : "crashes");
}

const struct command command_cross = {
    .name = "cross",
    .summary = "any two implementations over enumerations, corpus, recordings and random cases",
    .help = "usage: warpcheck cross A B [OPTION...]\n"
            "\n"
            "Compares what A and B both answer; A is the reference. Names as for `run --impl`.\n"
            "\n"
            "  warpcheck cross spec gpu\n"
            "  warpcheck cross fast-portable ./mine.so:shuffle --only shfl\n",
    .run = run_main};
