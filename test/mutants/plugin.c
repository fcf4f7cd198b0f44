/*
 * The mutants as a plugin: implementation 0 is the base, which is right; the others have one mistake each.
 */
#include "base.h"

#define MUTANTS_MAX 128

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static const struct mutant base[] = {{"base", "no mistake: what the mutants are made from", {0}, 0, NULL}, {0}};

static const struct mutant *const tables[] = {base,
                                              mutants_of_shfl,
                                              mutants_of_masks,
                                              mutants_of_vote,
                                              mutants_of_match,
                                              mutants_of_redux,
                                              mutants_of_elect,
                                              mutants_of_memory,
                                              mutants_of_compilers};

static const struct mutant *find(size_t i)
{
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const struct mutant *m = tables[t]; m->name != NULL; m++)
            if (i-- == 0)
                return m;
    return NULL;
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static struct warp_impl impls[MUTANTS_MAX];
    const struct mutant *const m = i < MUTANTS_MAX ? find(i) : NULL;
    if (m == NULL)
        return NULL;
    if (m->steps.memory != NULL)
        memory_clear(m->steps.memory); /* whoever opens the plugin asks for each: a run repeats */
    impls[i] = (struct warp_impl){
        .name = m->name,
        .description = m->description,
        .provides = m->provides != 0 ? m->provides : WARP_PART_ALL,
        .state = (void *)(uintptr_t)m, /* only read */
        .accepts = m->accepts,
        .eval = base_eval,
    };
    return &impls[i];
}
