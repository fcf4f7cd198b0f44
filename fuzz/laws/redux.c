/*
 * Laws of redux.
 */
#include "fuzz/laws/law.h"

#include "model/lanes.h"

#include <string.h>

/* redux with another form on operands a ^ flip. */
static bool redux(const struct warp_impl *impl, const struct warp_case *c, uint32_t form, uint32_t flip,
                  struct warp_result *r)
{
    struct warp_case other = *c;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        other.a[lane] ^= flip;
    if (!law_provides(impl, LAW_D_AND_OUTCOME) || !law_with_form(&other, form))
        return false;
    return law_answer(impl, &other, r);
}

/* Is form(a) equal to other(a ^ flip) ^ flip? */
static const char *redux_pair(const struct warp_impl *impl, const struct warp_case *c, uint32_t form, uint32_t other,
                              uint32_t flip, bool *tried, const char *what)
{
    struct warp_result x, y;
    if (!redux(impl, c, form, 0, &x) || !redux(impl, c, other, flip, &y))
        return NULL;
    *tried = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        y.d[lane] ^= flip;
    return (law_differing(x.d, y.d) & x.done) == 0 && x.done == y.done ? NULL : what;
}

const char *law_redux_integers(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    static const struct {
        uint32_t form, other, flip;
        const char *what;
    } pairs[] = {
        {WARP_REDUX_SYNC_ADD_U32, WARP_REDUX_SYNC_ADD_S32, 0, "add.u32 is not add.s32"},
        {WARP_REDUX_SYNC_MIN_U32, WARP_REDUX_SYNC_MAX_U32, UINT32_MAX, "min.u32 is not the complement of max.u32"},
        {WARP_REDUX_SYNC_MIN_S32, WARP_REDUX_SYNC_MAX_S32, UINT32_MAX, "min.s32 is not the complement of max.s32"},
        {WARP_REDUX_SYNC_MIN_S32, WARP_REDUX_SYNC_MIN_U32, 0x80000000u, "min.s32 is not min.u32 with the sign flipped"},
        {WARP_REDUX_SYNC_MAX_S32, WARP_REDUX_SYNC_MAX_U32, 0x80000000u, "max.s32 is not max.u32 with the sign flipped"},
        {WARP_REDUX_SYNC_AND_B32, WARP_REDUX_SYNC_OR_B32, UINT32_MAX, "and is not the complement of or"}};
    const char *wrong = NULL;
    for (size_t i = 0; wrong == NULL && i < sizeof pairs / sizeof pairs[0]; i++)
        wrong = redux_pair(impl, c, pairs[i].form, pairs[i].other, pairs[i].flip, tried, pairs[i].what);
    return wrong;
}

/* min(x) = -max(-x), where the result is a number; NaN on both sides or on neither. */
const char *law_redux_floats(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result x, y;
    bool nan = warp_form_get(c->form)->nan;
    *tried = redux(impl, c, nan ? WARP_REDUX_SYNC_MIN_NAN_F32 : WARP_REDUX_SYNC_MIN_F32, 0, &x) &&
             redux(impl, c, nan ? WARP_REDUX_SYNC_MAX_NAN_F32 : WARP_REDUX_SYNC_MAX_F32, 0x80000000u, &y);
    for (lanemask left = *tried ? x.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        bool x_nan = x.d[lane] == 0x7fffffffu, y_nan = y.d[lane] == 0x7fffffffu;
        if (x_nan != y_nan || (!x_nan && x.d[lane] != (y.d[lane] ^ 0x80000000u)))
            return "min(x) is not -max(-x)";
    }
    return NULL;
}

const char *law_redux_uniform(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result r;
    *tried = law_provides(impl, LAW_D_AND_OUTCOME) && law_answer(impl, c, &r);
    for (lanemask left = *tried ? r.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if (group == 0 || r.d[__builtin_ctz(group)] != r.d[lane])
            return "lanes of one group have different results";
    }
    return NULL;
}

static uint32_t combine(enum warp_op op, bool is_signed, uint32_t x, uint32_t y)
{
    bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    switch (op) {
    case WARP_ADD:
        return x + y;
    case WARP_MIN:
        return less ? x : y;
    case WARP_MAX:
        return less ? y : x;
    case WARP_AND:
        return x & y;
    case WARP_OR:
        return x | y;
    case WARP_XOR:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return x ^ y;
}

/* With all lanes in one group an integer redux is the butterfly of five shfl. */
const char *law_redux_butterfly(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct warp_case step, whole = *c;
    struct warp_result r, s;
    if (info->type == WARP_F32 || !law_provides(impl, LAW_D_AND_OUTCOME))
        return NULL;
    whole.active = UINT32_MAX;
    whole.exited = 0;
    memset(whole.membermask, 0xff, sizeof whole.membermask);
    warp_case_init(&step, WARP_SHFL_SYNC_BFLY_B32);
    memcpy(step.a, c->a, sizeof step.a);
    if (!law_answer(impl, &whole, &r))
        return NULL;
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            step.b[lane] = distance;
            step.c[lane] = 0x1f;
        }
        if (!law_answer(impl, &step, &s))
            return NULL;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            step.a[lane] = combine(info->op, info->type == WARP_S32, step.a[lane], s.d[lane]);
    }
    *tried = true;
    return law_differing(r.d, step.a) == 0 ? NULL : "redux is not the butterfly of shfl";
}
