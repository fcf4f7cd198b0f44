#include "warpcheck/text.h"

#include "fields.h"
#include "file.h"

#include <string.h>

static void write_operands(struct writer *w, const struct warp_case *c, const struct warp_form_info *info)
{
    for (enum field field = FIELD_A; field < FIELDS; field = (enum field)(field + 1)) {
        unsigned bits = field_bits(info, field);
        if (bits == 0)
            continue;
        writer_char(w, ' ');
        writer_string(w, field_names[field]);
        writer_char(w, '=');
        writer_list(w, field_values(c, field), bits == 64 ? c->a_high : NULL);
    }
}

size_t warp_case_to_text(const struct warp_case *c, char *buf, size_t size)
{
    struct writer w = {buf, size, 0};
    const struct warp_form_info *info = warp_form_get(c->form);
    const char *target = warp_target_name(c->target);
    if (info == NULL || target == NULL)
        return writer_end(&w); /* not a case: warp_case_check says why */
    writer_string(&w, "warp1 ");
    writer_string(&w, info->name);
    writer_char(&w, ' ');
    writer_string(&w, warp_dst_name(c->dst));
    writer_string(&w, c->negate ? " !a target=" : " target=");
    writer_string(&w, target);
    writer_string(&w, " exited=");
    writer_hex(&w, "0x", c->exited, 1);
    writer_string(&w, " active=");
    writer_hex(&w, "0x", c->active, 1);
    write_operands(&w, c, info);
    return writer_end(&w);
}

static bool read_field(struct reader *r, struct draft *draft, const struct word *w)
{
    struct word key, value;
    char quote[QUOTE_MAX];
    if (word_is(w, "!a"))
        return draft_negate(r, draft, w);
    if (!word_split(w, &key, &value))
        return reader_fail(r, w->place, "%s is not expected here: key=value or => is", word_quote(w, quote));
    return draft_set(r, draft, &key, &value);
}

/* The rest of a line whose first word was warp1. */
static bool read_line(struct reader *r, struct warp_text *out)
{
    struct draft draft = {.c = &out->c};
    struct word w = reader_word(r);
    if (!draft_instruction(r, &draft, &w))
        return false;
    w = reader_word(r);
    if (!draft_destinations(r, &draft, &w))
        return false;
    for (w = reader_word(r); w.size > 0 && !word_is(&w, "=>"); w = reader_word(r))
        if (!read_field(r, &draft, &w))
            return false;
    if (!draft_finish(r, &draft, w.place))
        return false;
    /* Behind a finding's observed result stand ` expected`, the reference's result and names (check/finding.h). */
    if (w.size > 0 && !result_read(r, out, "expected"))
        return false;
    if (reader_next_line(r) && reader_skip_blank(r))
        return reader_fail(r, reader_word(r).place, "text follows the case: there must be one case, on one line");
    return true;
}

/* "warp1": is the word this prefix with a version? Only version 1 is read. */
static bool is_versioned(const struct word *w, const char *prefix)
{
    size_t n = strlen(prefix);
    return w->size > n && memcmp(w->at, prefix, n) == 0 && w->at[n] >= '0' && w->at[n] <= '9';
}

bool warp_text_parse(const char *text, size_t size, struct warp_text *out, struct warp_text_error *error)
{
    struct reader r;
    struct word first;
    char quote[QUOTE_MAX];
    memset(out, 0, sizeof *out);
    reader_init(&r, size > 0 ? text : "", size, error);
    if (!reader_skip_blank(&r))
        return reader_fail(&r, (struct place){1, 1}, "the text is empty: a case starts with warp1 or warpcheck-case 1");
    first = reader_word(&r);
    if (word_is(&first, "warp1"))
        return read_line(&r, out);
    if (word_is(&first, "warpcheck-case"))
        return text_read_file(&r, out);
    if (is_versioned(&first, "warp"))
        return reader_fail(&r, first.place, "unsupported version %s: this program reads warp1",
                           word_quote(&first, quote));
    return reader_fail(&r, first.place, "a case starts with warp1 or with warpcheck-case 1, not with %s",
                       word_quote(&first, quote));
}

/* --- lists of cases --- */

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\r';
}

/* The text of a line without the blanks around it. */
struct trimmed {
    const char *at;
    size_t size;
};

static struct trimmed trim(const char *at, size_t size)
{
    while (size > 0 && is_blank(*at))
        at++, size--;
    while (size > 0 && is_blank(at[size - 1]))
        size--;
    return (struct trimmed){at, size};
}

struct warp_text_list warp_text_begin(const char *text, size_t size)
{
    return (struct warp_text_list){.at = text, .end = text + size, .next_line = 1};
}

/* The first line of a comment names the case below it when it is one word. */
static void take_comment(struct warp_text_list *list, struct trimmed comment, bool first)
{
    const struct trimmed words = trim(comment.at + 1, comment.size - 1);
    if (!first)
        return;
    list->name = words.at;
    list->name_size = words.size;
    for (size_t i = 0; i < words.size; i++)
        if (is_blank(words.at[i]))
            list->name_size = 0;
}

static enum warp_text_step parse(struct warp_text_list *list, const char *at, size_t size, struct warp_text *out,
                                 struct warp_text_error *error)
{
    if (warp_text_parse(at, size, out, error))
        return WARP_TEXT_CASE;
    error->line += list->line - 1;
    return WARP_TEXT_WRONG;
}

enum warp_text_step warp_text_next(struct warp_text_list *list, struct warp_text *out, struct warp_text_error *error)
{
    static const char file[] = "warpcheck-case";
    bool in_comment = false;
    list->name_size = 0;
    while (list->at < list->end) {
        const char *start = list->at, *newline = memchr(start, '\n', (size_t)(list->end - start));
        const char *end = newline != NULL ? newline : list->end;
        const struct trimmed line = trim(start, (size_t)(end - start));
        list->line = list->next_line++;
        list->at = newline != NULL ? newline + 1 : list->end;
        if (line.size == 0) {
            in_comment = false;
            list->name_size = 0;
        } else if (line.at[0] == '#') {
            take_comment(list, line, !in_comment);
            in_comment = true;
        } else if (line.size >= sizeof file - 1 && memcmp(line.at, file, sizeof file - 1) == 0) {
            list->at = list->end;
            return parse(list, start, (size_t)(list->end - start), out, error);
        } else {
            return parse(list, start, (size_t)(end - start), out, error);
        }
    }
    return WARP_TEXT_END;
}

bool warp_result_parse(const char *text, size_t size, struct warp_text *out, struct warp_text_error *error)
{
    struct reader r;
    out->parts = 0;
    memset(&out->result, 0, sizeof out->result);
    reader_init(&r, size > 0 ? text : "", size, error);
    return result_read(&r, out, NULL);
}

static const char *skip_blanks(const char *at, const char *end, const char *blanks)
{
    while (at < end && *at != '\0' && strchr(blanks, *at) != NULL)
        at++;
    return at;
}

bool warp_text_declines(const char *text, size_t size, const char **why, size_t *why_size)
{
    static const char words[] = "not accepted";
    const char *const end = text + size;
    const char *at = skip_blanks(text, end, " \t");
    /* A case begins with `w` and has no `>`: one look at the first letter spares the search where nobody declines. */
    while (at < end && *at != 'n') {
        const char *const arrow = memchr(at, '>', (size_t)(end - at));
        if (arrow == NULL)
            return false;
        at = skip_blanks(arrow + 1, end, " \t");
        if (arrow == text || arrow[-1] != '=' || at == end || *at != 'n')
            return false;
    }
    if ((size_t)(end - at) < sizeof words - 1 || memcmp(at, words, sizeof words - 1) != 0)
        return false;
    *why = skip_blanks(at + sizeof words - 1, end, ": \t");
    *why_size = (size_t)(end - *why);
    return true;
}
