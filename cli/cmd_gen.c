/* warpcheck gen: cases for a pipe, one a line. */
#include "check/filter.h"
#include "check/random.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

struct generator {
    uint32_t families;
    uint32_t form; /* WARP_FORMS: any */
    uint64_t count, seed;
    struct case_filter filter;
    bool answers;
};

/* A case is printed with one write into the buffer of standard output: nothing is formatted piece by piece. */
static int print_case(const struct generator *generator, const struct warp_case *c)
{
    static char text[2 * WARP_TEXT_MAX];
    struct warp_result result;
    char why[256];
    size_t size = warp_case_to_text(c, text, WARP_TEXT_MAX);
    if (generator->answers) {
        if (ask_case(spec_get(), c, &result, why, sizeof why) != ANSWER_GIVEN)
            return usage_error(&command_gen, "spec does not answer: %s", why);
        memcpy(text + size, " => ", 4);
        size += 4 + warp_result_to_text(&result, WARP_PART_ALL, text + size + 4, WARP_TEXT_MAX);
    }
    text[size] = '\n';
    fwrite(text, 1, size + 1, stdout);
    return STATUS_AGREE;
}

/* An index that draws another form than the one asked for is passed over. */
static int generate(const struct generator *generator)
{
    struct warp_case c;
    int status = STATUS_AGREE;
    uint64_t printed = 0;
    for (uint64_t index = 0; printed < generator->count && status == STATUS_AGREE && !ferror(stdout); index++) {
        random_case(generator->seed, index, generator->families, &c);
        if (generator->form != WARP_FORMS && c.form != generator->form)
            continue;
        filter_fit(&generator->filter, &c);
        status = print_case(generator, &c);
        printed++;
    }
    return status;
}

static int run_main(int argc, char **argv)
{
    struct generator generator = {.families = WARP_FAMILY_ALL, .form = WARP_FORMS, .count = 1000, .seed = 1};
    const struct option table[] = {
        {OPT_COUNT, &generator.count, NULL, false},
        {OPT_SEED, &generator.seed, NULL, false},
        {OPT_DONE_ONLY, &generator.filter.done_only, NULL, false},
        {OPT_FULL_ONLY, &generator.filter.full_only, NULL, false},
        {OPT_CUDA_ONLY, &generator.filter.cuda_only, NULL, false},
        {OPT_ANSWERS, &generator.answers, NULL, false},
    };
    int operands = options_parse(&command_gen, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 1)
        return usage_error(&command_gen, "takes one family or instruction, not %d", operands);
    if (operands == 1)
        generator.families = option_families(argv[1], &generator.form);
    if (!generator.families)
        return option_unknown_instruction(&command_gen, argv[1]);
    return generate(&generator);
}

#ifdef WARPCHECK_COMMAND_GEN_KERNEL
static const struct command *const subcommands[] = {&command_gen_kernel, NULL};
#else
static const struct command *const subcommands[] = {NULL};
#endif

const struct command command_gen = {
    .name = "gen",
    .summary = "print cases, one a line, for a program at the other end of a pipe",
    .help = "usage: warpcheck gen [FAMILY|INSTRUCTION] [OPTION...]\n"
            "\n"
            "Prints random cases (docs/formats.md). The program that reads them prints each line again with\n"
            "` => ` and its result behind it, and `warpcheck verify` judges.\n"
            "\n"
            "  warpcheck gen shfl --count 100000 --done-only | ./mine | warpcheck verify\n",
    .subcommands = subcommands,
    .run = run_main};
