/* warpcheck reduce: shrinks a case on which two implementations differ. */
#include "base/interrupt.h"
#include "check/case_file.h"
#include "check/checker.h"
#include "check/reduce.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"
#include "cli/work/load.h"
#include "cli/work/relatives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct finding_pair pair;
    const char *reference, *impl; /* as asked for */
    const char *out;
    uint64_t limit;
};

static int keep(const struct request *request, const struct finding *f)
{
    char path[FILE_PATH_MAX], program[FILE_PATH_MAX], command[12288];
    struct finding_kept kept;
    struct error error;
    if (!finding_keep(f, request->out, finding_pair_shows, (void *)(uintptr_t)&request->pair, &kept, &error))
        return usage_error(&command_reduce, "%s", error.text);
    load_program(program, sizeof program);
    finding_replay_command(program, request->reference, request->impl, file_absolute(kept.path, path), command,
                           sizeof command);
    printf("\n%s %s\nreplay: %s\n", kept.existed ? "known as" : "written:", shown(kept.path), shown(command));
    return STATUS_MISMATCH;
}

/* Of a file's cases, `begun` were. */
static int tell_interrupt(size_t begun, size_t count, bool printed)
{
    if (begun == 0)
        printf("INTERRUPTED: nothing was reduced\n");
    else
        printf("%sINTERRUPTED: the last case was not reduced%s, and %s further cases were not reduced\n",
               printed ? "\n" : "",
               printed ? " to its end; what is printed of it is the simplest so far" : ": nothing is known of it",
               number_text(count - begun));
    return STATUS_MISMATCH;
}

/* They agree on the case, or one of them gave no answer, so that nothing was compared. Both are asked once more. */
static int nothing_to_reduce(const struct finding_pair *pair, const struct warp_case *c)
{
    const struct warp_impl *const asked[] = {pair->reference, pair->observed};
    struct warp_result results[2];
    char why[512];
    for (size_t i = 0; i < 2; i++) {
        const enum answer answer = ask_case(asked[i], c, &results[i], why, sizeof why);
        if (answer == ANSWER_GIVEN)
            continue;
        if (answer == ANSWER_FAILED)
            printf("FAILED: %s does not answer this case again: %s\n", shown(asked[i]->name), shown(why));
        else
            printf("nothing was compared: %s does not accept this case: %s\n", shown(asked[i]->name), shown(why));
        return STATUS_MISMATCH;
    }
    checker_complete(pair->reference, c, 1, &results[0]);
    const uint32_t parts = pair->reference->provides & pair->observed->provides;
    if (!warp_result_compare(c, &results[0], &results[1], parts, NULL)) {
        printf("FAILED: %s and %s agreed on this case, and asked again they do not\n", shown(pair->observed->name),
               shown(pair->reference->name));
        return STATUS_MISMATCH;
    }
    if (warp_result_compared(c, &results[0], &results[1], parts) == 0) {
        printf("NOTHING COMPARED: no lane of this case has a result that both give\n");
        return STATUS_MISMATCH;
    }
    printf("no mismatch: %s and %s agree on this case; nothing to reduce\n", shown(pair->observed->name),
           shown(pair->reference->name));
    return STATUS_AGREE;
}

/* `bytes`: it came as an engine's input, whose relatives a target asks too. *printed: a reduced case was. */
static int reduce_one(const struct request *request, const struct warp_case *from, bool bytes, bool *printed)
{
    struct finding_pair pair = request->pair;
    struct reduction stats = {.limit = request->limit};
    struct warp_case c = *from;
    struct finding f;
    struct warp_result result;
    char why[512];
    if (ask_case(pair.observed, &c, &result, why, sizeof why) == ANSWER_FAILED && !interrupted()) {
        printf("%s does not answer this case: %s; only a mismatch can be reduced\n", shown(pair.observed->name),
               shown(why));
        return STATUS_MISMATCH;
    }
    const bool differs = reduce_pair_differs(&pair, &c);
    const int relative = bytes && !differs ? relative_that_differs(pair.reference, pair.observed, from, &c) : -1;
    if (relative >= 0)
        printf("they agree on this case; number %d of its relatives, which a target asks with it, is wrong\n",
               relative);
    if (!differs && relative < 0)
        return interrupted() ? STATUS_MISMATCH : nothing_to_reduce(&pair, &c);
    const bool made = reduce_finding(&f, &c, pair.reference, pair.observed, &stats);
    if (!made && interrupted())
        return STATUS_MISMATCH;
    if (!made)
        return usage_error(&command_reduce, "%s is not deterministic: the reduced case does not differ again",
                           pair.observed->name);
    printf("reduced in %s steps, of which %s made it simpler\n\n", number_text(stats.tried), number_text(stats.kept));
    finding_print(&f, false);
    *printed = true;
    f.more = interrupted() ? "not reduced to its end: warpcheck was interrupted\n" : NULL;
    return request->out ? keep(request, &f) : STATUS_MISMATCH;
}

static int reduce_file(const struct request *request, const struct load_rules *rules, const char *path)
{
    struct case_file file;
    struct error error;
    int status = STATUS_AGREE;
    size_t begun = 0;
    bool printed = false;
    if (!case_file_load(path, rules, &file, &error)) {
        complain("%s", error.text);
        return error_status(&error);
    }
    for (; begun < file.count && !interrupted(); begun++) {
        printed = false;
        int one = reduce_one(request, &file.texts[begun].c, file.from_bytes, &printed);
        status = one > status ? one : status;
    }
    if (interrupted() && status != STATUS_USAGE)
        status = tell_interrupt(begun, file.count, printed);
    case_file_free(&file);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct request request = {.reference = "spec", .impl = "fast", .limit = 100000};
    struct load_rules rules = {0};
    int status;
    const struct option table[] = {
        {OPT_IMPL, &request.impl, NULL, false},    {OPT_REFERENCE, &request.reference, NULL, false},
        {OPT_OUT, &request.out, "nowhere", false}, {OPT_LIMIT_STEPS, &request.limit, NULL, false},
        {OPT_BYTES, &rules.bytes, NULL, false},
    };
    int operands = options_parse(&command_reduce, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 1)
        return usage_error(&command_reduce, "needs one case file, or - for standard input");
    interrupt_catch();
    request.pair.reference = ask_open_guarded(&command_reduce, request.reference);
    request.pair.observed = request.pair.reference ? ask_open_guarded(&command_reduce, request.impl) : NULL;
    request.pair.observed =
        ask_other(&command_reduce, request.impl, request.pair.observed, request.reference, request.pair.reference);
    if (request.pair.observed)
        status = reduce_file(&request, &rules, argv[1]);
    else
        status = interrupted() ? STATUS_MISMATCH : STATUS_USAGE;
    registry_close(request.pair.observed);
    registry_close(request.pair.reference);
    return status;
}

const struct command command_reduce = {
    .name = "reduce",
    .summary = "shrink a mismatch to the fewest lanes and the simplest operands",
    .help = "usage: warpcheck reduce FILE --impl NAME [OPTION...]\n"
            "\n"
            "Makes the case simpler as long as the two implementations still differ: fewer active lanes, simpler\n"
            "masks and operands. Exit status 1: the reduced mismatch was printed, after Ctrl-C the simplest so\n"
            "far (INTERRUPTED); 0: there is no mismatch.\n"
            "\n"
            "  warpcheck reduce big.txt --impl ./mine.so --out crashes\n",
    .run = run_main};
