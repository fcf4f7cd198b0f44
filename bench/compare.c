/* Two results side by side. */
#include "bench.h"

#include <jansson.h>

#include <math.h>
#include <string.h>

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
