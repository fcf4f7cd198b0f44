#include "check/cause/plain.h"

#include "check/filter.h"
#include "model/lanes.h"
#include "warpcheck/bytes.h"

#include <stdio.h>

/* The width that c says, as CUDA's functions write it; 0: none. */
static unsigned width_of(const struct warp_form_info *info, uint32_t c)
{
    for (unsigned width = 1; width <= WARP_LANES; width *= 2)
        if (c == warp_width_c(info->op, width))
            return width;
    return 0;
}

static bool one_membermask(const struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && c->membermask[lane] != c->membermask[lanes_lowest(c->active)])
            return false;
    return true;
}

/* CUDA's intrinsic for the form and its destinations; NULL: there is none. */
static const char *intrinsic_of(const struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    const bool is_all = info->op == WARP_ALL;
    switch (info->family) {
    case WARP_SHFL_SYNC:
        return c->dst != WARP_DST_D    ? NULL
               : info->op == WARP_UP   ? "__shfl_up_sync"
               : info->op == WARP_DOWN ? "__shfl_down_sync"
               : info->op == WARP_BFLY ? "__shfl_xor_sync"
                                       : "__shfl_sync";
    case WARP_VOTE_SYNC:
        return is_all                    ? "__all_sync"
               : info->op == WARP_ANY    ? "__any_sync"
               : info->op == WARP_UNI    ? "__uni_sync"
               : info->op == WARP_BALLOT ? "__ballot_sync"
                                         : NULL;
    case WARP_MATCH_SYNC:
        return is_all ? c->dst == WARP_DST_D_P ? "__match_all_sync" : NULL : "__match_any_sync";
    case WARP_REDUX_SYNC:
        return info->type == WARP_F32 ? NULL
               : info->op == WARP_ADD ? "__reduce_add_sync"
               : info->op == WARP_MIN ? "__reduce_min_sync"
               : info->op == WARP_MAX ? "__reduce_max_sync"
               : info->op == WARP_AND ? "__reduce_and_sync"
               : info->op == WARP_OR  ? "__reduce_or_sync"
                                      : "__reduce_xor_sync";
    case WARP_ACTIVEMASK:
        return "__activemask";
    case WARP_BAR_WARP:
        return "__syncwarp";
    case WARP_SHFL:
    case WARP_VOTE:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return NULL;
}

static bool is_cuda(const struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    if (intrinsic_of(c) == NULL)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES && warp_form_is_shfl(info); lane++)
        if ((c->active >> lane & 1u) && width_of(info, c->c[lane]) == 0)
            return false;
    return true;
}

enum plainness plain_of(const struct warp_case *c, const struct warp_result *expected)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    const bool has_d = warp_form_writes_d(info, c->dst);
    if (c->active == 0 || expected->done != c->active || (has_d && expected->d_defined != c->active))
        return PLAIN_NOT;
    if (warp_form_is_sync(info) && !one_membermask(c))
        return PLAIN_DONE;
    return is_cuda(c) ? PLAIN_CUDA : PLAIN_CLEAN;
}

/* --- making one plainer --- */

/* All active lanes pass one membermask: themselves, and the exited lanes that the first of them names. */
static void make_group(struct warp_case *c)
{
    const uint32_t mask = c->active | (c->membermask[lanes_lowest(c->active)] & c->exited);
    for (unsigned lane = 0; lane < WARP_LANES && warp_form_is_sync(warp_form_get(c->form)); lane++)
        c->membermask[lane] = mask;
}

/* The width that CUDA writes whose segments are the nearest to c's. */
static uint32_t nearest_width(const struct warp_form_info *info, uint32_t c)
{
    unsigned width = WARP_LANES;
    while (width > 1 && (c >> 8 & width / 2) != 0)
        width /= 2;
    return warp_width_c(info->op, width);
}

static void make_cuda(struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    const struct warp_case before = *c;
    make_group(c);
    c->negate = 0;
    c->dst = filter_cuda_dst(info);
    if (warp_case_check(c) != NULL)
        c->dst = before.dst;
    for (unsigned lane = 0; lane < WARP_LANES && warp_form_is_shfl(info); lane++)
        c->c[lane] = nearest_width(info, before.c[lanes_lowest(before.active)]);
}

void plain_make(struct warp_case *c, enum plain_way way)
{
    switch (way) {
    case PLAIN_WAY_GROUP:
        make_group(c);
        return;
    case PLAIN_WAY_CUDA:
        make_cuda(c);
        return;
    case PLAIN_WAY_CUDA_FULL:
        c->active = UINT32_MAX;
        c->exited = 0;
        make_cuda(c);
        return;
    case PLAIN_WAY_NONE:
    case PLAIN_WAYS:
        return;
    }
}

/* --- the call --- */

/* The value, with the type that chooses the intrinsic where it has several. */
static const char *value_of(const struct warp_form_info *info)
{
    switch (info->type) {
    case WARP_S32:
        return "(int)v";
    case WARP_U32:
        return "(unsigned)v";
    case WARP_B64:
        return "(unsigned long long)v";
    case WARP_B32:
    case WARP_F32:
    case WARP_PRED:
    case WARP_NO_SOURCE:
        break;
    }
    return "v";
}

bool plain_call(const struct warp_case *c, unsigned lane, char *text, size_t size)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    const char *const name = intrinsic_of(c);
    const unsigned mask = (unsigned)c->membermask[lane];
    const int b = (int)c->b[lane];
    if (name == NULL || !is_cuda(c))
        return false;
    if (info->family == WARP_ACTIVEMASK)
        snprintf(text, size, "%s()", name);
    else if (warp_form_is_shfl(info) && b > -1000 && b < 100000)
        snprintf(text, size, "%s(0x%08x, v, %d, %u)", name, mask, b, width_of(info, c->c[lane]));
    else if (warp_form_is_shfl(info))
        snprintf(text, size, "%s(0x%08x, v, 0x%x, %u)", name, mask, (unsigned)b, width_of(info, c->c[lane]));
    else
        snprintf(text, size, "%s(0x%08x, %s%s%s)", name, mask, c->negate ? "!" : "", value_of(info),
                 info->family == WARP_MATCH_SYNC && info->op == WARP_ALL ? ", &p" : "");
    return true;
}
