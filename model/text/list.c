#include "warpcheck/text.h"

#include <string.h>

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
