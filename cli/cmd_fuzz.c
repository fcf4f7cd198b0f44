/* warpcheck fuzz: coverage-guided campaigns with libFuzzer or AFL++. */
#define _GNU_SOURCE /* realpath, isatty */
#include "base/buffer.h"
#include "base/clock.h"
#include "base/process.h"
#include "check/checker.h"
#include "check/impl/impl.h"
#include "check/random.h"
#include "cli/fuzz/arguments.h"
#include "cli/fuzz/passed.h"
#include "cli/fuzz/reached.h"
#include "cli/kernels/cross.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "fuzz/campaign/causes.h"
#include "fuzz/campaign/command.h"
#include "fuzz/campaign/loop.h"
#include "fuzz/derive.h"
#include "warpcheck/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG_HEAD 40u /* lines of a log in which the engine tells of its options */

/* A finding, for a result that is printed at the end. */
struct told {
    char *line, *folder, *command; /* owned */
};

struct fuzzing {
    struct loop loop;
    uint32_t families; /* of the target's cases */
    bool json, drawn;
    double last_line;
    struct reached reached;
    struct fuzz_causes causes;
    struct told *told; /* with --json; owned */
    size_t told_count, told_room;
};

static bool asked_to_stop(void *context)
{
    (void)context;
    return interrupted();
}

static void erase_line(struct fuzzing *f)
{
    if (f->drawn && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    f->drawn = false;
}

/* Was the bucket not yet reached: reachable, in a family that was fuzzed, and no input fell into it? Writes its
 * name. */
static bool is_unhit(const struct fuzzing *f, size_t bucket, char name[160])
{
    struct coverage_info info;
    coverage_describe(bucket, &info);
    if (!(f->families >> info.family & 1u) || coverage_why_not(&info) != NULL || f->loop.totals.hits[bucket] > 0)
        return false;
    coverage_name(bucket, name, 160);
    return true;
}

/* Says that nothing new came for so long, and what was never reached by a case that was compared: some of it. */
static void tell_quiet(struct fuzzing *f, double quiet_s, const struct loop_buckets *buckets)
{
    char some[3 * 162] = "", name[160];
    size_t named = 0;
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS && named < 3; bucket++)
        if (is_unhit(f, bucket, name)) {
            const size_t used = strlen(some);
            snprintf(some + used, sizeof some - used, "%s%s", named == 0 ? "" : ", ", name);
            named++;
        }
    erase_line(f);
    if (named == 0)
        complain("warpcheck fuzz: nothing new for %.0f s; all %zu buckets are reached by what was compared", quiet_s,
                 buckets->reachable);
    else
        complain(
            "warpcheck fuzz: nothing new for %.0f s; %zu of %zu buckets are reached; never by what was compared: %s%s",
            quiet_s, buckets->hit, buckets->reachable, some,
            buckets->reachable - buckets->hit > named ? ", and others (the report has them all)" : "");
}

static void tick(void *context, const struct loop *loop, double elapsed)
{
    struct fuzzing *f = context;
    const struct loop_totals *t = &loop->totals;
    struct loop_buckets buckets = loop_buckets(t, f->families);
    const double quiet_s =
        f->families != 0 ? reached_add(&f->reached, elapsed, buckets.hit, t->pairs, loop->findings) : 0;
    if (quiet_s > 0)
        tell_quiet(f, quiet_s, &buckets);
    bool live = isatty(STDERR_FILENO);
    if (!live && elapsed - f->last_line < (elapsed < 10 ? 1.0 : 10.0))
        return;
    erase_line(f);
    fprintf(stderr, "%4.0f s  %s checks/s  %s checks  %s executions  buckets %zu of %zu  pairs %s  findings %s%s",
            elapsed, number_text((uint64_t)((double)t->checks / (elapsed > 0 ? elapsed : 1))), number_text(t->checks),
            number_text(t->executions), buckets.hit, buckets.reachable, number_text(t->pairs),
            number_text(loop->findings), live ? "" : "\n");
    fflush(stderr);
    f->drawn = live;
    f->last_line = elapsed;
}

static void keep_told(struct fuzzing *f, const struct loop_finding *finding)
{
    struct told *const more = array_grow(f->told, f->told_count, &f->told_room, sizeof *more);
    if (more == NULL) {
        complain("warpcheck fuzz: no memory: a finding is missing in the result: %s", finding->folder);
        return;
    }
    f->told = more;
    more[f->told_count++] = (struct told){strdup(finding->line), strdup(finding->folder), strdup(finding->command)};
}

static void show_finding(void *context, const struct loop_finding *finding)
{
    struct fuzzing *f = context;
    fuzz_causes_note(&f->causes, finding);
    if (finding->known)
        return;
    erase_line(f);
    if (f->json) {
        keep_told(f, finding);
        return;
    }
    printf("%sFINDING%s %s\n  kept:   %s\n  replay: %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), shown(finding->line),
           shown(finding->folder), shown(finding->command));
    fflush(stdout);
}

static void show_note(void *context, const char *line)
{
    erase_line(context);
    complain("warpcheck fuzz: %s", line);
}

/* --- the report --- */

static void print_families(const struct fuzzing *f)
{
    printf("\n%-13s %10s %10s %12s\n", "buckets", "hit", "reachable", "unreachable");
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        struct loop_buckets b = loop_buckets(&f->loop.totals, WARP_FAMILY_BIT(family));
        if (f->families & WARP_FAMILY_BIT(family))
            printf("%-13s %10zu %10zu %12zu\n", warp_family_name(family), b.hit, b.reachable, b.unreachable);
    }
}

/* Prints all of them, so that a bucket that is not in the list was reached; one line where nothing of a family was. */
static void print_unhit(const struct fuzzing *f)
{
    bool none[WARP_FAMILIES];
    size_t unhit = 0;
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        const struct loop_buckets b = loop_buckets(&f->loop.totals, WARP_FAMILY_BIT(family) & f->families);
        none[family] = b.reachable > 0 && b.hit == 0;
        if (none[family])
            printf("%s  %s: no case of it was compared\n", unhit++ == 0 ? "\nnot yet reached:\n" : "",
                   warp_family_name(family));
    }
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        struct coverage_info info;
        char name[160];
        coverage_describe(bucket, &info);
        if (!none[info.family] && is_unhit(f, bucket, name))
            printf("%s  %s\n", unhit++ == 0 ? "\nnot yet reached:\n" : "", name);
    }
}

static void find_causes(const struct fuzz_causes *causes, fuzz_cause_fn tell)
{
    struct error error;
    if (!fuzz_causes_find(causes, tell, &error))
        complain("warpcheck: %s", error.text);
}

static void print_cause(const struct fuzz_causes *causes, const char *cause, const bool shown_by[FUZZ_CAUSES_MAX])
{
    printf("\n%scause%s: %s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), shown(cause));
    for (size_t i = 0; i < causes->count; i++)
        if (shown_by[i])
            printf("  shown by %s\n", shown(file_name(causes->kept[i].folder)));
}

static void write_cause(const struct fuzz_causes *causes, const char *cause, const bool shown_by[FUZZ_CAUSES_MAX])
{
    (void)causes, (void)shown_by;
    out_text(NULL, cause);
}

/* libFuzzer passes over an option that it does not know, and says so in its log alone, at the beginning. */
static void tell_passed_over(const struct loop *loop)
{
    char path[FILE_PATH_MAX], line[400];
    FILE *log;
    if (loop->plan.engine != ENGINE_LIBFUZZER || loop->plan.options == NULL ||
        !file_join(loop->plan.work, "log-0", path, NULL) || (log = fopen(path, "r")) == NULL)
        return;
    for (unsigned i = 0; i < LOG_HEAD && fgets(line, sizeof line, log) != NULL; i++) {
        line[strcspn(line, "\n")] = '\0';
        if (strstr(line, "unrecognized flag") != NULL)
            fprintf(stderr, "warpcheck fuzz: an option behind -- was passed over: %s\n", shown(line));
    }
    fclose(log);
}

static void print_report(const struct fuzzing *f)
{
    const struct loop *loop = &f->loop;
    const struct loop_totals *t = &loop->totals;
    struct loop_buckets all = loop_buckets(t, f->families);
    if (f->families != 0) {
        print_families(f);
        print_unhit(f);
        reached_print(&f->reached, loop->elapsed_s, all.reachable);
        printf("\n%zu of %zu reachable buckets; why the other %zu cannot be reached: warpcheck fuzz --list-buckets\n",
               all.hit, all.reachable, all.unreachable);
    }
    if (loop->collected > 0)
        printf("AFL++ added %zu inputs to the corpus\n", loop->collected);
    if (t->refused > 0)
        printf("%s cases were not accepted by %s\n", number_text(t->refused), shown(loop->plan.impl));
    printf("%s: %s executions, %s checks in %.1f s with %u job%s; %s mismatches, %s new findings",
           engine_name(loop->plan.engine), number_text(t->executions), number_text(t->checks), loop->elapsed_s,
           loop->jobs_count, loop->jobs_count == 1 ? "" : "s", number_text(t->mismatches), number_text(loop->findings));
    if (loop->crashes > 0)
        printf(", %s crashes", number_text(loop->crashes));
    if (loop->undecided > 0)
        printf(", %s inputs that show something were not looked at", number_text(loop->undecided));
    if (loop->known_before > 0)
        printf(" (%s known before)", number_text(loop->known_before));
    printf("\nworking corpus and logs: %s\n", shown(loop->plan.work));
    tell_passed_over(loop);
    if (!interrupted() && !loop->plan.slow) {
        find_causes(&f->causes, print_cause);
        if (f->causes.left > 0)
            printf("%zu further findings were not sorted by cause\n", f->causes.left);
    } else if (f->causes.count > 0)
        printf("causes were not looked for%s: warpcheck run names those that its own cases show\n",
               loop->plan.slow ? ", since it is slow" : "");
}

/* How a campaign ended, the worst first. */
enum fuzz_verdict { FUZZ_NOT_KEPT, FUZZ_MISMATCH, FUZZ_INTERRUPTED, FUZZ_NOTHING, FUZZ_AGREES };

/* Did a person end it before its time? --seconds 0 asks for that. */
static bool is_cut(const struct fuzzing *f)
{
    return interrupted() && f->loop.elapsed_s < f->loop.seconds;
}

static enum fuzz_verdict judge(const struct fuzzing *f)
{
    const struct loop *loop = &f->loop;
    if (loop->unkept > 0)
        return FUZZ_NOT_KEPT;
    if (loop->totals.mismatches + loop->findings + loop->crashes + loop->undecided + loop->stuck > 0)
        return FUZZ_MISMATCH;
    if (is_cut(f))
        return FUZZ_INTERRUPTED;
    return loop->totals.checks > 0 ? FUZZ_AGREES : FUZZ_NOTHING;
}

static const struct {
    const char *word;
    int status;
} verdicts[] = {[FUZZ_NOT_KEPT] = {"FINDING NOT KEPT", STATUS_USAGE},
                [FUZZ_MISMATCH] = {"MISMATCH", STATUS_MISMATCH},
                [FUZZ_INTERRUPTED] = {"INTERRUPTED", STATUS_MISMATCH},
                [FUZZ_NOTHING] = {"NOTHING COMPARED", STATUS_MISMATCH},
                [FUZZ_AGREES] = {"all agree", STATUS_AGREE}};

/* Says what the report does not: a finding that could not be kept, a campaign that was cut short or compared nothing.
 */
static void tell_verdict(const struct fuzzing *f, enum fuzz_verdict verdict, const char *out)
{
    const struct loop *loop = &f->loop;
    switch (verdict) {
    case FUZZ_NOT_KEPT:
        complain("warpcheck fuzz: %s findings were not kept in %s: make room there and run it again",
                 number_text(loop->unkept), out);
        break;
    case FUZZ_NOTHING:
        if (loop->totals.refused > 0)
            complain("warpcheck fuzz: NOTHING COMPARED: %s accepted none of %s cases", loop->plan.impl,
                     number_text(loop->totals.refused));
        else
            complain("warpcheck fuzz: NOTHING COMPARED: no input was answered in %.0f s; give it more --seconds",
                     loop->elapsed_s);
        break;
    case FUZZ_MISMATCH:
    case FUZZ_INTERRUPTED:
    case FUZZ_AGREES:
        break;
    }
    if (is_cut(f))
        complain("warpcheck fuzz: INTERRUPTED after %.1f of %.0f s: this is what was done so far", loop->elapsed_s,
                 loop->seconds);
}

static void write_told(struct fuzzing *f)
{
    out_begin_array("kept");
    for (size_t i = 0; i < f->told_count; i++) {
        struct told *const t = &f->told[i];
        out_begin_object(NULL);
        out_text("finding", t->line != NULL ? t->line : "");
        out_text("folder", t->folder != NULL ? t->folder : "");
        out_text("replay", t->command != NULL ? t->command : "");
        out_end();
        free(t->line);
        free(t->folder);
        free(t->command);
    }
    out_end();
    free(f->told);
    f->told = NULL;
    f->told_count = f->told_room = 0;
}

/* `apart`: what was wrong in a process of its own; NULL: nothing. */
static void print_json(struct fuzzing *f, enum fuzz_verdict verdict, const char *apart)
{
    const struct loop *loop = &f->loop;
    const struct loop_totals *t = &loop->totals;
    out_start();
    out_text("engine", engine_name(loop->plan.engine));
    out_text("target", loop->plan.target);
    out_text("implementation", loop->plan.impl);
    out_real("seconds", loop->elapsed_s);
    out_number("jobs", loop->jobs_count);
    out_number("executions", t->executions);
    out_number("checks", t->checks);
    out_number("not_accepted", t->refused);
    out_number("mismatches", t->mismatches);
    out_number("findings", loop->findings);
    out_number("crashes", loop->crashes);
    out_number("not_looked_at", loop->undecided);
    out_number("known_before", loop->known_before);
    write_told(f);
    out_begin_array("families");
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        struct loop_buckets b = loop_buckets(t, WARP_FAMILY_BIT(family));
        if (!(f->families & WARP_FAMILY_BIT(family)))
            continue;
        out_begin_object(NULL);
        out_text("family", warp_family_name(family));
        out_number("hit", b.hit);
        out_number("reachable", b.reachable);
        out_number("unreachable", b.unreachable);
        out_end();
    }
    out_end();
    out_number("pairs", t->pairs);
    out_begin_array("buckets_over_time");
    for (size_t i = 0; i < f->reached.count; i++) {
        out_begin_object(NULL);
        out_real("seconds", f->reached.moments[i].at_s);
        out_number("buckets", f->reached.moments[i].hit);
        out_number("pairs", f->reached.moments[i].pairs);
        out_end();
    }
    out_end();
    out_begin_array("not_reached");
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        char name[160];
        if (is_unhit(f, bucket, name))
            out_text(NULL, name);
    }
    out_end();
    if (!interrupted() && !loop->plan.slow) {
        out_begin_array("causes");
        find_causes(&f->causes, write_cause);
        out_end();
    }
    out_bool("interrupted", is_cut(f));
    if (apart != NULL)
        out_text("asked_apart", apart);
    out_text("verdict", verdicts[verdict].word);
    out_number("status", (uint64_t)verdicts[verdict].status);
    out_print();
}

static int list_buckets(void)
{
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        struct coverage_info info;
        const char *why = coverage_unreachable(bucket);
        char name[160];
        coverage_describe(bucket, &info);
        coverage_name(bucket, name, sizeof name);
        if (why != NULL) {
            printf("%-52s UNREACHABLE: %s\n", name, why);
            continue;
        }
        printf("%-52s %s", name, info.group_meaning);
        for (unsigned i = 0; i < 4; i++)
            if (info.value_meaning[i][0] != '\0')
                printf("; %s", info.value_meaning[i]);
        printf("\n");
    }
    printf("%d buckets, %zu reachable\n", COVERAGE_BUCKETS, coverage_reachable(WARP_FAMILIES));
    return STATUS_AGREE;
}

/* --- options --- */

struct fuzz_options {
    const char *engine, *impl, *target, *work, *out, *seeds, *kernel;
    uint32_t families;
    double seconds;
    uint64_t jobs, seed, derived;
    bool json, buckets, stop;
    const char *const *engine_options; /* those behind `--`, ended by NULL */
};

/* Chooses the target: that of the one family, or the one for all families. */
static void choose_target(const struct fuzz_options *o, uint32_t families, char target[64])
{
    snprintf(target, 64, "fuzz_%s", o->target != NULL ? target_short_name(o->target) : "all");
    for (unsigned family = 0; o->target == NULL && family < WARP_FAMILIES; family++)
        if (families == WARP_FAMILY_BIT(family)) {
            snprintf(target, 64, "fuzz_%s", warp_family_name(family));
            for (char *c = target; *c != '\0'; c++)
                *c = *c == '.' ? '_' : *c;
        }
}

/*
 * Leaves of the families those that the target's cases have: its inputs must be read elsewhere as it reads them. False
 * with one line when nothing is left.
 */
static bool narrow_families(const char *target, uint32_t *families)
{
    const char *const name = target_short_name(target);
    const uint32_t own = fuzz_target_family(name);
    if (own != 0 && (*families & own) == 0) {
        complain("warpcheck fuzz: the target %s has no case of what --only asks for", name);
        return false;
    }
    if (own != 0)
        *families = own;
    return true;
}

/* Is it a process or a plugin, which executes whole kernels that are generated? */
static bool takes_kernels(const struct fuzz_options *o)
{
    struct impl_name name;
    struct error error;
    return o->impl && o->target && target_kind(o->target) == TARGET_KERNEL && !o->kernel &&
           impl_name_parse(o->impl, &name, &error) &&
           (name.kind == IMPL_PIPE || (name.kind == IMPL_PLUGIN && name.inner[0] == '\0'));
}

#define KERNELS_S 600.0 /* what differed is reduced and kept at least as often */

/* No engine: the generator is led by the pairs of features (docs/kernel-suite.md). */
static int fuzz_by_kernels(const struct fuzz_options *o)
{
    static struct kernel_campaign c = {.suite = {.target = WARP_TARGET(90, 0), .size = MAKE_MIXED},
                                       .count = UINT64_MAX / 2,
                                       .is_endless = true,
                                       .module = KERNEL_CAMPAIGN_MODULE,
                                       .time = 120};
    const double end = o->seconds > 0 ? clock_seconds() + o->seconds : HUGE_VAL;
    struct error error;
    int worst = STATUS_AGREE;
    c.suite.seed = o->seed ? o->seed : (uint64_t)clock_calendar();
    c.jobs = o->jobs;
    c.out = o->out;
    if (o->json || o->engine_options || o->seeds || o->stop || o->families != WARP_FAMILY_ALL ||
        strcmp(o->engine, "afl") == 0)
        return usage_error(&command_fuzz,
                           "whole kernels are generated: no engine is used, and there is no --json, --only, "
                           "--seeds, --stop or --engine");
    if (!peer_find(o->impl, &c.peer, &error))
        return usage_error(&command_fuzz, "%s", error.text);
    for (double left = end - clock_seconds(); left > 0; c.suite.seed++) {
        c.seconds = left < 2 * KERNELS_S ? left : KERNELS_S;
        printf("fuzzing %s with generated kernels, seed %" PRIu64 "\n", shown(o->impl), c.suite.seed);
        fflush(stdout);
        const int status = cross_kernels(&c, "fuzz", o->seconds == 0);
        worst = status > worst ? status : worst;
        if (status == STATUS_USAGE || c.had_enough || interrupted())
            break;
        left = left < 2 * KERNELS_S ? 0 : end - clock_seconds();
    }
    if (o->seconds == 0)
        interrupt_clear();
    return worst;
}

#define APART_CASES   20000u
#define APART_SECONDS 10.0 /* a slow plugin is asked fewer */

/* Cases of the corpus and random ones, of the families that were fuzzed. False when one of them was not answered. */
static bool ask_sample(const struct fuzzing *f, struct checker *checker)
{
    const double until = clock_seconds() + APART_SECONDS;
    char folder[JOB_PATH_MAX];
    struct warp_case c, *corpus = NULL;
    bool good = true;
    size_t n = 0;
    if (load_default_folder("corpus", folder, sizeof folder))
        load_cases(&command_fuzz, folder, &corpus, &n);
    else
        complain("warpcheck fuzz: there is no folder corpus: asked apart, the plugin gets random cases alone");
    for (uint64_t i = 0; good && i < n && !interrupted() && clock_seconds() < until; i++)
        if (WARP_FAMILY_BIT(warp_form_get(corpus[i].form)->family) & f->families)
            good = checker_run(checker, &corpus[i], 1);
    free(corpus);
    for (uint64_t i = 0; good && i < APART_CASES && !interrupted() && clock_seconds() < until; i++) {
        random_case(f->loop.plan.seed, i, f->families, &c);
        good = checker_run(checker, &c, 1);
    }
    return good;
}

/*
 * Under an engine a plugin is in the process that judges it. Where that saw nothing, some cases are asked in a process
 * of its own. False with one line: they show what the engine's process did not.
 */
static bool ask_apart(const struct fuzzing *f, struct error *error)
{
    static struct checker checker; /* large */
    const struct loop *loop = &f->loop;
    struct impl_name name;
    if (judge(f) != FUZZ_AGREES || f->families == 0 || !impl_name_parse(loop->plan.impl, &name, error) ||
        name.kind != IMPL_PLUGIN)
        return true;
    const struct warp_impl *const spec = impl_open("spec", error);
    const struct warp_impl *const impl = spec != NULL ? impl_open(loop->plan.impl, error) : NULL;
    if (impl == NULL)
        return false;
    checker_init(&checker, spec, impl, NULL, NULL);
    bool good = ask_sample(f, &checker);
    const struct checker_counts counts = checker_total(&checker);
    if (!good)
        error_set(error, ERROR_DECLINED, "asked in a process of its own: %s", checker.error.text);
    else if (counts.mismatches > 0)
        good = error_set(
            error, ERROR_DECLINED,
            "MISMATCH: asked in a process of its own, it differs on %s of %s cases, which the engine's "
            "process did not see: too short a time, or the plugin changes its judge there (warpcheck run finds them)",
            number_text(counts.mismatches), number_text(counts.compared));
    struct error ended;
    const bool closed = impl_close(impl, &ended);
    if (good && !closed)
        return error_set(error, ended.code, "%s", ended.text);
    return good;
}

static int campaign(const struct fuzz_options *o, enum engine engine, uint32_t families)
{
    static struct fuzzing f; /* large */
    static char work[JOB_PATH_MAX], out[JOB_PATH_MAX], seeds[JOB_PATH_MAX], targets[JOB_PATH_MAX], impl[IMPL_FULL_MAX],
        program[JOB_PATH_MAX], target[64], path[2 * JOB_PATH_MAX];
    struct error error;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    snprintf(program + (length > 0 ? length : 0), 16, "%s", length > 0 ? "" : "warpcheck");
    if (!fuzz_can_open(o->impl) || (o->seeds != NULL && !fuzz_absolute_inputs(o->seeds, seeds)) ||
        !fuzz_absolute_folder(o->work, work) || !fuzz_absolute_folder(o->out, out))
        return STATUS_USAGE;
    if (!engine_prepare(engine, NULL, targets, &error)) {
        complain("warpcheck fuzz: %s", error.text);
        return error_status(&error);
    }
    choose_target(o, families, target);
    if (!narrow_families(target, &families))
        return STATUS_USAGE;
    snprintf(path, sizeof path, "%s/%s", targets, target);
    if (access(path, X_OK) != 0) {
        complain("warpcheck fuzz: there is no target %s (%s)", target_short_name(target), path);
        return STATUS_USAGE;
    }
    impl_name_full(o->impl, impl);
    f.families = target_counts_buckets(target_kind(target)) ? families : 0;
    f.json = o->json;
    f.loop.plan = (struct job_plan){engine,
                                    targets,
                                    target,
                                    families,
                                    impl,
                                    work,
                                    out,
                                    o->seeds != NULL ? seeds : NULL,
                                    program,
                                    o->seed,
                                    (unsigned)o->derived,
                                    o->stop,
                                    0,
                                    (unsigned)o->jobs,
                                    false,
                                    fuzz_is_traced(impl),
                                    false,
                                    o->engine_options};
    f.loop.jobs_count = (unsigned)o->jobs;
    f.loop.seconds = o->seconds;
    f.loop.context = &f;
    f.loop.stop = asked_to_stop;
    f.loop.tick = tick;
    f.loop.finding = show_finding;
    f.loop.note = show_note;
    interrupt_catch();
    if (!o->json && f.loop.plan.traced)
        printf("%s was compiled for coverage: what it executes and compares leads the engine\n", shown(impl));
    if (!o->json)
        printf("fuzzing %s with %s, %llu job%s, target %s\n", shown(impl), engine_name(engine),
               (unsigned long long)o->jobs, o->jobs == 1 ? "" : "s", target);
    if (!loop_run(&f.loop, &error)) {
        erase_line(&f);
        complain("warpcheck fuzz: %s", error.text);
        return STATUS_USAGE;
    }
    erase_line(&f);
    if (o->seconds == 0)
        interrupt_clear(); /* it was the end that was asked for */
    const bool agrees_apart = ask_apart(&f, &error);
    const enum fuzz_verdict verdict = agrees_apart ? judge(&f) : FUZZ_MISMATCH;
    if (o->json)
        print_json(&f, verdict, agrees_apart ? NULL : error.text);
    else
        print_report(&f);
    if (!agrees_apart)
        complain("warpcheck fuzz: %s", error.text);
    tell_verdict(&f, verdict, out);
    return verdicts[verdict].status;
}

/* How many words stand before `--`; what follows it is for the engine. */
static int options_before(int argc, char **argv, const char *const **engine)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            *engine = (const char *const *)&argv[i + 1];
            return i;
        }
    return argc;
}

static int fuzz_main(int argc, char **argv)
{
    struct fuzz_options o = {.engine = "libfuzzer",
                             .work = "warpcheck-fuzz",
                             .out = "findings",
                             .families = WARP_FAMILY_ALL,
                             .seconds = 60,
                             .jobs = process_processors() < LOOP_JOBS_MAX ? process_processors() : LOOP_JOBS_MAX,
                             .derived = DERIVED_MAX};
    const struct option table[] = {
        {OPT_ENGINE, &o.engine, NULL, false},
        {OPT_SECONDS_ENGINE, &o.seconds, "60; 0: until Ctrl-C", false},
        {OPT_JOBS, &o.jobs, "the processors", false},
        {OPT_ONLY, &o.families, NULL, false},
        {OPT_IMPL, &o.impl, "fast-all", false},
        {OPT_TARGET, &o.target, NULL, false},
        {OPT_KERNEL, &o.kernel, "a small one of its own", false},
        {OPT_WORK, &o.work, NULL, false},
        {OPT_SEEDS, &o.seeds, NULL, false},
        {OPT_OUT, &o.out, NULL, false},
        {OPT_SEED, &o.seed, "the engine's own", false},
        {OPT_DERIVED, &o.derived, NULL, false},
        {OPT_STOP, &o.stop, NULL, false},
        {OPT_LIST_BUCKETS, &o.buckets, NULL, false},
        {OPT_JSON, &o.json, NULL, false},
    };
    static struct passed passed;
    const int own = options_before(argc, argv, &o.engine_options);
    int operands = options_parse(&command_fuzz, table, sizeof table / sizeof table[0], own, argv);
    enum engine engine;
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_fuzz, "unexpected '%s' (an implementation is named with --impl)", argv[1]);
    if (o.buckets)
        return list_buckets();
    if (!engine_find(o.engine, &engine))
        return usage_error(&command_fuzz, "unknown engine '%s': give libfuzzer or afl", o.engine);
    if (o.kernel && !fuzz_can_execute(&command_fuzz, o.kernel, &o.target))
        return STATUS_USAGE;
    if (takes_kernels(&o))
        return fuzz_by_kernels(&o);
    if (o.impl && o.target && !target_asks_implementation(target_kind(o.target)))
        return usage_error(
            &command_fuzz, "--impl %s: the target %s asks no implementation: %s", shown(o.impl), o.target,
            target_kind(o.target) == TARGET_KERNEL
                ? "kernels are executed over the transcription (warpcheck kernel --impl takes another); "
                  "pipe:COMMAND and FILE.so are asked for whole kernels (docs/kernel-suite.md)"
            : strcmp(target_short_name(o.target), "batch") == 0 ? "it is about the batches of fast itself"
                                                                : "it is about what reads and writes cases");
    if (!o.impl)
        o.impl = "fast-all";
    if (o.jobs > LOOP_JOBS_MAX)
        return usage_error(&command_fuzz, "--jobs takes 1 to %u", LOOP_JOBS_MAX);
    const int refused = passed_take(&command_fuzz, engine, o.engine_options, &passed);
    if (refused != 0)
        return refused;
    o.engine_options = o.engine_options != NULL ? passed.options : NULL;
    if (o.derived > DERIVED_MAX)
        return usage_error(&command_fuzz, "--derived takes 0 to %u", DERIVED_MAX);
    return campaign(&o, engine, o.families);
}

const struct command command_fuzz = {
    .name = "fuzz",
    .summary = "coverage-guided campaign with libFuzzer or AFL++",
    .help = "usage: warpcheck fuzz [--engine libfuzzer|afl] [--impl NAME] [OPTION...] [-- ENGINE OPTION...]\n"
            "\n"
            "Feeds an implementation with cases that a fuzzing engine makes, and compares its answers with the\n"
            "transcription of the PTX manual. The engine is led by the meaning of the cases: it keeps each input\n"
            "that reaches a new bucket (instruction, segment, clamp, outcome, kinds of value...).\n"
            "\n"
            "A mismatch is reduced, told apart from the others by a signature, and kept as a folder with the\n"
            "case, the line and a form for a verdict, before it is shown. Stop it at any time and start it again:\n"
            "it goes on from its working corpus. The engine's targets are built on the first use.\n"
            "\n"
            "A process or a plugin that executes whole kernels is asked for generated ones, without an engine:\n"
            "--target kernel --impl pipe:COMMAND, or FILE.so (docs/kernel-suite.md).\n"
            "\n"
            "A plugin that was compiled with -fsanitize=fuzzer-no-link leads the engine too, by what it executes\n"
            "and by the values that it compares. Options behind -- are given to the engine.\n"
            "\n"
            "  warpcheck fuzz --seconds 10                       the built-in fast implementation\n"
            "  warpcheck fuzz --impl ./mine.so --only shfl.sync  a plugin, one family of instructions\n"
            "  warpcheck fuzz --engine afl --jobs 2 --seconds 0  AFL++, main and secondary, until Ctrl-C\n",
    .run = fuzz_main};
