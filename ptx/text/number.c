#include "ptx/text/lex.h"

#include <stdlib.h>
#include <string.h>

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static bool digits(const char *s, size_t size, unsigned base, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned)digit_value(s[i]);
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return size > 0;
}

static bool has_prefix(const struct token *t, char lower)
{
    return t->size > 2 && t->at[0] == '0' && (t->at[1] | 0x20) == lower;
}

bool number_integer(const struct token *t, uint64_t *value)
{
    size_t size = t->size;
    if (t->kind != TOKEN_NUMBER)
        return false;
    if (size > 1 && t->at[size - 1] == 'U')
        size--;
    if (has_prefix(t, 'x'))
        return digits(t->at + 2, size - 2, 16, value);
    if (has_prefix(t, 'b'))
        return digits(t->at + 2, size - 2, 2, value);
    if (size > 1 && t->at[0] == '0')
        return digits(t->at + 1, size - 1, 8, value);
    return digits(t->at, size, 10, value);
}

/* Only digits, one point at most, and an exponent: what strtod takes beyond that ("inf", "0x1p3") is not PTX. */
static bool is_decimal_float(const struct token *t)
{
    size_t i = 0, mantissa = 0, points = 0, exponent = 0;
    for (; i < t->size && (digit_value(t->at[i]) < 10 || t->at[i] == '.'); i++) {
        points += t->at[i] == '.';
        mantissa += t->at[i] != '.';
    }
    if (mantissa == 0 || points > 1)
        return false;
    if (i == t->size)
        return points == 1;
    if ((t->at[i++] | 0x20) != 'e')
        return false;
    if (i < t->size && (t->at[i] == '+' || t->at[i] == '-'))
        i++;
    for (; i < t->size && digit_value(t->at[i]) < 10; i++)
        exponent++;
    return exponent > 0 && i == t->size;
}

bool number_hex(const struct token *t, char letter, size_t count, uint64_t *bits)
{
    return t->kind == TOKEN_NUMBER && has_prefix(t, letter) && t->size == count + 2 &&
           digits(t->at + 2, count, 16, bits);
}

bool number_decimal(const struct token *t, uint64_t *bits)
{
    char copy[64];
    if (t->kind != TOKEN_NUMBER || t->size >= sizeof copy || !is_decimal_float(t))
        return false;
    memcpy(copy, t->at, t->size);
    copy[t->size] = '\0';
    double value = strtod(copy, NULL);
    memcpy(bits, &value, sizeof *bits);
    return true;
}

bool number_float(const struct token *t, uint32_t *bits, bool *hex)
{
    uint64_t value;
    double wide;
    *hex = number_hex(t, 'f', 8, &value);
    if (*hex) {
        *bits = (uint32_t)value;
        return true;
    }
    if (!number_decimal(t, &value))
        return false;
    /* PTX reads a decimal constant as f64 and rounds it where an f32 is wanted. */
    memcpy(&wide, &value, sizeof wide);
    if (wide > 3.4028235677973366e38) /* halfway between the largest f32 and 2^128: what would round to infinity */
        return false;
    float narrow = (float)wide;
    memcpy(bits, &narrow, sizeof *bits);
    return true;
}
