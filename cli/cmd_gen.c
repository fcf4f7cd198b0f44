/* warpcheck gen: cases for a pipe, one a line. */
#include "check/random.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/ask.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

/* The most cases that are tried for one that passes: a filter that nothing passes must end. A family has at most 17
 * forms. */
#define TRIES_MAX 2000000u

struct generator {
    uint32_t families;
    uint32_t form; /* WARP_FORMS: any */
    uint64_t count, seed;
    bool done_only, full_only, cuda_only, answers;
};

static bool uniform(const uint32_t values[WARP_LANES])
{
    for (size_t lane = 1; lane < WARP_LANES; lane++)
        if (values[lane] != values[0])
            return false;
    return true;
}

/* What CUDA's __shfl_*_sync(mask, value, lane, width) can express. */
static bool is_cuda_call(const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    if (c->dst != WARP_DST_D || (warp_form_is_sync(info) && !uniform(c->membermask)))
        return false;
    if (!warp_form_is_shfl(info))
        return true;
    for (unsigned width = 1; width <= 32; width *= 2)
        if (uniform(c->c) && c->c[0] == warp_width_c(info->op, width))
            return true;
    return false;
}

static bool passes(const struct generator *generator, const struct warp_case *c, struct warp_result *result)
{
    if (generator->form != WARP_FORMS && c->form != generator->form)
        return false;
    if (generator->full_only && (c->active != UINT32_MAX || c->exited != 0))
        return false;
    if (generator->cuda_only && !is_cuda_call(c))
        return false;
    char why[8];
    if (ask_case(spec_get(), c, result, why, sizeof why) != ANSWER_GIVEN)
        return false;
    if (generator->full_only && result->done != UINT32_MAX)
        return false;
    return !generator->done_only || result->done == c->active;
}

static void print_case(const struct generator *generator, const struct warp_case *c, const struct warp_result *result)
{
    char text[WARP_TEXT_MAX];
    warp_case_to_text(c, text, sizeof text);
    fputs(text, stdout);
    if (generator->answers) {
        warp_result_to_text(result, WARP_PART_ALL, text, sizeof text);
        printf(" => %s", text);
    }
    fputc('\n', stdout);
}

static int generate(const struct generator *generator)
{
    struct warp_case c;
    struct warp_result result;
    uint64_t printed = 0;
    uint64_t last = 0;
    for (uint64_t index = 0; printed < generator->count && !ferror(stdout); index++) {
        if (index - last > TRIES_MAX)
            return usage_error(&command_gen, "only %llu cases passed the filters; %u more in a row did not",
                               (unsigned long long)printed, TRIES_MAX);
        random_case(generator->seed, index, generator->families, &c);
        if (!passes(generator, &c, &result))
            continue;
        print_case(generator, &c, &result);
        printed++;
        last = index;
    }
    return STATUS_AGREE;
}

static int run_main(int argc, char **argv)
{
    struct generator generator = {.families = WARP_FAMILY_ALL, .form = WARP_FORMS, .count = 1000, .seed = 1};
    const struct option table[] = {
        {OPT_COUNT, &generator.count, NULL, false},         {OPT_SEED, &generator.seed, NULL, false},
        {OPT_DONE_ONLY, &generator.done_only, NULL, false}, {OPT_FULL_ONLY, &generator.full_only, NULL, false},
        {OPT_CUDA_ONLY, &generator.cuda_only, NULL, false}, {OPT_ANSWERS, &generator.answers, NULL, false},
    };
    int operands = options_parse(&command_gen, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 1)
        return usage_error(&command_gen, "takes one family or instruction, not %d", operands);
    if (operands == 1)
        generator.families = ask_families(argv[1], &generator.form);
    if (!generator.families)
        return ask_unknown_instruction(&command_gen, argv[1]);
    return generate(&generator);
}

const struct command command_gen = {
    .name = "gen",
    .summary = "print cases, one a line, for a program at the other end of a pipe",
    .help = "usage: warpcheck gen [FAMILY|INSTRUCTION] [OPTION...]\n"
            "\n"
            "Prints random cases (docs/formats.md). The program that reads them prints each line again with\n"
            "` => ` and its result behind it, and `warpcheck verify` judges.\n"
            "\n"
            "  warpcheck gen shfl --count 100000 --done-only | ./mine | warpcheck verify\n",
    .run = run_main};
