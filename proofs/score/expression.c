#include "proofs/score/expression.h"

#include <inttypes.h>
#include <string.h>

unsigned place_width(struct program *p)
{
    return 8u << any(p, 4);
}

const unsigned expression_odd_widths[] = {2, 5, 7, 13, 24, 33, 56, 0};

unsigned expression_width(struct program *p)
{
    return any(p, 5) == 0 ? expression_odd_widths[any(p, 7)] : place_width(p);
}

static bool is_promoted(unsigned width)
{
    return width == 8 || width == 16;
}

static uint64_t any_number(struct program *p, unsigned width)
{
    const uint64_t all = UINT64_MAX >> (BITS - width), special[] = {0, 1, all >> 1, (all >> 1) + 1, all, 0xff & all};
    const unsigned which = any(p, 12);
    return which < 6 ? special[which] : (which < 8 ? any(p, 40) : random_next(&p->random)) & all;
}

static bool are_known(const struct program *p, const struct each *v, unsigned width)
{
    bool known = true;
    EACH_LIVE (p, r)
        known = known && bits_are_known(&v->run[r], width);
    return known;
}

/* --- places --- */

struct address address_of(unsigned object, unsigned byte)
{
    struct address at;
    for (unsigned r = 0; r < RUNS; r++) {
        at.object[r] = object;
        at.byte[r] = byte;
    }
    return at;
}

struct each place_load(const struct program *p, const struct place *place)
{
    struct each v = same(bits_of(0));
    EACH_LIVE (p, r) {
        memcpy(v.run[r].at, p->objects[place->at.object[r]].run[r] + 8 * place->at.byte[r] + place->bit, place->width);
        v.run[r] = bits_extended(v.run[r], place->width, place->is_signed);
    }
    return v;
}

void place_store(struct program *p, const struct place *place, const struct each *v)
{
    EACH_LIVE (p, r)
        memcpy(p->objects[place->at.object[r]].run[r] + 8 * place->at.byte[r] + place->bit, v->run[r].at, place->width);
}

unsigned place_object(struct program *p, bool is_written, unsigned size)
{
    unsigned i;
    do
        i = any(p, p->objects_n);
    while (p->objects[i].is_hidden || (is_written && p->objects[i].is_const) || p->objects[i].size < size);
    return i;
}

bool place_has_object(const struct program *p, unsigned size)
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
    for (unsigned r = 0; r < RUNS; r++)
        index[r] = first + (how == 1 && H(r) ? step : how == 2 && !H(r) ? step : 0);
    if (how == 0 && depth > 0) {
        const struct each v = expression_write(p, out, 32, depth - 1, true);
        buffer_format(out, " %% %u", n);
        for (unsigned r = 0; r < RUNS; r++)
            index[r] = (unsigned)(bits_number(&v.run[r], 32) % n);
    } else if (how == 1) {
        buffer_format(out, "%u + h * %u", first, step);
    } else if (how == 2) {
        buffer_format(out, "%u - h * %u", first + step, step);
    } else {
        buffer_format(out, "%u", first);
    }
}

struct address place_bytes(struct program *p, struct buffer *out, unsigned n, bool is_written, unsigned apart)
{
    const unsigned i = place_object(p, is_written, n);
    struct address at = address_of(i, 0);
    buffer_format(out, "(uint8_t *)&%s + (", p->objects[i].text);
    any_index(p, out, p->objects[i].size - n + 1, apart, 0, at.byte);
    buffer_text(out, ")");
    return at;
}

/* An element of an object, of 8, 16, 32 or 64 bits. */
static struct address any_element(struct program *p, struct buffer *out, unsigned width, bool is_written,
                                  unsigned depth)
{
    const unsigned i = place_object(p, is_written, 0), bytes = width / 8;
    struct address at = address_of(i, 0);
    buffer_format(out, "%s.%c[", p->objects[i].text, width == 8 ? 'b' : width == 16 ? 's' : width == 32 ? 'w' : 'q');
    any_index(p, out, p->objects[i].size / bytes, 1, depth, at.byte);
    buffer_text(out, "]");
    for (unsigned r = 0; r < RUNS; r++)
        at.byte[r] *= bytes;
    return at;
}

static struct place any_field(struct program *p, struct buffer *out, bool is_written)
{
    const unsigned i = place_object(p, is_written, 0), which = any(p, FIELDS);
    struct place place = {.at = address_of(i, 0), .bit = 0, .width = p->fields[which], .is_signed = which == 1};
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

struct place place_any(struct program *p, struct buffer *out, unsigned width, bool is_written, unsigned depth)
{
    const unsigned how = any(p, 8);
    struct place place = {.width = width};
    if (how == 0)
        return any_field(p, out, is_written);
    if (how == 1 && by_pointer(p, out, width, is_written, &place.at))
        return place;
    if (how == 2 || how == 3) { /* not aligned */
        buffer_format(out, "*(U%u_%u *)(", width, p->name);
        place.at = place_bytes(p, out, width / 8, is_written, width / 8);
        buffer_text(out, ")");
    } else if (how == 4) { /* one of two */
        struct address at[2];
        buffer_text(out, "*(h ? &");
        at[1] = any_element(p, out, width, is_written, 0);
        buffer_text(out, " : &");
        at[0] = any_element(p, out, width, is_written, 0);
        buffer_text(out, ")");
        for (unsigned r = 0; r < RUNS; r++) {
            place.at.object[r] = at[H(r)].object[r];
            place.at.byte[r] = at[H(r)].byte[r];
        }
    } else {
        place.at = any_element(p, out, width, is_written, depth);
    }
    return place;
}

/* --- expressions: of unsigned types of 8, 16, 32, 64 bits; above these bits their values are 0 --- */

static struct each constant(struct program *p, struct buffer *out, unsigned width)
{
    const uint64_t number = any_number(p, width);
    buffer_format(out, "(uint%u_t)0x%" PRIx64 "u", width, number);
    return same(bits_of(number));
}

static struct each cut(struct each v, unsigned width)
{
    for (unsigned r = 0; r < RUNS; r++)
        v.run[r] = bits_extended(v.run[r], width, false);
    return v;
}

/* What is in memory, or in a variable, where it may be read. */
static bool read(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known, struct each *v)
{
    struct buffer text = {0};
    bool may;
    if (p->variables_n > 0 && any(p, 2) == 0) {
        const unsigned which = any(p, p->variables_n);
        buffer_format(&text, "v%u", which);
        *v = p->variables[which].value;
    } else {
        const struct place place = place_any(
            p, &text, any(p, 4) == 0 || (width & (width - 1)) != 0 || width < 8 ? place_width(p) : width, false, depth);
        *v = place_load(p, &place);
    }
    *v = cut(*v, width);
    may = !known || are_known(p, v, width);
    if (may)
        buffer_format(out, "(uint%u_t)%s", width, buffer_string(&text));
    buffer_free(&text);
    return may;
}

struct each expression_leaf(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned how = any(p, 7);
    struct each v;
    if (how < 3 && read(p, out, width, depth, known, &v))
        return v;
    if (how == 3) {
        buffer_format(out, "(uint%u_t)h", width);
        return (struct each){{bits_of(0), bits_of(1), bits_of(0), bits_of(1)}};
    }
    if (how == 4 && !known) {
        buffer_format(out, "(uint%u_t)x", width);
        v = same(bits_of_x());
        for (unsigned r = 0; r < RUNS; r++)
            v.run[r].at[p->t] = (uint8_t)(T(r) ? BIT_1 : BIT_0);
        return cut(v, width);
    }
    return constant(p, out, width);
}

/* An operation on two numbers. */
struct arithmetic {
    const char *op;
    bool is_signed;
};

static bool compare(const char *op, bool less, bool equal)
{
    return op[0] == '<' ? less || (op[1] == '=' && equal) : (op[0] == '=') == equal;
}

/* False where C says nothing of the result. */
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
    return is_promoted(width) || (r <= most && r >= -most - 1);
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
static struct each arithmetic(struct program *p, struct buffer *out, unsigned width, unsigned depth)
{
    static const char *const ops[] = {"+", "-", "*", "/", "%", "<", "<=", "==", "!="};
    struct arithmetic how = {ops[any(p, sizeof ops / sizeof *ops)], any(p, 2) == 0};
    struct buffer left = {0}, right = {0};
    const struct each u = expression_write(p, &left, width, depth - 1, true);
    const struct each v = expression_write(p, &right, width, depth - 1, true);
    const unsigned wide = is_promoted(width) ? 32 : width;
    struct each result = same(bits_of(0));
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
static struct each combination(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const char op = "&|^"[any(p, 3)];
    struct buffer right = {0};
    struct each result = same(bits_of(0)), u, v;
    bool can = true;
    buffer_format(out, "(uint%u_t)(", width);
    u = expression_write(p, out, width, depth - 1, known);
    v = any(p, 2) == 0 ? constant(p, &right, width) : expression_write(p, &right, width, depth - 1, known);
    EACH_LIVE (p, r)
        can = can && bits_combine(op, &u.run[r], &v.run[r], &result.run[r]);
    if (can)
        buffer_format(out, " %c %s", op, buffer_string(&right));
    buffer_text(out, ")");
    buffer_free(&right);
    return cut(can ? result : u, width);
}

static struct each shifted(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned by = any(p, width), how = any(p, 4);
    struct each v;
    buffer_format(out, "(uint%u_t)((%sint%u_t)", width, how == 2 ? "" : "u", width);
    v = expression_write(p, out, width, depth - 1, known);
    buffer_format(out, " %s %u)", how < 2 ? "<<" : ">>", by);
    EACH_LIVE (p, r)
        v.run[r] = how < 2 ? bits_shifted_left(v.run[r], by) : bits_shifted_right(v.run[r], width, by, how == 2);
    return cut(v, width);
}

/* Through a type of another width, perhaps a signed one. */
static struct each converted(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned from = expression_width(p);
    const bool is_signed = any(p, 2) == 0;
    struct each v;
    buffer_format(out, "(uint%u_t)(%sint%u_t)", width, is_signed ? "" : "u", from);
    v = expression_write(p, out, from, depth - 1, known);
    EACH_LIVE (p, r)
        v.run[r] = bits_extended(v.run[r], from, is_signed);
    return cut(v, width);
}

void program_enter(struct program *p, const bool before[RUNS], const bool holds[RUNS], bool otherwise)
{
    for (unsigned r = 0; r < RUNS; r++)
        p->live[r] = before[r] && holds[r] != otherwise;
}

static struct each chosen(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    bool before[RUNS], holds[RUNS];
    struct each u, v;
    memcpy(before, p->live, sizeof before);
    buffer_text(out, "(");
    condition_write(p, out, depth - 1, holds);
    buffer_text(out, " ? ");
    program_enter(p, before, holds, false);
    u = expression_write(p, out, width, depth - 1, known);
    buffer_text(out, " : ");
    program_enter(p, before, holds, true);
    v = expression_write(p, out, width, depth - 1, known);
    buffer_text(out, ")");
    memcpy(p->live, before, sizeof before);
    for (unsigned r = 0; r < RUNS; r++)
        if (holds[r])
            v.run[r] = u.run[r];
    return v;
}

/* A function of the bits: which bit comes from where. */
static struct each moved(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    const unsigned by = 1 + any(p, width - 1), how = width == 16 || width == 32 || width == 64 ? any(p, 2) : 1;
    struct buffer text = {0};
    struct each v = expression_write(p, &text, width, depth - 1, known), result = v;
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
static struct each counted(struct program *p, struct buffer *out, unsigned width, unsigned depth)
{
    const unsigned how = any(p, 2);
    struct each v;
    buffer_format(out, "(uint%u_t)%s((uint64_t)", width, how == 0 ? "__builtin_popcountll" : "__builtin_ffsll");
    v = expression_write(p, out, width, depth - 1, true);
    buffer_text(out, ")");
    EACH_LIVE (p, r) {
        const uint8_t *const first = memchr(v.run[r].at, BIT_1, BITS);
        v.run[r] = bits_of(how == 0 ? ones(&v.run[r]) : first == NULL ? 0 : (unsigned)(first - v.run[r].at) + 1);
    }
    return cut(v, width);
}

static float float_of(const struct bits *v)
{
    const uint32_t word = (uint32_t)bits_number(v, 32);
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static struct bits bits_of_float(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return bits_of(word);
}

/* A float, or what two compare to; as bits. */
static struct each floating(struct program *p, struct buffer *out, unsigned width, unsigned depth)
{
    const unsigned how = any(p, 6), from = place_width(p), is_signed = how == 3;
    struct each u, v = same(bits_of(0));
    buffer_format(out, "(uint%u_t)", width);
    if (how == 2 || how == 3) {
        buffer_format(out, "B_%u((float)(%sint%u_t)", p->name, is_signed ? "" : "u", from);
        u = expression_write(p, out, from, depth - 1, true);
        buffer_text(out, ")");
    } else {
        buffer_format(out,
                      how == 0   ? "B_%u(-F_%u("
                      : how == 1 ? "B_%u(__builtin_fabsf(F_%u("
                                 : "(F_%u(",
                      p->name, p->name);
        u = expression_write(p, out, 32, depth - 1, true);
        buffer_format(out, how == 0 ? "))" : how == 1 ? ")))" : how == 4 ? ") < F_%u(" : ") != F_%u(", p->name);
    }
    if (how >= 4) {
        v = expression_write(p, out, 32, depth - 1, true);
        buffer_text(out, "))");
    }
    EACH_LIVE (p, r) {
        const float f = float_of(&u.run[r]), g = float_of(&v.run[r]);
        const struct bits sign = bits_of(0x80000000u), other = bits_of(0x7fffffffu);
        if (how == 0)
            bits_combine('^', &u.run[r], &sign, &v.run[r]);
        else if (how == 1)
            bits_combine('&', &u.run[r], &other, &v.run[r]);
        else if (how == 2)
            v.run[r] = bits_of_float((float)bits_number(&u.run[r], from));
        else if (how == 3)
            v.run[r] = bits_of_float((float)bits_signed(&u.run[r], from));
        else
            v.run[r] = bits_of(how == 4 ? f < g : f != g);
    }
    return cut(v, width);
}

struct each expression_write(struct program *p, struct buffer *out, unsigned width, unsigned depth, bool known)
{
    struct each v;
    if (depth == 0)
        return expression_leaf(p, out, width, 0, known);
    switch (any(p, 13)) {
    case 0:
        buffer_format(out, "(uint%u_t)~", width);
        v = expression_write(p, out, width, depth - 1, known);
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
    case 9:
        return floating(p, out, width, depth);
    default:
        return expression_leaf(p, out, width, depth, known);
    }
}

/* Two pointers compared, of which each is a place in an object; in order only within one. */
static bool compare_pointers(struct program *p, struct buffer *out, bool holds[RUNS])
{
    const struct address *const u = &p->pointers[0], *const v = &p->pointers[1];
    bool can = p->pointers_n > 1, same_object = true;
    EACH_LIVE (p, r) {
        can = can && u->object[r] != NOWHERE && v->object[r] != NOWHERE;
        same_object = same_object && u->object[r] == v->object[r];
    }
    if (!can)
        return false;
    const bool less = same_object && any(p, 2) == 0;
    buffer_text(out, less ? "(p0 < p1)" : "(p0 == p1)");
    for (unsigned r = 0; r < RUNS; r++)
        holds[r] = less ? u->byte[r] < v->byte[r] : u->object[r] == v->object[r] && u->byte[r] == v->byte[r];
    return true;
}

void condition_write(struct program *p, struct buffer *out, unsigned depth, bool holds[RUNS])
{
    const unsigned how = any(p, 9), width = expression_width(p);
    struct each v;
    if (how == 5 && compare_pointers(p, out, holds))
        return;
    for (unsigned r = 0; r < RUNS; r++)
        holds[r] = how == 1 ? !H(r) : how < 3 ? H(r) : T(r);
    if (how < 3) {
        buffer_text(out, how == 0 ? "h" : how == 1 ? "!h" : "(h == 1)");
        return;
    }
    if (how > 6) {
        buffer_format(out, "(x >> %u & 1)", p->t);
        return;
    }
    const uint64_t number = any_number(p, width);
    buffer_text(out, "(");
    v = expression_write(p, out, width, depth, true);
    buffer_format(out, " %s (uint%u_t)0x%" PRIx64 "u)", how == 3 ? "<" : "!=", width, number);
    for (unsigned r = 0; r < RUNS; r++)
        holds[r] = how == 3 ? bits_number(&v.run[r], width) < number : bits_number(&v.run[r], width) != number;
}
