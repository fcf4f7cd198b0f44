/*
 * An implementation: anything that answers cases. The only interface; what the built-in ones use is what a plugin uses.
 *
 * A plugin is a shared library that exports
 *
 *     const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;
 *     const struct warp_impl *warpcheck_implementation(size_t i);    // NULL past the last
 *
 * The structures it returns belong to the plugin and must live until it is closed. Batches (warpcheck/batch.h) are
 * optional.
 *
 * It runs in a process of its own. A crash, an exit or a call that takes longer than 60 seconds (the environment
 * variable WARPCHECK_PLUGIN_TIMEOUT_MS, in milliseconds, sets another limit; 0: none) is reported as a failure to
 * answer, and the plugin is not asked again.
 */
#ifndef WARPCHECK_IMPL_H
#define WARPCHECK_IMPL_H

#include "warpcheck/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when struct warp_case, warp_result, warp_impl or a number of enum warp_form changes its meaning. */
#define WARP_ABI_VERSION 1u

struct warp_impl {
    const char *name;        /* one word: letters, digits, '-', '_' */
    const char *description; /* one line */
    uint32_t provides;       /* WARP_PART_... that its results fill; the others are not looked at */
    void *state;             /* handed to each call */

    /*
     * Does it answer this case? When not, writes one clause that says what it does not cover, cut to `why_size` bytes
     * (may be 0). NULL: it accepts every case. Cases that are not accepted are counted and shown.
     */
    bool (*accepts)(void *state, const struct warp_case *c, char *why, size_t why_size);

    /*
     * Answers n cases, all accepted. `results` has room for n and is the caller's; its content before the call is
     * arbitrary. Returns true, or false when it could not answer (a device lost, a process ended), with one clause in
     * `error`. Called from one thread at a time.
     */
    bool (*eval)(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size);

    /* Frees the state; NULL when there is nothing to free. */
    void (*close)(void *state);
};

typedef const struct warp_impl *(*warp_implementation_fn)(size_t i);
#define WARP_PLUGIN_VERSION_SYMBOL "warpcheck_abi_version"
#define WARP_PLUGIN_SYMBOL         "warpcheck_implementation"

/* Does the implementation accept the case? One without `accepts` accepts every case. */
bool warp_impl_accepts(const struct warp_impl *impl, const struct warp_case *c, char *why, size_t why_size);

#ifdef __cplusplus
}
#endif

#endif
