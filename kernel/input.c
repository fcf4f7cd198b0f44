/* An input as a line of text: `block=64,1,1 grid=1,1,1 ctaid=0,0,0 shared=0 memory=zeros seed=1 activemask=together
 * schedule=plain 2=17`. Numbers before `=` are parameters. */
#include "kernel/search.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *kernel_pattern_name(enum kernel_pattern pattern)
{
    static const char *const names[KERNEL_PATTERNS] = {"zeros", "small", "flags", "rising", "offsets", "bits", "ones"};
    return names[pattern];
}

const char *kernel_activemask_name(enum kernel_activemask activemask)
{
    static const char *const names[KERNEL_ACTIVEMASKS] = {"together", "alone", "any"};
    return names[activemask];
}

void kernel_input_text(const struct kernel_slots *slots, const struct kernel_input *in, char *text, size_t size)
{
    int n = snprintf(text, size,
                     "block=%u,%u,%u grid=%u,%u,%u ctaid=%u,%u,%u shared=%u memory=%s seed=%" PRIu64
                     " activemask=%s schedule=%s",
                     in->block[0], in->block[1], in->block[2], in->grid[0], in->grid[1], in->grid[2], in->ctaid[0],
                     in->ctaid[1], in->ctaid[2], in->shared, kernel_pattern_name(in->pattern), in->seed,
                     kernel_activemask_name(in->activemask), in->shuffled ? "random" : "plain");
    for (uint32_t k = 0; k < slots->count && n > 0 && (size_t)n < size; k++) {
        const struct kernel_slot *s = &slots->slots[k];
        if (!s->is_pointer)
            n += snprintf(text + n, size - (size_t)n, " @%u=0x%" PRIx64, s->offset, kernel_slot_get(s, in));
    }
}

static bool read_three(const char *value, uint32_t out[3])
{
    char *end;
    for (unsigned n = 0; n < 3; n++) {
        unsigned long number = strtoul(value, &end, 10);
        if (end == value || number > 0x7fffffff)
            return n > 0 && *value == '\0';
        out[n] = (uint32_t)number;
        value = *end == ',' ? end + 1 : end;
    }
    return *value == '\0';
}

static bool read_name(const char *value, const char *(*name)(unsigned), unsigned count, unsigned *out)
{
    for (*out = 0; *out < count; ++*out)
        if (strcmp(name(*out), value) == 0)
            return true;
    return false;
}

static const char *pattern_at(unsigned n)
{
    return kernel_pattern_name((enum kernel_pattern)n);
}

static const char *activemask_at(unsigned n)
{
    return kernel_activemask_name((enum kernel_activemask)n);
}

static bool read_slot(const struct kernel_slots *slots, const char *key, const char *value, struct kernel_input *in)
{
    uint64_t offset, number;
    if (key[0] != '@' || !text_number(key + 1, &offset) || !text_number(value, &number))
        return false;
    for (uint32_t n = 0; n < slots->count; n++)
        if (slots->slots[n].offset == offset && !slots->slots[n].is_pointer) {
            kernel_slot_set(&slots->slots[n], in, number);
            return true;
        }
    return false;
}

static bool read_word(const struct kernel_slots *slots, const char *key, const char *value, struct kernel_input *in)
{
    uint64_t number;
    unsigned which;
    if (strcmp(key, "block") == 0)
        return read_three(value, in->block);
    if (strcmp(key, "grid") == 0)
        return read_three(value, in->grid);
    if (strcmp(key, "ctaid") == 0)
        return read_three(value, in->ctaid);
    if (strcmp(key, "seed") == 0)
        return text_number(value, &in->seed);
    if (strcmp(key, "shared") == 0 && text_number(value, &number) && number <= UINT32_C(1) << 20) {
        in->shared = (uint32_t)number;
        return true;
    }
    if (strcmp(key, "memory") == 0 && read_name(value, pattern_at, KERNEL_PATTERNS, &which)) {
        in->pattern = (enum kernel_pattern)which;
        return true;
    }
    if (strcmp(key, "activemask") == 0 && read_name(value, activemask_at, KERNEL_ACTIVEMASKS, &which)) {
        in->activemask = (enum kernel_activemask)which;
        return true;
    }
    if (strcmp(key, "schedule") == 0) {
        in->shuffled = strcmp(value, "random") == 0;
        return in->shuffled || strcmp(value, "plain") == 0;
    }
    return read_slot(slots, key, value, in);
}

static bool is_launch(const struct kernel_input *in)
{
    uint64_t threads = (uint64_t)in->block[0] * in->block[1] * in->block[2];
    bool inside = true;
    for (unsigned n = 0; n < 3; n++)
        inside &= in->ctaid[n] < in->grid[n] && in->block[n] <= KERNEL_THREADS_MAX;
    return inside && threads > 0 && threads <= KERNEL_THREADS_MAX;
}

bool kernel_input_read(const struct kernel_slots *slots, const char *text, struct kernel_input *in, struct error *error)
{
    char word[128];
    *in = (struct kernel_input){.block = {32, 1, 1}, .grid = {1, 1, 1}, .seed = 1};
    kernel_slots_start(slots, in);
    while (*text) {
        size_t length = strcspn(text, " \n\t");
        if (length >= sizeof word)
            return error_set(error, ERROR_INPUT, "an input's word is longer than %zu characters", sizeof word - 1);
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        text += length + strspn(text + length, " \n\t");
        char *value = strchr(word, '=');
        if (length == 0)
            continue;
        if (value)
            *value++ = '\0';
        if (!value || !read_word(slots, word, value, in)) {
            char shown[256];
            text_printable(word, strlen(word), shown, sizeof shown);
            return error_set(error, ERROR_INPUT,
                             "'%s' is no word of an input: block, grid, ctaid, shared, memory, seed, activemask, "
                             "schedule or @OFFSET, each with =VALUE",
                             shown);
        }
    }
    if (!is_launch(in))
        return error_set(error, ERROR_INPUT, "an input has 1 to %u threads, and a ctaid within its grid",
                         KERNEL_THREADS_MAX);
    return true;
}
