/*
 * Ctrl-C, SIGTERM and SIGHUP: the first sets a flag, the second ends the program at once. Temporary folders go with it.
 */
#ifndef WARPCHECK_BASE_INTERRUPT_H
#define WARPCHECK_BASE_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers. May be called again. */
void interrupt_catch(void);
bool interrupted(void);

#endif
