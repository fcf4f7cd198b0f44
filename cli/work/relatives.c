#include "cli/work/relatives.h"

#include "check/finding.h"

#ifdef WARPCHECK_COMMAND_FUZZ
#include "fuzz/derive.h"

bool relative_make(const struct warp_case *base, unsigned k, struct warp_case *c)
{
    if (k >= DERIVED_MAX)
        return false;
    derive_case(base, k, c);
    return true;
}
#else
bool relative_make(const struct warp_case *base, unsigned k, struct warp_case *c)
{
    (void)base, (void)k, (void)c;
    return false;
}
#endif

int relative_that_differs(const struct warp_impl *reference, const struct warp_impl *observed,
                          const struct warp_case *base, struct warp_case *c)
{
    struct finding f;
    for (unsigned k = 0; relative_make(base, k, c); k++)
        if (finding_make(&f, reference, observed, c))
            return (int)k;
    return -1;
}
