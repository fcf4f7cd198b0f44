/* warpcheck reduce: shrinks a case on which two implementations differ. */
#include "check/case_file.h"
#include "check/reduce.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reduction {
    struct reduce_pair pair;
    const char *reference, *impl; /* as asked for */
    const char *out;
    uint64_t limit;
};

static int keep(const struct reduction *reduction, const struct finding *f)
{
    char path[4096];
    char command[12288];
    char error[1200];
    bool existed = false;
    struct error wrong;
    if (!campaign_folder(reduction->out, &wrong))
        return usage_error(&command_reduce, "%s", wrong.text);
    if (!finding_write(f, reduction->out, path, sizeof path, &existed, error, sizeof error))
        return usage_error(&command_reduce, "%s", error);
    char *absolute = realpath(path, NULL);
    findings_replay_command(reduction->reference, reduction->impl, absolute ? absolute : path, command, sizeof command);
    free(absolute);
    printf("\n%s %s\nreplay: %s\n", existed ? "known as" : "written:", path, command);
    return STATUS_MISMATCH;
}

static int reduce_one(const struct reduction *reduction, const struct warp_case *from)
{
    struct reduce_pair pair = reduction->pair;
    struct reduce_stats stats = {0, 0};
    struct warp_case c = *from;
    struct finding f;
    struct warp_result result;
    char why[512];
    if (ask_case(pair.observed, &c, &result, why, sizeof why) == ANSWER_FAILED) {
        printf("%s does not answer this case: %s; only a mismatch can be reduced\n", pair.observed->name, why);
        return STATUS_MISMATCH;
    }
    if (!reduce_pair_differs(&pair, &c)) {
        printf("no mismatch: %s and %s agree on this case (or one does not accept it); nothing to reduce\n",
               pair.observed->name, pair.reference->name);
        return STATUS_AGREE;
    }
    reduce_mismatch(&c, pair.reference, pair.observed, reduction->limit, &stats);
    if (!finding_make(&f, pair.reference, pair.observed, &c))
        return usage_error(&command_reduce, "%s is not deterministic: the reduced case does not differ again",
                           pair.observed->name);
    printf("reduced in %s steps, of which %s made it simpler\n\n", number_text(stats.tried), number_text(stats.kept));
    finding_print(&f, false);
    return reduction->out ? keep(reduction, &f) : STATUS_MISMATCH;
}

static int reduce_file(const struct reduction *reduction, const struct load_rules *rules, const char *path)
{
    struct case_file file;
    struct error error;
    int status = STATUS_AGREE;
    if (!case_file_load(path, rules, &file, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < file.count; i++) {
        int one = reduce_one(reduction, &file.texts[i].c);
        status = one > status ? one : status;
    }
    case_file_free(&file);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct reduction reduction = {.reference = "spec", .impl = "fast", .limit = 100000};
    struct load_rules rules = {0};
    int status = STATUS_USAGE;
    const struct option table[] = {
        {OPT_IMPL, &reduction.impl, NULL, false},    {OPT_REFERENCE, &reduction.reference, NULL, false},
        {OPT_OUT, &reduction.out, "nowhere", false}, {OPT_LIMIT_STEPS, &reduction.limit, NULL, false},
        {OPT_BYTES, &rules.bytes, NULL, false},
    };
    int operands = options_parse(&command_reduce, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 1)
        return usage_error(&command_reduce, "needs one case file, or - for standard input");
    reduction.pair.reference = ask_open_guarded(&command_reduce, reduction.reference);
    reduction.pair.observed = reduction.pair.reference ? ask_open_guarded(&command_reduce, reduction.impl) : NULL;
    if (reduction.pair.observed)
        status = reduce_file(&reduction, &rules, argv[1]);
    registry_close(reduction.pair.observed);
    registry_close(reduction.pair.reference);
    return status;
}

const struct command command_reduce = {
    .name = "reduce",
    .summary = "shrink a mismatch to the fewest lanes and the simplest operands",
    .help = "usage: warpcheck reduce FILE --impl NAME [OPTION...]\n"
            "\n"
            "Makes the case simpler as long as the two implementations still differ: fewer active lanes, simpler\n"
            "masks and operands. Exit status 1: the reduced mismatch was printed; 0: there is no mismatch.\n"
            "\n"
            "  warpcheck reduce big.txt --impl ./mine.so --out crashes\n",
    .run = run_main};
