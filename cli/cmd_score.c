/* warpcheck score: measures the checker with planted defects. */
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"
#include "cli/work/pool.h"
#include "fuzz/score/score.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUBJECTS_MAX 2048u

struct score_options {
    const char *plugin, *mechanical, *reasons, *checks, *only, *markdown, *corpus, *results, *survivors;
    uint64_t jobs, seeds, afl_seeds, random_cases;
    double seconds;
};

/* Every case of a folder; files that cannot be read are named and left out. */
static size_t load_corpus(const char *folder, struct warp_case **cases)
{
    struct path_list list = {NULL, 0};
    struct load_rules rules = {0};
    char error[LOAD_ERROR_MAX];
    size_t count = 0;
    if (!path_list_add(&list, folder, error, sizeof error))
        fprintf(stderr, "warpcheck score: %s\n", error);
    for (size_t i = 0; i < list.count; i++) {
        struct case_file file;
        struct warp_case *more;
        if (!path_is_case(list.paths[i]))
            continue;
        rules.guess = path_is_fuzz(list.paths[i]);
        if (!case_file_load(list.paths[i], &rules, &file, error, sizeof error)) {
            fprintf(stderr, "warpcheck score: %s\n", error);
            continue;
        }
        more = realloc(*cases, (count + file.count) * sizeof **cases);
        for (size_t k = 0; more != NULL && k < file.count; k++)
            more[count++] = file.texts[k].c;
        *cases = more != NULL ? more : *cases;
        case_file_free(&file);
    }
    path_list_free(&list);
    return count;
}

/* "enumeration,libfuzzer": a bit set; 0 after one line on standard error. */
static uint32_t parse_checks(const char *text)
{
    uint32_t checks = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, ","), found = SCORE_CHECKS;
        for (size_t i = 0; i < SCORE_CHECKS; i++) {
            const char *word = score_check_word((enum score_check)i);
            if (strlen(word) == length && strncmp(word, text, length) == 0)
                found = i;
        }
        if (found == SCORE_CHECKS) {
            usage_error(&command_score,
                        "unknown check '%.*s': give enumeration, replay, random, batches, laws, libfuzzer, afl",
                        (int)length, text);
            return 0;
        }
        checks |= 1u << found;
        text += length + (text[length] == ',');
    }
    return checks;
}

static bool keep(const struct score_subject *s, const char *only)
{
    return only == NULL || strstr(s->name, only) != NULL || strstr(s->what, only) != NULL;
}

/* Loads the mutants that were asked for; -1 after one line on standard error. */
static int load_subjects(const struct score_options *o, struct score_subject *subjects)
{
    char error[1024];
    int count = 0, kept = 0;
    if (strcmp(o->plugin, "none") != 0)
        count = score_add_plugin(subjects, SUBJECTS_MAX, o->plugin, error, sizeof error);
    if (count >= 0 && strcmp(o->mechanical, "none") != 0) {
        int more = score_add_mechanical(subjects + count, SUBJECTS_MAX - (size_t)count, o->mechanical, o->reasons,
                                        error, sizeof error);
        count = more < 0 ? -1 : count + more;
    }
    if (count < 0) {
        fprintf(stderr, "warpcheck score: %s\n", error);
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (keep(&subjects[i], o->only))
            subjects[kept++] = subjects[i];
    return kept;
}

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

static void measure(void *context, size_t i, void *result)
{
    const struct measuring *m = context;
    struct score_subject *subject = &m->subjects[m->items[i].subject];
    score_measure(subject, m->items[i].check, m->plan);
    *(struct score_result *)result = subject->results[m->items[i].check];
}

static void measured(void *context, size_t i, const char *reason)
{
    struct measuring *m = context;
    struct score_subject *subject = &m->subjects[m->items[i].subject];
    struct score_result *result = &subject->results[m->items[i].check];
    *result = m->results[i];
    if (reason != NULL)
        *result = (struct score_result){.verdict = SCORE_FAILED};
    result->jobs = m->plan->jobs;
    result->processors = m->plan->processors;
    if (m->file != NULL && result->verdict != SCORE_NOT_RUN)
        m->good = score_save(m->file, subject, m->items[i].check) && m->good;
    progress_update(&m->progress, ++m->ended, m->n, 0, 0);
}

/* Measures what the file of results does not hold yet. False when that cannot be written. */
static bool measure_all(struct score_subject *subjects, size_t count, const struct score_plan *plan,
                        const struct score_options *o)
{
    struct measuring m = {.subjects = subjects, .plan = plan, .file = o->results, .good = true};
    struct pool pool = {
        .jobs = (unsigned)o->jobs, .size = sizeof *m.results, .context = &m, .work = measure, .ended = measured};
    m.items = calloc(count * SCORE_CHECKS + 1, sizeof *m.items);
    m.results = calloc(count * SCORE_CHECKS + 1, sizeof *m.results);
    for (size_t i = 0; m.items != NULL && i < count; i++)
        for (unsigned check = 0; check < SCORE_CHECKS; check++)
            if ((plan->checks >> check & 1u) && subjects[i].results[check].verdict == SCORE_NOT_RUN)
                m.items[m.n++] = (struct item){i, (enum score_check)check};
    if (m.items == NULL || m.results == NULL) {
        fprintf(stderr, "warpcheck score: out of memory\n");
    } else {
        progress_start(&m.progress, "score");
        m.progress.unit = "measurements";
        pool.n = m.n;
        pool.results = m.results;
        pool_run(&pool);
        progress_end(&m.progress);
        if (!m.good)
            fprintf(stderr, "warpcheck score: cannot write %s: %s\n", o->results, strerror(errno));
    }
    m.good = m.good && m.items != NULL && m.results != NULL;
    free(m.items);
    free(m.results);
    return m.good;
}

/* "NUMBER<tab>KEY" of the mechanical mutants that nothing caught: what prove.sh reads. */
static bool write_survivors(const char *path, const struct score_subject *subjects, size_t count)
{
    FILE *file = fopen(path, "w");
    for (size_t i = 0; file != NULL && i < count; i++)
        if (subjects[i].mechanical && !subjects[i].same_code && !score_caught_by(&subjects[i], UINT32_MAX))
            fprintf(file, "%s\t%s\n", subjects[i].name, subjects[i].what);
    if (file != NULL && fclose(file) == 0)
        return true;
    fprintf(stderr, "warpcheck score: cannot write %s: %s\n", path, strerror(errno));
    return false;
}

static int print_summary(const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    struct score_sums sums = {0};
    char fate[SCORE_FATE_MAX];
    for (size_t i = 0; i < count; i++) {
        const struct score_subject *s = &subjects[i];
        score_add(&sums, s);
        if (!score_caught_by(s, UINT32_MAX)) {
            score_fate(s, fate);
            printf("%s%s%s: %s: %s\n", paint(score_missed(s) || score_failed(s) ? PAINT_RED : PAINT_PLAIN), s->name,
                   paint(PAINT_PLAIN), s->what, fate);
        }
        for (unsigned check = SCORE_LIBFUZZER; check < SCORE_CHECKS; check++)
            if ((plan->checks >> check & 1u) && s->results[check].verdict == SCORE_FAILED)
                printf("%s could not run under %s: %s\n", s->name, score_check_name((enum score_check)check), s->what);
            else if ((plan->checks >> check & 1u) && s->results[check].caught < s->results[check].seeds)
                printf("%s missed by %s with %u of %u seeds: %s\n", s->name, score_check_name((enum score_check)check),
                       s->results[check].seeds - s->results[check].caught, s->results[check].seeds, s->what);
    }
    printf("%zu mutants: %zu caught, %zu of them by the checks of run, %zu equivalent (%zu proved, %zu argued and "
           "proved for some cases, %zu argued alone), %zu missed",
           sums.all, sums.caught, sums.by_run, sums.equivalent, sums.proved, sums.bounded, sums.argued, sums.missed);
    if (sums.failed > 0)
        printf(", %zu could not run", sums.failed);
    printf("\n");
    if (sums.failed > 0)
        return STATUS_USAGE;
    return sums.missed > 0 ? STATUS_MISMATCH : STATUS_AGREE;
}

static bool write_markdown(const char *path, const struct score_subject *subjects, size_t count,
                           const struct score_plan *plan)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "warpcheck score: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    score_report(file, subjects, count, plan);
    return fclose(file) == 0;
}

static int score(const struct score_options *o, struct score_plan *plan)
{
    static struct score_subject subjects[SUBJECTS_MAX]; /* large */
    static char targets[2][JOB_PATH_MAX], program[JOB_PATH_MAX], corpus[JOB_PATH_MAX];
    struct warp_case *cases = NULL;
    char error[1024], proofs[JOB_PATH_MAX + 16], work[] = "/tmp/warpcheck-score-XXXXXX";
    int count = load_subjects(o, subjects), status;
    bool good;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (count < 0)
        return STATUS_USAGE;
    for (int engine = 0; engine < 2; engine++)
        if (plan->checks >> (engine == ENGINE_AFL ? SCORE_AFL : SCORE_LIBFUZZER) & 1u) {
            if (!engine_prepare((enum engine)engine, targets[engine], error, sizeof error)) {
                fprintf(stderr, "warpcheck score: %s\n", error);
                return STATUS_USAGE;
            }
            plan->targets[engine] = targets[engine];
        }
    if (o->corpus != NULL || load_default_folder("corpus", corpus, sizeof corpus))
        plan->corpus_count = load_corpus(o->corpus != NULL ? o->corpus : corpus, &cases);
    plan->corpus = cases;
    plan->program = length > 0 ? program : "warpcheck";
    if (mkdtemp(work) == NULL) {
        fprintf(stderr, "warpcheck score: cannot make a folder in /tmp: %s\n", strerror(errno));
        return STATUS_USAGE;
    }
    plan->work = work;
    interrupt_catch();
    if (o->results != NULL)
        score_load(o->results, plan, subjects, (size_t)count);
    good = measure_all(subjects, (size_t)count, plan, o);
    snprintf(proofs, sizeof proofs, "%s/proofs.tsv", o->mechanical);
    score_load_proofs(proofs, subjects, (size_t)count);
    status = print_summary(subjects, (size_t)count, plan);
    if (!good)
        status = STATUS_USAGE;
    if (o->survivors != NULL && !write_survivors(o->survivors, subjects, (size_t)count))
        status = STATUS_USAGE;
    if (o->markdown != NULL && !write_markdown(o->markdown, subjects, (size_t)count, plan))
        status = STATUS_USAGE;
    rmdir(work);
    free(cases);
    return status;
}

static int score_main(int argc, char **argv)
{
    struct score_options o = {.plugin = WARPCHECK_MUTANTS,
                              .mechanical = "none",
                              .reasons = WARPCHECK_SOURCE_DIR "/test/mutants/mechanical/equivalent.txt",
                              .checks = "enumeration,replay,random,batches,laws",
                              .jobs = 1,
                              .seeds = 1,
                              .random_cases = 1000000,
                              .seconds = 30};
    struct score_plan plan = {.law_cases = 100000, .engine_s = {10, 30}};
    const struct option table[] = {
        {"checks", OPTION_TEXT, &o.checks, "LIST",
         "of enumeration,replay,random,batches,laws,libfuzzer,afl (default: the first five)"},
        {"plugin", OPTION_TEXT, &o.plugin, "FILE.so", "the hand-written mutants (default: this build's), or none"},
        {"mechanical", OPTION_TEXT, &o.mechanical, "DIR",
         "mechanical mutants, from test/mutants/mechanical/build.sh (default: none)"},
        {"equivalent", OPTION_TEXT, &o.reasons, "FILE", "mutants known to be equivalent, and why"},
        {"only", OPTION_TEXT, &o.only, "TEXT", "mutants whose name or description has this text"},
        {"jobs", OPTION_COUNT, &o.jobs, "N", "measurements at a time; times are of a busier machine then (default: 1)"},
        {"seeds", OPTION_NUMBER, &o.seeds, "N", "runs of each engine, medians are given (default: 1)"},
        {"afl-seeds", OPTION_NUMBER, &o.afl_seeds, "N", "of AFL++, where it is not to be as many"},
        {"seconds", OPTION_SECONDS, &o.seconds, "N", "limit of a check that is no engine (default: 30)"},
        {"cases", OPTION_NUMBER, &o.random_cases, "N", "of the random check (default: 1000000)"},
        {"corpus", OPTION_TEXT, &o.corpus, "DIR", "case files (default: warpcheck's own)"},
        {"results", OPTION_TEXT, &o.results, "FILE", "keep each result there, and measure only what it does not hold"},
        {"survivors", OPTION_TEXT, &o.survivors, "FILE", "write which mechanical mutants nothing caught, for prove.sh"},
        {"markdown", OPTION_TEXT, &o.markdown, "FILE", "write the tables (docs/score.md)"},
    };
    int operands = options_parse(&command_score, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_score, "unexpected '%s'", argv[1]);
    if (o.afl_seeds == 0)
        o.afl_seeds = o.seeds;
    if (o.seeds < 1 || o.seeds > SCORE_SEEDS_MAX || o.afl_seeds > SCORE_SEEDS_MAX)
        return usage_error(&command_score, "--seeds and --afl-seeds take 1 to %u", SCORE_SEEDS_MAX);
    plan.checks = parse_checks(o.checks);
    if (plan.checks == 0)
        return STATUS_USAGE;
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
        "  fuzz/score.sh                                       everything, into docs/score.md\n",
    .run = score_main};
