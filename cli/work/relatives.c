#include "cli/work/relatives.h"

#include "check/finding.h"

#ifdef WARPCHECK_COMMAND_FUZZ
#include "fuzz/derive.h"
#include "warpcheck/bytes.h"

/* Behind the relatives come the case's operands with each form of its family. */
bool relative_make(const struct warp_case *base, unsigned k, struct warp_case *c)
{
    const enum warp_family family = warp_form_get(base->form)->family;
    if (k < DERIVED_MAX) {
        derive_case(base, k, c);
        return true;
    }
    k -= DERIVED_MAX;
    for (unsigned form = 0; form < WARP_FORMS; form++)
        if (warp_form_get(form)->family == family && k-- == 0) {
            derive_step(base, WARP_FAMILY_BIT((unsigned)family), DERIVED_MAX + 1 + form, c);
            return true;
        }
    return false;
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
