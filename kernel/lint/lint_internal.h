#ifndef WARPCHECK_KERNEL_LINT_LINT_INTERNAL_H
#define WARPCHECK_KERNEL_LINT_LINT_INTERNAL_H

#include "kernel/lint.h"

#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
struct lint_finding *
lint_add(struct lint_report *report, enum lint_kind kind, uint32_t line, uint32_t column, const char *what, ...);

/* Executes the text, if it is a program, and adds what it finds; else says in report->not_executed why not. */
void lint_execute(const char *text, size_t size, const struct lint_options *options, struct lint_report *report);

#endif
