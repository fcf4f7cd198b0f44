#include "proofs/score/judge.h"

#include "base/file.h"
#include "base/process.h"
#include "base/random.h"
#include "proofs/user/proof.h"
#include "warpcheck_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RANDOM_CASES 100u
#define COMPILE_S    60.0
#define WORDS        32u /* of a command, at most */
#define SANITIZED    99  /* the status of a program that a sanitizer ends */

static const char *const level_options[JUDGE_LEVELS][7] = {
    {"-emit-llvm", "-c", "-O0"},
    {"-emit-llvm", "-c", "-O1"},
    {"-emit-llvm", "-c", "-O2"},
    {"-emit-llvm", "-c", "-O3"},
    {"-emit-llvm", "-c", "-O2", "-Xclang", "-disable-llvm-passes", NULL},
};

const char *judge_level_name(enum judge_level level)
{
    static const char *const names[JUDGE_LEVELS] = {"-O0", "-O1", "-O2", "-O3", "no passes"};
    return names[level];
}

bool judge_prepare(struct judge_plan *plan)
{
    plan->clangs_count = 0;
    smt_close(smt_open(0)); /* children inherit Z3's tables */
    for (unsigned version = 14; version <= 19; version++) {
        char name[16];
        const char *const argv[] = {name, "--version", NULL};
        const struct process_plan run = {.argv = argv, .in = PROCESS_NULL, .out = PROCESS_NULL, .err = PROCESS_NULL};
        struct error error;
        snprintf(name, sizeof name, "clang-%u", version);
        if (process_run(&run, COMPILE_S, NULL, 0, &error))
            plan->clangs[plan->clangs_count++] = version;
    }
#ifdef __x86_64__
    __builtin_cpu_init();
    plan->limits.simd = __builtin_cpu_supports("avx512f") ? 5 : __builtin_cpu_supports("avx2") ? 2 : 0;
#endif
    return plan->clangs_count > 0;
}

/* --- the compiler --- */

struct work {
    const struct judge_plan *plan;
    struct draw d;
    struct judged *j;
    char folder[FILE_PATH_MAX];
    unsigned clang;
};

static void add(const char *argv[], const char *word)
{
    size_t n = 0;
    while (argv[n] != NULL)
        n++;
    argv[n] = word;
    argv[n + 1] = NULL;
}

/* The words that compile drawn.c to `output`. */
static void command_of(const struct draw *d, const char *clang, const char *const *more, const char *output,
                       const char *argv[WORDS])
{
    argv[0] = NULL;
    add(argv, clang);
    add(argv, "-std=c17");
    add(argv, "-w");
    for (; *more != NULL; more++)
        add(argv, *more);
    if (d->wraps)
        add(argv, "-fwrapv");
    if (d->simd >= 2)
        add(argv, "-mavx2");
    if (d->simd >= 5)
        add(argv, "-mavx512f");
    add(argv, "drawn.c");
    add(argv, "-o");
    add(argv, output);
}

static const char *clang_name(unsigned version, char name[16])
{
    snprintf(name, 16, "clang-%u", version);
    return name;
}

/* In the folder of the work. */
static bool compile(const struct work *w, unsigned clang, const char *const *more, const char *output,
                    struct error *error)
{
    char name[16], said[400];
    const char *argv[WORDS];
    const struct process_plan plan = {
        .argv = argv, .folder = w->folder, .in = PROCESS_NULL, .out = PROCESS_NULL, .err = PROCESS_NULL};
    command_of(&w->d, clang_name(clang, name), more, output, argv);
    if (process_run(&plan, COMPILE_S, said, sizeof said, error))
        return true;
    said[strcspn(said, "\n")] = '\0';
    return error_set(error, ERROR_INTERNAL, "%s does not compile it: %.300s", name, said);
}

/* --- native judges --- */

static struct user_request request_of(const struct work *w, const char *file)
{
    return (struct user_request){.file = file,
                                 .function = DRAW_NAME,
                                 .shape = w->d.shape,
                                 .info = w->d.info,
                                 .spec = spec_get(),
                                 .timeout_s = w->plan->timeout_s,
                                 .concrete = 10,
                                 .seed = w->plan->seed};
}

/* Does the native code of the bitcode give what spec gives, on all of these? Otherwise `error` says which not
 * (ERROR_UNDEFINED, in `detail` its number), or how it ended. */
static bool agrees(const struct user_request *request, const struct warp_case *cases, size_t n, struct error *error)
{
    static struct warp_result observed[RANDOM_CASES + 1];
    const struct warp_impl *native = user_impl_open(request, true, error);
    char why[400] = "";
    bool ok = native != NULL;
    if (ok && !native->eval(native->state, cases, n, observed, why, sizeof why))
        ok = error_set(error, ERROR_DECLINED, "%s", why);
    for (size_t i = 0; ok && i < n; i++) {
        struct warp_result expected;
        ok = spec_get()->eval(spec_get()->state, &cases[i], 1, &expected, why, sizeof why) &&
             warp_result_compare(&cases[i], &expected, &observed[i], native->provides, NULL);
        if (!ok) {
            error_set(error, ERROR_UNDEFINED, "another result in case %zu", i);
            error->detail = (int)i;
        }
    }
    if (native != NULL)
        native->close(native->state);
    return ok;
}

/* Is it another result on the witness, or an end, and not on a random case? */
static bool is_wrong_there(const struct work *w, const struct user_request *request)
{
    struct error error;
    struct warp_case c;
    struct random random = {w->plan->seed};
    if (agrees(request, &w->d.witness, 1, &error))
        return false;
    user_random_case(request, &random, &c);
    return error.code == ERROR_UNDEFINED || agrees(request, &c, 1, &error);
}

/* On the (twin's) witness and on random cases. */
static bool agrees_on_some(const struct work *w, const struct user_request *request,
                           struct warp_case cases[RANDOM_CASES + 1], struct error *error)
{
    struct random random = {w->plan->seed};
    cases[0] = w->d.witness;
    for (unsigned i = 0; i < RANDOM_CASES; i++)
        user_random_case(request, &random, &cases[i + 1]);
    return agrees(request, cases, RANDOM_CASES + 1, error);
}

/* A slip shows on any case, which becomes the witness. */
static bool is_slip_seen(struct work *w, const struct user_request *request)
{
    static struct warp_case cases[RANDOM_CASES + 1];
    struct error error;
    if (agrees_on_some(w, request, cases, &error) || error.code != ERROR_UNDEFINED)
        return false;
    w->d.witness = cases[error.detail];
    return true;
}

/* With UBSan's traps, which need no library. False: the compiler does not make it. */
static bool sanitize(struct work *w, char file[FILE_PATH_MAX], struct error *error)
{
    static const char *const options[] = {
        "-O1", "-DSANITIZED", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-emit-llvm", "-c", NULL};
    return compile(w, w->plan->clangs[w->plan->clangs_count - 1], options, "sanitized.bc", error) &&
           file_join(w->folder, "sanitized.bc", file, error);
}

/* A right function. */
static bool is_right(struct work *w, struct error *error)
{
    static struct warp_case cases[RANDOM_CASES + 1];
    char file[FILE_PATH_MAX];
    struct user_request request;
    if (!sanitize(w, file, error))
        return false;
    request = request_of(w, file);
    return agrees_on_some(w, &request, cases, error);
}

static bool is_trapped(struct work *w)
{
    char file[FILE_PATH_MAX];
    struct error error;
    struct user_request request;
    if (!sanitize(w, file, &error))
        return false;
    request = request_of(w, file);
    return is_wrong_there(w, &request);
}

/* By a sanitizer that needs a program: does it end the call on the witness? */
static bool is_ended(struct work *w)
{
    struct error own, *const error = &own;
    const char *const options[] = {"-O0", "-g0", "-DMAIN",
                                   w->d.how == DRAW_ADDRESS ? "-fsanitize=address" : "-fsanitize=memory", NULL};
    char program[FILE_PATH_MAX];
    const char *const argv[] = {program, NULL};
    const struct process_variable variables[] = {{"ASAN_OPTIONS", "exitcode=99:detect_stack_use_after_return=1"},
                                                 {"MSAN_OPTIONS", "exitcode=99"}};
    const struct process_plan run = {.argv = argv,
                                     .variables = variables,
                                     .variables_count = 2,
                                     .in = PROCESS_NULL,
                                     .out = PROCESS_NULL,
                                     .err = PROCESS_NULL};
    unsigned i = w->plan->clangs_count; /* not each clang has the library */
    while (i > 0 && !compile(w, w->plan->clangs[i - 1], options, "drawn", error))
        i--;
    return i > 0 && file_join(w->folder, "drawn", program, error) && !process_run(&run, COMPILE_S, NULL, 0, error) &&
           error->code == ERROR_EXIT && error->detail == SANITIZED;
}

/* Is it known that the mistake is in the code that is proved? GONE: it may have been optimized away; UNSEEN: nobody saw
 * it. */
static enum judge_end see(struct work *w, const struct user_request *request)
{
    const bool plain = w->j->level == JUDGE_O0 || w->j->level == JUDGE_UNOPTIMIZED;
    if (w->d.is_slip)
        return is_slip_seen(w, request) ? JUDGE_RIGHT : JUDGE_UNSEEN;
    if (is_wrong_there(w, request))
        return JUDGE_RIGHT;
    if (w->d.how == DRAW_VALUE || !(w->d.how == DRAW_TRAP ? is_trapped(w) : is_ended(w)))
        return JUDGE_UNSEEN;
    return plain && !(w->d.is_scope && w->j->level == JUDGE_O0) ? JUDGE_RIGHT : JUDGE_GONE;
}

/* --- the verdict --- */

/* Is the proof for fewer lanes silent about the witness? That of a slip may be wrong in any of its groups. */
static bool is_bounded_beyond(const struct work *w, const struct user_outcome *o)
{
    unsigned last = WARP_LANES - 1;
    const bool is_one = warp_form_is_sync(w->d.info) && !w->d.is_slip;
    const lanemask group = w->d.witness.active & (is_one ? w->d.witness.membermask[w->d.lane] : ~0u);
    return sscanf(o->bound, "groups within lanes 0-%u", &last) == 1 && last < WARP_LANES - 1 && group >> last > 1;
}

static enum judge_end weigh(const struct work *w, const struct user_outcome *o, enum judge_end seen)
{
    switch (o->verdict) {
    case COMPILED_PROVED:
        return !w->d.wrong || seen != JUDGE_RIGHT ? (w->d.wrong ? seen : JUDGE_RIGHT) : JUDGE_WRONG;
    case COMPILED_BOUNDED:
        return !w->d.wrong || seen != JUDGE_RIGHT || is_bounded_beyond(w, o) ? JUDGE_BOUNDED : JUDGE_WRONG;
    case COMPILED_OPEN:
        return JUDGE_OPEN;
    case COMPILED_REFUTED:
        return w->d.wrong ? JUDGE_RIGHT : JUDGE_WRONG;
    case COMPILED_ERROR:
    case COMPILED_VERDICTS:
        break;
    }
    return o->unusable ? JUDGE_REFUSED : JUDGE_WRONG;
}

/* Keeps the source with the line that makes the bitcode and proves it. */
static void keep(const struct work *w, uint64_t number)
{
    char file[64], path[FILE_PATH_MAX], name[16];
    const char *argv[WORDS];
    struct buffer text = {0};
    struct error error;
    snprintf(file, sizeof file, "%" PRIu64 "-%" PRIu64 ".c", w->plan->seed, number);
    command_of(&w->d, clang_name(w->clang, name), level_options[w->j->level], "drawn.bc", argv);
    buffer_format(&text, "// %s\n// cp %s drawn.c &&", w->j->note, file);
    for (size_t i = 0; argv[i] != NULL; i++)
        buffer_format(&text, " %s", argv[i]);
    buffer_format(&text, " && warpcheck prove bitcode drawn.bc --function " DRAW_NAME " --shape %s --only %s\n",
                  w->d.shape, w->d.info->name);
    buffer_add(&text, w->d.text.data, w->d.text.size);
    if (!folder_make(w->plan->out, &error) || !file_join(w->plan->out, file, path, &error) ||
        !file_write(path, buffer_string(&text), text.size, &error))
        snprintf(w->j->note, sizeof w->j->note, "%.490s", error.text);
    buffer_free(&text);
}

static void try_it(struct work *w)
{
    static struct user_outcome o;
    char file[FILE_PATH_MAX];
    struct error error = {.text = ""};
    struct user_request request;
    enum judge_end seen = JUDGE_RIGHT;
    struct judged *j = w->j;
    j->end = JUDGE_BROKEN;
    if (!file_join(w->folder, "drawn.c", file, &error) ||
        !file_write(file, buffer_string(&w->d.text), w->d.text.size, &error) ||
        !compile(w, w->clang, level_options[j->level], "drawn.bc", &error) ||
        !file_join(w->folder, "drawn.bc", file, &error) || (!w->d.wrong && !is_right(w, &error))) {
        snprintf(j->note, sizeof j->note, "%.490s", error.text);
        return;
    }
    request = request_of(w, file);
    if (w->d.wrong)
        seen = see(w, &request);
    user_prove(&request, &o);
    j->end = weigh(w, &o, seen);
    j->verdict = o.verdict;
    j->seconds = o.seconds;
    snprintf(j->note, sizeof j->note, "%s: %.400s", compiled_verdict_name(o.verdict), o.note);
}

/* What is drawn of the number-th function: the text, its level and compiler. */
static void draw_work(struct work *w, const struct judge_plan *plan, uint64_t number, struct judged *j)
{
    struct random random = {random_mix(plan->seed + number * RANDOM_STEP)};
    memset(w, 0, sizeof *w);
    memset(j, 0, sizeof *j);
    w->plan = plan;
    w->j = j;
    draw_function(&w->d, plan->seed, number, &plan->limits);
    j->wrong = w->d.wrong;
    j->step = w->d.step;
    j->shape = w->d.shape;
    j->level = (enum judge_level)random_below(&random, JUDGE_LEVELS);
    if (plan->plain)
        j->level = j->level % 2 == 0 ? JUDGE_UNOPTIMIZED : JUDGE_O0;
    w->clang = plan->clangs[random_below(&random, plan->clangs_count)];
}

void judge_draw(const struct judge_plan *plan, uint64_t number, struct judged *j)
{
    struct work w;
    draw_work(&w, plan, number, j);
    buffer_free(&w.d.text);
}

void judge_keep(const struct judge_plan *plan, uint64_t number, struct judged *j)
{
    struct work w;
    const struct judged own = *j;
    draw_work(&w, plan, number, j);
    *j = own;
    keep(&w, number);
    buffer_free(&w.d.text);
}

void judge_function(const struct judge_plan *plan, uint64_t number, struct judged *j)
{
    struct work w;
    struct error error;
    draw_work(&w, plan, number, j);
    j->end = JUDGE_BROKEN;
    if (folder_temporary("prover", w.folder, &error))
        try_it(&w);
    else
        snprintf(j->note, sizeof j->note, "%.490s", error.text);
    if (j->end == JUDGE_WRONG || j->end == JUDGE_BROKEN)
        keep(&w, number);
    folder_remove(w.folder);
    buffer_free(&w.d.text);
}
