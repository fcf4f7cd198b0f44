#include "ptx/module/reader.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(uint32_t scope, const char *name, size_t size)
{
    return (uint32_t)random_mix(hash_bytes(HASH_START, name, size) + scope * RANDOM_STEP);
}

/* Where the name is, or the free place where it would be. */
static struct symbol *place(const struct names *names, uint32_t h, uint32_t scope, const char *name, size_t size)
{
    for (size_t i = h & (names->room - 1);; i = (i + 1) & (names->room - 1)) {
        struct symbol *s = &names->symbols[i];
        if (s->kind == SYMBOL_NONE)
            return s;
        if (s->hash == h && s->scope == scope && s->name_size == size && memcmp(s->name, name, size) == 0)
            return s;
    }
}

static bool make_room(struct reader *r)
{
    struct names larger = {.room = r->names.room ? r->names.room * 2 : 256, .count = r->names.count};
    if (r->names.room > 0 && r->names.count < r->names.room / 2)
        return true;
    larger.symbols = calloc(larger.room, sizeof *larger.symbols);
    if (!larger.symbols)
        return reader_no_memory(r);
    for (size_t i = 0; i < r->names.room; i++) {
        const struct symbol *s = &r->names.symbols[i];
        if (s->kind != SYMBOL_NONE)
            *place(&larger, s->hash, s->scope, s->name, s->name_size) = *s;
    }
    free(r->names.symbols);
    r->names = larger;
    return true;
}

struct symbol *symbol_intern(struct reader *r, uint32_t scope, const char *name, size_t size, bool *is_new)
{
    if (!make_room(r))
        return NULL;
    uint32_t h = hash(scope, name, size);
    struct symbol *s = place(&r->names, h, scope, name, size);
    *is_new = s->kind == SYMBOL_NONE;
    if (!*is_new)
        return s;
    const char *copy = reader_copy(r, name, size);
    if (!copy)
        return NULL;
    *s = (struct symbol){.kind = SYMBOL_OTHER, .scope = scope, .hash = h, .name = copy, .name_size = (uint32_t)size};
    r->names.count++;
    return s;
}

struct symbol *symbol_add(struct reader *r, const struct token *name, enum symbol_kind kind, uint32_t index)
{
    bool is_new;
    char quote[TOKEN_QUOTE_MAX];
    struct symbol *s = symbol_intern(r, r->scope, name->at, name->size, &is_new);
    if (!s)
        return NULL;
    if (!is_new) {
        reader_error(r, name, "%s is declared in line %u already: give it another name", token_quote(name, quote),
                     s->line);
        return NULL;
    }
    s->kind = kind;
    s->index = index;
    s->line = name->line;
    return s;
}

static struct symbol *find_exact(const struct reader *r, uint32_t scope, const char *name, size_t size)
{
    struct symbol *s = place(&r->names, hash(scope, name, size), scope, name, size);
    return s->kind == SYMBOL_NONE ? NULL : s;
}

uint32_t register_add(struct reader *r, const char *name, size_t size, enum ptx_type type)
{
    struct module_register *reg = LIST_ADD(r, r->registers);
    if (!reg)
        return MODULE_NONE;
    *reg = (struct module_register){reader_copy(r, name, size), type, (uint8_t)ptx_type_bits(type)};
    return reg->name ? (uint32_t)(r->registers.count - 1) : MODULE_NONE;
}

uint32_t register_carry(struct reader *r)
{
    if (r->carry == MODULE_NONE)
        r->carry = register_add(r, "cc", 2, PTX_PRED);
    return r->carry;
}

/* Register `name`, whose last `digits` digits are its number in the range `prefix<`. */
static struct symbol *find_in_range(struct reader *r, uint32_t scope, const char *name, size_t size, size_t digits)
{
    char prefix[OPCODE_NAME_MAX + 1];
    uint64_t number = 0;
    size_t stem = size - digits;
    bool is_new;
    memcpy(prefix, name, stem);
    prefix[stem] = '<';
    const struct symbol *range = find_exact(r, scope, prefix, stem + 1);
    if (!range || (digits > 1 && name[stem] == '0'))
        return NULL;
    for (size_t i = stem; i < size; i++)
        number = number * 10 + (uint64_t)(name[i] - '0');
    struct range of = r->ranges.items[range->index];
    uint32_t line = range->line;
    if (number >= of.count)
        return NULL;
    struct symbol *s = symbol_intern(r, scope, name, size, &is_new);
    uint32_t reg = s ? register_add(r, name, size, of.type) : MODULE_NONE;
    if (!s)
        return NULL;
    s->kind = SYMBOL_REGISTER;
    s->index = reg;
    s->line = line;
    return reg == MODULE_NONE ? NULL : s;
}

static struct symbol *find_numbered(struct reader *r, uint32_t scope, const char *name, size_t size)
{
    for (size_t digits = 1; digits < size && digits <= 9 && size - digits < OPCODE_NAME_MAX; digits++) {
        if (name[size - digits] < '0' || name[size - digits] > '9')
            return NULL;
        struct symbol *s = find_in_range(r, scope, name, size, digits);
        if (s || r->no_memory)
            return s;
    }
    return NULL;
}

struct symbol *symbol_find(struct reader *r, uint32_t scope, const char *name, size_t size)
{
    for (; r->names.count > 0; scope = r->scopes.items[scope]) {
        struct symbol *s = find_exact(r, scope, name, size);
        if (!s && scope >= NAMES_SCOPES)
            s = find_numbered(r, scope, name, size);
        if (s || scope == NAMES_MODULE || r->no_memory)
            return s;
    }
    return NULL;
}

bool scope_open(struct reader *r)
{
    uint32_t *parent = LIST_ADD(r, r->scopes);
    if (!parent)
        return false;
    *parent = r->scope;
    r->scope = (uint32_t)(r->scopes.count - 1);
    return true;
}

void scope_close(struct reader *r)
{
    r->scope = r->scopes.items[r->scope];
}
