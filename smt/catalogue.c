#include "smt/goal.h"

#include "smt/catalogue/catalogue.h"

#include <stdio.h>
#include <string.h>

static const struct property_list *const lists[] = {
    &catalogue_shfl,        &catalogue_shfl_width,  &catalogue_outcome,       &catalogue_vote,
    &catalogue_match,       &catalogue_redux_chain, &catalogue_redux_tree,    &catalogue_redux_int,
    &catalogue_redux_float, &catalogue_program,     &catalogue_program_masks, &catalogue_legality};

const struct property_entry *property_entry_get(size_t i)
{
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        if (i < lists[k]->count)
            return &lists[k]->entries[i];
        i -= lists[k]->count;
    }
    return NULL;
}

/* The property is the first field of its entry. */
const struct property_entry *property_entry_of(const struct smt_property *property)
{
    return (const struct property_entry *)(const void *)property;
}

bool smt_name_next(const char **rest, char name[SMT_NAME_MAX])
{
    const char *const begin = *rest + strspn(*rest, " ");
    const size_t length = strcspn(begin, " ");
    snprintf(name, SMT_NAME_MAX, "%.*s", (int)length, begin);
    *rest = begin + length;
    return length > 0;
}

size_t smt_property_count(void)
{
    size_t n = 0;
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        n += lists[k]->count;
    return n;
}

const struct smt_property *smt_property_get(size_t i)
{
    const struct property_entry *entry = property_entry_get(i);
    return entry != NULL ? &entry->property : NULL;
}

const struct smt_property *smt_property_find(const char *name)
{
    for (size_t i = 0; i < smt_property_count(); i++)
        if (strcmp(smt_property_get(i)->name, name) == 0)
            return smt_property_get(i);
    return NULL;
}
