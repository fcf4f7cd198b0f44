/*
 * Cases as a test of somebody's function: one table with what the manual says, and what runs it, in C, C++ or Python.
 * d and p start as the complement of what is expected, so that a function that does nothing fails every test.
 */
#ifndef WARPCHECK_CLI_WORK_SUITE_H
#define WARPCHECK_CLI_WORK_SUITE_H

#include "warpcheck/warp.h"

#include <stdio.h>

enum suite_language { SUITE_C, SUITE_CPP, SUITE_PYTHON };

struct suite_case {
    const char *name; /* not owned; any text */
    struct warp_case c;
    struct warp_result expected; /* complete */
};

/* Is there anything that a test can see: a d or a p of some lane that the manual says? */
bool suite_can_test(const struct suite_case *test);

/* Writes the file for `count` cases, each of which can be tested. */
void suite_write(FILE *out, enum suite_language language, const struct suite_case *tests, size_t count);

#endif
