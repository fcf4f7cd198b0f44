/*
 * An implementation for the tests of fuzz/ that is wrong in a known way.
 */
#ifndef WARPCHECK_TEST_FLIP_H
#define WARPCHECK_TEST_FLIP_H

#include "warpcheck_spec.h"

/* Answers as the transcription does, but for what `state` flips in d: of every form, or of .idx; of every case of a
 * call, or of those from a place on. */
struct flip {
    uint32_t d;
    bool only_idx;
    size_t from;
};

static inline bool flip_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                             char *error, size_t error_size)
{
    const struct flip *flip = state;
    const struct warp_impl *spec = spec_get();
    if (!spec->eval(spec->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = flip->from; i < n; i++)
        if (!flip->only_idx || warp_form_get(cases[i].form)->op == WARP_IDX)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                results[i].d[lane] ^= flip->d;
    return true;
}

#endif
