#include "kernel/lint/types.h"

#include <string.h>

/* Beyond the limit registers stay undeclared, hence unchecked. */
static void add(struct lint_types *types, const struct token *name, bool is_range, uint64_t count, enum ptx_type type)
{
    if (name->size > PTX_NAME_MAX)
        return;
    for (size_t i = 0; i < types->count; i++) {
        struct lint_type *t = &types->entries[i];
        if (!token_is(name, t->name) || t->is_range != is_range)
            continue;
        if (t->type != type)
            t->type = PTX_UNKNOWN;
        if (t->count < count)
            t->count = count;
        return;
    }
    if (types->count == LINT_TYPES_MAX)
        return;
    struct lint_type *t = &types->entries[types->count++];
    memset(t, 0, sizeof *t);
    memcpy(t->name, name->at, name->size);
    t->is_range = is_range;
    t->count = count;
    t->type = type;
}

void lint_types_read(struct lint_types *types, struct lexer *l)
{
    enum ptx_type type = PTX_UNKNOWN;
    for (; l->token.kind == TOKEN_DOT; lexer_next(l)) /* .v2 .b32: no register of its own */
        type = ptx_type_find(l->token.at + 1, l->token.size - 1);
    while (l->token.kind == TOKEN_WORD) {
        struct token name = l->token;
        uint64_t count = 0;
        lexer_next(l);
        bool is_range = lexer_take(l, '<') && number_integer(&l->token, &count);
        if (is_range)
            lexer_next(l);
        add(types, &name, is_range, count, type);
        lexer_take(l, '>');
        lexer_take(l, ',');
    }
}

static bool in_range(const struct lint_type *t, const char *name)
{
    size_t prefix = strlen(t->name);
    uint64_t number = 0;
    if (strncmp(name, t->name, prefix) != 0 || name[prefix] == '\0' || strlen(name + prefix) > 9)
        return false;
    for (const char *s = name + prefix; *s != '\0'; s++) {
        if (*s < '0' || *s > '9')
            return false;
        number = number * 10 + (uint64_t)(*s - '0');
    }
    return number < t->count;
}

enum ptx_type lint_types_find(void *context, const char *name)
{
    const struct lint_types *types = context;
    enum ptx_type found = PTX_UNKNOWN;
    for (size_t i = 0; i < types->count; i++) {
        const struct lint_type *t = &types->entries[i];
        if (t->is_range ? !in_range(t, name) : strcmp(t->name, name) != 0)
            continue;
        if (t->type == PTX_UNKNOWN || (found != PTX_UNKNOWN && found != t->type))
            return PTX_UNKNOWN;
        found = t->type;
    }
    return found;
}
