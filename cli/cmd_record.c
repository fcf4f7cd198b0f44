/* warpcheck record: asks a GPU and keeps its answers; or lets the GPU check itself, many cases at a time. */
#include "cli/record/record.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"

#include <stdio.h>

struct record_options {
    bool throughput, stored, describe, compare;
    const char *pack, *only, *reference;
    uint64_t seed, cases, lanes;
};

static int with_device(const struct record_options *o, uint32_t families, const char *path)
{
    char why[400];
    const struct warp_impl *gpu = gpu_get(why, sizeof why);
    const struct warp_impl *reference;
    int status;
    if (gpu == NULL) {
        fprintf(stderr, "warpcheck record: the GPU is UNAVAILABLE: %s\n", why);
        return STATUS_USAGE;
    }
    reference = ask_open(&command_record, o->reference);
    if (reference == NULL)
        return STATUS_USAGE;
    if (o->throughput)
        status = record_throughput(gpu, reference, families, o->seed, o->lanes);
    else if (o->compare)
        status = record_compare(gpu, reference, o->seed, o->cases);
    else
        status = record_file(gpu, path, o->seed, o->cases, o->stored);
    gpu->close(gpu->state);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct record_options o = {
        .only = "all", .reference = "spec", .seed = 1, .cases = 26000, .lanes = UINT64_C(10000000000)};
    const struct option table[] = {
        {"cases", OPTION_NUMBER, &o.cases, "N", "about as many cases (default: 26000)"},
        {"seed", OPTION_NUMBER, &o.seed, "S", "of the random cases (default: 1)"},
        {"stored", OPTION_FLAG, &o.stored, NULL, "do not compress (where zlib is missing); --pack does it later"},
        {"pack", OPTION_TEXT, &o.pack, "FROM", "no device: write the recording FROM compressed to FILE"},
        {"describe", OPTION_FLAG, &o.describe, NULL, "no device: tell what FILE holds"},
        {"compare", OPTION_FLAG, &o.compare, NULL, "no file: enumerations and random cases, counted by form"},
        {"throughput", OPTION_FLAG, &o.throughput, NULL, "no file: the device makes and checks its own cases"},
        {"lanes", OPTION_NUMBER, &o.lanes, "N", "with --throughput: lane results of each form (default: 10^10)"},
        {"only", OPTION_TEXT, &o.only, "FAMILY", "with --throughput: one family of instructions"},
        {"reference", OPTION_TEXT, &o.reference, "NAME",
         "with --throughput and --compare: whom to believe (default: spec)"},
    };
    int operands = options_parse(&command_record, table, sizeof table / sizeof table[0], argc, argv);
    uint32_t families;
    if (operands < 0)
        return options_status(operands);
    if (operands != (o.throughput || o.compare ? 0 : 1))
        return usage_error(&command_record, o.throughput || o.compare ? "--throughput and --compare take no file"
                                                                      : "needs one file: warpcheck record FILE.rec");
    families = ask_families(o.only, NULL);
    if (families == 0)
        return ask_unknown_instruction(&command_record, o.only);
    if (o.describe)
        return record_describe(argv[1]);
    if (o.pack != NULL)
        return record_pack(o.pack, argv[1]);
    return with_device(&o, families, argv[1]);
}

const struct command command_record = {
    .name = "record",
    .summary = "ask a GPU and keep its answers; or let it check itself at full speed",
    .help = "usage: warpcheck record FILE.rec [OPTION...]\n"
            "       warpcheck record --throughput [--lanes N] [--only FAMILY]\n"
            "       warpcheck record --describe FILE.rec\n"
            "       warpcheck record --pack FROM.rec FILE.rec\n"
            "\n"
            "Asks the first CUDA device about cases of every form that it runs: sampled enumerations, random\n"
            "cases, and cases with groups, exited lanes and divergence. Only cases in which every active lane is\n"
            "done go to the device.\n"
            "`warpcheck run` replays the recordings in corpus/recordings/.\n"
            "\n"
            "  warpcheck record corpus/recordings/mine.rec\n"
            "  warpcheck record --throughput --only redux.sync\n",
    .run = run_main};
