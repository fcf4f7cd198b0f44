/*
 * Attributes and metadata of bitcode, by LLVM's reference: those that the translator obeys, those that need no work,
 * and the rest, which it must not take. Everything that it takes stands in the tables of attribute.c.
 */
#ifndef WARPCHECK_PROOFS_ATTRIBUTE_H
#define WARPCHECK_PROOFS_ATTRIBUTE_H

#include "proofs/arith.h"

/* The first attribute of a function, or of a call and its arguments, that is not taken: fills unknown, unknown_kind. */
void attribute_check_function(LLVMValueRef function, struct flags *flags);
void attribute_check_call(LLVMValueRef call, struct flags *flags);
/* Metadata of an instruction: also whether it has some that machine_promised obeys. */
void attribute_check_metadata(LLVMValueRef instruction, struct flags *flags);

/* NULL: there is none of that name. `at`: LLVMAttributeReturnIndex, LLVMAttributeFunctionIndex, or argument number + 1.
 */
LLVMAttributeRef attribute_of_call(LLVMValueRef call, unsigned at, const char *name);
LLVMAttributeRef attribute_of_function(LLVMValueRef function, unsigned at, const char *name);
/* Does the call (NULL: none) or the function itself have this attribute of whole functions? */
bool attribute_promised(LLVMValueRef call, LLVMValueRef function, const char *name);
/* The type that the attribute has; NULL: it is NULL. */
LLVMTypeRef attribute_type(LLVMAttributeRef attribute);
/* Are both there, with the same type if they have one, or is neither (NULL)? */
bool attribute_same(LLVMAttributeRef x, LLVMAttributeRef y);
/* The numbers low .. high - 1, or, where high is no larger, low and more and those below high; in 64 bits, signed. */
bool attribute_range(LLVMContextRef context, LLVMAttributeRef range, uint64_t *low, uint64_t *high);

#endif
