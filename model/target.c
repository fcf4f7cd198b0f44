#include "warpcheck/form.h"

#include <string.h>

/* The first PTX version of each target is the one from which the assembler takes it in a .target directive (manual,
 * "PTX ISA Notes" of .target). */
static const struct warp_target_info targets[] = {
    {WARP_TARGET(12, 0), "sm_12", 12},   {WARP_TARGET(13, 0), "sm_13", 12},    {WARP_TARGET(20, 0), "sm_20", 20},
    {WARP_TARGET(21, 0), "sm_21", 20},   {WARP_TARGET(30, 0), "sm_30", 30},    {WARP_TARGET(32, 0), "sm_32", 40},
    {WARP_TARGET(35, 0), "sm_35", 31},   {WARP_TARGET(37, 0), "sm_37", 41},    {WARP_TARGET(50, 0), "sm_50", 40},
    {WARP_TARGET(52, 0), "sm_52", 41},   {WARP_TARGET(53, 0), "sm_53", 42},    {WARP_TARGET(60, 0), "sm_60", 50},
    {WARP_TARGET(61, 0), "sm_61", 50},   {WARP_TARGET(62, 0), "sm_62", 50},    {WARP_TARGET(70, 0), "sm_70", 60},
    {WARP_TARGET(72, 0), "sm_72", 61},   {WARP_TARGET(75, 0), "sm_75", 63},    {WARP_TARGET(80, 0), "sm_80", 70},
    {WARP_TARGET(86, 0), "sm_86", 71},   {WARP_TARGET(87, 0), "sm_87", 74},    {WARP_TARGET(88, 0), "sm_88", 73},
    {WARP_TARGET(89, 0), "sm_89", 78},   {WARP_TARGET(90, 0), "sm_90", 78},    {WARP_TARGET(90, 1), "sm_90a", 80},
    {WARP_TARGET(100, 0), "sm_100", 86}, {WARP_TARGET(100, 1), "sm_100a", 86}, {WARP_TARGET(100, 2), "sm_100f", 88},
    {WARP_TARGET(103, 0), "sm_103", 88}, {WARP_TARGET(103, 1), "sm_103a", 88}, {WARP_TARGET(103, 2), "sm_103f", 88},
    {WARP_TARGET(110, 0), "sm_110", 90}, {WARP_TARGET(110, 1), "sm_110a", 90}, {WARP_TARGET(110, 2), "sm_110f", 90},
    {WARP_TARGET(120, 0), "sm_120", 87}, {WARP_TARGET(120, 1), "sm_120a", 87}, {WARP_TARGET(120, 2), "sm_120f", 88},
    {WARP_TARGET(121, 0), "sm_121", 88}, {WARP_TARGET(121, 1), "sm_121a", 88}, {WARP_TARGET(121, 2), "sm_121f", 88},
};

static const uint16_t ptx_versions[] = {12, 13, 14, 15, 20, 21, 22, 23, 30, 31, 32, 40, 41, 42,
                                        43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75,
                                        76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90, 91};

const struct warp_target_info *warp_target_get(size_t i)
{
    return i < sizeof targets / sizeof targets[0] ? &targets[i] : NULL;
}

const struct warp_target_info *warp_target_find(const char *name)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

const struct warp_target_info *warp_target_of(uint32_t target)
{
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (targets[i].target == target)
            return &targets[i];
    return NULL;
}

const char *warp_target_name(uint32_t target)
{
    const struct warp_target_info *t = warp_target_of(target);
    return t != NULL ? t->name : NULL;
}

uint16_t warp_ptx_get(size_t i)
{
    return i < sizeof ptx_versions / sizeof ptx_versions[0] ? ptx_versions[i] : 0;
}
