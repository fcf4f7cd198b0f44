/*
 * Is a module that was read sound: every index names something, blocks are what they say, operands have the kinds that
 * module.h promises? What an executor relies on without looking.
 */
#ifndef WARPCHECK_FUZZ_TARGETS_SOUND_H
#define WARPCHECK_FUZZ_TARGETS_SOUND_H

#include "ptx/module.h"

/* NULL, or one clause that says what is not. */
const char *module_unsound(const struct module *m);

#endif
