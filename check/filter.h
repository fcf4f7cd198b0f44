/*
 * Which cases an implementation shall be asked: --done-only, --full-only, --cuda-only of gen, run, cross and exhaust.
 *
 * What is drawn at random is made to fit, so that nothing is drawn in vain; what comes from elsewhere (enumerations,
 * files, recordings) passes or is left out, counted and shown as a case that is not accepted.
 */
#ifndef WARPCHECK_CHECK_FILTER_H
#define WARPCHECK_CHECK_FILTER_H

#include "warpcheck/impl.h"

struct case_filter {
    bool done_only; /* every active lane is done */
    bool full_only; /* all 32 lanes are active, and done */
    bool cuda_only; /* what CUDA's intrinsics can say: one width, one mask, one destination */
};

/* Does it leave out anything? */
bool filter_is_set(const struct case_filter *filter);

/* The destinations of CUDA's intrinsic, or those that the form names first, where it has none. */
enum warp_dst filter_cuda_dst(const struct warp_form_info *info);

/* NULL when the case passes, else one clause that says why not, with the option's name. */
const char *filter_refuses(const struct case_filter *filter, const struct warp_case *c);

/* The first step of filter_fit: the destinations become those that pass. It changes what is asked for and nothing of
 * what happens, so an enumeration stays what it is. */
void filter_fit_destination(const struct case_filter *filter, struct warp_case *c);

/* Changes the case so that it passes, and nothing more than that: one that passes is left as it is. */
void filter_fit(const struct case_filter *filter, struct warp_case *c);

/* An implementation that accepts those of inner's cases that pass, and else is the same. `inner` and the filter must
 * live as long as it does; closing it closes nothing. */
struct filtered {
    struct warp_impl impl;
    const struct warp_impl *inner;
    const struct case_filter *filter;
};
const struct warp_impl *filter_impl(struct filtered *filtered, const struct warp_impl *inner,
                                    const struct case_filter *filter);
/* Makes the case fit for an implementation that filter_impl made; any other takes it as it is. */
void filter_fit_for(const struct warp_impl *impl, struct warp_case *c);

#endif
