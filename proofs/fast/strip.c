#include "proofs/fast/strip.h"

#include <stdio.h>
#include <string.h>

#define CASE_WORDS (sizeof(struct warp_case) / sizeof(uint32_t))

static bool is_match(const struct warp_form_info *info, enum warp_op op)
{
    return info->family == WARP_MATCH_SYNC && info->op == op;
}

bool strip_moves(const struct warp_form_info *info)
{
    return warp_form_is_shfl(info) || is_match(info, WARP_ANY);
}

bool strip_by_lane(const struct warp_form_info *info)
{
    return strip_moves(info) || info->type == WARP_PRED;
}

static bool strip_has_word(const struct warp_form_info *info)
{
    return !is_match(info, WARP_ANY);
}

term strip_group_lane(struct smt *s, unsigned g, unsigned k)
{
    char full[32];
    snprintf(full, sizeof full, "strip[%u][%u]", g, k); /* as groups_harness.c calls it */
    return term_constant(s, s->bool_sort, full);
}

void strip_group(struct smt *s, unsigned g, term bits[WARP_LANES])
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = strip_group_lane(s, g, k);
}

bool strip_word_is_lanes(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
        return true;
    case WARP_REDUX_SYNC:
    case WARP_FAMILIES:
        break;
    }
    return false;
}

#define STRIDE   offsetof(struct warp_column, stride)
#define PER_WARP offsetof(struct warp_column, per_warp)
_Static_assert(offsetof(struct warp_column, values) == 0 && offsetof(struct warp_sink, values) == 0 &&
                   offsetof(struct warp_sink, stride) == offsetof(struct warp_column, stride),
               "columns and sinks begin alike");

bool strip_is_kernel(struct machine *machine, LLVMValueRef function, const struct value *const *a, unsigned n)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return n == 1 && LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind && a[0]->e[0]->kind == POINTER &&
           a[0]->e[0]->index == NULL && machine->sizes[a[0]->e[0]->object] >= sizeof(struct fast_strip);
}

static void put(struct machine *machine, unsigned object, uint64_t at, const struct scalar *x)
{
    memory_store(&machine->m, &machine->now, object, machine->sizes[object], at, x);
}

/* The warps for which a kernel may read groups and write words, given n. */
static unsigned strip_room(const struct warp_form_info *info, unsigned n)
{
    return strip_word_is_lanes(info) ? n : FAST_STRIP;
}

/* The columns, and the places of their operands in the case. */
static const struct column {
    size_t at, operand;
} columns[] = {{STRIP(a), offsetof(struct warp_case, a)},
               {STRIP(a_high), offsetof(struct warp_case, a_high)},
               {STRIP(b), offsetof(struct warp_case, b)},
               {STRIP(c), offsetof(struct warp_case, c)}};

/* How many of them a kernel may look at. */
static unsigned column_count(const struct warp_form_info *info)
{
    return warp_form_is_shfl(info) ? 4 : 2;
}

static uint64_t stride_of(bool several)
{
    return several ? 0 : CASE_WORDS;
}

static const struct scalar *anything(struct maker *m, const char *name, unsigned w, unsigned k, unsigned width)
{
    char full[48];
    snprintf(full, sizeof full, "%s[%u][%u]", name, w, k);
    return make_term(m, term_constant(m->s, Z3_mk_bv_sort(m->s->z3, width), full));
}

/* The objects of one run; all apart, so that an access beyond its place is seen. */
struct places {
    unsigned strip, group, word, d_defined, d;
};

/* Lane by lane, as a batch of one warp has them. */
static void put_members(struct machine *machine, unsigned strip, const struct scalar *const *members)
{
    struct maker *m = &machine->m;
    const unsigned row = members == NULL ? 0 : machine_object(machine, "the lanes' membermasks", 4 * WARP_LANES, 4);
    for (unsigned k = 0; members != NULL && k < WARP_LANES; k++)
        put(machine, row, 4 * k, members[k]);
    machine->objects[row].constant = true;
    put(machine, strip, STRIP(members), machine_address(machine, row, 0));
    put(machine, strip, STRIP(members) + STRIDE, make_known(m, 64, members == NULL ? 0 : CASE_WORDS));
    put(machine, strip, STRIP(members) + PER_WARP, make_known(m, 8, 0));
}

static struct places make_strip(struct machine *machine, struct case_split *split, bool several, unsigned n,
                                const struct scalar *const *members)
{
    struct maker *m = &machine->m;
    const unsigned c = split_case(machine, split), group_room = several ? WARP_LANES : strip_room(split->info, 1);
    const struct places p = {
        .strip = machine_object(machine, "the strip", sizeof(struct fast_strip), _Alignof(struct fast_strip)),
        .group = machine_object(machine, "the strip's groups", group_room * 4, 4),
        .word = machine_object(machine, "the strip's words", strip_room(split->info, n) * 4, 4),
        .d_defined = machine_object(machine, "the strip's d_defined", strip_room(split->info, n) * 4, 4),
        .d = machine_object(machine, "the strip's d", n * WARP_LANES * 4, 4),
    };
    /* one warp: any stride, which then must not matter */
    const struct scalar *d_stride = several ? make_known(m, 64, WARP_LANES) : anything(m, "stride", 0, 0, 64);
    const bool moves = strip_moves(split->info); /* other kernels shall not touch d */
    LLVMTypeRef type = LLVMGetTypeByName2(LLVMGetModuleContext(machine->module), "struct.fast_strip");
    put(machine, p.strip, STRIP(n), make_known(m, 64, n));
    for (unsigned i = 0; i < column_count(split->info); i++) { /* the others shall not be touched */
        const unsigned operand = machine_object(machine, "an operand", 4 * WARP_LANES, 4);
        memory_copy(&machine->now, operand, machine->sizes[operand], 0, c, columns[i].operand, 4 * WARP_LANES);
        machine->objects[operand].constant = true;
        put(machine, p.strip, columns[i].at, machine_address(machine, operand, 0));
        put(machine, p.strip, columns[i].at + STRIDE, make_known(m, 64, stride_of(several)));
        put(machine, p.strip, columns[i].at + PER_WARP, make_known(m, 8, 0));
    }
    put(machine, p.strip, STRIP(d) + STRIDE, d_stride);
    put(machine, p.strip, STRIP(d), machine_address(machine, moves ? p.d : 0, 0));
    put_members(machine, p.strip, members);
    put(machine, p.strip, STRIP(group), machine_address(machine, p.group, 0));
    put(machine, p.strip, STRIP(word), machine_address(machine, p.word, 0));
    if (warp_form_is_shfl(split->info))
        put(machine, p.strip, STRIP(d_defined), machine_address(machine, p.d_defined, 0));
    if (type == NULL || LLVMABISizeOfType(machine->layout, type) != sizeof(struct fast_strip))
        fail(m, "the bitcode has another struct fast_strip than the prover");
    machine->objects[p.strip].constant = true;
    return p;
}

void strip_run(struct machine *machine, struct case_split *split, LLVMValueRef kernel, bool several, unsigned n,
               const struct scalar *const *groups, const struct scalar *const *members, struct strip_row *rows)
{
    struct maker *m = &machine->m;
    const struct places p = make_strip(machine, split, several, n, members);
    const struct value *argument = make_value(m, machine_address(machine, p.strip, 0));
    if (n == 0 || n > (several ? WARP_LANES : 1))
        fail(m, "a strip of %u warps", n);
    for (unsigned w = 0; w < n; w++)
        put(machine, p.group, 4 * w, groups[w]);
    machine->objects[p.group].constant = true;
    machine->hook = NULL;
    machine_call_function(machine, kernel, &argument, 1);
    for (unsigned w = 0; w < n; w++) {
        rows[w] = (struct strip_row){0};
        if (strip_has_word(split->info))
            rows[w].word = memory_load(m, &machine->now, p.word, 4 * w, 32);
        if (warp_form_is_shfl(split->info))
            rows[w].d_defined = memory_load(m, &machine->now, p.d_defined, 4 * w, 32);
        for (unsigned k = 0; strip_moves(split->info) && k < WARP_LANES; k++)
            rows[w].d[k] = memory_load(m, &machine->now, p.d, 4 * (w * WARP_LANES + k), 32);
    }
}

/* Some of these lanes. */
static const struct scalar *some_of(struct maker *m, const char *name, unsigned w, const term lanes[WARP_LANES])
{
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        char full[48];
        snprintf(full, sizeof full, "%s[%u][%u]", name, w, k);
        bits[k] = b_and(m->s, lanes[k], term_constant(m->s, m->s->bool_sort, full));
    }
    return make_bits(m, WARP_LANES, bits);
}

static const struct scalar *voters(struct maker *m, const term lanes[WARP_LANES])
{
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        char full[32];
        snprintf(full, sizeof full, "q[%u]", k); /* the predicate of lane k, as the case split names it */
        bits[k] = b_and(m->s, lanes[k], term_constant(m->s, m->s->bool_sort, full));
    }
    return make_bits(m, WARP_LANES, bits);
}

void strip_row_any(struct maker *m, const struct case_split *split, bool several, unsigned w,
                   const term group[WARP_LANES], struct strip_row *row)
{
    const struct scalar *zero = make_known(m, 32, 0);
    term with_d[WARP_LANES];
    *row = (struct strip_row){0};
    memcpy(with_d, group, sizeof with_d);
    if (split->info->type == WARP_PRED)
        row->word = voters(m, group);
    else if (!strip_word_is_lanes(split->info) || (several && is_match(split->info, WARP_ALL)))
        row->word = anything(m, "row.word", w, 0, 32);
    else if (strip_has_word(split->info))
        row->word = some_of(m, "row.word", w, group);
    if (warp_form_is_shfl(split->info)) {
        row->d_defined = some_of(m, "row.defined", w, group);
        as_bits(m, row->d_defined, with_d);
    }
    for (unsigned k = 0; strip_moves(split->info) && k < WARP_LANES; k++)
        row->d[k] = scalar_select(m, with_d[k], anything(m, "row.d", w, k, 32), zero);
}

static const struct scalar *field(struct machine *machine, const struct scalar *strip, size_t at, unsigned width)
{
    return memory_load(&machine->m, &machine->now, strip->object, strip->number + at, width);
}

static const struct scalar *pointer_field(struct machine *machine, const struct scalar *strip, size_t at)
{
    const struct scalar *p = field(machine, strip, at, 64);
    if (p->kind != POINTER || p->index != NULL || p->poison != NULL)
        fail(&machine->m, "a kernel is called with a pointer of its strip that the proof does not expect");
    return p;
}

static void need_number(struct machine *machine, const struct scalar *x, uint64_t number)
{
    if (x->kind != KNOWN || x->number != number || x->poison != NULL)
        fail(&machine->m, "a kernel is called with a strip that the proof does not expect");
}

static void need_columns(struct machine *machine, const struct warp_form_info *info, const struct scalar *strip,
                         unsigned case_object, bool several)
{
    for (unsigned i = 0; i < column_count(info); i++) {
        const struct scalar *p = pointer_field(machine, strip, columns[i].at);
        if (p->object != case_object || p->number != columns[i].operand)
            fail(&machine->m, "a kernel is called with operands that the proof does not expect");
        need_number(machine, field(machine, strip, columns[i].at + STRIDE, 64), stride_of(several));
        need_number(machine, field(machine, strip, columns[i].at + PER_WARP, 8), 0);
    }
}

/* The membermasks that a kernel is told are those of the case, or there are none. */
static void need_members(struct machine *machine, const struct scalar *strip, unsigned case_object, bool members)
{
    const struct scalar *p = field(machine, strip, STRIP(members), 64);
    const bool null = p->poison == NULL && p->number == 0 &&
                      (p->kind == KNOWN || (p->kind == POINTER && p->index == NULL && p->object == 0));
    if (!members && !null)
        fail(&machine->m, "a kernel is told membermasks where the proof does not expect it");
    if (!members)
        return;
    p = pointer_field(machine, strip, STRIP(members));
    if (p->object != case_object || p->number != offsetof(struct warp_case, membermask))
        fail(&machine->m, "a kernel is told other membermasks than those of the case");
    need_number(machine, field(machine, strip, STRIP(members) + STRIDE, 64), CASE_WORDS);
    need_number(machine, field(machine, strip, STRIP(members) + PER_WARP, 8), 0);
}

static bool overlap(const struct scalar *x, uint64_t x_size, const struct scalar *y, uint64_t y_size)
{
    return x->object == y->object && x->number < y->number + y_size && y->number < x->number + x_size;
}

/* The arrays of a strip lie apart and inside their objects. */
void strip_need_apart(struct machine *machine, const struct scalar *const *p, const uint64_t *size, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (p[i]->object == 0 || p[i]->number > machine->sizes[p[i]->object] ||
            size[i] > machine->sizes[p[i]->object] - p[i]->number || machine->objects[p[i]->object].constant)
            fail(&machine->m, "a kernel is called with an array that is too small");
        for (unsigned k = 0; k < i; k++)
            if (overlap(p[i], size[i], p[k], size[k]))
                fail(&machine->m, "a kernel is called with arrays that overlap");
    }
}

static void write_words(struct machine *machine, const struct scalar *to, unsigned room, unsigned n,
                        const struct strip_row *rows, bool defined)
{
    struct maker *m = &machine->m;
    const struct scalar *nothing = with_poison(m, make_known(m, 32, 0), term_bool(m->s, true));
    for (unsigned w = 0; w < room; w++) {
        const struct scalar *x = w >= n ? NULL : defined ? rows[w].d_defined : rows[w].word;
        put(machine, to->object, to->number + 4 * w, x == NULL ? nothing : x);
    }
}

unsigned strip_answer(struct machine *machine, const struct case_split *split, unsigned case_object,
                      const struct scalar *strip, unsigned first, bool members, const struct scalar **groups,
                      struct strip_row *rows)
{
    struct maker *m = &machine->m;
    const struct scalar *count = field(machine, strip, STRIP(n), 64), *p[5], *d = NULL, *defined = NULL;
    const bool moves = strip_moves(split->info), shfl = warp_form_is_shfl(split->info);
    uint64_t size[5];
    unsigned arrays = 3, room;
    bool several;
    unsigned n;
    if (count->kind != KNOWN || count->number == 0 || count->number > WARP_LANES)
        fail(m, "a kernel is called with a number of warps that is not known");
    n = (unsigned)count->number;
    several = n > 1 || field(machine, strip, STRIP(a) + STRIDE, 64)->number == 0;
    need_columns(machine, split->info, strip, case_object, several);
    need_members(machine, strip, case_object, members);
    p[0] = strip;
    p[1] = pointer_field(machine, strip, STRIP(group));
    p[2] = pointer_field(machine, strip, STRIP(word));
    size[0] = sizeof(struct fast_strip);
    room = strip_room(split->info, n);
    size[1] = 4 * (several ? WARP_LANES : strip_room(split->info, 1));
    size[2] = 4 * room;
    if (moves) {
        size[arrays] = 4 * WARP_LANES * n;
        p[arrays++] = d = pointer_field(machine, strip, STRIP(d));
    }
    if (shfl)
        p[arrays++] = defined = pointer_field(machine, strip, STRIP(d_defined));
    size[arrays - 1] = shfl ? 4 * room : size[arrays - 1];
    strip_need_apart(machine, p, size, arrays);
    if (moves && several)
        need_number(machine, field(machine, strip, STRIP(d) + STRIDE, 64), WARP_LANES);
    for (unsigned w = 0; w < n; w++) {
        term bits[WARP_LANES];
        groups[w] = memory_load(m, &machine->now, p[1]->object, p[1]->number + 4 * w, 32);
        if (groups[w]->poison != NULL)
            fail(m, "a kernel is called with a group that may be uninitialized");
        as_bits(m, groups[w], bits);
        strip_row_any(m, split, several, first + w, bits, &rows[w]);
        for (unsigned k = 0; moves && k < WARP_LANES; k++)
            put(machine, d->object, d->number + 4 * (w * WARP_LANES + k), rows[w].d[k]);
    }
    write_words(machine, p[2], room, n, rows, false);
    if (shfl)
        write_words(machine, defined, room, n, rows, true);
    return n;
}
