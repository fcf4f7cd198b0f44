/*
 * JSON, written value by value; jansson makes the text.
 *
 * A key is NULL inside an array. Begin and end must pair; out_print ends the outermost object and prints it.
 */
#ifndef WARPCHECK_CLI_UI_JSON_H
#define WARPCHECK_CLI_UI_JSON_H

#include "cli/command.h"
#include "warpcheck/warp.h"

void out_start(void); /* the outermost object */
void out_begin_object(const char *key);
void out_begin_array(const char *key);
void out_end(void);
void out_text(const char *key, const char *value);
void out_number(const char *key, uint64_t value);
void out_real(const char *key, double value);
void out_bool(const char *key, bool value);
void out_mask(const char *key, lanemask value); /* "0x0000ffff" */
void out_print(void);

/* Whole values. */
void out_case(const char *key, const struct warp_case *c);
void out_result(const char *key, const struct warp_result *r, uint32_t parts);

#endif
