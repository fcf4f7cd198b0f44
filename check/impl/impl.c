#include "check/impl/impl.h"

#include "check/impl/shapes.h"
#include "check/plugin.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPE_TIMEOUT_MS 10000u
#define PROVIDERS_MAX   8u

/* What was opened and is not built in. */
struct opened {
    const struct warp_impl *impl;
    enum impl_kind kind;
    struct plugin *plugin;
    unsigned times; /* that it is open: a device is shared */
    struct opened *next;
};
static struct opened *all_opened;
static struct impl_provider providers[PROVIDERS_MAX];
static size_t providers_count;

void impl_provide(const struct impl_provider *from, size_t count)
{
    for (size_t i = 0; i < count && providers_count < PROVIDERS_MAX; i++)
        providers[providers_count++] = from[i];
}

static const struct impl_provider *provider_of(enum impl_kind kind)
{
    for (size_t i = 0; i < providers_count; i++)
        if (providers[i].kind == kind)
            return &providers[i];
    return NULL;
}

/* --- what is built in --- */

static bool set_entry(struct impl_entry *entry, enum impl_kind kind, const char *name, const char *description)
{
    entry->kind = kind;
    entry->name = name;
    entry->description = description;
    entry->available = true;
    return true;
}

static size_t count_variants(void)
{
    struct fast_variant variant;
    size_t n = 0;
    while (fast_variant_get(n, &variant))
        n++;
    return n;
}

static bool set_variant(struct impl_entry *entry, size_t i)
{
    struct fast_variant variant;
    fast_variant_get(i, &variant);
    set_entry(entry, IMPL_FAST, variant.name, variant.description);
    entry->available = variant.impl != NULL;
    if (!entry->available)
        snprintf(entry->why, sizeof entry->why, "%s", variant.unavailable);
    return true;
}

static bool set_provided(struct impl_entry *entry, enum impl_kind kind, const char *name)
{
    const struct impl_provider *const p = provider_of(kind);
    set_entry(entry, kind, name, p != NULL ? p->description : "");
    entry->available = p != NULL && p->open != NULL;
    if (!entry->available)
        snprintf(entry->why, sizeof entry->why, "%s",
                 p != NULL && p->unavailable != NULL ? p->unavailable : "not in this program");
    return true;
}

bool impl_list(size_t i, struct impl_entry *entry)
{
    const size_t variants = count_variants();
    memset(entry, 0, sizeof *entry);
    if (i == 0)
        return set_entry(entry, IMPL_SPEC, "spec", spec_get()->description);
    if (i == 1)
        return set_entry(entry, IMPL_FAST, "fast", fast_get()->description);
    if (i < 2 + variants)
        return set_variant(entry, i - 2);
    if (i == 2 + variants)
        return set_entry(entry, IMPL_FAST_BATCH, "fast-batch", shapes_get()->description);
    if (i == 3 + variants)
        return set_provided(entry, IMPL_SMT, "smt");
    return i == 4 + variants && set_provided(entry, IMPL_GPU, "gpu");
}

void impl_list_check(struct impl_entry *entry)
{
    struct error error = {0};
    const struct warp_impl *impl;
    if (!entry->available || (entry->kind != IMPL_SMT && entry->kind != IMPL_GPU))
        return;
    impl = provider_of(entry->kind)->open(entry->name, &error);
    entry->available = impl != NULL;
    if (impl == NULL)
        snprintf(entry->why, sizeof entry->why, "%.250s", error.text);
    else
        entry->description = impl->description;
}

static const struct warp_impl *variant_of(const char *name)
{
    struct fast_variant variant;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (strcmp(variant.name, name) == 0)
            return variant.impl;
    return fast_get();
}

/* --- opening --- */

static struct opened *find_opened(const struct warp_impl *impl)
{
    struct opened *o = all_opened;
    while (o != NULL && o->impl != impl)
        o = o->next;
    return o;
}

static const struct warp_impl *keep(const struct warp_impl *impl, enum impl_kind kind, struct plugin *plugin,
                                    struct error *error)
{
    struct opened *o = impl != NULL ? find_opened(impl) : NULL;
    if (impl == NULL || o != NULL) {
        if (o != NULL)
            o->times++;
        return impl;
    }
    o = malloc(sizeof *o);
    if (o == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    *o = (struct opened){impl, kind, plugin, 1, all_opened};
    all_opened = o;
    return impl;
}

static const struct warp_impl *open_plugin(const struct impl_name *name, struct error *error)
{
    char why[512];
    struct plugin *const plugin = plugin_open(name->path, why, sizeof why);
    const struct warp_impl *const impl =
        plugin != NULL ? plugin_find(plugin, name->inner[0] != '\0' ? name->inner : NULL) : NULL;
    if (plugin == NULL)
        error_set(error, ERROR_INPUT, "%s", why);
    else if (impl == NULL)
        error_set(error, ERROR_USAGE, "%s: has no implementation named %s (warpcheck list %s shows those that it has)",
                  name->path, name->inner, name->path);
    if (impl == NULL)
        plugin_close(plugin);
    return keep(impl, IMPL_PLUGIN, plugin, error);
}

static const struct warp_impl *open_pipe(const struct impl_name *name, struct error *error)
{
    char why[512];
    const struct warp_impl *const impl = pipe_open(name->path, PIPE_TIMEOUT_MS, why, sizeof why);
    if (impl == NULL)
        error_set(error, ERROR_SYSTEM, "%s", why);
    return keep(impl, IMPL_PIPE, NULL, error);
}

static const struct warp_impl *open_provided(const struct impl_name *name, const char *word, struct error *error)
{
    const struct impl_provider *const p = provider_of(name->kind);
    const struct warp_impl *impl = NULL;
    if (p != NULL && p->open != NULL) {
        impl = p->open(name->path, error);
        if (impl == NULL && error != NULL && error->code == ERROR_UNAVAILABLE)
            error_prefix(error, "%s is UNAVAILABLE", word);
        return impl != NULL && impl->close != NULL ? keep(impl, name->kind, NULL, error) : impl;
    }
    error_set(error, ERROR_UNAVAILABLE, "%s is UNAVAILABLE: %s", word,
              p != NULL && p->unavailable != NULL ? p->unavailable : "not in this program");
    return NULL;
}

static const struct warp_impl *open_variant(const struct impl_name *name, struct error *error)
{
    struct impl_entry entry;
    for (size_t i = 0; impl_list(i, &entry); i++) {
        if (strcmp(entry.name, name->path) != 0)
            continue;
        if (entry.available)
            return variant_of(name->path);
        error_set(error, ERROR_UNAVAILABLE, "implementation %s is UNAVAILABLE: %s", entry.name, entry.why);
    }
    return NULL;
}

const struct warp_impl *impl_open(const char *text, struct error *error)
{
    struct impl_name name;
    char word[160];
    if (!impl_name_parse(text, &name, error))
        return NULL;
    switch (name.kind) {
    case IMPL_SPEC:
        return spec_get();
    case IMPL_FAST:
        return open_variant(&name, error);
    case IMPL_FAST_BATCH:
        return shapes_get();
    case IMPL_PLUGIN:
        return open_plugin(&name, error);
    case IMPL_PIPE:
        return open_pipe(&name, error);
    case IMPL_RECORDING:
        return open_provided(&name, "a recording", error);
    case IMPL_GPU:
    case IMPL_SMT:
        snprintf(word, sizeof word, "implementation %.120s", name.path);
        return open_provided(&name, word, error);
    }
    return NULL;
}

bool impl_close(const struct warp_impl *impl, struct error *error)
{
    struct opened **link = &all_opened, *o;
    (void)error;
    while (*link != NULL && (*link)->impl != impl)
        link = &(*link)->next;
    o = *link;
    if (o == NULL || --o->times > 0)
        return true;
    *link = o->next;
    if (o->plugin != NULL)
        plugin_close(o->plugin);
    else if (impl->close != NULL)
        impl->close(impl->state);
    free(o);
    return true;
}

/* --- what an open one can do --- */

static bool is_variant(const struct warp_impl *impl)
{
    struct fast_variant variant;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (variant.impl == impl)
            return true;
    return impl == fast_get();
}

struct impl_abilities impl_can(const struct warp_impl *impl)
{
    const struct opened *const o = find_opened(impl);
    const struct warp_impl *inner;
    struct impl_abilities can = {.kind = IMPL_SMT};
    if (o != NULL)
        can.kind = o->kind;
    else if (impl == spec_get())
        can.kind = IMPL_SPEC;
    else if (impl == shapes_get())
        can.kind = IMPL_FAST_BATCH;
    else if (is_variant(impl))
        can.kind = IMPL_FAST;
    can.stateless = o == NULL && (can.kind == IMPL_SPEC || can.kind == IMPL_FAST);
    can.foreign = can.kind == IMPL_PLUGIN || can.kind == IMPL_PIPE || can.kind == IMPL_GPU;
    can.fuzz = impl_kind_can_be_fuzzed(can.kind);
    can.batch = impl_batch(impl, &inner) != NULL;
    return can;
}

warp_batch_fn impl_batch(const struct warp_impl *impl, const struct warp_impl **inner)
{
    const struct opened *const o = find_opened(impl);
    if (o != NULL)
        return o->plugin != NULL ? plugin_batch(o->plugin, impl, inner) : NULL;
    *inner = impl;
    return is_variant(impl) ? fast_batch_eval : NULL;
}
