/*
 * An entry made ready for execution: the entry and all functions that it calls, one after the other, callees first;
 * registers as rows, operands as row numbers, frames laid out.
 *
 * Recursion is refused, so each function needs its registers and its frame once for each lane.
 */
#ifndef WARPCHECK_KERNEL_EXEC_CODE_H
#define WARPCHECK_KERNEL_EXEC_CODE_H

#include "kernel/exec/row.h"

/*
 * Addresses. Generic ones lie in windows; in the .shared, .local and .param spaces an address is the offset in its
 * window. Variables of .global and .const have the same address in their space and generically.
 */
#define CODE_SHARED_WINDOW  UINT64_C(0x7f0000000000)
#define CODE_PRIVATE_WINDOW UINT64_C(0x7e0000000000) /* .local and .param */
#define CODE_WINDOW_SIZE    UINT64_C(0x10000000000)
#define CODE_SHARED_START   1024u                 /* the first variable; what lies below belongs to the system */
#define CODE_PARAMS_START   UINT64_C(0x40000000)  /* in the private window: the entry's parameters; below: the frame */
#define CODE_VARIABLES      UINT64_C(0x100000000) /* .global and .const variables */
#define CODE_WORKSPACE_SIZE 256u
#define CODE_BUFFERS        UINT64_C(0x1000000000) /* buffer n begins at (n + 1) times this */
#define CODE_NO_ROW         UINT32_MAX
#define CODE_SPECIAL_ROWS   (SPECIAL_ENVREG * 3u + 32u) /* %envreg, the last one, has 32 components */

enum code_kind {
    CODE_ROW, /* arithmetic by a row function */
    CODE_UNPACK,
    CODE_CVTA,
    CODE_ISSPACEP,
    CODE_CLOCK, /* mov from a register that counts */
    CODE_LOAD,
    CODE_STORE,
    CODE_ATOMIC, /* atom and red */
    CODE_WARP,   /* the forms of the instruction table */
    CODE_BARRIER,
    CODE_FENCE,
    CODE_NOTHING,
    CODE_BRANCH,
    CODE_INDEXED, /* brx */
    CODE_CALL,
    CODE_EXTERNAL, /* a call of vprintf, malloc, ... */
    CODE_RETURN,
    CODE_EXIT,
    CODE_END, /* of a piece of code: what follows is not known, and lanes stay */
    CODE_TRAP
};

enum code_external { CODE_PRINTF, CODE_ASSERTFAIL, CODE_MALLOC, CODE_FREE };

struct code_instruction {
    enum code_kind kind;
    const struct module_instruction *i;
    uint32_t function; /* of the module */
    uint32_t guard;    /* row, or CODE_NO_ROW */
    row_function *compute, *second;
    struct row_type type;
    uint32_t dst, dst2;        /* rows or CODE_NO_ROW: the first two destinations */
    uint32_t src[ROW_SOURCES]; /* rows of the first sources; a constant zero where there are fewer */
    bool has_negated;          /* a predicate is written !p: negated[] */
    bool negated[ROW_SOURCES];
    const uint32_t *dsts, *srcs; /* all of them */
    uint32_t address;            /* LOAD, STORE, ATOMIC: row of the base */
    uint64_t offset;
    uint32_t target;         /* BRANCH, CALL: a place in the code */
    const uint32_t *targets; /* INDEXED */
    enum code_external external;
    uint32_t sync;   /* WARP: which instructions wait for each other; place of barrier kinds too */
    uint32_t behind; /* BARRIER, CALL: the place of what lies behind it (behind.h), or CODE_NO_ROW */
    bool blind;      /* ATOMIC: nothing in the code reads what it gives */
    uint32_t passes; /* which count of lanes it adds to, or CODE_NO_ROW */
};

struct code_function {
    uint32_t function; /* of the module */
    uint32_t first;    /* place of its first instruction */
    uint32_t rows;     /* row of its register 0 */
    uint32_t index;    /* among the code's functions */
};

#define CODE_NUMBERS    24u
#define CODE_VARIED_MAX 16u

struct code {
    const struct module *module;
    const struct module_function *entry;
    struct code_function *functions;
    uint32_t functions_count;
    struct code_instruction *instructions;
    uint32_t count;
    uint32_t start;        /* place of the entry's first instruction */
    uint32_t passes_count; /* instructions whose lanes are counted */

    uint32_t rows;                  /* of a warp: constants, special registers, registers */
    uint64_t numbers[CODE_NUMBERS]; /* with which integers are compared: inputs that may matter */
    uint32_t numbers_count;
    uint64_t *constants; /* values of the first constants_count rows */
    uint32_t constants_count;
    uint32_t specials;  /* first row of the special registers: SPECIAL_... * 3 + component, CODE_SPECIAL_ROWS */
    uint32_t registers; /* first row of the registers */

    uint64_t *places; /* of the module's variables: address in its space, once the code uses it */
    uint64_t frame_bytes;
    uint64_t shared_bytes;  /* up to the end of the static variables */
    uint64_t shared_extern; /* where the launch's own shared memory begins */
    uint8_t *image;         /* of the .global and .const variables, from CODE_VARIABLES on */
    uint64_t image_bytes;
    bool *image_is_input;             /* per variable: a .const without a value, which the host sets */
    uint32_t varied[CODE_VARIED_MAX]; /* .global variables: an earlier launch or the host may have left another value */
    uint32_t varied_count;
    uint64_t workspace; /* address of CODE_WORKSPACE_SIZE zeros behind the variables: what a grid waits at */
    void *pool;
};

/* Does the variable hold only zeros, without relocations, until something is written? */
bool code_starts_as_zeros(const struct module_variable *variable);

/* The number of a module's function among those of the code, which must have it. */
static inline uint32_t code_index(const struct code *code, uint32_t function)
{
    uint32_t index = 0;
    while (code->functions[index].function != function)
        index++;
    return index;
}

/* Returns NULL when the entry cannot be executed: `error` says what and where (ERROR_UNSUPPORTED). The module must
 * live as long. */
struct code *code_new(const struct module *module, uint32_t function, struct error *error);
void code_free(struct code *code);
/* Is there anything in it that could be wrong: a warp instruction, a barrier, shared memory? */
bool code_has_checks(const struct code *code);

/*
 * The place of an instruction, for messages. Where functions were inlined into each other, it is the innermost one in
 * a .cu file, because that is what the user wrote; without .loc it is the PTX.
 */
struct code_place {
    const char *function;
    const char *file;
    uint32_t line;
    const char *inner_file; /* inlined from there (a header), else NULL */
    uint32_t inner_line;
    const char *outer_file; /* and into this, outermost; NULL: not inlined any further */
    uint32_t outer_line;
    uint32_t ptx_line;
    const char *text; /* the opcode */
};
struct code_place code_place(const struct code *code, uint32_t at);

#endif
