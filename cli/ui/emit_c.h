/*
 * A case as a stand-alone C program that checks one function of the user's.
 */
#ifndef WARPCHECK_CLI_UI_EMIT_C_H
#define WARPCHECK_CLI_UI_EMIT_C_H

#include "warpcheck/warp.h"

#include <stdio.h>

void emit_c(FILE *out, const struct warp_case *c, const struct warp_result *expected);

#endif
