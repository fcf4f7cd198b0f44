/*
 * `warpcheck prove bitcode`: a user's C function, as LLVM bitcode, against the compiled transcription.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "base/file.h"
#include "base/text.h"
#include "cli/prove/session.h"
#include "base/clock.h"
#include "cli/prove/judge.h"
#include "cli/prove/own.h"

#include "cli/registry.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/work/ask.h"
#include "cli/work/findings.h"
#include "cli/work/load.h"
#include "base/pool.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORD_MAX   4200u
#define TURNS_MANY 1000u

struct session {
    const struct judge_request *r;
    uint32_t forms[WARP_FORMS];
    struct judge_result *judged;
    bool *has;
    struct compiled_turns *turns; /* shared with the processes that work; NULL: no memory for it */
    size_t count;
    struct proving proving;
    const struct warp_case *c; /* --case: this case alone */
};

static void work(void *context, size_t i, void *result)
{
    const struct session *s = context;
    compiled_watch_turns(s->turns != NULL ? &s->turns[i] : NULL);
    judge_form(s->r, s->forms[i], result);
}

static void work_case(void *context, size_t i, void *result)
{
    const struct session *s = context;
    compiled_watch_turns(s->turns != NULL ? &s->turns[i] : NULL);
    judge_one_case(s->r, &s->c[i], result);
}

static void tick(void *context)
{
    struct session *s = context;
    proving_show(&s->proving, s->r->function);
}

/* --limit stopped it: this is an answer, not bad input. A loop is suspected where it was in one for longer than any
 * over lanes or bits takes. */
static void stopped(const struct session *s, size_t i, const char *reason)
{
    struct compiled_turns turns = {0};
    struct user_outcome *o = &s->judged[i].outcome;
    s->judged[i].stopped = true;
    o->verdict = COMPILED_OPEN;
    o->seconds = s->r->limit;
    o->has_witness = s->c != NULL;
    if (o->has_witness)
        o->witness = s->c[i];
    if (s->turns != NULL)
        turns = s->turns[i];
    turns.function[sizeof turns.function - 1] = '\0';
    if (turns.turns > TURNS_MANY)
        snprintf(o->note, sizeof o->note, "%.160s in turn %lu of a loop of '%s' (one without a bound? --limit %g)",
                 reason, turns.turns, shown(turns.function), s->r->limit);
    else
        snprintf(o->note, sizeof o->note, "%.160s (--limit %g; a larger one gives it more time)", reason, s->r->limit);
}

static void ended(void *context, size_t i, const struct error *error)
{
    struct session *s = context;
    struct user_outcome *o = &s->judged[i].outcome;
    s->proving.ended++;
    s->has[i] = true;
    if (error == NULL)
        return;
    memset(&s->judged[i], 0, sizeof s->judged[i]);
    if (error->code == ERROR_TIMEOUT) {
        stopped(s, i, error->text);
        return;
    }
    *o = (struct user_outcome){.verdict = COMPILED_ERROR, .unusable = true};
    snprintf(o->note, sizeof o->note, "%s: %s: %.200s (no memory or time left, or damaged bitcode)", s->r->bitcode,
             s->r->function, error->text);
}

/* Asks the user's plugin about the witness. */
static void ask_plugin(const struct session *s, const struct warp_impl *plugin, const struct warp_case *c)
{
    static struct finding f;
    struct warp_result result;
    char why[256];
    if (ask_case(plugin, c, &result, why, sizeof why) != ANSWER_GIVEN)
        printf("%s gives no result here: %s\n", shown(s->r->impl), shown(why));
    else if (finding_make(&f, spec_get(), plugin, c))
        printf("%s differs from spec on it, too\n", shown(s->r->impl));
    else
        printf("%s%s agrees with spec on it: it is not the code that was translated%s\n", paint(PAINT_RED),
               shown(s->r->impl), paint(PAINT_PLAIN));
}

static void print_replay(const struct judge_request *r, const struct warp_case *c)
{
    static char line[WARP_TEXT_MAX];
    char file[WORD_MAX], function[WORD_MAX];
    warp_case_to_text(c, line, sizeof line);
    printf("replay: echo '%s' | warpcheck prove bitcode %s --function %s --shape %s --case -\n", line,
           text_quote(r->bitcode, file, sizeof file), text_quote(r->function, function, sizeof function),
           shown(r->shape));
}

static void print_witness(const struct session *s, const struct judge_result *j, const struct warp_impl *plugin)
{
    if (j->differs)
        finding_print(&j->finding, s->r->all);
    else
        draw_answer(&j->outcome.witness);
    if (j->native[0] != '\0')
        printf("%s%s\n", j->contradicted ? "ERROR: " : "", shown(j->native));
    if (plugin != NULL)
        ask_plugin(s, plugin, &j->outcome.witness);
    print_replay(s->r, &j->outcome.witness);
}

static void print_proof(const struct session *s, size_t i, const struct warp_impl *plugin)
{
    const struct judge_result *j = &s->judged[i];
    const struct user_outcome *o = &j->outcome;
    const char *name = warp_form_get(s->forms[i])->name;
    const enum paint p = o->verdict == COMPILED_PROVED    ? PAINT_GREEN
                         : o->verdict == COMPILED_BOUNDED ? PAINT_PLAIN
                                                          : PAINT_RED;
    printf("%s as %s: %s%s%s", shown(s->r->function), name, paint(p), own_word(o->verdict), paint(PAINT_PLAIN));
    if (o->verdict == COMPILED_BOUNDED)
        printf(" (%s)", shown(o->bound));
    printf(", %.1f s%s%s\n", o->seconds, o->note[0] != '\0' ? ": " : "", shown(o->note));
    if (o->verdict != COMPILED_ERROR && !j->stopped)
        printf("  %u claims by Z3, %u by rewriting, %u by algebra; ", o->claims, o->immediate, o->algebraic);
    if (o->verdict != COMPILED_ERROR && o->native[0] != '\0')
        printf("not compared with native code: %s\n", shown(o->native));
    else if (o->verdict != COMPILED_ERROR && !j->stopped)
        printf("translation and native code agree on %u random cases\n", o->concrete);
    if (o->has_witness) {
        printf("\n");
        print_witness(s, j, plugin);
    }
}

static void json_proof(const struct session *s, size_t i)
{
    const struct judge_result *j = &s->judged[i];
    const struct user_outcome *o = &j->outcome;
    out_begin_object(NULL);
    out_text("form", warp_form_get(s->c != NULL ? s->c[i].form : s->forms[i])->name);
    if (s->c == NULL) {
        out_text("verdict", own_word(o->verdict));
        out_text("bound", o->bound);
        out_real("seconds", o->seconds);
        out_number("claims", o->claims);
        out_number("immediate", o->immediate);
        out_number("algebraic", o->algebraic);
        out_number("steps", o->steps);
        out_number("concrete", o->concrete);
    }
    out_text("note", o->note);
    out_bool("differs", j->differs);
    out_text("native", j->native[0] != '\0' ? j->native : o->native);
    if (o->has_witness)
        out_case("witness", &o->witness);
    if (j->differs) {
        out_result("expected", &j->finding.reference, WARP_PART_ALL);
        out_result("observed", &j->finding.observed, j->finding.parts);
    }
    out_end();
}

static void print_json(const struct session *s)
{
    out_start();
    out_text("command", "prove bitcode");
    out_text("file", s->r->bitcode);
    out_text("function", s->r->function);
    out_text("shape", s->r->shape);
    out_bool("interrupted", s->proving.interrupted);
    out_begin_array("results");
    for (size_t i = 0; i < s->count; i++)
        if (s->has[i])
            json_proof(s, i);
    out_end();
    out_print();
}

/* A bitcode that cannot be judged is bad input: one line, status 2. */
static bool report_unusable(const struct session *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->has[i] && s->judged[i].outcome.unusable) {
            usage_error(&command_prove_bitcode, "%s", s->judged[i].outcome.note);
            return true;
        }
    return false;
}

static bool run_all(struct session *s, void (*how)(void *context, size_t i, void *result))
{
    struct pool pool = {.n = s->count,
                        .jobs = (unsigned)(s->r->jobs < 64 ? s->r->jobs : 64),
                        .size = sizeof *s->judged,
                        .limit_s = s->r->limit,
                        .context = s,
                        .work = how,
                        .ended = ended,
                        .tick = tick};
    s->judged = calloc(s->count, sizeof *s->judged);
    s->has = calloc(s->count, sizeof *s->has);
    s->turns = mmap(NULL, s->count * sizeof *s->turns, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->turns == MAP_FAILED)
        s->turns = NULL;
    if (s->judged == NULL || s->has == NULL) {
        usage_error(&command_prove_bitcode, "out of memory");
        return false;
    }
    pool.results = s->judged;
    proving_begin(&s->proving, "prove bitcode", s->count, s->r->quiet);
    return proving_run(&s->proving, &command_prove_bitcode, &pool);
}

static int prove(struct session *s, const struct warp_impl *plugin)
{
    bool good = true;
    if (!run_all(s, work) || report_unusable(s))
        return STATUS_USAGE;
    if (s->r->json)
        print_json(s);
    for (size_t i = 0; i < s->count; i++) {
        good &= s->has[i] && s->judged[i].outcome.verdict <= COMPILED_BOUNDED;
        if (s->has[i] && !s->r->json)
            print_proof(s, i, plugin);
    }
    if (s->proving.interrupted && !s->r->json)
        printf("INTERRUPTED: %zu of %zu forms\n", s->proving.ended, s->count);
    return good ? STATUS_AGREE : STATUS_MISMATCH;
}

/* --case: nothing is proved; the cases are evaluated. */
static int evaluate(struct session *s, const struct warp_impl *plugin)
{
    struct case_file file;
    struct error error;
    const struct load_rules rules = {0};
    struct warp_case *cases;
    bool good = true;
    if (!case_file_load(s->r->file, &rules, &file, &error))
        return usage_error(&command_prove_bitcode, "%s", error.text);
    cases = calloc(file.count, sizeof *cases);
    for (size_t i = 0; cases != NULL && i < file.count; i++)
        cases[i] = file.texts[i].c;
    s->c = cases;
    s->count = file.count;
    case_file_free(&file);
    if (cases == NULL || !run_all(s, work_case) || report_unusable(s)) {
        free(cases);
        return STATUS_USAGE;
    }
    if (s->r->json)
        print_json(s);
    for (size_t i = 0; i < s->count; i++) {
        const struct judge_result *j = &s->judged[i];
        const bool agrees = s->has[i] && !j->differs && !j->contradicted && j->outcome.note[0] == '\0';
        good &= agrees;
        if (!s->has[i] || s->r->json)
            continue;
        printf("%s: %s%s%s\n", shown(s->r->function),
               agrees            ? "agrees"
               : j->contradicted ? "ERROR"
               : j->differs      ? "MISMATCH"
                                 : "NO RESULT",
               j->outcome.note[0] == '\0' || j->differs ? "" : ": ", shown(j->outcome.note));
        print_witness(s, j, plugin);
    }
    free(cases);
    return good ? STATUS_AGREE : STATUS_MISMATCH;
}

/* The forms that --only names and the shape takes. A function other than of whole cases is one instruction. */
static int choose_forms(struct session *s)
{
    const struct judge_request *r = s->r;
    const bool whole = strcmp(r->shape, "impl") == 0;
    struct error error;
    size_t n = 0;
    if (!user_shape_takes(r->shape, warp_form_get(0), &error) && error.code == ERROR_USAGE)
        return usage_error(&command_prove_bitcode, "%s", error.text);
    if (!whole && r->only.count == 0 && r->file == NULL)
        return usage_error(&command_prove_bitcode, "which instruction is '%s'? Name it: --only shfl.sync.up.b32",
                           r->function);
    s->count = prove_forms(&command_prove_bitcode, &r->only, s->forms);
    if (s->count == 0)
        return STATUS_USAGE;
    if (!whole && s->count > 1 && r->file == NULL)
        return usage_error(&command_prove_bitcode, "a function of shape '%s' is one instruction: --only names %zu",
                           r->shape, s->count);
    for (size_t i = 0; i < s->count && r->file == NULL; i++)
        if (user_shape_takes(r->shape, warp_form_get(s->forms[i]), &error))
            s->forms[n++] = s->forms[i];
    if (n == 0 && r->file == NULL)
        return usage_error(&command_prove_bitcode, "%s", error.text);
    s->count = n;
    return STATUS_AGREE;
}

static int run(const struct judge_request *r)
{
    struct session s = {.r = r};
    const struct warp_impl *plugin = NULL;
    int status = choose_forms(&s);
    if (status != STATUS_AGREE)
        return status;
    if (r->impl != NULL) {
        plugin = ask_open(&command_prove_bitcode, r->impl);
        if (plugin == NULL)
            return STATUS_USAGE;
    }
    status = r->file != NULL ? evaluate(&s, plugin) : prove(&s, plugin);
    if (plugin != NULL)
        registry_close(plugin);
    free(s.judged);
    free(s.has);
    return status;
}

static int prove_bitcode(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct judge_request r = {
        .timeout = 60, .limit = 600, .jobs = processors > 0 ? (uint64_t)processors : 1, .cases = 20};
    const struct option table[] = {
        {OPT_FUNCTION, &r.function, NULL, false},
        {OPT_SHAPE, &r.shape, NULL, false},
        {OPT_ONLY_FORMS, &r.only, NULL, false},
        {OPT_CASE, &r.file, NULL, false},
        {OPT_IMPL, &r.impl, "none; a plugin of the same code replays witnesses", false},
        {OPT_TIMEOUT, &r.timeout, NULL, false},
        {OPT_LIMIT, &r.limit, NULL, false},
        {OPT_JOBS, &r.jobs, "processors", false},
        {OPT_CASES_NATIVE, &r.cases, "20; 0: native code never runs", false},
        {OPT_ALL, &r.all, NULL, false},
        {OPT_QUIET, &r.quiet, NULL, false},
        {OPT_JSON, &r.json, NULL, false},
    };
    const int operands = options_parse(&command_prove_bitcode, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 1)
        return usage_error(&command_prove_bitcode, "unexpected '%s' (an instruction is named by --only)", argv[2]);
    if (operands == 0 || r.function == NULL || r.shape == NULL)
        return usage_error(&command_prove_bitcode, "needs a bitcode FILE, --function NAME and --shape NAME");
    r.bitcode = argv[1];
    return run(&r);
}

const struct command command_prove_bitcode = {
    .name = "prove bitcode",
    .summary = "a function of yours against compiled spec",
    .help =
        "usage: warpcheck prove bitcode FILE --function NAME --shape NAME [--only NAME] [OPTION...]\n"
        "\n"
        "Translates a C function's LLVM bitcode to Z3 and proves that it gives what the compiled spec gives, for all\n"
        "operands and masks, or refutes it with a witness that is replayed. docs/compiled.md says how to compile,\n"
        "and what each shape is: lane, lane-p, lane-bool, cuda, shfl, shfl-inplace, vote, match, redux, impl.\n"
        "Exit status 0: PROVED or BOUNDED; 1: REFUTED or OPEN; 2: it cannot be translated, one line says why.\n"
        "\n"
        "  clang -O2 -emit-llvm -c mine.c -o mine.bc      (clang 14 to 19)\n"
        "  warpcheck prove bitcode mine.bc --function source_lane --shape lane --only shfl.sync.up.b32\n",
    .run = prove_bitcode,
};
