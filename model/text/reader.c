#include "reader.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reader_init(struct reader *r, const char *text, size_t size, struct warp_text_error *error)
{
    r->at = r->line_start = text;
    r->end = text + size;
    r->line = 1;
    r->error = error;
}

static struct place place_of(const struct reader *r, const char *at)
{
    return (struct place){r->line, (size_t)(at - r->line_start) + 1};
}

bool reader_fail(struct reader *r, struct place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->error->line = place.line;
    r->error->column = place.column;
    vsnprintf(r->error->what, sizeof r->error->what, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_blank(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Does a word end before this character? A table: most of the time in a pipeline goes into reading. */
static bool ends_word(char ch)
{
    static const bool ends[UCHAR_MAX + 1] = {[' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true, ['#'] = true};
    return ends[(unsigned char)ch];
}

struct word reader_word(struct reader *r)
{
    const char *at = r->at;
    const char *start;
    while (at < r->end && is_blank(*at))
        at++;
    start = at;
    while (at < r->end && !ends_word(*at))
        at++;
    r->at = at;
    return (struct word){start, (size_t)(at - start), place_of(r, start)};
}

bool reader_next_line(struct reader *r)
{
    const char *newline = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    if (newline == NULL) {
        r->at = r->end;
        return false;
    }
    r->at = r->line_start = newline + 1;
    r->line++;
    return true;
}

bool reader_skip_blank(struct reader *r)
{
    do {
        const char *start = r->at;
        if (reader_word(r).size > 0) {
            r->at = start;
            return true;
        }
    } while (reader_next_line(r));
    return false;
}

bool word_is(const struct word *w, const char *text)
{
    return strlen(text) == w->size && memcmp(text, w->at, w->size) == 0;
}

const char *word_quote(const struct word *w, char quote[QUOTE_MAX])
{
    const size_t most = QUOTE_MAX - 4;
    size_t n = 0, i = 0;
    for (; i < w->size; i++) {
        const bool printable = w->at[i] > ' ' && w->at[i] < 127;
        if (n + (printable ? 1 : 4) > most)
            break;
        n += (size_t)snprintf(quote + n, 5, printable ? "%c" : "\\x%02x", (unsigned char)w->at[i]);
    }
    strcpy(quote + n, i < w->size ? "..." : "");
    return quote;
}

bool word_split(const struct word *w, struct word *key, struct word *value)
{
    const char *equals = memchr(w->at, '=', w->size);
    if (equals == NULL)
        return false;
    *key = *value = *w;
    key->size = (size_t)(equals - w->at);
    value->at = equals + 1;
    value->size = w->size - key->size - 1;
    value->place.column += key->size + 1;
    return true;
}

/* The value of a digit; 16 and more: it is none. base/ has the same, which this library stands without. */
static unsigned digit_of(char ch)
{
    /* clang-format off */
    static const uint8_t one_more[UCHAR_MAX + 1] = {
        ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
        ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
        ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};
    /* clang-format on */
    return one_more[(unsigned char)ch] - 1u;
}

/* Where a number stands: `at` moves on, `end` is the end of the word. */
struct span {
    const char *at;
    const char *end;
};

/* Reads digits up to what is none. False when they say more than `most`. */
static bool add_digits(struct span *s, unsigned base, uint64_t most, uint64_t *value)
{
    const ptrdiff_t surely_fit = base == 16 ? 16 : 19;
    const uint64_t most_before = base == 16 ? UINT64_MAX / 16 : UINT64_MAX / 10; /* what can take one more digit */
    const char *at = s->at, *const short_end = s->end - at > surely_fit ? at + surely_fit : s->end;
    uint64_t sum = 0;
    for (unsigned digit; at < short_end && (digit = digit_of(*at)) < base; at++)
        sum = sum * base + digit;
    for (unsigned digit; at < s->end && (digit = digit_of(*at)) < base; at++) {
        if (sum > most_before || sum * base > UINT64_MAX - digit)
            return false;
        sum = sum * base + digit;
    }
    s->at = at;
    *value = sum;
    return sum <= most;
}

static bool scan_digits(struct reader *r, struct span *s, const char *start, unsigned base, uint64_t most,
                        uint64_t *value)
{
    const char *first = s->at;
    if (!add_digits(s, base, most, value))
        return reader_fail(r, place_of(r, start), "the number is too large: it must be at most 0x%llx here",
                           (unsigned long long)most);
    if (s->at == first)
        return reader_fail(r, place_of(r, start), "a number is expected: decimal, 0x... or 0f...");
    return true;
}

static bool scan_float(struct reader *r, struct span *s, const char *start, unsigned bits, uint64_t *value)
{
    const char *first = s->at;
    if (bits != 32)
        return reader_fail(r, place_of(r, start), "a 0f number has 32 bits, which this operand has not");
    while (s->at < s->end && digit_of(*s->at) < 16)
        s->at++;
    if (s->at - first != 8)
        return reader_fail(r, place_of(r, start), "a 0f number has exactly eight hexadecimal digits");
    s->at = first;
    return scan_digits(r, s, start, 16, UINT32_MAX, value);
}

static bool scan_negative(struct reader *r, struct span *s, const char *start, unsigned bits, uint64_t *value)
{
    const uint64_t most = (uint64_t)1 << (bits - 1);
    if (bits == 1)
        return reader_fail(r, place_of(r, start), "a predicate is 0 or 1");
    if (!scan_digits(r, s, start, 10, most, value))
        return false;
    *value = (0 - *value) & (UINT64_MAX >> (64 - bits));
    return true;
}

static bool scan_number(struct reader *r, struct span *s, unsigned bits, uint64_t *value)
{
    const char *start = s->at;
    const uint64_t most = UINT64_MAX >> (64 - bits);
    if (s->end - start > 2 && start[0] == '0' && (start[1] | 0x20) == 'x') {
        s->at += 2;
        return scan_digits(r, s, start, 16, most, value);
    }
    if (s->end - start > 2 && start[0] == '0' && (start[1] | 0x20) == 'f') {
        s->at += 2;
        return scan_float(r, s, start, bits, value);
    }
    if (s->at < s->end && *start == '-') {
        s->at++;
        return scan_negative(r, s, start, bits, value);
    }
    return scan_digits(r, s, start, 10, most, value);
}

static bool scan_stepped(struct reader *r, struct span *s, unsigned bits, uint64_t *value, uint64_t *step)
{
    *step = 0;
    if (!scan_number(r, s, bits, value))
        return false;
    if (s->at == s->end || *s->at != '+')
        return true;
    s->at++;
    return scan_number(r, s, bits, step);
}

static bool expect_end(struct reader *r, const struct span *s)
{
    return s->at == s->end || reader_fail(r, place_of(r, s->at), "a number ends before this character");
}

static struct span span_of(const struct word *w)
{
    return (struct span){w->at, w->at + w->size};
}

bool reader_number(struct reader *r, const struct word *w, unsigned bits, uint64_t *value)
{
    struct span s = span_of(w);
    return scan_number(r, &s, bits, value) && expect_end(r, &s);
}

bool reader_mask(struct reader *r, const struct word *w, lanemask *mask)
{
    uint64_t number;
    if (!reader_number(r, w, 32, &number))
        return false;
    *mask = (lanemask)number;
    return true;
}

bool reader_stepped(struct reader *r, const struct word *w, unsigned bits, uint64_t *value, uint64_t *step)
{
    struct span s = span_of(w);
    return scan_stepped(r, &s, bits, value, step) && expect_end(r, &s);
}

static bool scan_repetition(struct reader *r, struct span *s, uint64_t *times)
{
    const char *start = s->at;
    *times = 1;
    if (s->at == s->end || *s->at != '*')
        return true;
    s->at++;
    if (!scan_digits(r, s, start + 1, 10, WARP_LANES, times))
        return false;
    return *times > 0 || reader_fail(r, place_of(r, start + 1), "a repetition is from 1 to 32");
}

/* v, v*n or v+s*n; appends to the list. */
static bool scan_element(struct reader *r, struct span *s, unsigned bits, uint64_t values[WARP_LANES], size_t *count)
{
    const char *start = s->at;
    const uint64_t limit = bits == 64 ? UINT64_MAX : UINT32_MAX; /* a predicate is not counted up modulo 2 */
    uint64_t value, step, times;
    if (!scan_stepped(r, s, bits, &value, &step) || !scan_repetition(r, s, &times))
        return false;
    if (times > WARP_LANES - *count)
        return reader_fail(r, place_of(r, start), "the list has more than 32 elements: it must have one for each lane");
    for (; times > 0; times--, value += step)
        values[(*count)++] = value & limit;
    return true;
}

bool reader_list(struct reader *r, const struct word *w, unsigned bits, uint64_t values[WARP_LANES])
{
    struct span s = span_of(w);
    size_t count = 0;
    while (scan_element(r, &s, bits, values, &count)) {
        if (s.at < s.end && *s.at == ',') {
            s.at++;
            continue;
        }
        if (s.at < s.end)
            return reader_fail(r, place_of(r, s.at), "elements of a list are separated by commas: v, v*n or v+s*n");
        if (count < WARP_LANES)
            return reader_fail(r, w->place, "the list has %zu elements: it must have 32, one for each lane", count);
        return true;
    }
    return false;
}
