/*
 * What a host may plausibly write into the buffers of an entry, found in the code: anything where each word is plain
 * data, sane values only where words are bounds, or sizes by which memory is laid out.
 */
#ifndef WARPCHECK_KERNEL_CONTENTS_H
#define WARPCHECK_KERNEL_CONTENTS_H

#include "kernel/params.h"

/* Finds the role of each pointer among the slots (struct kernel_slot). Without memory all remain ROLE_DATA, and
 * `no_memory` is set. */
void kernel_find_roles(const struct code *code, struct kernel_slots *slots);

/* May a host be expected to write contents of this pattern into a buffer of this role? */
bool kernel_role_allows(enum kernel_role role, enum kernel_pattern pattern);
/* The n-th of the patterns that are expected of a role other than ROLE_DATA. */
enum kernel_pattern kernel_role_pattern(enum kernel_role role, uint64_t n);
/* "bounds: ..." */
const char *kernel_role_text(enum kernel_role role);

/* Does every buffer hold what its role allows? Buffers whose bit is set in `stated` hold what the user says. */
bool kernel_contents_are_expected(const struct kernel_slots *slots, const struct kernel_input *input, uint64_t stated);
/* The same of one variable. */
bool kernel_variable_is_expected(const struct kernel_slots *slots, const struct kernel_input *input, uint32_t n);

#endif
