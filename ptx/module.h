/*
 * A PTX module as nvcc, clang or a person writes it, read into structures that an executor walks.
 *
 * Everything is resolved: names are indices, labels are places, constants are bits. What the reader does not know
 * (matrix instructions, textures, indirect calls) is kept as OP_UNREAD with its name and place: the function in which
 * it stands, and those that call it, say so in `unread`; all others can be used.
 *
 * All pointers live as long as the module. Indices that name nothing are MODULE_NONE.
 *
 * Source: PTX ISA manual, "Syntax", "State Spaces, Types, and Variables", "Instruction Operands", "Instruction Set",
 * "Directives".
 */
#ifndef WARPCHECK_PTX_MODULE_H
#define WARPCHECK_PTX_MODULE_H

#include "base/error.h"
#include "ptx/type.h"
#include "warpcheck/form.h"
#include "warpcheck/text.h"

#define MODULE_TEXT_MAX  (256u << 20) /* bytes of a module's text */
#define MODULE_DEPTH_MAX 64u          /* braces within braces */
#define MODULE_NONE      UINT32_MAX

enum ptx_op {
#define OPCODE(id, ...) OP_##id,
#include "ptx/opcodes.def"
#undef OPCODE
    OPS
};

/*
 * The operations in groups, as what stands between `case` and `:`. A switch names each operation that it treats and
 * takes the others by group, so a new operation fails to compile until it stands in a group, and then in every switch
 * that names the operations of this group one by one.
 */
/* clang-format off */
#define OPS_LOGIC   OP_AND: case OP_OR: case OP_XOR
#define OPS_BITCOUNT   OP_POPC: case OP_CLZ: case OP_BREV
#define OPS_CARRY   OP_ADDC: case OP_SUBC: case OP_MAD: case OP_MADC
#define OPS_INTEGER OP_MUL24: case OP_MAD24: case OP_DIV: case OP_REM: case OP_SAD: case OP_CNOT: case OP_LOP3: \
               case OP_BFIND: case OP_BFE: case OP_BFI: case OP_FNS: case OP_PRMT: case OP_DP4A: case OP_DP2A
#define OPS_SIZED   OP_SHF: case OP_BMSK: case OP_SZEXT
#define OPS_TYPED   OP_SET: case OP_SLCT: case OP_CVT
#define OPS_REAL    OP_COPYSIGN: case OP_TESTP: case OP_RCP: case OP_SQRT: case OP_RSQRT: case OP_SIN: case OP_COS: \
               case OP_LG2: case OP_EX2: case OP_TANH
#define OPS_ADDRESS OP_CVTA: case OP_ISSPACEP
#define OPS_MEMORY  OP_LD: case OP_LDU: case OP_ST: case OP_ATOM: case OP_RED: case OP_PREFETCH
#define OPS_BLOCK   OP_BAR_SYNC: case OP_BAR_ARRIVE: case OP_BAR_RED: case OP_FENCE: case OP_FENCE_PROXY: \
               case OP_GRIDDEP: case OP_NANOSLEEP: case OP_CP_ASYNC
#define OPS_JUMP    OP_BRA: case OP_BRX: case OP_CALL: case OP_RET: case OP_TRAP
#define OPS_NO_VALUE OP_UNREAD: case OP_WARP: case OP_EXIT: case OPS_ADDRESS: case OPS_MEMORY: case OPS_BLOCK: \
               case OPS_JUMP: case OPS
#define OPS_NOT_COMBINING OP_MOV: case OP_PACK: case OP_UNPACK: case OP_SELP: case OP_SETP: case OP_SUB: case OP_FMA: \
               case OP_NEG: case OP_ABS: case OP_NOT: case OP_SHL: case OP_SHR: case OPS_BITCOUNT: case OPS_CARRY: \
               case OPS_INTEGER: case OPS_SIZED: case OPS_TYPED: case OPS_REAL: case OPS_NO_VALUE
/* The ones that compute d from values alone. */
#define OPS_VALUE OP_MOV: case OP_PACK: case OP_SELP: case OP_SETP: case OP_ADD: case OP_SUB: case OP_MUL: \
               case OP_FMA: case OP_MIN: case OP_MAX: case OP_NEG: case OP_ABS: case OP_NOT: case OP_SHL: case OP_SHR: \
               case OPS_LOGIC: case OPS_BITCOUNT: case OPS_CARRY: case OPS_INTEGER: case OPS_SIZED: case OPS_TYPED: \
               case OPS_REAL
/* The ones that do more with a source than copy its bits. */
#define OPS_NOT_COPYING OP_MOV: case OP_PACK: case OP_UNPACK: case OP_SETP: case OP_ADD: case OP_SUB: case OP_MUL: \
               case OP_FMA: case OP_MIN: case OP_MAX: case OP_NEG: case OP_ABS: case OP_POPC: case OP_CLZ: \
               case OPS_CARRY: case OP_MUL24: case OP_MAD24: case OP_DIV: case OP_REM: case OP_SAD: case OP_CNOT: \
               case OP_BFIND: case OP_FNS: case OP_DP4A: case OP_DP2A: case OP_BMSK: case OP_SZEXT: case OPS_TYPED: \
               case OPS_REAL: case OPS_NO_VALUE
/* The ones that a program of ptx/program.h cannot have, but for OP_WARP and OP_EXIT. */
#define OPS_NOT_PLAIN OP_UNREAD: case OPS_CARRY: case OP_FMA: case OPS_INTEGER: case OPS_SIZED: case OPS_TYPED: \
               case OPS_REAL: case OPS_ADDRESS: case OPS_MEMORY: case OPS_BLOCK: case OPS_JUMP: case OPS
/* clang-format on */

enum ptx_special {
#define SPECIAL(id, ...) SPECIAL_##id,
#include "ptx/special.def"
#undef SPECIAL
    SPECIALS
};

/* Those whose value does not follow from the lane alone; as the groups of operations. */
/* clang-format off */
#define SPECIALS_NOT_OF_LANE SPECIAL_TID: case SPECIAL_NTID: case SPECIAL_CTAID: case SPECIAL_NCTAID: \
    case SPECIAL_WARPID: case SPECIAL_NWARPID: case SPECIAL_SMID: case SPECIAL_NSMID: case SPECIAL_GRIDID: \
    case SPECIAL_CLOCK: case SPECIAL_CLOCK_HI: case SPECIAL_CLOCK64: case SPECIAL_GLOBALTIMER: \
    case SPECIAL_GLOBALTIMER_LO: case SPECIAL_GLOBALTIMER_HI: case SPECIAL_DYNAMIC_SMEM_SIZE: \
    case SPECIAL_TOTAL_SMEM_SIZE: case SPECIAL_AGGR_SMEM_SIZE: case SPECIAL_CLUSTERID: case SPECIAL_NCLUSTERID: \
    case SPECIAL_CLUSTER_CTAID: case SPECIAL_CLUSTER_NCTAID: case SPECIAL_CLUSTER_CTARANK: \
    case SPECIAL_CLUSTER_NCTARANK: case SPECIAL_IS_EXPLICIT_CLUSTER: case SPECIAL_RESERVED_BEGIN: \
    case SPECIAL_RESERVED_END: case SPECIAL_RESERVED_CAP: case SPECIAL_RESERVED_0: case SPECIAL_RESERVED_1: \
    case SPECIAL_ENVREG: case SPECIALS
/* clang-format on */

enum ptx_space {
    SPACE_GENERIC, /* none written */
    SPACE_GLOBAL,
    SPACE_SHARED, /* also .shared::cta */
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
    SPACE_CLUSTER, /* .shared::cluster */
    SPACES
};

/* The comparisons of setp and set, as they are written: the six of integers, those that are true with a NaN (U), those
 * that ask for NaN. For unsigned integers lo, ls, hi and hs are read as lt, le, gt, ge. */
enum ptx_compare {
    COMPARE_NONE,
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_EQU,
    COMPARE_NEU,
    COMPARE_LTU,
    COMPARE_LEU,
    COMPARE_GTU,
    COMPARE_GEU,
    COMPARE_NUM,
    COMPARE_NAN
};

enum ptx_rounding {
    ROUND_NONE,
    ROUND_RN, /* to nearest even */
    ROUND_RZ,
    ROUND_RM,  /* down */
    ROUND_RP,  /* up */
    ROUND_RNA, /* to nearest, ties away from zero */
    ROUND_RNI, /* this and the next three: to an integer */
    ROUND_RZI,
    ROUND_RMI,
    ROUND_RPI
};

enum ptx_part { PART_NONE, PART_LO, PART_HI, PART_WIDE };

/* The operation of atom, red and bar.red, and the `bool_op` of setp and set (AND, OR, XOR). */
enum ptx_atomic {
    ATOMIC_NONE,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_EXCH,
    ATOMIC_CAS,
    ATOMIC_POPC
};

/* membar.{cta,gl,sys} are SC at SCOPE_CTA, SCOPE_GPU, SCOPE_SYS. ld, st, atom without a word: ORDER_NONE. */
enum ptx_order {
    ORDER_NONE,
    ORDER_WEAK,
    ORDER_VOLATILE,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SC,
    ORDER_MMIO
};
enum ptx_scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };
enum ptx_cache { CACHE_NONE, CACHE_CA, CACHE_CG, CACHE_CS, CACHE_LU, CACHE_CV, CACHE_WB, CACHE_WT, CACHE_NC };
enum ptx_prmt_mode { PRMT_NONE, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };
enum ptx_test { TEST_NONE, TEST_FINITE, TEST_INFINITE, TEST_NUMBER, TEST_NOTANUMBER, TEST_NORMAL, TEST_SUBNORMAL };

enum ptx_operand_is {
    OPERAND_NONE,      /* no such operand */
    OPERAND_SINK,      /* _ : a destination that is thrown away, a source that is not read */
    OPERAND_REGISTER,  /* reg; negate for predicates written !p */
    OPERAND_IMMEDIATE, /* value: the bits, cut to the operand's size; of a predicate 0 or 1 */
    OPERAND_SPECIAL,   /* special, component */
    OPERAND_VARIABLE,  /* the address of `variable` plus `value`; in call: the .param variable itself */
    OPERAND_FUNCTION,  /* the address of `function` */
    OPERAND_ADDRESS    /* [reg + value], [variable + value] or [value], where the other is MODULE_NONE */
};

struct module_operand {
    enum ptx_operand_is kind;
    bool negate;
    uint8_t component;
    enum ptx_special special;
    uint32_t reg;      /* of the function */
    uint32_t variable; /* of the module */
    uint32_t function; /* of the module */
    uint64_t value;    /* an offset is signed: two's complement */
    uint32_t line;     /* where it stands, from 1; 0 for what nobody wrote */
    uint32_t column;
};

/* Places of OP_WARP's operands: always four srcs and two dsts. */
enum { OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_MEMBERMASK };
enum { OPERAND_D, OPERAND_P };

/*
 * One instruction. Which fields have a meaning, and how many operands there are, goes by the operation (opcodes.def);
 * the others are 0, NONE or MODULE_NONE.
 */
struct module_instruction {
    enum ptx_op op;
    enum ptx_type type;  /* the first that is written, of the result for most */
    enum ptx_type type2; /* cvt: from; set, slct: of the sources; dp4a, dp2a: of b */

    /* OP_WARP */
    enum warp_form form;
    enum warp_dst dst;
    /* A negated source of vote is srcs[OPERAND_A].negate. */

    enum ptx_compare compare;   /* setp, set */
    enum ptx_atomic bool_op;    /* setp, set: how the comparison meets srcs[2] */
    enum ptx_rounding rounding; /* as written */
    enum ptx_part part;         /* mul, mad, mul24, mad24, madc, dp2a */
    enum ptx_space space;       /* ld, st, atom, red, cvta, isspacep, prefetch */
    enum ptx_atomic atomic;     /* atom, red, bar.red */
    enum ptx_order order;       /* ld, st, atom, red, fence */
    enum ptx_scope scope;
    enum ptx_cache cache;
    enum ptx_prmt_mode prmt_mode;
    enum ptx_test test;
    bool ftz, sat, approx, full;
    bool cc;        /* writes the carry register, dsts[1] */
    bool nan;       /* min, max: .NaN */
    bool xorsign;   /* min, max: .xorsign.abs */
    bool abs;       /* min, max: .abs */
    bool relu;      /* fma, cvt */
    bool oob;       /* fma.oob */
    bool noftz;     /* atom.add.noftz */
    bool satfinite; /* cvt */
    bool to;        /* cvta.to */
    bool left;      /* shf.l */
    bool wrap;      /* shf, bmsk, szext: else clamp */
    bool shiftamt;  /* bfind */
    bool uniform;   /* bra.uni, call.uni, ret.uni */
    bool aligned;   /* bar, barrier.aligned: all threads of a warp must execute it together */
    bool implicit;  /* the ret behind a function's last line: nobody wrote it */
    uint8_t vector; /* ld, st, atom, red: 1, 2, 4, 8 */

    uint32_t guard; /* a predicate register, or MODULE_NONE */
    bool guard_negate;
    uint32_t guard_line, guard_column;

    uint8_t dsts_count;
    uint16_t srcs_count;
    const struct module_operand *dsts;
    const struct module_operand *srcs;

    uint32_t target;         /* bra: an instruction of the function */
    uint32_t callee;         /* call: a function of the module */
    const uint32_t *targets; /* brx: instructions, by the index */
    uint32_t targets_count;

    uint32_t block; /* of the function */
    uint32_t line;  /* in the PTX text, from 1 */
    uint32_t column;
    uint32_t location;    /* in the source, of the module, or MODULE_NONE */
    const char *name;     /* the whole opcode as written, "ld.global.nc.f32" */
    const char *unread;   /* OP_UNREAD: one clause that says what is not read, */
    uint32_t unread_line; /* and where that stands */
    uint32_t unread_column;
};

/* Instructions that are entered at the first and left at the last only. A call does not end a block. */
struct module_block {
    uint32_t first, count;
    const uint32_t *next; /* the blocks that its bra or brx goes to */
    uint32_t next_count;
    bool falls_through; /* the next block may follow, too */
};

struct module_register {
    const char *name;   /* as written; the carry register is "cc" */
    enum ptx_type type; /* as declared */
    uint8_t bits;
};

struct module_relocation {
    uint64_t offset;   /* in the variable, in bytes */
    uint32_t variable; /* or MODULE_NONE */
    uint32_t function; /* or MODULE_NONE */
    int64_t addend;
    bool generic;  /* the generic address, else that in the variable's space */
    uint8_t bytes; /* 4 or 8 */
};

enum module_linkage { LINKAGE_NONE, LINKAGE_EXTERN, LINKAGE_VISIBLE, LINKAGE_WEAK, LINKAGE_COMMON };

/*
 * A variable of a state space, or a parameter. Those of a function have its index; of SPACE_LOCAL and SPACE_PARAM each
 * thread has its own copy for each call.
 */
struct module_variable {
    const char *name;
    enum ptx_space space;
    enum module_linkage linkage;
    enum ptx_type type; /* of an element */
    uint32_t function;  /* in which it stands, or MODULE_NONE */
    uint32_t align;     /* in bytes, a power of two */
    uint64_t size;      /* in bytes; 0 for `extern .shared x[]`, whose size the launch tells */
    /*
     * Where it begins: a parameter of an entry in the block of parameters; .local and other .param variables of a
     * function in its frame, where those of blocks that do not overlap may share a place. 0 for the others: who
     * executes lays them out.
     */
    uint64_t offset;
    bool is_pointer;        /* a parameter that is declared .ptr */
    enum ptx_space pointee; /* of such a one */
    uint32_t reg;           /* a parameter of a .func that is a register (.reg): of the function; else MODULE_NONE */
    const uint8_t *data;    /* the initial value; NULL: zero */
    uint64_t data_size;     /* at most `size`; what lies behind is zero */
    const struct module_relocation *relocations; /* the words of `data` that are addresses; 0 there */
    uint32_t relocations_count;
    uint32_t line, column;
};

struct module_function {
    const char *name;
    bool is_entry;
    bool is_declaration; /* no body: vprintf, __assertfail, malloc, ... */
    bool noreturn;
    enum module_linkage linkage;
    uint32_t line, column;

    const uint32_t *params; /* variables */
    uint32_t params_count;
    const uint32_t *returns; /* variables */
    uint32_t returns_count;
    uint64_t params_bytes; /* an entry's block of parameters */
    uint64_t frame_bytes;  /* its .local and .param variables, but for the parameters of an entry */
    uint32_t frame_align;

    /* The numbers of the performance directives .reqntid, .maxntid and .reqnctapercluster: x, y, z, or 0, 0, 0 when
     * there is no such directive. */
    uint32_t reqntid[3], maxntid[3], reqnctapercluster[3];

    const struct module_register *registers;
    uint32_t registers_count;
    uint32_t carry;                                /* the register of .cc, or MODULE_NONE */
    const struct module_instruction *instructions; /* the last is always exit, ret, trap or an unguarded bra */
    uint32_t instructions_count;
    const struct module_block *blocks;
    uint32_t blocks_count;

    const char *unread; /* why it cannot be used, one line with its place; NULL: it can */
};

/*
 * `.loc`: a place in the source. A location that stands in an inlined function has the place where that one was
 * inlined, and so on outwards.
 */
struct module_location {
    uint32_t file; /* of the module, or MODULE_NONE when no .file names it */
    uint32_t line, column;
    uint32_t inlined_at; /* a location, or MODULE_NONE; always a smaller index */
};

struct module {
    const char *name;              /* of the file, for messages */
    uint16_t ptx;                  /* of .version, times ten; 0 when there is none */
    uint32_t ptx_line, ptx_column; /* where it stands */
    uint32_t target;               /* of .target, WARP_TARGET(...); 0 when there is none */
    uint32_t address_size;         /* 32 or 64 */
    const char *const *files;      /* of .file, by its number; NULL where a number is not used */
    uint32_t files_count;
    const struct module_location *locations;
    uint32_t locations_count;
    const struct module_variable *variables; /* of the module and of all functions */
    uint32_t variables_count;
    const struct module_function *functions;
    uint32_t functions_count;
};

struct reader; /* ptx/module/reader.h */
struct token;

struct module_options {
    /*
     * A piece of a module: statements may stand outside functions, which are then the body of a function without a
     * name; a register that is not declared comes to be with its first use; a constant has to fit its type.
     */
    bool fragment;
    /* An instruction that is wrong becomes OP_UNREAD with its reason, and reading goes on behind it. */
    bool keep_wrong;
    /*
     * Called for each `//!` line, which stands between statements; false after filling in the reader's error. NULL:
     * such lines are comments.
     */
    bool (*note)(void *context, struct reader *r, const struct token *note);
    void *context;
};

/*
 * Reads a module. `name` is the file's, for messages. NULL: `error` says "NAME:LINE:COLUMN: what, and how to mend it"
 * (ERROR_INPUT, or ERROR_SYSTEM without memory). Any bytes may be given; the time is linear in their number.
 */
struct module *module_read(const char *text, size_t size, const char *name, struct error *error);
/* Reads pieces of PTX, and texts with mistakes, as well. `error` has its place in fields of its own, and
 * `error->what` is the clause alone. */
struct module *module_read_piece(const char *text, size_t size, const struct module_options *options,
                                 struct warp_text_error *error);
void module_free(struct module *module);

/* The function of this name, or MODULE_NONE. */
uint32_t module_function_find(const struct module *module, const char *name);
/* The module's or the function's own variable of this name, or MODULE_NONE. */
uint32_t module_variable_find(const struct module *module, uint32_t function, const char *name);

/* Is this the opcode of a warp instruction ("shfl.sync.up.b32"), also a misspelt one ("shfl.foo")? */
bool ptx_is_warp_opcode(const char *opcode);
const char *ptx_special_name(enum ptx_special special); /* "%tid" */

#endif
