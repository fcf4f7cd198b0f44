#include "proofs/score/program.h"

#include "base/random.h"
#include "proofs/score/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * A program is written and executed at once, in two runs: with h = 0 and with h = 1. A run is live where it comes by;
 * what is written where no run comes by is never executed.
 */
#define RUNS      2u
#define BYTES     32u /* of the largest object */
#define SIZES     4u  /* of objects: 8, 16, 24, 32 bytes */
#define OBJECTS   6u
#define VARIABLES 5u
#define POINTERS  2u
#define FIELDS    3u
#define VECTOR    16u /* bytes */
#define DEPTH     3u  /* of statements in statements, and of expressions */

struct both {
    struct bits run[RUNS];
};

struct object {
    char text[16]; /* the lvalue */
    unsigned size; /* bytes */
    bool is_const, is_hidden;
    uint8_t run[RUNS][8 * BYTES]; /* bits, as in struct bits */
};

struct variable {
    unsigned width;
    bool is_signed;
    struct both value; /* extended */
};

/* A place in some object in each run. */
#define NOWHERE OBJECTS
struct address {
    unsigned object[RUNS], byte[RUNS];
};

struct program {
    struct random random;
    struct buffer *before, *out;
    unsigned name, calls, indent;
    bool live[RUNS];
    struct object objects[OBJECTS];
    unsigned objects_n, fields[FIELDS]; /* widths of the bit-fields */
    struct variable variables[VARIABLES];
    unsigned variables_n, pointers_n;
    struct address pointers[POINTERS];
};

static unsigned any(struct program *p, unsigned n)
{
    return (unsigned)random_below(&p->random, n);
}

#define EACH_LIVE(p, r)                                                                                                \
    for (unsigned r = 0; r < RUNS; r++)                                                                                \
        if ((p)->live[r])

static unsigned any_width(struct program *p)
{
    return 8u << any(p, 4);
}

static uint64_t any_number(struct program *p, unsigned width)
{
    const uint64_t all = UINT64_MAX >> (BITS - width), special[] = {0, 1, all >> 1, (all >> 1) + 1, all, 0xff & all};
    const unsigned which = any(p, 12);
    return which < 6 ? special[which] : which < 8 ? any(p, 40) : random_next(&p->random) & all;
}

static bool are_known(const struct program *p, const struct both *v, unsigned width)
{
    bool known = true;
    EACH_LIVE (p, r)
        known = known && bits_are_known(&v->run[r], width);
    return known;
}

static struct both same(struct bits v)
{
    return (struct both){{v, v}};
}

static void start_line(struct program *p)
{
    for (unsigned i = 0; i < p->indent; i++)
        buffer_text(p->out, "    ");
}

/* --- places --- */

/* Bits of an object: the address of the byte, how far from it, and how many. */
struct place {
    struct address at;
    unsigned bit, width;
    bool is_signed;
};

static struct both load(const struct program *p, const struct place *place)
{
    struct both v = same(bits_of(0));
    EACH_LIVE (p, r) {
        memcpy(v.run[r].at, p->objects[place->at.object[r]].run[r] + 8 * place->at.byte[r] + place->bit, place->width);
        v.run[r] = bits_extended(v.run[r], place->width, place->is_signed);
    }
    return v;
}

static void store(struct program *p, const struct place *place, const struct both *v)
{
    EACH_LIVE (p, r)
        memcpy(p->objects[place->at.object[r]].run[r] + 8 * place->at.byte[r] + place->bit, v->run[r].at, place->width);
}

static struct both expression(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known);
static void condition(struct program *p, struct buffer *out, unsigned depth, bool holds[RUNS]);

/* An object to read or to write; there is always one. */
static unsigned any_object(struct program *p, bool is_written, unsigned size)
{
    unsigned i;
    do
        i = any(p, p->objects_n);
    while (p->objects[i].is_hidden || (is_written && p->objects[i].is_const) || p->objects[i].size < size);
    return i;
}

static bool has_object(const struct program *p, unsigned size)
{
    bool has = false;
    for (unsigned i = 0; i < p->objects_n; i++)
        has = has || (!p->objects[i].is_hidden && !p->objects[i].is_const && p->objects[i].size >= size);
    return has;
}

/* An index below n, another one in each run perhaps: then at least `apart`, since a store to one of two places that
 * overlap is not translated. */
static void any_index(struct program *p, struct buffer *out, unsigned n, unsigned apart, unsigned depth,
                      unsigned index[RUNS])
{
    const unsigned first = any(p, n), room = n - first, how = room > apart ? any(p, 6) : 5;
    const unsigned step = room > apart ? apart + any(p, room - apart) : 0;
    index[0] = index[1] = first;
    if (how == 0 && depth > 0) {
        const struct both v = expression(p, out, 32, depth - 1, true);
        buffer_format(out, " %% %u", n);
        for (unsigned r = 0; r < RUNS; r++)
            index[r] = (unsigned)(bits_number(&v.run[r], 32) % n);
    } else if (how == 1) {
        buffer_format(out, "%u + h * %u", first, step);
        index[1] += step;
    } else if (how == 2) {
        buffer_format(out, "%u - h * %u", first + step, step);
        index[0] += step;
    } else {
        buffer_format(out, "%u", first);
    }
}

/* A run of bytes: a pointer to the first of them. */
static struct address any_bytes(struct program *p, struct buffer *out, unsigned n, bool is_written, unsigned apart)
{
    const unsigned i = any_object(p, is_written, n);
    struct address at = {{i, i}, {0, 0}};
    buffer_format(out, "(uint8_t *)&%s + (", p->objects[i].text);
    any_index(p, out, p->objects[i].size - n + 1, apart, 0, at.byte);
    buffer_text(out, ")");
    return at;
}

/* An element of an object, of 8, 16, 32 or 64 bits. */
static struct address any_element(struct program *p, struct buffer *out, unsigned width, bool is_written,
                                  unsigned depth)
{
    const unsigned i = any_object(p, is_written, 0), bytes = width / 8;
    struct address at = {{i, i}, {0, 0}};
    buffer_format(out, "%s.%c[", p->objects[i].text, width == 8 ? 'b' : width == 16 ? 's' : width == 32 ? 'w' : 'q');
    any_index(p, out, p->objects[i].size / bytes, 1, depth, at.byte);
    buffer_text(out, "]");
    for (unsigned r = 0; r < RUNS; r++)
        at.byte[r] *= bytes;
    return at;
}

static struct place any_field(struct program *p, struct buffer *out, bool is_written)
{
    const unsigned i = any_object(p, is_written, 0), which = any(p, FIELDS);
    struct place place = {.at = {{i, i}, {0, 0}}, .bit = 0, .width = p->fields[which], .is_signed = which == 1};
    buffer_format(out, "%s.f[", p->objects[i].text);
    any_index(p, out, p->objects[i].size / 4, 1, 0, place.at.byte);
    buffer_format(out, "].f%u", which);
    for (unsigned k = 0; k < which; k++)
        place.bit += p->fields[k];
    for (unsigned r = 0; r < RUNS; r++)
        place.at.byte[r] *= 4;
    return place;
}

/* By a pointer, where that points into what can be written in all runs that come by. */
static bool by_pointer(struct program *p, struct buffer *out, unsigned width, bool is_written, struct address *at)
{
    const unsigned which = any(p, POINTERS), bytes = width / 8;
    unsigned room = BYTES;
    if (p->pointers_n == 0)
        return false;
    *at = p->pointers[which];
    EACH_LIVE (p, r) {
        const struct object *const o = at->object[r] == NOWHERE ? NULL : &p->objects[at->object[r]];
        const unsigned left = o == NULL || (is_written && o->is_const) ? 0 : o->size - at->byte[r];
        room = left < room ? left : room;
    }
    if (room < bytes)
        return false;
    const unsigned index = any(p, room - bytes + 1);
    buffer_format(out, "*(U%u_%u *)(p%u + %u)", width, p->name, which, index);
    for (unsigned r = 0; r < RUNS; r++)
        at->byte[r] += index;
    return true;
}

/* An lvalue: of `width` bits, or a bit-field. */
static struct place any_place(struct program *p, struct buffer *out, unsigned width, bool is_written, unsigned depth)
{
    const unsigned how = any(p, 8);
    struct place place = {.width = width};
    if (how == 0)
        return any_field(p, out, is_written);
    if (how == 1 && by_pointer(p, out, width, is_written, &place.at))
        return place;
    if (how == 2 || how == 3) { /* not aligned */
        buffer_format(out, "*(U%u_%u *)(", width, p->name);
        place.at = any_bytes(p, out, width / 8, is_written, width / 8);
        buffer_text(out, ")");
    } else if (how == 4) { /* one of two */
        struct address at[RUNS];
        buffer_text(out, "*(h ? &");
        at[1] = any_element(p, out, width, is_written, 0);
        buffer_text(out, " : &");
        at[0] = any_element(p, out, width, is_written, 0);
        buffer_text(out, ")");
        for (unsigned r = 0; r < RUNS; r++) {
            place.at.object[r] = at[r].object[r];
            place.at.byte[r] = at[r].byte[r];
        }
    } else {
        place.at = any_element(p, out, width, is_written, depth);
    }
    return place;
}

/* --- expressions: of unsigned types of 8, 16, 32, 64 bits; above these bits their values are 0 --- */

static struct both constant(struct program *p, struct buffer *out, unsigned width)
{
    const uint64_t number = any_number(p, width);
    buffer_format(out, "(uint%u_t)0x%" PRIx64 "u", width, number);
    return same(bits_of(number));
}

static struct both cut(struct both v, unsigned width)
{
    for (unsigned r = 0; r < RUNS; r++)
        v.run[r] = bits_extended(v.run[r], width, false);
    return v;
}

/* What is in memory, or in a variable, where it may be read. */
static bool read(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known, struct both *v)
{
    struct buffer text = {0};
    bool may;
    if (p->variables_n > 0 && any(p, 2) == 0) {
        const unsigned which = any(p, p->variables_n);
        buffer_format(&text, "v%u", which);
        *v = p->variables[which].value;
    } else {
        const struct place place = any_place(p, &text, width, false, depth);
        *v = load(p, &place);
    }
    *v = cut(*v, width);
    may = !known || are_known(p, v, width);
    if (may)
        buffer_format(out, "(uint%u_t)%s", width, buffer_string(&text));
    buffer_free(&text);
    return may;
}

static struct both leaf(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned how = any(p, 7);
    struct both v;
    if (how < 3 && read(p, out, width, depth, known, &v))
        return v;
    if (how == 3) {
        buffer_format(out, "(uint%u_t)h", width);
        return (struct both){{bits_of(0), bits_of(1)}};
    }
    if (how == 4 && !known) {
        buffer_format(out, "(uint%u_t)x", width);
        return cut(same(bits_of_x()), width);
    }
    return constant(p, out, width);
}

/* One number from two; false where C says nothing. */
struct arithmetic {
    const char *op;
    bool is_signed;
};

static bool compare(const char *op, bool less, bool equal)
{
    return op[0] == '<' ? less || (op[1] == '=' && equal) : (op[0] == '=') == equal;
}

static bool compute_signed(const char *op, int64_t a, int64_t b, unsigned width, uint64_t *result)
{
    const int64_t most = (int64_t)(UINT64_MAX >> (BITS - width) >> 1);
    int64_t r = 0;
    if (strchr("<=!", op[0]) != NULL)
        r = compare(op, a < b, a == b);
    else if (op[0] == '/' || op[0] == '%') {
        if (b == 0 || (b == -1 && a == -most - 1))
            return false;
        r = op[0] == '/' ? a / b : a % b;
    } else if (op[0] == '+'   ? __builtin_add_overflow(a, b, &r)
               : op[0] == '-' ? __builtin_sub_overflow(a, b, &r)
                              : __builtin_mul_overflow(a, b, &r))
        return false;
    *result = (uint64_t)r;
    return width < 32 || (r <= most && r >= -most - 1); /* shorter ones are computed in 32 bits */
}

static bool compute(struct arithmetic how, const struct bits *u, const struct bits *v, unsigned width, uint64_t *result)
{
    const uint64_t a = bits_number(u, width), b = bits_number(v, width);
    const char *const op = how.op;
    if (how.is_signed)
        return compute_signed(op, bits_signed(u, width), bits_signed(v, width), width, result);
    if ((op[0] == '/' || op[0] == '%') && b == 0)
        return false;
    *result = op[0] == '+'   ? a + b
              : op[0] == '-' ? a - b
              : op[0] == '*' ? a * b
              : op[0] == '/' ? a / b
              : op[0] == '%' ? a % b
                             : compare(op, a < b, a == b);
    return true;
}

/* Of two numbers that are known. Where C says nothing of a sum, they are added otherwise. */
static struct both arithmetic(struct program *p, struct buffer *out, unsigned width, unsigned depth)
{
    static const char *const ops[] = {"+", "-", "*", "/", "%", "<", "<=", "==", "!="};
    struct arithmetic how = {ops[any(p, sizeof ops / sizeof *ops)], any(p, 2) == 0};
    struct buffer left = {0}, right = {0};
    const struct both u = expression(p, &left, width, depth - 1, true);
    const struct both v = expression(p, &right, width, depth - 1, true);
    const unsigned wide = width < 32 ? 32 : width;
    struct both result = same(bits_of(0));
    bool valid = true;
    uint64_t number = 0;
    EACH_LIVE (p, r)
        valid = valid && compute(how, &u.run[r], &v.run[r], width, &number);
    if (!valid)
        how = (struct arithmetic){"+", false};
    EACH_LIVE (p, r) {
        compute(how, &u.run[r], &v.run[r], width, &number);
        result.run[r] = bits_of(number);
    }
    if (how.is_signed)
        buffer_format(out, "(uint%u_t)((int%u_t)%s %s (int%u_t)%s)", width, width, buffer_string(&left), how.op, width,
                      buffer_string(&right));
    else
        buffer_format(out, "(uint%u_t)((uint%u_t)%s %s (uint%u_t)%s)", width, wide, buffer_string(&left), how.op, wide,
                      buffer_string(&right));
    buffer_free(&left);
    buffer_free(&right);
    return cut(result, width);
}

/* &, | or ^ of two words, where each bit of the result is one bit of x at most; else the left word. */
static struct both combination(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const char op = "&|^"[any(p, 3)];
    struct buffer right = {0};
    struct both result = same(bits_of(0)), u, v;
    bool can = true;
    buffer_format(out, "(uint%u_t)(", width);
    u = expression(p, out, width, depth - 1, known);
    v = any(p, 2) == 0 ? constant(p, &right, width) : expression(p, &right, width, depth - 1, known);
    EACH_LIVE (p, r)
        can = can && bits_combine(op, &u.run[r], &v.run[r], &result.run[r]);
    if (can)
        buffer_format(out, " %c %s", op, buffer_string(&right));
    buffer_text(out, ")");
    buffer_free(&right);
    return cut(can ? result : u, width);
}

static struct both shifted(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned by = any(p, width), how = any(p, 4);
    struct both v;
    buffer_format(out, "(uint%u_t)((%sint%u_t)", width, how == 2 ? "" : "u", width);
    v = expression(p, out, width, depth - 1, known);
    buffer_format(out, " %s %u)", how < 2 ? "<<" : ">>", by);
    EACH_LIVE (p, r)
        v.run[r] = how < 2 ? bits_shifted_left(v.run[r], by) : bits_shifted_right(v.run[r], width, by, how == 2);
    return cut(v, width);
}

/* Through a type of another width, perhaps a signed one. */
static struct both converted(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned from = any_width(p);
    const bool is_signed = any(p, 2) == 0;
    struct both v;
    buffer_format(out, "(uint%u_t)(%sint%u_t)", width, is_signed ? "" : "u", from);
    v = expression(p, out, from, depth - 1, known);
    EACH_LIVE (p, r)
        v.run[r] = bits_extended(v.run[r], from, is_signed);
    return cut(v, width);
}

/* Each run goes on where the condition lets it; `otherwise`: where it does not. */
static void enter(struct program *p, const bool before[RUNS], const bool holds[RUNS], bool otherwise)
{
    for (unsigned r = 0; r < RUNS; r++)
        p->live[r] = before[r] && holds[r] != otherwise;
}

static struct both chosen(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    bool before[RUNS], holds[RUNS];
    struct both u, v;
    memcpy(before, p->live, sizeof before);
    buffer_text(out, "(");
    condition(p, out, depth - 1, holds);
    buffer_text(out, " ? ");
    enter(p, before, holds, false);
    u = expression(p, out, width, depth - 1, known);
    buffer_text(out, " : ");
    enter(p, before, holds, true);
    v = expression(p, out, width, depth - 1, known);
    buffer_text(out, ")");
    memcpy(p->live, before, sizeof before);
    for (unsigned r = 0; r < RUNS; r++)
        if (holds[r])
            v.run[r] = u.run[r];
    return v;
}

/* A function of the bits: which bit comes from where. */
static struct both moved(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned by = 1 + any(p, width - 1), how = width == 8 ? 1 : any(p, 2);
    struct buffer text = {0};
    struct both v = expression(p, &text, width, depth - 1, known), result = v;
    if (how == 0)
        buffer_format(out, "__builtin_bswap%u(%s)", width, buffer_string(&text));
    else
        buffer_format(out, "(uint%u_t)(%s << %u | %s >> %u)", width, buffer_string(&text), by, buffer_string(&text),
                      width - by);
    for (unsigned i = 0; i < width; i++)
        EACH_LIVE (p, r)
            result.run[r].at[i] = v.run[r].at[how == 0 ? width - 8 - i / 8 * 8 + i % 8 : (i + width - by) % width];
    buffer_free(&text);
    return result;
}

static unsigned ones(const struct bits *v)
{
    unsigned n = 0;
    for (unsigned i = 0; i < BITS; i++)
        n += v->at[i] == BIT_1;
    return n;
}

/* A count of bits. */
static struct both counted(struct program *p, struct buffer *out, unsigned width, unsigned depth)
{
    const unsigned how = any(p, 2);
    struct both v;
    buffer_format(out, "(uint%u_t)%s((uint64_t)", width, how == 0 ? "__builtin_popcountll" : "__builtin_ffsll");
    v = expression(p, out, width, depth - 1, true);
    buffer_text(out, ")");
    EACH_LIVE (p, r) {
        const uint8_t *const first = memchr(v.run[r].at, BIT_1, BITS);
        v.run[r] = bits_of(how == 0 ? ones(&v.run[r]) : first == NULL ? 0 : (unsigned)(first - v.run[r].at) + 1);
    }
    return v;
}

/* `known`: no bit of x is wanted in it. */
static struct both expression(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    struct both v;
    if (depth == 0)
        return leaf(p, out, width, 0, known);
    switch (any(p, 12)) {
    case 0:
        buffer_format(out, "(uint%u_t)~", width);
        v = expression(p, out, width, depth - 1, known);
        EACH_LIVE (p, r)
            v.run[r] = bits_not(v.run[r]);
        return cut(v, width);
    case 1:
    case 2:
        return combination(p, out, width, depth, known);
    case 3:
        return shifted(p, out, width, depth, known);
    case 4:
        return converted(p, out, width, depth, known);
    case 5:
        return arithmetic(p, out, width, depth);
    case 6:
        return chosen(p, out, width, depth, known);
    case 7:
        return moved(p, out, width, depth, known);
    case 8:
        return counted(p, out, width, depth);
    default:
        return leaf(p, out, width, depth, known);
    }
}

static void condition(struct program *p, struct buffer *out, unsigned depth, bool holds[RUNS])
{
    const unsigned how = any(p, 5), width = any_width(p);
    struct both v;
    holds[0] = how == 1;
    holds[1] = how != 1;
    if (how < 3) {
        buffer_text(out, how == 0 ? "h" : how == 1 ? "!h" : "(h == 1)");
        return;
    }
    const uint64_t number = any_number(p, width);
    buffer_text(out, "(");
    v = expression(p, out, width, depth, true);
    buffer_format(out, " %s (uint%u_t)0x%" PRIx64 "u)", how == 3 ? "<" : "!=", width, number);
    for (unsigned r = 0; r < RUNS; r++)
        holds[r] = how == 3 ? bits_number(&v.run[r], width) < number : bits_number(&v.run[r], width) != number;
}

/* --- statements --- */

static void statements(struct program *p, unsigned n, unsigned depth);

static void assignment(struct program *p)
{
    const unsigned width = any_width(p);
    struct buffer place = {0}, text = {0};
    struct both v = expression(p, &text, width, DEPTH, false);
    const struct place at = any_place(p, &place, width, true, 1);
    start_line(p);
    buffer_format(p->out, "%s = %s;\n", buffer_string(&place), buffer_string(&text));
    store(p, &at, &v);
    buffer_free(&place);
    buffer_free(&text);
}

static void set_variable(struct program *p)
{
    const unsigned which = any(p, p->variables_n);
    struct variable *const v = &p->variables[which];
    struct both value;
    start_line(p);
    buffer_format(p->out, "v%u = (%sint%u_t)", which, v->is_signed ? "" : "u", v->width);
    value = expression(p, p->out, v->width, DEPTH, false);
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
    to = any_bytes(p, &text, n, true, BYTES);
    buffer_text(&text, ", ");
    from = any_bytes(p, &text, n, false, BYTES);
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
    to = any_bytes(p, p->out, n, true, BYTES);
    buffer_format(p->out, ", %u, %u);\n", byte, n);
    for (unsigned i = 0; i < n; i++)
        EACH_LIVE (p, r)
            memcpy(p->objects[to.object[r]].run[r] + 8 * (to.byte[r] + i), v.at, 8);
}

/* One object becomes another of its type. */
static void assign_object(struct program *p)
{
    const unsigned to = any_object(p, true, 0), from = any_object(p, false, 0);
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
    condition(p, p->out, 1, holds);
    buffer_text(p->out, ") {\n");
    enter(p, before, holds, false);
    statements(p, 1 + any(p, 3), depth - 1);
    if (any(p, 3) != 0) {
        start_line(p);
        buffer_text(p->out, "} else {\n");
        enter(p, before, holds, true);
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
        condition(p, p->out, 1, holds);
        buffer_text(p->out, ")\n");
        enter(p, within, holds, true);
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
    bool before[RUNS], falls[RUNS] = {false, false};
    struct both v;
    memcpy(before, p->live, sizeof before);
    start_line(p);
    buffer_text(p->out, "switch (");
    v = expression(p, p->out, 8, DEPTH, true);
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
    const unsigned n = 1 + any(p, 4), more = any(p, 4), byte = any(p, 256), how = any(p, 3), all = n + more;
    struct buffer text = {0};
    struct address to, from;
    bool written = true;
    to = any_bytes(p, &text, all, true, 1);
    buffer_format(&text, ";\n");
    start_line(p);
    buffer_format(p->out, "for (uint32_t i = 0; i < %u + h * %u; i++) {\n", n, more);
    p->indent++;
    start_line(p);
    buffer_format(p->out, "uint8_t *to = %s", buffer_string(&text));
    buffer_free(&text);
    text = (struct buffer){0};
    from = any_bytes(p, &text, all, false, 1);
    EACH_LIVE (p, r)
        written =
            written && memchr(p->objects[from.object[r]].run[r] + 8 * from.byte[r], BIT_UNWRITTEN, 8 * all) == NULL;
    start_line(p);
    if (how == 0 || !written)
        buffer_format(p->out, "to[i] = (uint8_t)(%u + i * %u);\n", byte, all);
    else if (how == 1)
        buffer_format(p->out, "to[i] = (uint8_t)((%s)[i] ^ %u);\n", buffer_string(&text), byte);
    else
        buffer_format(p->out, "to[%u - i] = (%s)[i];\n", all - 1, buffer_string(&text));
    p->indent--;
    start_line(p);
    buffer_text(p->out, "}\n");
    EACH_LIVE (p, r)
        for (unsigned i = 0; i < n + r * more; i++) {
            const unsigned at = to.byte[r] + (how == 2 && written ? all - 1 - i : i);
            const struct bits fixed = bits_of(how == 0 || !written ? byte + i * all : byte);
            struct bits v = bits_of(0);
            memcpy(v.at, p->objects[from.object[r]].run[r] + 8 * (from.byte[r] + i), 8);
            if (how == 0 || !written)
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
    at = any_bytes(p, p->out, 1 + any(p, 4), true, 1);
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
    if (!has_object(p, VECTOR)) {
        copy(p);
        return;
    }
    const struct address at = any_bytes(p, &text, VECTOR, true, BYTES);
    uint8_t *bits[RUNS], before[8 * VECTOR];
    bool written = true;
    struct both v;
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
        v = expression(p, p->out, 32, 2, false);
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
    const unsigned object = any_object(p, true, 0), variables = p->variables_n, pointers = p->pointers_n;
    struct object *const o = &p->objects[object];
    struct buffer *const out = p->out, own = {0};
    bool hidden[OBJECTS];
    char name[sizeof o->text];
    const unsigned number = p->calls++, indent = p->indent;
    start_line(p);
    buffer_format(p->out, "f%u_%u(&%s, x, h);\n", p->name, number, o->text);
    for (unsigned i = 0; i < p->objects_n; i++) {
        hidden[i] = p->objects[i].is_hidden;
        p->objects[i].is_hidden = i != object;
    }
    memcpy(name, o->text, sizeof name);
    snprintf(o->text, sizeof o->text, "(*o)");
    p->variables_n = p->pointers_n = p->indent = 0;
    p->out = &own;
    statements(p, 1 + any(p, 2), depth - 1);
    buffer_format(p->before,
                  "static __attribute__((%s)) void f%u_%u(union O%u_%u *o, uint32_t x, uint32_t h)\n{\n%s}\n",
                  any(p, 2) == 0 ? "noinline" : "unused", p->name, number, o->size, p->name, buffer_string(&own));
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
    buffer_format(p->before, "typedef uint32_t V_%u __attribute__((vector_size(16)));\n", p->name);
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
        v->width = any_width(p);
        v->is_signed = any(p, 2) == 0;
        start_line(p);
        buffer_format(p->out, "%sint%u_t v%u = (%sint%u_t)", v->is_signed ? "" : "u", v->width, i,
                      v->is_signed ? "" : "u", v->width);
        v->value = leaf(p, p->out, v->width, 0, false);
        buffer_text(p->out, ";\n");
        for (unsigned r = 0; r < RUNS; r++)
            v->value.run[r] = bits_extended(v->value.run[r], v->width, v->is_signed);
    }
    p->variables_n = VARIABLES;
    for (unsigned i = 0; i < POINTERS; i++) {
        start_line(p);
        buffer_format(p->out, "uint8_t *p%u = ", i);
        p->pointers[i] = any_bytes(p, p->out, 4, true, 1);
        buffer_text(p->out, ";\n");
    }
    p->pointers_n = POINTERS;
}

/* A mistake that shows where h is 1: another value is expected, or bits are that nobody has written there, or a pointer
 * leads out of its object. */
enum mistake { NONE, VALUE, UNWRITTEN, OUTSIDE };

/* Leaves 0 when a word is what it must be, as far as it is written. Returns whether the mistake is in it. */
static bool compare_word(struct program *p, const char *word, const struct both *v, enum mistake mistake)
{
    const uint32_t unwritten[RUNS] = {bits_unwritten(&v->run[0]), bits_unwritten(&v->run[1])};
    const bool can = mistake == VALUE || (mistake == UNWRITTEN && (unwritten[1] & ~unwritten[0]) != 0);
    const uint32_t ignored = unwritten[0] | (can && mistake == UNWRITTEN ? 0 : unwritten[1]);
    start_line(p);
    buffer_format(p->out, "left %s (%s ^ (h ? %s", any(p, 2) == 0 ? "|=" : "^=", word,
                  can && mistake == VALUE ? "~" : "");
    bits_write(p->out, &v->run[1]);
    buffer_text(p->out, " : ");
    bits_write(p->out, &v->run[0]);
    buffer_format(p->out, ")) & 0x%" PRIx32 "u;\n", ~ignored);
    return can;
}

/* Stores through a pointer, and where h is 1 right behind its object; without the mistake inside. Is there such a one?
 */
static bool store_outside(struct program *p, bool mistake)
{
    for (unsigned i = 0; i < p->pointers_n; i++) {
        const struct address *const at = &p->pointers[i];
        if (at->object[0] == NOWHERE || at->object[1] == NOWHERE)
            continue;
        const unsigned room = p->objects[at->object[0]].size - at->byte[0];
        const unsigned outside = p->objects[at->object[1]].size - at->byte[1];
        if (outside == 0 || outside >= room)
            continue;
        start_line(p);
        buffer_format(p->out, "p%u[%u] = 7;\n", i, mistake ? outside : outside - 1);
        return true;
    }
    return false;
}

/* Compares all that is left. Where there can be no mistake of its kind, it is in a value. */
static void compare_all(struct program *p, enum mistake mistake)
{
    const unsigned which = any(p, VARIABLES);
    char word[32];
    bool made = false;
    start_line(p);
    buffer_text(p->out, "uint32_t left = 0;\n");
    for (unsigned i = 0; i < p->objects_n; i++)
        for (unsigned k = 0; k < p->objects[i].size / 4; k++) {
            const struct place place = {.at = {{i, i}, {4 * k, 4 * k}}, .width = 32};
            const struct both v = load(p, &place);
            snprintf(word, sizeof word, "%s.w[%u]", p->objects[i].text, k);
            made = compare_word(p, word, &v, mistake == UNWRITTEN && !made ? UNWRITTEN : NONE) || made;
        }
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
        .random = {salt}, .before = before, .out = body, .name = name, .live = {true, true}, .indent = 1};
    const unsigned objects = 2 + any(&p, 2);
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
    compare_all(&p, !wrong ? NONE : how == DRAW_MEMORY ? UNWRITTEN : how == DRAW_ADDRESS ? OUTSIDE : VALUE);
}
