#include "gpu/judge/judge.h"

bool judge_expected(const struct warp_form_info *info, uint32_t dst, uint16_t ptx, uint32_t target)
{
    return warp_legal(info, dst == WARP_DST_D_SINK ? WARP_DST_D : dst, ptx, target, NULL, 0);
}

/* A version that is known for no target is newer than this ptxas. */
static bool version_is_known(const struct judge_map *map, size_t version)
{
    for (size_t i = 0; i < JUDGE_TARGETS; i++)
        if (map->verdicts[i][version].known)
            return true;
    return false;
}

unsigned judge_differences(const struct judge_map *map, judge_difference_fn report, void *context)
{
    const struct warp_target_info *t;
    unsigned count = 0;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        for (size_t j = 0; warp_ptx_get(j) != 0; j++)
            for (uint32_t k = 0; version_is_known(map, j) && k < JUDGE_COMBOS; k++) {
                const struct warp_form_info *info = warp_form_get(k / WARP_DST_COUNT);
                const uint32_t dst = k % WARP_DST_COUNT;
                const bool expected = judge_expected(info, dst, warp_ptx_get(j), t->target);
                if (expected == judge_bit(&map->verdicts[i][j], info->form, dst))
                    continue;
                if (report != NULL)
                    report(context, info, dst, warp_ptx_get(j), t, expected);
                count++;
            }
    return count;
}
