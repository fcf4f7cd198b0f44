#include "file.h"

#include "../lanes.h"
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

/* --- reading --- */

/* The file while it is read. */
struct sheet {
    struct draft draft;
    bool has_destinations, has_source;
    enum field columns[FIELDS];
    size_t columns_count;
    bool has_table;
    lanemask rows;      /* lanes that have a row */
    struct place place; /* of the table */
};

static bool end_of_line(struct reader *r)
{
    char quote[QUOTE_MAX];
    struct word w = reader_word(r);
    return w.size == 0 || reader_fail(r, w.place, "%s is too much: the line must end before it", word_quote(&w, quote));
}

static bool read_head(struct reader *r, struct sheet *sheet)
{
    struct word w;
    if (sheet->has_table)
        return reader_fail(r, (struct place){r->line, 1}, "a second table: there must be one");
    sheet->has_table = true;
    sheet->place = (struct place){r->line, 1};
    for (w = reader_word(r); w.size > 0; w = reader_word(r)) {
        /* No column can be repeated, so they fit. */
        enum field field = draft_operand(r, &sheet->draft, &w);
        if (field == FIELDS)
            return false;
        sheet->columns[sheet->columns_count++] = field;
    }
    return sheet->columns_count > 0 ||
           reader_fail(r, w.place, "the table has no column: it must have one for each operand");
}

/* "7" or "0-31". */
static bool read_lanes(struct reader *r, const struct word *w, unsigned *first, unsigned *last)
{
    const char *dash = memchr(w->at, '-', w->size);
    struct word low = *w, high = *w;
    uint64_t from, to;
    if (dash != NULL) {
        low.size = (size_t)(dash - w->at);
        high.at = dash + 1;
        high.size = w->size - low.size - 1;
        high.place.column += low.size + 1;
    }
    if (!reader_number(r, &low, 32, &from) || !reader_number(r, &high, 32, &to))
        return false;
    if (from > to || to >= WARP_LANES)
        return reader_fail(r, w->place,
                           "lanes are from 0 to 31: a row starts with a lane, or with a range such as 4-7");
    *first = (unsigned)from;
    *last = (unsigned)to;
    return true;
}

static bool read_cell(struct reader *r, struct sheet *sheet, enum field field, unsigned first, unsigned last)
{
    const unsigned bits = field_bits(sheet->draft.info, field);
    struct word w = reader_word(r);
    uint64_t value, step;
    if (w.size == 0)
        return reader_fail(r, w.place, "the row has no value for %s: it must have one for each column",
                           field_names[field]);
    if (!reader_stepped(r, &w, bits, &value, &step))
        return false;
    for (unsigned lane = first; lane <= last; lane++, value += step)
        if (!draft_store(r, &sheet->draft, field, lane, value & (bits < 64 ? UINT32_MAX : UINT64_MAX), w.place))
            return false;
    return true;
}

static bool read_row(struct reader *r, struct sheet *sheet, const struct word *lanes)
{
    unsigned first = 0, last = 0;
    lanemask row;
    if (!sheet->has_table)
        return reader_fail(r, lanes->place, "a row without a table: a line `lane a ...` must come first");
    if (!read_lanes(r, lanes, &first, &last))
        return false;
    row = UINT32_MAX >> (31 - last) & UINT32_MAX << first;
    if (sheet->rows & row)
        return reader_fail(r, lanes->place, "a lane in %u-%u has a row already: each must have one", first, last);
    sheet->rows |= row;
    for (size_t i = 0; i < sheet->columns_count; i++)
        if (!read_cell(r, sheet, sheet->columns[i], first, last))
            return false;
    return end_of_line(r);
}

static bool read_destinations(struct reader *r, struct sheet *sheet, const struct word *key)
{
    struct word w = reader_word(r);
    if (sheet->has_destinations)
        return reader_fail(r, key->place, "destinations is repeated: it must be given once");
    sheet->has_destinations = true;
    return draft_destinations(r, &sheet->draft, &w) && end_of_line(r);
}

static bool read_source(struct reader *r, struct sheet *sheet, const struct word *key)
{
    struct word w = reader_word(r);
    if (sheet->has_source)
        return reader_fail(r, key->place, "source is repeated: it must be given once");
    sheet->has_source = true;
    if (word_is(&w, "a"))
        return end_of_line(r);
    if (!word_is(&w, "!a"))
        return reader_fail(r, w.place, "the source must be a or !a");
    return draft_negate(r, &sheet->draft, &w) && end_of_line(r);
}

static bool read_field(struct reader *r, struct sheet *sheet, const struct word *key)
{
    char quote[QUOTE_MAX];
    struct word value;
    if (!word_is(key, "target") && !word_is(key, "exited") && !word_is(key, "active"))
        return reader_fail(
            r, key->place,
            "unknown line %s: it must be destinations, source, target, exited, active, lane, a row or expect",
            word_quote(key, quote));
    value = reader_word(r);
    return draft_set(r, &sheet->draft, key, &value) && end_of_line(r);
}

static bool read_file_line(struct reader *r, struct sheet *sheet, struct warp_text *out)
{
    struct word key = reader_word(r);
    if (key.at[0] >= '0' && key.at[0] <= '9')
        return read_row(r, sheet, &key);
    if (word_is(&key, "lane"))
        return read_head(r, sheet);
    if (word_is(&key, "destinations"))
        return read_destinations(r, sheet, &key);
    if (word_is(&key, "source"))
        return read_source(r, sheet, &key);
    if (word_is(&key, "instruction"))
        return reader_fail(r, key.place, "instruction is repeated: a file holds one case");
    if (!word_is(&key, "expect"))
        return read_field(r, sheet, &key);
    if (out->has_result)
        return reader_fail(r, key.place, "expect is repeated: it must be given once");
    return result_read(r, out, NULL);
}

static bool read_version(struct reader *r)
{
    char quote[QUOTE_MAX];
    struct word w = reader_word(r);
    if (!word_is(&w, "1"))
        return reader_fail(r, w.place, "unsupported version %s: this program reads warpcheck-case 1",
                           word_quote(&w, quote));
    return end_of_line(r);
}

static bool read_instruction(struct reader *r, struct sheet *sheet)
{
    struct word w;
    if (!reader_next_line(r) || !reader_skip_blank(r))
        return reader_fail(r, reader_word(r).place, "instruction is missing: it must be the first line of the case");
    w = reader_word(r);
    if (!word_is(&w, "instruction"))
        return reader_fail(r, w.place, "a line `instruction ...` must come first");
    w = reader_word(r);
    return draft_instruction(r, &sheet->draft, &w) && end_of_line(r);
}

bool text_read_file(struct reader *r, struct warp_text *out)
{
    struct sheet sheet = {.draft = {.c = &out->c}};
    struct place end;
    if (!read_version(r) || !read_instruction(r, &sheet))
        return false;
    while (reader_next_line(r) && reader_skip_blank(r))
        if (!read_file_line(r, &sheet, out))
            return false;
    end = reader_word(r).place;
    if (!sheet.has_destinations)
        return reader_fail(r, end, "destinations is missing: a case must give it, for example `destinations d`");
    if (sheet.has_table && sheet.rows != UINT32_MAX)
        return reader_fail(r, end, "lane %u has no row in the table of line %zu: every lane must have one",
                           lanes_lowest(~sheet.rows), sheet.place.line);
    return draft_finish(r, &sheet.draft, end);
}
