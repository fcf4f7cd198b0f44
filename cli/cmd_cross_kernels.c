/* warpcheck cross kernels: generated kernels over the executor, and over a device, an assembler, a process or a
 * recording. */
#include "base/interrupt.h"
#include "base/process.h"
#include "cli/kernels/cross.h"
#include "cli/ui/options.h"
#include "fuzz/kernels/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a recording ---- */

static int cross_recording(const char *path)
{
    struct kernel_recording r;
    uint64_t counts[RECORDING_CHANGED + 1] = {0};
    struct error error = {0};
    bool ok = kernel_recording_load(path, &r, &error);
    for (size_t n = 0; ok && n < r.count && !interrupted(); n++) {
        enum kernel_recording_replayed replayed;
        ok = kernel_recording_replay(&r, &r.lines[n], &replayed) || error_set(&error, ERROR_SYSTEM, "out of memory");
        if (!ok)
            break;
        counts[replayed]++;
        if (replayed == RECORDING_COMPILER || replayed == RECORDING_DIFFERS)
            printf("%s: kernel %" PRIu64 ": the device left other memory than the executor leaves at %s levels\n",
                   replayed == RECORDING_COMPILER ? "COMPILER" : "DIFFERENT", r.lines[n].number,
                   replayed == RECORDING_COMPILER ? "some" : "all");
    }
    if (ok && interrupted())
        ok = error_set(&error, ERROR_INTERRUPTED, "interrupted");
    const uint64_t agree = counts[RECORDING_AGREES], differ = counts[RECORDING_DIFFERS],
                   compiler = counts[RECORDING_COMPILER], changed = counts[RECORDING_CHANGED];
    if (ok)
        printf("%s: %s kernels leave what the device left at all levels, %s do not; %s leave what one level left and "
               "another did not; not compared, because the generator writes other kernels now: %s\n",
               shown(r.device), number_text(agree), number_text(differ), number_text(compiler), number_text(changed));
    kernel_recording_free(&r);
    if (!ok) {
        complain("warpcheck cross kernels: %s", error.text);
        return error_status(&error);
    }
    const bool is_little = changed * 20 > agree + differ + compiler + changed;
    if (is_little)
        printf("more than one in 20 was not compared: this is no agreement\n");
    return differ == 0 && agree > 0 && !is_little ? STATUS_AGREE : STATUS_MISMATCH;
}

/* ---- the command ---- */

/* What is wrong with the options; STATUS_AGREE: nothing. */
static int check(struct kernel_campaign *c, const char *target, const char *size, const char *levels)
{
    const struct warp_target_info *info = warp_target_find(target);
    if (info == NULL)
        return usage_error(&command_cross_kernels, "no target '%s'; for example sm_70, sm_90, sm_100a", shown(target));
    c->suite.target = info->target;
    if (!make_size_find(size, &c->suite.size))
        return usage_error(&command_cross_kernels, "--size %s: give tiny, small, mixed, large or wide", shown(size));
    if (levels && !peer_set_levels(&c->peer, levels))
        return usage_error(&command_cross_kernels,
                           "--levels %s: give the levels of gpu (0 to 4) or ptxas (0 to 3), the least first, as 0,1,4",
                           shown(levels));
    const char *const plant = getenv("WARPCHECK_GPU_PLANT");
    if (plant && !make_plant_is_known(plant))
        return usage_error(&command_cross_kernels,
                           "WARPCHECK_GPU_PLANT=%s: give TEXT=OTHER or a name of docs/kernel-suite.md, as @drop-turn",
                           shown(plant));
    if (c->record && plant)
        return usage_error(&command_cross_kernels, "--record keeps no answers while a defect is planted "
                                                   "(WARPCHECK_GPU_PLANT)");
    if (c->count - 1 > UINT64_MAX - c->first)
        return usage_error(&command_cross_kernels, "--first and --count: there are no more than 2^64 kernels");
    if (c->record && c->peer.program)
        return usage_error(&command_cross_kernels, "--record keeps what a device left: %s is none", c->peer.name);
    return STATUS_AGREE;
}

static int cross_kernels_main(int argc, char **argv)
{
    static struct kernel_campaign c = {
        .suite = {.seed = 1}, .count = 1000, .module = KERNEL_CAMPAIGN_MODULE, .out = "findings", .time = 120};
    const char *target = "sm_90", *size = "mixed", *levels = NULL;
    c.jobs = process_processors();
    const struct option table[] = {
        {OPT_COUNT_KERNELS, &c.count, NULL, false},      {OPT_FIRST_KERNEL, &c.first, NULL, false},
        {OPT_SECONDS_KERNELS, &c.seconds, "0", false},   {OPT_SEED, &c.suite.seed, NULL, false},
        {OPT_TARGET_SM, &target, NULL, false},           {OPT_SIZE, &size, NULL, false},
        {OPT_LEVELS, &levels, "0,4; ptxas: 0,3", false}, {OPT_JOBS, &c.jobs, "as many as processors", false},
        {OPT_MODULE_KERNELS, &c.module, NULL, false},    {OPT_OUT, &c.out, NULL, false},
        {OPT_RECORD_KERNELS, &c.record, NULL, false},    {OPT_TIME_REDUCE, &c.time, NULL, false},
    };
    int operands = options_parse(&command_cross_kernels, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 1)
        return usage_error(&command_cross_kernels,
                           "needs one other side: gpu, ptxas, pipe:COMMAND, FILE.so, or a recording");
    interrupt_catch();
    struct impl_name name;
    struct error error;
    const bool recorded = !impl_name_parse(argv[1], &name, NULL) || name.kind == IMPL_RECORDING;
    if (!recorded && !peer_find(argv[1], &c.peer, &error))
        return usage_error(&command_cross_kernels, "%s", error.text);
    const int status = check(&c, target, size, recorded ? NULL : levels);
    if (status != STATUS_AGREE)
        return status;
    return recorded ? cross_recording(argv[1]) : cross_kernels(&c, "cross kernels", false);
}

const struct command command_cross_kernels = {
    .name = "cross kernels",
    .summary = "generated kernels: the executor against a GPU, ptxas or yours",
    .help = "usage: warpcheck cross kernels gpu|ptxas|pipe:COMMAND|FILE.so|RECORDING [OPTION...]\n"
            "\n"
            "Draws kernels that are defined (docs/kernel-suite.md), executes each, and has it executed by the first\n"
            "CUDA device, compiled by the driver at levels 0 and 4: memory must be the same bit for bit. `ptxas` only\n"
            "compiles (at 0 and 3; WARPCHECK_PTXAS names another): crashes, hangs and refusals count. pipe:COMMAND\n"
            "asks a process of yours, FILE.so a plugin (warpcheck/kernel.h). A recording (--record) is compared "
            "without a device. What differs is reduced,\n"
            "named with who is wrong, and kept; a cause that is known already is counted.\n"
            "Exit status 0: all agree; 1: some differ, or nothing was compared; 2: no device, or wrong usage.\n"
            "\n"
            "  warpcheck cross kernels gpu --count 1000000 --seconds 480\n"
            "  warpcheck cross kernels ptxas --target sm_100a --levels 0,1,2,3\n",
    .run = cross_kernels_main};
