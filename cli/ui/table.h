/*
 * A table with one row a lane: columns of text, marked cells, uniform columns told apart. Filled by draw.c.
 */
#ifndef WARPCHECK_CLI_UI_TABLE_H
#define WARPCHECK_CLI_UI_TABLE_H

#include "warpcheck/form.h"

#include <stdio.h>

#define TABLE_COLUMNS_MAX 16u
#define TABLE_CELL_MAX    28u
#define TABLE_WIDTH_MAX   100u

struct table_column {
    char head[24];
    char cells[WARP_LANES][TABLE_CELL_MAX];
    lanemask marks;  /* cells that differ from what was expected */
    bool left;       /* aligned to the left */
    bool expendable; /* may be left out when the table is too wide */
    bool hidden;
};

struct table {
    lanemask rows; /* lanes that have one */
    struct table_column columns[TABLE_COLUMNS_MAX];
    size_t count;
};

/* Adds a column with empty cells; it must fit. */
struct table_column *table_add(struct table *table, const char *head);
/* True when the cells of these lanes are all equal (and there are any). */
bool table_is_uniform(const struct table_column *column, lanemask lanes);
void table_hide_empty(struct table *table);
/* Hides empty columns, and expendable ones, the last first, until the table is narrow enough; prints it. */
void table_print(FILE *out, struct table *table);

#endif
