#include "cli/registry.h"

#include "check/plugin.h"
#include "cli/ui/options.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#ifdef WARPCHECK_HAVE_SMT
#include "smt/warpcheck_smt.h"
#endif
#ifdef WARPCHECK_HAVE_GPU
#include "gpu/warpcheck_gpu.h"
#endif
#include "gpu/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPE_TIMEOUT_MS 10000u
#define EXTERNAL_MAX    64u
#define PATH_LENGTH_MAX 4096u
#define BUILTIN_MAX     24u

/* What registry_open opened from outside, so that registry_close knows how to close it. */
struct external {
    const struct warp_impl *impl;
    struct plugin *plugin; /* NULL: impl->close does it */
    char path[PATH_LENGTH_MAX];
};
static struct external externals[EXTERNAL_MAX];

static bool get_spec(struct registry_entry *entry)
{
    entry->impl = spec_get();
    entry->name = "spec";
    entry->description = entry->impl->description;
    return true;
}

static bool get_fast(struct registry_entry *entry)
{
    entry->impl = fast_get();
    entry->name = "fast";
    entry->description = entry->impl->description;
    return true;
}

static bool get_smt(struct registry_entry *entry)
{
    entry->name = "smt";
    entry->description = "the Z3 terms, evaluated";
#ifdef WARPCHECK_HAVE_SMT
    static char why[256];
    entry->impl = smt_get(why, sizeof why);
    entry->unavailable = entry->impl ? NULL : why;
#else
    entry->unavailable = "built without Z3 (Debian: libz3-dev)";
#endif
    return true;
}

static bool get_gpu(struct registry_entry *entry)
{
    entry->name = "gpu";
    entry->description = "a real GPU, through the CUDA driver";
#ifdef WARPCHECK_HAVE_GPU
    static char why[256];
    entry->impl = gpu_get(why, sizeof why);
    entry->unavailable = entry->impl ? NULL : why;
#else
    entry->unavailable = "built without the GPU part (Debian: libffmpeg-nvenc-dev)";
#endif
    return true;
}

static bool get_variant(size_t i, struct registry_entry *entry)
{
    struct fast_variant variant;
    if (!fast_variant_get(i, &variant))
        return false;
    entry->name = variant.name;
    entry->description = variant.description;
    entry->impl = variant.impl;
    entry->unavailable = variant.unavailable;
    return true;
}

static size_t count_variants(void)
{
    struct fast_variant variant;
    size_t n = 0;
    while (n < BUILTIN_MAX && fast_variant_get(n, &variant))
        n++;
    return n;
}

bool registry_get(size_t i, struct registry_entry *entry)
{
    size_t variants = count_variants();
    memset(entry, 0, sizeof *entry);
    if (i < 2)
        return i == 0 ? get_spec(entry) : get_fast(entry);
    if (i < 2 + variants)
        return get_variant(i - 2, entry);
    if (i < 4 + variants)
        return i == 2 + variants ? get_smt(entry) : get_gpu(entry);
    return false;
}

bool registry_is_stateless(const struct warp_impl *impl)
{
    struct fast_variant variant;
    if (impl == spec_get() || impl == fast_get())
        return true;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (variant.impl == impl)
            return true;
    return false;
}

warp_batch_fn registry_batch(const struct warp_impl *impl, const struct warp_impl **inner)
{
    struct fast_variant variant;
    for (size_t i = 0; i < EXTERNAL_MAX; i++)
        if (externals[i].impl == impl)
            return externals[i].plugin ? plugin_batch(externals[i].plugin, impl, inner) : NULL;
    *inner = impl;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (variant.impl == impl)
            return fast_batch_eval;
    return impl == fast_get() ? fast_batch_eval : NULL;
}

static struct external *free_slot(char *error, size_t error_size)
{
    for (size_t i = 0; i < EXTERNAL_MAX; i++)
        if (!externals[i].impl)
            return &externals[i];
    snprintf(error, error_size, "more than %u implementations from outside are open", EXTERNAL_MAX);
    return NULL;
}

/* FILE.so:NAME; where the name starts, or the end of the text. */
static size_t plugin_path_length(const char *name)
{
    const char *colon = strstr(name, ".so:");
    return colon ? (size_t)(colon - name) + 3 : strlen(name);
}

/* A library whose implementations are open already is shared, so that none of them is closed under another. */
static struct plugin *shared_plugin(const char *path, char *error, size_t error_size)
{
    for (size_t i = 0; i < EXTERNAL_MAX; i++)
        if (externals[i].impl && externals[i].plugin && strcmp(externals[i].path, path) == 0)
            return externals[i].plugin;
    return plugin_open(path, error, error_size);
}

static void release_plugin(struct plugin *plugin)
{
    for (size_t i = 0; i < EXTERNAL_MAX; i++)
        if (externals[i].impl && externals[i].plugin == plugin)
            return;
    plugin_close(plugin);
}

static const struct warp_impl *open_plugin(const char *name, char *error, size_t error_size)
{
    size_t length = plugin_path_length(name);
    struct external *slot = free_slot(error, error_size);
    if (!slot)
        return NULL;
    snprintf(slot->path, sizeof slot->path, "%.*s", (int)length, name);
    struct plugin *plugin = shared_plugin(slot->path, error, error_size);
    if (!plugin)
        return NULL;
    const char *wanted = name[length] == ':' ? name + length + 1 : NULL;
    const struct warp_impl *impl = plugin_find(plugin, wanted);
    if (!impl) {
        snprintf(error, error_size, "%s: has no implementation%s%s (warpcheck list %s shows those that it has)",
                 slot->path, wanted ? " named " : "", wanted ? wanted : "", slot->path);
        release_plugin(plugin);
        return NULL;
    }
    slot->impl = impl;
    slot->plugin = plugin;
    return impl;
}

static const struct warp_impl *keep(const struct warp_impl *impl, const char *name, struct external *slot)
{
    if (!impl)
        return NULL;
    slot->impl = impl;
    slot->plugin = NULL;
    snprintf(slot->path, sizeof slot->path, "%s", name);
    return impl;
}

static const struct warp_impl *open_recording(const char *name, char *error, size_t error_size)
{
    struct external *slot = free_slot(error, error_size);
    struct error why;
    const struct warp_impl *impl = slot ? recording_open(name, &why) : NULL;
    if (slot && !impl)
        snprintf(error, error_size, "%s", why.text);
    return keep(impl, name, slot);
}

static const struct warp_impl *open_builtin(const char *name, char *error, size_t error_size)
{
    struct registry_entry entry;
    const char *names[BUILTIN_MAX + 4];
    size_t n = 0;
    for (size_t i = 0; n < BUILTIN_MAX + 4 && registry_get(i, &entry); i++) {
        names[n++] = entry.name;
        if (strcmp(entry.name, name) != 0)
            continue;
        if (!entry.impl)
            snprintf(error, error_size, "implementation %s is UNAVAILABLE: %s", name, entry.unavailable);
        return entry.impl;
    }
    const char *nearest = options_nearest(name, names, n);
    snprintf(error, error_size,
             "no implementation '%s'%s%s%s (warpcheck list implementations; FILE.so:NAME, pipe:COMMAND, "
             "FILE.rec)",
             name, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    return NULL;
}

const struct warp_impl *registry_open(const char *name, char *error, size_t error_size)
{
    size_t length = strlen(name);
    if (strncmp(name, "pipe:", 5) == 0) {
        struct external *slot = free_slot(error, error_size);
        return slot ? keep(pipe_open(name + 5, PIPE_TIMEOUT_MS, error, error_size), name, slot) : NULL;
    }
    if (strstr(name, ".so:") || (length > 3 && strcmp(name + length - 3, ".so") == 0))
        return open_plugin(name, error, error_size);
    if (length > 4 && strcmp(name + length - 4, ".rec") == 0)
        return open_recording(name, error, error_size);
    return open_builtin(name, error, error_size);
}

void registry_close(const struct warp_impl *impl)
{
    for (size_t i = 0; impl && i < EXTERNAL_MAX; i++) {
        if (externals[i].impl != impl)
            continue;
        struct plugin *plugin = externals[i].plugin;
        externals[i].impl = NULL;
        if (plugin)
            release_plugin(plugin);
        else if (impl->close)
            impl->close(impl->state);
        return;
    }
}

void registry_full_name(const char *name, char *full, size_t full_size)
{
    size_t length = plugin_path_length(name);
    bool is_file = strstr(name, ".so") != NULL || (strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".rec") == 0);
    char path[PATH_LENGTH_MAX];
    char absolute[PATH_LENGTH_MAX];
    snprintf(path, sizeof path, "%.*s", (int)length, name);
    if (strncmp(name, "pipe:", 5) != 0 && is_file && realpath(path, absolute))
        snprintf(full, full_size, "%s%s", absolute, name + length);
    else
        snprintf(full, full_size, "%s", name);
}
