/*
 * One PTX statement by its syntax alone: guard, opcode, operands. And operands made of it, by rules.
 */
#ifndef WARPCHECK_PROGRAM_TEXT_STATEMENT_H
#define WARPCHECK_PROGRAM_TEXT_STATEMENT_H

#include "ptx/ptx.h"
#include "ptx/text/lex.h"

#define STATEMENT_OPERANDS_MAX 8u
#define STATEMENT_OPCODE_MAX   64u

/* [!] [-] token */
struct statement_value {
    bool negated;
    bool minus;
    struct token token;
};

/* x, or x|y (`bar`), or {x, y} (`pair`). */
struct statement_operand {
    bool bar;
    bool pair;
    struct statement_value x, y;
};

struct statement {
    bool has_guard;
    bool guard_negate;
    struct token guard;
    struct token opcode;             /* its first word, for places */
    char name[STATEMENT_OPCODE_MAX]; /* all words of the opcode: "shfl.sync.up.b32" */
    size_t operands_count;
    struct statement_operand operands[STATEMENT_OPERANDS_MAX];
    struct token end; /* the semicolon, or the end of the text */
};

/* Reads a statement and goes past its semicolon, for which the end of the text may stand. */
bool statement_read(struct lexer *l, struct statement *s, struct warp_text_error *error);

/* What an operand may be. */
struct operand_rule {
    const char *what; /* "d", "membermask": for messages */
    uint32_t types;   /* bit set of enum ptx_type of registers */
    unsigned bits;    /* of a constant: 1, 32, 64 */
    bool integer;     /* may be an integer constant */
    bool hex_float;   /* may be 0fXXXXXXXX */
    bool real;        /* may be 1.5 or 0fXXXXXXXX */
    bool sink;        /* may be _ */
    bool negate;      /* may be !p: the caller looks at statement_value.negated */
};

/* The rule of a source or destination register of this instruction type ("Operand types", as the assembler takes them).
 */
struct operand_rule operand_rule_source(const char *what, enum ptx_type type);
struct operand_rule operand_rule_destination(const char *what, enum ptx_type type);
/* A 32-bit integer: membermask, amount of a shift. */
struct operand_rule operand_rule_integer(const char *what);

/* Makes the operand, or says why it may not be. Register names are not looked up. */
bool operand_make(const struct statement_value *v, const struct operand_rule *rule, struct ptx_operand *out,
                  struct warp_text_error *error);
/* Is a register of this type right for the rule? PTX_UNKNOWN always is. */
bool operand_check_type(const struct ptx_operand *o, const struct operand_rule *rule, enum ptx_type type,
                        struct warp_text_error *error);

/* Is this the name of a special register (%laneid, %tid, ...)? */
bool name_is_special(const char *name);

#endif
