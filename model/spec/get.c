/* The implementation, as compiled for this processor. */
#include "spec.h"

#define SPEC .name = "spec", .description = "direct transcription of the manual", .provides = WARP_PART_ALL

const struct warp_impl *spec_get(void)
{
    static const struct warp_impl spec = {SPEC, .eval = spec_eval};
#ifdef SPEC_HAVE_AVX2
    static const struct warp_impl with_avx2 = {SPEC, .eval = spec_eval_avx2};
    if (__builtin_cpu_supports("avx2"))
        return &with_avx2;
#endif
    return &spec;
}
