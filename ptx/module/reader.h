/*
 * A module while it is read. Functions that return bool return false after filling in reader.error. Where this is
 * said, they set reader.unread instead: the statement, legal or not, is one that the reader does not read.
 */
#ifndef WARPCHECK_PTX_MODULE_READER_H
#define WARPCHECK_PTX_MODULE_READER_H

#include "base/buffer.h"
#include "ptx/arena.h"
#include "ptx/module.h"
#include "ptx/lex.h"

enum symbol_kind {
    SYMBOL_NONE,
    SYMBOL_REGISTER, /* index: of the function */
    SYMBOL_RANGE,    /* `%r<10>`: index into reader.ranges; its name ends with '<' */
    SYMBOL_VARIABLE, /* index: of the module */
    SYMBOL_FUNCTION, /* index: of the module */
    SYMBOL_LABEL,    /* index: of the instruction behind it */
    SYMBOL_TABLE,    /* of .branchtargets: index into reader.tables */
    SYMBOL_OTHER,    /* a name of something that is not read: a prototype, a vector register */
    SYMBOL_LOCATION, /* of .loc, by its numbers */
    SYMBOL_OPCODE    /* index into reader.opcodes */
};

struct symbol {
    enum symbol_kind kind;
    uint32_t scope;
    uint32_t index;
    uint32_t line; /* where it was declared */
    uint32_t hash;
    uint32_t name_size;
    const char *name;
};

/* Names by scope: an open hash table. */
struct names {
    struct symbol *symbols;
    size_t room; /* a power of two */
    size_t count;
};

/* The scope of the module, and others for what is no name of PTX: places in the source, opcodes. */
enum { NAMES_MODULE, NAMES_LOCATIONS, NAMES_OPCODES, NAMES_SCOPES };

struct range {
    enum ptx_type type;
    uint64_t count;
};

/* A name that may be declared further down. */
struct reference {
    uint32_t instruction; /* bra, brx: of the function */
    uint32_t scope;
    struct token name;
};

/* `.branchtargets`: its names are references[first] and those behind it. All brx that use it share `targets`, which is
 * NULL while none does: the places, and behind them as many blocks. */
struct table {
    uint32_t first, count;
    uint32_t *targets;
    bool is_lost; /* one of the names is no label */
};

struct call {
    uint32_t caller;
    uint32_t instruction; /* of the caller */
};

#define OPCODE_NAME_MAX 127u

/* An opcode that was met: what it says, or why it is not read. */
struct opcode {
    struct module_instruction instruction;
    const char *dsts, *srcs; /* letters of opcodes.def */
};

/* An array that grows. */
#define LIST(type)                                                                                                     \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, room;                                                                                            \
    }

struct reader {
    const struct module_options *options;
    bool loose; /* options.fragment */
    bool keep_wrong;

    struct lexer lexer;
    struct warp_text_error error;
    bool no_memory;
    const char *unread; /* why the statement at hand is not read */

    struct arena *arena;
    struct module *module;
    struct names names;
    LIST(uint32_t) scopes; /* the parent of each */
    uint32_t scope;        /* the current one */

    LIST(struct module_variable) variables;
    LIST(struct module_function) functions;
    LIST(struct module_location) locations;
    LIST(const char *) files;
    LIST(struct call) calls;
    LIST(uint32_t) aliases; /* by function: which it stands for, or MODULE_NONE */
    LIST(struct opcode) opcodes;
    uint64_t initial_bytes; /* of all variables */

    /* The current function. */
    uint32_t function; /* or MODULE_NONE */
    LIST(struct module_register) registers;
    LIST(struct range) ranges;
    LIST(struct module_instruction) instructions;
    LIST(struct module_operand) operands; /* of the instruction at hand */
    LIST(struct reference) branches;
    LIST(struct reference) references; /* of tables */
    LIST(struct table) tables;
    uint64_t frame_bytes; /* in use at this place */
    uint32_t carry;       /* the register of .cc, or MODULE_NONE */
    uint32_t copied;      /* the first of the registers through which cp.async goes, or MODULE_NONE */
    bool label_at_end;    /* a branch goes to the body's '}' */
    uint32_t location;
};

/* Adds an element to a list: a pointer to it, NULL without memory. */
#define LIST_ADD(reader, list)                                                                                         \
    (list_room(reader, &(list).room, (list).count, sizeof *(list).items, (void *)&(list).items)                        \
         ? &(list).items[(list).count++]                                                                               \
         : NULL)
bool list_room(struct reader *r, size_t *room, size_t count, size_t size, void *items);

/* Fills in the error of missing memory. Always returns false. */
bool reader_no_memory(struct reader *r);
/* Notes why the statement is not read. Always returns false. */
bool reader_unread(struct reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
/* Fills in an error at a token. Always returns false. */
bool reader_error(struct reader *r, const struct token *at, const char *format, ...) PRINTF_LIKE(3, 4);
bool reader_expected(struct reader *r, const char *what);
/* Goes past this byte; if it is not there, fills in the error "expected...". */
bool reader_take(struct reader *r, char c);
/* Zero bytes that live as long as the module; NULL (and no_memory) when there are none. */
void *reader_memory(struct reader *r, size_t size);
const char *reader_copy(struct reader *r, const char *text, size_t size);

/* module.c: what can stand in any text, behind its word. */
void reader_start(struct reader *r, struct arena *arena, struct module *module, const char *text, size_t size,
                  bool notes);
bool reader_scopes(struct reader *r); /* before the first name */
void reader_finish(struct reader *r); /* frees what only the reader needs */
bool reader_note(struct reader *r);   /* a `//!` line */
bool reader_version(struct reader *r);
bool reader_target(struct reader *r);
bool reader_address_size(struct reader *r);

/* names.c: names of the current scope and those around it. */
bool scope_open(struct reader *r);
void scope_close(struct reader *r);
/* Declares a name in the current scope; it must be new there. NULL: error. Valid until the next one. */
struct symbol *symbol_add(struct reader *r, const struct token *name, enum symbol_kind kind, uint32_t index);
/* The same in any scope, also for a name that is there: *is_new tells. */
struct symbol *symbol_intern(struct reader *r, uint32_t scope, const char *name, size_t size, bool *is_new);
/* The symbol that the name means in that scope, or NULL. A register of a range comes into being with its first use. */
struct symbol *symbol_find(struct reader *r, uint32_t scope, const char *name, size_t size);
uint32_t register_add(struct reader *r, const char *name, size_t size, enum ptx_type type);
/* The function's register for .cc; MODULE_NONE: no memory. */
uint32_t register_carry(struct reader *r);

/* opcode.c: what the words of an opcode say. An opcode that is not known has the op OP_UNREAD. NULL: no memory. */
const struct opcode *opcode_find(struct reader *r, const char *name, size_t size);

/* constant.c */
enum constant_kind { CONSTANT_INTEGER, CONSTANT_F32, CONSTANT_F64 };
struct constant {
    enum constant_kind kind;
    uint64_t bits;
};
/* An expression of constants, from the current token on. */
bool constant_read(struct reader *r, struct constant *out);
/* An integer. */
bool constant_integer(struct reader *r, uint64_t *value);
/* Is the current token the start of one? */
bool constant_starts(const struct reader *r);
/* The bits of a constant of this type, which a type of fewer bits cuts; false with an error at `at`. */
bool constant_bits(struct reader *r, const struct constant *c, enum ptx_type type, const struct token *at,
                   uint64_t *bits);

/* operand.c. These may set reader.unread. */
struct want {
    enum ptx_type type; /* PTX_UNKNOWN: an integer of 32 or 64 bits */
    bool larger;        /* a larger register will do */
    bool constant;
    bool special;
    bool sink;
    bool address; /* a variable, or a function */
};
bool operand_read(struct reader *r, const struct want *want, struct module_operand *out);
/* Is this the name of a special register? */
bool operand_is_special(const struct token *t);
/* The letters of opcodes.def that describe an operand, in the order in which they are explained there. */
enum operand_letter {
    LETTER_TYPE = 't',
    LETTER_WIDE = 'T',
    LETTER_LARGER = 'w',
    LETTER_VECTOR = 'v',
    LETTER_PREDICATES = 'q',
    LETTER_ADDRESSED = 'g',
    LETTER_TYPE2 = 'u',
    LETTER_WORD = 's',
    LETTER_LARGER2 = 'x',
    LETTER_CAS = 'c',
    LETTER_BOOL = 'b',
    LETTER_PAIR2 = 'y',
    LETTER_CONSTANT = 'n',
    LETTER_PREDICATE = 'p',
    LETTER_ADDRESS = 'a'
};
/* Reads the operands that a letter of opcodes.def describes and adds them to reader.operands. */
bool operand_letter(struct reader *r, const struct module_instruction *i, enum operand_letter letter,
                    bool is_destination);
struct module_operand *operand_add(struct reader *r);

/* instruction.c: makes an instruction OP_UNREAD, for the reason `why` at this place; its name, guard and place stay. */
void instruction_lose(struct module_instruction *i, const char *why, uint32_t line, uint32_t column);

/* instruction.c: one statement of a body, from its guard or opcode to behind its semicolon. */
bool instruction_read(struct reader *r, const struct token *opcode, const struct module_instruction *guard);
/* Reads a guard, if there is one, into the fields of that name; the others are 0. */
bool instruction_guard(struct reader *r, struct module_instruction *i);

/* declare.c: .reg and variables, from the space (whose token is current) to behind the semicolon. */
bool declare_registers(struct reader *r);
bool declare_variables(struct reader *r, enum module_linkage linkage);
/* Is the word a state space in which variables can be declared? */
bool declare_starts(const struct token *t);
/* "(.param .b32 x, .reg .u32 y)": indices of variables. */
bool declare_parameters(struct reader *r, const uint32_t **list, uint32_t *count);

/* body.c: a function's body from its '{' to behind its '}'. */
bool body_read(struct reader *r);
/* Statements outside functions, to the end of the text. */
bool body_fragment(struct reader *r);
/* Goes from behind a '{' to behind its '}'. */
bool body_skip_braces(struct reader *r);
/* `.loc`, from behind that word. */
bool body_location(struct reader *r);

/* flow.c */
/* Labels become places; blocks; the function's arrays. At the end of a body, before its scope closes. */
bool flow_finish(struct reader *r);
/* Call it when all functions are known: resolves aliases, and marks the functions that cannot be used because they
 * call one that cannot. */
bool flow_calls(struct reader *r);

#endif
