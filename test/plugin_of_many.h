/*
 * A plugin that offers many implementations, for tests: each is opened, in a process of its own, when it is first
 * wanted.
 */
#ifndef WARPCHECK_TEST_PLUGIN_OF_MANY_H
#define WARPCHECK_TEST_PLUGIN_OF_MANY_H

#include "check/impl/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    const char *path;
    struct impl_offer *offers;
    size_t count;
    const struct warp_impl **impls;
};

static inline struct plugin *plugin_open(const char *path, char *error, size_t error_size)
{
    struct error e;
    struct plugin *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->path = path;
    p->offers = impl_list_plugin(path, &p->count, &e);
    p->impls = p->offers != NULL ? calloc(p->count, sizeof *p->impls) : NULL;
    if (p->impls != NULL)
        return p;
    snprintf(error, error_size, "%.200s", e.text);
    free(p);
    return NULL;
}

static inline const struct warp_impl *plugin_get(const struct plugin *p, size_t i)
{
    char name[IMPL_FULL_MAX];
    if (i >= p->count)
        return NULL;
    snprintf(name, sizeof name, "%s:%s", p->path, p->offers[i].name);
    if (p->impls[i] == NULL)
        p->impls[i] = impl_open(name, NULL);
    return p->impls[i];
}

static inline const struct warp_impl *plugin_find(const struct plugin *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->offers[i].name, name) == 0)
            return plugin_get(p, i);
    return NULL;
}

static inline void plugin_close(struct plugin *p)
{
    for (size_t i = 0; i < p->count; i++)
        impl_close(p->impls[i], NULL);
    free(p->offers);
    free(p->impls);
    free(p);
}

#endif
