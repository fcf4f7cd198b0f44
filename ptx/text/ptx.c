#include "ptx/text/warp.h"

#include "model/text/writer.h"

#include <stdio.h>
#include <string.h>

bool ptx_parse(const char *text, size_t size, struct ptx_instruction *out, struct warp_text_error *error)
{
    struct lexer l;
    struct statement s;
    lexer_start(&l, text, size, 1, 1, false);
    if (!statement_read(&l, &s, error) || !warp_from_statement(&s, out, error))
        return false;
    return l.token.kind == TOKEN_END || error_expected(error, &l.token, "nothing behind the instruction");
}

bool ptx_check_types(const struct ptx_instruction *i, ptx_type_fn type, void *context, struct warp_text_error *error)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    struct ptx_instruction copy = *i;
    for (enum warp_slot slot = 0; slot < SLOTS; slot++) {
        struct operand_rule rule;
        const struct ptx_operand *o = warp_slot_operand(&copy, slot);
        if (o->kind == PTX_REGISTER && warp_slot_rule(info, slot, &rule) &&
            !operand_check_type(o, &rule, type(context, o->name), error))
            return false;
    }
    return true;
}

static void put_operand(struct writer *w, const struct ptx_operand *o)
{
    switch (o->kind) {
    case PTX_NONE:
        break;
    case PTX_REGISTER:
        writer_format(w, "%s", o->name);
        break;
    case PTX_IMMEDIATE:
        writer_format(w, o->value < 10 ? "%llu" : "0x%llx", (unsigned long long)o->value);
        break;
    case PTX_FLOAT:
        writer_format(w, "0f%08llx", (unsigned long long)o->value);
        break;
    case PTX_SINK:
        writer_format(w, "_");
        break;
    }
}

size_t ptx_print(const struct ptx_instruction *i, char *buf, size_t size)
{
    struct writer w = {.buf = buf, .size = size};
    const struct ptx_operand *const sources[] = {&i->a, &i->b, &i->c, &i->membermask};
    const struct warp_form_info *info = warp_form_get(i->form);
    if (i->guard.kind == PTX_REGISTER)
        writer_format(&w, "@%s%s ", i->guard_negate ? "!" : "", i->guard.name);
    writer_format(&w, "%s ", info->name);
    put_operand(&w, &i->d);
    if (i->p.kind != PTX_NONE) {
        writer_format(&w, "|");
        put_operand(&w, &i->p);
    }
    for (size_t n = 0; n < sizeof sources / sizeof sources[0]; n++) {
        if (sources[n]->kind == PTX_NONE)
            continue;
        writer_format(&w, ", %s", n == 0 && i->negate ? "!" : "");
        put_operand(&w, sources[n]);
    }
    writer_format(&w, ";");
    return w.length;
}

static bool operand_equal(const struct ptx_operand *x, const struct ptx_operand *y)
{
    if (x->kind != y->kind)
        return false;
    if (x->kind == PTX_REGISTER)
        return strcmp(x->name, y->name) == 0;
    return (x->kind != PTX_IMMEDIATE && x->kind != PTX_FLOAT) || x->value == y->value;
}

bool ptx_equal(const struct ptx_instruction *x, const struct ptx_instruction *y)
{
    struct ptx_instruction left = *x, right = *y;
    if (x->form != y->form || x->dst != y->dst || x->negate != y->negate || x->guard_negate != y->guard_negate)
        return false;
    for (enum warp_slot slot = 0; slot < SLOTS; slot++)
        if (!operand_equal(warp_slot_operand(&left, slot), warp_slot_operand(&right, slot)))
            return false;
    return true;
}

bool ptx_is_warp_opcode(const char *name, size_t size)
{
    static const char *const first[] = {"shfl", "vote", "match", "redux", "activemask"};
    const char *dot = memchr(name, '.', size);
    size_t word = dot ? (size_t)(dot - name) : size;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (word == strlen(first[i]) && memcmp(name, first[i], word) == 0)
            return true;
    return false;
}
