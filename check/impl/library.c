#include "check/impl/library.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "check/impl/child.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool check_version(void *handle, const char *path, struct error *error)
{
    const uint32_t *const version = dlsym(handle, WARP_PLUGIN_VERSION_SYMBOL);
    if (version == NULL)
        return error_set(error, ERROR_INPUT, "%s is no warpcheck plugin: it does not export %s", path,
                         WARP_PLUGIN_VERSION_SYMBOL);
    if (*version != WARP_ABI_VERSION)
        return error_set(error, ERROR_INPUT,
                         "%s was built for version %u of the plugin interface, this program has version %u: rebuild "
                         "the plugin against this version's headers",
                         path, *version, WARP_ABI_VERSION);
    return true;
}

static bool is_word(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return name != NULL && name[0] != '\0' && name[strspn(name, allowed)] == '\0';
}

/* Each implementation must have what the interface demands, so that nobody else has to look. */
static bool check_implementations(struct library *library, const char *path, struct error *error)
{
    const struct warp_impl *impl;
    size_t i = 0;
    for (; i < LIBRARY_IMPLS_MAX && (impl = library->get(i)) != NULL; i++) {
        const char *wrong = NULL;
        if (!is_word(impl->name))
            wrong = "no name of letters, digits, '-' and '_'";
        else if (impl->eval == NULL)
            wrong = "no eval function";
        else if ((impl->provides & WARP_PART_ALL) == 0)
            wrong = "no part of a result that it provides";
        if (wrong != NULL)
            return error_set(error, ERROR_INPUT, "%s: its implementation number %zu has %s", path, i, wrong);
    }
    library->count = i;
    if (i == 0)
        return error_set(error, ERROR_INPUT, "%s offers no implementation: %s(0) is NULL", path, WARP_PLUGIN_SYMBOL);
    return i < LIBRARY_IMPLS_MAX ||
           error_set(error, ERROR_INPUT,
                     "%s offers %u implementations and more: %s must return NULL for an index past its last one", path,
                     LIBRARY_IMPLS_MAX, WARP_PLUGIN_SYMBOL);
}

static bool find_entry(struct library *library, const char *path, struct error *error)
{
    void *symbol = dlsym(library->handle, WARP_PLUGIN_SYMBOL);
    if (symbol == NULL && dlsym(library->handle, WARP_PLUGIN_KERNEL_SYMBOL) != NULL)
        return error_set(error, ERROR_INPUT,
                         "%s executes whole kernels (warpcheck fuzz --target kernel): it answers no single "
                         "instructions, since it does not export %s",
                         path, WARP_PLUGIN_SYMBOL);
    if (symbol == NULL)
        return error_set(error, ERROR_INPUT, "%s is no warpcheck plugin: it does not export %s", path,
                         WARP_PLUGIN_SYMBOL);
    /* ISO C has no conversion from an object pointer to a function; POSIX says that the bits are the same. */
    memcpy(&library->get, &symbol, sizeof library->get);
    symbol = dlsym(library->handle, WARP_PLUGIN_BATCH_SYMBOL);
    memcpy(&library->batch, &symbol, sizeof library->batch);
    return true;
}

/* dlopen takes a name without a slash from the system's library folders: a file here is meant. */
static void *load(const char *path)
{
    char here[FILE_PATH_MAX];
    const pid_t judge = child_judge();
    /* A child, or an engine's target; where the kernel lacks what hinders them, they are on trust. */
    (void)(judge != 0 && judge != getpid() ? process_spare(judge) : process_enclose());
    if (strchr(path, '/') != NULL)
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    snprintf(here, sizeof here, "./%s", path);
    return dlopen(here, RTLD_NOW | RTLD_LOCAL);
}

bool library_open(struct library *library, const char *path, struct error *error)
{
    *library = (struct library){.handle = load(path)};
    if (library->handle == NULL)
        return error_set(error, ERROR_INPUT, "cannot load the plugin %s: %s", path, dlerror());
    if (check_version(library->handle, path, error) && find_entry(library, path, error) &&
        check_implementations(library, path, error))
        return true;
    library_close(library);
    return false;
}

bool library_open_kernels(struct library *library, const char *path, struct error *error)
{
    *library = (struct library){.handle = load(path)};
    if (library->handle == NULL)
        return error_set(error, ERROR_INPUT, "cannot load the plugin %s: %s", path, dlerror());
    void *const symbol = dlsym(library->handle, WARP_PLUGIN_KERNEL_SYMBOL);
    memcpy(&library->kernel, &symbol, sizeof library->kernel);
    if (check_version(library->handle, path, error) &&
        (symbol != NULL ||
         error_set(error, ERROR_INPUT, "%s executes no whole kernels: it does not export %s (warpcheck/kernel.h)", path,
                   WARP_PLUGIN_KERNEL_SYMBOL)))
        return true;
    library_close(library);
    return false;
}

const struct warp_impl *library_find(const struct library *library, const char *path, const char *name,
                                     struct error *error)
{
    char word[160];
    for (size_t i = 0; i < library->count; i++) {
        const struct warp_impl *const impl = library->get(i);
        if (impl != NULL && (name[0] == '\0' || strcmp(impl->name, name) == 0))
            return impl;
    }
    error_set(error, ERROR_USAGE, "%s: has no implementation named %s (warpcheck list %s shows those that it has)",
              path, text_printable(name, strlen(name), word, sizeof word), path);
    return NULL;
}

void library_close(struct library *library)
{
    if (library->handle != NULL)
        dlclose(library->handle);
    library->handle = NULL;
}

bool library_is_held(const struct warp_impl *held, const struct warp_impl *now, struct error *error)
{
    if (now->provides != held->provides)
        return error_set(error, ERROR_DECLINED,
                         "changed the parts that it provides from 0x%x to 0x%x after it was loaded",
                         (unsigned)held->provides, (unsigned)now->provides);
    return now->accepts == held->accepts ||
           error_set(error, ERROR_DECLINED, "%s its function `accepts` after it was loaded",
                     now->accepts == NULL    ? "took back"
                     : held->accepts == NULL ? "added"
                                             : "changed");
}
