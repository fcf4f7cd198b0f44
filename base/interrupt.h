/*
 * Ctrl-C, SIGTERM and SIGHUP: the first sets a flag, the second ends the program at once, as SIGQUIT does. Temporary
 * folders go with it.
 *
 * A process that runs foreign code is a child of this one, and may send it signals. These are no person's wish: they
 * are noted, and otherwise without effect, as far as a signal can be caught.
 */
#ifndef WARPCHECK_BASE_INTERRUPT_H
#define WARPCHECK_BASE_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* Installs the handlers. May be called again. */
void interrupt_catch(void);
bool interrupted(void);
/* The request was met, or is another process's to meet: what follows is not interrupted by it, but by the next. */
void interrupt_clear(void);

/* From now on signals of this process group are foreign; 32 groups at a time. Its end makes its number free again. */
void interrupt_distrust(pid_t group);
/* Forgets the group. Returns the last signal that it sent, or 0. */
int interrupt_forget(pid_t group);
/* The last signal that the group sent, or 0. */
int interrupt_sent_by(pid_t group);

#endif
