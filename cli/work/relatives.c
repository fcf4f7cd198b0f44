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

_Static_assert(DERIVED_CALL_MAX <= RELATIVE_CALL_MAX && DERIVED_ORDER_CASES <= RELATIVE_CALL_MAX &&
                   DERIVED_MAX < RELATIVE_CALL_MAX,
               "a call has room");

static size_t keep_accepted(const struct warp_impl *reference, const struct warp_impl *observed,
                            struct warp_case *cases, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (warp_impl_accepts(reference, &cases[i], NULL, 0) && warp_impl_accepts(observed, &cases[i], NULL, 0))
            cases[kept++] = cases[i];
    return kept;
}

size_t relative_call(const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct relative_input *input, unsigned k, struct warp_case cases[RELATIVE_CALL_MAX])
{
    struct warp_case base, few[DERIVED_MAX + 1];
    if (k == 1)
        return keep_accepted(reference, observed, cases,
                             derive_order(input->data, input->size, input->families, cases));
    warp_case_from_bytes(input->data, input->size, input->families, &base);
    derive_all(&base, few);
    const size_t n = keep_accepted(reference, observed, few, DERIVED_MAX + 1);
    const size_t total = k == 0 || n == 0 ? n : derive_call_size(input->data, input->size);
    for (size_t at = 0; at < total; at++)
        cases[at] = few[k == 0 ? at : derive_call_case(input->data, input->size, n, at)];
    return total;
}
#else
bool relative_make(const struct warp_case *base, unsigned k, struct warp_case *c)
{
    (void)base, (void)k, (void)c;
    return false;
}

size_t relative_call(const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct relative_input *input, unsigned k, struct warp_case cases[RELATIVE_CALL_MAX])
{
    (void)reference, (void)observed, (void)input, (void)k, (void)cases;
    return 0;
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
