/*
 * A process at the end of a pipe, which answers in text.
 *
 * Each case is one line to its standard input; its answer is one line on standard output: the case may be repeated,
 * then `=>` and the result, of which it may leave parts out; or `not accepted: why`. Its first answers settle which
 * parts it provides. What it prints on standard error comes out on ours, each line behind "pipe: " and fit for a
 * terminal.
 */
#ifndef WARPCHECK_CHECK_IMPL_PIPE_H
#define WARPCHECK_CHECK_IMPL_PIPE_H

#include "check/impl/impl.h"

/*
 * Starts `command` with the shell. Each answer is waited for at most `timeout_ms`. NULL with one line. The
 * implementation is owned by the caller: call its `close`, then it is gone.
 */
const struct warp_impl *pipe_open(const char *command, unsigned timeout_ms, struct error *error);
/* Closes such a process. False with one line when it then does not end as it should, which is with status 0 and without
 * another line on its standard output. */
bool pipe_end(const struct warp_impl *impl, struct error *error);
/* Begins with these cases and their answers now, as impl_ask_ahead does; `impl` is such a process. */
void pipe_ask_ahead(const struct warp_impl *impl, const struct warp_case *cases, size_t n);
/* Do what impl_failure and impl_restart do. For another implementation they return NULL and true. What a process that
 * was started again prints on standard error does not come out. */
const struct impl_failure *pipe_failure(const struct warp_impl *impl);
bool pipe_restart(const struct warp_impl *impl, struct error *error);
/* As impl_history; 0 of another implementation. */
size_t pipe_history(const struct warp_impl *impl, struct warp_case *cases);
/* As impl_hurry; nothing for another implementation. */
void pipe_hurry(const struct warp_impl *impl, double limit_s);

#endif
