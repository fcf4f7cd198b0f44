/*
 * Methods side by side: which finds which defect how soon, and how likely one is sooner than another.
 */
#include "fuzz/score/score.h"

#include <math.h>
#include <string.h>

#define NAME_WIDTH 24
#define CELL_WIDTH 13
#define BAR_WIDTH  40

/* The checks that were measured on a hand-written mutant. Returns how many. */
static unsigned methods_of(const struct score_subject *subjects, size_t count, enum score_check methods[SCORE_CHECKS])
{
    unsigned n = 0;
    for (unsigned check = 0; check < SCORE_CHECKS; check++)
        for (size_t i = 0; i < count; i++)
            if (!subjects[i].mechanical && subjects[i].results[check].seeds > 0) {
                methods[n++] = (enum score_check)check;
                break;
            }
    return n;
}

static bool was_measured(const struct score_result *r)
{
    return r->seeds > 0 && r->verdict != SCORE_FAILED;
}

/* The median of the runs; INFINITY where most of them missed. */
static double median_of(const struct score_result *r)
{
    return (double)r->times[r->seeds / 2];
}

static double limit_of(const struct score_plan *plan, enum score_check check)
{
    return check == SCORE_AFL            ? plan->engine_s[ENGINE_AFL]
           : SCORE_ENGINES >> check & 1u ? plan->engine_s[ENGINE_LIBFUZZER]
                                         : plan->limit_s;
}

static void print_cell(FILE *out, const char *text)
{
    fprintf(out, " %*s", CELL_WIDTH, text);
}

static void print_heads(FILE *out, const char *first, const enum score_check *methods, unsigned n)
{
    fprintf(out, "%-*s", NAME_WIDTH, first);
    for (unsigned m = 0; m < n; m++)
        print_cell(out, score_check_name(methods[m]));
    fprintf(out, "\n");
}

/* "0.03 s"; "> 10 s (2/5)" where most runs missed: the limit, and how many runs found it. */
static void print_median(FILE *out, const struct score_result *r, double limit_s)
{
    char text[32] = "-";
    if (r->verdict == SCORE_FAILED && r->seeds > 0)
        snprintf(text, sizeof text, "could not run");
    else if (was_measured(r) && isfinite(median_of(r)))
        snprintf(text, sizeof text, "%.2f s", median_of(r));
    else if (was_measured(r) && r->caught > 0)
        snprintf(text, sizeof text, "> %.0f s (%u/%u)", limit_s, r->caught, r->seeds);
    else if (was_measured(r) && r->worst_s < 0.9 * limit_s) /* it has no more to ask */
        snprintf(text, sizeof text, "missed");
    else if (was_measured(r))
        snprintf(text, sizeof text, "> %.0f s", limit_s);
    print_cell(out, text);
}

static void print_medians(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan,
                          const enum score_check *methods, unsigned n)
{
    print_heads(out, "median until found", methods, n);
    for (size_t i = 0; i < count; i++) {
        if (subjects[i].mechanical)
            continue;
        fprintf(out, "%-*s", NAME_WIDTH, subjects[i].name);
        for (unsigned m = 0; m < n; m++)
            print_median(out, &subjects[i].results[methods[m]], limit_of(plan, methods[m]));
        fprintf(out, "\n");
    }
}

/* How many mutants have a median up to `seconds`. */
static size_t found_within(const struct score_subject *subjects, size_t count, enum score_check check, double seconds,
                           size_t *measured)
{
    size_t found = 0;
    *measured = 0;
    for (size_t i = 0; i < count; i++) {
        const struct score_result *const r = &subjects[i].results[check];
        if (subjects[i].mechanical || !was_measured(r))
            continue;
        ++*measured;
        found += median_of(r) <= seconds;
    }
    return found;
}

static void print_within(FILE *out, const struct score_subject *subjects, size_t count, const enum score_check *methods,
                         unsigned n)
{
    static const double within[] = {0.1, 1, 10, INFINITY};
    fprintf(out, "%-*s %9s %9s %9s %9s\n", NAME_WIDTH, "found by the median run", "in 0.1 s", "in 1 s", "in 10 s",
            "at all");
    for (unsigned m = 0; m < n; m++) {
        size_t found = 0, measured = 0;
        fprintf(out, "%-*s", NAME_WIDTH, score_check_name(methods[m]));
        for (unsigned k = 0; k < sizeof within / sizeof within[0]; k++) {
            const double most = isfinite(within[k]) ? within[k] : 1e9;
            found = found_within(subjects, count, methods[m], most, &measured);
            fprintf(out, " %9zu", found);
        }
        fprintf(out, " of %3zu |", measured);
        for (size_t k = 0; measured > 0 && k < BAR_WIDTH; k++)
            fputc(k * measured < found * BAR_WIDTH ? '#' : '.', out);
        fprintf(out, "|\n");
    }
}

double score_a12(const struct score_result *x, const struct score_result *y)
{
    double sooner = 0;
    for (unsigned i = 0; i < x->seeds; i++)
        for (unsigned k = 0; k < y->seeds; k++)
            sooner += x->times[i] < y->times[k] ? 1 : x->times[i] > y->times[k] ? 0 : 0.5;
    return x->seeds > 0 && y->seeds > 0 ? sooner / (x->seeds * y->seeds) : 0.5;
}

/* The mean of A12 over the mutants that both were measured on. */
static double mean_a12(const struct score_subject *subjects, size_t count, enum score_check x, enum score_check y)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct score_result *const r = subjects[i].results;
        if (subjects[i].mechanical || !was_measured(&r[x]) || !was_measured(&r[y]))
            continue;
        sum += score_a12(&r[x], &r[y]);
        n++;
    }
    return n > 0 ? sum / (double)n : 0.5;
}

static void print_a12(FILE *out, const struct score_subject *subjects, size_t count, const enum score_check *methods,
                      unsigned n)
{
    print_heads(out, "A12: row sooner than", methods, n);
    for (unsigned x = 0; x < n; x++) {
        fprintf(out, "%-*s", NAME_WIDTH, score_check_name(methods[x]));
        for (unsigned y = 0; y < n; y++) {
            char text[16] = "";
            if (x != y)
                snprintf(text, sizeof text, "%.2f", mean_a12(subjects, count, methods[x], methods[y]));
            print_cell(out, text);
        }
        fprintf(out, "\n");
    }
}

void score_compare(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan)
{
    enum score_check methods[SCORE_CHECKS];
    const unsigned n = methods_of(subjects, count, methods);
    if (n < 2)
        return;
    print_medians(out, subjects, count, plan, methods, n);
    fprintf(out, "\n");
    print_within(out, subjects, count, methods, n);
    fprintf(out, "\n");
    print_a12(out, subjects, count, methods, n);
    fprintf(out, "\n");
}
