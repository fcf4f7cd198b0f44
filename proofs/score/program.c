#include "proofs/score/program.h"

#include "proofs/score/expression.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void start_line(struct program *p)
{
    for (unsigned i = 0; i < p->indent; i++)
        buffer_text(p->out, "    ");
}

/* --- statements --- */

static void statements(struct program *p, unsigned n, unsigned depth);

static void assignment(struct program *p)
{
    const unsigned width = place_width(p);
    struct buffer place = {0}, text = {0};
    struct each v = expression_write(p, &text, width, DEPTH, false);
    const struct place at = place_any(p, &place, width, true, 1);
    start_line(p);
    buffer_format(p->out, "%s = %s;\n", buffer_string(&place), buffer_string(&text));
    place_store(p, &at, &v);
    buffer_free(&place);
    buffer_free(&text);
}

static void set_variable(struct program *p)
{
    const unsigned which = any(p, p->variables_n);
    struct variable *const v = &p->variables[which];
    struct each value;
    start_line(p);
    buffer_format(p->out, "v%u = (%sint%u_t)", which, v->is_signed ? "" : "u", v->width);
    value = expression_write(p, p->out, v->width, DEPTH, false);
    buffer_text(p->out, ";\n");
    EACH_LIVE (p, r)
        v->value.run[r] = bits_extended(value.run[r], v->width, v->is_signed);
}

/* Bytes of one object to one that may be the same. */
static void copy(struct program *p)
{
    const unsigned n = 1 + any(p, 8);
    struct buffer text = {0};
    struct address to, from;
    to = place_bytes(p, &text, n, true, BYTES);
    buffer_text(&text, ", ");
    from = place_bytes(p, &text, n, false, BYTES);
    start_line(p);
    buffer_format(p->out, "%s(%s, %u);\n", to.object[0] == from.object[0] ? "memmove" : "memcpy", buffer_string(&text),
                  n);
    EACH_LIVE (p, r)
        memmove(p->objects[to.object[r]].run[r] + 8 * to.byte[r], p->objects[from.object[r]].run[r] + 8 * from.byte[r],
                8 * n);
    buffer_free(&text);
}

static void set_bytes(struct program *p)
{
    const unsigned n = 1 + any(p, 8), byte = any(p, 256);
    const struct bits v = bits_of(byte);
    struct address to;
    start_line(p);
    buffer_text(p->out, "memset(");
    to = place_bytes(p, p->out, n, true, BYTES);
    buffer_format(p->out, ", %u, %u);\n", byte, n);
    for (unsigned i = 0; i < n; i++)
        EACH_LIVE (p, r)
            memcpy(p->objects[to.object[r]].run[r] + 8 * (to.byte[r] + i), v.at, 8);
}

/* One object becomes another of its type. */
static void assign_object(struct program *p)
{
    const unsigned to = place_object(p, true, 0), from = place_object(p, false, 0);
    if (p->objects[to].size != p->objects[from].size) {
        copy(p);
        return;
    }
    start_line(p);
    buffer_format(p->out, "%s = %s;\n", p->objects[to].text, p->objects[from].text);
    EACH_LIVE (p, r)
        memcpy(p->objects[to].run[r], p->objects[from].run[r], 8 * p->objects[to].size);
}

static void branch(struct program *p, unsigned depth)
{
    bool before[RUNS], holds[RUNS];
    memcpy(before, p->live, sizeof before);
    start_line(p);
    buffer_text(p->out, "if (");
    condition_write(p, p->out, 1, holds);
    buffer_text(p->out, ") {\n");
    program_enter(p, before, holds, false);
    statements(p, 1 + any(p, 3), depth - 1);
    if (any(p, 3) != 0) {
        start_line(p);
        buffer_text(p->out, "} else {\n");
        program_enter(p, before, holds, true);
        statements(p, 1 + any(p, 3), depth - 1);
    }
    start_line(p);
    buffer_text(p->out, "}\n");
    memcpy(p->live, before, sizeof before);
}

/* Some ways leave the block early. */
static void leave(struct program *p, unsigned depth)
{
    bool before[RUNS], within[RUNS], holds[RUNS];
    memcpy(before, p->live, sizeof before);
    start_line(p);
    buffer_text(p->out, "do {\n");
    for (unsigned i = 1 + any(p, 2); i > 0; i--) {
        statements(p, 1 + any(p, 2), depth - 1);
        start_line(p);
        memcpy(within, p->live, sizeof within);
        buffer_text(p->out, "    if (");
        condition_write(p, p->out, 1, holds);
        buffer_text(p->out, ")\n");
        program_enter(p, within, holds, true);
        start_line(p);
        buffer_text(p->out, "        break;\n");
    }
    statements(p, 1 + any(p, 2), depth - 1);
    start_line(p);
    buffer_text(p->out, "} while (0);\n");
    memcpy(p->live, before, sizeof before);
}

static void several_ways(struct program *p, unsigned depth)
{
    bool before[RUNS], falls[RUNS] = {false};
    struct each v;
    memcpy(before, p->live, sizeof before);
    start_line(p);
    buffer_text(p->out, "switch (");
    v = expression_write(p, p->out, 8, DEPTH, true);
    buffer_text(p->out, " & 3) {\n");
    for (unsigned k = 0; k < 4; k++) {
        start_line(p);
        if (k < 3)
            buffer_format(p->out, "case %u:\n", k);
        else
            buffer_text(p->out, "default:\n");
        for (unsigned r = 0; r < RUNS; r++)
            p->live[r] = before[r] && (falls[r] || (bits_number(&v.run[r], 8) & 3) == k);
        statements(p, 1 + any(p, 2), depth - 1);
        const bool ends = k == 3 || any(p, 3) != 0;
        for (unsigned r = 0; r < RUNS; r++)
            falls[r] = p->live[r] && !ends;
        if (ends) {
            start_line(p);
            buffer_text(p->out, "    break;\n");
        }
    }
    start_line(p);
    buffer_text(p->out, "}\n");
    memcpy(p->live, before, sizeof before);
}

/* Bytes one after the other, each perhaps changed; so many more where h is 1. */
static void loop(struct program *p)
{
    const unsigned n = 1 + any(p, 4), more = any(p, 4), byte = any(p, 256), all = n + more;
    unsigned how = any(p, 3);
    struct buffer text = {0};
    struct address to, from;
    to = place_bytes(p, &text, all, true, 1);
    buffer_format(&text, ";\n");
    start_line(p);
    buffer_format(p->out, "for (uint32_t i = 0; i < %u + h * %u; i++) {\n", n, more);
    p->indent++;
    start_line(p);
    buffer_format(p->out, "uint8_t *to = %s", buffer_string(&text));
    buffer_free(&text);
    text = (struct buffer){0};
    from = place_bytes(p, &text, all, false, 1);
    EACH_LIVE (p, r)
        if (memchr(p->objects[from.object[r]].run[r] + 8 * from.byte[r], BIT_UNWRITTEN, 8 * all) != NULL)
            how = 0;
    start_line(p);
    if (how == 0)
        buffer_format(p->out, "to[i] = (uint8_t)(%u + i * %u);\n", byte, all);
    else if (how == 1)
        buffer_format(p->out, "to[i] = (uint8_t)((%s)[i] ^ %u);\n", buffer_string(&text), byte);
    else
        buffer_format(p->out, "to[%u - i] = (%s)[i];\n", all - 1, buffer_string(&text));
    p->indent--;
    start_line(p);
    buffer_text(p->out, "}\n");
    EACH_LIVE (p, r)
        for (unsigned i = 0; i < n + H(r) * more; i++) {
            const unsigned at = to.byte[r] + (how == 2 ? all - 1 - i : i);
            const struct bits fixed = bits_of(how == 0 ? byte + i * all : byte);
            struct bits v = bits_of(0);
            memcpy(v.at, p->objects[from.object[r]].run[r] + 8 * (from.byte[r] + i), 8);
            if (how == 0)
                v = fixed;
            else if (how == 1)
                bits_combine('^', &v, &fixed, &v);
            memcpy(p->objects[to.object[r]].run[r] + 8 * at, v.at, 8);
        }
    buffer_free(&text);
}

static void set_pointer(struct program *p)
{
    const unsigned which = any(p, POINTERS);
    struct address at;
    start_line(p);
    buffer_format(p->out, "p%u = ", which);
    at = place_bytes(p, p->out, 1 + any(p, 4), true, 8);
    buffer_text(p->out, ";\n");
    EACH_LIVE (p, r) {
        p->pointers[which].object[r] = at.object[r];
        p->pointers[which].byte[r] = at.byte[r];
    }
}

/* Four words at once. */
static void vector(struct program *p)
{
    const unsigned how = any(p, 4), a = any(p, 4), b = any(p, 4), by = any(p, 32);
    struct buffer text = {0};
    if (!place_has_object(p, VECTOR)) {
        copy(p);
        return;
    }
    const struct address at = place_bytes(p, &text, VECTOR, true, BYTES);
    uint8_t *bits[RUNS], before[8 * VECTOR];
    bool written = true;
    struct each v;
    for (unsigned r = 0; r < RUNS; r++) {
        bits[r] = p->objects[at.object[r]].run[r] + 8 * at.byte[r];
        written = written && memchr(bits[r], BIT_UNWRITTEN, sizeof before) == NULL;
    }
    if (!written) {
        buffer_free(&text);
        copy(p);
        return;
    }
    start_line(p);
    buffer_format(p->out, "{ V_%u y; memcpy(&y, %s, 16); ", p->name, buffer_string(&text));
    if (how == 0) {
        buffer_format(p->out, "y = __builtin_shufflevector(y, y, %u, 3, %u, 0);", a, b);
        EACH_LIVE (p, r) {
            const unsigned from[4] = {a, 3, b, 0};
            memcpy(before, bits[r], sizeof before);
            for (unsigned k = 0; k < 4; k++)
                memcpy(bits[r] + 32 * k, before + 32 * from[k], 32);
        }
    } else if (how == 1) {
        buffer_format(p->out, "y[%u] = ", a);
        v = expression_write(p, p->out, 32, 2, false);
        buffer_text(p->out, ";");
        EACH_LIVE (p, r)
            memcpy(bits[r] + 32 * a, v.run[r].at, 32);
    } else {
        buffer_format(p->out, how == 2 ? "y = y << %u;" : "y = ~y >> %u;", by);
        for (unsigned k = 0; k < 4; k++)
            EACH_LIVE (p, r) {
                struct bits w = bits_of(0);
                memcpy(w.at, bits[r] + 32 * k, 32);
                w = how == 2 ? bits_shifted_left(w, by) : bits_shifted_right(bits_not(w), 32, by, false);
                memcpy(bits[r] + 32 * k, w.at, 32);
            }
    }
    buffer_format(p->out, " memcpy(%s, &y, 16); }\n", buffer_string(&text));
    buffer_free(&text);
}

/* A new object, whose bytes are set or not; or a table. */
static void declare(struct program *p, bool is_written, bool is_const)
{
    static const char *const letters = "abcdef";
    struct object *const o = &p->objects[p->objects_n];
    const char letter = letters[p->objects_n++];
    const unsigned size = 8 * (1 + any(p, 1 + any(p, SIZES))), how = is_const ? 1 : is_written ? any(p, 2) : 2;
    *o = (struct object){.size = size, .is_const = is_const};
    snprintf(o->text, sizeof o->text, "%c", letter);
    start_line(p);
    buffer_format(p->out, "%sunion O%u_%u %c", is_const ? "static const " : "", size, p->name, letter);
    if (how == 1)
        buffer_text(p->out, " = {{");
    for (unsigned i = 0; i < size; i++) {
        const unsigned byte = any(p, 256);
        const struct bits v = bits_of(byte);
        for (unsigned r = 0; r < RUNS; r++)
            if (how == 0)
                memset(o->run[r] + 8 * i, BIT_0, 8);
            else if (how == 1)
                memcpy(o->run[r] + 8 * i, v.at, 8);
            else
                memset(o->run[r] + 8 * i, BIT_UNWRITTEN, 8);
        if (how == 1)
            buffer_format(p->out, "%s%u", i == 0 ? "" : ", ", byte);
    }
    buffer_text(p->out, how == 0 ? " = {{0}};\n" : how == 1 ? "}};\n" : ";\n");
}

/* Statements with an object of their own. */
static void block(struct program *p, unsigned depth)
{
    const unsigned object = p->objects_n;
    if (object == OBJECTS) {
        assignment(p);
        return;
    }
    start_line(p);
    buffer_text(p->out, "{\n");
    p->indent++;
    declare(p, any(p, 2) == 0, false);
    p->indent--;
    statements(p, 1 + any(p, 3), depth - 1);
    start_line(p);
    buffer_text(p->out, "}\n");
    p->objects_n = object;
    for (unsigned i = 0; i < POINTERS; i++)
        for (unsigned r = 0; r < RUNS; r++)
            if (p->pointers[i].object[r] == object)
                p->pointers[i].object[r] = NOWHERE;
}

/* A function that changes one object, and knows no other. */
static void call(struct program *p, unsigned depth)
{
    const unsigned object = place_object(p, true, 0), variables = p->variables_n, pointers = p->pointers_n;
    struct object *const o = &p->objects[object];
    struct buffer *const out = p->out, own = {0};
    bool hidden[OBJECTS];
    char name[sizeof o->text];
    const unsigned number = p->calls++, indent = p->indent;
    const bool by_value = any(p, 2) == 0;
    start_line(p);
    if (by_value)
        buffer_format(p->out, "%s = f%u_%u(%s, x, h);\n", o->text, p->name, number, o->text);
    else
        buffer_format(p->out, "f%u_%u(&%s, x, h);\n", p->name, number, o->text);
    for (unsigned i = 0; i < p->objects_n; i++) {
        hidden[i] = p->objects[i].is_hidden;
        p->objects[i].is_hidden = i != object;
    }
    memcpy(name, o->text, sizeof name);
    snprintf(o->text, sizeof o->text, by_value ? "o" : "(*o)");
    p->variables_n = p->pointers_n = p->indent = 0;
    p->out = &own;
    statements(p, 1 + any(p, 2), depth - 1);
    const char *const attribute = any(p, 2) == 0 ? "noinline" : "unused";
    buffer_format(p->before, "static __attribute__((%s)) ", attribute);
    if (by_value)
        buffer_format(p->before, "union O%u_%u", o->size, p->name);
    buffer_format(p->before, "%s f%u_%u(union O%u_%u %so, uint32_t x, uint32_t h)\n{\n%s%s}\n", by_value ? "" : "void",
                  p->name, number, o->size, p->name, by_value ? "" : "*", buffer_string(&own),
                  by_value ? "    return o;\n" : "");
    buffer_free(&own);
    p->out = out;
    p->indent = indent;
    p->variables_n = variables;
    p->pointers_n = pointers;
    memcpy(o->text, name, sizeof name);
    for (unsigned i = 0; i < p->objects_n; i++)
        p->objects[i].is_hidden = hidden[i];
}

static void statement(struct program *p, unsigned depth)
{
    const unsigned how = any(p, depth == 0 ? 12 : 20);
    if (how == 1)
        copy(p);
    else if (how == 2)
        set_bytes(p);
    else if (how == 3)
        assign_object(p);
    else if (how == 4)
        loop(p);
    else if (how == 5 && p->pointers_n > 0)
        set_pointer(p);
    else if (how == 6)
        vector(p);
    else if (how == 7 && p->variables_n > 0)
        set_variable(p);
    else if (how < 12)
        assignment(p);
    else if (how < 17)
        branch(p, depth);
    else if (how == 17)
        leave(p, depth);
    else if (how == 18)
        several_ways(p, depth);
    else if (any(p, 2) == 0)
        block(p, depth);
    else
        call(p, depth);
}

static void statements(struct program *p, unsigned n, unsigned depth)
{
    p->indent++;
    for (unsigned i = 0; i < n; i++)
        statement(p, depth);
    p->indent--;
}

/* --- the whole --- */

/* Views of the same bytes. */
static void write_types(struct program *p)
{
    p->fields[0] = 1 + any(p, 15);
    p->fields[1] = 1 + any(p, 15);
    p->fields[2] = 32 - p->fields[0] - p->fields[1];
    for (unsigned width = 8; width <= 64; width *= 2)
        buffer_format(p->before, "typedef uint%u_t U%u_%u __attribute__((aligned(1), may_alias));\n", width, width,
                      p->name);
    for (const unsigned *odd = expression_odd_widths; *odd != 0; odd++)
        buffer_format(p->before, "typedef unsigned _BitInt(%u) uint%u_t; typedef _BitInt(%u) int%u_t;\n", *odd, *odd,
                      *odd, *odd);
    buffer_format(p->before,
                  "typedef uint32_t V_%u __attribute__((vector_size(16)));\n"
                  "static inline float F_%u(uint32_t w) { float f; memcpy(&f, &w, 4); return f; }\n"
                  "static inline uint32_t B_%u(float f) { uint32_t w; memcpy(&w, &f, 4); return w; }\n",
                  p->name, p->name, p->name);
    for (unsigned size = 8; size <= BYTES; size += 8)
        buffer_format(p->before,
                      "union O%u_%u { uint8_t b[%u]; uint16_t s[%u]; uint32_t w[%u]; uint64_t q[%u]; "
                      "struct { uint32_t f0 : %u; int32_t f1 : %u; uint32_t f2 : %u; } f[%u]; };\n",
                      size, p->name, size, size / 2, size / 4, size / 8, p->fields[0], p->fields[1], p->fields[2],
                      size / 4);
}

static void declare_variables(struct program *p)
{
    for (unsigned i = 0; i < VARIABLES; i++) {
        struct variable *const v = &p->variables[i];
        v->width = expression_width(p);
        v->is_signed = any(p, 2) == 0;
        start_line(p);
        buffer_format(p->out, "%sint%u_t v%u = (%sint%u_t)", v->is_signed ? "" : "u", v->width, i,
                      v->is_signed ? "" : "u", v->width);
        v->value = expression_leaf(p, p->out, v->width, 0, false);
        buffer_text(p->out, ";\n");
        for (unsigned r = 0; r < RUNS; r++)
            v->value.run[r] = bits_extended(v->value.run[r], v->width, v->is_signed);
    }
    p->variables_n = VARIABLES;
    for (unsigned i = 0; i < POINTERS; i++) {
        start_line(p);
        buffer_format(p->out, "uint8_t *p%u = ", i);
        p->pointers[i] = place_bytes(p, p->out, 4, true, 8);
        buffer_text(p->out, ";\n");
    }
    p->pointers_n = POINTERS;
}

/* A mistake that shows where h is 1: another value is expected, or bits are that nobody has written there, or a pointer
 * leads out of its object, or an operation is undefined. */
enum mistake { NONE, VALUE, UNWRITTEN, OUTSIDE, UNDEFINED };

static void write_by_t(struct program *p, const struct each *v, unsigned h)
{
    buffer_text(p->out, "(t ? ");
    bits_write(p->out, &v->run[2 + h]);
    buffer_text(p->out, " : ");
    bits_write(p->out, &v->run[h]);
    buffer_text(p->out, ")");
}

/* Leaves 0 when a word is what it must be, as far as it is written. Returns whether the mistake is in it. */
static bool compare_word(struct program *p, const char *word, const struct each *v, enum mistake mistake)
{
    const uint32_t without = bits_unwritten(&v->run[0]) | bits_unwritten(&v->run[2]);
    const uint32_t with[2] = {bits_unwritten(&v->run[1]), bits_unwritten(&v->run[3])};
    const bool can = mistake == VALUE || (mistake == UNWRITTEN && (with[0] & with[1] & ~without) != 0);
    const uint32_t ignored = without | (can && mistake == UNWRITTEN ? 0 : with[0] | with[1]);
    start_line(p);
    buffer_format(p->out, "left %s (%s ^ (h ? %s", any(p, 2) == 0 ? "|=" : "^=", word,
                  can && mistake == VALUE ? "~" : "");
    write_by_t(p, v, 1);
    buffer_text(p->out, " : ");
    write_by_t(p, v, 0);
    buffer_format(p->out, ")) & 0x%" PRIx32 "u;\n", ~ignored);
    return can;
}

/* Stores through a pointer, and where h is 1 right behind its object; without the mistake inside. Is there such a one?
 */
static bool store_outside(struct program *p, bool mistake)
{
    for (unsigned i = 0; i < p->pointers_n; i++) {
        const struct address *const at = &p->pointers[i];
        unsigned left[RUNS];
        bool can = true;
        for (unsigned r = 0; r < RUNS; r++) {
            can = can && at->object[r] != NOWHERE;
            left[r] = can ? p->objects[at->object[r]].size - at->byte[r] : 0;
        }
        const unsigned room = left[0] < left[2] ? left[0] : left[2], outside = left[1];
        if (!can || left[3] != outside)
            continue;
        if (outside == 0 || outside >= room)
            continue;
        start_line(p);
        buffer_format(p->out, "p%u[%u] = 7;\n", i, mistake ? outside : outside - 1);
        return true;
    }
    return false;
}

/* An operation that is undefined where a word has the value of the run with h = 1; without the mistake nowhere. */
static bool undefined_operation(struct program *p, const char *word, const struct each *v, bool mistake)
{
    static const char *const operations[][2] = {
        {"x << (31 - k)", "x << (31 + k)"},
        {"(uint32_t)(0x7fffffff - (int32_t)k)", "(uint32_t)(0x7fffffff + (int32_t)k)"},
        {"77u / (2 - k)", "77u / (1 - k)"},
        {"(uint32_t)__builtin_ctz(2 - k)", "(uint32_t)__builtin_ctz(1 - k)"},
        {"a.w[1 - k]", "a.w[0 - k]"},
        {"(uint32_t)((int32_t)0x80000001u / ((int32_t)k * -2 + 1))",
         "(uint32_t)((int32_t)0x80000000u / ((int32_t)k * -2 + 1))"},
    };
    const unsigned which = any(p, sizeof operations / sizeof *operations);
    bool can = true;
    for (unsigned r = 0; r < RUNS; r++) {
        can = can && bits_are_known(&v->run[r], 32);
        can = can && (bits_number(&v->run[r], 32) == bits_number(&v->run[1], 32)) == H(r);
    }
    if (!can)
        return false;
    start_line(p);
    buffer_format(p->out, "uint32_t k = %s == 0x%" PRIx64 "u, y = %s;\n", word, bits_number(&v->run[1], 32),
                  operations[which][mistake]);
    start_line(p);
    buffer_text(p->out, "left |= y & 0;\n");
    return true;
}

/* Compares all that is left. Where there can be no mistake of its kind, it is in a value. */
static void compare_all(struct program *p, enum mistake mistake)
{
    const unsigned which = any(p, VARIABLES);
    char word[32];
    bool made = false, operated = false;
    start_line(p);
    buffer_format(p->out, "uint32_t left = 0, t = x >> %u & 1;\n", p->t);
    for (unsigned i = 0; i < p->objects_n; i++)
        for (unsigned k = 0; k < p->objects[i].size / 4; k++) {
            const struct place place = {.at = address_of(i, 4 * k), .width = 32};
            const struct each v = place_load(p, &place);
            snprintf(word, sizeof word, "%s.w[%u]", p->objects[i].text, k);
            made = compare_word(p, word, &v, mistake == UNWRITTEN && !made ? UNWRITTEN : NONE) || made;
            operated = operated || undefined_operation(p, word, &v, mistake == UNDEFINED);
        }
    made = made || (operated && mistake == UNDEFINED);
    made = (store_outside(p, mistake == OUTSIDE) && mistake == OUTSIDE) || made;
    for (unsigned i = 0; i < VARIABLES; i++) {
        snprintf(word, sizeof word, "(uint32_t)v%u", i);
        compare_word(p, word, &p->variables[i].value, mistake != NONE && !made && i == which ? VALUE : NONE);
    }
    start_line(p);
    buffer_text(p->out,
                "if (left != 0) /* a branch: what nobody uses is no mistake */\n        x = ~x;\n    return x;");
}

void program_write(struct buffer *before, struct buffer *body, unsigned name, uint64_t salt, bool wrong,
                   enum draw_how how)
{
    struct program p = {
        .random = {salt}, .before = before, .out = body, .name = name, .live = {true, true, true, true}, .indent = 1};
    static const enum mistake mistakes[] = {
        [DRAW_VALUE] = VALUE, [DRAW_TRAP] = UNDEFINED, [DRAW_ADDRESS] = OUTSIDE, [DRAW_MEMORY] = UNWRITTEN};
    const unsigned objects = 2 + any(&p, 2);
    p.t = any(&p, 32);
    write_types(&p);
    buffer_text(body, "\n");
    for (unsigned i = 0; i < objects; i++)
        declare(&p, i == 0 || any(&p, 2) == 0, false);
    if (any(&p, 2) == 0)
        declare(&p, true, true);
    declare_variables(&p);
    p.indent--;
    statements(&p, 2 + any(&p, 5), DEPTH - 1);
    p.indent++;
    compare_all(&p, wrong ? mistakes[how] : NONE);
}
