/*
 * The readable file: `warpcheck-case 1`, one field a line, the operands as a table of lanes.
 */
#ifndef WARPCHECK_TEXT_FILE_H
#define WARPCHECK_TEXT_FILE_H

#include "reader.h"

/* Reads the file behind its first word. */
bool text_read_file(struct reader *r, struct warp_text *out);

#endif
