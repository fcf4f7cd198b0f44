/*
 * What the words of an opcode say. The assembler takes them in any order behind the first, and so does this. Each
 * spelling is looked up once and then known.
 */
#include "ptx/module/reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Groups of words, as bits: which may stand in an opcode is said in opcodes.def. */
enum {
    ROUND = 1 << 0,
    FTZ = 1 << 1,
    SAT = 1 << 2,
    APPROX = 1 << 3,
    CARRY = 1 << 4,
    PART = 1 << 5,
    COMPARE = 1 << 6,
    BOOL = 1 << 7,
    NAN = 1 << 8,
    XORSIGN = 1 << 9,
    RELU = 1 << 10,
    OOB = 1 << 11,
    SPACE = 1 << 12,
    ATOMIC = 1 << 13,
    ORDER = 1 << 14,
    SCOPE = 1 << 15,
    CACHE = 1 << 16,
    VECTOR = 1 << 17,
    HINT = 1 << 18, /* where to keep what is read: changes no value */
    PRMT = 1 << 19,
    TEST = 1 << 20,
    TO = 1 << 21,
    SHIFT = 1 << 22,
    WRAP = 1 << 23,
    SHIFTAMT = 1 << 24,
    UNIFORM = 1 << 25,
    ALIGNED = 1 << 26,
    NOFTZ = 1 << 27,
    SATFINITE = 1 << 28,
    VARIANT = 1 << 29 /* words that choose the operation (select_op) */
};

#define T(type)   (1u << PTX_##type)
#define PREDICATE T(PRED)
#define BYTES     (T(B8) | T(U8) | T(S8))
#define BITS      (T(B16) | T(B32) | T(B64))
#define INT32     (T(U32) | T(S32))
#define WORDS     (INT32 | T(U64) | T(S64))
#define INTEGERS  (WORDS | T(U16) | T(S16))
#define SIGNED    (T(S16) | T(S32) | T(S64))
#define PAIRS     (T(U16X2) | T(S16X2))
#define REALS     (T(F32) | T(F64))
#define HALVES    (T(F16) | T(F16X2) | T(BF16) | T(BF16X2))
#define FLOATS    (REALS | HALVES)

static const struct row {
    const char *name, *dsts, *srcs;
    uint32_t modifiers, types, types2;
} rows[OPS] = {
#define OPCODE(id, name, dsts, srcs, modifiers, types, types2) [OP_##id] = {name, dsts, srcs, modifiers, types, types2},
#include "ptx/opcodes.def"
#undef OPCODE
};

#define FIELD(name) offsetof(struct module_instruction, name), sizeof((struct module_instruction *)NULL)->name
#define NOTHING     0, 0

/* A word that belongs to several groups has a line for each; the operation decides which is meant. */
static const struct word {
    const char *text;
    uint32_t group;
    size_t offset, size; /* of the field that it sets; size 0: none */
    uint32_t value;
} words[] = {
    {"rn", ROUND, FIELD(rounding), ROUND_RN},
    {"rz", ROUND, FIELD(rounding), ROUND_RZ},
    {"rm", ROUND, FIELD(rounding), ROUND_RM},
    {"rp", ROUND, FIELD(rounding), ROUND_RP},
    {"rna", ROUND, FIELD(rounding), ROUND_RNA},
    {"rni", ROUND, FIELD(rounding), ROUND_RNI},
    {"rzi", ROUND, FIELD(rounding), ROUND_RZI},
    {"rmi", ROUND, FIELD(rounding), ROUND_RMI},
    {"rpi", ROUND, FIELD(rounding), ROUND_RPI},
    {"ftz", FTZ, FIELD(ftz), 1},
    {"sat", SAT, FIELD(sat), 1},
    {"approx", APPROX, FIELD(approx), 1},
    {"full", APPROX, FIELD(full), 1},
    {"cc", CARRY, FIELD(cc), 1},
    {"lo", PART, FIELD(part), PART_LO},
    {"hi", PART, FIELD(part), PART_HI},
    {"wide", PART, FIELD(part), PART_WIDE},
    {"eq", COMPARE, FIELD(compare), COMPARE_EQ},
    {"ne", COMPARE, FIELD(compare), COMPARE_NE},
    {"lt", COMPARE, FIELD(compare), COMPARE_LT},
    {"le", COMPARE, FIELD(compare), COMPARE_LE},
    {"gt", COMPARE, FIELD(compare), COMPARE_GT},
    {"ge", COMPARE, FIELD(compare), COMPARE_GE},
    {"lo", COMPARE, FIELD(compare), COMPARE_LT},
    {"ls", COMPARE, FIELD(compare), COMPARE_LE},
    {"hi", COMPARE, FIELD(compare), COMPARE_GT},
    {"hs", COMPARE, FIELD(compare), COMPARE_GE},
    {"equ", COMPARE, FIELD(compare), COMPARE_EQU},
    {"neu", COMPARE, FIELD(compare), COMPARE_NEU},
    {"ltu", COMPARE, FIELD(compare), COMPARE_LTU},
    {"leu", COMPARE, FIELD(compare), COMPARE_LEU},
    {"gtu", COMPARE, FIELD(compare), COMPARE_GTU},
    {"geu", COMPARE, FIELD(compare), COMPARE_GEU},
    {"num", COMPARE, FIELD(compare), COMPARE_NUM},
    {"nan", COMPARE, FIELD(compare), COMPARE_NAN},
    {"and", BOOL, FIELD(bool_op), ATOMIC_AND},
    {"or", BOOL, FIELD(bool_op), ATOMIC_OR},
    {"xor", BOOL, FIELD(bool_op), ATOMIC_XOR},
    {"NaN", NAN, FIELD(nan), 1},
    {"xorsign", XORSIGN, FIELD(xorsign), 1},
    {"abs", XORSIGN, FIELD(abs), 1},
    {"relu", RELU, FIELD(relu), 1},
    {"oob", OOB, FIELD(oob), 1},
    {"global", SPACE, FIELD(space), SPACE_GLOBAL},
    {"shared", SPACE, FIELD(space), SPACE_SHARED},
    {"shared::cta", SPACE, FIELD(space), SPACE_SHARED},
    {"shared::cluster", SPACE, FIELD(space), SPACE_CLUSTER},
    {"local", SPACE, FIELD(space), SPACE_LOCAL},
    {"const", SPACE, FIELD(space), SPACE_CONST},
    {"param", SPACE, FIELD(space), SPACE_PARAM},
    {"param::entry", SPACE, FIELD(space), SPACE_PARAM},
    {"param::func", SPACE, FIELD(space), SPACE_PARAM},
    {"and", ATOMIC, FIELD(atomic), ATOMIC_AND},
    {"or", ATOMIC, FIELD(atomic), ATOMIC_OR},
    {"xor", ATOMIC, FIELD(atomic), ATOMIC_XOR},
    {"add", ATOMIC, FIELD(atomic), ATOMIC_ADD},
    {"min", ATOMIC, FIELD(atomic), ATOMIC_MIN},
    {"max", ATOMIC, FIELD(atomic), ATOMIC_MAX},
    {"inc", ATOMIC, FIELD(atomic), ATOMIC_INC},
    {"dec", ATOMIC, FIELD(atomic), ATOMIC_DEC},
    {"exch", ATOMIC, FIELD(atomic), ATOMIC_EXCH},
    {"cas", ATOMIC, FIELD(atomic), ATOMIC_CAS},
    {"popc", ATOMIC, FIELD(atomic), ATOMIC_POPC},
    {"weak", ORDER, FIELD(order), ORDER_WEAK},
    {"volatile", ORDER, FIELD(order), ORDER_VOLATILE},
    {"relaxed", ORDER, FIELD(order), ORDER_RELAXED},
    {"acquire", ORDER, FIELD(order), ORDER_ACQUIRE},
    {"release", ORDER, FIELD(order), ORDER_RELEASE},
    {"acq_rel", ORDER, FIELD(order), ORDER_ACQ_REL},
    {"sc", ORDER, FIELD(order), ORDER_SC},
    {"mmio", ORDER, FIELD(order), ORDER_MMIO},
    {"cta", SCOPE, FIELD(scope), SCOPE_CTA},
    {"cluster", SCOPE, FIELD(scope), SCOPE_CLUSTER},
    {"gpu", SCOPE, FIELD(scope), SCOPE_GPU},
    {"gl", SCOPE, FIELD(scope), SCOPE_GPU},
    {"sys", SCOPE, FIELD(scope), SCOPE_SYS},
    {"ca", CACHE, FIELD(cache), CACHE_CA},
    {"cg", CACHE, FIELD(cache), CACHE_CG},
    {"cs", CACHE, FIELD(cache), CACHE_CS},
    {"lu", CACHE, FIELD(cache), CACHE_LU},
    {"cv", CACHE, FIELD(cache), CACHE_CV},
    {"wb", CACHE, FIELD(cache), CACHE_WB},
    {"wt", CACHE, FIELD(cache), CACHE_WT},
    {"nc", CACHE, FIELD(cache), CACHE_NC},
    {"v2", VECTOR, FIELD(vector), 2},
    {"v4", VECTOR, FIELD(vector), 4},
    {"v8", VECTOR, FIELD(vector), 8},
    {"unified", HINT, NOTHING, 0},
    {"L1", HINT, NOTHING, 0},
    {"L2", HINT, NOTHING, 0},
    {"L1::evict_normal", HINT, NOTHING, 0},
    {"L1::evict_unchanged", HINT, NOTHING, 0},
    {"L1::evict_first", HINT, NOTHING, 0},
    {"L1::evict_last", HINT, NOTHING, 0},
    {"L1::no_allocate", HINT, NOTHING, 0},
    {"L2::evict_normal", HINT, NOTHING, 0},
    {"L2::evict_first", HINT, NOTHING, 0},
    {"L2::evict_last", HINT, NOTHING, 0},
    {"L2::64B", HINT, NOTHING, 0},
    {"L2::128B", HINT, NOTHING, 0},
    {"L2::256B", HINT, NOTHING, 0},
    {"f4e", PRMT, FIELD(prmt_mode), PRMT_F4E},
    {"b4e", PRMT, FIELD(prmt_mode), PRMT_B4E},
    {"rc8", PRMT, FIELD(prmt_mode), PRMT_RC8},
    {"ecl", PRMT, FIELD(prmt_mode), PRMT_ECL},
    {"ecr", PRMT, FIELD(prmt_mode), PRMT_ECR},
    {"rc16", PRMT, FIELD(prmt_mode), PRMT_RC16},
    {"finite", TEST, FIELD(test), TEST_FINITE},
    {"infinite", TEST, FIELD(test), TEST_INFINITE},
    {"number", TEST, FIELD(test), TEST_NUMBER},
    {"notanumber", TEST, FIELD(test), TEST_NOTANUMBER},
    {"normal", TEST, FIELD(test), TEST_NORMAL},
    {"subnormal", TEST, FIELD(test), TEST_SUBNORMAL},
    {"to", TO, FIELD(to), 1},
    {"l", SHIFT, FIELD(left), 1},
    {"r", SHIFT, FIELD(left), 0},
    {"wrap", WRAP, FIELD(wrap), 1},
    {"clamp", WRAP, FIELD(wrap), 0},
    {"shiftamt", SHIFTAMT, FIELD(shiftamt), 1},
    {"uni", UNIFORM, FIELD(uniform), 1},
    {"aligned", ALIGNED, FIELD(aligned), 1},
    {"noftz", NOFTZ, FIELD(noftz), 1},
    {"satfinite", SATFINITE, FIELD(satfinite), 1},
    {"sync", VARIANT, NOTHING, 0},
    {"arrive", VARIANT, NOTHING, 0},
    {"red", VARIANT, NOTHING, 0},
    {"warp", VARIANT, NOTHING, 0},
    {"cta", VARIANT, NOTHING, 0},
    {"idx", VARIANT, NOTHING, 0},
    {"proxy", VARIANT, NOTHING, 0},
    {"alias", VARIANT, NOTHING, 0},
    {"async", VARIANT, NOTHING, 0},
    {"wait", VARIANT, NOTHING, 0},
    {"launch_dependents", VARIANT, NOTHING, 0},
    {"commit_group", VARIANT, NOTHING, 0},
    {"wait_group", VARIANT, NOTHING, 0},
    {"wait_all", VARIANT, NOTHING, 0},
};
#define WORDS_COUNT (sizeof words / sizeof words[0])

#define PARTS_MAX   16u

/* An opcode taken apart at its points. */
struct parts {
    char text[OPCODE_NAME_MAX + 1];
    const char *words[PARTS_MAX]; /* the first is the name of the operation */
    unsigned count;
};

static bool has_part(const struct parts *p, const char *word)
{
    for (unsigned n = 1; n < p->count; n++)
        if (strcmp(p->words[n], word) == 0)
            return true;
    return false;
}

static bool take_apart(const char *name, size_t size, struct parts *p)
{
    memset(p, 0, sizeof *p);
    memcpy(p->text, name, size);
    for (char *s = p->text; s; s = strchr(s, '.')) {
        if (p->count > 0)
            *s++ = '\0';
        if (p->count == PARTS_MAX)
            return false;
        p->words[p->count++] = s;
    }
    return true;
}

/* The form whose name begins as this one does, or NULL when that is less than its first word. */
static const struct warp_form_info *nearest_form(const char *name)
{
    const struct warp_form_info *best = NULL;
    size_t best_size = 3;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        size_t size = 0;
        while (name[size] != '\0' && name[size] == info->name[size])
            size++;
        if (size > best_size) {
            best = info;
            best_size = size;
        }
    }
    return best;
}

/* How many characters of a form's name make it a warp instruction: its first word; of bar.warp two, since a block has a
 * `bar` as well. */
static size_t stem_size(const struct warp_form_info *info)
{
    size_t size = strcspn(info->name, ".");
    return info->family == WARP_BAR_WARP ? size + 1 + strcspn(info->name + size + 1, ".") : size;
}

bool ptx_is_warp_opcode(const char *name)
{
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        size_t size = stem_size(info);
        if (strncmp(info->name, name, size) == 0 && (name[size] == '.' || name[size] == '\0'))
            return true;
    }
    return false;
}

static enum ptx_op select_bar(const struct parts *p)
{
    if (has_part(p, "warp"))
        return OP_UNREAD; /* no form of it */
    if (has_part(p, "red"))
        return OP_BAR_RED;
    return has_part(p, "arrive") ? OP_BAR_ARRIVE : OP_BAR_SYNC;
}

static enum ptx_op select_op(const struct parts *p)
{
    const char *name = p->words[0];
    if (strcmp(name, "bar") == 0 || strcmp(name, "barrier") == 0)
        return select_bar(p);
    if (strcmp(name, "fence") == 0)
        return has_part(p, "proxy") ? OP_FENCE_PROXY : OP_FENCE;
    if (strcmp(name, "prefetchu") == 0)
        return OP_PREFETCH;
    for (enum ptx_op op = OP_MOV; op < OPS; op++)
        if (strcmp(rows[op].name, name) == 0)
            return op;
    return OP_UNREAD;
}

static_assert(sizeof(enum ptx_rounding) == sizeof(uint32_t) && sizeof(bool) == 1, "fields are set as bytes or words");

static void set_field(struct module_instruction *i, const struct word *word)
{
    char *field = (char *)i + word->offset;
    if (word->size == 1)
        *field = (char)word->value;
    else
        memcpy(field, &word->value, word->size);
}

static const struct word *find_word(const char *text, uint32_t groups)
{
    for (size_t n = 0; n < WORDS_COUNT; n++)
        if ((words[n].group & groups) != 0 && strcmp(words[n].text, text) == 0)
            return &words[n];
    return NULL;
}

/* Groups of which several words may stand in one opcode. */
#define REPEATABLE (HINT | VARIANT | XORSIGN | SHIFT)

static bool read_word(struct module_instruction *i, const struct row *row, const char *text, uint32_t *seen)
{
    const struct word *word = find_word(text, row->modifiers);
    enum ptx_type type = ptx_type_find(text, strlen(text));
    if (type != PTX_UNKNOWN) {
        uint32_t allowed = i->type == PTX_UNKNOWN ? row->types : i->type2 == PTX_UNKNOWN ? row->types2 : 0;
        *(i->type == PTX_UNKNOWN ? &i->type : &i->type2) = type;
        return (allowed >> type & 1u) != 0;
    }
    const uint32_t repeatable = i->op == OP_CP_ASYNC ? REPEATABLE | SPACE : REPEATABLE;
    if (!word || (*seen & word->group & ~repeatable) != 0)
        return false;
    *seen |= word->group;
    set_field(i, word);
    return true;
}

static bool needs_part(const struct module_instruction *i)
{
    bool always = i->op == OP_MUL24 || i->op == OP_MAD24 || i->op == OP_MADC || i->op == OP_DP2A;
    return always || ((i->op == OP_MUL || i->op == OP_MAD) && !ptx_type_is_float(i->type));
}

static bool is_wide64(const struct module_instruction *i)
{
    return i->part == PART_WIDE && (i->op != OP_MUL && i->op != OP_MAD ? true : ptx_type_bits(i->type) == 64);
}

/* Comparisons of floats, of signed and unsigned integers, of bits; lo, ls, hi, hs only of unsigned ones. */
static const char *find_compare_fault(const struct module_instruction *i, const struct parts *p)
{
    enum ptx_type type = i->op == OP_SET ? i->type2 : i->type;
    bool is_bits = type == PTX_B16 || type == PTX_B32 || type == PTX_B64;
    bool is_unsigned = type == PTX_U16 || type == PTX_U32 || type == PTX_U64;
    if (i->compare > COMPARE_GE && !ptx_type_is_float(type))
        return "that comparison is of floats";
    if (i->compare > COMPARE_NE && is_bits)
        return "only eq and ne compare untyped bits";
    if (!is_unsigned && (has_part(p, "lo") || has_part(p, "ls") || has_part(p, "hi") || has_part(p, "hs")))
        return "lo, ls, hi and hs compare unsigned integers";
    return NULL;
}

/* Modifiers that do not go with the type. */
static const char *find_type_fault(const struct module_instruction *i)
{
    bool is_float = ptx_type_is_float(i->type);
    bool is_word = ptx_type_bits(i->type) >= 32 && !is_float;
    bool converts = i->op == OP_CVT || i->op == OP_SLCT || i->op == OP_SET;
    bool inverts = i->op == OP_RCP || i->op == OP_RSQRT;
    if (i->cc && !is_word)
        return ".cc is for integers of 32 and 64 bits";
    if (converts)
        return NULL;
    if (!is_float && (i->rounding != ROUND_NONE || i->ftz || i->approx || i->full || i->nan || i->xorsign))
        return "it has a modifier that is for floats";
    if (i->sat && !is_float && i->type != PTX_S32)
        return "of integers only .s32 takes .sat";
    return i->ftz && i->type == PTX_F64 && !inverts ? "a .f64 takes no .ftz" : NULL;
}

/* The barriers of a block must say what they do, and fences for
 * which threads. */
static const char *find_sync_fault(const struct module_instruction *i, const struct parts *p)
{
    bool is_barrier = i->op == OP_BAR_SYNC || i->op == OP_BAR_ARRIVE || i->op == OP_BAR_RED;
    if (is_barrier && !has_part(p, "sync") && !has_part(p, "arrive") && !has_part(p, "red"))
        return ".sync, .arrive or .red is missing";
    return i->op == OP_FENCE && i->scope == SCOPE_NONE ? "the scope is missing" : NULL;
}

/* cp.async.{commit_group, wait_group, wait_all}, or from global to shared memory. */
static const char *find_copy_fault(const struct module_instruction *i, const struct parts *p)
{
    if (p->count < 3 || strcmp(p->words[1], "async") != 0)
        return "only cp.async is read";
    if (i->cache == CACHE_NONE)
        return p->count > 3 || i->space != SPACE_GENERIC ? ".ca or .cg is missing" : NULL;
    bool order = p->count >= 5 && (strcmp(p->words[2], "ca") == 0 || strcmp(p->words[2], "cg") == 0) &&
                 (strcmp(p->words[3], "shared") == 0 || strcmp(p->words[3], "shared::cta") == 0) &&
                 strcmp(p->words[4], "global") == 0;
    return order ? NULL : "only copies from global to shared memory are read";
}

/* What is missing, or which words do not go together; NULL: nothing. */
static const char *find_fault(const struct module_instruction *i, const struct row *row, uint32_t seen,
                              const struct parts *p)
{
    if ((row->types != 0 && i->type == PTX_UNKNOWN) || (row->types2 != 0 && i->type2 == PTX_UNKNOWN))
        return "a type is missing";
    if (needs_part(i) != (i->part != PART_NONE))
        return needs_part(i) ? ".lo, .hi or .wide is missing" : ".lo, .hi and .wide are for integers";
    if (is_wide64(i))
        return ".wide does not go with it";
    if ((row->modifiers & COMPARE & ~seen) != 0)
        return "the comparison is missing";
    if ((row->modifiers & ATOMIC & ~seen) != 0)
        return "the operation is missing";
    if (i->atomic == ATOMIC_POPC && i->op != OP_BAR_RED)
        return "there is no .popc of it";
    if ((i->op == OP_CVTA || i->op == OP_ISSPACEP) && i->space == SPACE_GENERIC)
        return "the state space is missing";
    if (i->abs != i->xorsign)
        return ".xorsign and .abs go together";
    const char *fault = i->op == OP_CP_ASYNC ? find_copy_fault(i, p) : find_sync_fault(i, p);
    if (!fault)
        fault = find_type_fault(i);
    return fault || i->compare == COMPARE_NONE ? fault : find_compare_fault(i, p);
}

static bool is_type(const char *word)
{
    return ptx_type_find(word, strlen(word)) != PTX_UNKNOWN;
}

static bool unread(struct reader *r, struct opcode *o, const char *format, const char *word)
{
    char text[2 * OPCODE_NAME_MAX];
    int size = snprintf(text, sizeof text, format, word);
    o->instruction.op = OP_UNREAD;
    o->instruction.unread = reader_copy(r, text, (size_t)size);
    return o->instruction.unread != NULL;
}

/* Fills in what no word says. */
static void complete(struct module_instruction *i, const struct parts *p)
{
    if (i->vector == 0)
        i->vector = 1;
    if (strcmp(p->words[0], "bar") == 0)
        i->aligned = true;
    if (i->op == OP_FENCE && i->order == ORDER_NONE)
        i->order = strcmp(p->words[0], "membar") == 0 ? ORDER_SC : ORDER_ACQ_REL;
}

static bool decode(struct reader *r, struct opcode *o, const char *name, size_t size)
{
    struct parts p;
    uint32_t seen = 0;
    struct module_instruction *i = &o->instruction;
    if (!take_apart(name, size, &p))
        return unread(r, o, "%s", "it has too many words");
    const struct warp_form_info *info = warp_form_find(o->instruction.name);
    i->op = info ? OP_WARP : select_op(&p);
    i->form = info ? info->form : 0;
    const struct row *row = &rows[i->op];
    o->dsts = row->dsts;
    o->srcs = row->srcs;
    if (i->op == OP_UNREAD && ptx_is_warp_opcode(o->instruction.name)) {
        const struct warp_form_info *nearest = nearest_form(o->instruction.name);
        return unread(r, o, "it is no form of a warp instruction (nearest: %s)", nearest ? nearest->name : "none");
    }
    if (i->op == OP_UNREAD)
        return unread(r, o, "'%s' is no operation that is read", p.words[0]);
    for (unsigned n = 1; n < p.count && i->op != OP_WARP; n++)
        if (!read_word(i, row, p.words[n], &seen))
            return unread(r, o, is_type(p.words[n]) ? "the type .%s does not go with it" : "'.%s' is not read here",
                          p.words[n]);
    const char *fault = i->op == OP_WARP ? NULL : find_fault(i, row, seen, &p);
    if (fault)
        return unread(r, o, "%s", fault);
    complete(i, &p);
    return true;
}

const struct opcode *opcode_find(struct reader *r, const char *name, size_t size)
{
    bool is_new;
    struct symbol *s = symbol_intern(r, NAMES_OPCODES, name, size, &is_new);
    if (!s)
        return NULL;
    if (s->kind == SYMBOL_OPCODE)
        return &r->opcodes.items[s->index];
    struct opcode *o = LIST_ADD(r, r->opcodes);
    if (!o)
        return NULL;
    *o = (struct opcode){.instruction = {.name = s->name,
                                         .guard = MODULE_NONE,
                                         .target = MODULE_NONE,
                                         .callee = MODULE_NONE,
                                         .location = MODULE_NONE}};
    s->kind = SYMBOL_OPCODE;
    s->index = (uint32_t)(r->opcodes.count - 1);
    return decode(r, o, name, size) ? o : NULL;
}
