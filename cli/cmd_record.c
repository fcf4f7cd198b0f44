/* warpcheck record: asks a GPU and keeps its answers; or lets the GPU check itself, many cases at a time. */
#include "cli/record/record.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "warpcheck/bytes.h"

#include <stdio.h>

struct record_options {
    bool throughput, stored, describe, compare;
    const char *pack, *reference;
    uint32_t families;
    uint64_t seed, cases, lanes;
};

static int with_device(const struct record_options *o, const char *path)
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
        status = record_throughput(gpu, reference, o->families, o->seed, o->lanes);
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
        .families = WARP_FAMILY_ALL, .reference = "spec", .seed = 1, .cases = 26000, .lanes = UINT64_C(10000000000)};
    const struct option table[] = {
        {OPT_CASES_ABOUT, &o.cases, NULL, false},     {OPT_SEED, &o.seed, NULL, false},
        {OPT_STORED, &o.stored, NULL, false},         {OPT_PACK, &o.pack, NULL, false},
        {OPT_DESCRIBE, &o.describe, NULL, false},     {OPT_COMPARE, &o.compare, NULL, false},
        {OPT_THROUGHPUT, &o.throughput, NULL, false}, {OPT_LANES, &o.lanes, "10^10", false},
        {OPT_ONLY, &o.families, NULL, false},         {OPT_REFERENCE, &o.reference, NULL, false},
    };
    int operands = options_parse(&command_record, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != (o.throughput || o.compare ? 0 : 1))
        return usage_error(&command_record, o.throughput || o.compare ? "--throughput and --compare take no file"
                                                                      : "needs one file: warpcheck record FILE.rec");
    if (o.describe)
        return record_describe(argv[1]);
    if (o.pack != NULL)
        return record_pack(o.pack, argv[1]);
    return with_device(&o, argv[1]);
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
