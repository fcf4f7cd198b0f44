/*
 * LLVM's C interface, loaded when it is needed: its relocations alone take a tenth of a second, and most commands have
 * nothing to do with it. CMake looks for the functions that the sources here call (llvm_calls.cmake): by the name of
 * each stands a pointer, which llvm_load fills.
 */
#ifndef WARPCHECK_PROOFS_LLVM_H
#define WARPCHECK_PROOFS_LLVM_H

#include "base/error.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "llvm_calls.h"

/* Loads the library, for this process and those that it forks from here on; true when that was done before, too. */
bool llvm_load(struct error *error);

/* Begins: loads the library when that was not done, and makes a context. NULL: it cannot be loaded. */
LLVMContextRef llvm_open(struct error *error);

/* Makes the library able to compile for this processor; false: it is not. After llvm_open. */
bool llvm_compiles_here(void);

#endif
