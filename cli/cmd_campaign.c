/* warpcheck run, cross, exhaust, batch: campaigns with other stages. */
#include "base/file.h"
#include "base/interrupt.h"
#include "check/batch.h"
#include "check/impl/impl.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"
#include "cli/work/load.h"
#include "cli/work/stages.h"
#include "fuzz/campaign/stage.h"
#include "gpu/recording.h"
#include "warpcheck/bytes.h"
#include "warpcheck_fast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- recordings, for the campaign --- */

static size_t count_recorded(const struct warp_impl *device)
{
    return recording_count(recording_of(device));
}

static void get_recorded(const struct warp_impl *device, size_t index, struct warp_case *c)
{
    recording_get(recording_of(device), index, c, NULL);
}

static const struct recording_reader recordings = {recording_open, count_recorded, get_recorded};

/* --- what the four share --- */

#define OPTIONS_OF_FILTER(filter)                                                                                      \
    {OPT_CUDA_ONLY, &(filter).cuda_only, NULL, false}, {OPT_DONE_ONLY, &(filter).done_only, NULL, false},              \
    {                                                                                                                  \
        OPT_FULL_ONLY, &(filter).full_only, NULL, false                                                                \
    }

/* A campaign as the command line asks for it. */
struct request {
    const struct command *command;
    struct campaign campaign;
    struct findings findings;
    struct option_list impls;
    const char *reference, *out;
    const char *html; /* NULL: no page */
    const struct stage *const *stages;
    size_t stages_count;
    const struct campaign_view *view;
    char corpus[4096], crashes[4096], program[4096];
};

/* Fills in warpcheck's own folders where the command line names none. */
static void default_folders(struct request *r, bool crashes)
{
    struct campaign *campaign = &r->campaign;
    if (!campaign->corpus && load_default_folder("corpus", r->corpus, sizeof r->corpus))
        campaign->corpus = r->corpus;
    if (crashes && !campaign->crashes && load_default_folder("crashes", r->crashes, sizeof r->crashes))
        campaign->crashes = r->crashes;
}

/* Checks, before anything is opened, that results can be printed and findings written. */
static int check_request(struct request *r)
{
    struct error error;
    if (r->out && !campaign_folder(r->out, &error))
        return usage_error(r->command, "%s", error.text);
    r->campaign.view = r->campaign.json ? &view_quiet : r->view;
    r->campaign.recordings_by = &recordings;
    r->campaign.out = r->out ? r->out : "findings";
    load_program(r->program, sizeof r->program);
    r->campaign.program = r->program;
    r->campaign.findings = &r->findings;
    return STATUS_AGREE;
}

static void add_impl(struct option_list *impls, const char *name)
{
    for (size_t i = 0; i < impls->count; i++)
        if (strcmp(impls->items[i], name) == 0)
            return;
    if (impls->count < OPTION_LIST_MAX)
        impls->items[impls->count++] = name;
}

/*
 * `fast` and every other variant of it that this machine has; what it lacks is named in the report. The variant that
 * `fast` stands for here has the same description.
 */
static void add_every_fast(struct campaign *campaign, struct option_list *impls)
{
    struct impl_entry entry;
    const char *const best = impl_variant_name("fast");
    campaign->every_fast = true;
    add_impl(impls, "fast");
    for (size_t i = 0; impl_list(i, &entry); i++) {
        if (entry.kind != IMPL_FAST || strcmp(entry.name, "fast") == 0)
            continue;
        if (!entry.available)
            campaign_lacks(campaign, "%s: UNAVAILABLE: %s", entry.name, entry.why);
        else if (strcmp(entry.name, best) == 0)
            campaign_note(campaign, "fast is %s on this machine", entry.name);
        else
            add_impl(impls, entry.name);
    }
}

/* In place of FILE.so, which has several implementations, FILE.so:NAME of each. False: it has one, too many to ask at
 * once, or cannot say. */
static bool add_every_offer(struct option_list *impls, const struct impl_name *name)
{
    static char names[SUBJECTS_MAX][IMPL_FULL_MAX];
    static size_t used;
    size_t count = 0;
    struct impl_offer *const offers = impl_list_plugin(name->path, &count, NULL);
    const bool several = offers != NULL && count > 1 && count <= SUBJECTS_MAX - used;
    for (size_t i = 0; several && i < count; i++, used++) {
        snprintf(names[used], sizeof names[used], "%s:%s", name->path, offers[i].name);
        add_impl(impls, names[used]);
    }
    free(offers);
    return several;
}

/* In place of each "fast-all", and of each plugin with several implementations, what it stands for; `otherwise` when
 * there is no name. */
static void settle_impls(struct campaign *campaign, struct option_list *impls, const char *otherwise)
{
    const struct option_list asked = *impls;
    impls->count = 0;
    for (size_t i = 0; i < asked.count || (i == 0 && asked.count == 0); i++) {
        const char *const text = asked.count > 0 ? asked.items[i] : otherwise;
        struct impl_name name;
        if (!impl_name_parse(text, &name, NULL)) {
            add_impl(impls, text);
        } else if (name.kind == IMPL_FAST_ALL) {
            add_every_fast(campaign, impls);
        } else if (name.kind != IMPL_PLUGIN || name.inner[0] != '\0' || !add_every_offer(impls, &name)) {
            ask_tell_first(text); /* they are more than can be asked at once */
            add_impl(impls, text);
        }
    }
}

/* Is the command's only stage impossible for everything that was asked for? */
static bool is_pointless(const struct request *r)
{
    struct error why;
    return r->stages_count == 1 && r->stages[0]->wanted && !r->stages[0]->wanted(&r->campaign, &why);
}

/* Does one stand on both sides? */
static bool has_itself(const struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *const subject = &campaign->subjects[i];
        if (impl_is_same(subject->option, subject->impl, campaign->reference_option, campaign->opened))
            return true;
    }
    return false;
}

static int perform(struct request *r, const char *heading)
{
    struct campaign *campaign = &r->campaign;
    struct error error;
    int status;
    interrupt_catch();
    ask_tell_first(r->reference);
    if (filter_is_set(&campaign->filter) && r->stages_count > 1)
        campaign_note(campaign,
                      "asked only cases that pass the options: %s%s%s; batches and engines, which choose "
                      "their cases themselves, were left out",
                      campaign->filter.cuda_only ? "--cuda-only " : "",
                      campaign->filter.done_only ? "--done-only " : "",
                      campaign->filter.full_only ? "--full-only" : "");
    if (!findings_init(&r->findings, campaign->seed, campaign->json ? NULL : &findings_shown))
        return usage_error(r->command, "out of memory");
    if (!campaign_open(campaign, r->reference, r->impls.items, r->impls.count, &error)) {
        status = usage_error(r->command, "%s", error.text);
    } else if (r->stages[0] != &stage_batches && has_itself(campaign)) {
        status = usage_error(r->command, "%s would be compared with itself, which says nothing: name another",
                             shown(r->reference));
    } else if (is_pointless(r)) {
        status = usage_error(r->command, "%s answers cases alone: a plugin with batches exports %s (warpcheck/batch.h)",
                             r->impls.items[0], WARP_PLUGIN_BATCH_SYMBOL);
    } else {
        if (!campaign->json)
            printf("%s", heading);
#ifdef WARPCHECK_COMMAND_FUZZ
        for (size_t i = 0; i < r->stages_count; i++)
            if (r->stages[i] == &stage_fuzz)
                stage_fuzz_begin(campaign);
#endif
        campaign_run(campaign, r->stages, r->stages_count);
        status = report_print(campaign, r->command->name);
        if (r->html && !report_page(campaign, r->command->name, r->html, &error))
            status = usage_error(r->command, "--html: %s", error.text);
    }
    campaign_close(campaign);
    findings_free(&r->findings);
    return status;
}

/* --- run --- */

#ifndef WARPCHECK_COMMAND_FUZZ
static bool run_no_engine(struct campaign *campaign, struct error *error)
{
    (void)campaign;
    return error_set(error, ERROR_UNAVAILABLE, "built without the fuzz targets (Debian: clang)");
}
static const struct stage stage_no_engine = {
    .name = "fuzz", .what = "some seconds of libFuzzer", .run = run_no_engine, .kind = KINDS};
#endif

/* Files first: they are few, and show most mistakes at once. */
static const struct stage *const run_stages[] = {&stage_replay, &stage_enumerate, &stage_recorded,
                                                 &stage_random, &stage_batches,
#ifdef WARPCHECK_COMMAND_FUZZ
                                                 &stage_fuzz,
#else
                                                 &stage_no_engine,
#endif
                                                 &stage_prove};

static int run_main(int argc, char **argv)
{
    static struct request r;
    struct campaign *campaign = &r.campaign;
    char heading[200];
    bool no_proofs = false;
    r = (struct request){.command = &command_run,
                         .campaign = {.seed = 1, .seconds = 20.0, .families = WARP_FAMILY_ALL},
                         .reference = "spec",
                         .stages = run_stages,
                         .stages_count = sizeof run_stages / sizeof run_stages[0],
                         .view = &view_stages};
    const struct option table[] = {
        {OPT_IMPL, &r.impls, "fast-all", true},
        {OPT_REFERENCE, &r.reference, NULL, false},
        {OPT_ONLY, &campaign->families, NULL, false},
        {OPT_SECONDS, &campaign->seconds, NULL, false},
        {OPT_CASES, &campaign->cases, NULL, false},
        {OPT_SEED, &campaign->seed, NULL, false},
        OPTIONS_OF_FILTER(campaign->filter),
        {OPT_CORPUS, &campaign->corpus, "warpcheck's own", false},
        {OPT_CRASHES, &campaign->crashes, "warpcheck's own", false},
        {OPT_OUT, &r.out, "./findings", false},
        {OPT_HTML, &r.html, NULL, false},
        {OPT_NO_PROOFS, &no_proofs, NULL, false},
        {OPT_JSON, &campaign->json, NULL, false},
    };
    int operands = options_parse(&command_run, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_run, "unexpected '%s' (an implementation is named with --impl)", argv[1]);
    campaign->proofs = r.impls.count == 0 && !no_proofs && campaign->families == WARP_FAMILY_ALL;
    if (check_request(&r) != STATUS_AGREE)
        return STATUS_USAGE;
    default_folders(&r, true);
    settle_impls(campaign, &r.impls, "fast-all");
    snprintf(heading, sizeof heading, "warpcheck: %zu implementation%s against %.60s, seed %llu\n\n", r.impls.count,
             r.impls.count == 1 ? "" : "s", shown(r.reference), (unsigned long long)campaign->seed);
    return perform(&r, heading);
}

const struct command command_run = {
    .name = "run",
    .summary = "everything: enumerations, corpus, recordings, random cases, batches, libFuzzer, proofs; one table",
    .help = "usage: warpcheck run [--impl NAME]... [OPTION...]\n"
            "\n"
            "Checks implementations against the transcription of the PTX manual: complete enumerations, the\n"
            "case files of the corpus, what GPUs answered earlier, random cases, batches of what has a batch\n"
            "interface (warpcheck batch), and libFuzzer for some seconds, whose target is built meanwhile where\n"
            "clang is installed; without --impl also the proofs (warpcheck prove).\n"
            "Takes about a minute and a half. Ends with a table of instructions and kinds of check. A mismatch is\n"
            "reduced to the smallest case that still shows it, printed as one line and as a drawing, and kept\n"
            "with the command that replays it.\n"
            "\n"
            "The last line is the verdict, and names each stage that did not run to its end. Exit status 0 needs\n"
            "every stage that this build has, and at least one compared case of every implementation.\n"
            "\n"
            "An implementation is built in (warpcheck list implementations), or yours: FILE.so or FILE.so:NAME (a\n"
            "plugin), 'pipe:COMMAND' (a process that reads cases and writes answers), FILE.rec (a recording).\n"
            "\n"
            "  warpcheck run                          the built-in implementations, and the proofs\n"
            "  warpcheck run --impl ./mine.so         yours\n"
            "  warpcheck run --impl 'pipe:./mine'     yours, in any language\n",
    .run = run_main};

/* --- cross --- */

static const struct stage *const cross_stages[] = {&stage_replay, &stage_enumerate, &stage_recorded, &stage_random};

static int cross_main(int argc, char **argv)
{
    static struct request r;
    struct campaign *campaign = &r.campaign;
    char heading[300];
    r = (struct request){.command = &command_cross,
                         .campaign = {.seed = 1, .seconds = 10.0, .families = WARP_FAMILY_ALL},
                         .stages = cross_stages,
                         .stages_count = sizeof cross_stages / sizeof cross_stages[0],
                         .view = &view_stages};
    const struct option table[] = {
        {OPT_ONLY, &campaign->families, NULL, false}, {OPT_SECONDS, &campaign->seconds, NULL, false},
        {OPT_CASES, &campaign->cases, NULL, false},   {OPT_SEED, &campaign->seed, NULL, false},
        OPTIONS_OF_FILTER(campaign->filter),          {OPT_CORPUS, &campaign->corpus, "warpcheck's own", false},
        {OPT_OUT, &r.out, "./findings", false},       {OPT_HTML, &r.html, NULL, false},
        {OPT_JSON, &campaign->json, NULL, false},
    };
    int operands = options_parse(&command_cross, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 2)
        return usage_error(&command_cross,
                           "needs two implementations: warpcheck cross A B (warpcheck list implementations)");
    if (check_request(&r) != STATUS_AGREE)
        return STATUS_USAGE;
    default_folders(&r, false);
    r.reference = argv[1];
    r.impls.items[r.impls.count++] = argv[2];
    ask_tell_first(argv[2]);
    snprintf(heading, sizeof heading, "warpcheck: %.100s against %.100s, seed %llu\n\n", shown(argv[2]), shown(argv[1]),
             (unsigned long long)campaign->seed);
    return perform(&r, heading);
}

static const struct command *const cross_subcommands[] = {&command_cross_kernels, NULL};

const struct command command_cross = {
    .name = "cross",
    .summary = "any two implementations over enumerations, corpus, recordings and random cases",
    .help = "usage: warpcheck cross A B [OPTION...]\n"
            "\n"
            "Compares what A and B both answer; A is the reference. Names as for `run --impl`.\n"
            "\n"
            "  warpcheck cross spec gpu\n"
            "  warpcheck cross fast-portable ./mine.so:shuffle --only shfl\n",
    .subcommands = cross_subcommands,
    .run = cross_main};

/* --- exhaust --- */

/* Each word names an enumeration, or a family of instructions. */
static bool take_word(struct campaign *campaign, struct option_list *names, const char *word)
{
    const struct enumeration *enumeration;
    const uint32_t families = option_families(word, NULL);
    campaign->families |= families;
    for (size_t i = 0; !families && (enumeration = enumeration_get(i)); i++)
        if (strcmp(word, enumeration->name) == 0 && names->count < OPTION_LIST_MAX) {
            names->items[names->count++] = word;
            return true;
        }
    return families != 0;
}

static int exhaust_main(int argc, char **argv)
{
    static const struct stage *const stages[] = {&stage_enumerate};
    static struct request r;
    struct option_list names = {{NULL}, 0};
    char heading[200];
    r = (struct request){.command = &command_exhaust,
                         .reference = "spec",
                         .stages = stages,
                         .stages_count = 1,
                         .view = &view_enumerations};
    const struct option table[] = {
        {OPT_IMPL, &r.impls, "fast", true},        {OPT_REFERENCE, &r.reference, NULL, false},
        OPTIONS_OF_FILTER(r.campaign.filter),      {OPT_OUT, &r.out, "./findings", false},
        {OPT_JSON, &r.campaign.json, NULL, false},
    };
    int operands = options_parse(&command_exhaust, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    for (int i = 1; i <= operands; i++)
        if (!take_word(&r.campaign, &names, argv[i]))
            return usage_error(&command_exhaust, "no enumeration or family '%s' (warpcheck list enumerations)",
                               argv[i]);
    if (operands == 0)
        r.campaign.families = WARP_FAMILY_ALL;
    r.campaign.enumerations = names.items;
    r.campaign.enumerations_count = names.count;
    if (check_request(&r) != STATUS_AGREE)
        return STATUS_USAGE;
    settle_impls(&r.campaign, &r.impls, "fast");
    snprintf(heading, sizeof heading, "%s%-22s %13s %10s %-13s%s\n", paint(PAINT_BOLD), "enumeration", "cases", "",
             "points", paint(PAINT_PLAIN));
    return perform(&r, heading);
}

const struct command command_exhaust = {
    .name = "exhaust",
    .summary = "every case of the enumerations: complete spaces, and bounded ones of what is larger",
    .help = "usage: warpcheck exhaust [ENUMERATION|FAMILY...] [OPTION...]\n"
            "\n"
            "Goes through every case of the named enumerations (default: all; warpcheck list enumerations shows\n"
            "them). `shfl` takes every lane, b, clamp and segment mask in all four modes: 2^22 points.\n"
            "\n"
            "  warpcheck exhaust shfl --impl ./mine.so\n",
    .run = exhaust_main};

/* --- batch --- */

static int batch_main(int argc, char **argv)
{
    static const struct stage *const stages[] = {&stage_batches};
    static struct request r;
    struct campaign *campaign = &r.campaign;
    char heading[BATCH_TEXT_MAX + 64] = "", layout[BATCH_TEXT_MAX];
    r = (struct request){.command = &command_batch,
                         .campaign = {.seed = 1, .trial = UINT64_MAX, .families = WARP_FAMILY_ALL},
                         .reference = "spec",
                         .stages = stages,
                         .stages_count = 1};
    const struct option table[] = {
        {OPT_IMPL, &r.impls, "fast", true},       {OPT_ONLY, &campaign->families, NULL, false},
        {OPT_SEED, &campaign->seed, NULL, false}, {OPT_TRIAL, &campaign->trial, "", false},
        {OPT_OUT, &r.out, "./findings", false},   {OPT_JSON, &campaign->json, NULL, false},
    };
    int operands = options_parse(&command_batch, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_batch, "unexpected '%s' (an implementation is named with --impl)", argv[1]);
    campaign->one_trial = campaign->trial != UINT64_MAX;
    if (campaign->one_trial && campaign->trial >= BATCH_TRIALS)
        return usage_error(&command_batch, "--trial takes 0 to %u", BATCH_TRIALS - 1);
    r.view = campaign->one_trial ? &view_quiet : &view_stages;
    if (check_request(&r) != STATUS_AGREE)
        return STATUS_USAGE;
    settle_impls(campaign, &r.impls, "fast");
    if (campaign->one_trial) {
        batch_describe(campaign->seed, campaign->trial, layout);
        snprintf(heading, sizeof heading, "trial %llu: %s\n", (unsigned long long)campaign->trial, layout);
    }
    return perform(&r, heading);
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
    .run = batch_main};
