#include "spec.h"

#include <string.h>

static void spec_case(const struct warp_case *c, struct warp_result *r)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct spec_warp w;

    memset(r, 0, sizeof *r);
    spec_wait(c, info, &w, r);
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        spec_shfl(&w, r);
        break;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        spec_vote(&w, r);
        break;
    case WARP_MATCH_SYNC:
        spec_match(&w, r);
        break;
    case WARP_REDUX_SYNC:
        spec_redux(&w, r);
        break;
    case WARP_ACTIVEMASK:
        spec_activemask(&w, r);
        break;
    case WARP_BAR_WARP:
        spec_bar_warp(&w, r);
        break;
    case WARP_ELECT:
        spec_elect(&w, r);
        break;
    case WARP_FAMILIES: /* not a family */
        break;
    }
}

bool spec_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
               size_t error_size)
{
    (void)state;
    (void)error;
    (void)error_size;
    for (size_t i = 0; i < n; i++)
        spec_case(&cases[i], &results[i]);
    return true;
}
