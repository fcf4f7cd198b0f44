/* warpcheck score: measures the checker with planted defects. */
#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/prove/drawn.h"
#include "fuzz/score/score.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUBJECTS_MAX 2048u

/* --- measuring: some at a time, each in a process of its own --- */

/* One measurement to be made. */
struct item {
    size_t subject;
    enum score_check check;
};

struct measuring {
    struct score_subject *subjects;
    const struct score_plan *plan;
    const char *file; /* of results, or NULL */
    struct item *items;
    struct score_result *results; /* one an item */
    size_t n, ended;
    struct progress progress;
    bool good; /* results could be written */
};

/* Of this process and of all that it started: they have ended. */
static double processor_seconds(void)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;
    struct rusage used;
    for (size_t i = 0; i < sizeof whose / sizeof whose[0]; i++) {
        getrusage(whose[i], &used);
        sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return sum;
}

/* In a process of its own. */
static void measure_item(void *context, size_t i, void *result)
{
    const struct measuring *m = context;
    const double start = clock_seconds();
    struct score_subject *subject = &m->subjects[m->items[i].subject];
    struct score_result *r = &subject->results[m->items[i].check];
    double seconds;
    score_measure(subject, m->items[i].check, m->plan);
    seconds = clock_seconds() - start;
    processes_end();
    r->share = processor_seconds() / seconds;
    memcpy(result, r, sizeof *r);
}

static void measured(void *context, size_t i, const struct error *error)
{
    struct measuring *m = context;
    struct score_subject *subject = &m->subjects[m->items[i].subject];
    struct score_result *result = &subject->results[m->items[i].check];
    *result = m->results[i];
    if (error != NULL)
        *result = (struct score_result){.verdict = SCORE_FAILED};
    result->jobs = m->plan->jobs;
    result->processors = m->plan->processors;
    result->limit_s = score_limit(m->plan, m->items[i].check);
    if (m->file != NULL && result->verdict != SCORE_NOT_RUN)
        m->good = score_save(m->file, subject, m->items[i].check) && m->good;
    progress_update(&m->progress, ++m->ended, m->n, 0, 0);
}

/* Must this still be measured? A build with traps is asked only about mutants that nothing else caught. */
static bool is_due(const struct score_subject *s, enum score_check check, const struct score_plan *plan, bool traps)
{
    if (!(plan->checks >> check & 1u) || s->results[check].verdict != SCORE_NOT_RUN || (check == SCORE_TRAPS) != traps)
        return false;
    return !traps || (!s->same_code && score_has_traps(s) && !score_caught_by(s, SCORE_ORDINARY));
}

/* Says how far it came: what was not measured is not missed. */
static void tell_unmeasured(const struct measuring *m, const struct error *error)
{
    if (interrupted())
        complain("INTERRUPTED: %zu of %zu measurements were made%s", m->ended, m->n,
                 m->file != NULL ? "; the same command goes on with the others" : "; --results FILE keeps them");
    else
        complain("warpcheck score: %zu of %zu measurements were made: %s", m->ended, m->n, error->text);
}

/* What it takes at most, and that it need not be in one go. */
static void tell_cost(const struct measuring *m)
{
    double seconds = 0;
    for (size_t i = 0; i < m->n; i++)
        seconds += score_seeds(m->plan, m->items[i].check, false) * score_limit(m->plan, m->items[i].check);
    complain("warpcheck score: %zu measurements, %u at a time, which take about %.0f s if nothing is found%s", m->n,
             m->plan->jobs, seconds / m->plan->jobs, m->file != NULL ? "" : "; --results FILE keeps them, to go on");
}

static bool measure_some(struct score_subject *subjects, size_t count, const struct score_plan *plan,
                         const char *results, bool traps)
{
    struct error error = {0};
    struct measuring m = {.subjects = subjects, .plan = plan, .file = results, .good = true};
    struct pool pool = {
        .jobs = plan->jobs, .size = sizeof *m.results, .context = &m, .work = measure_item, .ended = measured};
    m.items = calloc(count * SCORE_CHECKS + 1, sizeof *m.items);
    m.results = calloc(count * SCORE_CHECKS + 1, sizeof *m.results);
    for (unsigned check = SCORE_CHECKS; m.items != NULL && check-- > 0;) /* the longest, those of engines, first */
        for (size_t i = 0; i < count; i++)
            if (is_due(&subjects[i], (enum score_check)check, plan, traps))
                m.items[m.n++] = (struct item){i, (enum score_check)check};
    if (m.items == NULL || m.results == NULL) {
        complain("warpcheck score: out of memory");
    } else if (m.n > 0) {
        if (plan->rare)
            tell_cost(&m);
        progress_start(&m.progress, "score");
        m.progress.unit = "measurements";
        pool.n = m.n;
        pool.results = m.results;
        const bool whole = pool_run(&pool, &error) && m.ended == m.n;
        progress_end(&m.progress);
        if (!whole)
            tell_unmeasured(&m, &error);
        if (!m.good)
            complain("warpcheck score: cannot write %s: %s", results, strerror(errno));
    }
    m.good = m.good && m.items != NULL && m.results != NULL && m.ended == m.n;
    free(m.items);
    free(m.results);
    return m.good;
}

/* Measures what has no result yet, and appends each result to the file `results` (NULL: none) as soon as it is there.
 * Returns false, after a line, when the file cannot be written, or not everything was measured. */
static bool score_measure_all(struct score_subject *subjects, size_t count, const struct score_plan *plan,
                              const char *results)
{
    return measure_some(subjects, count, plan, results, false) && measure_some(subjects, count, plan, results, true);
}

/* --- the end --- */

/* Each prints what is missed, equivalent or could not run, with counts, and returns an exit status. */
static int score_summarize(const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    struct score_sums sums = {0};
    char fate[SCORE_VERDICT_MAX];
    for (size_t i = 0; i < count; i++) {
        const struct score_subject *s = &subjects[i];
        score_add(&sums, s);
        if (!score_caught_by(s, UINT32_MAX)) {
            score_verdict_text(s, fate);
            printf("%s%s%s: %s: %s\n", paint(score_missed(s) || score_failed(s) ? PAINT_RED : PAINT_PLAIN), s->name,
                   paint(PAINT_PLAIN), shown(s->what), fate);
        }
        for (unsigned check = SCORE_LIBFUZZER; check < SCORE_TRAPS; check++)
            if ((plan->checks >> check & 1u) && s->results[check].verdict == SCORE_FAILED)
                printf("%s could not run under %s: %s\n", s->name, score_check_name((enum score_check)check),
                       shown(s->what));
            else if (!plan->rare && (plan->checks >> check & 1u) && s->results[check].caught < s->results[check].seeds)
                printf("%s missed by %s with %u of %u seeds: %s\n", s->name, score_check_name((enum score_check)check),
                       s->results[check].seeds - s->results[check].caught, s->results[check].seeds, shown(s->what));
    }
    score_compare(stdout, subjects, count, plan);
    printf("%zu mutants: %zu caught, %zu of them by the checks of run, %zu equivalent (%zu proved, %zu argued and "
           "proved for some cases, %zu argued alone), %zu missed",
           sums.all, sums.caught, sums.by_run, sums.equivalent, sums.proved, sums.bounded, sums.argued, sums.missed);
    if (sums.by_traps > 0)
        printf(", %zu of the caught only in a build with bounds and shift checks", sums.by_traps);
    if (sums.failed > 0)
        printf(", %zu could not run", sums.failed);
    printf("\n");
    if (sums.failed > 0)
        return STATUS_USAGE;
    return sums.missed > 0 ? STATUS_MISMATCH : STATUS_AGREE;
}

static int score_summarize_programs(const struct score_program *programs, size_t count,
                                    const struct score_control *control)
{
    size_t caught = 0, linted = 0;
    for (size_t i = 0; i < count; i++) {
        const struct score_program *p = &programs[i];
        caught += score_program_caught(p);
        linted += p->lint[0] != '\0';
        if (!score_program_caught(p))
            printf("%s%s%s: %s: MISSED\n", paint(PAINT_RED), p->name, paint(PAINT_PLAIN), p->what);
    }
    if (count == 0)
        return STATUS_AGREE;
    printf("%zu wrong programs: %zu caught, %zu of them by lint; of %zu claims of %zu right programs %zu refuted, %zu "
           "programs with a fault\n",
           count, caught, linted, control->claims, control->programs, control->refuted, control->faults);
    return caught == count && control->refuted == 0 && control->faults == 0 ? STATUS_AGREE : STATUS_MISMATCH;
}

/* --- the command --- */

struct score_options {
    const char *plugin, *mechanical, *reasons, *checks, *markdown, *corpus, *results, *survivors, *programs;
    struct option_list only; /* texts, one of which a mutant has; none: all mutants */
    uint64_t jobs, seeds, afl_seeds, random_cases;
    double seconds;
    bool rare, prover;
    uint64_t seed, first, count;
    double timeout, limit; /* of the prover */
    const char *out;
};

/* "enumeration,libfuzzer": a bit set; 0 after one line on standard error. */
static uint32_t parse_checks(const char *text)
{
    uint32_t checks = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, ","), found = SCORE_CHECKS;
        for (size_t i = 0; i < SCORE_TRAPS; i++) {
            const char *word = score_check_word((enum score_check)i);
            if (strlen(word) == length && strncmp(word, text, length) == 0)
                found = i;
        }
        if (found == SCORE_CHECKS) {
            usage_error(&command_score,
                        "unknown check '%.*s': give enumeration, replay, random, batches, laws, libfuzzer, afl, bytes",
                        (int)length, text);
            return 0;
        }
        checks |= 1u << found;
        text += length + (text[length] == ',');
    }
    return checks;
}

static bool keep(const struct score_subject *s, const struct option_list *only)
{
    for (size_t i = 0; i < only->count; i++)
        if (strstr(s->name, only->items[i]) != NULL || strstr(s->what, only->items[i]) != NULL)
            return true;
    return only->count == 0;
}

/* Loads the mutants that were asked for; -1 after one line on standard error. */
static int load_subjects(const struct score_options *o, struct score_subject *subjects)
{
    struct error error;
    int count = 0, kept = 0;
    const bool own = strcmp(o->plugin, WARPCHECK_MUTANTS) == 0 || strcmp(o->plugin, WARPCHECK_RARE) == 0;
    if (own && !file_exists(o->plugin)) {
        complain("warpcheck score: the mutants are not built: build them with `cmake --build %s --target %s`, or "
                 "call " WARPCHECK_SOURCE_DIR "/warpcheck score, which does",
                 WARPCHECK_BINARY_DIR, o->rare ? "warpcheck-rare" : "warpcheck-mutants");
        return -1;
    }
    if (strcmp(o->plugin, "none") != 0)
        count = score_add_plugin(subjects, SUBJECTS_MAX, o->plugin, &error);
    if (count >= 0 && strcmp(o->mechanical, "none") != 0) {
        int more =
            score_add_mechanical(subjects + count, SUBJECTS_MAX - (size_t)count, o->mechanical, o->reasons, &error);
        count = more < 0 ? -1 : count + more;
    }
    if (count < 0) {
        complain("warpcheck score: %s", error.text);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (keep(&subjects[i], &o->only))
            subjects[kept++] = subjects[i];
    return kept;
}

/* "NUMBER<tab>KEY" of the mechanical mutants that nothing caught: what prove.sh reads. */
static bool write_survivors(const char *path, const struct score_subject *subjects, size_t count)
{
    struct buffer text = {0};
    struct error error;
    bool good;
    for (size_t i = 0; i < count; i++)
        if (subjects[i].mechanical && !subjects[i].same_code && !score_caught_by(&subjects[i], UINT32_MAX))
            buffer_format(&text, "%s\t%s\n", subjects[i].name, subjects[i].what);
    good = file_write(path, buffer_string(&text), text.size, &error);
    buffer_free(&text);
    if (!good)
        complain("warpcheck score: %s", error.text);
    return good;
}

/* What a run of the command has read, made and found. */
struct scoring {
    struct score_plan plan;
    struct score_subject subjects[SUBJECTS_MAX];
    size_t count;
    struct score_program programs[SCORE_PROGRAMS_MAX];
    struct score_control control;
    size_t programs_count;
    struct warp_case *cases; /* of the corpus; the plan's */
    char targets[2][JOB_PATH_MAX], program[JOB_PATH_MAX];
    char work[FILE_PATH_MAX];
};

static bool write_markdown(const char *path, const struct scoring *s)
{
    struct file_text text;
    struct error error;
    bool good = file_text_begin(&text, &error);
    if (good) {
        score_report(text.stream, s->subjects, s->count, &s->plan);
        if (s->programs_count > 0)
            score_report_programs(text.stream, s->programs, s->programs_count, &s->control);
        good = file_text_end(&text, path, &error);
    }
    if (!good)
        complain("warpcheck score: %s", error.text);
    return good;
}

/* Builds the targets of the engines that are asked. False after one line on standard error. */
static bool prepare_engines(struct scoring *s)
{
    struct error error;
    for (int engine = 0; engine < 2; engine++) {
        const uint32_t afl = 1u << SCORE_AFL;
        if (!(s->plan.checks & (engine == ENGINE_AFL ? afl : SCORE_ENGINES & ~afl)))
            continue;
        if (!engine_prepare((enum engine)engine, "fuzz_all", s->targets[engine], &error)) {
            complain("warpcheck score: %s", error.text);
            return false;
        }
        s->plan.targets[engine] = s->targets[engine];
    }
    return true;
}

/* The wrong programs, with "none" none of them. False after one line on standard error. */
static bool run_programs(const struct score_options *o, struct scoring *s)
{
    char folder[JOB_PATH_MAX + 32], corpus[JOB_PATH_MAX];
    struct error error;
    int count = 0;
    if (o->programs != NULL)
        snprintf(folder, sizeof folder, "%s", o->programs);
    else if (o->only.count == 0 && load_default_folder("corpus", corpus, sizeof corpus))
        snprintf(folder, sizeof folder, "%s/programs/wrong", corpus);
    else
        return true;
    if (strcmp(folder, "none") != 0)
        count = score_programs(folder, s->programs, SCORE_PROGRAMS_MAX, &s->control, &error);
    if (count < 0)
        complain("warpcheck score: %s", error.text);
    s->programs_count = count > 0 ? (size_t)count : 0;
    return count >= 0;
}

static int worse(int x, int y)
{
    return x > y ? x : y;
}

/* Measures, prints, writes. */
static int measure(const struct score_options *o, struct scoring *s)
{
    char proofs[JOB_PATH_MAX + 16];
    int status;
    if (o->results != NULL)
        score_load(o->results, &s->plan, s->subjects, s->count);
    if (!score_measure_all(s->subjects, s->count, &s->plan, o->results))
        return interrupted() ? STATUS_MISMATCH : STATUS_USAGE;
    status = run_programs(o, s) ? STATUS_AGREE : interrupted() ? STATUS_MISMATCH : STATUS_USAGE;
    if (s->count + s->programs_count == 0 && status == STATUS_AGREE)
        return usage_error(&command_score, "no mutant and no wrong program to measure (--plugin, --mechanical, --only "
                                           "and --programs choose them)");
    snprintf(proofs, sizeof proofs, "%s/proofs.tsv", o->mechanical);
    score_load_proofs(proofs, s->subjects, s->count);
    status = worse(status, score_summarize(s->subjects, s->count, &s->plan));
    status = worse(status, score_summarize_programs(s->programs, s->programs_count, &s->control));
    if (o->survivors != NULL && !write_survivors(o->survivors, s->subjects, s->count))
        status = STATUS_USAGE;
    if (o->markdown != NULL && !write_markdown(o->markdown, s))
        status = STATUS_USAGE;
    return status;
}

static int score(const struct score_options *o, const struct score_plan *plan)
{
    static struct scoring s; /* large; what the plan points to lives as long */
    char corpus[JOB_PATH_MAX];
    struct error error;
    ssize_t length = readlink("/proc/self/exe", s.program, sizeof s.program - 1);
    int count = load_subjects(o, s.subjects), status;
    s.plan = *plan;
    if (count < 0 || (count > 0 && !prepare_engines(&s)))
        return STATUS_USAGE;
    s.count = (size_t)count;
    if ((o->corpus != NULL || load_default_folder("corpus", corpus, sizeof corpus)) &&
        !load_cases(&command_score, o->corpus != NULL ? o->corpus : corpus, &s.cases, &s.plan.corpus_count)) {
        free(s.cases);
        s.cases = NULL;
        return STATUS_USAGE;
    }
    s.plan.corpus = s.cases;
    s.plan.program = length > 0 ? s.program : "warpcheck";
    s.plan.work = s.work;
    interrupt_catch();
    if (folder_temporary("score", s.work, &error)) {
        status = measure(o, &s);
        folder_remove(s.work);
    } else {
        complain("warpcheck score: %s", error.text);
        status = STATUS_USAGE;
    }
    free(s.cases);
    s.cases = NULL;
    return status;
}

/* What was not given: rare mistakes are for a comparison of methods, so all have the same limit and as many runs. */
static void choose(struct score_options *o, struct score_plan *plan)
{
    if (o->rare && strcmp(o->plugin, WARPCHECK_MUTANTS) == 0)
        o->plugin = WARPCHECK_RARE;
    if (o->rare && o->programs == NULL)
        o->programs = "none";
    if (o->checks == NULL)
        o->checks = o->rare ? "enumeration,random,laws,libfuzzer,afl,bytes" : "enumeration,replay,random,batches,laws";
    if (o->seeds == 0)
        o->seeds = o->rare ? 5 : 1;
    if (o->afl_seeds == 0)
        o->afl_seeds = o->seeds;
    if (!o->rare)
        return;
    o->random_cases = plan->law_cases = UINT64_MAX;
    plan->engine_s[ENGINE_LIBFUZZER] = plan->engine_s[ENGINE_AFL] = o->seconds;
    plan->draws = (unsigned)o->seeds;
    plan->rare = true;
}

static int score_the_prover(const struct score_options *o)
{
#ifdef WARPCHECK_HAVE_COMPILED
    const struct drawn_request r = {.seed = o->seed,
                                    .first = o->first,
                                    .count = o->count,
                                    .jobs = o->jobs,
                                    .timeout = o->timeout,
                                    .limit = o->limit,
                                    .out = o->out,
                                    .only = o->only.count > 0 ? o->only.items[0] : NULL};
    return score_prover(&r);
#else
    (void)o;
    return usage_error(&command_score, "proofs about compiled code are UNAVAILABLE: built without LLVM 19");
#endif
}

static int score_main(int argc, char **argv)
{
    struct score_options o = {.plugin = WARPCHECK_MUTANTS,
                              .mechanical = "none",
                              .reasons = WARPCHECK_SOURCE_DIR "/test/mutants/mechanical/equivalent.txt",
                              .jobs = process_processors(),
                              .random_cases = 1000000,
                              .seconds = 30,
                              .seed = 1,
                              .count = 300,
                              .timeout = 5,
                              .limit = 10,
                              .out = "findings/prover"};
    struct score_plan plan = {.law_cases = 100000, .engine_s = {10, 30}};
    const struct option table[] = {
        {OPT_CHECKS, &o.checks, "the first five; with --rare all engines", false},
        {OPT_RARE, &o.rare, NULL, false},
        {OPT_PLUGIN, &o.plugin, "this build's", false},
        {OPT_MECHANICAL, &o.mechanical, "none", false},
        {OPT_EQUIVALENT, &o.reasons, "", false},
        {OPT_ONLY_MUTANTS, &o.only, NULL, false},
        {OPT_JOBS, &o.jobs, "the processors", false},
        {OPT_SEEDS_RUN, &o.seeds, "1; with --rare 5", false},
        {OPT_AFL_SEEDS, &o.afl_seeds, "", false},
        {OPT_SECONDS_CHECK, &o.seconds, NULL, false},
        {OPT_CASES_ABOUT, &o.random_cases, NULL, false},
        {OPT_CORPUS, &o.corpus, "warpcheck's own", false},
        {OPT_PROGRAMS, &o.programs, "warpcheck's own, without --only", false},
        {OPT_RESULTS, &o.results, NULL, false},
        {OPT_SURVIVORS, &o.survivors, NULL, false},
        {OPT_MARKDOWN_FILE, &o.markdown, NULL, false},
        {OPT_PROVER, &o.prover, NULL, false},
        {OPT_COUNT_DRAWN, &o.count, NULL, false},
        {OPT_FIRST_DRAWN, &o.first, NULL, false},
        {OPT_SEED, &o.seed, NULL, false},
        {OPT_TIMEOUT, &o.timeout, NULL, false},
        {OPT_LIMIT_DRAWN, &o.limit, NULL, false},
        {OPT_OUT, &o.out, NULL, false},
    };
    const int operands = options_parse(&command_score, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_score, "unexpected '%s'", argv[1]);
    if (o.prover)
        return score_the_prover(&o);
    choose(&o, &plan);
    if (o.seeds < 1 || o.seeds > SCORE_SEEDS_MAX || o.afl_seeds > SCORE_SEEDS_MAX)
        return usage_error(&command_score, "--seeds and --afl-seeds take 1 to %u", SCORE_SEEDS_MAX);
    plan.checks = parse_checks(o.checks);
    if (plan.checks == 0)
        return STATUS_USAGE;
    plan.checks |= 1u << SCORE_TRAPS; /* of mechanical mutants that the others miss */
    plan.seeds[ENGINE_LIBFUZZER] = (unsigned)o.seeds;
    plan.seeds[ENGINE_AFL] = (unsigned)o.afl_seeds;
    plan.jobs = (unsigned)o.jobs;
    plan.processors = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    plan.random_cases = o.random_cases;
    plan.limit_s = o.seconds;
    return score(&o, &plan);
}

const struct command command_score = {
    .name = "score",
    .summary = "measure the checker: planted defects, and which are found",
    .help =
        "usage: warpcheck score [--checks LIST] [--mechanical DIR] [--markdown FILE] [OPTION...]\n"
        "\n"
        "Runs implementations with one planted defect each through the checks, and tells which check catches which,\n"
        "after how long and how many cases. Hand-written mutants carry the mistakes of real implementations; "
        "mechanical\n"
        "ones change one operator, constant or bound of the optimized implementation. A mutant that survives is "
        "shown\n"
        "with the reason: equivalent (proved, or argued), or MISSED. Exit status 1 when one is missed.\n"
        "\n"
        "  warpcheck score                                     the hand-written mutants, without the engines\n"
        "  warpcheck score --checks libfuzzer,afl --seeds 20   time until the engines catch each\n"
        "  warpcheck score --rare --seconds 10                 rare mistakes: the methods side by side\n"
        "  warpcheck score --prover --count 10000              the prover of compiled code, with drawn functions\n"
        "  fuzz/score.sh                                       everything, into docs/generated/score.md\n",
    .run = score_main};
