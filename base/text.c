#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 40u /* letters of a name that is looked for */

/* Characters that move or hide others: controls, directions of writing, breaks of lines, what takes no room. */
static bool is_invisible(uint32_t point)
{
    static const uint32_t ranges[][2] = {{0x0, 0x1f},         {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                                         {0x180e, 0x180e},    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                         {0xfeff, 0xfeff},    {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f},
                                         {0xf0000, 0x10ffff}, {0xd800, 0xdfff}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    return false;
}

/* The length of the valid, printable UTF-8 character at `s`, where `left` bytes are left; 0: there is none. */
static size_t character_length(const unsigned char *s, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = s[0] < 0x80                   ? 1
                          : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                          : (s[0] & 0xf0) == 0xe0       ? 3
                          : (s[0] & 0xf8) == 0xf0       ? 4
                                                        : 0;
    uint32_t point;
    if (length == 1)
        return !is_invisible(s[0]);
    if (length == 0 || length > left)
        return 0;
    point = s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (s[i] & 0x3fu);
    }
    return point < least[length] || point > 0x10ffff || is_invisible(point) ? 0 : length;
}

/* Returns how many bytes of the text are in `out`, which has room for at least one. */
static size_t copy_printable(const char *text, size_t length, char *out, size_t size)
{
    size_t used = 0, i = 0;
    while (i < length) {
        const unsigned char *const s = (const unsigned char *)text + i;
        const size_t whole = character_length(s, length - i), written = whole == 0 ? 4 : whole;
        if (used + written >= size)
            break;
        if (whole == 0)
            snprintf(out + used, 5, "\\x%02x", s[0]);
        else
            memcpy(out + used, s, whole);
        used += written;
        i += whole == 0 ? 1 : whole;
    }
    out[used] = '\0';
    return i;
}

const char *text_printable(const char *text, size_t length, char *out, size_t size)
{
    if (size == 0)
        return "";
    copy_printable(text, length, out, size);
    return out;
}

const char *text_cut(const char *text, size_t length, char *out, size_t size)
{
    static const char more[] = "...";
    if (copy_printable(text, length, out, size) < length) {
        copy_printable(text, length, out, size - (sizeof more - 1));
        memcpy(out + strlen(out), more, sizeof more);
    }
    return out;
}

static bool is_printable(const char *word)
{
    const size_t size = strlen(word);
    size_t i = 0, whole = 1;
    while (i < size && whole != 0) {
        whole = character_length((const unsigned char *)word + i, size - i);
        i += whole;
    }
    return whole != 0;
}

/* One character of a word in single quotes. Returns how many of its bytes were taken. */
static size_t quote_plain(const char *word, char piece[8])
{
    snprintf(piece, 8, "%s", *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    return 1;
}

/* The same within $'...': three octal digits for what is not printable. */
static size_t quote_escaped(const char *word, char piece[8])
{
    const size_t whole = character_length((const unsigned char *)word, strlen(word));
    if (whole == 0)
        snprintf(piece, 8, "\\%03o", (unsigned char)*word);
    else if (*word == '\'' || *word == '\\')
        snprintf(piece, 8, "\\%c", *word);
    else
        snprintf(piece, 8, "%.*s", (int)whole, word);
    return whole == 0 ? 1 : whole;
}

const char *text_quote(const char *word, char *text, size_t size)
{
    const bool plain = is_printable(word);
    size_t used = plain ? 1 : 2;
    if (size < 4) {
        snprintf(text, size, "%s", size == 3 ? "''" : "");
        return text;
    }
    memcpy(text, plain ? "'" : "$'", used);
    while (*word != '\0') {
        char piece[8];
        word += plain ? quote_plain(word, piece) : quote_escaped(word, piece);
        const size_t length = strlen(piece);
        if (used + length + 2 > size)
            break;
        memcpy(text + used, piece, length);
        used += length;
    }
    memcpy(text + used, "'", 2);
    return text;
}

bool text_hex(const char *text, uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        const unsigned high = text_digit(text[2 * n]), low = high < 16 ? text_digit(text[2 * n + 1]) : 16;
        if (low >= 16)
            return false;
        data[n] = (uint8_t)(high << 4 | low);
    }
    return text[2 * size] == '\0';
}

bool text_number(const char *text, uint64_t *value)
{
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *const digits = text + (hexadecimal ? 2 : 0);
    char *end;
    if (strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits) || digits[0] == '\0')
        return false;
    errno = 0;
    *value = strtoull(digits, &end, hexadecimal ? 16 : 10);
    return errno == 0 && *end == '\0';
}

bool text_ends(const char *text, const char *suffix)
{
    const size_t length = strlen(text), end = strlen(suffix);
    return length >= end && strcmp(text + length - end, suffix) == 0;
}

const char *number_text(uint64_t n)
{
    static char buffers[8][32];
    static size_t turn;
    char *buffer = buffers[turn++ % 8];
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t out = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            buffer[out++] = ',';
        buffer[out++] = digits[i];
    }
    buffer[out] = '\0';
    return buffer;
}

/* Levenshtein's distance, cut off at words longer than any name here. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD_MAX + 1];
    size_t n = strlen(a);
    size_t m = strlen(b);
    if (n > WORD_MAX || m > WORD_MAX)
        return n > m ? n : m;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < step ? change : step;
        }
    }
    return row[m];
}

const char *text_nearest(const char *word, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t least = strlen(word) / 2 + 1;
    for (size_t i = 0; i < n; i++) {
        size_t edits = distance(word, names[i]);
        bool begins = word[0] != '\0' && strncmp(names[i], word, strlen(word)) == 0;
        if (begins)
            edits = 0;
        if (edits < least) {
            least = edits;
            best = names[i];
        }
    }
    return best;
}
