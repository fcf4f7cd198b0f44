/*
 * Implementations from outside: a shared library, or a process at the end of a pipe.
 */
#ifndef WARPCHECK_CHECK_PLUGIN_H
#define WARPCHECK_CHECK_PLUGIN_H

#include "warpcheck/batch.h"

struct plugin;

/*
 * Opens the shared library `path`. Returns NULL and one clear line in `error` (no such file, no entry point, another
 * ABI version and how to mend it).
 */
struct plugin *plugin_open(const char *path, char *error, size_t error_size);
/* Its i-th implementation, or NULL past the last; and the one called `name` (NULL: the first). */
const struct warp_impl *plugin_get(const struct plugin *plugin, size_t i);
const struct warp_impl *plugin_find(const struct plugin *plugin, const char *name);
/*
 * Its function for batches, NULL when it exports none, and in `inner` the implementation to call it with: `impl`, which
 * plugin_get gave, is guarded, that one is not.
 */
warp_batch_fn plugin_batch(const struct plugin *plugin, const struct warp_impl *impl, const struct warp_impl **inner);
/* Closes its implementations and the library. */
void plugin_close(struct plugin *plugin);

/*
 * Starts `command` with the shell. Each case is one line of text to its standard input; its answer is one line on
 * standard output: the case may be repeated, then `=>` and the result, of which it may leave parts out; or `not
 * accepted: why`. Parts are settled by its first answer. Each answer is waited for at most `timeout_ms`. The
 * implementation is owned by the caller: call its `close`, then it is gone.
 */
const struct warp_impl *pipe_open(const char *command, unsigned timeout_ms, char *error, size_t error_size);

#endif
