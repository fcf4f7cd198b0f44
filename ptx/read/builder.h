/*
 * A program while it is read: what its notes say, laid over the module that the reader makes of the same text.
 *
 * An input line declares its register where it stands. All other notes are kept until the module is complete, because
 * they may name any register.
 */
#ifndef WARPCHECK_PTX_READ_BUILDER_H
#define WARPCHECK_PTX_READ_BUILDER_H

#include "ptx/module/reader.h"
#include "ptx/program.h"

/* A note, and how many instructions of its function stand before it. */
struct builder_note {
    struct token token;
    uint32_t function; /* in whose body it stands, or MODULE_NONE */
    uint32_t before;
};

struct builder {
    struct program *program;
    struct warp_text_error *error;
    bool implicit_inputs;
    bool has_active, has_exited; /* a note has said which lanes */
    LIST(struct builder_note) notes;
    size_t claims_count; /* lines that claim or refute */
    uint32_t inputs_in;  /* the function in which inputs stand, or MODULE_NONE */
    bool *written;       /* registers: by an instruction, or an input */
};

/* All functions that return bool (or a register): false (MODULE_NONE) after filling in the error. */

/* The register that the current token names, goes past it: one that has (or gets) a value. */
uint32_t builder_known(struct builder *b, struct lexer *l);
/* May an input have this type? */
bool builder_takes(enum ptx_type type);

/* module_options.note, with the builder as its context. */
bool builder_keep(void *context, struct reader *r, const struct token *note);
/* Reads a note that was kept: of an input, or any other but claims. */
bool builder_input(struct builder *b, const struct token *note);
bool builder_note(struct builder *b, const struct token *note);
bool builder_claim(struct builder *b, const struct token *note);
bool note_is(const struct token *note, const char *word);

/* The operation of this name ("add"), or OPS; in these types? */
enum ptx_op op_find(const char *name, size_t size);
bool op_has_type(enum ptx_op op, enum ptx_type type);

/* The current token as an unsigned number that is at most `most`, and past it. */
bool note_number(struct builder *b, struct lexer *l, const char *what, uint64_t most, uint64_t *value);

#endif
