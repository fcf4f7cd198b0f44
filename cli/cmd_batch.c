/* warpcheck batch: the batch interface of implementations that have one. */
#include "check/batch.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/campaign.h"
#include "warpcheck/bytes.h"

#include <stdio.h>

static int check(struct campaign *campaign, const struct option_list *impls, const char *out)
{
    static const struct stage *const stages[] = {&stage_batches};
    int status = STATUS_USAGE;
    interrupt_catch();
    if (campaign_open(campaign, "spec", impls->items, impls->count, out)) {
        if (!stage_batches.wanted(campaign)) {
            usage_error(&command_batch, "%s answers cases alone: a plugin with batches exports %s (warpcheck/batch.h)",
                        impls->items[0], WARP_PLUGIN_BATCH_SYMBOL);
        } else {
            campaign_run(campaign, stages, 1);
            status = campaign_finish(campaign, "batch");
        }
    }
    campaign_close(campaign);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct campaign campaign = {.seed = 1, .trial = UINT64_MAX};
    struct option_list impls = {{NULL}, 0};
    const char *only = "all", *out = NULL;
    const struct option table[] = {
        {"impl", OPTION_LIST, &impls, "NAME", "implementation to check, may be repeated (default: fast)"},
        {"only", OPTION_TEXT, &only, "FAMILY", "one family of instructions: shfl, vote, match.sync..."},
        {"seed", OPTION_NUMBER, &campaign.seed, "S", "of the batches (default: 1)"},
        {"trial", OPTION_NUMBER, &campaign.trial, "N", "one batch alone, as a finding names it"},
        {"out", OPTION_TEXT, &out, "DIR", "where findings go (default: ./crashes)"},
        {"json", OPTION_FLAG, &campaign.json, NULL, "print the report as JSON"},
    };
    int operands = options_parse(&command_batch, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_batch, "unexpected '%s' (an implementation is named with --impl)", argv[1]);
    campaign.families = ask_families(only, NULL);
    if (!campaign.families)
        return ask_unknown_instruction(&command_batch, only);
    campaign.one_trial = campaign.trial != UINT64_MAX;
    if (campaign.one_trial && campaign.trial >= BATCH_TRIALS)
        return usage_error(&command_batch, "--trial takes 0 to %u", BATCH_TRIALS - 1);
    if ((campaign.json && !out_available(&command_batch)) || (out && !campaign_folder(out)))
        return STATUS_USAGE;
    if (impls.count == 0)
        impls.items[impls.count++] = "fast";
    return check(&campaign, &impls, out ? out : "crashes");
}

const struct command command_batch = {
    .name = "batch",
    .summary = "the batch interface: many warps in arrays, in many layouts",
    .help = "usage: warpcheck batch [--impl NAME]... [--trial N] [OPTION...]\n"
            "\n"
            "Asks for batches (warpcheck/batch.h) and compares each warp with what spec answers to it as a case:\n"
            "sizes from none to more than the caches hold, operands left out, one a warp, one a lane, at all\n"
            "strides, every set of wanted results. Arrays lie at pages that nobody may touch, results between\n"
            "words that must stay as they are. A finding names its batch, which --trial asks again.\n"
            "\n"
            "  warpcheck batch                                    the variant of fast for this machine\n"
            "  warpcheck batch --impl ./mine.so                   a plugin that exports warpcheck_batch_eval\n"
            "  warpcheck batch --impl fast-avx2 --trial 1234      one batch again\n",
    .run = run_main};
