/*
 * PTX for one warp with inputs and claims in `//!` comments (docs/programs.md): lines without a function, or one kernel
 * of a module.
 *
 * It is the reader's module (ptx/module.h), with what its notes say. kernel/execute.h executes it, smt/ symbolically.
 * What a program means, beyond what the manual says:
 *
 * 1. A register has a value in each lane, or is *unpredictable* there. Inputs have values in all lanes; every other
 * register starts unpredictable.
 * 2. The lanes are: those of `exited` (have ended), those that are active, and the others, which are elsewhere for
 * ever. Behind the last of lines without a function, lanes stay for ever; a kernel's lanes exit.
 * 3. Arithmetic gives an unpredictable result in a lane when a source is unpredictable there (selp: the predicate or
 * the source that it chooses). Every NaN result is canonical (0x7fffffff), also of neg and abs; min and max skip NaN
 * unless .NaN, and +0 > -0. Shift amounts are unsigned; 32 (64) or more gives 0, or the sign everywhere for shr.s32
 * (s64). mov copies bits.
 * 4. Lanes wait at a `.sync` instruction until all lanes of their membermask that have not exited wait at the same form
 * with the same membermask, wherever in the text; they become one struct warp_case. They *fault* when they are
 * undefined or wait for ever, and when b, c or membermask is unpredictable. d is unpredictable where the manual says
 * so, and where the `a` it comes from is: the source lane's for shfl, any of the group's for vote, match, redux (their
 * p too).
 * 5. A guard that is unpredictable in a lane is a fault. So is an unpredictable value that is an address, goes into an
 * atomic operation or into global memory, a divergent block barrier, and a race.
 * 6. The first fault ends the program.
 * 7. A *use* of an unpredictable value is an executing lane that reads a register that is unpredictable there (guards
 * and all sources; selp as in 3).
 */
#ifndef WARPCHECK_PTX_PROGRAM_H
#define WARPCHECK_PTX_PROGRAM_H

#include "ptx/module.h"

#define PTX_NAME_MAX             63u      /* longest name of a register of a program */
#define PROGRAM_TEXT_MAX         1048576u /* bytes of a program's text */
#define PROGRAM_INSTRUCTIONS_MAX 4096u
#define PROGRAM_REGISTERS_MAX    512u
#define PROGRAM_CLAIMS_MAX       64u
#define PROGRAM_CLAIM_TEXT_MAX   159u

/* An operation that claims name and the prover reads (plain.def), with the types that it does. */
struct program_op_info {
    enum ptx_op op;
    const char *name; /* without qualifiers: "add" */
    unsigned sources; /* number of sources */
    uint32_t types;   /* bit set of enum ptx_type */
};
/* The entry of an operation from plain.def, else NULL. */
const struct program_op_info *program_op_get(enum ptx_op op);

/* How an input is chosen: any bits, the same in all lanes or not, or integers from low to high (f32: those integers as
 * floats, so that sums are exact). */
struct program_input {
    bool is_input;
    bool implicit;    /* made by program_options.implicit_inputs: no input line describes it */
    enum ptx_type as; /* how its values are drawn; of the register's size, its type may say less (b32 for f32) */
    bool uniform;
    bool has_range;
    int64_t low, high;
};

struct program_register {
    const char *name;
    enum ptx_type type; /* as declared or as its input says; else untyped, by its first use */
    struct program_input input;
};

/* The lanes that belong together in a claim. Of each group only the participants count, the lanes that were active at
 * the start and have not exited at the end. */
enum program_group_kind {
    PROGRAM_GROUP_ALL,   /* one group */
    PROGRAM_GROUP_WIDTH, /* segments of `width` lanes */
    PROGRAM_GROUP_MASK,  /* the lanes of `mask`: one group; the claim is about no other lane */
    PROGRAM_GROUP_EQUAL  /* lanes with the same initial value of the input register `reg` */
};

struct program_group {
    enum program_group_kind kind;
    unsigned width; /* 1, 2, 4, 8, 16, 32 */
    lanemask mask;
    uint32_t reg;
};

enum program_claim_kind {
    PROGRAM_CLAIM_FAULTLESS, /* no fault */
    PROGRAM_CLAIM_DEFINED,   /* no fault and no use of an unpredictable value */
    PROGRAM_CLAIM_VALUE,     /* `reg` has a value (is not unpredictable) at the end */
    PROGRAM_CLAIM_UNIFORM,   /* `reg` has the same value in all lanes of the group */
    PROGRAM_CLAIM_SAME,      /* `reg` has the value of register `of` at the end, lane by lane */
    PROGRAM_CLAIM_INITIAL,   /* `reg` has the initial value of input `of`, own lane */
    PROGRAM_CLAIM_FROM, /* ... of the lane at place `lane` (counted from the segment's first lane; groups ALL, WIDTH) */
    PROGRAM_CLAIM_REDUCE, /* `op` over the initial values of `of` in the group */
    PROGRAM_CLAIM_SCAN,   /* ... in the group's lanes up to and with the own */
    PROGRAM_CLAIM_RSCAN,  /* ... in the own and the higher lanes */
    PROGRAM_CLAIM_EXSCAN, /* ... in the lanes below the own; the operation's neutral element in the lowest */
    PROGRAM_CLAIM_BALLOT, /* mask of the group's lanes with `of` (a predicate) true */
    PROGRAM_CLAIM_PEERS   /* mask of the group's lanes with the own lane's initial value of `of` */
};

/*
 * A claim about every execution without a fault; a program that can fault fails every claim. REDUCE, SCAN and EXSCAN
 * combine the values of the group from its lowest lane up, RSCAN from its highest lane down, serially: each step is
 * `op.type acc, acc, x`. A predicate counts as 0 or 1 of u32. f32 values are compared bit by bit. The claim is about
 * the group's lanes, of these those in `lanes`, of these those whose final value of the predicate `where` is true
 * (false with where_negate; unpredictable fails). The register must have a value in each of them.
 */
struct program_claim {
    bool refute; /* the claim must be false for some input */
    enum program_claim_kind kind;
    uint32_t line;
    uint32_t reg; /* MODULE_NONE for FAULTLESS and DEFINED */
    uint32_t of;  /* else MODULE_NONE */
    unsigned lane;
    enum ptx_op op;     /* ADD MUL MIN MAX AND OR XOR */
    enum ptx_type type; /* in which op works: U32 S32 F32 B32 U64 S64 B64 */
    struct program_group group;
    lanemask lanes;
    uint32_t where; /* predicate register or MODULE_NONE */
    bool where_negate;
    char text[PROGRAM_CLAIM_TEXT_MAX + 1]; /* as written, without `claim` or `refute` */
};

/* "In proofs take op.type, in the program and in the claims, as any function with these properties." Execution computes
 * as usual. */
struct program_abstract {
    bool present;
    enum ptx_op op;
    enum ptx_type type;
    bool commutative;
    bool associative;
};

struct program {
    struct module *module;
    uint32_t function; /* of the module */
    bool is_kernel;    /* an entry; else lines without a function */
    bool is_plain;     /* a straight line of the operations of plain.def: the prover reads it, and it prints */
    struct module_instruction *instructions; /* the module's, less the return that nobody wrote */
    size_t instructions_count;
    struct program_register *registers; /* the function's, by the same numbers */
    size_t registers_count;
    struct program_claim *claims;
    size_t claims_count;
    struct program_abstract abstract;
    uint16_t ptx;        /* of the .version directive, times ten; 0 when there is none */
    uint32_t target;     /* of the .target directive, WARP_TARGET(...); 0 when there is none */
    lanemask exited;     /* at the start */
    lanemask active;     /* at the start, when active_reg is MODULE_NONE; exited lanes are taken off */
    uint32_t active_reg; /* a uniform 32-bit input: the active lanes are those of its value, less the exited ones */
    size_t notes_count;  /* //! lines that the text has */
    char from[200];      /* where the program comes from, or "" */
    char *text;          /* as read */
    size_t text_size;
};

struct program_options {
    bool implicit_inputs; /* a register that is read before anything writes it is an input of any value, instead of an
                             error: of lines that are plain */
};

/* Reads a program. NULL: `error` has the place and one clause. `options` may be NULL. */
struct program *program_parse(const char *text, size_t size, const struct program_options *options,
                              struct warp_text_error *error);
void program_free(struct program *program);

/*
 * Writes directives, declarations, inputs, instructions and claims; reading that again gives an equal program. One that
 * is not plain is written as it was read. Cut to `size`; returns the whole length.
 */
size_t program_print(const struct program *program, char *buf, size_t size);
/* One instruction, as a line of PTX without a newline. */
size_t program_print_instruction(const struct program *program, const struct module_instruction *i, char *buf,
                                 size_t size);
/* The first instruction that keeps a program from being plain, and one clause that says why; false: it is plain. */
bool program_find_unplain(const struct program *program, const struct module_instruction **i, const char **why);
/* Does the instruction read and write nothing but registers, and go on to the next? */
bool program_goes_straight(const struct module_instruction *i);
/* The n-th source or destination; one of the kind OPERAND_NONE behind the last. */
const struct module_operand *program_source(const struct module_instruction *i, size_t n);
const struct module_operand *program_destination(const struct module_instruction *i, size_t n);

/* Are the programs equal, whatever their places and comments are? */
bool program_equal(const struct program *x, const struct program *y);

/* The index of the register called `name`, or MODULE_NONE. */
uint32_t program_register_find(const struct program *program, const char *name);

/* The target for execution: the program's, or the least one from sm_70 on that takes all its forms; 0 when there is
 * none (then `error` is one clause). */
uint32_t program_target(const struct program *program, struct error *error);

#endif
