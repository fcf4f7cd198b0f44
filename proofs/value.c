#include "proofs/value.h"

#include "proofs/arith.h"
#include "proofs/memory.h"
#include "proofs/number.h"
#include "proofs/packing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 20)

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t room[];
};

void *arena_take(struct arena *arena, size_t size)
{
    struct chunk *c = arena->chunks;
    void *taken;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (c == NULL || c->size - c->used < size) {
        const size_t room = size > CHUNK ? size : CHUNK;
        c = smt_grow(NULL, 1, sizeof *c + room);
        *c = (struct chunk){.next = arena->chunks, .size = room};
        arena->chunks = c;
    }
    taken = (char *)c->room + c->used;
    c->used += size;
    memset(taken, 0, size);
    return taken;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks != NULL) {
        struct chunk *c = arena->chunks;
        arena->chunks = c->next;
        free(c);
    }
}

static _Noreturn void stop(struct maker *m, enum error_code code, const char *format, va_list arguments)
{
    m->error.code = code;
    vsnprintf(m->error.text, sizeof m->error.text, format, arguments);
    va_end(arguments);
    longjmp(m->stop, 1);
}

_Noreturn void fail(struct maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    stop(m, ERROR_UNSUPPORTED, format, arguments);
}

_Noreturn void fail_late(struct maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    stop(m, ERROR_TIMEOUT, format, arguments);
}

static struct scalar *new_scalar(struct maker *m, enum scalar_kind kind, unsigned width)
{
    struct scalar *x = arena_take(&m->arena, sizeof *x);
    x->kind = kind;
    x->width = width;
    return x;
}

const struct scalar *make_known(struct maker *m, unsigned width, uint64_t number)
{
    struct scalar *x = new_scalar(m, KNOWN, width);
    if (width > 64)
        return make_term(m, v_number(m->s, number, width));
    x->number = width == 64 ? number : number & (((uint64_t)1 << width) - 1);
    return x;
}

const struct scalar *make_term(struct maker *m, term t)
{
    struct scalar *x;
    uint64_t number;
    const unsigned width = term_width(m->s, t);
    if (width == 0)
        fail(m, "a Bool where a bit-vector is wanted");
    if (width <= 64 && v_value(m->s, t, &number))
        return make_known(m, width, number);
    x = new_scalar(m, TERM, width);
    x->t = t;
    return x;
}

const struct scalar *make_bits(struct maker *m, unsigned width, const term *bits)
{
    struct scalar *x = new_scalar(m, BITS, width);
    term *copy;
    uint64_t number = 0;
    unsigned known = 0;
    for (unsigned i = 0; i < width; i++) {
        const bool yes = is_true(m->s, bits[i]);
        known += yes || is_false(m->s, bits[i]);
        if (yes && i < 64)
            number |= (uint64_t)1 << i;
    }
    if (known == width && width <= 64)
        return make_known(m, width, number);
    copy = arena_take(&m->arena, width * sizeof *copy);
    memcpy(copy, bits, width * sizeof *copy);
    x->bits = copy;
    return x;
}

const struct scalar *make_bool(struct maker *m, term b)
{
    return make_bits(m, 1, &b);
}

const struct scalar *make_choice(struct maker *m, unsigned width, unsigned count, const term *when,
                                 const uint64_t *number)
{
    struct scalar *x = new_scalar(m, CHOICE, width);
    term *conditions = arena_take(&m->arena, count * sizeof *conditions);
    uint64_t *from = arena_take(&m->arena, count * sizeof *from);
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        if (is_false(m->s, when[i]) && (i + 1 < count || n > 0)) /* some number is left, whatever the conditions say */
            continue;
        conditions[n] = i + 1 == count ? term_bool(m->s, true) : when[i];
        from[n++] = width == 64 ? number[i] : number[i] & (((uint64_t)1 << width) - 1);
        if (is_true(m->s, conditions[n - 1]))
            break;
    }
    if (n == 1)
        return make_known(m, width, from[0]);
    x->bits = conditions;
    x->from = from;
    x->count = n;
    return x;
}

const struct scalar *make_pointer(struct maker *m, unsigned object, uint64_t offset, const struct scalar *index,
                                  uint64_t scale)
{
    struct scalar *x = new_scalar(m, POINTER, 64);
    x->object = object;
    x->number = offset;
    x->index = index;
    x->scale = scale;
    return x;
}

const struct scalar *make_unmerged(struct maker *m, unsigned width, const char *why)
{
    struct scalar *x = new_scalar(m, UNMERGED, width);
    x->why = why;
    return x;
}

const struct scalar *with_poison(struct maker *m, const struct scalar *x, term poison)
{
    struct scalar *y;
    if (poison == NULL || is_false(m->s, poison) || whole_poison(x) == poison)
        return x;
    y = arena_take(&m->arena, sizeof *y);
    *y = *x;
    y->poison = poison_or(m, x->poison, poison);
    y->whole = x->unset == NULL ? NULL : poison_or(m, x->whole, poison);
    y->copied = NULL;
    return y;
}

const struct scalar *with_unset(struct maker *m, const struct scalar *x, const term *unset)
{
    struct scalar *y;
    term any = NULL;
    for (unsigned i = 0; unset != NULL && i < x->width; i++)
        if (unset[i] != NULL && (i == 0 || unset[i] != unset[i - 1]))
            any = poison_or(m, any, unset[i]);
    if (any == NULL || is_false(m->s, any))
        return x;
    y = arena_take(&m->arena, sizeof *y);
    *y = *x;
    y->unset = both_unset(m, NULL, x->unset, unset, x->width);
    y->whole = whole_poison(x);
    y->poison = poison_or(m, x->poison, any);
    y->copied = NULL;
    return y;
}

const struct scalar *without_poison(struct maker *m, const struct scalar *x)
{
    struct scalar *y;
    if (x->poison == NULL)
        return x;
    y = arena_take(&m->arena, sizeof *y);
    *y = *x;
    y->poison = y->whole = NULL;
    y->unset = NULL;
    y->copied = NULL;
    return y;
}

const struct scalar *with_poison_of(struct maker *m, const struct scalar *r, const struct scalar *x)
{
    return with_unset(m, with_poison(m, r, whole_poison(x)), x->unset);
}

term unset_among(struct maker *m, const struct scalar *x, unsigned first, unsigned n)
{
    term some = NULL;
    for (unsigned i = first; x->unset != NULL && i < first + n; i++)
        some = poison_or(m, some, x->unset[i]);
    return some;
}

term *no_unset(struct maker *m, unsigned width)
{
    return memset(arena_take(&m->arena, width * sizeof(term)), 0, width * sizeof(term));
}

static term either(struct maker *m, term c, term x, term y)
{
    term no = term_bool(m->s, false);
    if (c == NULL || x == y)
        return poison_or(m, x, y);
    return b_ite(m->s, c, x == NULL ? no : x, y == NULL ? no : y);
}

const term *both_unset(struct maker *m, term c, const term *x, const term *y, unsigned width)
{
    term *r, last_x = NULL, last_y = NULL;
    if (x == y || (c == NULL && (x == NULL || y == NULL)))
        return x == NULL ? y : x;
    r = no_unset(m, width);
    for (unsigned i = 0; i < width; i++) { /* mostly it is so of many bits in a row */
        term of_x = x == NULL ? NULL : x[i], of_y = y == NULL ? NULL : y[i];
        r[i] = i > 0 && of_x == last_x && of_y == last_y ? r[i - 1] : either(m, c, of_x, of_y);
        last_x = of_x;
        last_y = of_y;
    }
    return r;
}

const struct scalar *make_unset(struct maker *m, unsigned width)
{
    term *unset = no_unset(m, width);
    for (unsigned i = 0; i < width; i++)
        unset[i] = term_bool(m->s, true);
    return with_unset(m, make_known(m, width, 0), unset);
}

term poison_or(struct maker *m, term x, term y)
{
    if (x == NULL || y == NULL)
        return x == NULL ? y : x;
    return b_or(m->s, x, y);
}

const struct value *make_value(struct maker *m, const struct scalar *x)
{
    struct value *v = make_vector(m, 1);
    v->e[0] = x;
    return v;
}

struct value *make_vector(struct maker *m, unsigned n)
{
    struct value *v = arena_take(&m->arena, sizeof *v + n * sizeof v->e[0]);
    v->n = n;
    return v;
}

bool is_known(const struct scalar *x, uint64_t *number)
{
    if (x->kind == KNOWN)
        *number = x->number;
    return x->kind == KNOWN;
}

static term term_of_bits(struct maker *m, const struct scalar *x)
{
    term t = NULL;
    for (unsigned low = 0, end; low < x->width; low = end) {
        term run;
        for (end = low + 1; end < x->width && x->bits[end] == x->bits[low];)
            end++;
        for (unsigned at = low; at < end; at += 64) { /* numerals of at most 64 bits */
            const unsigned width = end - at < 64 ? end - at : 64;
            run = v_ite(m->s, x->bits[low], v_number(m->s, ~(uint64_t)0, width), v_number(m->s, 0, width));
            t = t == NULL ? run : v_concat(m->s, run, t);
        }
    }
    return t;
}

static term term_of_choice(struct maker *m, const struct scalar *x)
{
    term t = v_number(m->s, x->from[x->count - 1], x->width);
    for (unsigned i = x->count - 1; i-- > 0;)
        t = v_ite(m->s, x->bits[i], v_number(m->s, x->from[i], x->width), t);
    return t;
}

term as_term(struct maker *m, const struct scalar *x)
{
    switch (x->kind) {
    case KNOWN:
        return v_number(m->s, x->number, x->width);
    case TERM:
        return x->t;
    case BITS:
        return term_of_bits(m, x);
    case CHOICE:
        return term_of_choice(m, x);
    case POINTER:
        fail(m, "a pointer is used as a number");
    case UNMERGED:
        break;
    }
    fail(m, "%s", x->why);
}

static const term *definition(const struct maker *m, term word)
{
    for (size_t i = 0; i < m->defined_count; i++)
        if (m->defined[i].word == word)
            return m->defined[i].bits;
    return NULL;
}

const struct scalar *with_bits(struct maker *m, const struct scalar *x)
{
    const term *bits = x->kind == TERM ? definition(m, x->t) : NULL;
    return bits == NULL ? x : with_poison_of(m, make_bits(m, x->width, bits), x);
}

void as_bits(struct maker *m, const struct scalar *x, term *bits)
{
    const term *known = x->kind == BITS ? x->bits : x->kind == TERM ? definition(m, x->t) : NULL;
    if (known != NULL) {
        memcpy(bits, known, x->width * sizeof *bits);
        return;
    }
    if (x->kind == KNOWN) {
        for (unsigned i = 0; i < x->width; i++)
            bits[i] = term_bool(m->s, x->number >> i & 1u);
        return;
    }
    if (x->kind == CHOICE) {
        for (unsigned i = 0; i < x->width; i++) {
            bits[i] = term_bool(m->s, x->from[x->count - 1] >> i & 1u);
            for (unsigned k = x->count - 1; k-- > 0;)
                bits[i] = b_ite(m->s, x->bits[k], term_bool(m->s, x->from[k] >> i & 1u), bits[i]);
        }
        return;
    }
    for (unsigned i = 0; i < x->width; i++)
        bits[i] = v_eq(m->s, v_extract(m->s, i, i, as_term(m, x)), v_number(m->s, 1, 1));
}

term as_bool(struct maker *m, const struct scalar *x)
{
    term b;
    if (x->width != 1)
        fail(m, "a condition of %u bits", x->width);
    as_bits(m, x, &b);
    return b;
}

static bool same_poison(const struct scalar *x, const struct scalar *y)
{
    if (x->poison != y->poison || x->whole != y->whole || (x->unset == NULL) != (y->unset == NULL))
        return false;
    return x->unset == NULL || memcmp(x->unset, y->unset, x->width * sizeof *x->unset) == 0;
}

bool scalar_same(const struct scalar *x, const struct scalar *y)
{
    if (x == y)
        return true;
    if (x->kind != y->kind || x->width != y->width || !same_poison(x, y))
        return false;
    switch (x->kind) {
    case KNOWN:
        return x->number == y->number;
    case TERM:
        return x->t == y->t;
    case BITS:
        return memcmp(x->bits, y->bits, x->width * sizeof *x->bits) == 0;
    case POINTER:
        return x->object == y->object && x->number == y->number && x->scale == y->scale &&
               (x->index == y->index || (x->index != NULL && y->index != NULL && scalar_same(x->index, y->index)));
    case UNMERGED:
        return x->first != NULL && y->first != NULL && x->when == y->when && scalar_same(x->first, y->first) &&
               scalar_same(x->second, y->second);
    case CHOICE:
        break;
    }
    return false;
}

/* --- numbers of true Bools --- */

unsigned counted_bits(struct maker *m, const struct scalar *x, term bits[COUNT_MOST])
{
    if (x->width < 8) /* too narrow for 64 and a sign */
        return COUNT_NONE;
    if (x->count_of != NULL && x->count_of->width <= COUNT_MOST) {
        as_bits(m, x->count_of, bits);
        return x->count_of->width;
    }
    if (x->kind == KNOWN && x->number <= COUNT_MOST) {
        for (unsigned i = 0; i < x->number; i++)
            bits[i] = term_bool(m->s, true);
        return (unsigned)x->number;
    }
    if (x->kind != BITS)
        return COUNT_NONE;
    for (unsigned i = 1; i < x->width; i++)
        if (!is_false(m->s, x->bits[i]))
            return COUNT_NONE;
    bits[0] = x->bits[0];
    return 1;
}

const struct scalar *with_count(struct maker *m, const struct scalar *r, const term *bits, unsigned n)
{
    struct scalar *counted;
    if (r->kind == KNOWN || n == 0)
        return r;
    if (m->packing != NULL && packing_is_size(m, bits, n))
        return with_poison(m, make_known(m, r->width, m->packing->size), r->poison);
    counted = arena_take(&m->arena, sizeof *counted);
    *counted = *r;
    counted->count_of = make_bits(m, n, bits);
    return counted;
}

/* One of two such numbers: of their Bools, one by one. */
static const struct scalar *select_count(struct maker *m, term c, const struct scalar *x, const struct scalar *y,
                                         const struct scalar *r)
{
    term a[COUNT_MOST], b[COUNT_MOST], no = term_bool(m->s, false);
    unsigned i = counted_bits(m, x, a), k;
    if (i == COUNT_NONE || r->kind == UNMERGED)
        return r;
    k = counted_bits(m, y, b);
    if (k == COUNT_NONE || (x->count_of == NULL && y->count_of == NULL && (i > k ? i - k : k - i) != 1))
        return r;
    for (; i < k; i++)
        a[i] = no;
    for (; k < i; k++)
        b[k] = no;
    for (unsigned j = 0; j < i; j++)
        a[j] = b_ite(m->s, c, a[j], b[j]);
    return with_count(m, r, a, i);
}

/* --- choices between known numbers --- */

const struct scalar *as_choice(struct maker *m, const struct scalar *x)
{
    return x->kind == BITS && x->chosen != NULL ? with_poison_of(m, x->chosen, x) : x;
}

const struct scalar *with_choice(struct maker *m, const struct scalar *r, const struct scalar *choice)
{
    struct scalar *chosen;
    if (r->kind != BITS || choice == NULL || choice->kind != CHOICE)
        return r;
    chosen = arena_take(&m->arena, sizeof *chosen);
    *chosen = *r;
    chosen->chosen = choice;
    return chosen;
}

#define CHOICES_MOST 40u

/* The choice that it is known to be, or a number as one that is always chosen. False: it is none. */
static bool alternatives(struct maker *m, const struct scalar *x, struct scalar *of)
{
    if (x->kind == BITS)
        x = x->chosen;
    if (x == NULL || (x->kind != KNOWN && x->kind != CHOICE) || x->count > CHOICES_MOST)
        return false;
    *of = *x;
    if (x->kind == KNOWN) {
        term *always = arena_take(&m->arena, sizeof *always);
        *always = term_bool(m->s, true);
        of->bits = always;
        of->from = &x->number;
        of->count = 1;
    }
    return true;
}

/* So many alternatives at their ends are the same. */
static unsigned common_alternatives(const struct scalar *x, const struct scalar *y)
{
    unsigned n = 0;
    while (n < x->count && n < y->count && x->bits[x->count - 1 - n] == y->bits[y->count - 1 - n] &&
           x->from[x->count - 1 - n] == y->from[y->count - 1 - n])
        n++;
    return n;
}

/* Adds n alternatives, each where `when` holds, too. */
static void add_alternatives(struct maker *m, struct scalar *to, term *bits, uint64_t *from, term when,
                             const struct scalar *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++, to->count++) {
        bits[to->count] = b_and(m->s, when, x->bits[i]);
        from[to->count] = x->from[i];
    }
}

/*
 * c ? x : y, where each is known or a choice; NULL: it is not, or there are too many. The shorter comes first, then the
 * other: as it is where one of the first was chosen if c holds, and what both have at their ends is there once.
 */
static const struct scalar *select_choice(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    struct scalar first, second, r = {.count = 0};
    term bits[2 * CHOICES_MOST];
    uint64_t from[2 * CHOICES_MOST];
    unsigned common;
    if (!alternatives(m, x, &first) || !alternatives(m, y, &second))
        return NULL;
    if (second.count < first.count) {
        const struct scalar longer = first;
        first = second;
        second = longer;
        c = b_not(m->s, c);
    }
    common = common_alternatives(&first, &second);
    add_alternatives(m, &r, bits, from, c, &first, first.count - common);
    add_alternatives(m, &r, bits, from, common > 0 ? b_not(m->s, c) : term_bool(m->s, true), &second,
                     second.count - common);
    add_alternatives(
        m, &r, bits, from, term_bool(m->s, true),
        &(struct scalar){.bits = second.bits + second.count - common, .from = second.from + second.count - common},
        common);
    return make_choice(m, x->width, r.count, bits, from);
}

/* --- ranges --- */

bool range_of(const struct scalar *x, int64_t *low, int64_t *high)
{
    const bool known = x->kind == KNOWN && x->width <= 64;
    if (known)
        *low = *high = as_signed(x->number, x->width);
    else if (x->count_of != NULL) {
        *low = 0;
        *high = x->count_of->width;
    } else if (x->ranged) {
        *low = x->low;
        *high = x->high;
    }
    return known || x->count_of != NULL || x->ranged;
}

const struct scalar *with_range(struct maker *m, const struct scalar *r, int64_t low, int64_t high)
{
    struct scalar *ranged;
    if (r->kind != TERM)
        return r;
    ranged = arena_take(&m->arena, sizeof *ranged);
    *ranged = *r;
    ranged->ranged = true;
    ranged->low = low;
    ranged->high = high;
    return ranged;
}

static const struct scalar *select_range(struct maker *m, const struct scalar *x, const struct scalar *y,
                                         const struct scalar *r)
{
    int64_t a, b, c, d;
    if ((!x->ranged && !y->ranged) || !range_of(x, &a, &b) || !range_of(y, &c, &d))
        return r;
    return with_range(m, r, a < c ? a : c, b > d ? b : d);
}

/* --- choosing and cutting --- */

static bool is_address(const struct scalar *x)
{
    return x->kind == POINTER || is_address_choice(x);
}

#define MOST_POINTERS 40u

/* Pointers that have no common form stay two. */
static const struct scalar *select_address(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const unsigned pointers = (x->first == NULL ? 1 : x->pointers) + (y->first == NULL ? 1 : y->pointers);
    struct scalar *r = new_scalar(m, UNMERGED, x->width);
    r->why = "a choice between pointers to different objects is not translated here";
    if (pointers > MOST_POINTERS)
        return r;
    r->when = c;
    r->first = x;
    r->second = y;
    r->pointers = pointers;
    return r;
}

/* Pointers into one object, whose known offsets differ by multiples of the scale, differ in their index. */
static const struct scalar *select_pointer(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const uint64_t difference = x->number > y->number ? x->number - y->number : y->number - x->number;
    const uint64_t scale = x->index != NULL ? x->scale : y->index != NULL ? y->scale : difference;
    const struct scalar *zero = make_known(m, 64, 0), *i, *j;
    const uint64_t base = x->number < y->number ? x->number : y->number;
    if (x->object != y->object || scale == 0 || difference % scale != 0 ||
        (x->index != NULL && y->index != NULL && x->scale != y->scale))
        return select_address(m, c, x, y);
    i = x->index == NULL ? zero : as_choice(m, x->index);
    j = y->index == NULL ? zero : as_choice(m, y->index);
    i = arith_binary(m, LLVMAdd, (struct flags){0}, i, make_known(m, 64, (x->number - base) / scale));
    j = arith_binary(m, LLVMAdd, (struct flags){0}, j, make_known(m, 64, (y->number - base) / scale));
    return make_pointer(m, x->object, base, scalar_select(m, c, i, j), scale);
}

static const struct scalar *select_bits(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const unsigned width = x->width;
    term *a = arena_take(&m->arena, width * sizeof *a), *b = arena_take(&m->arena, width * sizeof *b);
    as_bits(m, x, a);
    as_bits(m, y, b);
    for (unsigned i = 0; i < width; i++)
        a[i] = b_ite(m->s, c, a[i], b[i]);
    return with_choice(m, make_bits(m, width, a), m->takes_apart && width >= 32 ? select_choice(m, c, x, y) : NULL);
}

static const struct scalar *select_content(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const bool x_bits = x->kind == BITS || x->kind == KNOWN, y_bits = y->kind == BITS || y->kind == KNOWN;
    const struct scalar *choice = m->takes_apart && (!x_bits || !y_bits) ? select_choice(m, c, x, y) : NULL;
    if (choice != NULL)
        return choice;
    if (x->width == y->width && is_address(x) && is_address(y) && (x->kind == UNMERGED || y->kind == UNMERGED))
        return select_address(m, c, x, y);
    if (x->width != y->width || x->kind == UNMERGED || y->kind == UNMERGED)
        return make_unmerged(m, x->width, "values that cannot be merged are used after all");
    if (x->kind == POINTER && y->kind == POINTER)
        return select_pointer(m, c, x, y);
    if (x->kind == POINTER || y->kind == POINTER)
        return make_unmerged(m, x->width, "a choice between a pointer and a number is not translated");
    if (x_bits && y_bits && (x->kind == BITS || y->kind == BITS || x->width <= 64))
        return select_bits(m, c, x, y);
    return make_term(m, (m->seals_choices ? v_sealed_ite
                         : m->takes_apart ? v_ite_of_rounds
                                          : v_ite)(m->s, c, as_term(m, x), as_term(m, y)));
}

const struct scalar *scalar_select(struct maker *m, term c, const struct scalar *x, const struct scalar *y)
{
    const struct scalar *content; /* without poison */
    if (is_true(m->s, c) || is_false(m->s, c))
        return is_true(m->s, c) ? x : y;
    if (scalar_same(x, y))
        return x;
    content = select_range(m, x, y, select_count(m, c, x, y, select_content(m, c, x, y)));
    content = with_poison(m, content, either(m, c, whole_poison(x), whole_poison(y)));
    return with_unset(m, content, both_unset(m, c, x->unset, y->unset, x->width));
}

const struct scalar *scalar_slice(struct maker *m, const struct scalar *x, unsigned low, unsigned width)
{
    const struct scalar *y;
    if (low == 0 && width == x->width)
        return x;
    if (x->kind == KNOWN)
        y = make_known(m, width, x->number >> low);
    else if (x->kind == BITS)
        y = make_bits(m, width, x->bits + low);
    else if (x->kind == TERM && width > 1)
        y = make_term(m, v_extract(m->s, low + width - 1, low, x->t));
    else if (x->kind == CHOICE || x->kind == TERM) {
        term *bits = arena_take(&m->arena, x->width * sizeof *bits);
        as_bits(m, x, bits);
        y = make_bits(m, width, bits + low);
    } else
        y = make_unmerged(m, width, "a part of a pointer is used");
    return with_unset(m, with_poison(m, y, whole_poison(x)), x->unset == NULL ? NULL : x->unset + low);
}

static const term *unset_beside(struct maker *m, const struct scalar *high, const struct scalar *low)
{
    term *unset;
    if (high->unset == NULL && low->unset == NULL)
        return NULL;
    unset = no_unset(m, high->width + low->width);
    if (low->unset != NULL)
        memcpy(unset, low->unset, low->width * sizeof *unset);
    if (high->unset != NULL)
        memcpy(unset + low->width, high->unset, high->width * sizeof *unset);
    return unset;
}

const struct scalar *scalar_concat(struct maker *m, const struct scalar *high, const struct scalar *low)
{
    const unsigned width = high->width + low->width;
    const struct scalar *y;
    const bool bits = high->kind != TERM && high->kind != POINTER && high->kind != UNMERGED && low->kind != TERM &&
                      low->kind != POINTER && low->kind != UNMERGED;
    if (high->kind == KNOWN && low->kind == KNOWN && width <= 64)
        y = make_known(m, width, high->number << low->width | low->number);
    else if (bits || high->width == 1 || low->width == 1) {
        term *b = arena_take(&m->arena, width * sizeof *b);
        as_bits(m, low, b);
        as_bits(m, high, b + low->width);
        y = make_bits(m, width, b);
    } else
        y = make_term(m, v_concat(m->s, as_term(m, high), as_term(m, low)));
    y = with_poison(m, y, poison_or(m, whole_poison(high), whole_poison(low)));
    return with_unset(m, y, unset_beside(m, high, low));
}

const struct scalar *scalar_pick(struct maker *m, const struct scalar *const *x, unsigned n, const struct scalar *index)
{
    const struct scalar *level[256], *r;
    term *bits = arena_take(&m->arena, index->width * sizeof *bits);
    if (n == 0 || n > 256)
        fail(m, "a choice among %u elements", n);
    r = packing_pick(m, x, n, index);
    if (r != NULL)
        return r;
    index = as_choice(m, index);
    if (index->kind == CHOICE) {
        for (unsigned i = index->count; i-- > 0;) {
            const struct scalar *y = x[index->from[i] < n ? index->from[i] : 0];
            r = r == NULL ? y : scalar_select(m, index->bits[i], y, r);
        }
        return with_poison(m, r, index->poison);
    }
    as_bits(m, index, bits);
    memcpy(level, x, n * sizeof *level);
    for (unsigned bit = 0; n > 1; bit++) {
        if (bit >= index->width)
            fail(m, "an index of %u bits for too many elements", index->width);
        for (unsigned i = 0; i < n; i += 2)
            level[i / 2] = i + 1 < n ? scalar_select(m, bits[bit], level[i + 1], level[i]) : level[i];
        n = (n + 1) / 2;
    }
    return with_poison(m, level[0], index->poison);
}
