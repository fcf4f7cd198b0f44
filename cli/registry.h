/*
 * Hands the implementations that lie above check/ to the resolver (check/impl/impl.h); and older names of the
 * resolver's functions.
 */
#ifndef WARPCHECK_CLI_REGISTRY_H
#define WARPCHECK_CLI_REGISTRY_H

#include "warpcheck/batch.h"

/* Registers gpu, smt and recordings, as far as they were built. Call it once, when the program starts. */
void registry_provide(void);

const struct warp_impl *registry_open(const char *name, char *error, size_t error_size);
void registry_close(const struct warp_impl *impl);
bool registry_is_stateless(const struct warp_impl *impl);
warp_batch_fn registry_batch(const struct warp_impl *impl, const struct warp_impl **inner);
void registry_full_name(const char *name, char *full, size_t full_size);

#endif
