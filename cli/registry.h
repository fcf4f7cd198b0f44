/*
 * Implementations by name: built-in ones, plugins (FILE.so or FILE.so:NAME), processes (pipe:COMMAND), recordings
 * (FILE.rec).
 */
#ifndef WARPCHECK_CLI_REGISTRY_H
#define WARPCHECK_CLI_REGISTRY_H

#include "warpcheck/impl.h"

/* Opens it, or returns NULL with one clear line (unknown, or UNAVAILABLE and why) in `error`. Close with
 * registry_close. */
const struct warp_impl *registry_open(const char *name, char *error, size_t error_size);
void registry_close(const struct warp_impl *impl);

/* The i-th built-in one: its name, whether it can be used here, and if not, why (a constant or thread-local text). NULL
 * past the end. */
struct registry_entry {
    const char *name;
    const char *description;
    const struct warp_impl *impl; /* NULL: UNAVAILABLE */
    const char *unavailable;      /* why */
};
bool registry_get(size_t i, struct registry_entry *entry);

#endif
