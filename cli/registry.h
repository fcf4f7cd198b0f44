/*
 * Hands the implementations that lie above check/ to the resolver (check/impl/impl.h).
 */
#ifndef WARPCHECK_CLI_REGISTRY_H
#define WARPCHECK_CLI_REGISTRY_H

#include "warpcheck/impl.h"

/* Registers gpu, smt and recordings, as far as they were built. Call it once, when the program starts. */
void registry_provide(void);

/* impl_close, whose error is one line on standard error, and makes the program's status 1 where it would be 0. False
 * where there is one: a verdict that is told afterwards says so. */
bool registry_close(const struct warp_impl *impl);
/* Did every implementation end as it should? */
bool registry_closed_well(void);

#endif
