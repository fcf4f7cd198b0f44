#include "kernel/lint/lint_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lint_kind_name(enum lint_kind kind)
{
    static const char *const names[LINT_KINDS] = {"illegal", "undefined", "note"};
    return names[kind];
}

void lint_add(struct lint_report *report, enum lint_kind kind, uint32_t line, uint32_t column, const char *what, ...)
{
    report->counts[kind]++;
    if (report->findings_count == LINT_FINDINGS_MAX)
        return;
    struct lint_finding *f = &report->findings[report->findings_count++];
    va_list arguments;
    va_start(arguments, what);
    f->kind = kind;
    f->line = line;
    f->column = column;
    vsnprintf(f->what, sizeof f->what, what, arguments);
    va_end(arguments);
}

struct scan {
    struct lexer lexer;
    struct lint_types *types;
    const struct lint_options *options;
    struct lint_report *report;
    struct warp_text_error *error;
};

static bool is_constant(const struct ptx_operand *o)
{
    return o->kind == PTX_IMMEDIATE;
}

static bool has_several_lanes(uint64_t mask)
{
    return (mask & (mask - 1)) != 0;
}

/* What a constant membermask says for sure, and what is seldom meant. */
static void check_membermask(struct lint_report *report, const struct ptx_instruction *i,
                             const struct warp_form_info *info, uint32_t line, uint32_t column)
{
    uint64_t mask = i->membermask.value;
    if (!warp_form_is_sync(info) || !is_constant(&i->membermask))
        return;
    if (mask == 0)
        lint_add(report, LINT_UNDEFINED, line, column,
                 "membermask 0 has no lane: every lane that executes this is undefined");
    else if (mask != UINT32_MAX)
        lint_add(report, LINT_NOTE, line, column,
                 "undefined for a lane outside membermask 0x%08x: only those lanes may get here", (unsigned)mask);
    if (i->guard.kind == PTX_REGISTER && has_several_lanes(mask))
        lint_add(report, LINT_NOTE, line, column,
                 "lanes of membermask 0x%08x whose guard %s%s is false do not arrive: the others wait for them",
                 (unsigned)mask, i->guard_negate ? "!" : "", i->guard.name);
}

static void check_shfl(struct lint_report *report, const struct ptx_instruction *i, const struct warp_form_info *info,
                       uint32_t line, uint32_t column)
{
    if (!warp_form_is_shfl(info))
        return;
    if (is_constant(&i->b) && i->b.value > 31)
        lint_add(report, LINT_NOTE, line, column, "of b = 0x%x only the low 5 bits count: %u", (unsigned)i->b.value,
                 (unsigned)(i->b.value & 31));
    if (info->op == WARP_UP && is_constant(&i->c) && (i->c.value & 31) != 0)
        lint_add(report, LINT_NOTE, line, column,
                 "up: c[4:0] is the lowest source lane, %u here; for a plain shift it is 0",
                 (unsigned)(i->c.value & 31));
}

static void check_instruction(struct scan *scan, const struct statement *s)
{
    struct ptx_instruction i;
    struct warp_text_error error;
    char why[192];
    uint32_t line = s->opcode.line, column = s->opcode.column;
    scan->report->instructions++;
    if (!warp_from_statement(s, &i, &error) || !ptx_check_types(&i, lint_types_find, scan->types, &error)) {
        lint_add(scan->report, LINT_ILLEGAL, (uint32_t)error.line, (uint32_t)error.column, "%s", error.what);
        return;
    }
    const struct warp_form_info *info = warp_form_get(i.form);
    if (!warp_legal(info, i.dst, scan->report->ptx, scan->report->target, why, sizeof why))
        lint_add(scan->report, LINT_ILLEGAL, line, column, "%s", why);
    check_membermask(scan->report, &i, info, line, column);
    check_shfl(scan->report, &i, info, line, column);
}

static bool is_known_version(uint64_t ptx)
{
    for (size_t i = 0; warp_ptx_get(i) != 0; i++)
        if (warp_ptx_get(i) == ptx)
            return true;
    return false;
}

static bool read_version(struct scan *scan)
{
    const struct token *t = &scan->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    uint64_t ptx = 0;
    if (t->kind == TOKEN_NUMBER && t->size == 3 && t->at[1] == '.')
        ptx = (uint64_t)(t->at[0] - '0') * 10 + (uint64_t)(t->at[2] - '0');
    if (scan->options->ptx != 0)
        return true;
    if (!is_known_version(ptx))
        return error_at(scan->error, t->line, t->column, "%s is not a known PTX version", token_quote(t, quote));
    scan->report->ptx = (uint16_t)ptx;
    return true;
}

static bool read_target(struct scan *scan)
{
    const struct token *t = &scan->lexer.token;
    char quote[TOKEN_QUOTE_MAX];
    char name[32] = "";
    if (scan->options->target != 0)
        return true;
    if (t->kind == TOKEN_WORD && t->size < sizeof name)
        memcpy(name, t->at, t->size);
    const struct warp_target_info *info = warp_target_find(name);
    if (!info)
        return error_at(scan->error, t->line, t->column, "%s is not a known target", token_quote(t, quote));
    scan->report->target = info->target;
    return true;
}

static void skip_line(struct lexer *l, uint32_t line)
{
    while (l->token.kind != TOKEN_END && l->token.line == line)
        lexer_next(l);
}

/* To the semicolon, or to a brace that opens or closes a block (`open`: not the braces of vectors and initializers). */
static void skip_statement(struct lexer *l, bool stop_at_open)
{
    while (l->token.kind != TOKEN_END && !token_punct(&l->token, ';') && !token_punct(&l->token, '}') &&
           !(stop_at_open && token_punct(&l->token, '{'))) {
        if (lexer_take(l, '{')) {
            while (l->token.kind != TOKEN_END && !token_punct(&l->token, '}') && !token_punct(&l->token, ';'))
                lexer_next(l);
            lexer_take(l, '}');
        } else {
            lexer_next(l);
        }
    }
}

static bool scan_directive(struct scan *scan)
{
    static const char *const whole_lines[] = {".version", ".target", ".address_size", ".file", ".loc"};
    struct lexer *l = &scan->lexer;
    struct token word = l->token;
    bool ok = true;
    lexer_next(l);
    if (token_is(&word, ".version"))
        ok = read_version(scan);
    else if (token_is(&word, ".target"))
        ok = read_target(scan);
    else if (token_is(&word, ".reg"))
        lint_types_read(scan->types, l);
    for (size_t i = 0; i < sizeof whole_lines / sizeof whole_lines[0]; i++) {
        if (token_is(&word, whole_lines[i])) {
            skip_line(l, word.line);
            return ok;
        }
    }
    skip_statement(l, true);
    return ok;
}

/* The opcode of the statement that begins here, behind its guard; and the token behind it. */
static struct token opcode_of(struct lexer l, struct token *behind)
{
    if (lexer_take(&l, '@')) {
        lexer_take(&l, '!');
        lexer_next(&l);
    }
    struct token opcode = l.token;
    lexer_next(&l);
    *behind = l.token;
    return opcode;
}

static bool scan_statement(struct scan *scan)
{
    struct lexer *l = &scan->lexer;
    struct token behind;
    struct token opcode = opcode_of(*l, &behind);
    struct statement s;
    if (opcode.kind == TOKEN_WORD && token_punct(&behind, ':') && opcode.at == l->token.at) {
        lexer_next(l);
        lexer_next(l);
        return true;
    }
    if (opcode.kind == TOKEN_WORD && ptx_is_warp_opcode(opcode.at, opcode.size)) {
        if (!statement_read(l, &s, scan->error))
            return false;
        check_instruction(scan, &s);
        return true;
    }
    scan->report->skipped++;
    skip_statement(l, false);
    return true;
}

static bool scan_all(struct scan *scan)
{
    struct lexer *l = &scan->lexer;
    while (l->token.kind != TOKEN_END) {
        bool ok = true;
        if (l->token.kind == TOKEN_BAD)
            return error_expected(scan->error, &l->token, "PTX");
        if (l->token.kind == TOKEN_DOT)
            ok = scan_directive(scan);
        else if (l->token.kind == TOKEN_WORD || token_punct(&l->token, '@'))
            ok = scan_statement(scan);
        else
            lexer_next(l);
        if (!ok)
            return false;
    }
    return true;
}

static uint16_t newest_ptx(void)
{
    uint16_t ptx = 0;
    for (size_t i = 0; warp_ptx_get(i) != 0; i++)
        ptx = warp_ptx_get(i);
    return ptx;
}

bool lint_text(const char *text, size_t size, const struct lint_options *options, struct lint_report *report,
               struct warp_text_error *error)
{
    struct scan scan = {.options = options, .report = report, .error = error};
    memset(report, 0, sizeof *report);
    report->ptx = options->ptx ? options->ptx : newest_ptx();
    report->target = options->target ? options->target : WARP_TARGET(90, 0);
    scan.types = calloc(1, sizeof *scan.types);
    if (!scan.types)
        return error_at(error, 1, 1, "out of memory");
    lexer_start(&scan.lexer, text, size, 1, 1, false);
    bool ok = scan_all(&scan);
    free(scan.types);
    if (ok && report->instructions + report->skipped == 0)
        ok = error_at(error, 1, 1, "there is no instruction in this text");
    if (ok)
        lint_execute(text, size, options, report);
    return ok;
}
