#include "cli/ui/table.h"

#include "cli/ui/terminal.h"

#include <string.h>

struct table_column *table_add(struct table *table, const char *head)
{
    struct table_column *column = &table->columns[table->count++];
    memset(column, 0, sizeof *column);
    snprintf(column->head, sizeof column->head, "%s", head);
    return column;
}

bool table_is_uniform(const struct table_column *column, lanemask lanes)
{
    const char *first = NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(lanes >> lane & 1u))
            continue;
        if (!first)
            first = column->cells[lane];
        else if (strcmp(first, column->cells[lane]) != 0)
            return false;
    }
    return first != NULL;
}

static size_t column_width(const struct table *table, const struct table_column *column)
{
    size_t width = strlen(column->head);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        size_t length = strlen(column->cells[lane]);
        if (table->rows >> lane & 1u && length > width)
            width = length;
    }
    return width;
}

static size_t table_width(const struct table *table)
{
    size_t width = 0;
    for (size_t i = 0; i < table->count; i++)
        if (!table->columns[i].hidden)
            width += column_width(table, &table->columns[i]) + 2;
    return width;
}

void table_hide_empty(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        bool empty = true;
        for (unsigned lane = 0; lane < WARP_LANES && empty; lane++)
            empty = !(table->rows >> lane & 1u) || table->columns[i].cells[lane][0] == '\0';
        table->columns[i].hidden = table->columns[i].hidden || empty;
    }
}

static void hide_expendable(struct table *table)
{
    for (size_t i = table->count; i-- > 0 && table_width(table) > TABLE_WIDTH_MAX;)
        if (table->columns[i].expendable)
            table->columns[i].hidden = true;
}

static void print_cell(FILE *out, const struct table_column *column, size_t width, const char *text, bool marked)
{
    int pad = (int)(width - strlen(text));
    const char *on = marked ? paint(PAINT_RED) : "";
    const char *off = marked ? paint(PAINT_PLAIN) : "";
    if (column->left)
        fprintf(out, "  %s%s%s%*s", on, text, off, pad, "");
    else
        fprintf(out, "  %*s%s%s%s", pad, "", on, text, off);
}

static void print_head(FILE *out, const struct table *table)
{
    fputs(paint(PAINT_DIM), out);
    for (size_t i = 0; i < table->count; i++)
        if (!table->columns[i].hidden)
            print_cell(out, &table->columns[i], column_width(table, &table->columns[i]), table->columns[i].head, false);
    fprintf(out, "%s\n", paint(PAINT_PLAIN));
}

/* Trailing blanks are left out, so that a table can be compared as text. */
static void print_row(FILE *out, const struct table *table, unsigned lane)
{
    size_t last = 0;
    for (size_t i = 0; i < table->count; i++)
        if (!table->columns[i].hidden && table->columns[i].cells[lane][0] != '\0')
            last = i;
    for (size_t i = 0; i <= last; i++) {
        const struct table_column *column = &table->columns[i];
        if (column->hidden)
            continue;
        size_t width = i == last && column->left ? strlen(column->cells[lane]) : column_width(table, column);
        print_cell(out, column, width, column->cells[lane], column->marks >> lane & 1u);
    }
    fputc('\n', out);
}

/* Carets under the marked cells: what differs can be seen without colour. */
static void print_marks(FILE *out, const struct table *table, unsigned lane)
{
    size_t blank = 0;
    bool any = false;
    for (size_t i = 0; i < table->count; i++) {
        const struct table_column *column = &table->columns[i];
        if (column->hidden)
            continue;
        size_t width = column_width(table, column);
        size_t length = strlen(column->cells[lane]);
        blank += 2;
        if (!(column->marks >> lane & 1u)) {
            blank += width;
            continue;
        }
        fprintf(out, "%*s", (int)(blank + (column->left ? 0 : width - length)), "");
        for (size_t k = 0; k < length; k++)
            fputc('^', out);
        blank = column->left ? width - length : 0;
        any = true;
    }
    if (any)
        fputc('\n', out);
}

void table_print(FILE *out, struct table *table)
{
    table_hide_empty(table);
    hide_expendable(table);
    print_head(out, table);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(table->rows >> lane & 1u))
            continue;
        print_row(out, table, lane);
        print_marks(out, table, lane);
    }
}
