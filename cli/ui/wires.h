/*
 * Who reads whom, drawn as wires beside the rows of a table.
 *
 *     --o        lane 0 gives its a
 *     <-+-o      lane 1 takes it, and gives its own
 *     <---+      lane 2 takes lane 1's
 */
#ifndef WARPCHECK_CLI_UI_WIRES_H
#define WARPCHECK_CLI_UI_WIRES_H

#include "cli/ui/table.h"

#define WIRES_TRACKS_MAX 10u

/*
 * Fills the cells of the column. reads[lane] is the lane that it reads, or -1. Only lanes in `rows` are drawn. Returns
 * false, with empty cells, when it would take more than WIRES_TRACKS_MAX tracks.
 */
bool wires_draw(struct table_column *column, lanemask rows, const int reads[WARP_LANES]);

#endif
