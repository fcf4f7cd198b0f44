/*
 * Checks that a module is sound: every index names something, blocks are what they say, and operands have the kinds
 * that module.h promises. An executor relies on this without looking.
 */
#ifndef WARPCHECK_FUZZ_TARGETS_SOUND_H
#define WARPCHECK_FUZZ_TARGETS_SOUND_H

#include "ptx/module.h"

/* Returns NULL, or one clause that says what is not sound. */
const char *module_unsound(const struct module *m);

#endif
