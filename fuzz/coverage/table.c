/*
 * Bucket numbers and their names, from coverage.def.
 */
#include "fuzz/coverage/coverage.h"

#include <stdio.h>
#include <string.h>

struct axis_value {
    const char *name, *meaning;
};

#define V(id, name, meaning)        {name, meaning},
#define COVERAGE_AXIS(axis, values) static const struct axis_value VALUES_OF_##axis[] = {values};
#include "fuzz/coverage/coverage.def"
#undef COVERAGE_AXIS
#undef V

struct group {
    const char *name, *meaning;
    enum warp_family family;
    size_t first, last;
    const struct axis_value *axis[4];
    unsigned size[4];
};

static const struct group groups[COVERAGE_GROUPS] = {
#define COVERAGE_GROUP(id, fam, title, what, w, x, y, z)                                                               \
    {title,                                                                                                            \
     what,                                                                                                             \
     WARP_##fam,                                                                                                       \
     COVERAGE_##id,                                                                                                    \
     COVERAGE_##id##_LAST,                                                                                             \
     {VALUES_OF_##w, VALUES_OF_##x, VALUES_OF_##y, VALUES_OF_##z},                                                     \
     {COUNT_##w, COUNT_##x, COUNT_##y, COUNT_##z}},
#include "fuzz/coverage/coverage.def"
#undef COVERAGE_GROUP
};

void coverage_describe(size_t bucket, struct coverage_info *info)
{
    const struct group *group = groups;
    size_t rest;
    while (bucket > group->last)
        group++;
    info->group = (enum coverage_group_id)(group - groups);
    info->family = group->family;
    info->group_name = group->name;
    info->group_meaning = group->meaning;
    rest = bucket - group->first;
    for (unsigned i = 4; i-- > 0;) {
        info->value[i] = (unsigned)(rest % group->size[i]);
        info->value_name[i] = group->axis[i][info->value[i]].name;
        info->value_meaning[i] = group->axis[i][info->value[i]].meaning;
        rest /= group->size[i];
    }
}

void coverage_name(size_t bucket, char *name, size_t size)
{
    struct coverage_info info;
    size_t at;
    coverage_describe(bucket, &info);
    at = (size_t)snprintf(name, size, "%s/%s", warp_family_name(info.family), info.group_name);
    for (unsigned i = 0; i < 4 && at < size; i++)
        if (info.value_name[i][0] != '\0')
            at += (size_t)snprintf(name + at, size - at, "/%s", info.value_name[i]);
}

const char *coverage_unreachable(size_t bucket)
{
    struct coverage_info info;
    coverage_describe(bucket, &info);
    return coverage_why_not(&info);
}

size_t coverage_reachable(enum warp_family family)
{
    size_t count = 0;
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        struct coverage_info info;
        coverage_describe(bucket, &info);
        if ((family == WARP_FAMILIES || info.family == family) && coverage_why_not(&info) == NULL)
            count++;
    }
    return count;
}
