#define _GNU_SOURCE /* realpath */
#include "cli/fuzz/arguments.h"

#include "base/file.h"
#include "check/impl/elf.h"
#include "check/impl/impl.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/ask.h"
#include "kernel/bytes.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fuzz_absolute_inputs(const char *path, char out[JOB_PATH_MAX])
{
    char found[PATH_MAX];
    struct stat about;
    const bool there = realpath(path, found) != NULL && stat(found, &about) == 0;
    if (there && !S_ISDIR(about.st_mode))
        errno = ENOTDIR;
    if (!there || !S_ISDIR(about.st_mode) || access(found, R_OK | X_OK) != 0) {
        complain("warpcheck fuzz: cannot read the inputs in %s: %s (--seeds takes a folder)", path, strerror(errno));
        return false;
    }
    struct path_list inputs = {0};
    struct error error;
    bool is_read = path_list_find(&inputs, found, &error);
    for (size_t i = 0; is_read && i < inputs.count; i++)
        is_read = access(inputs.paths[i], R_OK) == 0 || error_errno(&error, "%s: cannot be read", inputs.paths[i]);
    path_list_free(&inputs);
    if (!is_read)
        complain("warpcheck fuzz: --seeds: %s", error.text);
    snprintf(out, JOB_PATH_MAX, "%s", found);
    return is_read;
}

/* Says which entries are left out. Is there anything to check in the others? */
static bool tell_kernels(const char *path, const struct kernel_set *set)
{
    bool has_checks = false;
    for (uint32_t n = 0; n < set->count; n++)
        has_checks |= code_has_checks(set->entries[n].code);
    if (set->left_out > 0)
        complain("warpcheck fuzz: --kernel %s: %u of %u entries cannot be executed and are left out; the first: %s",
                 path, (unsigned)set->left_out, (unsigned)(set->left_out + set->count), set->reason.text);
    return has_checks;
}

bool fuzz_can_execute(const struct command *command, const char *path, const char **target)
{
    char absolute[FILE_PATH_MAX], file[FILE_PATH_MAX];
    struct error error;
    const char *colon = strstr(path, ".ptx:");
    if (*target && target_kind(*target) != TARGET_KERNEL)
        return usage_error(command, "--kernel is for the target kernel"), false;
    struct kernel_set *set = kernel_set_open(path, spec_get(), &error);
    if (!set)
        return usage_error(command, "--kernel: %s", error.text), false;
    const bool has_checks = tell_kernels(path, set);
    kernel_set_free(set);
    if (!has_checks)
        return usage_error(command,
                           "--kernel %s: nothing to check: no entry has a warp instruction, a barrier or shared "
                           "memory; give a kernel that has",
                           path),
               false;
    snprintf(file, sizeof file, "%.*s", colon ? (int)(colon - path) + 4 : (int)strlen(path), path);
    size_t length = strlen(file_absolute(file, absolute));
    snprintf(absolute + length, sizeof absolute - length, "%s", colon ? colon + 4 : "");
    *target = "kernel";
    return setenv(KERNEL_SET_VARIABLE, absolute, 1) == 0;
}

bool fuzz_can_open(const char *text)
{
    struct error error;
    struct impl_name name;
    const struct warp_impl *impl = NULL;
    if (impl_name_parse(text, &name, &error) && !impl_kind_can_be_fuzzed(name.kind))
        error_set(&error, ERROR_USAGE, "a campaign cannot ask '%s': give " IMPL_FUZZED, text);
    else if (name.kind == IMPL_FAST_ALL)
        return true;
    else
        impl = impl_open(text, &error);
    if (impl != NULL)
        ask_tell_first(text);
    if (impl == NULL) {
        complain("warpcheck fuzz: %s", error.text);
        return false;
    }
    registry_close(impl);
    return true;
}

bool fuzz_is_traced(const char *text)
{
    struct impl_name name;
    return impl_name_parse(text, &name, NULL) && name.kind == IMPL_PLUGIN && elf_is_traced(name.path);
}

bool fuzz_absolute_folder(const char *path, char out[JOB_PATH_MAX])
{
    char found[PATH_MAX];
    struct error error;
    if (!folder_make(path, &error) || !folder_is_writable(path, &error)) {
        complain("warpcheck fuzz: %s", error.text);
        return false;
    }
    file_absolute(path, found);
    snprintf(out, JOB_PATH_MAX, "%s", found);
    return true;
}

uint32_t fuzz_target_family(const char *name)
{
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        const char *const known = warp_family_name(family);
        size_t i = 0;
        while (known[i] != '\0' && name[i] == (known[i] == '.' ? '_' : known[i]))
            i++;
        if (known[i] == '\0' && name[i] == '\0')
            return WARP_FAMILY_BIT(family);
    }
    return 0;
}
