/*
 * Errors that are known, each with a reason: one line an error,
 *
 *     unpredictable _Z6reducePfi st.global.f32 5f2c8d01a9b3e477 the caller pads n to a multiple of 32
 *
 * which is the signature that a report prints (report.h) and the reason. Empty lines and those that begin with # count
 * as nothing.
 */
#ifndef WARPCHECK_CLI_KERNELS_BASELINE_H
#define WARPCHECK_CLI_KERNELS_BASELINE_H

#include "kernel/kernel.h"

struct baseline;

/* NULL with one line: the file cannot be read, or a line has no reason. */
struct baseline *baseline_read(const char *path, struct error *error);
void baseline_free(struct baseline *baseline);

/* The reason why this error is known, or NULL. Remembers that the line was needed. */
const char *baseline_find(struct baseline *baseline, const struct code *code, const struct kernel_event *event);
/* Says that the entry was executed: lines for it that were not needed match nothing any more. */
void baseline_executed(struct baseline *baseline, const char *entry);

/* Calls `tell` with the number and text of each line that matches nothing any more. Returns how many. */
uint32_t baseline_unmatched(const struct baseline *baseline,
                            void (*tell)(void *context, uint32_t line, const char *text), void *context);

#endif
