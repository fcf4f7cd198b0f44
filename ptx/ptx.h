/*
 * One warp instruction as PTX text: `@p shfl.sync.up.b32  Ry|p, Rx, 0x1, 0x0, 0xffffffff;`.
 *
 * The reader checks everything that the line itself tells: the form (model/include/warpcheck/forms.def), number and
 * kinds of operands, destinations, sinks, negation. Legality for a PTX version and a target is warp_legal's question.
 * Types of registers are checked by ptx_check_types, for callers that know declarations. Any bytes may be given: the
 * answer is an instruction or one error with line and column.
 */
#ifndef WARPCHECK_PROGRAM_PTX_H
#define WARPCHECK_PROGRAM_PTX_H

#include "ptx/type.h"
#include "warpcheck/form.h"
#include "warpcheck/text.h"

#define PTX_NAME_MAX 63u  /* longest register name that is read */
#define PTX_LINE_MAX 640u /* longest printed instruction, with its terminating zero */

enum ptx_operand_kind {
    PTX_NONE,      /* the form has no such operand */
    PTX_REGISTER,  /* name */
    PTX_IMMEDIATE, /* value: the bits, cut to the operand's width; of a predicate 0 or 1 */
    PTX_FLOAT,     /* value: the bits of an f32 constant (0fXXXXXXXX, or decimal with a point) */
    PTX_SINK       /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    uint64_t value;
    uint32_t line; /* where it stands, from 1 */
    uint32_t column;
    char name[PTX_NAME_MAX + 1];
};

struct ptx_instruction {
    enum warp_form form;
    enum warp_dst dst;
    bool negate;              /* vote: the source predicate is written !a */
    bool guard_negate;        /* @!p */
    struct ptx_operand guard; /* PTX_NONE or PTX_REGISTER */
    struct ptx_operand d; /* the first destination; of vote.{all,any,uni} the predicate. PTX_SINK for WARP_DST_SINK_P */
    struct ptx_operand p; /* behind the bar: PTX_REGISTER for d|p and _|p, PTX_SINK for d|_, else PTX_NONE */
    struct ptx_operand a, b, c, membermask;
};

/*
 * Reads exactly one instruction, with its semicolon (which the end of the text may stand for); comments and white space
 * may surround it. False: `error` has the place and one clause, `out` is unspecified.
 */
bool ptx_parse(const char *text, size_t size, struct ptx_instruction *out, struct warp_text_error *error);

/* The type of a register, or PTX_UNKNOWN when it is not declared (then it is not checked). */
typedef enum ptx_type (*ptx_type_fn)(void *context, const char *name);
bool ptx_check_types(const struct ptx_instruction *i, ptx_type_fn type, void *context, struct warp_text_error *error);

/*
 * Writes the instruction in one canonical spelling, cut to `size`; returns its whole length, as snprintf does.
 * PTX_LINE_MAX always suffices. Reading it again gives the same instruction (ptx_equal).
 */
size_t ptx_print(const struct ptx_instruction *i, char *buf, size_t size);

/* The same instruction; places are not compared. */
bool ptx_equal(const struct ptx_instruction *x, const struct ptx_instruction *y);

/* Is this opcode ("shfl.sync.up.b32", also misspelt: "shfl.foo") one of a warp instruction? For readers of whole files.
 */
bool ptx_is_warp_opcode(const char *name, size_t size);

#endif
