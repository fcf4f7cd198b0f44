/* warpcheck gen kernel: a suite of kernels with the memory that each must leave, for whoever executes PTX. */
#include "base/buffer.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "cli/ui/options.h"
#include "kernel/make/make.h"
#include "warpcheck_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHUNK ((size_t)8 << 20) /* bytes of memory that are kept before they are written */

struct suite {
    struct make_suite of;
    uint64_t count;
    const char *folder;
    char kernels[FILE_PATH_MAX], memory[FILE_PATH_MAX];
    struct buffer manifest, pending; /* pending: what is not yet in the file of memory */
    uint64_t offset;
    uint64_t verdicts[MAKE_VERDICTS];
    uint64_t written;
    struct make_coverage coverage;
};

static bool flush(struct suite *s, struct error *error)
{
    bool ok = s->pending.size == 0 || file_append(s->memory, s->pending.data, s->pending.size, error);
    buffer_free(&s->pending);
    return ok;
}

static bool write_kernel(struct suite *s, const struct made *m, struct error *error)
{
    const struct make_kernel *k = &m->kernel;
    char file[MAKE_NAME_MAX + 8], path[FILE_PATH_MAX];
    snprintf(file, sizeof file, "%s.ptx", m->name);
    if (!file_join(s->kernels, file, path, error) || !file_write(path, m->text.data, m->text.size, error))
        return false;
    buffer_format(&s->manifest,
                  "kernel %s kernels/%s block %" PRIu32 " grid %" PRIu32 " n %" PRIu32 " bytes %" PRIu32
                  " offset %" PRIu64 "\n",
                  m->name, file, k->block, k->grid, k->n, m->size, s->offset);
    buffer_add(&s->pending, m->before, m->size);
    buffer_add(&s->pending, m->after, m->size);
    s->offset += UINT64_C(2) * m->size;
    s->written++;
    if (s->pending.failed || s->manifest.failed)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    return s->pending.size < CHUNK || flush(s, error);
}

/* Draws one, executes it, and writes it when it is clean. */
static bool add_kernel(struct suite *s, uint64_t number, struct error *error)
{
    static struct made m;
    struct make_kernel k;
    make_draw(&s->of, number, &k);
    bool ok = made_set(&m, &k, spec_get()) || error_set(error, ERROR_SYSTEM, "out of memory");
    s->verdicts[ok ? m.answer.verdict : MAKE_UNREAD]++;
    if (ok && m.answer.verdict == MAKE_CLEAN) {
        for (unsigned n = 0; n < m.features_count; n++)
            make_coverage_add(&s->coverage, &m.features[n]);
        ok = write_kernel(s, &m, error);
    }
    made_free(&m);
    return ok;
}

/* The manifest is written last: a folder that has one is whole. */
static bool write_suite(struct suite *s, struct error *error)
{
    char manifest[FILE_PATH_MAX];
    if (!file_join(s->folder, "manifest.txt", manifest, error) ||
        !file_join(s->folder, "memory.bin", s->memory, error) || !file_join(s->folder, "kernels", s->kernels, error) ||
        !folder_make(s->kernels, error))
        return false;
    if (file_exists(manifest) || file_exists(s->memory))
        return error_set(error, ERROR_USAGE, "%s holds a suite already: name another folder", s->folder);
    buffer_format(&s->manifest,
                  "# warpcheck kernel suite 1: seed %" PRIu64 ", target %s, size %s (docs/kernel-suite.md)\n",
                  s->of.seed, warp_target_name(s->of.target), make_size_name(s->of.size));
    bool ok = true;
    for (uint64_t n = 0; ok && s->written < s->count && !interrupted(); n++)
        ok = add_kernel(s, n, error);
    if (ok && interrupted())
        return error_set(error, ERROR_INTERRUPTED, "interrupted: %s is not whole", s->folder);
    return ok && flush(s, error) && file_write(manifest, s->manifest.data, s->manifest.size, error);
}

static void print_summary(const struct suite *s)
{
    unsigned seen, possible = make_coverage_count(&s->coverage, &seen);
    uint64_t refused = 0;
    for (unsigned n = MAKE_CLEAN + 1; n < MAKE_VERDICTS; n++)
        refused += s->verdicts[n];
    printf("%s: %" PRIu64 " kernels for %s; %u of %u pairs of features\n", s->folder, s->written,
           warp_target_name(s->of.target), seen, possible);
    printf("left out: %" PRIu64 " that the executor does not call clean", refused);
    for (unsigned n = MAKE_CLEAN + 1; n < MAKE_VERDICTS; n++)
        if (s->verdicts[n] > 0)
            printf(" (%s: %" PRIu64 ")", make_verdict_name((enum make_verdict)n), s->verdicts[n]);
    printf("\n");
}

static int gen_kernel_main(int argc, char **argv)
{
    static struct suite s = {.of = {.seed = 1, .size = MAKE_LARGE}, .count = 1000};
    const char *target = "sm_90", *size = make_size_name(MAKE_LARGE);
    struct error error = {0};
    const struct option table[] = {
        {OPT_COUNT_KERNELS, &s.count, NULL, false},
        {OPT_SEED, &s.of.seed, NULL, false},
        {OPT_OUT_SUITE, &s.folder, NULL, false},
        {OPT_TARGET_SM, &target, NULL, false},
        {OPT_SIZE, &size, NULL, false},
    };
    int operands = options_parse(&command_gen_kernel, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_gen_kernel, "takes no operand: the folder is --out DIR");
    if (s.folder == NULL)
        return usage_error(&command_gen_kernel, "needs --out DIR, a folder for the suite");
    if (warp_target_find(target) == NULL)
        return usage_error(&command_gen_kernel, "no target '%s'; for example sm_60, sm_90, sm_100a", shown(target));
    if (!make_size_find(size, &s.of.size))
        return usage_error(&command_gen_kernel, "--size %s: give tiny, small, mixed, large or wide", shown(size));
    s.of.target = warp_target_find(target)->target;
    make_coverage_start(&s.coverage, s.of.target);
    interrupt_catch();
    bool ok = write_suite(&s, &error);
    buffer_free(&s.manifest);
    buffer_free(&s.pending);
    if (!ok) {
        complain("warpcheck gen kernel: %s", error.text);
        if (s.written > 0 && error.code != ERROR_INTERRUPTED)
            complain("warpcheck gen kernel: %s is not whole, and has no manifest.txt: remove it", shown(s.folder));
        return error_status(&error);
    }
    print_summary(&s);
    return STATUS_AGREE;
}

const struct command command_gen_kernel = {
    .name = "gen kernel",
    .summary = "write random kernels with the memory that each must leave",
    .help = "usage: warpcheck gen kernel --out DIR [OPTION...]\n"
            "\n"
            "Writes a suite for emulators, translators and compilers of PTX: kernels full of warp instructions, each\n"
            "with its launch, its input and the memory that it must leave (docs/kernel-suite.md). The executor has\n"
            "run each and found it defined; examples/kernel-suite/run.c runs a suite over your program.\n"
            "\n"
            "  warpcheck gen kernel --count 10000 --seed 7 --out suite\n",
    .run = gen_kernel_main};
