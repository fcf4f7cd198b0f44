/*
 * The optimized implementation: whole warps at a time, never a line of the transcription.
 */
#ifndef WARPCHECK_FAST_H
#define WARPCHECK_FAST_H

#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The best variant for this CPU, or the one that fast_select or the environment variable WARPCHECK_FAST names; its name
 * is "fast". When that name cannot be used, its eval returns false and says why. Never NULL.
 *
 * The first call of this or of fast_variant_get looks at the processor and keeps what it finds: make it before threads
 * are started that ask. After it, any number of threads may ask at once, each with arrays of its own.
 */
const struct warp_impl *fast_get(void);

/* Portable C, on every machine. */
const struct warp_impl *fast_portable_get(void);

/* A variant, each an implementation of its own. */
struct fast_variant {
    const char *name; /* "fast-portable", "fast-avx2", ... */
    const char *description;
    const struct warp_impl *impl; /* NULL: UNAVAILABLE */
    const char *unavailable;      /* why, else NULL */
};

/* The i-th variant, slowest first, whether this machine has it or not. False past the end. */
bool fast_variant_get(size_t i, struct fast_variant *variant);

/*
 * Makes fast_get give the variant of that name ("avx2", with or without "fast-"); NULL or "": the choice is automatic
 * again. False, with one clause in `error`, when there is no such variant or this machine lacks it; then nothing
 * changes. Only one thread may call it at a time.
 */
bool fast_select(const char *name, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
