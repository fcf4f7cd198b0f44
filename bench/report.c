/* The table for people, JSON for machines. */
#include "bench.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static bool same_block(const struct bench_line *x, const struct bench_line *y)
{
    return strcmp(x->operation, y->operation) == 0 && strcmp(x->level, y->level) == 0;
}

static void number(FILE *out, const char *format, double value)
{
    char text[32] = "-";
    if (value > 0)
        snprintf(text, sizeof text, format, value);
    fprintf(out, " %10s", text);
}

void bench_report_table(const struct bench_report *report, FILE *out)
{
    fprintf(out, "%-24s %-7s %-24s %10s %10s %10s\n", "operation", "data in", "implementation", "ns/warp", "x spec",
            "/ memcpy");
    for (size_t i = 0; i < report->lines_n; i++) {
        const struct bench_line *line = &report->lines[i];
        const bool first = i == 0 || !same_block(line, line - 1);
        fprintf(out, "%-24s %-7s %-24s", first ? line->operation : "", first ? line->level : "", line->contestant);
        number(out, "%.2f", line->ns);
        number(out, "%.1f", line->to_spec);
        number(out, "%.2f", line->to_memcpy);
        fputc('\n', out);
    }
    fprintf(out,
            "\nns/warp: median of slices taken in turns. x spec: how many times as fast as the transcription (which is "
            "asked for as\n"
            "many cases, of %zu bytes with the result: they take more than the level; at most 512 of them). / "
            "memcpy:\n"
            "time over that of a memcpy that moves the same bytes. `cases`: through the implementation interface, with "
            "all\n"
            "fields of a result; else a batch of arrays with d, p and d_defined.\n",
            sizeof(struct warp_case) + sizeof(struct warp_result));
    for (size_t i = 0; i < report->jobs_n; i++) {
        const struct bench_job *job = &report->jobs[i];
        fprintf(out, "%s%-48s ", i == 0 ? "\n" : "", job->name);
        if (job->unavailable != NULL)
            fprintf(out, "UNAVAILABLE: %s\n", job->unavailable);
        else
            fprintf(out, "%.4g %s", job->value, job->unit);
        if (job->percent > 0)
            fprintf(out, ", %.0f %% of the empty target", job->percent);
        if (job->unavailable == NULL)
            fputc('\n', out);
    }
}

static json_t *line_json(const struct bench_line *line)
{
    json_t *const o = json_pack("{s:s, s:s, s:s, s:f, s:I}", "operation", line->operation, "level", line->level,
                                "implementation", line->contestant, "ns", line->ns, "bytes", (json_int_t)line->bytes);
    if (line->to_spec > 0)
        json_object_set_new(o, "times_spec", json_real(line->to_spec));
    if (line->to_memcpy > 0)
        json_object_set_new(o, "over_memcpy", json_real(line->to_memcpy));
    return o;
}

static json_t *job_json(const struct bench_job *job)
{
    if (job->unavailable != NULL)
        return json_pack("{s:s, s:s}", "name", job->name, "unavailable", job->unavailable);
    return json_pack("{s:s, s:f, s:s, s:f}", "name", job->name, "value", job->value, "unit", job->unit,
                     "percent_of_empty", job->percent);
}

bool bench_report_json(const struct bench_report *report, FILE *out)
{
    json_t *const results = json_array(), *const jobs = json_array();
    json_t *const root = json_pack("{s:i, s:o, s:o}", "warpcheck_bench", 1, "results", results, "jobs", jobs);
    bool good;
    for (size_t i = 0; i < report->lines_n; i++)
        json_array_append_new(results, line_json(&report->lines[i]));
    for (size_t i = 0; i < report->jobs_n; i++)
        json_array_append_new(jobs, job_json(&report->jobs[i]));
    good =
        root != NULL && json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(7)) == 0 && fputc('\n', out) != EOF;
    json_decref(root);
    return good;
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root == NULL) {
        fprintf(stderr, "warpcheck-bench: %s, line %d: %s\n", path, error.line, error.text);
        return NULL;
    }
    if (json_integer_value(json_object_get(root, "warpcheck_bench")) != 1 ||
        !json_is_array(json_object_get(root, "results"))) {
        fprintf(stderr, "warpcheck-bench: %s is not a result of `warpcheck-bench --json` (version 1)\n", path);
        json_decref(root);
        return NULL;
    }
    return root;
}

static const char *text(const json_t *line, const char *key)
{
    const char *value = json_string_value(json_object_get(line, key));
    return value == NULL ? "" : value;
}

static double value(const json_t *line, const char *key)
{
    return json_number_value(json_object_get(line, key));
}

static bool same(const json_t *x, const json_t *y)
{
    return strcmp(text(x, "operation"), text(y, "operation")) == 0 && strcmp(text(x, "level"), text(y, "level")) == 0 &&
           strcmp(text(x, "implementation"), text(y, "implementation")) == 0;
}

static const json_t *find(const json_t *results, const json_t *line)
{
    size_t i;
    json_t *other;
    json_array_foreach(results, i, other) if (same(line, other)) return other;
    return NULL;
}

/* The time of memcpy in the same block: it tells how fast the machine was at that moment. */
static double yardstick(const json_t *results, const json_t *line)
{
    size_t i;
    json_t *other;
    json_array_foreach(results, i, other) if (strcmp(text(line, "operation"), text(other, "operation")) == 0 &&
                                              strcmp(text(line, "level"), text(other, "level")) == 0 &&
                                              strcmp(text(other, "implementation"), "memcpy") == 0) return value(other,
                                                                                                                 "ns");
    return 0;
}

static void print_pair(const json_t *x, const json_t *y, double x_memcpy, double y_memcpy, double *log_sum, size_t *n)
{
    const double ratio = value(y, "ns") / value(x, "ns");
    const double adjusted = x_memcpy > 0 && y_memcpy > 0 ? ratio * x_memcpy / y_memcpy : 0;
    printf("%-24s %-7s %-22s %9.2f %9.2f %8.2f %8.2f\n", text(x, "operation"), text(x, "level"),
           text(x, "implementation"), value(x, "ns"), value(y, "ns"), ratio, adjusted);
    if (adjusted > 0) {
        *log_sum += log(adjusted);
        ++*n;
    }
}

static void print_all(const json_t *before, const json_t *after)
{
    double log_sum = 0;
    size_t i, n = 0, only_before = 0, both = 0;
    json_t *line;
    printf("%-24s %-7s %-22s %9s %9s %8s %8s\n", "operation", "data in", "implementation", "before", "after", "ratio",
           "/memcpy");
    json_array_foreach(before, i, line)
    {
        const json_t *other = find(after, line);
        if (other == NULL || !(value(line, "ns") > 0) || !(value(other, "ns") > 0)) {
            only_before++;
            continue;
        }
        both++;
        print_pair(line, other, yardstick(before, line), yardstick(after, other), &log_sum, &n);
    }
    printf("\nratio: after over before, below 1 is faster. /memcpy: the same, each time taken over memcpy's of its own "
           "run, so that a\n"
           "slower or busier machine does not count. Lines in both: %zu, only in one: %zu.\n",
           both, only_before + json_array_size(after) - both);
    if (n > 0)
        printf("Geometric mean of /memcpy: %.3f\n", exp(log_sum / (double)n));
}

int bench_compare(const char *before, const char *after)
{
    json_t *x = load(before), *y = load(after);
    const bool ok = x != NULL && y != NULL;
    if (ok)
        print_all(json_object_get(x, "results"), json_object_get(y, "results"));
    json_decref(x);
    json_decref(y);
    return ok ? 0 : 2;
}
