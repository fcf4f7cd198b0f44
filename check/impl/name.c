#define _XOPEN_SOURCE 700 /* realpath */
#include "check/impl/impl.h"

#include "base/text.h"
#include "check/impl/elf.h"
#include "warpcheck/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILTIN_MAX 24u

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Finds where FILE.so ends and ":NAME" may begin: the last such place, since a folder may be called "x.so:y" too.
 * NULL: the text names no library. */
static const char *library_end(const char *text)
{
    const char *at = text_ends(text, ".so") ? text + strlen(text) : NULL;
    for (const char *next = text; at == NULL && (next = strstr(next, ".so:")) != NULL; next++)
        if (strchr(next, '/') == NULL)
            at = next + 3;
    return at;
}

static bool parse_library(const char *text, const char *end, struct impl_name *name, struct error *error)
{
    const char *const inner = *end == ':' ? end + 1 : "";
    name->kind = IMPL_PLUGIN;
    if ((size_t)(end - text) >= sizeof name->path || strlen(inner) >= sizeof name->inner)
        return error_set(error, ERROR_USAGE, "the name of an implementation is too long");
    memcpy(name->path, text, (size_t)(end - text));
    name->path[end - text] = '\0';
    memcpy(name->inner, inner, strlen(inner) + 1);
    if (*end == ':' && inner[0] == '\0')
        return error_set(error, ERROR_USAGE,
                         "%s: a name is missing behind the colon (warpcheck list %s shows those that "
                         "it has)",
                         text, name->path);
    return true;
}

static bool parse_builtin(const char *text, struct impl_name *name, struct error *error)
{
    char printable[80];
    const char *names[BUILTIN_MAX], *nearest;
    struct impl_entry entry;
    size_t n = 0;
    for (; n < BUILTIN_MAX && impl_list(n, &entry); n++) {
        names[n] = entry.name;
        if (strcmp(entry.name, text) != 0)
            continue;
        name->kind = entry.kind;
        return true;
    }
    nearest = text_nearest(text, names, n);
    return error_set(error, ERROR_USAGE,
                     "no implementation '%s'%s%s%s (warpcheck list implementations; FILE.so:NAME, pipe:COMMAND, "
                     "FILE.rec)",
                     text_printable(text, strlen(text), printable, sizeof printable),
                     nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "?" : "");
}

bool impl_name_parse(const char *text, struct impl_name *name, struct error *error)
{
    const bool is_pipe = has_prefix(text, "pipe:");
    const char *const end = is_pipe ? NULL : library_end(text);
    const char *const path = is_pipe ? text + 5 : text;
    memset(name, 0, sizeof *name);
    if (end != NULL)
        return parse_library(text, end, name, error);
    if (strlen(path) >= sizeof name->path)
        return error_set(error, ERROR_USAGE, "the name of an implementation is too long");
    memcpy(name->path, path, strlen(path) + 1);
    if (!is_pipe && !(text_ends(text, ".rec") && strlen(text) > 4))
        return parse_builtin(text, name, error);
    name->kind = is_pipe ? IMPL_PIPE : IMPL_RECORDING;
    if (is_pipe && path[strspn(path, " \t\n")] == '\0')
        return error_set(error, ERROR_USAGE, "pipe: a command is missing behind the colon");
    return true;
}

/* The function for kernels is the file's, not that of one of its implementations. */
static uint32_t plugin_answers(const char *path, const char *inner)
{
    return (elf_has_name(path, WARP_PLUGIN_SYMBOL) ? IMPL_CASES : 0u) |
           (elf_has_name(path, WARP_PLUGIN_BATCH_SYMBOL) ? IMPL_BATCHES : 0u) |
           (inner[0] == '\0' && elf_has_name(path, WARP_PLUGIN_KERNEL_SYMBOL) ? IMPL_KERNELS : 0u);
}

uint32_t impl_name_answers(const struct impl_name *name)
{
    switch (name->kind) {
    case IMPL_SPEC:
    case IMPL_RECORDING:
    case IMPL_SMT:
        return IMPL_CASES;
    case IMPL_FAST:
    case IMPL_FAST_ALL:
    case IMPL_FAST_BATCH:
        return IMPL_CASES | IMPL_BATCHES;
    case IMPL_PLUGIN:
        return plugin_answers(name->path, name->inner);
    case IMPL_PIPE:
    case IMPL_GPU:
        return IMPL_CASES | IMPL_KERNELS;
    case IMPL_PTXAS:
        return IMPL_KERNELS;
    }
    abort();
}

const char *impl_ptxas(void)
{
    const char *const named = getenv("WARPCHECK_PTXAS");
    return named != NULL && named[0] != '\0' ? named : "ptxas";
}

const char *impl_name_full(const char *text, char full[IMPL_FULL_MAX])
{
    struct impl_name name;
    char absolute[FILE_PATH_MAX];
    if (!impl_name_parse(text, &name, NULL) || (name.kind != IMPL_PLUGIN && name.kind != IMPL_RECORDING))
        snprintf(full, IMPL_FULL_MAX, "%s", text);
    else
        snprintf(full, IMPL_FULL_MAX, "%s%s%s", file_absolute(name.path, absolute), name.inner[0] != '\0' ? ":" : "",
                 name.inner);
    return full;
}

bool impl_is_same(const char *name, const struct warp_impl *impl, const char *other_name, const struct warp_impl *other)
{
    struct impl_name one, two;
    if (!impl_name_parse(name, &one, NULL) || !impl_name_parse(other_name, &two, NULL) || one.kind != two.kind)
        return false;
    switch (one.kind) {
    case IMPL_PLUGIN:
        return file_is_same(one.path, two.path) && strcmp(impl->name, other->name) == 0;
    case IMPL_FAST:
        return strcmp(impl->description, other->description) == 0;
    case IMPL_RECORDING:
        return file_is_same(one.path, two.path);
    case IMPL_SPEC:
    case IMPL_FAST_ALL:
    case IMPL_FAST_BATCH:
    case IMPL_PIPE:
    case IMPL_GPU:
    case IMPL_SMT:
    case IMPL_PTXAS:
        return strcmp(one.path, two.path) == 0;
    }
    abort();
}

bool impl_kind_can_be_fuzzed(enum impl_kind kind)
{
    return kind == IMPL_SPEC || kind == IMPL_FAST || kind == IMPL_FAST_ALL || kind == IMPL_FAST_BATCH ||
           kind == IMPL_PLUGIN;
}
