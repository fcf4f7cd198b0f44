/*
 * A process at the end of a pipe, which answers in text.
 *
 * Each case is one line to its standard input; its answer is one line on standard output: the case may be repeated,
 * then `=>` and the result, of which it may leave parts out; or `not accepted: why`. Parts are settled by its first
 * answers. What it prints on standard error comes out on
 * ours, each line behind "pipe: " and fit for a terminal.
 */
#ifndef WARPCHECK_CHECK_IMPL_PIPE_H
#define WARPCHECK_CHECK_IMPL_PIPE_H

#include "check/impl/impl.h"

/*
 * Starts `command` with the shell. Each answer is waited for at most `timeout_ms`. NULL with one line. The
 * implementation is owned by the caller: call its `close`, then it is gone.
 */
const struct warp_impl *pipe_open(const char *command, unsigned timeout_ms, struct error *error);
/* As impl_failure, impl_restart; of what is no such process NULL, true. */
const struct impl_failure *pipe_failure(const struct warp_impl *impl);
bool pipe_restart(const struct warp_impl *impl, struct error *error);

#endif
