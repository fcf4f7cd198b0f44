#define _POSIX_C_SOURCE 200809L

#include "check/plugin.h"

#include "check/guard.h"
#include "check/guarded.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    void *library;
    warp_implementation_fn get;
    warp_batch_fn batch;   /* NULL: it has none */
    struct guarded *impls; /* what is handed out */
    size_t count;
};

static bool check_version(void *library, const char *path, char *error, size_t error_size)
{
    const uint32_t *const version = dlsym(library, WARP_PLUGIN_VERSION_SYMBOL);
    if (version == NULL) {
        snprintf(error, error_size, "%s is no warpcheck plugin: it does not export %s", path,
                 WARP_PLUGIN_VERSION_SYMBOL);
        return false;
    }
    if (*version != WARP_ABI_VERSION) {
        snprintf(error, error_size,
                 "%s was built for version %u of the plugin interface, this program has version %u: rebuild the plugin "
                 "against this version's headers",
                 path, *version, WARP_ABI_VERSION);
        return false;
    }
    return true;
}

static bool is_word(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return name != NULL && name[0] != '\0' && name[strspn(name, allowed)] == '\0';
}

/* Each implementation must have what the interface demands, so that nobody else has to look. */
static bool check_implementations(const struct plugin *plugin, const char *path, char *error, size_t error_size)
{
    const struct warp_impl *impl;
    size_t i = 0;
    for (; (impl = plugin->get(i)) != NULL; i++) {
        const char *wrong = NULL;
        if (!is_word(impl->name))
            wrong = "no name of letters, digits, '-' and '_'";
        else if (impl->eval == NULL)
            wrong = "no eval function";
        else if ((impl->provides & WARP_PART_ALL) == 0)
            wrong = "no part of a result that it provides";
        if (wrong != NULL) {
            snprintf(error, error_size, "%s: its implementation number %zu has %s", path, i, wrong);
            return false;
        }
    }
    if (i == 0)
        snprintf(error, error_size, "%s offers no implementation: %s(0) is NULL", path, WARP_PLUGIN_SYMBOL);
    return i > 0;
}

static bool find_entry(struct plugin *plugin, const char *path, char *error, size_t error_size)
{
    void *symbol = dlsym(plugin->library, WARP_PLUGIN_SYMBOL);
    if (symbol == NULL) {
        snprintf(error, error_size, "%s is no warpcheck plugin: it does not export %s", path, WARP_PLUGIN_SYMBOL);
        return false;
    }
    /* ISO C has no conversion from an object pointer to a function; POSIX says that the bits are the same. */
    memcpy(&plugin->get, &symbol, sizeof plugin->get);
    symbol = dlsym(plugin->library, WARP_PLUGIN_BATCH_SYMBOL);
    memcpy(&plugin->batch, &symbol, sizeof plugin->batch);
    return true;
}

/* dlopen takes a name without a slash from the system's library folders: a file here is meant. */
static void *open_library(const char *path)
{
    char here[4096];
    if (strchr(path, '/') != NULL)
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    snprintf(here, sizeof here, "./%s", path);
    return dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

/* Nothing of the plugin's own is handed out: a crash of its must not be ours. */
static bool guard_implementations(struct plugin *plugin, const char *path, char *error, size_t error_size)
{
    const struct warp_impl *impl;
    size_t count = 0;
    while (plugin->get(count) != NULL) /* past the last one nothing may be asked */
        count++;
    plugin->impls = calloc(count, sizeof plugin->impls[0]);
    if (plugin->impls == NULL) {
        snprintf(error, error_size, "%s: out of memory", path);
        return false;
    }
    while (plugin->count < count && (impl = plugin->get(plugin->count)) != NULL)
        guarded_init(&plugin->impls[plugin->count++], impl, path);
    if (guard_start(error, error_size))
        return true;
    free(plugin->impls);
    return false;
}

struct plugin *plugin_open(const char *path, char *error, size_t error_size)
{
    struct plugin *plugin = calloc(1, sizeof *plugin);
    if (plugin == NULL) {
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    plugin->library = open_library(path);
    if (plugin->library == NULL) {
        snprintf(error, error_size, "cannot load the plugin %s: %s", path, dlerror());
    } else if (check_version(plugin->library, path, error, error_size) && find_entry(plugin, path, error, error_size) &&
               check_implementations(plugin, path, error, error_size) &&
               guard_implementations(plugin, path, error, error_size)) {
        return plugin;
    } else {
        dlclose(plugin->library);
    }
    free(plugin);
    return NULL;
}

const struct warp_impl *plugin_get(const struct plugin *plugin, size_t i)
{
    return i < plugin->count ? &plugin->impls[i].impl : NULL;
}

const struct warp_impl *plugin_find(const struct plugin *plugin, const char *name)
{
    const struct warp_impl *impl;
    for (size_t i = 0; (impl = plugin_get(plugin, i)) != NULL; i++)
        if (name == NULL || strcmp(impl->name, name) == 0)
            return impl;
    return NULL;
}

warp_batch_fn plugin_batch(const struct plugin *plugin, const struct warp_impl *impl, const struct warp_impl **inner)
{
    for (size_t i = 0; i < plugin->count; i++)
        if (&plugin->impls[i].impl == impl) {
            *inner = plugin->impls[i].inner;
            return plugin->batch;
        }
    return NULL;
}

void plugin_close(struct plugin *plugin)
{
    bool dead = false;
    if (plugin == NULL)
        return;
    for (size_t i = 0; i < plugin->count; i++) {
        guarded_close(&plugin->impls[i]);
        dead = dead || plugin->impls[i].dead;
    }
    if (!dead) /* what crashed stays: its end would run in the state that the crash left */
        dlclose(plugin->library);
    guard_stop();
    free(plugin->impls);
    free(plugin);
}
