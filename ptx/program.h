/*
 * Straight-line PTX programs: warp instructions, simple arithmetic, guards; inputs and claims in `//!` comments
 * (docs/programs.md).
 *
 * The structures are public so that several executors can walk them: kernel/execute.h over any implementation, smt/
 * symbolically. What a program means:
 *
 * 1. A register has a value in each lane, or is *unpredictable* there. Inputs have values in all lanes; every other
 * register starts unpredictable.
 * 2. The lanes are: those of `exited` (have ended), those that are active, and the others, which are elsewhere for
 * ever. Instruction by instruction, the *executing* lanes are the active ones that have not exited and whose guard is
 * true. The others keep their registers.
 * 3. Arithmetic gives an unpredictable result in a lane when a source is unpredictable there (selp: the predicate or
 * the source that it chooses). f32: round to nearest even, subnormals kept, every NaN result is 0x7fffffff (also of neg
 * and abs); min and max skip NaN unless .NaN, and +0 > -0. Shift amounts are unsigned; 32 (64) or more gives 0, or the
 * sign everywhere for shr.s32 (s64). mov copies bits.
 * 4. A warp instruction becomes one struct warp_case with active = the executing lanes. It *faults* when one of them is
 * undefined or waiting, and when b, c or membermask is unpredictable in one of them. d is unpredictable where the
 * manual says so, and where the `a` it comes from is: the source lane's for shfl, any of the group's for vote, match,
 * redux (their p too).
 * 5. A guard that is unpredictable in an active, non-exited lane is a fault.
 * 6. The first fault ends the program: what follows is not executed. So a lane that waits is not paired with a later
 * instruction.
 * 7. A *use* of an unpredictable value is an executing lane that reads a register that is unpredictable there (guards
 * and all sources; selp as in 3).
 */
#ifndef WARPCHECK_PROGRAM_PROGRAM_H
#define WARPCHECK_PROGRAM_PROGRAM_H

#include "ptx/type.h"
#include "warpcheck/form.h"
#include "warpcheck/text.h"

#define PTX_NAME_MAX             63u      /* longest name of a register */
#define PROGRAM_TEXT_MAX         1048576u /* bytes of a program's text */
#define PROGRAM_INSTRUCTIONS_MAX 4096u
#define PROGRAM_REGISTERS_MAX    512u
#define PROGRAM_CLAIMS_MAX       64u
#define PROGRAM_NO_REGISTER      UINT32_MAX
#define PROGRAM_CLAIM_TEXT_MAX   159u

enum program_op {
    PROGRAM_WARP, /* form, dst; dsts d, p; sources a, b, c, membermask */
    PROGRAM_EXIT, /* the executing lanes exit; no operands */
#define PROGRAM_OP(id, ...) PROGRAM_##id,
#include "ptx/ops.def"
#undef PROGRAM_OP
    PROGRAM_OPS
};

struct program_op_info {
    enum program_op op;
    const char *name; /* as PTX spells it; mul is "mul.lo" for integers */
    unsigned sources; /* number of sources */
    uint32_t types;   /* bit set of enum ptx_type */
};
/* The entry of an operation from ops.def, NULL for PROGRAM_WARP and PROGRAM_EXIT. */
const struct program_op_info *program_op_get(enum program_op op);

/* setp. For integers signed or unsigned goes by the type (lo, ls, hi, hs are read as lt, le, gt, ge). f32: the first
 * six are false with a NaN, ...U true. */
enum program_compare {
    PROGRAM_EQ,
    PROGRAM_NE,
    PROGRAM_LT,
    PROGRAM_LE,
    PROGRAM_GT,
    PROGRAM_GE,
    PROGRAM_EQU,
    PROGRAM_NEU,
    PROGRAM_LTU,
    PROGRAM_LEU,
    PROGRAM_GTU,
    PROGRAM_GEU,
    PROGRAM_NUM,
    PROGRAM_NAN,
    PROGRAM_COMPARES
};

/* Special registers, which only mov reads. */
enum program_special {
    PROGRAM_LANEID,
    PROGRAM_LANEMASK_EQ,
    PROGRAM_LANEMASK_LE,
    PROGRAM_LANEMASK_LT,
    PROGRAM_LANEMASK_GE,
    PROGRAM_LANEMASK_GT,
    PROGRAM_SPECIALS
};

enum program_operand_kind {
    PROGRAM_NONE,      /* no such operand */
    PROGRAM_REGISTER,  /* reg */
    PROGRAM_IMMEDIATE, /* value: bits of the operand's width (an f32 constant too); of a predicate 0 or 1 */
    PROGRAM_SPECIAL,   /* value: enum program_special */
    PROGRAM_SINK       /* _ : a destination that is thrown away */
};

struct program_operand {
    enum program_operand_kind kind;
    bool negate;  /* predicate written !p: guard, vote's a, and/or/xor/not.pred, selp */
    uint32_t reg; /* index into program.registers, else PROGRAM_NO_REGISTER */
    uint64_t value;
};

struct program_instruction {
    uint32_t line; /* in the text, from 1 */
    enum program_op op;
    enum ptx_type type;           /* instruction type; PROGRAM_WARP and PROGRAM_EXIT: PTX_UNKNOWN */
    enum program_compare compare; /* setp */
    bool nan;                     /* min.NaN.f32, max.NaN.f32 */
    enum warp_form form;          /* PROGRAM_WARP */
    enum warp_dst dst;            /* PROGRAM_WARP */
    struct program_operand guard; /* PROGRAM_NONE or a predicate register */
    /*
     * PROGRAM_WARP: dsts[0] is d, or the predicate of vote.{all,any,uni}; dsts[1] is p. UNPACK: low half, high half.
     * setp: the predicate. A destination that the instruction does not have is PROGRAM_NONE.
     */
    struct program_operand dsts[2];
    /* PROGRAM_WARP: always in the places PROGRAM_A... below. PACK: low half, high half. selp: a, b, predicate. */
    struct program_operand srcs[4];
};
enum { PROGRAM_A, PROGRAM_B, PROGRAM_C, PROGRAM_MEMBERMASK };

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
    char name[PTX_NAME_MAX + 1];
    enum ptx_type type; /* as declared or as its input says; else PTX_PRED, PTX_B32 or PTX_B64 by its first use */
    struct program_input input;
};

/* Which lanes belong together in a claim; of each group only the participants, the lanes that were active at the start
 * and have not exited at the end. */
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
    uint32_t reg; /* PROGRAM_NO_REGISTER for FAULTLESS and DEFINED */
    uint32_t of;  /* else PROGRAM_NO_REGISTER */
    unsigned lane;
    enum program_op op; /* ADD MUL MIN MAX AND OR XOR */
    enum ptx_type type; /* in which op works: U32 S32 F32 B32 U64 S64 B64 */
    struct program_group group;
    lanemask lanes;
    uint32_t where; /* predicate register or PROGRAM_NO_REGISTER */
    bool where_negate;
    char text[PROGRAM_CLAIM_TEXT_MAX + 1]; /* as written, without `claim` or `refute` */
};

/* "In proofs take op.type, in the program and in the claims, as any function with these properties." Execution computes
 * as usual. */
struct program_abstract {
    bool present;
    enum program_op op;
    enum ptx_type type;
    bool commutative;
    bool associative;
};

struct program {
    struct program_instruction *instructions;
    size_t instructions_count;
    struct program_register *registers;
    size_t registers_count;
    struct program_claim *claims;
    size_t claims_count;
    struct program_abstract abstract;
    uint16_t ptx;        /* of the .version directive, times ten; 0 when there is none */
    uint32_t target;     /* of the .target directive, WARP_TARGET(...); 0 when there is none */
    lanemask exited;     /* at the start */
    lanemask active;     /* at the start, when active_reg is PROGRAM_NO_REGISTER; exited lanes are taken off */
    uint32_t active_reg; /* a uniform 32-bit input: the active lanes are those of its value, less the exited ones */
    size_t notes_count;  /* //! lines that the text has */
    char from[200];      /* where the program comes from, or "" */
};

struct program_options {
    bool implicit_inputs; /* a register that is read before anything writes it is an input of any value, instead of an
                             error */
};

/* Reads a program. NULL: `error` has the place and one clause. `options` may be NULL. */
struct program *program_parse(const char *text, size_t size, const struct program_options *options,
                              struct warp_text_error *error);
void program_free(struct program *program);

/*
 * Writes directives, declarations, inputs, instructions and claims; reading that again gives an equal program. Cut to
 * `size`; returns the whole length.
 */
size_t program_print(const struct program *program, char *buf, size_t size);
/* One instruction, as a line of PTX without a newline. */
size_t program_print_instruction(const struct program *program, const struct program_instruction *i, char *buf,
                                 size_t size);
/* The same but for places and comments. */
bool program_equal(const struct program *x, const struct program *y);

/* The index of the register called `name`, or PROGRAM_NO_REGISTER. */
uint32_t program_register_find(const struct program *program, const char *name);

/* The target for execution: the program's, or the least one from sm_70 on that takes all its forms; 0 when there is
 * none (then `why` is one clause). */
uint32_t program_target(const struct program *program, char *why, size_t why_size);

#endif
