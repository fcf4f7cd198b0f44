#include "fuzz/campaign/target.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    enum target_kind kind;
} listed[] = {{"laws", TARGET_LAWS},   {"program", TARGET_PROGRAM}, {"kernel", TARGET_KERNEL}, {"bytes", TARGET_BYTES},
              {"batch", TARGET_BYTES}, {"text", TARGET_TEXT},       {"ptx", TARGET_TEXT}};

const char *target_short_name(const char *name)
{
    static const char prefix[] = "fuzz_";
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

enum target_kind target_kind(const char *name)
{
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++)
        if (strcmp(target_short_name(name), listed[i].name) == 0)
            return listed[i].kind;
    return TARGET_CASES;
}

/* A kind is one bit of a set of kinds. */
#define KIND(kind) (1u << TARGET_##kind)
static bool is_among(unsigned kinds, enum target_kind kind)
{
    return (kinds >> kind & 1u) != 0;
}

bool target_takes_text(enum target_kind kind)
{
    return is_among(KIND(PROGRAM) | KIND(TEXT), kind);
}

bool target_has_mutator(enum target_kind kind)
{
    return is_among(KIND(CASES) | KIND(LAWS), kind);
}

bool target_asks_implementation(enum target_kind kind)
{
    return is_among(KIND(CASES) | KIND(LAWS) | KIND(PROGRAM), kind);
}

bool target_counts_buckets(enum target_kind kind)
{
    return is_among(KIND(CASES) | KIND(LAWS) | KIND(BYTES), kind);
}

bool target_judges_alone(enum target_kind kind)
{
    return is_among(KIND(BYTES) | KIND(TEXT), kind);
}
