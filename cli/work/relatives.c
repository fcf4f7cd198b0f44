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

static void with_relatives(const uint8_t *data, size_t size, uint32_t families, struct warp_case cases[DERIVED_MAX + 1])
{
    warp_case_from_bytes(data, size, families, &cases[0]);
    for (unsigned k = 0; k < DERIVED_MAX; k++)
        derive_case(&cases[0], k, &cases[k + 1]);
}

static size_t long_call(const uint8_t *data, size_t size, uint32_t families, struct warp_case *cases)
{
    struct warp_case few[DERIVED_MAX + 1];
    const size_t total = derive_call_size(data, size);
    with_relatives(data, size, families, few);
    for (size_t at = 0; at < total; at++)
        cases[at] = few[derive_call_case(data, size, DERIVED_MAX + 1, at)];
    return total;
}

size_t relative_call(const uint8_t *data, size_t size, uint32_t families, unsigned k,
                     struct warp_case cases[RELATIVE_CALL_MAX], bool *last)
{
    *last = k >= 2;
    switch (k) {
    case 0:
        with_relatives(data, size, families, cases);
        return DERIVED_MAX + 1;
    case 1:
        return derive_order(data, size, families, cases);
    default:
        return long_call(data, size, families, cases);
    }
}
#else
bool relative_make(const struct warp_case *base, unsigned k, struct warp_case *c)
{
    (void)base, (void)k, (void)c;
    return false;
}

size_t relative_call(const uint8_t *data, size_t size, uint32_t families, unsigned k,
                     struct warp_case cases[RELATIVE_CALL_MAX], bool *last)
{
    (void)data, (void)size, (void)families, (void)k, (void)cases;
    *last = true;
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
