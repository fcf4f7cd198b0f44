/* warpcheck run: the main job. */
#include "check/impl/impl.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/campaign.h"
#include "warpcheck/bytes.h"
#include "warpcheck_fast.h"

#include <stdio.h>
#include <string.h>

static const struct stage *const stages[] = {&stage_enumerate, &stage_replay,  &stage_recorded,
                                             &stage_random,    &stage_batches,
#ifdef WARPCHECK_COMMAND_FUZZ
                                             &stage_fuzz,
#endif
                                             &stage_prove};

/*
 * Without --impl: `fast` and every other variant of it that this machine has; what it lacks is named in the report. The
 * variant that `fast` stands for here has the same description.
 */
static void choose_builtin(struct campaign *campaign, struct option_list *impls)
{
    struct impl_entry entry;
    const char *best = fast_get()->description;
    impls->items[impls->count++] = "fast";
    for (size_t i = 0; impl_list(i, &entry); i++) {
        if (entry.kind != IMPL_FAST || strcmp(entry.name, "fast") == 0)
            continue;
        if (!entry.available)
            campaign_note(campaign, "%s: UNAVAILABLE: %s", entry.name, entry.why);
        else if (strcmp(entry.description, best) == 0)
            campaign_note(campaign, "fast is %s on this machine", entry.name);
        else if (impls->count < OPTION_LIST_MAX)
            impls->items[impls->count++] = entry.name;
    }
}

static int run(struct campaign *campaign, const char *reference, struct option_list *impls, const char *out)
{
    int status = STATUS_USAGE;
    if (impls->count == 0)
        choose_builtin(campaign, impls);
#ifndef WARPCHECK_COMMAND_FUZZ
    campaign_note(campaign, "fuzz: UNAVAILABLE: built without the fuzz targets (Debian: clang)");
#endif
    interrupt_catch();
    if (campaign_open(campaign, reference, impls->items, impls->count, out)) {
        if (!campaign->json)
            printf("warpcheck: %zu implementation%s against %s, seed %llu\n\n", campaign->count,
                   campaign->count == 1 ? "" : "s", reference, (unsigned long long)campaign->seed);
        campaign_run(campaign, stages, sizeof stages / sizeof stages[0]);
        status = campaign_finish(campaign, "run");
    }
    campaign_close(campaign);
    return status;
}

static int run_main(int argc, char **argv)
{
    static char corpus_path[4096];
    static char crashes_path[4096];
    struct campaign campaign = {.seed = 1, .seconds = 20.0};
    bool no_proofs = false;
    struct option_list impls = {{NULL}, 0};
    const char *reference = "spec";
    const char *out = NULL;
    const char *only = "all";
    const struct option table[] = {
        {"impl", OPTION_LIST, &impls, "NAME", "implementation to check, may be repeated (default: fast, all variants)"},
        {"reference", OPTION_TEXT, &reference, "NAME", "what it is checked against (default: spec)"},
        {"only", OPTION_TEXT, &only, "FAMILY", "one family of instructions: shfl, vote, match.sync..."},
        {"seconds", OPTION_SECONDS, &campaign.seconds, "N", "length of the random stage (default: 20)"},
        {"seed", OPTION_NUMBER, &campaign.seed, "S", "of the random cases (default: 1)"},
        {"cases", OPTION_COUNT, &campaign.cases, "N", "random cases, instead of a time: repeats exactly"},
        {"corpus", OPTION_TEXT, &campaign.corpus, "DIR", "case files and recordings (default: warpcheck's own)"},
        {"crashes", OPTION_TEXT, &campaign.crashes, "DIR", "known reproducers (default: warpcheck's own)"},
        {"out", OPTION_TEXT, &out, "DIR", "where reproducers of mismatches go (default: ./crashes)"},
        {"no-proofs", OPTION_FLAG, &no_proofs, NULL, "leave out the proofs (the last stage without --impl and --only)"},
        {"json", OPTION_FLAG, &campaign.json, NULL, "print the report as JSON"},
    };
    int operands = options_parse(&command_run, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_run, "unexpected '%s' (an implementation is named with --impl)", argv[1]);
    campaign.families = ask_families(only, NULL);
    campaign.proofs = impls.count == 0 && !no_proofs && campaign.families == WARP_FAMILY_ALL;
    if (!campaign.families)
        return ask_unknown_instruction(&command_run, only);
    if (campaign.json && !out_available(&command_run))
        return STATUS_USAGE;
    if (out && !campaign_folder(out))
        return STATUS_USAGE;
    if (!campaign.corpus && load_default_folder("corpus", corpus_path, sizeof corpus_path))
        campaign.corpus = corpus_path;
    if (!campaign.crashes && load_default_folder("crashes", crashes_path, sizeof crashes_path))
        campaign.crashes = crashes_path;
    return run(&campaign, reference, &impls, out ? out : "crashes");
}

const struct command command_run = {
    .name = "run",
    .summary = "everything: enumerate, replay the corpus and recordings, random cases, proofs; one table",
    .help = "usage: warpcheck run [--impl NAME]... [OPTION...]\n"
            "\n"
            "Checks implementations against the transcription of the PTX manual: complete enumerations, the\n"
            "case files of the corpus, what GPUs answered earlier, random cases, batches of what has a batch\n"
            "interface (warpcheck batch), and where warpcheck fuzz has built its targets, libFuzzer for some\n"
            "seconds; without --impl also the proofs (warpcheck prove).\n"
            "Takes about a minute and a half. Ends with a table of instructions and kinds of check. A mismatch is\n"
            "reduced to the smallest case that still shows it, printed as one line and as a drawing, and kept\n"
            "with the command that replays it.\n"
            "\n"
            "An implementation is built in (warpcheck list implementations), or yours: FILE.so or FILE.so:NAME (a\n"
            "plugin), 'pipe:COMMAND' (a process that reads cases and writes answers), FILE.rec (a recording).\n"
            "\n"
            "  warpcheck run                          the built-in implementations, and the proofs\n"
            "  warpcheck run --impl ./mine.so         yours\n"
            "  warpcheck run --impl 'pipe:./mine'     yours, in any language\n",
    .run = run_main};
