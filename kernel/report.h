/*
 * Describes the events of an execution in words.
 */
#ifndef WARPCHECK_KERNEL_REPORT_H
#define WARPCHECK_KERNEL_REPORT_H

#include "kernel/search.h"

#include "base/buffer.h"

/* "reduce.cu:17 (PTX line 80, shfl.sync.down.b32)"; names of files are made printable. */
void kernel_place_text(const struct code *code, uint32_t at, struct buffer *out);

/* One sentence without places: "lanes wait for ever", "a value that ... is stored". */
void kernel_event_text(const struct code *code, const struct kernel_event *event, struct buffer *out);

/* The event in several lines: sentence, places with the source's lines, lanes and masks drawn. */
void kernel_event_describe(const struct code *code, const struct kernel_event *event, struct buffer *out);

/* "block 64 x 1 x 1, n = 17, ..." for people. */
/* Of a question: which buffers hold what a host may never write, and how to answer; lines with a margin. */
void kernel_question_text(const struct kernel_slots *slots, const struct kernel_input *in, struct buffer *out);
void kernel_input_describe(const struct kernel_slots *slots, const struct kernel_input *input, struct buffer *out);

/* "clean exactly when n % 32 == 0 (of 0..191, all else as above)"; "" when nothing is known. */
void kernel_rule_text(const struct kernel_slots *slots, const struct kernel_rule *rule, struct buffer *out);

/* The text of a source file, as `.file` names it or beside the PTX; NULL when it is in neither place. free() it. */
char *kernel_source(const struct module *module, const char *path);

/* One line of it without blanks at its ends; NULL when it is not there. free() it. */
char *kernel_source_line(const struct module *module, const char *path, uint32_t line);

/* The name that a person wrote: of _Z6kernelPfi it is "kernel". */
void kernel_plain_name(const char *mangled, char *name, size_t size);

#endif
