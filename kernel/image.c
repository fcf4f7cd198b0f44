#include "kernel/image.h"

#include "kernel/exec/block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD 4u

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static bool add_region(struct kernel_image *image, const struct kernel_region *region)
{
    struct kernel_region *r = &image->regions[image->count++];
    *r = *region;
    r->before = calloc(1, round_up(r->size, MEMORY_PAGE) + MEMORY_PAGE);
    r->after = calloc(1, round_up(r->size, MEMORY_PAGE) + MEMORY_PAGE);
    image->bytes += r->size;
    return r->before && r->after;
}

/* Bytes of a buffer up to the end of the last page that was touched. */
static uint64_t touched(const struct memory *memory, uint64_t address)
{
    uint64_t end = address + MEMORY_PAGE;
    for (size_t n = 0; n < memory->pages_count; n++) {
        uint64_t at = memory->pages[n]->number * MEMORY_PAGE;
        if (at >= address && at - address < UINT64_C(1) << 32 && at + MEMORY_PAGE > end)
            end = at + MEMORY_PAGE;
    }
    return end - address;
}

static bool add_buffers(struct kernel_image *image, const struct memory *memory, const struct kernel_slots *slots,
                        uint64_t most, struct error *error)
{
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        if (!s->is_pointer)
            continue;
        struct kernel_region region = {
            .address = kernel_slot_get(s, memory->input), .buffer = s->buffer, .is_compared = true};
        region.size = touched(memory, region.address);
        if (image->bytes + region.size > most)
            return error_set(error, ERROR_UNSUPPORTED, "it touches more than %" PRIu64 " bytes behind its pointers",
                             most);
        if (!add_region(image, &region))
            return error_set(error, ERROR_SYSTEM, "out of memory");
    }
    return true;
}

static bool spread(const struct module *module, bool *used)
{
    bool changed = false;
    for (uint32_t v = 0; v < module->variables_count; v++)
        for (uint32_t n = 0; used[v] && n < module->variables[v].relocations_count; n++) {
            uint32_t other = module->variables[v].relocations[n].variable;
            if (other != MODULE_NONE && !used[other])
                changed = used[other] = true;
        }
    return changed;
}

/* The variables that the code names, and those whose addresses stand in them. NULL: no memory. */
static bool *find_used(const struct code *code)
{
    bool *used = calloc(code->module->variables_count + 1, sizeof *used);
    for (uint32_t n = 0; used && n < code->count; n++) {
        const struct module_instruction *i = code->instructions[n].i;
        for (unsigned k = 0; k < i->srcs_count; k++) {
            bool names = i->srcs[k].kind == OPERAND_VARIABLE || i->srcs[k].kind == OPERAND_ADDRESS;
            if (names && i->srcs[k].variable != MODULE_NONE)
                used[i->srcs[k].variable] = true;
        }
    }
    while (used && spread(code->module, used))
        ;
    return used;
}

static bool add_variables(struct kernel_image *image, const struct memory *memory, struct error *error)
{
    const struct code *code = memory->code;
    bool *used = find_used(code), ok = used != NULL;
    for (uint32_t v = 0; ok && v < code->module->variables_count; v++) {
        const struct module_variable *variable = &code->module->variables[v];
        bool far = variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST;
        if (!used[v] || !far || code->places[v] < CODE_VARIABLES || variable->size == 0)
            continue;
        bool is_set = code->image_is_input[v];
        for (uint32_t n = 0; n < code->varied_count; n++)
            is_set |= code->varied[n] == v && memory->input->variables[n];
        const struct kernel_region region = {.address = code->places[v],
                                             .buffer = MODULE_NONE,
                                             .variable = variable->name,
                                             .is_input = is_set,
                                             .is_compared =
                                                 variable->space == SPACE_GLOBAL && variable->relocations_count == 0,
                                             .size = variable->size};
        ok = add_region(image, &region);
    }
    free(used);
    return ok || error_set(error, ERROR_SYSTEM, "out of memory");
}

bool kernel_image_take(struct kernel *kernel, const struct kernel_slots *slots, uint64_t most,
                       struct kernel_image *image, struct error *error)
{
    struct memory *memory = &kernel->memory;
    *image = (struct kernel_image){0};
    image->regions = calloc(slots->count + kernel->code->module->variables_count + 1, sizeof *image->regions);
    if (!image->regions)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    if (memory->wild > 0)
        return error_set(error, ERROR_UNSUPPORTED, "it reads what lies behind no pointer parameter");
    if (!add_buffers(image, memory, slots, most, error) || !add_variables(image, memory, error))
        return false;
    for (uint32_t n = 0; n < image->count; n++) {
        struct kernel_region *r = &image->regions[n];
        memory_snapshot(memory, r->address, r->size, r->before, r->after);
    }
    return true;
}

void kernel_image_free(struct kernel_image *image)
{
    for (uint32_t n = 0; n < image->count; n++) {
        free(image->regions[n].before);
        free(image->regions[n].after);
    }
    free(image->regions);
    *image = (struct kernel_image){0};
}

uint64_t kernel_image_digest(const struct kernel_image *image, uint8_t *const *device)
{
    uint64_t digest = 0;
    for (uint32_t n = 0; n < image->count; n++) {
        const struct kernel_region *r = &image->regions[n];
        const uint8_t *after = device ? device[n] : r->after;
        for (uint64_t at = 0; r->is_compared && at < r->size; at += WORD) {
            size_t bytes = r->size - at < WORD ? (size_t)(r->size - at) : WORD;
            if (memcmp(r->before + at, after + at, bytes) != 0)
                digest += random_mix(r->address + at + random_mix(hash_bytes(HASH_START, after + at, bytes)));
        }
    }
    return digest;
}
