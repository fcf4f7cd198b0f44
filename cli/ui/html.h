/*
 * A report as one page of HTML that needs nothing else: no script, no font, no picture from elsewhere. It is readable
 * on a phone (text and tables wrap), in light and dark, and printed. The text is well-formed XML, so that a test can
 * read it.
 *
 * Every text that is handed in is made fit for a page here: text_printable, then escaped. None may be escaped before.
 * Write to the stream of a file_text (base/file.h): the page is then on disk whole or not at all.
 */
#ifndef WARPCHECK_CLI_UI_HTML_H
#define WARPCHECK_CLI_UI_HTML_H

#include "base/error.h"
#include "cli/ui/draw.h"

#include <stdio.h>

/* What a line or a cell means; it is told by a word or a mark beside the colour, too. */
enum html_tone { HTML_PLAIN, HTML_GOOD, HTML_BAD, HTML_OPEN /* neither: partly, unknown, not run */ };

void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/* The text alone, escaped, on one line. */
void html_text(FILE *out, const char *text);

/* The banner at the head of a page: one word or two, and a line. */
void html_verdict(FILE *out, enum html_tone tone, const char *verdict, const char *line);

/* A part of a page with a heading. A finding is never broken between two printed pages when it fits on one. */
void html_section_begin(FILE *out, const char *heading);
void html_section_end(FILE *out);
void html_finding_begin(FILE *out, enum html_tone tone, const char *heading);
void html_finding_end(FILE *out);

/* A paragraph, with a label in front of it; NULL: none. */
void html_line(FILE *out, enum html_tone tone, const char *label, const char *format, ...) PRINTF_LIKE(4, 5);
/* Text as it stands, line breaks kept, long lines wrapped: a case, a command, code. `label` as above. */
void html_code(FILE *out, const char *label, const char *text);

/* A table. On a narrow screen every row becomes a card in which the heads stand before the cells. */
struct html_column {
    const char *head;
    bool number; /* aligned to the right */
};
struct html_table {
    FILE *out;
    const struct html_column *columns;
    size_t count;
};
struct html_table html_table_begin(FILE *out, const struct html_column *columns, size_t count);
/* `cells`: one a column; an empty one is left blank. */
void html_table_row(const struct html_table *table, enum html_tone tone, const char *const *cells);
void html_table_end(const struct html_table *table);

/* 32 squares in their colours, with a legend of the states that occur: an SVG drawing. A lane is in one set at most;
 * in none, it is elsewhere. */
struct html_warp {
    lanemask done, waiting, undefined, exited;
    lanemask wrong;      /* marked */
    const char *caption; /* also what a screen reader says; NULL: none */
};
void html_warp(FILE *out, const struct html_warp *warp);

/* The drawing of a case (draw_case) as SVG: the warp, then the lanes that matter, who reads whom, expected and
 * observed results. */
void html_case(FILE *out, const struct drawing *drawing);

#endif
