/*
 * What printf is given besides its format: arguments that lie one after the other in memory, each at a multiple of its
 * size. How many and how wide they are is what the format says.
 */
#ifndef WARPCHECK_KERNEL_EXEC_PRINT_H
#define WARPCHECK_KERNEL_EXEC_PRINT_H

#include "kernel/exec/code.h"

#define PRINTED_MAX 256u /* bytes: printf takes 32 arguments */

/* Marks the bytes of the arguments. `format` is a generic address; where no constant text of the
 * module begins there, nothing is marked. */
void print_mark_arguments(const struct code *code, uint64_t format, bool marks[PRINTED_MAX]);

#endif
