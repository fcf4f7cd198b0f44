/*
 * A program while it is read.
 */
#ifndef WARPCHECK_PROGRAM_READ_BUILDER_H
#define WARPCHECK_PROGRAM_READ_BUILDER_H

#include "ptx/program.h"
#include "ptx/text/warp.h"

#define BUILDER_RANGES_MAX 64u

/* `.reg .b32 %r<100>;` */
struct register_range {
    char prefix[PTX_NAME_MAX + 1];
    enum ptx_type type;
    uint64_t count;
};

struct builder {
    struct program *program;
    struct lexer lexer;
    struct warp_text_error *error;
    bool implicit_inputs;
    size_t instructions_room;
    size_t ranges_count;
    size_t notes_count; /* claims, read when all registers are known */
    struct token notes[PROGRAM_CLAIMS_MAX];
    struct register_range ranges[BUILDER_RANGES_MAX];
    bool written[PROGRAM_REGISTERS_MAX]; /* by an instruction, or an input */
};

/* All functions that return bool (or a register): false (PROGRAM_NO_REGISTER) after filling in the error. */

/* The register of this name: declared, in a declared range, or new with a type that the rule allows. Its type is
 * checked against the rule. */
uint32_t builder_register(struct builder *b, const struct ptx_operand *o, const struct operand_rule *rule);
/* A new register; PROGRAM_NO_REGISTER when there are too many or it exists. */
uint32_t builder_declare(struct builder *b, const struct token *name, enum ptx_type type);
/* May a register of a program have this type? */
bool builder_takes(enum ptx_type type);
/* The directive `.reg`, behind that word, to its semicolon. */
bool builder_reg_directive(struct builder *b);
/* The register that the current token names, goes past it: one that has (or gets) a value. */
uint32_t builder_known(struct builder *b, struct lexer *l);

bool builder_destination(struct builder *b, const struct ptx_operand *o, const struct operand_rule *rule,
                         struct program_operand *out);
/* A source: an input, or written before. */
bool builder_source(struct builder *b, const struct ptx_operand *o, const struct operand_rule *rule, bool negate,
                    struct program_operand *out);
bool builder_guard(struct builder *b, const struct statement *s, struct program_instruction *i);

/* An instruction made of a statement. The destinations count as written when it is appended. */
bool builder_warp(struct builder *b, const struct statement *s, struct program_instruction *i);
bool builder_arithmetic(struct builder *b, const struct statement *s, struct program_instruction *i);

/* A `//!` line. Claims are kept until builder_claims. */
bool builder_note(struct builder *b, const struct token *note);
bool builder_claims(struct builder *b);
bool builder_claim(struct builder *b, const struct token *note);

/* The operation of this name ("add"), or PROGRAM_OPS; in these types? */
enum program_op op_find(const char *name, size_t size);
bool op_has_type(enum program_op op, enum ptx_type type);

/* The current token as an unsigned number that is at most `most`, and past it. */
bool note_number(struct builder *b, struct lexer *l, const char *what, uint64_t most, uint64_t *value);

extern const char *const compare_names[PROGRAM_COMPARES];
extern const char *const special_names[PROGRAM_SPECIALS];

#endif
