/*
 * Methods side by side: which finds which defect how soon, and how likely one is sooner than another.
 */
#include "fuzz/score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH  24
#define CELL_WIDTH  13
#define BAR_WIDTH   40
#define COURSE_FROM 0.001 /* seconds */
#define PER_DECADE  10
#define SHARES_MAX  512u

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

double score_limit(const struct score_plan *plan, enum score_check check)
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
            print_median(out, &subjects[i].results[methods[m]], score_limit(plan, methods[m]));
        fprintf(out, "\n");
    }
}

/* The longest limit of these checks. */
static double longest_limit(const struct score_plan *plan, const enum score_check *methods, unsigned n)
{
    double most = 0;
    for (unsigned m = 0; m < n; m++)
        most = fmax(most, score_limit(plan, methods[m]));
    return most;
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

/* The share of all runs, each of one mutant with one seed, that had found it by then. */
static double share_found(const struct score_subject *subjects, size_t count, enum score_check check, double seconds)
{
    double found = 0;
    size_t measured = 0;
    for (size_t i = 0; i < count; i++) {
        const struct score_result *const r = &subjects[i].results[check];
        if (subjects[i].mechanical || !was_measured(r))
            continue;
        measured++;
        for (unsigned k = 0; k < r->seeds; k++)
            found += (double)r->times[k] <= seconds ? 1.0 / r->seeds : 0;
    }
    return measured > 0 ? found / (double)measured : 0;
}

/* A line a method, over the logarithm of time: in each place how many tenths of the runs had found theirs. */
static void print_course(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan,
                         const enum score_check *methods, unsigned n)
{
    static const char *const ticks[] = {"1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s", "1000 s"};
    const double most = longest_limit(plan, methods, n);
    int places = 0;
    fprintf(out, "%-*s ", NAME_WIDTH, "tenths found in");
    for (; places / PER_DECADE < (int)(sizeof ticks / sizeof ticks[0]) &&
           COURSE_FROM * pow(10, (double)places / PER_DECADE) < most * 1.001;
         places++)
        if (places % PER_DECADE == 0)
            fprintf(out, "%-*s", PER_DECADE, ticks[places / PER_DECADE]);
    fprintf(out, "\n");
    for (unsigned m = 0; m < n; m++) {
        fprintf(out, "%-*s ", NAME_WIDTH, score_check_name(methods[m]));
        for (int at = 0; at < places; at++) {
            const double by = COURSE_FROM * pow(10, (double)at / PER_DECADE);
            const int tenths = (int)(10 * share_found(subjects, count, methods[m], by) + 1e-9);
            fputc(".123456789#"[tenths], out);
        }
        fprintf(out, "\n");
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

static int by_value(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* What runs that took their whole limit had of a processor: less than one where measurements disturbed each other. */
static void print_shares(FILE *out, const struct score_subject *subjects, size_t count, const enum score_check *methods,
                         unsigned n)
{
    bool headed = false;
    for (unsigned m = 0; m < n; m++) {
        double shares[SHARES_MAX];
        size_t some = 0;
        for (size_t i = 0; i < count && some < SHARES_MAX; i++) {
            const struct score_result *const r = &subjects[i].results[methods[m]];
            if (!subjects[i].mechanical && was_measured(r) && r->caught == 0 && r->worst_s >= 0.9 * r->limit_s)
                shares[some++] = r->share;
        }
        qsort(shares, some, sizeof shares[0], by_value);
        if (some == 0)
            continue;
        if (!headed)
            fprintf(out, "\n%-*s %9s %9s\n", NAME_WIDTH, "processors had by a run", "median", "least");
        headed = true;
        fprintf(out, "%-*s %9.2f %9.2f of %3zu\n", NAME_WIDTH, score_check_name(methods[m]), shares[some / 2],
                shares[0], some);
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
    print_course(out, subjects, count, plan, methods, n);
    fprintf(out, "\n");
    print_a12(out, subjects, count, methods, n);
    print_shares(out, subjects, count, methods, n);
    fprintf(out, "\n");
}
