/*
 * The types that PTX's instructions and declarations name ("Fundamental Types", "Packed Data Types"), but for those of
 * textures and of matrix instructions.
 */
#ifndef WARPCHECK_PTX_TYPE_H
#define WARPCHECK_PTX_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fewer than 32, so that a set of types is the bits of a uint32_t. */
enum ptx_type {
    PTX_UNKNOWN, /* none */
    PTX_PRED,
    PTX_B8,
    PTX_U8,
    PTX_S8,
    PTX_B16,
    PTX_U16,
    PTX_S16,
    PTX_F16,
    PTX_BF16,
    PTX_B32,
    PTX_U32,
    PTX_S32,
    PTX_F32,
    PTX_F16X2,
    PTX_BF16X2,
    PTX_U16X2,
    PTX_S16X2,
    PTX_B64,
    PTX_U64,
    PTX_S64,
    PTX_F64,
    PTX_B128,
    PTX_TYPES
};

/* "b32", without a dot; "?" for PTX_UNKNOWN. */
const char *ptx_type_name(enum ptx_type type);
/* The type with the name of `size` characters ("b32", without a dot), or PTX_UNKNOWN. */
enum ptx_type ptx_type_find(const char *name, size_t size);
/* 1 for PTX_PRED, 8 to 128; 0 for PTX_UNKNOWN. */
unsigned ptx_type_bits(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);  /* f16, bf16, their pairs, f32, f64 */
bool ptx_type_is_signed(enum ptx_type type); /* s8 to s64, s16x2 */

/*
 * May a register that is declared as `declared` stand for an operand of instruction type `type` of the same size
 * ("Operand types", as the assembler takes them)? Untyped instructions take any register of the size, typed ones the
 * untyped registers too; f16 and bf16 live in b16 and b32 registers, and integers of either sign in each other's.
 */
bool ptx_type_fits(enum ptx_type declared, enum ptx_type type);

#endif
