#include "cli/ui/html.h"

#include "base/text.h"
#include "model/lanes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- text --- */

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            fputc(*text, out);
        }
}

/* What is not printable is shown as \xHH; each byte takes four characters at most. */
static void put_text(FILE *out, const char *text, size_t length)
{
    const size_t size = 4 * length + 1;
    char *const clean = malloc(size);
    if (clean)
        put_escaped(out, text_printable(text, length, clean, size));
    else
        fputs("(out of memory)", out);
    free(clean);
}

void html_text(FILE *out, const char *text)
{
    put_text(out, text, strlen(text));
}

static void put_arguments(FILE *out, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *const text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
        html_text(out, text);
    }
    va_end(again);
    free(text);
}

/* --- the page --- */

static const char *const tones[] = {
    [HTML_PLAIN] = "plain", [HTML_GOOD] = "good", [HTML_BAD] = "bad", [HTML_OPEN] = "open"};

/* Colours of light and dark stand once; print takes the light ones. */
static const char style[] =
    ":root{--paper:#ffffff;--ink:#1c2024;--dim:#5b6570;--line:#d5dae0;--soft:#f3f5f7;--good:#0b6b3a;--bad:#b3191f;"
    "--open:#8a5a00;--done:#2a6fb8;--waiting:#b07d00;--undefined:#8d3bb0;--exited:#5b6570;--square:#ffffff;"
    "color-scheme:light}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#14171a;--ink:#e4e8ec;--dim:#9aa5b0;--line:#343b43;"
    "--soft:#1d2227;--good:#5fd39a;--bad:#ff7b7f;--open:#f0c060;--done:#79b4f2;--waiting:#f0c060;"
    "--undefined:#d79af0;--exited:#9aa5b0;--square:#14171a;color-scheme:dark}}\n"
    "@media print{:root{--paper:#ffffff;--ink:#000000;--dim:#444444;--line:#bbbbbb;--soft:#f3f5f7;--good:#0b6b3a;"
    "--bad:#b3191f;--open:#8a5a00;--done:#2a6fb8;--waiting:#b07d00;--undefined:#8d3bb0;--exited:#5b6570;"
    "--square:#ffffff;color-scheme:light}}\n"
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
    "body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "h1{font-size:1.1rem;margin:0 0 .75rem}\nh2{font-size:1.15rem;margin:2rem 0 .5rem}\n"
    "h3{font-size:1rem;margin:0 0 .5rem}\np{margin:.35rem 0}\n"
    "pre,code,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
    "pre{white-space:pre-wrap;background:var(--soft);border:1px solid var(--line);border-radius:.3rem;"
    "padding:.5rem .6rem;margin:.25rem 0 .6rem;font-size:.82rem;line-height:1.4}\n"
    ".label{color:var(--dim);font-size:.85rem;margin:.6rem 0 0}\n"
    ".verdict{border-left:.4rem solid var(--dim);background:var(--soft);padding:.6rem .8rem;border-radius:.2rem}\n"
    ".verdict strong{display:block;font-size:1.5rem;line-height:1.2}\n"
    ".good{--tone:var(--good)}.bad{--tone:var(--bad)}.open{--tone:var(--open)}.plain{--tone:var(--dim)}\n"
    ".verdict{border-color:var(--tone)}.verdict strong,b.tone,td.tone{color:var(--tone)}\n"
    ".finding{border:1px solid var(--line);border-top:.25rem solid var(--tone);border-radius:.3rem;padding:.75rem;"
    "margin:0 0 1rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "th{text-align:left;color:var(--dim);font-weight:600;font-size:.8rem}\n"
    "th,td{padding:.3rem .5rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}\n"
    "th.number,td.number{text-align:right}\n"
    "summary{cursor:pointer;color:var(--dim)}\n"
    "svg{display:block;width:100%;max-width:34rem;height:auto;margin:.5rem 0}\n"
    "svg text{fill:var(--ink);font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "font-size:12px}\n"
    "svg .dim{fill:var(--dim)}svg .small{font-size:10px}svg .head{fill:var(--dim)}\n"
    "svg .marked{fill:var(--bad);font-weight:700}\n"
    "svg .done{fill:var(--done)}svg .waiting{fill:var(--waiting)}svg .undefined{fill:var(--undefined)}"
    "svg .exited{fill:var(--exited)}svg .elsewhere{fill:none;stroke:var(--line)}\n"
    "svg text.in{fill:var(--square);font-weight:700}svg text.out{fill:var(--dim)}\n"
    "svg .ring{fill:none;stroke:var(--bad);stroke-width:2}\n"
    "svg .wire{fill:none;stroke:var(--dim);stroke-width:1.4}svg .tip{fill:var(--dim)}\n"
    "@media (max-width:52rem){body{padding:.75rem}thead{display:none}table,tbody,tr,td{display:block;width:100%}\n"
    "tr{border:1px solid var(--line);border-radius:.3rem;margin:0 0 .5rem;padding:.25rem .5rem}\n"
    "td,td.number{border:0;padding:.1rem 0;text-align:left;display:flex;gap:.75rem;justify-content:space-between;"
    "overflow-wrap:anywhere}\n"
    "td:empty{display:none}td::before{content:attr(data-head);color:var(--dim);flex:none}}\n"
    "@media print{body{max-width:none;padding:0;font-size:10pt}.finding,tr,svg{break-inside:avoid}h2,h3{break-after:"
    "avoid}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}details::details-content{"
    "content-visibility:visible;block-size:auto}}\n";

void html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
          "<title>",
          out);
    html_text(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    html_text(out, title);
    fputs("</h1>\n", out);
}

void html_end(FILE *out)
{
    fputs("</body>\n</html>\n", out);
}

void html_verdict(FILE *out, enum html_tone tone, const char *verdict, const char *line)
{
    fprintf(out, "<p class=\"verdict %s\"><strong>", tones[tone]);
    html_text(out, verdict);
    fputs("</strong> ", out);
    html_text(out, line);
    fputs("</p>\n", out);
}

static void put_heading(FILE *out, const char *element, const char *heading)
{
    fprintf(out, "<%s>", element);
    html_text(out, heading);
    fprintf(out, "</%s>\n", element);
}

void html_section_begin(FILE *out, const char *heading)
{
    fputs("<section>\n", out);
    put_heading(out, "h2", heading);
}

void html_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void html_finding_begin(FILE *out, enum html_tone tone, const char *heading)
{
    fprintf(out, "<article class=\"finding %s\">\n", tones[tone]);
    put_heading(out, "h3", heading);
}

void html_finding_end(FILE *out)
{
    fputs("</article>\n", out);
}

void html_line(FILE *out, enum html_tone tone, const char *label, const char *format, ...)
{
    va_list arguments;
    fputs("<p>", out);
    if (label) {
        fprintf(out, "<b class=\"tone %s\">", tones[tone]);
        html_text(out, label);
        fputs("</b> ", out);
    }
    va_start(arguments, format);
    put_arguments(out, format, arguments);
    va_end(arguments);
    fputs("</p>\n", out);
}

void html_code(FILE *out, const char *label, const char *text)
{
    if (label) {
        fputs("<p class=\"label\">", out);
        html_text(out, label);
        fputs("</p>\n", out);
    }
    fputs("<pre>", out);
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        put_text(out, text, length);
        text += length;
        if (*text == '\n') {
            fputc('\n', out);
            text++;
        }
    }
    fputs("</pre>\n", out);
}

/* --- tables --- */

struct html_table html_table_begin(FILE *out, const struct html_column *columns, size_t count)
{
    fputs("<table>\n<thead><tr>", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<th%s>", columns[i].number ? " class=\"number\"" : "");
        html_text(out, columns[i].head);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    return (struct html_table){out, columns, count};
}

void html_table_row(const struct html_table *table, enum html_tone tone, const char *const *cells)
{
    FILE *const out = table->out;
    fputs("<tr>", out);
    for (size_t i = 0; i < table->count; i++) {
        fputs("<td data-head=\"", out);
        html_text(out, table->columns[i].head);
        fprintf(out, "\" class=\"%s%s %s\">", table->columns[i].number ? "number" : "text",
                tone == HTML_PLAIN ? "" : " tone", tones[tone]);
        html_text(out, cells[i]);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

void html_table_end(const struct html_table *table)
{
    fputs("</tbody>\n</table>\n", table->out);
}

/* --- the warp --- */

enum state { STATE_DONE, STATE_WAITING, STATE_UNDEFINED, STATE_EXITED, STATE_ELSEWHERE, STATES };

static const struct {
    const char *name; /* also the class */
    char letter;      /* in the square, for those who do not see the colour */
} states[STATES] = {
    {"done", '\0'}, {"waiting", 'w'}, {"undefined", 'u'}, {"exited", 'x'}, {"elsewhere", '\0'},
};

static bool in(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

static enum state state_of(const struct html_warp *w, unsigned lane)
{
    return in(w->done, lane)        ? STATE_DONE
           : in(w->waiting, lane)   ? STATE_WAITING
           : in(w->undefined, lane) ? STATE_UNDEFINED
           : in(w->exited, lane)    ? STATE_EXITED
                                    : STATE_ELSEWHERE;
}

/* Units of the drawings, which are scaled to the page: 370 wide. */
#define SQUARE       10
#define PITCH        11
#define GAP          4 /* behind each eight lanes */
#define STRIP_HEIGHT 48
#define WIDTH        370

static int square_x(unsigned lane)
{
    return 3 + (int)lane * PITCH + (int)(lane / 8) * GAP;
}

static void put_square(FILE *out, int x, int y, int width, int height, enum state state, bool wrong)
{
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\" class=\"%s\"/>", x, y, width, height,
            states[state].name);
    if (wrong)
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" class=\"ring\"/>", x - 2, y - 2,
                width + 4, height + 4);
}

static void put_legend(FILE *out, const struct html_warp *w)
{
    int x = 3;
    bool seen[STATES] = {false};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        seen[state_of(w, lane)] = true;
    for (enum state s = STATE_DONE; s < STATES; s++) {
        if (!seen[s])
            continue;
        put_square(out, x, 36, 9, 9, s, false);
        fprintf(out, "<text x=\"%d\" y=\"45\" class=\"small dim\">%s</text>", x + 13, states[s].name);
        x += 24 + 6 * (int)strlen(states[s].name);
    }
    if (w->wrong)
        fprintf(out,
                "<rect x=\"%d\" y=\"36\" width=\"9\" height=\"9\" rx=\"3\" class=\"ring\"/>"
                "<text x=\"%d\" y=\"45\" class=\"small dim\">wrong</text>",
                x + 1, x + 15);
    fputc('\n', out);
}

static void put_strip(FILE *out, const struct html_warp *w)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const enum state s = state_of(w, lane);
        put_square(out, square_x(lane), 16, SQUARE, SQUARE, s, in(w->wrong, lane));
        if (states[s].letter)
            fprintf(out, "<text x=\"%d\" y=\"25\" class=\"small in\">%c</text>", square_x(lane) + 3, states[s].letter);
        if (lane % 8 == 0 || lane == WARP_LANES - 1)
            fprintf(out, "<text x=\"%d\" y=\"10\" class=\"small dim\">%u</text>", square_x(lane), lane);
    }
    fputc('\n', out);
    put_legend(out, w);
}

static void svg_begin(FILE *out, int height, const char *caption)
{
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %d %d\">\n<title>", WIDTH,
            height);
    html_text(out, caption ? caption : "a warp, lane by lane");
    fputs("</title>\n", out);
}

void html_warp(FILE *out, const struct html_warp *warp)
{
    svg_begin(out, STRIP_HEIGHT, warp->caption);
    put_strip(out, warp);
    fputs("</svg>\n", out);
    if (warp->caption) {
        fputs("<p class=\"label\">", out);
        html_text(out, warp->caption);
        fputs("</p>\n", out);
    }
}

/* --- the drawing of a case --- */

#define TRACK      9 /* between two wires */
#define BOX_WIDTH  30
#define BOX_HEIGHT 20
#define LINE       16  /* of text */
#define CHARACTER  7.3 /* wide, at 12 units */

/* Rows of one drawing: where each begins, and how many lines of text it has. */
struct rows {
    int y[WARP_LANES], lines[WARP_LANES];
    int box_x, text_x;
    int height;
};

/* The columns from the third on (lane and state come first) that are drawn as `head cell`. */
static bool is_item(const struct table_column *column, unsigned lane)
{
    return !column->hidden && column->head[0] != '\0' && column->cells[lane][0] != '\0';
}

/* Writes the text of a row, or only counts its lines (`out` NULL). An item is never broken. */
static int put_items(FILE *out, const struct sketch *s, const struct rows *rows, unsigned lane)
{
    const size_t room = (size_t)((WIDTH - rows->text_x) / CHARACTER);
    size_t used = 0;
    int lines = 1;
    for (size_t i = 1; i < s->table.count; i++) {
        const struct table_column *column = &s->table.columns[i];
        if (!is_item(column, lane))
            continue;
        const size_t length = strlen(column->head) + 1 + strlen(column->cells[lane]);
        if (used > 0 && used + 2 + length > room) {
            lines++;
            used = 0;
        }
        if (out) {
            fprintf(out, "<text x=\"%.1f\" y=\"%d\"><tspan class=\"head\">",
                    rows->text_x + (double)(used > 0 ? used + 2 : 0) * CHARACTER, rows->y[lane] + LINE * lines - 2);
            html_text(out, column->head);
            fprintf(out, "</tspan> <tspan%s>", in(column->marks, lane) ? " class=\"marked\"" : "");
            html_text(out, column->cells[lane]);
            fputs("</tspan></text>", out);
        }
        used += (used > 0 ? 2 : 0) + length;
    }
    return lines;
}

static unsigned tracks_of(const struct sketch *s)
{
    unsigned tracks = 0;
    for (unsigned lane = 0; lane < WARP_LANES && s->has_wires; lane++)
        if (s->wires[lane].used && s->wires[lane].track + 1 > tracks)
            tracks = s->wires[lane].track + 1;
    return tracks;
}

static struct rows lay_out(const struct sketch *s)
{
    const unsigned tracks = tracks_of(s);
    struct rows rows = {.box_x = 4 + (tracks > 0 ? 14 + TRACK * (int)tracks : 0), .height = STRIP_HEIGHT + 12};
    rows.text_x = rows.box_x + BOX_WIDTH + 8;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!in(s->table.rows, lane))
            continue;
        rows.y[lane] = rows.height;
        rows.lines[lane] = put_items(NULL, s, &rows, lane);
        rows.height += LINE * rows.lines[lane] + 10;
    }
    return rows;
}

/* A wire leaves the lower half of its source's box and enters the upper half of its readers'. */
static void put_wires(FILE *out, const struct sketch *s, const struct rows *rows)
{
    for (unsigned lane = 0; lane < WARP_LANES && s->has_wires; lane++) {
        const int from = s->reads[lane];
        if (from < 0 || from == (int)lane || !in(s->table.rows, lane) || !s->wires[from].used)
            continue;
        const int x = rows->box_x - 14 - TRACK * (int)s->wires[from].track;
        const int y = rows->y[from] + 14, end = rows->y[lane] + 6;
        fprintf(out,
                "<path class=\"wire\" d=\"M%d %dH%dV%dH%d\"/><path class=\"tip\" d=\"M%d %dl-6 -3.5v7z\"/>"
                "<circle class=\"tip\" cx=\"%d\" cy=\"%d\" r=\"2.5\"/>",
                rows->box_x, y, x, end, rows->box_x - 4, rows->box_x - 1, end, rows->box_x - 2, y);
    }
    fputc('\n', out);
}

static void put_row(FILE *out, const struct sketch *s, const struct html_warp *w, const struct rows *rows,
                    unsigned lane)
{
    const enum state state = state_of(w, lane);
    put_square(out, rows->box_x, rows->y[lane], BOX_WIDTH, BOX_HEIGHT, state, in(w->wrong, lane));
    fprintf(out, "<text x=\"%d\" y=\"%d\" class=\"%s\">%u</text>", rows->box_x + (lane < 10 ? 11 : 8),
            rows->y[lane] + 14, state == STATE_ELSEWHERE ? "out" : "in", lane);
    put_items(out, s, rows, lane);
    fputc('\n', out);
}

void html_case(FILE *out, const struct drawing *drawing)
{
    static struct sketch s;
    char caption[200], active[LANES_TEXT_MAX];
    draw_sketch(&s, drawing);
    const struct html_warp w = {.done = drawing->expected->done,
                                .waiting = drawing->expected->waiting,
                                .undefined = drawing->expected->undefined,
                                .exited = drawing->c->exited,
                                .wrong = s.differs};
    const struct rows rows = lay_out(&s);
    snprintf(caption, sizeof caption, "%s, active: %s", s.info->name,
             lanes_text(drawing->c->active, active, sizeof active));
    if (drawing->observed)
        html_line(out, HTML_PLAIN, NULL, "expected: %s; observed: %s", drawing->expected_name, drawing->observed_name);
    if (s.uniform_used)
        html_line(out, HTML_PLAIN, NULL, "in every lane drawn:%s", s.uniform);
    svg_begin(out, rows.height, caption);
    put_strip(out, &w);
    put_wires(out, &s, &rows);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in(s.table.rows, lane))
            put_row(out, &s, &w, &rows, lane);
    fputs("</svg>\n", out);
    const lanemask rest = drawing->c->active & ~s.table.rows;
    if (rest)
        html_line(out, HTML_PLAIN, NULL, "also active, not drawn: %s", lanes_text(rest, active, sizeof active));
}
