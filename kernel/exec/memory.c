#include "kernel/exec/memory.h"

#include "base/buffer.h"
#include "base/random.h"
#include "kernel/exec/real.h"

#include <stdlib.h>

bool memory_init(struct memory *memory, const struct code *code)
{
    *memory = (struct memory){.code = code, .table_size = 256};
    memory->table = calloc(memory->table_size, sizeof *memory->table);
    return memory->table != NULL;
}

void memory_free(struct memory *memory)
{
    for (size_t n = 0; n < memory->pages_made; n++)
        free(memory->pages[n]);
    free(memory->pages);
    free(memory->table);
    free(memory->shared);
    free(memory->shared_taint);
}

/* At the start of a block shared memory holds arbitrary values, others with another schedule, and the system's part of
 * it zeros. */
static bool start_shared(struct memory *memory)
{
    const struct kernel_input *const in = memory->input;
    const uint64_t start = in->seed + (in->shuffled ? random_mix(in->schedule + RANDOM_STEP) : 0);
    const uint64_t size = (memory->code->shared_extern + in->shared + 16 + 7) / 8 * 8;
    if (size > memory->shared_size) {
        free(memory->shared);
        free(memory->shared_taint);
        memory->shared = malloc(size);
        memory->shared_taint = calloc(size, sizeof *memory->shared_taint);
        memory->shared_size = memory->shared && memory->shared_taint ? size : 0;
        if (memory->shared_size == 0)
            return false;
        memory->shared_is_tainted = false;
    }
    memset(memory->shared, 0, CODE_SHARED_START);
    for (uint64_t n = CODE_SHARED_START / 8; n < size / 8; n++) {
        uint64_t word = random_mix(start + n * RANDOM_STEP);
        memcpy(memory->shared + n * 8, &word, sizeof word);
    }
    if (memory->shared_is_tainted)
        memset(memory->shared_taint, 0, memory->shared_size * sizeof *memory->shared_taint);
    memory->shared_is_tainted = false;
    return true;
}

bool memory_start(struct memory *memory, const struct kernel_input *input)
{
    memory->input = input;
    memory->pages_count = 0;
    memory->last = NULL;
    memory->failed = memory->oversized = false;
    memory->version = 0;
    memory->wild = 0;
    memset(memory->table, 0, memory->table_size * sizeof *memory->table);
    memset(memory->width, 0, sizeof memory->width);
    return start_shared(memory);
}

/* The buffer that contains the address; KERNEL_BUFFERS_MAX: none. */
static unsigned buffer_of(uint64_t address)
{
    uint64_t n = address / CODE_BUFFERS;
    return n >= 1 && n <= KERNEL_BUFFERS_MAX && address % CODE_BUFFERS < UINT64_C(1) << 32 ? (unsigned)n - 1
                                                                                           : KERNEL_BUFFERS_MAX;
}

static uint64_t element(const struct memory *memory, unsigned buffer, enum kernel_pattern pattern, uint64_t index)
{
    uint64_t any = random_mix(memory->input->seed ^ random_mix(buffer + 1 + index * RANDOM_STEP));
    switch (pattern) {
    case KERNEL_ZEROS:
        return 0;
    case KERNEL_SMALL:
        return any % 8;
    case KERNEL_FLAGS:
        return any & 1;
    case KERNEL_RISING:
        return index;
    case KERNEL_OFFSETS:
        return index * 3 + any % 4;
    case KERNEL_ONES:
        return 1;
    case KERNEL_NUMBERS:
        return memory->code->numbers_count > 0 && any % 2
                   ? memory->code->numbers[any / 8 % memory->code->numbers_count] + (any / 2 % 4 == 0) -
                         (any / 2 % 4 == 1)
                   : any / 2 % 8;
    case KERNEL_BITS:
    case KERNEL_PATTERNS:
        break;
    }
    return any;
}

static void fill_buffer(const struct memory *memory, unsigned buffer, struct memory_page *page)
{
    uint64_t start = page->number * MEMORY_PAGE % CODE_BUFFERS;
    unsigned width = memory->width[buffer];
    const enum kernel_pattern pattern = kernel_contents(memory->input, buffer);
    bool real = memory->real[buffer] && pattern != KERNEL_BITS;
    enum ptx_type type = width == 8 ? PTX_F64 : width == 4 ? PTX_F32 : PTX_F16;
    for (unsigned at = 0; at < MEMORY_PAGE; at += width) {
        uint64_t value = element(memory, buffer, pattern, (start + at) / width);
        if (real)
            value = real_write((double)value, type, ROUND_NONE);
        memcpy(page->data + at, &value, width);
    }
}

static void fill_variable(const struct memory *memory, struct memory_page *page, uint32_t variable,
                          enum kernel_pattern pattern)
{
    const struct module_variable *v = &memory->code->module->variables[variable];
    const uint64_t first = memory->code->places[variable], start = page->number * MEMORY_PAGE;
    const unsigned width = ptx_type_bits(v->type) == 64 ? 8 : 4;
    const bool real = ptx_type_is_float(v->type) && ptx_type_bits(v->type) >= 32 && pattern != KERNEL_BITS;
    for (uint64_t at = first > start ? first : start; at < first + v->size && at < start + MEMORY_PAGE; at++) {
        uint64_t value = element(memory, KERNEL_BUFFERS_MAX + variable, pattern, (at - first) / width);
        if (real)
            value = real_write((double)value, v->type, ROUND_NONE);
        page->data[at - start] = (uint8_t)(value >> (at - first) % width * 8);
    }
}

/* .global and .const variables: their values, zeros behind them; a .const that has none is the host's to set, and a
 * .global one may hold what the input says. */
static void fill_variables(const struct memory *memory, struct memory_page *page)
{
    const struct code *code = memory->code;
    uint64_t start = page->number * MEMORY_PAGE - CODE_VARIABLES;
    memset(page->data, 0, MEMORY_PAGE);
    if (start < code->image_bytes)
        memcpy(page->data, code->image + start,
               code->image_bytes - start < MEMORY_PAGE ? code->image_bytes - start : MEMORY_PAGE);
    for (uint32_t v = 0; v < code->module->variables_count; v++)
        if (code->image_is_input[v])
            fill_variable(memory, page, v, memory->input->pattern);
    for (uint32_t n = 0; n < code->varied_count; n++)
        if (memory->input->variables[n])
            fill_variable(memory, page, code->varied[n], (enum kernel_pattern)(memory->input->variables[n] - 1));
}

static void fill_arbitrary(const struct memory *memory, struct memory_page *page)
{
    for (unsigned at = 0; at < MEMORY_PAGE; at += 8) {
        uint64_t value = random_mix(memory->input->seed ^ random_mix(page->number * MEMORY_PAGE + at));
        memcpy(page->data + at, &value, sizeof value);
    }
}

/* What the caller gave for the first buffer. */
static void fill_content(const struct kernel_input *input, struct memory_page *page)
{
    const uint64_t start = page->number * MEMORY_PAGE - CODE_BUFFERS;
    memset(page->data, 0, MEMORY_PAGE);
    if (start < input->content_size)
        memcpy(page->data, input->content + start,
               input->content_size - start < MEMORY_PAGE ? input->content_size - start : MEMORY_PAGE);
}

static void fill(struct memory *memory, struct memory_page *page, unsigned width, bool real)
{
    uint64_t address = page->number * MEMORY_PAGE;
    unsigned buffer = buffer_of(address);
    if (address >= CODE_VARIABLES && address < CODE_VARIABLES + memory->code->image_bytes) {
        fill_variables(memory, page);
    } else if (buffer == KERNEL_BUFFERS_MAX) {
        fill_arbitrary(memory, page);
    } else if (buffer == 0 && memory->input->content) {
        fill_content(memory->input, page);
    } else {
        if (memory->width[buffer] == 0) {
            memory->width[buffer] = (uint8_t)width;
            memory->real[buffer] = real && width > 1;
        }
        fill_buffer(memory, buffer, page);
    }
}

static size_t slot_of(const struct memory *memory, uint64_t number)
{
    size_t slot = random_mix(number) & (memory->table_size - 1);
    while (memory->table[slot] && memory->table[slot]->number != number)
        slot = (slot + 1) & (memory->table_size - 1);
    return slot;
}

static bool grow_table(struct memory *memory)
{
    struct memory_page **larger = calloc(memory->table_size * 2, sizeof *larger);
    if (!larger)
        return false;
    free(memory->table);
    memory->table = larger;
    memory->table_size *= 2;
    for (size_t n = 0; n < memory->pages_count; n++)
        memory->table[slot_of(memory, memory->pages[n]->number)] = memory->pages[n];
    return true;
}

#define PAGES_MAX 65536u /* 256 MiB that one execution may touch */

static struct memory_page *make_page(struct memory *memory)
{
    static struct memory_page none; /* the page that is used when there is no memory */
    memory->oversized |= memory->pages_count == PAGES_MAX;
    if (memory->oversized || (memory->pages_count * 2 >= memory->table_size && !grow_table(memory))) {
        memory->failed = true;
        return &none;
    }
    if (memory->pages_count == memory->pages_made) {
        struct memory_page **larger =
            array_grow(memory->pages, memory->pages_made, &memory->pages_room, sizeof *larger);
        if (larger)
            memory->pages = larger;
        struct memory_page *page = larger ? malloc(sizeof *page) : NULL;
        if (!page) {
            memory->failed = true;
            return &none;
        }
        memory->pages[memory->pages_made++] = page;
    }
    return memory->pages[memory->pages_count++];
}

static struct memory_page *page_of(struct memory *memory, uint64_t address, unsigned width, bool real)
{
    uint64_t number = address / MEMORY_PAGE;
    if (memory->last && memory->last->number == number)
        return memory->last;
    struct memory_page *page = memory->table[slot_of(memory, number)];
    if (!page) {
        page = make_page(memory);
        page->number = number;
        page->written = false;
        if (!memory->failed) {
            memory->table[slot_of(memory, number)] = page;
            fill(memory, page, width, real);
        }
    }
    return memory->last = page;
}

uint64_t memory_read(struct memory *memory, uint64_t address, unsigned width, bool real)
{
    uint64_t value = 0, at = address % MEMORY_PAGE;
    struct memory_page *page = page_of(memory, address, width, real);
    memory->foreign = true;
    bool variable = address - CODE_VARIABLES < memory->code->image_bytes;
    memory->wild += !variable && buffer_of(address) == KERNEL_BUFFERS_MAX;
    if (at + width <= MEMORY_PAGE) {
        memcpy(&value, page->data + at, width);
        return value;
    }
    for (unsigned n = 0; n < width; n++)
        value |= memory_read(memory, address + n, 1, false) << (8 * n);
    return value;
}

void memory_write(struct memory *memory, uint64_t address, unsigned width, uint64_t value)
{
    uint64_t at = address % MEMORY_PAGE;
    struct memory_page *page = page_of(memory, address, width, false);
    page->written = true;
    if (at + width <= MEMORY_PAGE) {
        const bool changes = memcmp(page->data + at, &value, width) != 0;
        memory->changed |= changes;
        memory->version += changes;
        memcpy(page->data + at, &value, width);
        return;
    }
    for (unsigned n = 0; n < width; n++)
        memory_write(memory, address + n, 1, value >> (8 * n) & 0xff);
}

void memory_snapshot(struct memory *memory, uint64_t address, uint64_t size, uint8_t *before, uint8_t *after)
{
    struct memory_page start;
    for (uint64_t done = 0, bytes; done < size; done += bytes) {
        uint64_t at = (address + done) % MEMORY_PAGE;
        bytes = MEMORY_PAGE - at < size - done ? MEMORY_PAGE - at : size - done;
        start.number = (address + done) / MEMORY_PAGE;
        fill(memory, &start, 4, false);
        const struct memory_page *page = memory->table[slot_of(memory, start.number)];
        memcpy(before + done, start.data + at, bytes);
        memcpy(after + done, (page ? page : &start)->data + at, bytes);
    }
}

uint64_t memory_digest(struct memory *memory)
{
    static struct memory_page before;
    uint64_t digest = 0;
    for (size_t n = 0; n < memory->pages_count; n++) {
        const struct memory_page *page = memory->pages[n];
        if (!page->written)
            continue;
        before.number = page->number;
        fill(memory, &before, 4, false);
        for (unsigned at = 0; at < MEMORY_PAGE; at += 4)
            if (memcmp(page->data + at, before.data + at, 4) != 0)
                digest += random_mix(page->number * MEMORY_PAGE + at +
                                     random_mix(hash_bytes(HASH_START, page->data + at, 4)));
    }
    return digest;
}
