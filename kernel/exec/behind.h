/*
 * What lies behind an aligned block barrier: the last instruction of its function to which every lane comes that has
 * been at the barrier. A lane that has executed it more often than those at the barrier has gone round the barrier,
 * also when it has exited since; a lane that has exited without doing so may have left early.
 *
 * A call of a function with such a barrier is one, too: what lies behind the call lies behind the barrier.
 */
#ifndef WARPCHECK_KERNEL_EXEC_BEHIND_H
#define WARPCHECK_KERNEL_EXEC_BEHIND_H

#include "kernel/exec/code.h"

/* Sets `behind` of all barriers and of such calls, and `passes` of what lies behind them. False: no memory. */
bool behind_find(struct code *code);

#endif
