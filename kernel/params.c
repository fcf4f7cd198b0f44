#include "kernel/params.h"

#include "base/text.h"
#include "kernel/contents.h"
#include "kernel/report.h"
#include "kernel/search.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which registers are addresses ---- */

/* When the destination is an address, marks the sources from which it is computed. */
static bool spread(const struct module_instruction *i, bool *is_address)
{
    bool changed = false;
    if (i->dsts_count == 0 || i->dsts[0].kind != OPERAND_REGISTER || !is_address[i->dsts[0].reg])
        return false;
    for (unsigned n = 0; n < i->srcs_count; n++) {
        bool goes = false;
        if (i->op == OP_MOV || i->op == OP_CVTA || i->op == OP_ADD)
            goes = true;
        else if (i->op == OP_SUB)
            goes = n == 0;
        else if (i->op == OP_MAD)
            goes = n == 2;
        else if (i->op == OP_SELP)
            goes = n < 2;
        if (goes && i->srcs[n].kind == OPERAND_REGISTER && !is_address[i->srcs[n].reg])
            changed = is_address[i->srcs[n].reg] = true;
    }
    return changed;
}

/* Marks the registers of the entry that become addresses of global memory. A value that is passed to a function may
 * be one. */
static bool *find_addresses(const struct module_function *f)
{
    bool *is_address = calloc(f->registers_count + 1, sizeof *is_address);
    bool changed = is_address != NULL;
    for (uint32_t n = 0; is_address && n < f->instructions_count; n++) {
        const struct module_instruction *i = &f->instructions[n];
        bool access = i->op == OP_LD || i->op == OP_LDU || i->op == OP_ST || i->op == OP_ATOM || i->op == OP_RED;
        bool far = i->space == SPACE_GENERIC || i->space == SPACE_GLOBAL || i->space == SPACE_CONST;
        if (access && far && i->srcs[0].kind == OPERAND_ADDRESS && i->srcs[0].reg != MODULE_NONE)
            is_address[i->srcs[0].reg] = true;
        if (i->op == OP_CVTA && i->to && i->srcs[0].kind == OPERAND_REGISTER)
            is_address[i->srcs[0].reg] = true;
        if (i->op == OP_ST && i->space == SPACE_PARAM && ptx_type_bits(i->type) == 64 &&
            i->srcs[1].kind == OPERAND_REGISTER)
            is_address[i->srcs[1].reg] = true;
    }
    while (changed) {
        changed = false;
        for (uint32_t n = f->instructions_count; n-- > 0;)
            changed |= spread(&f->instructions[n], is_address);
    }
    return is_address;
}

/* ---- slots ---- */

static const struct module_variable *param_of(const struct code *code, uint32_t variable, uint32_t *number)
{
    for (uint32_t n = 0; n < code->entry->params_count; n++)
        if (code->entry->params[n] == variable) {
            *number = n;
            return &code->module->variables[variable];
        }
    return NULL;
}

static void add_slot(struct kernel_slots *slots, const struct module_variable *v, uint32_t number, uint32_t inner,
                     enum ptx_type type, bool is_pointer)
{
    uint32_t bytes = ptx_type_bits(type) < 8 ? 1 : ptx_type_bits(type) / 8;
    for (uint32_t n = 0; n < slots->count; n++) {
        struct kernel_slot *s = &slots->slots[n];
        if (s->offset == v->offset + inner) {
            s->is_pointer |= is_pointer;
            return;
        }
    }
    if (slots->count == KERNEL_SLOTS_MAX || v->offset + inner + bytes > KERNEL_PARAMS_MAX)
        return;
    struct kernel_slot *s = &slots->slots[slots->count++];
    *s = (struct kernel_slot){.param = number,
                              .offset = (uint32_t)v->offset + inner,
                              .inner = inner,
                              .bytes = bytes,
                              .type = type,
                              .is_pointer = is_pointer,
                              .symbol = v->size > bytes ? NULL : v->name};
    if (v->size > bytes)
        snprintf(s->name, sizeof s->name, "param %u+%u", number, inner);
    else
        snprintf(s->name, sizeof s->name, "param %u", number);
}

/* Older compilers do not say which parameters are pointers. */
static bool says_pointers(const struct code *code)
{
    for (uint32_t n = 0; n < code->entry->params_count; n++)
        if (code->module->variables[code->entry->params[n]].is_pointer)
            return true;
    return false;
}

/* The parameter whose address a register holds, when a single mov writes the register. */
static uint32_t base_of(const struct module_function *f, uint32_t reg)
{
    uint32_t variable = MODULE_NONE, writers = 0;
    for (uint32_t n = 0; n < f->instructions_count; n++) {
        const struct module_instruction *i = &f->instructions[n];
        for (unsigned d = 0; d < i->dsts_count; d++)
            if (i->dsts[d].kind == OPERAND_REGISTER && i->dsts[d].reg == reg) {
                writers++;
                variable = i->op == OP_MOV && i->srcs[0].kind == OPERAND_VARIABLE ? i->srcs[0].variable : MODULE_NONE;
            }
    }
    return writers == 1 ? variable : MODULE_NONE;
}

/* The parameter that an ld.param reads, and its number; NULL: it is not known. */
static const struct module_variable *loaded_param(const struct code *code, const struct module_instruction *i,
                                                  uint32_t *number)
{
    const struct module_operand *o = &i->srcs[0];
    uint32_t variable = o->reg == MODULE_NONE ? o->variable : base_of(code->entry, o->reg);
    return variable == MODULE_NONE ? NULL : param_of(code, variable, number);
}

uint32_t kernel_slot_of_load(const struct kernel_slots *slots, const struct code *code,
                             const struct module_instruction *i, uint32_t n)
{
    uint32_t number, slot = 0;
    const struct module_variable *v = i->srcs[0].kind == OPERAND_ADDRESS ? loaded_param(code, i, &number) : NULL;
    uint64_t offset = v ? v->offset + i->srcs[0].value + (uint64_t)n * (ptx_type_bits(i->type) / 8) : 0;
    while (v && slot < slots->count && !(slots->slots[slot].is_pointer && slots->slots[slot].offset == offset))
        slot++;
    return v && slot < slots->count ? slot : MODULE_NONE;
}

static void add_load(const struct code *code, struct kernel_slots *slots, const struct module_instruction *i,
                     const bool *is_address, bool declared)
{
    const struct module_operand *o = &i->srcs[0];
    uint32_t number;
    const struct module_variable *v = loaded_param(code, i, &number);
    if (!v)
        return;
    uint32_t bytes = ptx_type_bits(i->type) / 8;
    for (uint32_t n = 0; n < (i->vector ? i->vector : 1u) && n < i->dsts_count; n++) {
        uint64_t inner = o->value + (uint64_t)n * bytes;
        bool whole = v->size <= 8;
        bool flows = bytes == 8 && i->dsts[n].kind == OPERAND_REGISTER && is_address[i->dsts[n].reg];
        bool declares = v->size == bytes && v->type != PTX_UNKNOWN; /* loads are .b32 where the parameter is .f32 */
        if (inner + bytes <= v->size)
            add_slot(slots, v, number, (uint32_t)inner, declares ? v->type : i->type,
                     v->is_pointer || (flows && !(whole && declared)));
    }
}

/* ---- names, from the source ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The last word of one parameter's declaration: "const float *x" is x. */
static void last_word(const char *from, const char *to, char *name, size_t size)
{
    while (to > from && (isspace((unsigned char)to[-1]) || to[-1] == ']' || to[-1] == '['))
        to--;
    const char *start = to;
    while (start > from && is_word(start[-1]))
        start--;
    if (start < to)
        snprintf(name, size, "%.*s", (int)(to - start), start);
}

static void name_params(struct kernel_slots *slots, const char *at)
{
    uint32_t number = 0;
    int depth = 1;
    for (const char *start = ++at; depth > 0 && *at; at++) {
        depth += *at == '(' || *at == '<';
        depth -= *at == ')' || *at == '>';
        if (!((*at == ',' && depth == 1) || depth == 0))
            continue;
        char name[48] = "";
        last_word(start, at, name, sizeof name);
        for (uint32_t n = 0; n < slots->count && name[0]; n++) {
            struct kernel_slot *s = &slots->slots[n];
            if (s->param == number && strchr(s->name, '+'))
                snprintf(s->name, sizeof s->name, "%s+%u", name, s->inner);
            else if (s->param == number)
                snprintf(s->name, sizeof s->name, "%s", name);
        }
        start = at + 1;
        number++;
    }
}

static void find_names(const struct code *code, struct kernel_slots *slots)
{
    char name[256];
    kernel_plain_name(code->entry->name, name, sizeof name);
    for (uint32_t f = 0; f < code->module->files_count; f++) {
        size_t length = strlen(name);
        const char *path = code->module->files[f];
        char *text = path && (text_ends(path, ".cu") || text_ends(path, ".cuh") || text_ends(path, ".h"))
                         ? kernel_source(code->module, path)
                         : NULL;
        for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
            const char *next = at + length;
            while (isspace((unsigned char)*next))
                next++;
            if (*next != '(' || (at > text && is_word(at[-1])))
                continue;
            name_params(slots, next);
            free(text);
            return;
        }
        free(text);
    }
}

#define BUFFERS 56u /* more pointers than these share them; behind them there is room for malloc */

void kernel_find_slots(const struct code *code, struct kernel_slots *slots)
{
    const struct module_function *f = code->entry;
    bool *is_address = find_addresses(f), declared = says_pointers(code);
    *slots = (struct kernel_slots){.bytes = (uint32_t)f->params_bytes};
    for (uint32_t n = 0; is_address && n < f->instructions_count; n++) {
        const struct module_instruction *i = &f->instructions[n];
        if (i->op == OP_LD && i->space == SPACE_PARAM && i->srcs[0].kind == OPERAND_ADDRESS)
            add_load(code, slots, i, is_address, declared);
    }
    slots->no_memory = is_address == NULL;
    free(is_address);
    for (uint32_t n = 0; n < slots->count; n++)
        if (slots->slots[n].is_pointer)
            slots->slots[n].buffer = slots->buffers++ % BUFFERS;
    find_names(code, slots);
    kernel_find_roles(code, slots);
}

uint32_t kernel_slot_find(const struct kernel_slots *slots, const char *name)
{
    uint64_t number;
    for (uint32_t n = 0; n < slots->count; n++)
        if (strcmp(slots->slots[n].name, name) == 0)
            return n;
    for (uint32_t n = 0; n < slots->count; n++)
        if (slots->slots[n].symbol && strcmp(slots->slots[n].symbol, name) == 0)
            return n;
    for (uint32_t n = 0; n < slots->count && text_number(name, &number); n++)
        if (slots->slots[n].param == number)
            return n;
    return MODULE_NONE;
}

uint64_t kernel_slot_get(const struct kernel_slot *slot, const struct kernel_input *input)
{
    uint64_t value = 0;
    memcpy(&value, input->params + slot->offset, slot->bytes);
    return value;
}

void kernel_slot_set(const struct kernel_slot *slot, struct kernel_input *input, uint64_t value)
{
    memcpy(input->params + slot->offset, &value, slot->bytes);
}

void kernel_slots_start(const struct kernel_slots *slots, struct kernel_input *input)
{
    memset(input->params, 0, sizeof input->params);
    input->params_size = slots->bytes;
    for (uint32_t n = 0; n < slots->count; n++)
        if (slots->slots[n].is_pointer)
            kernel_slot_set(&slots->slots[n], input, CODE_BUFFERS * (1 + (uint64_t)slots->slots[n].buffer));
}

/* --- an input as a line of text --- */

const char *kernel_pattern_name(enum kernel_pattern pattern)
{
    static const char *const names[KERNEL_PATTERNS] = {"zeros",   "small", "flags", "rising",
                                                       "offsets", "bits",  "ones",  "numbers"};
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
    if (in->schedule > 0 && n > 0 && (size_t)n < size)
        n += snprintf(text + n, size - (size_t)n, ":%" PRIu32, in->schedule);
    for (uint32_t k = 0; k < slots->count && n > 0 && (size_t)n < size; k++) {
        const struct kernel_slot *s = &slots->slots[k];
        if (s->is_pointer && in->contents[s->buffer])
            n += snprintf(text + n, size - (size_t)n, " @%u=%s", s->offset,
                          kernel_pattern_name(kernel_contents(in, s->buffer)));
        if (!s->is_pointer)
            n += snprintf(text + n, size - (size_t)n, " @%u=0x%" PRIx64, s->offset, kernel_slot_get(s, in));
    }
    for (uint32_t k = 0; k < slots->variables_count && n > 0 && (size_t)n < size; k++)
        if (in->variables[k])
            n += snprintf(text + n, size - (size_t)n, " variable%u=%s", k,
                          kernel_pattern_name((enum kernel_pattern)(in->variables[k] - 1)));
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

bool kernel_pattern_read(const char *name, enum kernel_pattern *pattern)
{
    unsigned which;
    if (!read_name(name, pattern_at, KERNEL_PATTERNS, &which))
        return false;
    *pattern = (enum kernel_pattern)which;
    return true;
}

static const char *activemask_at(unsigned n)
{
    return kernel_activemask_name((enum kernel_activemask)n);
}

static bool read_slot(const struct kernel_slots *slots, const char *key, const char *value, struct kernel_input *in)
{
    uint64_t offset, number;
    enum kernel_pattern pattern;
    if (key[0] != '@' || !text_number(key + 1, &offset))
        return false;
    for (uint32_t n = 0; n < slots->count; n++) {
        const struct kernel_slot *s = &slots->slots[n];
        if (s->offset == offset && s->is_pointer && kernel_pattern_read(value, &pattern)) {
            in->contents[s->buffer] = (uint8_t)(1 + pattern);
            return true;
        }
        if (s->offset == offset && !s->is_pointer && text_number(value, &number)) {
            kernel_slot_set(s, in, number);
            return true;
        }
    }
    return false;
}

static bool read_word(const struct kernel_slots *slots, const char *key, const char *value, struct kernel_input *in)
{
    uint64_t number;
    unsigned which;
    if (strcmp(key, "memory") == 0)
        return kernel_pattern_read(value, &in->pattern);
    if (strncmp(key, "variable", 8) == 0) {
        enum kernel_pattern pattern;
        if (!text_number(key + 8, &number) || number >= slots->variables_count || !kernel_pattern_read(value, &pattern))
            return false;
        in->variables[number] = (uint8_t)(1 + pattern);
        return true;
    }
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
    if (strcmp(key, "activemask") == 0 && read_name(value, activemask_at, KERNEL_ACTIVEMASKS, &which)) {
        in->activemask = (enum kernel_activemask)which;
        return true;
    }
    if (strcmp(key, "schedule") == 0) {
        in->shuffled = strncmp(value, "random", 6) == 0;
        if (!in->shuffled || value[6] == '\0')
            return in->shuffled || strcmp(value, "plain") == 0;
        if (value[6] != ':' || !text_number(value + 7, &number) || number > UINT32_MAX)
            return false;
        in->schedule = (uint32_t)number;
        return true;
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
            if (value)
                value[-1] = '=';
            text_printable(word, strlen(word), shown, sizeof shown);
            return error_set(
                error, ERROR_INPUT,
                "'%s' is not understood in an input: its words are block, grid, ctaid, shared, memory, "
                "seed, activemask, schedule, variableN and @OFFSET, each with = and a value that it can have",
                shown);
        }
    }
    if (!is_launch(in))
        return error_set(error, ERROR_INPUT, "an input has 1 to %u threads, and a ctaid within its grid",
                         KERNEL_THREADS_MAX);
    return true;
}

/* ---- what the caller promises ---- */

static const char *const relations[] = {
    [RELATION_EQ] = "==", [RELATION_LT] = "<", [RELATION_LE] = "<=", [RELATION_GT] = ">", [RELATION_GE] = ">="};

const char *kernel_relation_name(enum kernel_relation relation)
{
    return relations[relation];
}

/* A name of a parameter may have dots and brackets: it ends at a blank, at %, and at a relation. */
static const char *read_required_name(const char *text, char name[128])
{
    text += strspn(text, " ");
    const size_t word = strncmp(text, "param ", 6) == 0 ? 6 : 0; /* "param 2", as reports have it */
    const size_t length = word + strcspn(text + word, " %<>=");
    snprintf(name, 128, "%.*s", (int)length, text);
    text += length;
    return text + strspn(text, " ");
}

static const char *read_relation(const char *text, enum kernel_relation *relation)
{
    static const enum kernel_relation order[] = {RELATION_EQ, RELATION_LE, RELATION_GE, RELATION_LT, RELATION_GT};
    for (unsigned n = 0; n < sizeof order / sizeof order[0]; n++)
        if (strncmp(text, relations[order[n]], strlen(relations[order[n]])) == 0) {
            *relation = order[n];
            return text + strlen(relations[order[n]]);
        }
    return NULL;
}

/* All of it but the slot. */
static bool read_require(const char *text, char name[128], struct kernel_require *require, struct error *error)
{
    char *end;
    const char *at = read_required_name(text, name);
    *require = (struct kernel_require){.slot = MODULE_NONE};
    if (name[0] == '\0')
        return error_set(error, ERROR_INPUT, "'%.100s' needs the name of a parameter at its start", text);
    if (*at == '%') {
        require->modulus = strtoull(at + 1, &end, 0);
        at = end + strspn(end, " ");
        if (require->modulus == 0 || require->modulus > INT64_MAX)
            return error_set(error, ERROR_INPUT, "'%.100s' needs a number above 0 behind %%", text);
    }
    at = read_relation(at, &require->relation);
    if (at == NULL)
        return error_set(error, ERROR_INPUT, "'%.100s' needs ==, <, <=, > or >=", text);
    require->number = strtoll(at, &end, 0);
    if (end == at || end[strspn(end, " ")] != '\0')
        return error_set(error, ERROR_INPUT, "'%.100s' needs a number at its end", text);
    return true;
}

bool kernel_require_is_read(const char *text, struct error *error)
{
    struct kernel_require require;
    char name[128];
    return read_require(text, name, &require, error);
}

bool kernel_require_read(const struct kernel_slots *slots, const char *text, struct kernel_require *require,
                         struct error *error)
{
    char name[128];
    if (!read_require(text, name, require, error))
        return false;
    require->slot = kernel_slot_find(slots, name);
    if (require->slot == MODULE_NONE || slots->slots[require->slot].is_pointer)
        return error_set(error, ERROR_UNAVAILABLE, "'%.100s' names no scalar parameter", text);
    return true;
}

static int64_t signed_value(const struct kernel_slot *slot, const struct kernel_input *input)
{
    const unsigned unused = 64 - 8 * slot->bytes;
    return (int64_t)(kernel_slot_get(slot, input) << unused) >> unused;
}

static int64_t required_value(const struct kernel_require *require, int64_t value)
{
    return require->modulus == 0 || require->modulus > INT64_MAX ? value : value % (int64_t)require->modulus;
}

bool kernel_require_holds(const struct kernel_slots *slots, const struct kernel_require *require,
                          const struct kernel_input *input)
{
    const int64_t value = required_value(require, signed_value(&slots->slots[require->slot], input));
    switch (require->relation) {
    case RELATION_EQ:
        return value == require->number;
    case RELATION_LT:
        return value < require->number;
    case RELATION_LE:
        return value <= require->number;
    case RELATION_GT:
        return value > require->number;
    case RELATION_GE:
        return value >= require->number;
    }
    return false;
}

void kernel_require_mend(const struct kernel_slots *slots, const struct kernel_require *require,
                         struct kernel_input *input)
{
    const struct kernel_slot *const slot = &slots->slots[require->slot];
    const int64_t value = signed_value(slot, input);
    if (kernel_require_holds(slots, require, input))
        return;
    if (require->modulus != 0)
        kernel_slot_set(slot, input, (uint64_t)(value - required_value(require, value) + require->number));
    else if (require->relation == RELATION_LT || require->relation == RELATION_GT)
        kernel_slot_set(slot, input, (uint64_t)(require->number + (require->relation == RELATION_GT ? 1 : -1)));
    else
        kernel_slot_set(slot, input, (uint64_t)require->number);
}
