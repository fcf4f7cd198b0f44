/* warpcheck replay: runs cases again and says whether the implementations agree. */
#include "base/file.h"
#include "base/interrupt.h"
#include "check/finding.h"
#include "check/impl/impl.h"
#include "cli/fuzz/inputs.h"
#include "cli/registry.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"
#include "cli/work/law.h"
#include "cli/work/load.h"
#include "cli/work/programs.h"
#include "cli/work/relatives.h"
#include "fuzz/kernels/finding.h"
#include "kernel/finding.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM_INPUTS 64u /* inputs for a program */
#define SHOWN_MAX      8u  /* of a file, that differ when all are asked in one call */
#define WHY_MAX        400u
#define UNANSWERED_MAX 3u /* relatives of an input: each may take the limit of a hang */

struct replay {
    const struct warp_impl *reference, *impl; /* impl NULL: it answers kernels alone */
    const char *impl_name;                    /* as it was given */
    struct load_rules rules;
    const struct law *law; /* of --law, else of the file that is replayed; NULL: compared */
    bool all, json, quiet;
    bool with_itself; /* `impl` is `reference`: only what a file expects says something of it */
    uint64_t cases, programs, kernels, mismatches, not_accepted, failed, unreadable;
    uint64_t empty;    /* cases of which nothing could be compared */
    uint64_t declined; /* relatives of an engine's inputs that were not accepted: a target passes over them */
};

static void print_json(const char *path, size_t line, const char *verdict, const struct finding *f, const char *why)
{
    out_begin_object(NULL);
    out_text("file", path);
    out_number("line", line);
    out_text("verdict", verdict);
    out_text("why", why);
    if (f) {
        out_text("reference", f->reference_name);
        out_text("observed", f->observed_name);
        out_case("case", &f->c);
        out_result("expected", &f->reference, f->parts);
        out_result("answer", &f->observed, f->parts);
    }
    out_end();
}

static void report(const struct replay *replay, const char *path, size_t line, const char *verdict,
                   const struct finding *f, const char *why)
{
    if (replay->json) {
        print_json(path, line, verdict, f, why);
        return;
    }
    printf("%s:%zu: %s%s%s\n", shown(path), line, verdict, why[0] ? ": " : "", shown(why));
    if (f && !replay->quiet) {
        finding_print(f, replay->all);
        printf("\n");
    }
}

enum asked { ANSWERED, NOT_ACCEPTED, NOT_ANSWERED };

/* Asks for one result; `why` gets the name and the reason where there is none. */
static enum asked ask(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *result,
                      char why[WHY_MAX])
{
    const int used = snprintf(why, WHY_MAX, "%.100s: ", impl->name);
    char *const reason = why + used;
    const size_t room = WHY_MAX - (size_t)used;
    snprintf(reason, room, "no reason given");
    memset(result, CHECKER_GARBAGE, sizeof *result);
    if (!warp_impl_accepts(impl, c, reason, room))
        return NOT_ACCEPTED;
    return impl->eval(impl->state, c, 1, result, reason, room) ? ANSWERED : NOT_ANSWERED;
}

/* The same. False, reported, when there is none. */
static bool replay_ask(struct replay *replay, const struct warp_impl *impl, const struct warp_case *c,
                       struct warp_result *result, const char *path, size_t line)
{
    char why[WHY_MAX];
    const enum asked asked = ask(impl, c, result, why);
    if (asked == ANSWERED)
        return true;
    if (interrupted())
        return false;
    *(asked == NOT_ANSWERED ? &replay->failed : &replay->not_accepted) += 1;
    report(replay, path, line, asked == NOT_ANSWERED ? "NO ANSWER" : "not accepted", NULL, why);
    return false;
}

/* Compares the two implementations on one case. True when both answered, something was compared, and they agree. */
static bool replay_pair(struct replay *replay, const struct warp_impl *reference, const struct warp_impl *observed,
                        const struct warp_case *c, const char *path, size_t line)
{
    struct warp_result expected, answered;
    struct finding f;
    char text[400];
    if (!replay_ask(replay, reference, c, &expected, path, line) ||
        !replay_ask(replay, observed, c, &answered, path, line))
        return false;
    snprintf(text, sizeof text, "%s against %s", observed->name, reference->name);
    const uint32_t parts = reference->provides & observed->provides;
    checker_complete(reference, c, 1, &expected);
    if (finding_compare(&f, reference, observed, c, &expected, &answered)) {
        replay->mismatches++;
        report(replay, path, line, "MISMATCH", &f, text);
        return false;
    }
    if (warp_result_compared(c, &expected, &answered, parts) == 0) {
        replay->empty++;
        report(replay, path, line, "NOTHING COMPARED", NULL, text);
        return false;
    }
    report(replay, path, line, "agree", NULL, text);
    return true;
}

/* Judges one law of one implementation. True when it holds. */
static bool replay_law(struct replay *replay, const struct warp_case *c, const char *path, size_t line)
{
    static const char *const verdicts[] = {"law holds", "LAW BROKEN", "not tried"};
    char why[512];
    const enum law_verdict verdict = law_judge(replay->law, replay->impl, c, why, sizeof why);
    replay->mismatches += verdict == LAW_BROKEN;
    replay->not_accepted += verdict == LAW_NOT_TRIED;
    report(replay, path, line, verdicts[verdict], NULL, why);
    return verdict == LAW_HOLDS;
}

/* Always false. */
static bool refuse_itself(struct replay *replay, const char *path, size_t line)
{
    char text[400];
    snprintf(text, sizeof text, "%s would be compared with itself: name another", replay->impl->name);
    replay->empty++;
    report(replay, path, line, "NOTHING COMPARED", NULL, text);
    return false;
}

static bool replay_text(struct replay *replay, const struct warp_text *text, const char *path, size_t line)
{
    replay->cases++;
    if (replay->law)
        return replay_law(replay, &text->c, path, line);
    if (text->has_result && !text_ends(path, "finding.txt")) {
        struct expected expected;
        replay_pair(replay, expected_init(&expected, text), replay->reference, &text->c, path, line);
    }
    if (replay->with_itself)
        return (text->has_result && !text_ends(path, "finding.txt")) || refuse_itself(replay, path, line);
    return replay_pair(replay, replay->reference, replay->impl, &text->c, path, line);
}

/* How many of the relatives of a case were wrong, had no answer, were not accepted by one of the two. */
struct relatives {
    unsigned asked, wrong, unanswered, declined;
};

static void report_relative(struct replay *replay, const char *verdict, const struct finding *f, const char *why,
                            unsigned k, const char *path, size_t line)
{
    char text[WHY_MAX + 80];
    snprintf(text, sizeof text, "%s, on number %u of the case's relatives", why, k);
    report(replay, path, line, verdict, f, text);
}

/* One relative: the first that is wrong, and the first without an answer, are shown. */
static void replay_relative(struct replay *replay, const struct warp_case *c, unsigned k, const char *path, size_t line,
                            struct relatives *r)
{
    const struct warp_impl *const both[] = {replay->reference, replay->impl};
    struct warp_result results[2];
    struct finding f;
    struct error error;
    char why[WHY_MAX];
    for (size_t i = 0; i < 2; i++) {
        const enum asked asked = ask(both[i], c, &results[i], why);
        if (asked == NOT_ACCEPTED)
            r->declined++;
        if (asked == NOT_ANSWERED && !interrupted() && r->unanswered++ == 0)
            report_relative(replay, "NO ANSWER", NULL, why, k, path, line);
        if (asked == NOT_ANSWERED && !impl_restart(both[i], &error))
            complain("%s", error.text);
        if (asked != ANSWERED)
            return;
    }
    if (!finding_compare(&f, replay->reference, replay->impl, c, &results[0], &results[1]))
        return;
    snprintf(why, sizeof why, "%s against %s", replay->impl->name, replay->reference->name);
    if (r->wrong++ == 0)
        report_relative(replay, "MISMATCH", &f, why, k, path, line);
}

/* What a target asks with the case of an engine's input. It passes over what one of the two does not accept, the case
 * itself too. */
static void replay_relatives(struct replay *replay, const struct warp_case *base, const char *path, size_t line)
{
    struct warp_case c;
    struct relatives r = {0};
    struct error error;
    char text[400];
    if (impl_failure(replay->impl) != NULL && !impl_restart(replay->impl, &error))
        complain("%s", error.text);
    for (; !interrupted() && r.unanswered < UNANSWERED_MAX && relative_make(base, r.asked, &c); r.asked++)
        replay_relative(replay, &c, r.asked, path, line, &r);
    replay->cases += r.asked;
    replay->mismatches += r.wrong;
    replay->failed += r.unanswered;
    replay->declined += r.declined;
    snprintf(text, sizeof text, "%u of the %u relatives that a target asks with it", r.wrong, r.asked);
    if (r.wrong > 1)
        report(replay, path, line, "MISMATCH", NULL, text);
    snprintf(text, sizeof text, "%u of the case's relatives: the others are not asked any more", r.unanswered);
    if (r.unanswered == UNANSWERED_MAX)
        report(replay, path, line, "NO ANSWER", NULL, text);
    snprintf(text, sizeof text, "%u of the %u relatives that a target asks with it", r.declined, r.asked);
    if (r.declined > 0)
        report(replay, path, line, "not accepted", NULL, text);
}

/* The first case of a call that is wrong in it. Each was asked alone before. */
static void compare_call(struct replay *replay, const struct warp_case *cases, size_t n, struct warp_result *results,
                         const char *path, size_t line)
{
    struct finding f;
    struct error error;
    char text[400];
    if (n == 0 || !finding_ask(replay->reference, cases, n, results))
        return;
    if (!impl_restart(replay->impl, &error) || !finding_ask(replay->impl, cases, n, results + n)) {
        snprintf(text, sizeof text, "%s, of %zu cases that a target asks in one call", replay->impl->name, n);
        replay->failed += !interrupted();
        if (!interrupted())
            report(replay, path, line, "NO ANSWER", NULL, text);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (!finding_compare(&f, replay->reference, replay->impl, &cases[i], &results[i], &results[n + i]))
            continue;
        replay->mismatches++;
        snprintf(text, sizeof text, "%s against %s, on case %zu of the %zu that a target asks in one call",
                 replay->impl->name, replay->reference->name, i, n);
        report(replay, path, line, "MISMATCH", &f, text);
        return;
    }
}

/* The calls of several cases that a target makes of an input, where its cases were right one by one. */
static void replay_calls(struct replay *replay, const char *path, size_t line)
{
    struct warp_case *const cases = malloc(RELATIVE_CALL_MAX * sizeof *cases);
    struct warp_result *const results = malloc(2 * RELATIVE_CALL_MAX * sizeof *results);
    const uint64_t before = replay->mismatches + replay->failed;
    struct error error;
    size_t size = 0;
    char *const data = file_read(path, LOAD_FILE_MAX, &size, &error);
    const bool ready = data != NULL && cases != NULL && results != NULL;
    const struct relative_input input = {(const uint8_t *)data, size,
                                         replay->rules.families != 0 ? replay->rules.families : WARP_FAMILY_ALL};
    for (unsigned k = 0; ready && k < RELATIVE_CALLS && replay->mismatches + replay->failed == before && !interrupted();
         k++) {
        const size_t n = relative_call(replay->reference, replay->impl, &input, k, cases);
        compare_call(replay, cases, n, results, path, line);
    }
    free(data);
    free(results);
    free(cases);
}

/* A case from an engine's bytes, its relatives, and the calls that have several of them. */
static bool replay_input(struct replay *replay, const struct warp_text *text, const char *path, size_t line)
{
    const uint64_t declined = replay->declined, cases = replay->cases, not_accepted = replay->not_accepted;
    const bool agrees = replay_text(replay, text, path, line);
    const uint64_t wrong = replay->mismatches + replay->failed;
    replay_relatives(replay, &text->c, path, line);
    if (agrees && replay->mismatches + replay->failed == wrong && !interrupted())
        replay_calls(replay, path, line);
    if (replay->not_accepted == not_accepted || replay->declined - declined == replay->cases - cases - 1)
        return agrees;
    replay->declined += replay->not_accepted - not_accepted;
    replay->not_accepted = not_accepted;
    return agrees;
}

/* Reports the first cases that differ of those that were asked in one call, and agreed alone. */
static void report_together(struct replay *replay, const struct case_file *file, const struct warp_case *cases,
                            const struct warp_result *results, const bool *agreed, const char *path)
{
    struct finding f;
    char text[400];
    unsigned wrong = 0;
    snprintf(text, sizeof text, "%s against %s, when all cases of the file are asked in one call", replay->impl->name,
             replay->reference->name);
    for (size_t i = 0; i < file->count; i++) {
        if (!agreed[i] ||
            !finding_compare(&f, replay->reference, replay->impl, &cases[i], &results[i], &results[file->count + i]))
            continue;
        replay->mismatches++;
        if (wrong++ < SHOWN_MAX)
            report(replay, path, file->lines[i], "MISMATCH", &f, text);
    }
}

/* Asks for all cases of a file in one call of a fresh process: an implementation may keep state from one to the next
 * (finding_make_sequence). */
static void replay_together(struct replay *replay, const struct case_file *file, const bool *agreed, const char *path)
{
    struct warp_case *const cases = malloc(file->count * sizeof *cases);
    struct warp_result *const results = malloc(2 * file->count * sizeof *results);
    struct error error;
    for (size_t i = 0; cases != NULL && i < file->count; i++)
        cases[i] = file->texts[i].c;
    if (cases != NULL && results != NULL && impl_restart(replay->impl, &error) &&
        finding_ask(replay->reference, cases, file->count, results) &&
        finding_ask(replay->impl, cases, file->count, results + file->count))
        report_together(replay, file, cases, results, agreed, path);
    free(results);
    free(cases);
}

/* Finds the law that the finding beside the case is about; NULL: none. False when that cannot be told. */
static bool find_law(struct replay *replay, const char *path, const struct case_file *file, const struct law **law)
{
    struct error error;
    *law = law_of_case(path, file, &error);
    if (error.code == ERROR_NONE)
        return true;
    complain("%s: %s", path, error.text);
    replay->unreadable++;
    return false;
}

static void replay_file(struct replay *replay, const char *path)
{
    struct case_file file;
    struct error error;
    if (!case_file_load(path, &replay->rules, &file, &error)) {
        complain("%s", error.text);
        replay->unreadable += error.code != ERROR_INTERRUPTED;
        return;
    }
    const struct law *asked = replay->law;
    if (!asked && !find_law(replay, path, &file, &replay->law)) {
        case_file_free(&file);
        return;
    }
    bool *agreed = calloc(file.count, sizeof *agreed);
    if (text_ends(path, "/case.txt") && !impl_restart(replay->impl, &error)) /* what was asked before must not show */
        complain("%s", error.text);
    for (size_t i = 0; i < file.count && !interrupted(); i++) {
        const bool is_input = file.from_bytes && !replay->law && !replay->with_itself;
        bool agrees = (is_input ? replay_input : replay_text)(replay, &file.texts[i], path, file.lines[i]);
        if (agreed)
            agreed[i] = agrees;
    }
    if (agreed && !replay->law && !replay->with_itself && file.count > 1 && file.count <= FINDING_SEQUENCE_MAX &&
        !interrupted())
        replay_together(replay, &file, agreed, path);
    replay->law = asked;
    free(agreed);
    case_file_free(&file);
}

/* Why no implementation can be asked about a file that a campaign keeps: such a file is named, not passed over.
 * NULL for others. */
static const char *why_not_replayed(const char *path)
{
    if (text_ends(path, "/input"))
        return "an input that only its target can judge: the command that replays it is in finding.txt beside it";
    if (text_ends(path, "/note.txt"))
        return "a note of what did not show again when the same was asked: it has no case to replay";
    return NULL;
}

static void replay_program(struct replay *replay, const char *path)
{
    const struct against a = {replay->reference, replay->impl, 1, PROGRAM_INPUTS, replay->json};
    struct program *program = program_load(path);
    if (program && replay->with_itself) {
        refuse_itself(replay, path, 0);
    } else if (program) {
        const int status = against_run(&a, path, program);
        replay->programs++;
        replay->mismatches += status == STATUS_MISMATCH;
        replay->failed += status == STATUS_USAGE;
    } else {
        replay->unreadable++;
    }
    program_free(program);
}

/* Executes a kept kernel again: PATH is FOLDER/kernel.ptx. Of the two implementations it needs one: to answer the warp
 * instructions or, where whole kernels were compared, the kernel. */
static void replay_kernel(struct replay *replay, const char *path)
{
    static const char *const verdicts[] = {"ERROR", "clean", "NO VERDICT", "MISMATCH", "agree", "not accepted"};
    char folder[FILE_PATH_MAX];
    struct buffer words = {0}, drawn = {0};
    struct error error;
    enum kernel_replayed replayed;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    const bool compared = generated_is_kept(folder);
    if (!(compared ? generated_replay(folder, replay->impl_name, replay->impl, &replayed, &words, &error)
                   : kernel_finding_replay(folder, replay->impl, &replayed, &words, &drawn, &error))) {
        const bool failed = !compared && error.code == ERROR_DECLINED;
        complain(failed || compared ? "%s: %s" : "%.0s%s", path, error.text);
        *(failed ? &replay->failed : &replay->unreadable) += 1;
    } else {
        replay->kernels++;
        replay->mismatches += replayed == KERNEL_SHOWS_ERROR;
        replay->not_accepted += replayed == KERNEL_NO_VERDICT;
        report(replay, path, 1, verdicts[replayed + (compared ? 3 : 0)], NULL, buffer_string(&words));
        if (!replay->json && !replay->quiet)
            printf("%s", buffer_string(&drawn));
    }
    buffer_free(&drawn);
    buffer_free(&words);
}

static bool executes_kernels_alone(const char *impl)
{
    struct impl_name name;
    return impl_name_parse(impl, &name, NULL) && impl_name_answers(&name) == IMPL_KERNELS;
}

static void replay_below(struct replay *replay, const char *path)
{
    const char *why = why_not_replayed(path);
    if (text_ends(path, "/program.ptx")) {
        replay_program(replay, path);
    } else if (text_ends(path, "/kernel.ptx")) {
        replay_kernel(replay, path);
    } else if (why) {
        replay->not_accepted++;
        report(replay, path, 1, "not replayed", NULL, why);
    } else if (path_is_case(path)) {
        replay_file(replay, path);
    }
}

/* Of what answers kernels, and no single instructions. */
static void replay_kernel_alone(struct replay *replay, const char *path)
{
    char kernel[FILE_PATH_MAX];
    if (generated_is_kept(path) && file_join(path, "kernel.ptx", kernel, NULL)) {
        replay_kernel(replay, kernel);
        return;
    }
    complain("%s: no finding of generated kernels, and %s executes nothing else", path, replay->impl_name);
    replay->unreadable++;
}

/* Replays a file; of a folder its case.txt if it has one (a reproducer), its program.ptx, else every file that may
 * be a case. */
static void replay_path(struct replay *replay, const char *path)
{
    struct path_list list = {0};
    if (replay->impl == NULL) {
        replay_kernel_alone(replay, path);
        return;
    }
    struct stat status;
    struct error error;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (path_names_case(path)) {
        replay_file(replay, path);
    } else if (!path_list_find(&list, path, &error)) {
        complain("%s", error.text);
        replay->unreadable++;
    } else if (folder && list.count == 0) {
        complain("%s: an empty folder, no case in it", path);
        replay->unreadable++;
    }
    for (size_t i = 0; i < list.count && !interrupted(); i++)
        if (folder)
            replay_below(replay, list.paths[i]);
        else
            replay_file(replay, list.paths[i]);
    path_list_free(&list);
}

static int replay_status(const struct replay *replay)
{
    if (replay->unreadable)
        return STATUS_USAGE;
    return replay->mismatches || replay->failed || replay->cases + replay->programs + replay->kernels == 0 ||
                   replay->not_accepted || replay->empty || interrupted()
               ? STATUS_MISMATCH
               : STATUS_AGREE;
}

static int replay_all(struct replay *replay, char **paths, int count)
{
    if (replay->json) {
        out_start();
        out_begin_array("cases");
    }
    for (int i = 1; i <= count && !interrupted(); i++)
        replay_path(replay, paths[i]);
    if (!replay->json) {
        if (replay->programs)
            printf("%llu programs, ", (unsigned long long)replay->programs);
        if (replay->kernels)
            printf("%llu kernel launches, ", (unsigned long long)replay->kernels);
        printf("%llu cases, %llu mismatches, %llu not accepted, %llu without an answer, %llu unreadable files",
               (unsigned long long)replay->cases, (unsigned long long)replay->mismatches,
               (unsigned long long)replay->not_accepted, (unsigned long long)replay->failed,
               (unsigned long long)replay->unreadable);
        if (replay->empty)
            printf(", %llu of which nothing could be compared", (unsigned long long)replay->empty);
        if (replay->declined)
            printf(", %llu relatives not accepted", (unsigned long long)replay->declined);
        printf("\n");
        if (interrupted())
            printf("INTERRUPTED: the last of these may not have been asked to its end, and what follows was not\n");
        return replay_status(replay);
    }
    out_end();
    out_number("mismatches", replay->mismatches);
    out_number("not_accepted", replay->not_accepted);
    out_number("failed", replay->failed);
    out_number("nothing_compared", replay->empty);
    out_number("relatives_not_accepted", replay->declined);
    out_number("unreadable_files", replay->unreadable);
    out_bool("interrupted", interrupted());
    out_print();
    return replay_status(replay);
}

static int replay_inputs(const struct fuzz_inputs *inputs, char **paths, int count)
{
#ifdef WARPCHECK_COMMAND_FUZZ
    return fuzz_inputs(inputs, paths, count);
#else
    (void)paths, (void)count;
    return usage_error(inputs->command, "built without the fuzz targets: --target cannot be used");
#endif
}

static int run_main(int argc, char **argv)
{
    struct replay replay = {.rules.families = WARP_FAMILY_ALL};
    const char *reference = "spec";
    const char *impl = NULL;
    const char *law = NULL;
    struct fuzz_inputs inputs = {.command = &command_replay, .out = "findings"};
    int status;
    const struct option table[] = {
        {OPT_IMPL, &impl, "fast; with --target fast-all", false},
        {OPT_REFERENCE, &reference, NULL, false},
        {OPT_LAW, &law, "what a finding names", false},
        {OPT_ALL, &replay.all, NULL, false},
        {OPT_QUIET, &replay.quiet, NULL, false},
        {OPT_BYTES, &replay.rules.bytes, NULL, false},
        {OPT_TARGET_FAMILY, &replay.rules.families, NULL, false},
        {OPT_INPUTS_OF, &inputs.target, NULL, false},
        {OPT_OUT, &inputs.out, "./findings", false},
        {OPT_JSON, &replay.json, NULL, false},
    };
    int operands = options_parse(&command_replay, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands == 0)
        return usage_error(&command_replay, "needs a case file, a folder, or - for standard input");
    interrupt_catch();
    if (inputs.target) {
        inputs.impl = impl ? impl : "fast-all";
        return replay_inputs(&inputs, argv, operands);
    }
    struct error wrong;
    if (!impl)
        impl = "fast";
    if (law && !(replay.law = law_open(law, &wrong)))
        return usage_error(&command_replay, "%s", wrong.text);
    replay.impl_name = impl;
    replay.reference = ask_open_guarded(&command_replay, reference);
    const bool kernels_alone = executes_kernels_alone(impl);
    replay.impl = replay.reference && !kernels_alone ? ask_open_guarded(&command_replay, impl) : NULL;
    replay.with_itself = replay.impl && impl_is_same(impl, replay.impl, reference, replay.reference);
    if (replay.reference && (replay.impl || kernels_alone))
        status = replay_all(&replay, argv, operands);
    else
        status = interrupted() ? STATUS_MISMATCH : STATUS_USAGE;
    registry_close(replay.impl);
    registry_close(replay.reference);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .summary = "run a case again: do the implementations agree on it",
    .help = "usage: warpcheck replay FILE|FOLDER... [OPTION...]\n"
            "\n"
            "Runs the cases of readable files, one-line texts, byte files of a fuzzing engine (--bytes), or\n"
            "whole folders (findings/NAME). When a file holds an expected result the reference must give it too.\n"
            "Where the finding beside a case says that it breaks a law, that law is judged, of --impl alone.\n"
            "An input on which a fuzz target failed is looked at again with --target (all, a family as\n"
            "shfl_sync, laws, program): what it shows is reduced and kept below --out.\n"
            "A finding's program.ptx is executed over both (warpcheck program --against); its kernel.ptx, with\n"
            "the launch beside it, over --impl (warpcheck kernel); one that was generated, by --impl itself when\n"
            "that is gpu, pipe:COMMAND or a plugin of kernels (docs/kernel-suite.md).\n"
            "Exit status 0: all agree; 1: a mismatch, or a case that was not accepted or not answered, or of\n"
            "which nothing could be compared; 2: unreadable.\n"
            "\n"
            "  warpcheck replay findings/NAME --impl ./mine.so\n"
            "  warpcheck replay crash-da39a3ee5e6b4b0d --family shfl.sync\n",
    .run = run_main};
