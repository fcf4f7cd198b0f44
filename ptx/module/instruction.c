/*
 * One instruction: its opcode, and the operands by the letters of opcodes.def or by a function of its own.
 */
#include "ptx/module/reader.h"

#include <string.h>

static const struct want any_predicate = {.type = PTX_PRED, .constant = true};
static const struct want any_integer = {.type = PTX_U32, .constant = true};

static struct module_operand *read_into(struct reader *r, const struct want *want)
{
    struct module_operand *o = operand_add(r);
    return o && operand_read(r, want, o) ? o : NULL;
}

/* Is a source of .b32 refused in an f32 register? */
static bool b32_is_integer(enum warp_family family)
{
    switch (family) {
    case WARP_REDUX_SYNC:
        return true;
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

/* The types of a warp instruction's operands, as the assembler takes them: what shfl moves and a ballot may be in f32
 * registers, lane masks and the operands of redux.and not. */
static enum ptx_type source_type(const struct warp_form_info *info)
{
    switch (info->type) {
    case WARP_PRED:
        return PTX_PRED;
    case WARP_B64:
        return PTX_B64;
    case WARP_F32:
        return PTX_F32;
    case WARP_B32:
        return b32_is_integer(info->family) ? PTX_U32 : PTX_B32;
    case WARP_U32:
    case WARP_S32:
    case WARP_NO_SOURCE:
        break;
    }
    return PTX_U32;
}

static enum ptx_type destination_type(const struct warp_form_info *info)
{
    if (!warp_form_writes_d(info, WARP_DST_D))
        return PTX_PRED;
    if (info->type == WARP_F32)
        return PTX_F32;
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_ACTIVEMASK:
        return PTX_B32; /* which a register of f32 takes, too */
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return PTX_U32;
}

static bool find_dst(struct reader *r, const struct warp_form_info *info, const struct token *at,
                     struct module_instruction *i, bool bar)
{
    const struct module_operand *o = r->operands.items;
    bool first = o[OPERAND_D].kind == OPERAND_SINK, second = bar && o[OPERAND_P].kind == OPERAND_SINK;
    if (first && (second || !bar))
        return reader_error(r, at,
                            bar ? "only one of the destinations can be the sink _"
                                : "the sink _ cannot be the only destination");
    i->dst = !bar ? WARP_DST_D : first ? WARP_DST_SINK_P : second ? WARP_DST_D_SINK : WARP_DST_D_P;
    if (info->destinations >> i->dst & 1u)
        return true;
    if (i->dst == WARP_DST_D)
        return reader_expected(r, "'|' and a predicate");
    return reader_error(r, at, "%s does not take the destination %s", info->name, warp_dst_name(i->dst));
}

/* d, d|p, _|p, d|_ */
static bool read_destinations(struct reader *r, enum ptx_type type, bool *bar)
{
    struct want d = {.type = type, .sink = true}, p = {.type = PTX_PRED, .sink = true};
    if (!read_into(r, &d))
        return false;
    *bar = lexer_take(&r->lexer, '|');
    return *bar ? read_into(r, &p) != NULL : operand_add(r) != NULL;
}

/* The destinations and i->dst; `comma`: something was written, and a comma must follow. */
static bool read_dst(struct reader *r, const struct warp_form_info *info, struct module_instruction *i, bool *comma)
{
    struct token at = r->lexer.token;
    bool bar;
    i->dsts_count = 2;
    *comma = info->destinations != 1u << WARP_DST_NONE;
    i->dst = WARP_DST_NONE;
    if (!*comma)
        return operand_add(r) != NULL && operand_add(r) != NULL;
    return read_destinations(r, destination_type(info), &bar) && find_dst(r, info, &at, i, bar);
}

static bool read_warp(struct reader *r, struct module_instruction *i)
{
    const struct warp_form_info *info = warp_form_get(i->form);
    static const char *const names[] = {"',' and a", "',' and b", "',' and c", "',' and membermask"};
    const bool has[] = {info->type != WARP_NO_SOURCE, warp_form_is_shfl(info), warp_form_is_shfl(info),
                        warp_form_is_sync(info)};
    bool comma;
    if (!read_dst(r, info, i, &comma))
        return false;
    for (unsigned n = OPERAND_A; n <= OPERAND_MEMBERMASK; n++) {
        struct want want = {.type = n == OPERAND_A            ? source_type(info)
                                    : n == OPERAND_MEMBERMASK ? PTX_U32
                                                              : PTX_B32,
                            .constant = true};
        if (has[n] && comma && !lexer_take(&r->lexer, ','))
            return reader_expected(r, names[n]);
        comma |= has[n];
        if (has[n] ? read_into(r, &want) == NULL : operand_add(r) == NULL)
            return false;
    }
    return true;
}

/* d, a [, count], [!]c: what stands in the middle is the count only when a predicate follows. */
static bool read_bar_red(struct reader *r, struct module_instruction *i)
{
    struct want d = {.type = i->type};
    i->dsts_count = 1;
    if (!read_into(r, &d) || !reader_take(r, ',') || !read_into(r, &any_integer) || !reader_take(r, ','))
        return false;
    struct token t = r->lexer.token;
    const struct symbol *s = t.kind == TOKEN_WORD ? symbol_find(r, r->scope, t.at, t.size) : NULL;
    bool is_predicate =
        token_punct(&t, '!') || (s && s->kind == SYMBOL_REGISTER && r->registers.items[s->index].type == PTX_PRED);
    if (is_predicate)
        return operand_add(r) != NULL && read_into(r, &any_predicate) != NULL;
    return read_into(r, &any_integer) && reader_take(r, ',') && read_into(r, &any_predicate) != NULL;
}

/* The type of untyped bits of that size. */
static enum ptx_type bits_type(unsigned bits)
{
    return bits == 8 ? PTX_B8 : bits == 16 ? PTX_B16 : bits == 32 ? PTX_B32 : bits == 64 ? PTX_B64 : PTX_UNKNOWN;
}

/* {a, b, ...} of unknown number: parts of the type. Their size follows from the number, so it is checked behind. */
static bool read_parts(struct reader *r, const struct module_instruction *i, bool is_destination, unsigned *count)
{
    struct lexer start = r->lexer;
    unsigned commas = 0;
    while (r->lexer.token.kind != TOKEN_END && !token_punct(&r->lexer.token, '}') &&
           !token_punct(&r->lexer.token, ';')) {
        commas += token_punct(&r->lexer.token, ',');
        lexer_next(&r->lexer);
    }
    r->lexer = start;
    *count = commas + 1;
    struct want want = {
        .type = bits_type(ptx_type_bits(i->type) / *count), .sink = is_destination, .constant = !is_destination};
    if (want.type == PTX_UNKNOWN || ptx_type_bits(i->type) % *count != 0 || *count == 1)
        return reader_error(r, &start.token, "a .%s has no %u equal parts", ptx_type_name(i->type), *count);
    for (unsigned n = 0; n < *count; n++)
        if ((n > 0 && !reader_take(r, ',')) || !read_into(r, &want))
            return false;
    return reader_take(r, '}');
}

static bool read_mov(struct reader *r, struct module_instruction *i)
{
    struct want d = {.type = i->type};
    bool is_address = i->type == PTX_U32 || i->type == PTX_U64 || i->type == PTX_B32 || i->type == PTX_B64 ||
                      i->type == PTX_S32 || i->type == PTX_S64;
    struct want a = {.type = i->type, .constant = true, .special = true, .address = is_address};
    unsigned count = 1;
    if (lexer_take(&r->lexer, '{')) {
        i->op = OP_UNPACK;
        if (!read_parts(r, i, true, &count))
            return false;
    } else if (!read_into(r, &d)) {
        return false;
    }
    i->dsts_count = (uint8_t)count;
    if (!reader_take(r, ','))
        return false;
    if (i->op == OP_MOV && lexer_take(&r->lexer, '{')) {
        i->op = OP_PACK;
        return read_parts(r, i, false, &count);
    }
    return read_into(r, &a) != NULL;
}

/* A name that is resolved when the whole function is known. */
static bool read_reference(struct reader *r)
{
    struct reference *ref;
    if (r->lexer.token.kind != TOKEN_WORD)
        return reader_expected(r, "a label");
    ref = LIST_ADD(r, r->branches);
    if (!ref)
        return false;
    *ref = (struct reference){(uint32_t)r->instructions.count, r->scope, r->lexer.token};
    lexer_next(&r->lexer);
    return true;
}

static bool read_brx(struct reader *r)
{
    return read_into(r, &any_integer) && reader_take(r, ',') && read_reference(r);
}

/* A .param variable of the body; not a parameter of the kernel, which lies elsewhere. */
static bool is_argument(const struct reader *r, uint32_t variable)
{
    const struct module_variable *v = &r->variables.items[variable];
    const struct module_function *f = &r->functions.items[r->function];
    return v->space == SPACE_PARAM && v->function == r->function &&
           !(f->is_entry && f->params_count > 0 && variable - f->params[0] < f->params_count);
}

/* (a, b, ...) of a call: registers, constants, .param variables. */
static bool read_arguments(struct reader *r, bool are_results)
{
    if (lexer_take(&r->lexer, ')'))
        return true;
    do {
        struct token t = r->lexer.token;
        char quote[TOKEN_QUOTE_MAX];
        struct module_operand *o = operand_add(r);
        const struct symbol *s = t.kind == TOKEN_WORD ? symbol_find(r, r->scope, t.at, t.size) : NULL;
        if (!o)
            return false;
        if (s && s->kind == SYMBOL_VARIABLE && !is_argument(r, s->index))
            return reader_error(r, &t, "%s cannot be given to a function: copy it to a .param variable of this body",
                                token_quote(&t, quote));
        if (s && (s->kind == SYMBOL_REGISTER || s->kind == SYMBOL_VARIABLE)) {
            o->kind = s->kind == SYMBOL_REGISTER ? OPERAND_REGISTER : OPERAND_VARIABLE;
            *(s->kind == SYMBOL_REGISTER ? &o->reg : &o->variable) = s->index;
            lexer_next(&r->lexer);
        } else if (token_is(&t, "_")) {
            o->kind = OPERAND_SINK;
            lexer_next(&r->lexer);
        } else if (!are_results && constant_starts(r)) {
            struct constant c;
            o->kind = OPERAND_IMMEDIATE;
            if (!constant_read(r, &c))
                return false;
            o->value = c.bits;
        } else {
            return reader_error(r, &t, "%s is no register or parameter that is declared", token_quote(&t, quote));
        }
    } while (lexer_take(&r->lexer, ','));
    return reader_take(r, ')');
}

static bool add_call(struct reader *r)
{
    struct call *call = LIST_ADD(r, r->calls);
    if (call)
        *call = (struct call){r->function, (uint32_t)r->instructions.count};
    return call != NULL;
}

static bool read_call(struct reader *r, struct module_instruction *i)
{
    char quote[TOKEN_QUOTE_MAX];
    if (lexer_take(&r->lexer, '(')) {
        if (!read_arguments(r, true) || !reader_take(r, ','))
            return false;
        if (r->operands.count > UINT8_MAX)
            return reader_unread(r, "a call with more than %u results", UINT8_MAX);
    }
    i->dsts_count = (uint8_t)r->operands.count;
    struct token t = r->lexer.token;
    if (t.kind != TOKEN_WORD)
        return reader_expected(r, "the name of a function");
    const struct symbol *s = symbol_find(r, r->scope, t.at, t.size);
    if (!s)
        return !r->no_memory && reader_error(r, &t, "the function %s is not declared", token_quote(&t, quote));
    if (s->kind != SYMBOL_FUNCTION)
        return reader_unread(r, "an indirect call through %s", token_quote(&t, quote));
    i->callee = s->index;
    lexer_next(&r->lexer);
    if (lexer_take(&r->lexer, ',') && (!reader_take(r, '(') || !read_arguments(r, false)))
        return false;
    return add_call(r);
}

/* Reads operands by their letters; those behind a '?' may be missing. */
static bool read_by_letters(struct reader *r, struct module_instruction *i, const struct opcode *o)
{
    for (const char *s = o->dsts; *s; s++)
        if (!operand_letter(r, i, (enum operand_letter)s[0], true))
            return false;
    i->dsts_count = (uint8_t)r->operands.count;
    for (const char *s = o->srcs; *s && *s != '?'; s++) {
        if (s[1] == '?' && !token_punct(&r->lexer.token, ','))
            break;
        if (!operand_letter(r, i, (enum operand_letter)s[0], false))
            return false;
    }
    return true;
}

/* The carry register stands last, behind what is written. */
static bool add_carry(struct reader *r, struct module_instruction *i)
{
    bool reads = i->op == OP_ADDC || i->op == OP_SUBC || i->op == OP_MADC;
    if (!reads && !i->cc)
        return true;
    uint32_t reg = register_carry(r);
    if (reg == MODULE_NONE)
        return false;
    for (unsigned n = 0; n < (unsigned)reads + i->cc; n++) {
        struct module_operand *o = operand_add(r);
        if (!o)
            return false;
        o->kind = OPERAND_REGISTER;
        o->reg = reg;
    }
    if (i->cc) { /* d, carry, sources */
        struct module_operand *items = r->operands.items;
        struct module_operand carry = items[r->operands.count - 1];
        memmove(items + 2, items + 1, (r->operands.count - 2) * sizeof *items);
        items[1] = carry;
        i->dsts_count = 2;
    }
    return true;
}

/* [to], [from], bytes [, bytes of `from`: the others are 0] */
static bool read_copy(struct reader *r, const struct module_instruction *i)
{
    if (i->cache == CACHE_NONE)
        return strcmp(i->name, "cp.async.wait_group") != 0 || read_into(r, &any_integer);
    if (!operand_letter(r, i, LETTER_ADDRESS, false) || !operand_letter(r, i, LETTER_ADDRESS, false) ||
        !reader_take(r, ','))
        return false;
    struct token at = r->lexer.token;
    const struct module_operand *o = read_into(r, &any_integer);
    if (!o)
        return false;
    bool fits =
        o->kind == OPERAND_IMMEDIATE && (o->value == 16 || (i->cache == CACHE_CA && (o->value == 4 || o->value == 8)));
    if (!fits)
        return reader_error(r, &at, "cp.async copies 4, 8 or 16 bytes, .cg 16");
    return !lexer_take(&r->lexer, ',') || read_into(r, &any_integer);
}

static bool read_operands(struct reader *r, struct module_instruction *i, const struct opcode *o)
{
    if (i->op == OP_CP_ASYNC)
        return read_copy(r, i);
    if (i->op == OP_WARP)
        return read_warp(r, i);
    if (i->op == OP_MOV)
        return read_mov(r, i);
    if (i->op == OP_BAR_RED)
        return read_bar_red(r, i);
    if (i->op == OP_BRA)
        return read_reference(r);
    if (i->op == OP_BRX)
        return read_brx(r);
    if (i->op == OP_CALL)
        return read_call(r, i);
    return read_by_letters(r, i, o) && add_carry(r, i);
}

/* One of the two colons of `L1::no_allocate`; `second`: the first is just behind. */
static bool is_colons(const struct lexer *l, bool second)
{
    const char *at = l->token.at;
    return token_punct(&l->token, ':') && (second || (at + 1 < l->end && at[1] == ':'));
}

/* The opcode as one word, "ld.global.nc.L1::no_allocate.f32"; its first word is the current token or before it. */
static const struct opcode *read_opcode(struct reader *r, const struct token *first)
{
    char name[OPCODE_NAME_MAX + 1];
    size_t size = 0;
    struct token t = *first;
    bool colons = false;
    for (;;) {
        if (size + t.size > OPCODE_NAME_MAX) {
            reader_error(r, first, "an opcode of more than %u characters", OPCODE_NAME_MAX);
            return NULL;
        }
        memcpy(name + size, t.at, t.size);
        size += t.size;
        t = r->lexer.token;
        bool goes_on = t.kind == TOKEN_DOT || is_colons(&r->lexer, colons) ||
                       (t.kind == TOKEN_NUMBER && *t.at == '.') ||
                       (colons && (t.kind == TOKEN_WORD || t.kind == TOKEN_NUMBER));
        colons = token_punct(&t, ':');
        if (!goes_on)
            return opcode_find(r, name, size);
        lexer_next(&r->lexer);
    }
}

static bool skip_statement(struct reader *r)
{
    while (r->lexer.token.kind != TOKEN_END && !token_punct(&r->lexer.token, ';'))
        lexer_next(&r->lexer);
    return (r->loose && r->lexer.token.kind == TOKEN_END) || reader_take(r, ';');
}

/* Was the instruction at hand noted as a call? */
static bool is_last_call(const struct reader *r)
{
    if (r->calls.count == 0)
        return false;
    const struct call *last = &r->calls.items[r->calls.count - 1];
    return last->caller == r->function && last->instruction == r->instructions.count;
}

void instruction_lose(struct module_instruction *i, const char *why, uint32_t line, uint32_t column)
{
    *i = (struct module_instruction){.op = OP_UNREAD,
                                     .vector = 1,
                                     .guard = i->guard,
                                     .guard_negate = i->guard_negate,
                                     .target = MODULE_NONE,
                                     .callee = MODULE_NONE,
                                     .line = i->line,
                                     .column = i->column,
                                     .location = i->location,
                                     .name = i->name,
                                     .unread = why,
                                     .unread_line = line,
                                     .unread_column = column};
}

/* Turns the instruction that was read so far into OP_UNREAD; its name, guard and place are known. */
static bool make_unread(struct reader *r, struct module_instruction *i, const char *why)
{
    instruction_lose(i, why, i->line, i->column);
    r->unread = NULL;
    r->operands.count = 0;
    while (r->branches.count > 0 && r->branches.items[r->branches.count - 1].instruction == r->instructions.count)
        r->branches.count--;
    if (is_last_call(r))
        r->calls.count--;
    return why != NULL && skip_statement(r);
}

/* Turns an instruction with a mistake (described in reader.error) into OP_UNREAD. */
static bool make_wrong(struct reader *r, struct module_instruction *i)
{
    struct warp_text_error error = r->error;
    const char *why = reader_copy(r, error.what, strlen(error.what));
    if (!make_unread(r, i, why))
        return false;
    i->unread_line = (uint32_t)error.line;
    i->unread_column = (uint32_t)error.column;
    return true;
}

static bool append(struct reader *r, struct module_instruction *i)
{
    size_t bytes = r->operands.count * sizeof *r->operands.items;
    if (bytes > 0) {
        struct module_operand *operands = reader_memory(r, bytes);
        if (!operands)
            return false;
        memcpy(operands, r->operands.items, bytes);
        i->dsts = operands;
        i->srcs = operands + i->dsts_count;
        i->srcs_count = (uint16_t)(r->operands.count - i->dsts_count);
    }
    struct module_instruction *to = LIST_ADD(r, r->instructions);
    if (to)
        *to = *i;
    return to != NULL;
}

#define COPY_WORDS 4u /* registers for what is copied; one more for a mask */

/* Appends an operation on the operands: one part of a copy. */
static bool append_part(struct reader *r, const struct module_instruction *copy, enum ptx_op op, unsigned vector,
                        enum ptx_space space, const struct module_operand *operands, size_t count)
{
    struct module_instruction i = *copy;
    i.op = op;
    i.cache = CACHE_NONE;
    i.type = op == OP_SET ? PTX_U32 : PTX_B32;
    i.type2 = op == OP_SET ? PTX_U32 : PTX_UNKNOWN;
    i.compare = op == OP_SET ? COMPARE_GT : COMPARE_NONE;
    i.space = space;
    i.vector = (uint8_t)vector;
    i.dsts_count = (uint8_t)(op == OP_ST ? 0 : vector);
    r->operands.count = 0;
    for (size_t n = 0; n < count; n++) {
        struct module_operand *o = operand_add(r);
        if (!o)
            return false;
        *o = operands[n];
    }
    return append(r, &i);
}

static bool find_copy_registers(struct reader *r)
{
    if (r->copied != MODULE_NONE)
        return true;
    uint32_t first = register_add(r, "cp", 2, PTX_B32);
    for (unsigned n = 0; n < COPY_WORDS && first != MODULE_NONE; n++)
        if (register_add(r, "cp", 2, PTX_B32) == MODULE_NONE)
            first = MODULE_NONE;
    r->copied = first;
    return first != MODULE_NONE;
}

/* A copy is a load and a store; words of which no byte is given are set to 0 between. That it is asynchronous, so
 * that nobody may look before it was waited for, is not executed. */
static bool append_copy(struct reader *r, const struct module_instruction *i)
{
    if (!find_copy_registers(r))
        return false;
    const struct module_operand to = r->operands.items[0], from = r->operands.items[1];
    const unsigned words = (unsigned)r->operands.items[2].value / 4;
    const struct module_operand given = r->operands.items[r->operands.count - 1];
    const bool is_cut = given.kind != OPERAND_IMMEDIATE || given.value < 4 * words;
    struct module_operand parts[COPY_WORDS + 1];
    const struct module_operand mask = {.kind = OPERAND_REGISTER, .reg = r->copied + COPY_WORDS};
    for (unsigned n = 0; n < words; n++)
        parts[n] = (struct module_operand){.kind = OPERAND_REGISTER, .reg = r->copied + n};
    parts[words] = from;
    if (!append_part(r, i, OP_LD, words, SPACE_GLOBAL, parts, words + 1))
        return false;
    for (unsigned n = 0; n < words && is_cut; n++) {
        const struct module_operand before = {.kind = OPERAND_IMMEDIATE, .value = 4 * n};
        const struct module_operand is_given[] = {mask, given, before}, cut[] = {parts[n], parts[n], mask};
        if (!append_part(r, i, OP_SET, 1, SPACE_GENERIC, is_given, 3) ||
            !append_part(r, i, OP_AND, 1, SPACE_GENERIC, cut, 3))
            return false;
    }
    memmove(parts + 1, parts, words * sizeof *parts);
    parts[0] = to;
    return append_part(r, i, OP_ST, words, SPACE_SHARED, parts, words + 1);
}

bool instruction_guard(struct reader *r, struct module_instruction *i)
{
    static const struct want predicate = {.type = PTX_PRED};
    struct module_operand o = {.reg = MODULE_NONE};
    *i = (struct module_instruction){.guard = MODULE_NONE};
    if (!lexer_take(&r->lexer, '@'))
        return true;
    i->guard_negate = lexer_take(&r->lexer, '!');
    struct token at = r->lexer.token;
    if (!operand_read(r, &predicate, &o))
        return r->unread ? reader_error(r, &at, "a guard is a predicate register, not %s", r->unread) : false;
    i->guard = o.reg;
    i->guard_line = at.line;
    i->guard_column = at.column;
    return true;
}

bool instruction_read(struct reader *r, const struct token *first, const struct module_instruction *guard)
{
    const struct opcode *o = read_opcode(r, first);
    if (!o)
        return false;
    struct module_instruction i = o->instruction;
    i.guard = guard->guard;
    i.guard_negate = guard->guard_negate;
    i.guard_line = guard->guard_line;
    i.guard_column = guard->guard_column;
    i.line = first->line;
    i.column = first->column;
    i.location = r->location;
    r->operands.count = 0;
    bool ok = i.op == OP_UNREAD ? make_unread(r, &i, i.unread) : read_operands(r, &i, o);
    if (!ok && r->unread)
        ok = make_unread(r, &i, r->unread);
    else if (ok && i.op != OP_UNREAD && token_punct(&r->lexer.token, ',') && !r->loose)
        ok = make_unread(r, &i, "it has more operands than are read");
    else if (ok && i.op != OP_UNREAD)
        ok = lexer_take(&r->lexer, ';') || (r->loose && r->lexer.token.kind == TOKEN_END) || reader_expected(r, "';'");
    if (!ok && r->keep_wrong && !r->no_memory && (r->loose || r->lexer.token.kind != TOKEN_END))
        ok = make_wrong(r, &i);
    if (ok && r->operands.count > UINT16_MAX)
        return reader_error(r, first, "more than %u operands", UINT16_MAX);
    return ok && (i.op == OP_CP_ASYNC && i.cache != CACHE_NONE ? append_copy(r, &i) : append(r, &i));
}
