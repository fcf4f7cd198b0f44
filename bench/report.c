/* The table for people, JSON for machines. */
#include "bench.h"

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

/* Names are ours: printable, without quotes or backslashes. */
bool bench_report_json(const struct bench_report *report, FILE *out)
{
    fprintf(out, "{\n \"warpcheck_bench\": 1,\n \"results\": [");
    for (size_t i = 0; i < report->lines_n; i++) {
        const struct bench_line *line = &report->lines[i];
        fprintf(
            out,
            "%s\n  {\"operation\": \"%s\", \"level\": \"%s\", \"implementation\": \"%s\", \"ns\": %.4f, \"bytes\": %zu",
            i == 0 ? "" : ",", line->operation, line->level, line->contestant, line->ns, line->bytes);
        if (line->to_spec > 0)
            fprintf(out, ", \"times_spec\": %.3f", line->to_spec);
        if (line->to_memcpy > 0)
            fprintf(out, ", \"over_memcpy\": %.3f", line->to_memcpy);
        fputc('}', out);
    }
    fprintf(out, "\n ],\n \"jobs\": [");
    for (size_t i = 0; i < report->jobs_n; i++) {
        const struct bench_job *job = &report->jobs[i];
        fprintf(out, "%s\n  {\"name\": \"%s\", ", i == 0 ? "" : ",", job->name);
        if (job->unavailable != NULL)
            fprintf(out, "\"unavailable\": \"%s\"}", job->unavailable);
        else
            fprintf(out, "\"value\": %.6g, \"unit\": \"%s\", \"percent_of_empty\": %.1f}", job->value, job->unit,
                    job->percent);
    }
    fprintf(out, "\n ]\n}\n");
    return !ferror(out);
}
