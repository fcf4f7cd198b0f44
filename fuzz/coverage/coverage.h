/*
 * The coverage of the specification: which of the buckets of coverage.def a case falls into.
 */
#ifndef WARPCHECK_FUZZ_COVERAGE_H
#define WARPCHECK_FUZZ_COVERAGE_H

#include "warpcheck/warp.h"

/* The values of each axis, and how many there are: COUNT_MODE is 4. */
#define V(id, name, meaning)        AXIS_##id,
#define COVERAGE_AXIS(axis, values) enum coverage_axis_##axis{values COUNT_##axis};
#include "fuzz/coverage/coverage.def"
#undef COVERAGE_AXIS
#undef V

/* The first and the last bucket of each group, in order without gaps. */
enum coverage_bucket {
#define COVERAGE_GROUP(id, family, name, meaning, w, x, y, z)                                                          \
    COVERAGE_##id, COVERAGE_##id##_LAST = COVERAGE_##id + +COUNT_##w * +COUNT_##x * +COUNT_##y * +COUNT_##z - 1,
#include "fuzz/coverage/coverage.def"
#undef COVERAGE_GROUP
    COVERAGE_BUCKETS
};

/* The groups, numbered from 0. */
enum coverage_group_id {
#define COVERAGE_GROUP(id, family, name, meaning, w, x, y, z) GROUP_##id,
#include "fuzz/coverage/coverage.def"
#undef COVERAGE_GROUP
    COVERAGE_GROUPS
};

#define COVERAGE_WORDS ((COVERAGE_BUCKETS + 63) / 64)
struct coverage_set {
    uint64_t words[COVERAGE_WORDS];  /* a bit for each bucket */
    unsigned count;                  /* the same as a list, in the order in which they were hit */
    uint16_t list[COVERAGE_BUCKETS]; /* the first `count` are set */
};
void coverage_clear(struct coverage_set *set);

/* Adds the buckets of a case; `r` is the reference's result for it. */
void coverage_add(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r);

/* Takes one code edge for each bucket of the set, so that every engine that traces edges sees the buckets. With
 * `times` not 0 each bucket is shown that often in the life of the process, and then no more. */
void coverage_signal(const struct coverage_set *set, unsigned times);

/* Describes a bucket, given its number. */
struct coverage_info {
    enum coverage_group_id group;
    enum warp_family family;
    const char *group_name;
    const char *group_meaning;
    unsigned value[4];         /* on each axis of the group */
    const char *value_name[4]; /* "" on an axis that the group does not have */
    const char *value_meaning[4];
};
void coverage_describe(size_t bucket, struct coverage_info *info);

/* "shfl.sync/source/up/split/clamp0/below", cut to `size` bytes. */
void coverage_name(size_t bucket, char *name, size_t size);

/* Why no case can fall into the bucket, or NULL when some case does. */
const char *coverage_unreachable(size_t bucket);

/* Why no case can fall into this bucket group with this value of each axis; NULL when some case does (reach.c;
 * coverage_unreachable calls it). */
const char *coverage_why_not(const struct coverage_info *info);

/* The number of reachable buckets of a family; of all families when `family` is WARP_FAMILIES. */
size_t coverage_reachable(enum warp_family family);

#endif
