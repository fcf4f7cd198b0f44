/* warpcheck-bench: the program. */
#include "bench.h"

#include "base/buffer.h"
#include "base/file.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: warpcheck-bench [--json FILE] [--only TEXT] [--level L1|L2|memory] [--rounds N] [--no-jobs] [--targets "
    "DIR]\n"
    "       warpcheck-bench compare BEFORE.json AFTER.json\n"
    "\n"
    "Times every implementation of every operation in turns and prints a table: ns a warp, how many times as fast as "
    "the\n"
    "transcription, and the time over that of a memcpy of the same bytes.\n"
    "\n"
    "  --json FILE   also write the results as JSON (- for standard output, instead of the table)\n"
    "  --only TEXT   only operations whose name contains TEXT\n"
    "  --level L     only data in that level\n"
    "  --rounds N    slices for each median, 1 to 64 (default 15)\n"
    "  --no-jobs     leave out the whole jobs (exhaustive enumeration, checking)\n"
    "  --targets DIR also time the fuzz targets that `warpcheck fuzz` built: the folder engines/ of the build\n"
    "  compare       two results side by side\n";

struct options {
    const char *json, *only, *level, *targets;
    unsigned rounds;
    bool jobs;
};

static void wrong_usage(const char *what, const char *argument)
{
    fprintf(stderr, "warpcheck-bench: %s%s; see warpcheck-bench --help\n", what, argument);
    exit(2);
}

static void parse_rounds(const char *text, struct options *o)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > 64)
        wrong_usage("--rounds takes a number from 1 to 64, not ", text);
    o->rounds = (unsigned)value;
}

static void parse_level(const char *text, struct options *o)
{
    for (unsigned level = 0; level < BENCH_LEVELS; level++)
        if (strcmp(text, bench_level_names[level]) == 0)
            o->level = text;
    if (o->level == NULL)
        wrong_usage("--level takes L1, L2 or memory, not ", text);
}

static void set_option(const char *name, const char *value, struct options *o)
{
    static const char *const names[] = {"--json", "--only", "--level", "--rounds", "--targets"};
    size_t i = 0;
    while (i < sizeof names / sizeof names[0] && strcmp(names[i], name) != 0)
        i++;
    if (i == sizeof names / sizeof names[0])
        wrong_usage("unknown argument ", name);
    if (value == NULL)
        wrong_usage("a value is missing after ", name);
    switch (i) {
    case 0:
        o->json = value;
        break;
    case 1:
        o->only = value;
        break;
    case 2:
        parse_level(value, o);
        break;
    case 3:
        parse_rounds(value, o);
        break;
    default:
        o->targets = value;
    }
}

static struct options parse(int argc, char **argv)
{
    struct options o = {.rounds = 15, .jobs = true};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strcmp(name, "--no-jobs") == 0) {
            o.jobs = false;
            continue;
        }
        set_option(name, value, &o);
        i++;
    }
    return o;
}

static struct bench_contestant contestant(const char *name, const char *suffix, const struct warp_impl *impl,
                                          bool cases)
{
    struct bench_contestant c = {.impl = impl, .cases = cases};
    snprintf(c.name, sizeof c.name, "%s%s", name, suffix);
    return c;
}

#define MAX_CONTESTANTS 16

/* memcpy first, spec second. Beyond the cache only batches: an array of cases there would measure the cases' size. */
static size_t list_contestants(enum bench_level level, struct bench_contestant *list)
{
    struct fast_variant v;
    size_t n = 0;
    list[n++] = contestant("memcpy", "", NULL, false);
    if (level != BENCH_MEMORY)
        list[n++] = contestant("spec", "", spec_get(), true);
    for (size_t i = 0; fast_variant_get(i, &v) && n + 2 <= MAX_CONTESTANTS; i++) {
        if (v.impl == NULL)
            continue;
        list[n++] = contestant(v.name, "", v.impl, false);
        if (level != BENCH_MEMORY)
            list[n++] = contestant(v.name, " cases", v.impl, true);
    }
    return n;
}

static void add_line(struct bench_report *report, struct bench_line line)
{
    report->lines = array_grow(report->lines, report->lines_n, &report->lines_room, sizeof *report->lines);
    if (report->lines == NULL) {
        fprintf(stderr, "warpcheck-bench: out of memory\n");
        exit(2);
    }
    report->lines[report->lines_n++] = line;
}

static void run_level(const struct bench_operation *operation, enum bench_level level, const struct options *o,
                      struct bench_report *report)
{
    struct bench_contestant list[MAX_CONTESTANTS];
    double ns[MAX_CONTESTANTS];
    struct bench_data data;
    const size_t warps = bench_data_warps(operation, level), n = list_contestants(level, list);
    if (!bench_data_init(&data, operation, warps)) {
        fprintf(stderr, "warpcheck-bench: out of memory\n");
        exit(2);
    }
    bench_measure(&data, list, n, warps, level == BENCH_MEMORY ? (o->rounds + 1) / 2 : o->rounds, ns);
    for (size_t i = 0; i < n; i++) {
        struct bench_line line = {
            .operation = operation->name, .level = bench_level_names[level], .ns = ns[i], .bytes = data.bytes};
        memcpy(line.contestant, list[i].name, sizeof line.contestant);
        line.to_spec = level == BENCH_MEMORY || i == 0 ? 0 : ns[1] / ns[i];
        line.to_memcpy = list[i].cases ? 0 : ns[i] / ns[0]; /* cases move other bytes */
        add_line(report, line);
    }
    bench_data_free(&data);
}

static void run_operations(const struct options *o, struct bench_report *report)
{
    const struct bench_operation *operation;
    for (unsigned level = 0; level < BENCH_LEVELS; level++) {
        if (o->level != NULL && strcmp(o->level, bench_level_names[level]) != 0)
            continue;
        for (size_t i = 0; (operation = bench_operation_get(i)) != NULL; i++) {
            if (o->only != NULL && strstr(operation->name, o->only) == NULL)
                continue;
            fprintf(stderr, "\r%-6s %-30s", bench_level_names[level], operation->name);
            run_level(operation, (enum bench_level)level, o, report);
        }
    }
    fprintf(stderr, "\r%-40s\r", "");
}

static bool is_known(const char *part)
{
    const struct bench_operation *operation;
    for (size_t i = 0; (operation = bench_operation_get(i)) != NULL; i++)
        if (strstr(operation->name, part) != NULL)
            return true;
    return false;
}

static int write_json(const struct bench_report *report, const char *path)
{
    struct file_text text;
    struct error error;
    bool good = file_text_begin(&text, &error);
    if (good && !bench_report_json(report, text.stream))
        fprintf(stderr, "warpcheck-bench: not enough memory for the results\n");
    good = good && file_text_end(&text, path, &error);
    if (!good)
        fprintf(stderr, "warpcheck-bench: %s\n", error.text);
    return good ? 0 : 2;
}

int main(int argc, char **argv)
{
    struct bench_report report = {0};
    struct options o;
    int status = 0;
    if (argc > 1 && strcmp(argv[1], "compare") == 0) {
        if (argc != 4)
            wrong_usage("compare takes two files", "");
        return bench_compare(argv[2], argv[3]);
    }
    o = parse(argc, argv);
    if (o.only != NULL && !is_known(o.only))
        wrong_usage("no operation's name contains ", o.only);
    run_operations(&o, &report);
    if (o.jobs)
        report.jobs_n = bench_jobs(o.targets, report.jobs, BENCH_JOBS);
    if (o.json == NULL || strcmp(o.json, "-") != 0)
        bench_report_table(&report, stdout);
    if (o.json != NULL)
        status = write_json(&report, o.json);
    free(report.lines);
    return status;
}
