/*
 * A function's body: labels, instructions, declarations, blocks in braces, places in the source.
 */
#include "ptx/module/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Finds the location of this name, or adds one. `key` tells it from others. */
static bool find_location(struct reader *r, const char *key, const struct module_location *at, uint32_t *index)
{
    bool is_new;
    struct symbol *s = symbol_intern(r, NAMES_LOCATIONS, key, strlen(key), &is_new);
    if (!s)
        return false;
    if (is_new) {
        struct module_location *to = LIST_ADD(r, r->locations);
        if (!to)
            return false;
        *to = *at;
        s->kind = SYMBOL_LOCATION;
        s->index = (uint32_t)(r->locations.count - 1);
    }
    *index = s->index;
    return true;
}

static bool read_place(struct reader *r, struct module_location *at)
{
    uint64_t file, line, column;
    struct token t = r->lexer.token;
    *at = (struct module_location){.inlined_at = MODULE_NONE};
    if (!constant_integer(r, &file) || !constant_integer(r, &line) || !constant_integer(r, &column))
        return false;
    if (file > UINT32_MAX - 1 || line > UINT32_MAX || column > UINT32_MAX)
        return reader_error(r, &t, "a place in the source is FILE LINE COLUMN");
    at->file = (uint32_t)file;
    at->line = (uint32_t)line;
    at->column = (uint32_t)column;
    return true;
}

/* The location that others mean when they say that they were inlined there: the latest with these numbers. */
static bool find_outer(struct reader *r, const struct module_location *at, uint32_t *index)
{
    char key[64];
    snprintf(key, sizeof key, "%" PRIu32 " %" PRIu32 " %" PRIu32, at->file, at->line, at->column);
    return find_location(r, key, at, index);
}

static bool keep_location(struct reader *r, const struct module_location *at)
{
    char key[80];
    bool is_new;
    int size = snprintf(key, sizeof key, "%" PRIu32 " %" PRIu32 " %" PRIu32, at->file, at->line, at->column);
    snprintf(key + size, sizeof key - (size_t)size, " @%" PRIu32, at->inlined_at);
    if (!find_location(r, key, at, &r->location))
        return false;
    struct symbol *outer = symbol_intern(r, NAMES_LOCATIONS, key, (size_t)size, &is_new);
    if (!outer)
        return false;
    outer->kind = SYMBOL_LOCATION;
    outer->index = r->location;
    return true;
}

/* FILE LINE COLUMN [, function_name LABEL[+N]] [, inlined_at FILE LINE COLUMN] */
bool body_location(struct reader *r)
{
    struct module_location at, outer;
    if (!read_place(r, &at))
        return false;
    while (lexer_take(&r->lexer, ',')) {
        if (token_is(&r->lexer.token, "inlined_at")) {
            lexer_next(&r->lexer);
            if (!read_place(r, &outer) || !find_outer(r, &outer, &at.inlined_at))
                return false;
        } else if (token_is(&r->lexer.token, "function_name")) {
            lexer_next(&r->lexer); /* the word, the label, what is added to it */
            lexer_next(&r->lexer);
            if (lexer_take(&r->lexer, '+'))
                lexer_next(&r->lexer);
        } else {
            return reader_expected(r, "'function_name' or 'inlined_at'");
        }
    }
    return keep_location(r, &at);
}

bool body_skip_braces(struct reader *r)
{
    struct token start = r->lexer.token;
    for (unsigned depth = 1; depth > 0; lexer_next(&r->lexer)) {
        if (r->lexer.token.kind == TOKEN_END || r->lexer.token.kind == TOKEN_BAD)
            return reader_error(r, &start, "the '{' before this has no '}'");
        depth += token_punct(&r->lexer.token, '{');
        depth -= token_punct(&r->lexer.token, '}');
    }
    return true;
}

static bool skip_to_semicolon(struct reader *r)
{
    while (r->lexer.token.kind != TOKEN_END && !token_punct(&r->lexer.token, ';'))
        lexer_next(&r->lexer);
    return reader_take(r, ';');
}

/* `.branchtargets A, B;` behind that word: the names are looked up at the end. */
static bool read_table(struct reader *r, const struct token *name)
{
    struct table *table = LIST_ADD(r, r->tables);
    if (!table)
        return false;
    *table = (struct table){.first = (uint32_t)r->references.count};
    do {
        struct reference *ref = LIST_ADD(r, r->references);
        if (!ref)
            return false;
        *ref = (struct reference){(uint32_t)r->instructions.count, r->scope, r->lexer.token};
        if (r->lexer.token.kind != TOKEN_WORD)
            return reader_expected(r, "a label");
        table->count++;
        lexer_next(&r->lexer);
    } while (lexer_take(&r->lexer, ','));
    return reader_take(r, ';') && symbol_add(r, name, SYMBOL_TABLE, (uint32_t)(r->tables.count - 1)) != NULL;
}

/* Reads what follows `name:`. */
static bool read_label(struct reader *r, const struct token *name)
{
    const struct token *t = &r->lexer.token;
    if (token_is(t, ".branchtargets")) {
        lexer_next(&r->lexer);
        return read_table(r, name);
    }
    if (token_is(t, ".callprototype") || token_is(t, ".calltargets"))
        return symbol_add(r, name, SYMBOL_OTHER, 0) != NULL && skip_to_semicolon(r);
    return symbol_add(r, name, SYMBOL_LABEL, (uint32_t)r->instructions.count) != NULL;
}

static bool read_directive(struct reader *r)
{
    struct token t = r->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    if (declare_starts(&t))
        return declare_variables(r, LINKAGE_NONE);
    lexer_next(&r->lexer);
    if (token_is(&t, ".reg"))
        return declare_registers(r);
    if (token_is(&t, ".loc"))
        return body_location(r);
    if (token_is(&t, ".extern")) {
        if (declare_starts(&r->lexer.token))
            return declare_variables(r, LINKAGE_EXTERN);
        return reader_expected(r, "a state space, such as .shared");
    }
    if (token_is(&t, ".pragma"))
        return skip_to_semicolon(r);
    if (r->loose && token_is(&t, ".version"))
        return reader_version(r);
    if (r->loose && token_is(&t, ".target"))
        return reader_target(r);
    if (r->loose && token_is(&t, ".address_size"))
        return reader_address_size(r);
    return reader_error(r, &t, "%s is no directive that is read in a body", token_quote(&t, quote));
}

static bool read_instruction(struct reader *r)
{
    struct module_instruction guard;
    if (!instruction_guard(r, &guard))
        return false;
    struct token word = r->lexer.token;
    if (word.kind != TOKEN_WORD)
        return reader_expected(r, "an instruction, a directive, '{' or '}'");
    lexer_next(&r->lexer);
    if (guard.guard == MODULE_NONE && token_punct(&r->lexer.token, ':')) {
        lexer_next(&r->lexer);
        return read_label(r, &word);
    }
    return instruction_read(r, &word, &guard);
}

static bool read_statement(struct reader *r)
{
    if (lexer_take(&r->lexer, ';'))
        return true;
    return r->lexer.token.kind == TOKEN_DOT ? read_directive(r) : read_instruction(r);
}

/* Opens or closes a block in braces, of which *depth are open. */
static bool read_brace(struct reader *r, uint64_t frames[MODULE_DEPTH_MAX], unsigned *depth)
{
    struct token t = r->lexer.token;
    if (lexer_take(&r->lexer, '}')) {
        r->frame_bytes = frames[--*depth];
        scope_close(r);
        return true;
    }
    lexer_next(&r->lexer);
    if (*depth == MODULE_DEPTH_MAX)
        return reader_error(r, &t, "braces nested deeper than %u", MODULE_DEPTH_MAX);
    frames[(*depth)++] = r->frame_bytes;
    return scope_open(r);
}

static bool read_line(struct reader *r, uint64_t frames[MODULE_DEPTH_MAX], unsigned *depth)
{
    const struct token *t = &r->lexer.token;
    if (token_punct(t, '{') || (token_punct(t, '}') && *depth > 0))
        return read_brace(r, frames, depth);
    if (t->kind == TOKEN_END)
        return reader_error(r, t, "the body does not end: a '}' is missing");
    if (t->kind == TOKEN_NOTE)
        return reader_note(r);
    return read_statement(r);
}

bool body_read(struct reader *r)
{
    uint64_t frames[MODULE_DEPTH_MAX];
    unsigned depth = 0;
    if (!read_brace(r, frames, &depth))
        return false;
    while (depth > 1 || !token_punct(&r->lexer.token, '}'))
        if (!read_line(r, frames, &depth))
            return false;
    return flow_finish(r) && read_brace(r, frames, &depth);
}

bool body_fragment(struct reader *r)
{
    uint64_t frames[MODULE_DEPTH_MAX];
    unsigned depth = 0;
    while (depth > 0 || r->lexer.token.kind != TOKEN_END)
        if (!read_line(r, frames, &depth))
            return false;
    return flow_finish(r);
}
