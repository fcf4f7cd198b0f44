#include "ptx/read/builder.h"

#include <stdio.h>
#include <string.h>

static bool take_word(struct lexer *l, const char *word)
{
    if (!token_is(&l->token, word))
        return false;
    lexer_next(l);
    return true;
}

/* The type in which the operation works on values drawn as `as`; PTX_UNKNOWN when it does not. */
static enum ptx_type combining_type(enum ptx_op op, enum ptx_type as)
{
    bool wide = ptx_type_bits(as) == 64;
    switch (op) {
    case OPS_LOGIC:
        return as == PTX_F32 ? PTX_UNKNOWN : wide ? PTX_B64 : PTX_B32;
    case OP_ADD:
    case OP_MUL:
    case OP_MIN:
    case OP_MAX:
        if (as == PTX_B32 || as == PTX_PRED)
            return PTX_U32;
        return as == PTX_B64 ? PTX_U64 : as;
    case OPS_NOT_COMBINING:
        break;
    }
    return PTX_UNKNOWN;
}

static bool read_operation(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    const char *what = "an operation: add mul min max and or xor";
    claim->op = l->token.kind == TOKEN_WORD ? op_find(l->token.at, l->token.size) : OPS;
    if (combining_type(claim->op, PTX_U32) == PTX_UNKNOWN)
        return error_expected(b->error, &l->token, what);
    lexer_next(l);
    if (l->token.kind != TOKEN_DOT)
        return true;
    claim->type = ptx_type_find(l->token.at + 1, l->token.size - 1);
    if (claim->type == PTX_PRED || !op_has_type(claim->op, claim->type))
        return error_expected(b->error, &l->token, "a type that goes with the operation");
    lexer_next(l);
    return true;
}

static bool is_prefix_kind(enum program_claim_kind kind)
{
    return kind == PROGRAM_CLAIM_REDUCE || kind == PROGRAM_CLAIM_SCAN || kind == PROGRAM_CLAIM_RSCAN ||
           kind == PROGRAM_CLAIM_EXSCAN;
}

/* Reads `of` and an input; without it the input is the claimed register itself. */
static bool read_of(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    struct token at = l->token;
    bool named = take_word(l, "of");
    claim->of = claim->reg;
    if (named || claim->kind == PROGRAM_CLAIM_BALLOT || claim->kind == PROGRAM_CLAIM_PEERS ||
        claim->kind == PROGRAM_CLAIM_INITIAL)
        claim->of = builder_known(b, l);
    if (claim->of == MODULE_NONE)
        return false;
    if (!b->program->registers[claim->of].input.is_input)
        return error_at(b->error, at.line, at.column, "%s is not an input: name one with 'of NAME'",
                        b->program->registers[claim->of].name);
    return true;
}

static unsigned value_bits(const struct program *program, uint32_t reg)
{
    return ptx_type_bits(program->registers[reg].type);
}

/* The type of the operation, and sizes that go together. */
static bool settle(struct builder *b, const struct token *at, struct program_claim *claim)
{
    const struct program *program = b->program;
    unsigned bits = value_bits(program, claim->reg);
    unsigned of_bits = value_bits(program, claim->of);
    bool right = bits == of_bits;
    if (is_prefix_kind(claim->kind)) {
        if (claim->type == PTX_UNKNOWN)
            claim->type = combining_type(claim->op, program->registers[claim->of].input.as);
        bool counts = of_bits == 1 && (claim->type == PTX_U32 || claim->type == PTX_S32 || claim->type == PTX_B32);
        right = claim->type != PTX_UNKNOWN && bits == ptx_type_bits(claim->type) && (of_bits == bits || counts);
        if (claim->kind == PROGRAM_CLAIM_EXSCAN && claim->type == PTX_F32)
            return error_at(b->error, at->line, at->column, "exscan has no neutral element for f32");
    } else if (claim->kind == PROGRAM_CLAIM_BALLOT) {
        right = bits == 32 && of_bits == 1;
    } else if (claim->kind == PROGRAM_CLAIM_PEERS) {
        right = bits == 32;
    }
    return right ||
           error_at(b->error, at->line, at->column, "the sizes or types of %s, %s and the operation do not go together",
                    program->registers[claim->reg].name, program->registers[claim->of].name);
}

static bool read_from(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    uint64_t lane;
    if (!note_number(b, l, "a lane from 0 to 31", 31, &lane))
        return false;
    claim->lane = (unsigned)lane;
    return read_of(b, l, claim);
}

/* Behind `=`. */
static bool read_value(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    static const struct {
        const char *word;
        enum program_claim_kind kind;
    } kinds[] = {{"final", PROGRAM_CLAIM_SAME},    {"initial", PROGRAM_CLAIM_INITIAL}, {"from", PROGRAM_CLAIM_FROM},
                 {"reduce", PROGRAM_CLAIM_REDUCE}, {"scan", PROGRAM_CLAIM_SCAN},       {"rscan", PROGRAM_CLAIM_RSCAN},
                 {"exscan", PROGRAM_CLAIM_EXSCAN}, {"ballot", PROGRAM_CLAIM_BALLOT},   {"peers", PROGRAM_CLAIM_PEERS}};
    struct token at = l->token;
    size_t n = 0;
    while (n < sizeof kinds / sizeof kinds[0] && !token_is(&at, kinds[n].word))
        n++;
    if (n == sizeof kinds / sizeof kinds[0])
        return error_expected(b->error, &at, "final, initial, from, reduce, scan, rscan, exscan, ballot or peers");
    lexer_next(l);
    claim->kind = kinds[n].kind;
    if (claim->kind == PROGRAM_CLAIM_SAME) {
        claim->of = builder_known(b, l);
        return claim->of != MODULE_NONE && settle(b, &at, claim);
    }
    if (claim->kind == PROGRAM_CLAIM_FROM)
        return read_from(b, l, claim) && settle(b, &at, claim);
    if (is_prefix_kind(claim->kind) && !read_operation(b, l, claim))
        return false;
    return read_of(b, l, claim) && settle(b, &at, claim);
}

static bool read_width(struct builder *b, struct lexer *l, struct program_group *group)
{
    uint64_t width;
    struct token at = l->token;
    if (!note_number(b, l, "a width: 1 2 4 8 16 32", 32, &width))
        return false;
    if (width == 0 || (width & (width - 1)) != 0)
        return error_expected(b->error, &at, "a width: 1 2 4 8 16 32");
    group->kind = PROGRAM_GROUP_WIDTH;
    group->width = (unsigned)width;
    return true;
}

/* over width N | over mask M | over equal NAME */
static bool read_group(struct builder *b, struct lexer *l, struct program_group *group)
{
    uint64_t mask;
    if (take_word(l, "width"))
        return read_width(b, l, group);
    if (take_word(l, "mask")) {
        if (!note_number(b, l, "a mask of 32 lanes", UINT32_MAX, &mask))
            return false;
        group->kind = PROGRAM_GROUP_MASK;
        group->mask = (lanemask)mask;
        return true;
    }
    if (!take_word(l, "equal"))
        return error_expected(b->error, &l->token, "'width N', 'mask M' or 'equal NAME'");
    struct token at = l->token;
    group->kind = PROGRAM_GROUP_EQUAL;
    group->reg = builder_known(b, l);
    if (group->reg == MODULE_NONE)
        return false;
    return b->program->registers[group->reg].input.is_input || error_expected(b->error, &at, "an input");
}

static bool read_where(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    claim->where_negate = lexer_take(l, '!');
    struct token at = l->token;
    claim->where = builder_known(b, l);
    if (claim->where == MODULE_NONE)
        return false;
    return b->program->registers[claim->where].type == PTX_PRED || error_expected(b->error, &at, "a predicate");
}

static bool read_tail(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    uint64_t mask;
    while (l->token.kind != TOKEN_END) {
        struct token at = l->token;
        if (take_word(l, "over")) {
            if (!read_group(b, l, &claim->group))
                return false;
        } else if (take_word(l, "lanes")) {
            if (!note_number(b, l, "a mask of 32 lanes", UINT32_MAX, &mask))
                return false;
            claim->lanes = (lanemask)mask;
        } else if (take_word(l, "where")) {
            if (!read_where(b, l, claim))
                return false;
        } else {
            return error_expected(b->error, &at, "'over', 'lanes' or 'where'");
        }
    }
    return true;
}

/* A claim about a place (`from`) makes sense only for groups with fixed places. */
static bool check_place(struct builder *b, const struct token *note, const struct program_claim *claim)
{
    const struct program_group *group = &claim->group;
    bool fixed = group->kind == PROGRAM_GROUP_ALL || (group->kind == PROGRAM_GROUP_WIDTH && claim->lane < group->width);
    return claim->kind != PROGRAM_CLAIM_FROM || fixed ||
           error_at(b->error, note->line, note->column,
                    "'from N' is about a place in the warp or in a segment of a width");
}

/* faultless | defined [NAME tail] | uniform NAME tail | NAME = value tail */
static bool read_statement(struct builder *b, struct lexer *l, struct program_claim *claim)
{
    bool whole = true;
    if (take_word(l, "faultless")) {
        claim->kind = PROGRAM_CLAIM_FAULTLESS;
    } else if (take_word(l, "defined")) {
        whole = l->token.kind == TOKEN_END;
        claim->kind = whole ? PROGRAM_CLAIM_DEFINED : PROGRAM_CLAIM_VALUE;
    } else {
        claim->kind = take_word(l, "uniform") ? PROGRAM_CLAIM_UNIFORM : PROGRAM_CLAIM_SAME;
        whole = false;
    }
    if (whole)
        return l->token.kind == TOKEN_END || error_expected(b->error, &l->token, "nothing more on this line");
    claim->reg = builder_known(b, l);
    if (claim->reg == MODULE_NONE)
        return false;
    if (claim->kind == PROGRAM_CLAIM_SAME && !lexer_take(l, '='))
        return error_expected(b->error, &l->token, "'='");
    if (claim->kind == PROGRAM_CLAIM_SAME && !read_value(b, l, claim))
        return false;
    return read_tail(b, l, claim);
}

/* The claim's own words, with single blanks. */
static bool keep_text(struct builder *b, const struct token *note, struct program_claim *claim)
{
    struct lexer l;
    size_t n = 0;
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    lexer_next(&l);
    for (const char *previous_end = NULL; l.token.kind != TOKEN_END; lexer_next(&l)) {
        bool blank = previous_end && previous_end != l.token.at;
        if (n + blank + l.token.size > PROGRAM_CLAIM_TEXT_MAX)
            return error_at(b->error, note->line, note->column, "a claim has at most %u characters",
                            PROGRAM_CLAIM_TEXT_MAX);
        if (blank)
            claim->text[n++] = ' ';
        memcpy(claim->text + n, l.token.at, l.token.size);
        n += l.token.size;
        previous_end = l.token.at + l.token.size;
    }
    claim->text[n] = '\0';
    return true;
}

bool builder_claim(struct builder *b, const struct token *note)
{
    struct lexer l;
    struct program_claim *claim = &b->program->claims[b->program->claims_count];
    memset(claim, 0, sizeof *claim);
    claim->line = note->line;
    claim->reg = claim->of = claim->where = claim->group.reg = MODULE_NONE;
    claim->lanes = UINT32_MAX;
    lexer_start(&l, note->at, note->size, note->line, note->column, false);
    claim->refute = token_is(&l.token, "refute");
    lexer_next(&l);
    if (!read_statement(b, &l, claim) || !check_place(b, note, claim) || !keep_text(b, note, claim))
        return false;
    b->program->claims_count++;
    return true;
}
