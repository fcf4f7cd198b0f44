#include "check/filter.h"

#include "model/lanes.h"
#include "warpcheck/bytes.h"

#include <stdio.h>

bool filter_is_set(const struct case_filter *filter)
{
    return filter->done_only || filter->full_only || filter->cuda_only;
}

static bool is_uniform(const uint32_t values[WARP_LANES])
{
    for (size_t lane = 1; lane < WARP_LANES; lane++)
        if (values[lane] != values[0])
            return false;
    return true;
}

/* Is c what CUDA's shuffles make of a width, the same in all lanes? */
static bool is_width(const struct warp_form_info *info, const uint32_t c[WARP_LANES])
{
    for (unsigned width = 1; width <= WARP_LANES; width *= 2)
        if (c[0] == warp_width_c(info->op, width))
            return is_uniform(c);
    return false;
}

enum warp_dst filter_cuda_dst(const struct warp_form_info *info)
{
    if (info->family == WARP_MATCH_SYNC && info->op == WARP_ALL)
        return WARP_DST_D_P; /* __match_all_sync(mask, value, &p) */
    return warp_form_first_dst(info);
}

const char *filter_refuses(const struct case_filter *filter, const struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    if (filter->full_only && c->active != UINT32_MAX)
        return "--full-only: not all lanes execute it";
    if (filter->cuda_only && c->dst != filter_cuda_dst(info))
        return "--cuda-only: the destinations are not those of the intrinsic";
    if (filter->cuda_only && warp_form_is_shfl(info) && !is_width(info, c->c))
        return "--cuda-only: c is no width of CUDA's";
    if (filter->cuda_only && warp_form_is_sync(info) && !is_uniform(c->membermask))
        return "--cuda-only: lanes pass different membermasks";
    if ((filter->done_only || filter->full_only) && lanes_not_done(c) != 0)
        return filter->done_only ? "--done-only: lanes wait or are undefined"
                                 : "--full-only: lanes wait or are undefined";
    return NULL;
}

/* A width of 8 is the segment mask 11000: its lowest bit is the width, and none is a width of 32. */
static void fit_width(const struct warp_form_info *info, uint32_t c[WARP_LANES])
{
    const uint32_t segment = c[0] >> 8 & 31u, width = segment != 0 ? segment & (0u - segment) : WARP_LANES;
    if (is_width(info, c))
        return;
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        c[lane] = warp_width_c(info->op, width);
}

/* One mask for all lanes: that of the first active lane. */
static void fit_mask(struct warp_case *c)
{
    const lanemask mask = c->membermask[lanes_lowest(c->active)];
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = mask;
}

/* Lanes that pass the same mask stay together and become a group: their mask names them all, nobody else that lives,
 * and those of the exited lanes that it named. Masks with which every lane is done stay as they are. */
static void close_groups(struct warp_case *c)
{
    for (lanemask rest = c->active; rest != 0;) {
        lanemask group = 0;
        const unsigned first = lanes_lowest(rest);
        const lanemask mask = c->membermask[first];
        for (unsigned lane = first; lane < WARP_LANES; lane++)
            if ((rest >> lane & 1u) && c->membermask[lane] == mask)
                group |= 1u << lane;
        rest &= ~group;
        for (unsigned lane = first; lane < WARP_LANES; lane++)
            if (group >> lane & 1u)
                c->membermask[lane] = group | (mask & c->exited);
    }
}

/* The same where all lanes pass one mask, also those that do not execute it. */
static void close_group(struct warp_case *c)
{
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = c->active | (c->membermask[lane] & c->exited);
}

void filter_fit_destination(const struct case_filter *filter, struct warp_case *c)
{
    if (filter->cuda_only)
        c->dst = filter_cuda_dst(warp_form_get(c->form));
}

void filter_fit(const struct case_filter *filter, struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    if (filter->full_only) {
        c->active = UINT32_MAX;
        c->exited = 0;
    }
    filter_fit_destination(filter, c);
    if (filter->cuda_only && warp_form_is_shfl(info))
        fit_width(info, c->c);
    if (filter->cuda_only && warp_form_is_sync(info) && !is_uniform(c->membermask))
        fit_mask(c);
    if ((!filter->done_only && !filter->full_only) || !warp_form_is_sync(info))
        return;
    if (filter->cuda_only)
        close_group(c);
    else
        close_groups(c);
}

/* --- as an implementation --- */

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct filtered *const f = state;
    const char *const refusal = filter_refuses(f->filter, c);
    if (refusal && why_size > 0)
        snprintf(why, why_size, "%s", refusal);
    return !refusal && warp_impl_accepts(f->inner, c, why, why_size);
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct filtered *const f = state;
    const bool good = f->inner->eval(f->inner->state, cases, n, results, error, error_size);
    if (f->impl.provides != f->inner->provides) /* a pipe's first answers settle it */
        f->impl.provides = f->inner->provides;
    return good;
}

const struct warp_impl *filter_impl(struct filtered *filtered, const struct warp_impl *inner,
                                    const struct case_filter *filter)
{
    *filtered = (struct filtered){.impl = *inner, .inner = inner, .filter = filter};
    filtered->impl.state = filtered;
    filtered->impl.accepts = accepts;
    filtered->impl.eval = eval;
    filtered->impl.close = NULL;
    return &filtered->impl;
}

void filter_fit_for(const struct warp_impl *impl, struct warp_case *c)
{
    if (impl->eval == eval)
        filter_fit(((const struct filtered *)impl->state)->filter, c);
}
