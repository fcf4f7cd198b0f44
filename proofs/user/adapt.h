/* Functions of other integer types than those of their shape: bool, int8_t, uint64_t, float for its bits. */
#ifndef WARPCHECK_PROOFS_USER_ADAPT_H
#define WARPCHECK_PROOFS_USER_ADAPT_H

#include "proofs/user/shape.h"

/*
 * Is the type the one that a shape has in this place (struct user_shape's letters), or one that C converts to and from
 * it? `role` is USER_RETURNED for the result.
 */
bool user_type_fits(enum user_type expected, enum user_role role, LLVMTypeRef type);

/*
 * The name of a function with the types of the shape, in the module: the user's own, or one that calls it as a C
 * program would that has the words of the shape. Arguments are converted, to bool by "is it 0?". A result of 64 bits
 * is right where it is the number of 32 bits, or, of a predicate, not 0. A predicate that is a bool
 * is not initialized before.
 */
const char *user_entry(LLVMModuleRef module, const struct user_request *request, const struct user_shape *shape);

#endif
