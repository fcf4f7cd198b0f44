#include "kernel/bytes.h"

#include "base/file.h"
#include "base/text.h"
#include "kernel/contents.h"
#include "kernel/report.h"

#include <stdlib.h>
#include <string.h>

static bool is_named(const struct module_function *f, const char *entry)
{
    char plain[256];
    kernel_plain_name(f->name, plain, sizeof plain);
    return entry == NULL || strcmp(f->name, entry) == 0 || strcmp(plain, entry) == 0;
}

/* False: no memory. What cannot be executed is left out, and counted. */
static bool add_entry(struct kernel_set *set, uint32_t function, struct error *error)
{
    static const struct kernel_search_options options = {.seed = 1, .shared = KERNEL_BYTES_SHARED};
    struct kernel_entry *e = &set->entries[set->count];
    e->code = code_new(set->module, function, error);
    if (!e->code && error->code == ERROR_UNSUPPORTED && set->left_out++ == 0)
        set->reason = *error;
    if (!e->code)
        return error->code == ERROR_UNSUPPORTED;
    for (uint32_t n = 0; n < e->code->count; n++)
        e->has_warp |= e->code->instructions[n].kind == CODE_WARP;
    e->kernel = kernel_new(e->code, set->impl);
    e->search = calloc(1, sizeof *e->search);
    set->count++;
    if (!e->kernel || !e->search)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    kernel_search_prepare(e->code, &options, e->search);
    return true;
}

static bool fill(struct kernel_set *set, const char *name, const char *entry, struct error *error)
{
    set->module = module_read(set->text, set->size, name, error);
    if (!set->module)
        return false;
    set->entries = calloc(set->module->functions_count + 1, sizeof *set->entries);
    if (!set->entries)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    error_set(error, ERROR_INPUT, "%s: no entry%s%s", name, entry ? " " : "", entry ? entry : "");
    for (uint32_t n = 0; n < set->module->functions_count; n++) {
        const struct module_function *f = &set->module->functions[n];
        if (f->is_entry && !f->is_declaration && is_named(f, entry) && !add_entry(set, n, error))
            return false;
    }
    return set->count > 0;
}

static struct kernel_set *set_new(char *text, size_t size, const char *name, const char *entry,
                                  const struct warp_impl *impl, struct error *error)
{
    struct kernel_set *set = calloc(1, sizeof *set);
    if (!set) {
        free(text);
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    set->text = text;
    set->size = size;
    set->impl = impl;
    if (fill(set, name, entry, error))
        return set;
    kernel_set_free(set);
    return NULL;
}

/* Sums a warp's threads; all of them take part. */
static const char own[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry sum(.param .u64 sum_param_0, .param .u32 sum_param_1)\n{\n"
    ".reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [sum_param_0];\nld.param.u32 %r1, [sum_param_1];\nmov.u32 %r2, %tid.x;\n"
    "setp.ge.u32 %p1, %r2, %r1;\nselp.u32 %r3, 0, %r2, %p1;\nshfl.sync.down.b32 %r4|%p2, %r3, 16, 31, -1;\n"
    "add.u32 %r5, %r3, %r4;\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd3, %rd1, %rd2;\n@%p1 bra DONE;\n"
    "st.global.u32 [%rd3], %r5;\nDONE:\nret;\n}\n";

struct kernel_set *kernel_set_open(const char *path, const struct warp_impl *impl, struct error *error)
{
    char file[FILE_PATH_MAX];
    if (!path || path[0] == '\0') {
        char *copy = calloc(1, sizeof own);
        if (copy)
            return set_new(memcpy(copy, own, sizeof own), sizeof own - 1, "own.ptx", NULL, impl, error);
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    const char *colon = strstr(path, ".ptx:");
    size_t length = colon ? (size_t)(colon - path) + 4 : strlen(path), size;
    if (length >= sizeof file) {
        error_set(error, ERROR_INPUT, "too long a path");
        return NULL;
    }
    memcpy(file, path, length);
    file[length] = '\0';
    char *text = file_read(file, MODULE_TEXT_MAX, &size, error);
    return text ? set_new(text, size, file, colon ? colon + 5 : NULL, impl, error) : NULL;
}

void kernel_set_free(struct kernel_set *set)
{
    if (!set)
        return;
    for (uint32_t n = 0; n < set->count; n++) {
        kernel_free(set->entries[n].kernel);
        code_free(set->entries[n].code);
        free(set->entries[n].search);
    }
    free(set->entries);
    module_free(set->module);
    free(set->text);
    free(set);
}

/* Bytes are taken one after the other; behind the end there are zeros. */
struct bytes {
    const uint8_t *data;
    size_t left;
};

static uint64_t take(struct bytes *b, unsigned count)
{
    uint64_t value = 0;
    for (unsigned n = 0; n < count && b->left > 0; n++, b->left--)
        value |= (uint64_t)*b->data++ << 8 * n;
    return value;
}

const struct kernel_entry *kernel_set_decode(const struct kernel_set *set, const uint8_t *data, size_t size,
                                             struct kernel_input *in)
{
    struct bytes b = {data, size};
    const struct kernel_entry *e = &set->entries[take(&b, 1) % set->count];
    const struct kernel_search *s = e->search;
    memset(in, 0, sizeof *in);
    kernel_slots_start(&s->slots, in);
    memcpy(in->block, s->launches[take(&b, 1) % s->launches_count], sizeof in->block);
    in->shared = KERNEL_BYTES_SHARED;
    in->pattern = (enum kernel_pattern)(take(&b, 1) % KERNEL_PATTERNS);
    uint64_t how = take(&b, 1);
    in->activemask = (enum kernel_activemask)(how % KERNEL_ACTIVEMASKS);
    in->shuffled = how / KERNEL_ACTIVEMASKS % 2;
    in->schedule = in->shuffled ? (uint32_t)how / KERNEL_ACTIVEMASKS / 2 : 0;
    in->grid[0] = 1 + (uint32_t)take(&b, 1) % 4;
    in->grid[1] = in->grid[2] = 1;
    in->ctaid[0] = (uint32_t)take(&b, 1) % in->grid[0];
    in->seed = take(&b, 1);
    for (uint32_t n = 0; n < s->slots.count; n++) {
        const struct kernel_slot *slot = &s->slots.slots[n];
        if (slot->is_pointer) { /* what no host writes is no finding */
            if (!kernel_role_allows(slot->role, in->pattern))
                in->contents[slot->buffer] = (uint8_t)(1 + kernel_role_pattern(slot->role, in->seed));
            continue;
        }
        uint64_t which = take(&b, 1);
        uint64_t value = which < 128 ? kernel_telling_number(slot, in, which) : take(&b, which < 192 ? 1 : slot->bytes);
        kernel_slot_set(slot, in, value);
    }
    return e;
}
