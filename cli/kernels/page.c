/* As a page of HTML: a verdict, a table of the entries, and a part for each that has something to tell. */
#include "cli/kernels/report.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/ui/html.h"
#include "kernel/silicon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table and the parts grow side by side; the banner above both is known last. */
struct page {
    struct buffer cells; /* five texts a row, each with its zero byte */
    enum html_tone *tones;
    size_t rows, room;
    struct file_text parts;
    bool failed;
};

#define COLUMNS 5u

struct page *page_new(struct error *error)
{
    struct page *page = calloc(1, sizeof *page);
    if (!page)
        error_set(error, ERROR_SYSTEM, "out of memory");
    if (page && !file_text_begin(&page->parts, error)) {
        free(page);
        page = NULL;
    }
    return page;
}

static enum html_tone tone_of(enum told_verdict verdict)
{
    switch (verdict) {
    case TOLD_CLEAN:
    case TOLD_KNOWN:
        return HTML_GOOD;
    case TOLD_ERROR:
        return HTML_BAD;
    case TOLD_UNKNOWN:
    case TOLD_UNREACHED:
    case TOLD_NOTHING:
    case TOLD_UNREAD:
    case TOLD_VERDICTS:
        break;
    }
    return HTML_OPEN;
}

static void add_cell(struct page *page, const char *text)
{
    buffer_add(&page->cells, text, strlen(text) + 1);
}

static void add_row(struct page *page, const struct told *told)
{
    enum html_tone *larger = array_grow(page->tones, page->rows, &page->room, sizeof *page->tones);
    struct totals own = {0};
    char number[32];
    if (!larger) {
        page->failed = true;
        return;
    }
    page->tones = larger;
    page->tones[page->rows++] = tone_of(told->verdict);
    totals_add(&own, told);
    add_cell(page, told->path);
    add_cell(page, told->name);
    add_cell(page, told_verdict_name(told->verdict));
    add_cell(page, told->search ? number_text(told->search->executions) : "");
    snprintf(number, sizeof number, "%u", own.errors);
    add_cell(page, told->search ? number : "");
}

/* ---- one finding ---- */

static void add_lanes(FILE *out, const struct kernel_event *e)
{
    char caption[96];
    for (uint32_t n = 0; n < e->waits_count; n++) {
        const struct kernel_wait *w = &e->waits[n];
        snprintf(caption, sizeof caption,
                 w->circles ? "warp %u: lanes that go round in a loop"
                            : "warp %u waits; marked: the lanes that it waits for",
                 w->warp);
        html_warp(out, &(struct html_warp){.waiting = w->circles ? 0 : w->lanes,
                                           .done = w->circles ? w->lanes : 0,
                                           .wrong = w->missing,
                                           .caption = caption});
    }
    if (e->waits_count > 0 || e->kind == KERNEL_PARTITION)
        return;
    snprintf(caption, sizeof caption, "warp %u: the lanes that it is about are marked", e->warp);
    html_warp(out, &(struct html_warp){.undefined = e->kind == KERNEL_UNDEFINED ? e->lanes : 0,
                                       .done = e->kind == KERNEL_UNDEFINED ? 0 : e->lanes | e->others,
                                       .wrong = e->lanes,
                                       .caption = caption});
}

static void add_input(FILE *out, const struct told *told, const struct kernel_finding *f)
{
    const struct kernel_search *s = told->search;
    char input[KERNEL_INPUT_TEXT_MAX], word[2 * KERNEL_INPUT_TEXT_MAX], path[1024];
    struct buffer b = {0};
    kernel_input_describe(&s->slots, &f->input, &b);
    html_line(out, HTML_PLAIN, "Input", "%s", buffer_string(&b));
    buffer_free(&b);
    if (f->is_question) {
        kernel_question_text(&s->slots, &f->input, &b);
        html_code(out, "Question", buffer_string(&b));
        buffer_free(&b);
    }
    kernel_rule_text(&s->slots, &f->rule, &b);
    if (f->rule.kind != RULE_NONE)
        html_line(out, HTML_PLAIN, "Rule", "%s", buffer_string(&b));
    buffer_free(&b);
    silicon_known_text(f->event.kind, &b);
    if (b.size > 0)
        html_line(out, HTML_PLAIN, "Silicon", "%s", buffer_string(&b));
    buffer_free(&b);
    kernel_input_text(&s->slots, &f->input, input, sizeof input);
    buffer_format(&b, "warpcheck kernel %s %s --input %s", text_quote(told->path, path, sizeof path), told->name,
                  text_quote(input, word, sizeof word));
    html_code(out, "Replay", buffer_string(&b));
    buffer_free(&b);
}

static void add_finding(FILE *out, const struct told *told, uint32_t index)
{
    const struct kernel_finding *f = &told->search->findings[index];
    bool is_error = kernel_finding_is_error(f);
    struct buffer b = {0};
    buffer_format(&b, "%s %s: ", told->known[index] ? "known" : finding_word(f), kernel_kind_name(f->event.kind));
    kernel_event_text(told->search->code, &f->event, &b);
    html_finding_begin(out, !is_error ? HTML_OPEN : told->known[index] ? HTML_GOOD : HTML_BAD, buffer_string(&b));
    buffer_free(&b);
    if (told->known[index])
        html_line(out, HTML_PLAIN, "Known", "%s", told->known[index]);
    kernel_event_describe(told->search->code, &f->event, &b);
    html_code(out, NULL, buffer_string(&b));
    buffer_free(&b);
    add_lanes(out, &f->event);
    add_input(out, told, f);
    html_finding_end(out);
}

static void add_part(FILE *out, const struct told *told)
{
    const struct kernel_search *s = told->search;
    char heading[1200];
    snprintf(heading, sizeof heading, "%.512s: %.512s", told->path, told->name);
    html_section_begin(out, heading);
    if (!s) {
        html_line(out, HTML_OPEN, "Not read", "%s", told->why);
    } else {
        html_line(out, HTML_PLAIN, NULL, "%s executions, %s groups, %u of %u warp instructions reached.",
                  number_text(s->executions), number_text(s->groups), s->warp_instructions_seen, s->warp_instructions);
        if (s->endless)
            html_line(out, HTML_OPEN, "Unknown",
                      "progress not shown in %s executions, which did not end within --steps", number_text(s->endless));
        for (uint32_t n = 0; n < s->findings_count; n++)
            if (is_told(told, &s->findings[n]))
                add_finding(out, told, n);
    }
    html_section_end(out);
}

void page_add(struct page *page, const struct told *told)
{
    struct totals own = {0};
    add_row(page, told);
    totals_add(&own, told);
    if (told->verdict != TOLD_CLEAN || own.questions > 0)
        add_part(page->parts.stream, told);
}

/* ---- the whole ---- */

static void put_table(FILE *out, const struct page *page)
{
    static const struct html_column columns[COLUMNS] = {
        {"File", false}, {"Entry", false}, {"Verdict", false}, {"Executions", true}, {"Errors", true}};
    struct html_table table = html_table_begin(out, columns, COLUMNS);
    const char *at = page->cells.data;
    for (size_t n = 0; n < page->rows; n++) {
        const char *cells[COLUMNS];
        for (size_t k = 0; k < COLUMNS; k++, at += strlen(at) + 1)
            cells[k] = at;
        html_table_row(&table, page->tones[n], cells);
    }
    html_table_end(&table);
}

static void put_verdict(FILE *out, const struct totals *t)
{
    uint32_t open =
        t->entries[TOLD_UNKNOWN] + t->entries[TOLD_UNREACHED] + t->entries[TOLD_NOTHING] + t->entries[TOLD_UNREAD];
    uint32_t all = open + t->entries[TOLD_CLEAN] + t->entries[TOLD_KNOWN] + t->entries[TOLD_ERROR];
    char line[256];
    snprintf(line, sizeof line,
             "%u entries: %u with errors, %u clean, %u clean but for what is known, %u unknown, %u not reached, "
             "%u with nothing to check, %u not read.",
             all, t->entries[TOLD_ERROR], t->entries[TOLD_CLEAN], t->entries[TOLD_KNOWN], t->entries[TOLD_UNKNOWN],
             t->entries[TOLD_UNREACHED], t->entries[TOLD_NOTHING], t->entries[TOLD_UNREAD]);
    html_verdict(out,
                 t->errors ? HTML_BAD
                 : open    ? HTML_OPEN
                           : HTML_GOOD,
                 t->errors ? "ERROR"
                 : open    ? "open"
                           : "clean",
                 line);
}

bool page_write(struct page *page, const struct totals *totals, const char *path, struct error *error)
{
    struct file_text whole;
    bool ok = file_text_begin(&whole, error);
    if (ok) {
        html_begin(whole.stream, "Kernels");
        put_verdict(whole.stream, totals);
        html_line(whole.stream, HTML_PLAIN, NULL,
                  "Clean means clean on the executions that were tried. It is no proof.");
        put_table(whole.stream, page);
        fflush(page->parts.stream);
        fwrite(page->parts.data, 1, page->parts.size, whole.stream);
        html_end(whole.stream);
        ok = page->failed || page->cells.failed ? error_set(error, ERROR_SYSTEM, "out of memory")
                                                : file_text_end(&whole, path, error);
    }
    fclose(page->parts.stream);
    free(page->parts.data);
    buffer_free(&page->cells);
    free(page->tones);
    free(page);
    return ok;
}
