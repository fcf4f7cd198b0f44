#include "fields.h"

#include <string.h>

#define CELL_MAX 24u

/* The text of one operand in one lane; returns its length. */
static size_t format_cell(const struct warp_case *c, const struct warp_form_info *info, enum field field, unsigned lane,
                          char cell[CELL_MAX])
{
    struct writer w = {cell, CELL_MAX, 0};
    uint32_t value = field_values(c, field)[lane];
    if (field != FIELD_A)
        writer_hex(&w, "0x", value, 1);
    else if (info->type == WARP_PRED)
        writer_decimal(&w, value);
    else if (info->type == WARP_F32)
        writer_hex(&w, "0f", value, 8);
    else
        writer_hex(&w, "0x", warp_case_a64(c, lane), 1);
    return writer_end(&w);
}

/* Every column is as wide as its widest cell, at least as its head. */
static size_t column_width(const struct warp_case *c, const struct warp_form_info *info, enum field field)
{
    char cell[CELL_MAX];
    size_t width = strlen(field_names[field]);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        size_t length = format_cell(c, info, field, lane, cell);
        width = length > width ? length : width;
    }
    return width;
}

static bool same_row(const struct warp_case *c, unsigned x, unsigned y)
{
    return c->a[x] == c->a[y] && c->a_high[x] == c->a_high[y] && c->b[x] == c->b[y] && c->c[x] == c->c[y] &&
           c->membermask[x] == c->membermask[y];
}

/* "7" or "7-31", in a column of the width of "lane" and two spaces. */
static void write_lanes(struct writer *w, unsigned first, unsigned last)
{
    size_t start = w->length;
    writer_decimal(w, first);
    if (last > first) {
        writer_char(w, '-');
        writer_decimal(w, last);
    }
    writer_spaces(w, 5 - (w->length - start));
}

static void write_row(struct writer *w, const struct warp_case *c, const struct warp_form_info *info, unsigned first,
                      unsigned last, const size_t widths[FIELDS])
{
    char cell[CELL_MAX];
    write_lanes(w, first, last);
    for (enum field field = FIELD_A; field < FIELDS; field = (enum field)(field + 1)) {
        if (field_bits(info, field) == 0)
            continue;
        writer_spaces(w, 2 + widths[field] - format_cell(c, info, field, first, cell));
        writer_string(w, cell);
    }
    writer_char(w, '\n');
}

static void write_table(struct writer *w, const struct warp_case *c, const struct warp_form_info *info)
{
    size_t widths[FIELDS] = {0};
    unsigned last;
    writer_string(w, "\nlane ");
    for (enum field field = FIELD_A; field < FIELDS; field = (enum field)(field + 1)) {
        if (field_bits(info, field) == 0)
            continue;
        widths[field] = column_width(c, info, field);
        writer_spaces(w, 2 + widths[field] - strlen(field_names[field]));
        writer_string(w, field_names[field]);
    }
    writer_char(w, '\n');
    for (unsigned lane = 0; lane < WARP_LANES; lane = last + 1) {
        last = lane;
        while (last + 1 < WARP_LANES && same_row(c, lane, last + 1))
            last++;
        write_row(w, c, info, lane, last, widths);
    }
}

static void write_comment(struct writer *w, const char *comment)
{
    while (*comment != '\0') {
        writer_string(w, *comment == '\n' ? "#" : "# ");
        while (*comment != '\0' && *comment != '\n')
            writer_char(w, *comment++);
        if (*comment == '\n')
            comment++;
        writer_char(w, '\n');
    }
}

static void write_fields(struct writer *w, const struct warp_case *c, const struct warp_form_info *info)
{
    writer_string(w, "instruction   ");
    writer_string(w, info->name);
    writer_string(w, "\ndestinations  ");
    writer_string(w, warp_dst_name(c->dst));
    if (c->negate)
        writer_string(w, "\nsource        !a");
    writer_string(w, "\ntarget        ");
    writer_string(w, warp_target_name(c->target));
    writer_string(w, "\nexited        ");
    writer_hex(w, "0x", c->exited, 1);
    writer_string(w, "\nactive        ");
    writer_hex(w, "0x", c->active, 1);
    writer_char(w, '\n');
}

size_t warp_case_to_file(const struct warp_case *c, const char *comment, const struct warp_result *expect,
                         uint32_t parts, char *buf, size_t size)
{
    char line[WARP_TEXT_MAX];
    struct writer w = {buf, size, 0};
    const struct warp_form_info *info = warp_form_get(c->form);
    if (info == NULL || warp_target_name(c->target) == NULL)
        return writer_end(&w); /* not a case: warp_case_check says why */
    writer_string(&w, "warpcheck-case 1\n");
    if (comment != NULL)
        write_comment(&w, comment);
    writer_char(&w, '\n');
    write_fields(&w, c, info);
    if (field_bits(info, FIELD_A) > 0 || field_bits(info, FIELD_MEMBERMASK) > 0)
        write_table(&w, c, info);
    if (expect != NULL && (parts & WARP_PART_ALL) != 0) {
        warp_result_to_text(expect, parts, line, sizeof line);
        writer_string(&w, "\nexpect ");
        writer_string(&w, line);
        writer_char(&w, '\n');
    }
    return writer_end(&w);
}
