/*
 * The module: version, target, files, variables, functions ("Directives").
 */
#include "ptx/module/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 65536u

bool reader_no_memory(struct reader *r)
{
    r->no_memory = true;
    return error_no_memory(&r->error, r->lexer.token.line, r->lexer.token.column);
}

bool reader_unread(struct reader *r, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->unread = reader_copy(r, text, strlen(text));
    return false;
}

bool reader_error(struct reader *r, const struct token *at, const char *format, ...)
{
    char text[sizeof r->error.what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_at(&r->error, at->line, at->column, "%s", text);
}

bool reader_expected(struct reader *r, const char *what)
{
    return error_expected(&r->error, &r->lexer.token, what);
}

bool reader_take(struct reader *r, char c)
{
    char what[] = "'?'";
    what[1] = c;
    return lexer_take(&r->lexer, c) || reader_expected(r, what);
}

void *reader_memory(struct reader *r, size_t size)
{
    void *data = ptx_arena_take(r->arena, size);
    if (!data)
        reader_no_memory(r);
    return data;
}

const char *reader_copy(struct reader *r, const char *text, size_t size)
{
    char *copy = arena_copy(r->arena, text, size);
    if (!copy)
        reader_no_memory(r);
    return copy;
}

bool list_room(struct reader *r, size_t *room, size_t count, size_t size, void *items)
{
    void *old, *larger;
    memcpy(&old, items, sizeof old); /* `items` is the address of a pointer of some type */
    larger = array_grow(old, count, room, size);
    if (!larger || count >= UINT32_MAX - 1)
        return reader_no_memory(r);
    memcpy(items, &larger, sizeof larger);
    return true;
}

/* "8.6" as 86. */
bool reader_version(struct reader *r)
{
    const struct token *t = &r->lexer.token;
    char copy[8] = "";
    unsigned major, minor;
    char rest;
    if (t->kind == TOKEN_NUMBER && t->size < sizeof copy)
        memcpy(copy, t->at, t->size);
    if (sscanf(copy, "%2u.%1u%c", &major, &minor, &rest) != 2)
        return reader_expected(r, "a PTX version such as 8.6");
    r->module->ptx = (uint16_t)(major * 10 + minor);
    r->module->ptx_line = t->line;
    r->module->ptx_column = t->column;
    lexer_next(&r->lexer);
    return true;
}

bool reader_target(struct reader *r)
{
    const struct token *t = &r->lexer.token;
    char name[32] = "", quote[TOKEN_QUOTE_MAX];
    if (t->kind == TOKEN_WORD && t->size < sizeof name)
        memcpy(name, t->at, t->size);
    const struct warp_target_info *info = warp_target_find(name);
    if (!info)
        return reader_error(r, t, "%s is not a known target, such as sm_90", token_quote(t, quote));
    r->module->target = info->target;
    lexer_next(&r->lexer);
    while (lexer_take(&r->lexer, ',')) /* texmode_..., debug: nothing to do with warps */
        lexer_next(&r->lexer);
    return true;
}

bool reader_address_size(struct reader *r)
{
    uint64_t value;
    struct token t = r->lexer.token;
    if (!constant_starts(r))
        return reader_expected(r, "32 or 64");
    if (!constant_integer(r, &value))
        return false;
    if (value != 32 && value != 64)
        return reader_error(r, &t, "an address has 32 or 64 bits");
    r->module->address_size = (uint32_t)value;
    return true;
}

/* NUMBER "NAME" [, time, size] */
static bool read_file(struct reader *r)
{
    uint64_t number, ignored;
    struct token t = r->lexer.token;
    if (!constant_integer(r, &number))
        return false;
    if (number >= FILES_MAX)
        return reader_error(r, &t, "a file's number is less than %u", FILES_MAX);
    while (r->files.count <= number) {
        const char **to = LIST_ADD(r, r->files);
        if (!to)
            return false;
        *to = NULL;
    }
    t = r->lexer.token;
    if (t.kind != TOKEN_STRING)
        return reader_expected(r, "a file's name in quotes");
    r->files.items[number] = reader_copy(r, t.at + 1, t.size - 2);
    lexer_next(&r->lexer);
    while (lexer_take(&r->lexer, ','))
        if (!constant_integer(r, &ignored))
            return false;
    return r->files.items[number] != NULL;
}

/* `.section NAME { ... }`: what debuggers read. */
static bool skip_section(struct reader *r)
{
    while (r->lexer.token.kind == TOKEN_DOT || r->lexer.token.kind == TOKEN_WORD)
        lexer_next(&r->lexer);
    return reader_take(r, '{') && body_skip_braces(r);
}

/* The function of that name; declared before, or new. */
static bool find_function(struct reader *r, const struct token *name, uint32_t *index)
{
    bool is_new;
    char quote[TOKEN_QUOTE_MAX];
    struct symbol *s = symbol_intern(r, NAMES_MODULE, name->at, name->size, &is_new);
    if (!s)
        return false;
    if (!is_new) {
        *index = s->index;
        if (s->kind == SYMBOL_FUNCTION)
            return true;
        return reader_error(r, name, "%s is declared in line %u already, but as no function", token_quote(name, quote),
                            s->line);
    }
    struct module_function *f = LIST_ADD(r, r->functions);
    uint32_t *alias = LIST_ADD(r, r->aliases);
    if (!f || !alias)
        return false;
    *f = (struct module_function){.name = s->name, .is_declaration = true, .carry = MODULE_NONE};
    *alias = MODULE_NONE;
    s->kind = SYMBOL_FUNCTION;
    *index = s->index = (uint32_t)(r->functions.count - 1);
    s->line = name->line;
    return true;
}

static bool read_numbers(struct reader *r, uint32_t numbers[3])
{
    uint64_t value;
    unsigned n = 0;
    for (; n < 3; n++)
        numbers[n] = 1;
    n = 0;
    do {
        struct token t = r->lexer.token;
        if (!constant_integer(r, &value))
            return false;
        if (n == 3 || value > UINT32_MAX)
            return reader_error(r, &t, "at most three numbers of 32 bits");
        numbers[n++] = (uint32_t)value;
    } while (lexer_take(&r->lexer, ','));
    return true;
}

/* Between a function's head and its body: `.reqntid 128, 1, 1`, `.minnctapersm 2`, `.pragma "...";`. */
static bool read_performance(struct reader *r, struct module_function *f)
{
    uint32_t other[3];
    while (r->lexer.token.kind == TOKEN_DOT) {
        struct token t = r->lexer.token;
        lexer_next(&r->lexer);
        uint32_t *numbers = token_is(&t, ".reqntid")             ? f->reqntid
                            : token_is(&t, ".maxntid")           ? f->maxntid
                            : token_is(&t, ".reqnctapercluster") ? f->reqnctapercluster
                                                                 : other;
        f->noreturn |= token_is(&t, ".noreturn");
        if (token_is(&t, ".pragma")) {
            while (r->lexer.token.kind == TOKEN_STRING || token_punct(&r->lexer.token, ','))
                lexer_next(&r->lexer);
            lexer_take(&r->lexer, ';');
        } else if (r->lexer.token.kind == TOKEN_NUMBER && !read_numbers(r, numbers)) {
            return false;
        }
    }
    return true;
}

static void start_function(struct reader *r, uint32_t index)
{
    r->function = index;
    r->registers.count = r->ranges.count = r->instructions.count = 0;
    r->branches.count = r->references.count = r->tables.count = 0;
    r->frame_bytes = 0;
    r->carry = r->copied = MODULE_NONE;
    r->location = MODULE_NONE;
}

static bool check_new(struct reader *r, const struct token *name, const struct module_function *f)
{
    char quote[TOKEN_QUOTE_MAX];
    return f->is_declaration ||
           reader_error(r, name, "%s has a body already, in line %u", token_quote(name, quote), f->line);
}

/* The results in brackets come before the name, so the function gets its index when its name is known. */
static bool find_name(struct reader *r, struct lexer start, bool is_entry, struct token *name, uint32_t *index)
{
    struct lexer *l = &r->lexer;
    if (!is_entry && lexer_take(l, '('))
        while (l->token.kind != TOKEN_END && !lexer_take(l, ')'))
            lexer_next(l);
    *name = l->token;
    if (name->kind != TOKEN_WORD)
        return reader_expected(r, "the name of a function");
    r->lexer = start;
    return find_function(r, name, index);
}

static bool read_head(struct reader *r, struct module_function *f)
{
    const uint32_t *list;
    uint32_t count;
    bool has_results = !f->is_entry && token_punct(&r->lexer.token, '(');
    if (has_results) {
        if (!declare_parameters(r, &list, &count))
            return false;
        f = &r->functions.items[r->function];
        f->returns = list;
        f->returns_count = count;
    }
    lexer_next(&r->lexer); /* the name */
    if (token_punct(&r->lexer.token, '(')) {
        if (!declare_parameters(r, &list, &count))
            return false;
        f->params = list;
        f->params_count = count;
    }
    return read_performance(r, f);
}

static bool read_function(struct reader *r, bool is_entry, enum module_linkage linkage)
{
    struct token name;
    uint32_t index;
    if (!find_name(r, r->lexer, is_entry, &name, &index))
        return false;
    struct module_function *f = &r->functions.items[index];
    if (!check_new(r, &name, f) || !scope_open(r))
        return false;
    *f = (struct module_function){.name = f->name,
                                  .is_entry = is_entry,
                                  .is_declaration = true,
                                  .linkage = linkage,
                                  .line = name.line,
                                  .column = name.column,
                                  .frame_align = 1,
                                  .carry = MODULE_NONE};
    start_function(r, index);
    if (!read_head(r, f))
        return false;
    if (token_punct(&r->lexer.token, '{')) {
        f->is_declaration = false;
        if (!body_read(r))
            return false;
    } else if (!reader_take(r, ';')) {
        return false;
    }
    scope_close(r);
    r->function = MODULE_NONE;
    return true;
}

/* `.alias NAME, FUNCTION;` */
static bool read_alias(struct reader *r)
{
    uint32_t index[2];
    for (unsigned n = 0; n < 2; n++) {
        struct token name = r->lexer.token;
        if (name.kind != TOKEN_WORD)
            return reader_expected(r, "the name of a function");
        if (!find_function(r, &name, &index[n]))
            return false;
        lexer_next(&r->lexer);
        if (n == 0 && !reader_take(r, ','))
            return false;
    }
    r->aliases.items[index[0]] = index[1];
    return reader_take(r, ';');
}

static bool find_linkage(const struct token *t, enum module_linkage *linkage)
{
    static const struct {
        const char *word;
        enum module_linkage linkage;
    } words[] = {{".extern", LINKAGE_EXTERN},
                 {".visible", LINKAGE_VISIBLE},
                 {".weak", LINKAGE_WEAK},
                 {".common", LINKAGE_COMMON}};
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (token_is(t, words[n].word)) {
            *linkage = words[n].linkage;
            return true;
        }
    }
    return false;
}

static bool read_directive(struct reader *r)
{
    enum module_linkage linkage = LINKAGE_NONE;
    char quote[TOKEN_QUOTE_MAX];
    while (find_linkage(&r->lexer.token, &linkage))
        lexer_next(&r->lexer);
    struct token t = r->lexer.token;
    if (declare_starts(&t))
        return declare_variables(r, linkage);
    lexer_next(&r->lexer);
    if (token_is(&t, ".entry") || token_is(&t, ".func"))
        return read_function(r, token_is(&t, ".entry"), linkage);
    if (token_is(&t, ".version"))
        return reader_version(r);
    if (token_is(&t, ".target"))
        return reader_target(r);
    if (token_is(&t, ".address_size"))
        return reader_address_size(r);
    if (token_is(&t, ".file"))
        return read_file(r);
    if (token_is(&t, ".loc"))
        return body_location(r);
    if (token_is(&t, ".section"))
        return skip_section(r);
    if (token_is(&t, ".alias"))
        return read_alias(r);
    if (token_is(&t, ".pragma")) {
        while (r->lexer.token.kind == TOKEN_STRING || token_punct(&r->lexer.token, ','))
            lexer_next(&r->lexer);
        return reader_take(r, ';');
    }
    return reader_error(r, &t, "%s is no directive of a module that is read", token_quote(&t, quote));
}

/* `@@DWARF ...` to the end of the line, as old compilers write it. */
static bool skip_dwarf(struct reader *r)
{
    uint32_t line = r->lexer.token.line;
    while (r->lexer.token.kind != TOKEN_END && r->lexer.token.line == line)
        lexer_next(&r->lexer);
    return true;
}

void reader_start(struct reader *r, struct arena *arena, struct module *module, const char *text, size_t size,
                  bool notes)
{
    *r = (struct reader){.arena = arena,
                         .module = module,
                         .function = MODULE_NONE,
                         .carry = MODULE_NONE,
                         .copied = MODULE_NONE,
                         .location = MODULE_NONE};
    lexer_start(&r->lexer, text, size, 1, 1, notes);
}

/* The scopes of the module and of places in the source. */
bool reader_scopes(struct reader *r)
{
    for (unsigned n = 0; n < NAMES_SCOPES; n++) {
        uint32_t *parent = LIST_ADD(r, r->scopes);
        if (!parent)
            return false;
        *parent = NAMES_MODULE;
    }
    return true;
}

/* Statements outside functions: the body of a function without a name, to the end of the text. */
static bool read_fragment(struct reader *r)
{
    struct token name = {.kind = TOKEN_WORD, .at = "", .line = r->lexer.token.line, .column = r->lexer.token.column};
    uint32_t index;
    if (!find_function(r, &name, &index) || !scope_open(r))
        return false;
    r->functions.items[index].is_declaration = false;
    r->functions.items[index].line = name.line;
    r->functions.items[index].column = name.column;
    r->functions.items[index].frame_align = 1;
    start_function(r, index);
    bool ok = body_fragment(r);
    scope_close(r);
    r->function = MODULE_NONE;
    return ok;
}

bool reader_note(struct reader *r)
{
    struct token note = r->lexer.token;
    lexer_next(&r->lexer);
    return r->options->note(r->options->context, r, &note);
}

/* Is this a note of that word? */
static bool starts_note(const struct token *t, const char *word)
{
    struct lexer l;
    if (t->kind != TOKEN_NOTE)
        return false;
    lexer_start(&l, t->at, t->size, t->line, t->column, false);
    return token_is(&l.token, word);
}

static bool starts_fragment(const struct reader *r)
{
    const struct token *t = &r->lexer.token;
    bool dwarf = token_punct(t, '@') && t->at + 1 < r->lexer.end && t->at[1] == '@';
    return r->loose && (starts_note(t, "input") || t->kind == TOKEN_WORD || token_is(t, ".reg") ||
                        token_punct(t, '{') || (token_punct(t, '@') && !dwarf));
}

static bool read_all(struct reader *r)
{
    if (!reader_scopes(r))
        return false;
    while (r->lexer.token.kind != TOKEN_END) {
        const struct token *t = &r->lexer.token;
        bool ok = true;
        if (starts_fragment(r))
            ok = read_fragment(r);
        else if (t->kind == TOKEN_DOT)
            ok = read_directive(r);
        else if (token_punct(t, '@'))
            ok = skip_dwarf(r);
        else if (t->kind == TOKEN_NOTE)
            ok = reader_note(r);
        else if (!lexer_take(&r->lexer, ';'))
            ok = reader_expected(r, r->loose ? "an instruction or a directive" : "a directive, such as .entry");
        if (!ok)
            return false;
    }
    /* A text of notes alone is a program without instructions. */
    if (r->options->note && r->functions.count == 0 && !read_fragment(r))
        return false;
    return flow_calls(r);
}

/* Fills in defaults for what the text did not say, and the arrays. */
static void fill_module(struct reader *r)
{
    struct module *m = r->module;
    for (size_t n = 0; n < r->locations.count; n++) {
        struct module_location *at = &r->locations.items[n];
        if (at->file >= r->files.count || !r->files.items[at->file])
            at->file = MODULE_NONE;
    }
    if (m->address_size == 0)
        m->address_size = 32; /* as the manual says */
    m->files = r->files.items;
    m->files_count = (uint32_t)r->files.count;
    m->locations = r->locations.items;
    m->locations_count = (uint32_t)r->locations.count;
    m->variables = r->variables.items;
    m->variables_count = (uint32_t)r->variables.count;
    m->functions = r->functions.items;
    m->functions_count = (uint32_t)r->functions.count;
}

void reader_finish(struct reader *r)
{
    free(r->names.symbols);
    free(r->scopes.items);
    free(r->calls.items);
    free(r->aliases.items);
    free(r->opcodes.items);
    free(r->registers.items);
    free(r->ranges.items);
    free(r->instructions.items);
    free(r->operands.items);
    free(r->branches.items);
    free(r->references.items);
    free(r->tables.items);
}

/* The public module is the first member, so that its address is that of the whole structure. */
struct owned_module {
    struct module module;
    struct arena arena;
};

static struct module *read_module(const char *text, size_t size, const char *name, const struct module_options *options,
                                  struct warp_text_error *error, enum error_code *code)
{
    struct owned_module *owned = calloc(1, sizeof *owned);
    struct reader r;
    *code = owned ? ERROR_INPUT : ERROR_SYSTEM;
    if (!owned || size > MODULE_TEXT_MAX) {
        if (owned)
            error_at(error, 1, 1, "a module's text has at most 256 MiB");
        else
            error_no_memory(error, 1, 1);
        free(owned);
        return NULL;
    }
    reader_start(&r, &owned->arena, &owned->module, text, size, options->note != NULL);
    r.options = options;
    r.loose = options->fragment;
    r.keep_wrong = options->keep_wrong;
    owned->module.name = reader_copy(&r, name, strlen(name));
    bool ok = owned->module.name && read_all(&r);
    fill_module(&r);
    reader_finish(&r);
    if (ok)
        return &owned->module;
    *error = r.error;
    *code = r.no_memory ? ERROR_SYSTEM : ERROR_INPUT;
    module_free(&owned->module);
    return NULL;
}

struct module *module_read(const char *text, size_t size, const char *name, struct error *error)
{
    static const struct module_options whole = {.fragment = false};
    struct warp_text_error place;
    enum error_code code;
    struct module *m = read_module(text, size, name, &whole, &place, &code);
    if (!m)
        error_set(error, code, "%s:%zu:%zu: %s", name, place.line, place.column, place.what);
    return m;
}

struct module *module_read_piece(const char *text, size_t size, const struct module_options *options,
                                 struct warp_text_error *error)
{
    enum error_code code;
    return read_module(text, size, "-", options, error, &code);
}

void module_free(struct module *module)
{
    if (!module)
        return;
    struct owned_module *owned = (struct owned_module *)module;
    free((void *)(uintptr_t)module->files);
    free((void *)(uintptr_t)module->locations);
    free((void *)(uintptr_t)module->variables);
    free((void *)(uintptr_t)module->functions);
    ptx_arena_free(&owned->arena);
    free(owned);
}

uint32_t module_function_find(const struct module *module, const char *name)
{
    for (uint32_t n = 0; n < module->functions_count; n++)
        if (strcmp(module->functions[n].name, name) == 0)
            return n;
    return MODULE_NONE;
}

uint32_t module_variable_find(const struct module *module, uint32_t function, const char *name)
{
    for (uint32_t n = 0; n < module->variables_count; n++)
        if (module->variables[n].function == function && strcmp(module->variables[n].name, name) == 0)
            return n;
    return MODULE_NONE;
}
