/* LLVM bitcode from a file: the only reader of it. */
#ifndef WARPCHECK_PROOFS_BITCODE_H
#define WARPCHECK_PROOFS_BITCODE_H

#include "proofs/llvm.h"

/*
 * The module in a regular file, which LLVM finds right. NULL with one line: not readable, not bitcode, not of clang 14
 * to 19, or damaged, and how to make it. From then on the context is quiet. The module lives as long as the context.
 */
LLVMModuleRef bitcode_read(LLVMContextRef context, const char *file, struct error *error);

#endif
