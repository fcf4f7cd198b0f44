/*
 * A program while it is read. The reader of modules reads its lines one after the other, and each becomes an
 * instruction of the program. Registers have the same numbers in both.
 */
#ifndef WARPCHECK_PROGRAM_READ_BUILDER_H
#define WARPCHECK_PROGRAM_READ_BUILDER_H

#include "ptx/module/reader.h"
#include "ptx/program.h"

struct builder {
    struct reader reader; /* first, so that its address is the builder's */
    struct arena arena;
    struct module module;
    struct program *program;
    struct warp_text_error *error; /* the reader's */
    bool implicit_inputs;
    bool has_active, has_exited; /* a note has said which lanes */
    size_t instructions_room;
    size_t notes_count; /* claims, read when all registers are known */
    struct token notes[PROGRAM_CLAIMS_MAX];
    bool written[PROGRAM_REGISTERS_MAX]; /* by an instruction, or an input */
};

/* All functions that return bool (or a register): false (PROGRAM_NO_REGISTER) after filling in the error. */

/* A new register; PROGRAM_NO_REGISTER when there are too many or it exists. */
uint32_t builder_declare(struct builder *b, const struct token *name, enum ptx_type type);
/* The register that the current token names, goes past it: one that has (or gets) a value. */
uint32_t builder_known(struct builder *b, struct lexer *l);
/* May a register of a program have this type? */
bool builder_takes(enum ptx_type type);

/* convert.c. May programs have this operation, with its type and modifiers? Asked before its operands are read. */
bool builder_accept(struct reader *r, const struct module_instruction *i);
/* Is the guard at `at` an input, or was it written before? */
bool builder_guard(struct builder *b, uint32_t guard, const struct token *at);
/* Converts the reader's instruction to the program's. Its destinations count as written when it is appended. */
bool builder_convert(struct builder *b, const struct module_instruction *m, struct program_instruction *i);

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
