#include "ptx/text/statement.h"

#include <stdio.h>
#include <string.h>

static bool read_value(struct lexer *l, struct statement_value *v, struct warp_text_error *error)
{
    *v = (struct statement_value){.negated = false};
    v->negated = lexer_take(l, '!');
    v->minus = lexer_take(l, '-');
    if (l->token.kind != TOKEN_WORD && l->token.kind != TOKEN_NUMBER)
        return error_expected(error, &l->token, "an operand");
    if (v->minus && l->token.kind != TOKEN_NUMBER)
        return error_expected(error, &l->token, "a constant behind the minus sign");
    v->token = l->token;
    lexer_next(l);
    return true;
}

static bool read_operand(struct lexer *l, struct statement_operand *o, struct warp_text_error *error)
{
    *o = (struct statement_operand){.pair = false};
    if (lexer_take(l, '{')) {
        o->pair = true;
        if (!read_value(l, &o->x, error))
            return false;
        if (!lexer_take(l, ','))
            return error_expected(error, &l->token, "',' and a second element of the pair");
        if (!read_value(l, &o->y, error))
            return false;
        if (!lexer_take(l, '}'))
            return error_expected(error, &l->token, "'}' after two elements");
        return true;
    }
    if (!read_value(l, &o->x, error))
        return false;
    if (lexer_take(l, '|')) {
        o->bar = true;
        return read_value(l, &o->y, error);
    }
    return true;
}

static bool read_opcode(struct lexer *l, struct statement *s, struct warp_text_error *error)
{
    size_t n = 0;
    if (l->token.kind != TOKEN_WORD)
        return error_expected(error, &l->token, "an instruction");
    s->opcode = l->token;
    do {
        if (n + l->token.size >= sizeof s->name)
            return error_at(error, s->opcode.line, s->opcode.column, "no instruction has a name this long");
        memcpy(s->name + n, l->token.at, l->token.size);
        n += l->token.size;
        lexer_next(l);
    } while (l->token.kind == TOKEN_DOT);
    s->name[n] = '\0';
    return true;
}

static bool read_guard(struct lexer *l, struct statement *s, struct warp_text_error *error)
{
    if (!lexer_take(l, '@'))
        return true;
    s->has_guard = true;
    s->guard_negate = lexer_take(l, '!');
    if (l->token.kind != TOKEN_WORD)
        return error_expected(error, &l->token, "a predicate register behind '@'");
    s->guard = l->token;
    lexer_next(l);
    return true;
}

static bool at_end(const struct lexer *l)
{
    return token_punct(&l->token, ';') || l->token.kind == TOKEN_END;
}

static bool read_operands(struct lexer *l, struct statement *s, struct warp_text_error *error)
{
    s->operands_count = 0;
    if (at_end(l))
        return true;
    do {
        if (s->operands_count == STATEMENT_OPERANDS_MAX)
            return error_at(error, l->token.line, l->token.column, "too many operands");
        if (!read_operand(l, &s->operands[s->operands_count], error))
            return false;
        s->operands_count++;
    } while (lexer_take(l, ','));
    return at_end(l) || error_expected(error, &l->token, "',' or ';'");
}

bool statement_read(struct lexer *l, struct statement *s, struct warp_text_error *error)
{
    s->has_guard = false;
    s->guard_negate = false;
    if (!read_guard(l, s, error) || !read_opcode(l, s, error) || !read_operands(l, s, error))
        return false;
    s->end = l->token;
    lexer_take(l, ';');
    return true;
}
