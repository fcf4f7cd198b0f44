/* What the emitted programs have in common. */
#ifndef WARPCHECK_GPU_EMIT_TEXT_H
#define WARPCHECK_GPU_EMIT_TEXT_H

#include "gpu/emit.h"
#include "gpu/text/text.h"

/* The target that a driver of today still takes: the case's own, or sm_30 in place of an older one. */
uint32_t emit_target(const struct warp_case *c);

/* "// case: warp1 ..." with the prefix in front of each line; notes about targets and lanes that are not done. */
void emit_heading(struct writer *t, const struct warp_case *c, const struct warp_result *expected);

/* C code: the expected answers, `int report(const unsigned *answers)`, which prints them beside the observed, and
 * `start_watchdog`. */
void emit_report(struct writer *t, const struct warp_case *c, const struct warp_result *expected, uint32_t parts);

/* C code at the start of main: refuses cases that may hang without --may-hang; takes nothing else from argv. */
void emit_guard(struct writer *t, const struct warp_case *c, const struct warp_result *expected);

/* `static const unsigned NAME[32] = {...};` */
void emit_words(struct writer *t, const char *name, const uint32_t *words, size_t n);

#endif
