/*
 * Implementations by name: built-in ones, plugins (FILE.so or FILE.so:NAME), processes (pipe:COMMAND), recordings
 * (FILE.rec).
 */
#ifndef WARPCHECK_CLI_REGISTRY_H
#define WARPCHECK_CLI_REGISTRY_H

#include "warpcheck/batch.h"

/* Opens it, or returns NULL with one clear line (unknown, or UNAVAILABLE and why) in `error`. Close with
 * registry_close. */
const struct warp_impl *registry_open(const char *name, char *error, size_t error_size);
void registry_close(const struct warp_impl *impl);

/* True when several threads may call its eval at once: it keeps nothing between calls. */
bool registry_is_stateless(const struct warp_impl *impl);

/* Its function for batches, and in `inner` the implementation to call it with; NULL: it answers cases alone. */
warp_batch_fn registry_batch(const struct warp_impl *impl, const struct warp_impl **inner);

/* The name with which registry_open finds it again from any folder: the path of a plugin or recording made absolute. */
void registry_full_name(const char *name, char *full, size_t full_size);

/* The i-th built-in one: its name, whether it can be used here, and if not, why (a constant or thread-local text).
 * False past the end. */
struct registry_entry {
    const char *name;
    const char *description;
    const struct warp_impl *impl; /* NULL: UNAVAILABLE */
    const char *unavailable;      /* why */
};
bool registry_get(size_t i, struct registry_entry *entry);

#endif
