/* Programs: the claims written in corpus/programs, and the laws that they rest on. */
#include "smt/catalogue/catalogue.h"
#include "smt/kernel/symbolic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_LENGTH_MAX 4096u

/* Where each property's program lies. */
static const struct {
    const char *property, *path;
} listed[] = {
#define PROGRAM(path, name, sentence, how, lemmas) {"program-" name, path},
#define REFUTED(path, name, n, sentence)           {"program-not-" name, path},
#define OPEN(path, claim, tried)
#include "smt/catalogue/programs.def"
};

/* Claims that no solver decides. */
static bool is_open(const char *path, const struct program_claim *claim)
{
    static const struct {
        const char *path, *claim;
    } open[] = {
#define PROGRAM(path, name, sentence, how, lemmas)
#define REFUTED(path, name, n, sentence)
#define OPEN(path, claim, tried) {path, claim},
#include "smt/catalogue/programs.def"
    };
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        if (strcmp(open[i].path, path) == 0 && strcmp(open[i].claim, claim->text) == 0)
            return true;
    return false;
}

static struct program *load(struct goal *g, const char *name)
{
    char path[PATH_LENGTH_MAX];
    static char text[PROGRAM_TEXT_MAX];
    struct warp_text_error error;
    struct program *program = NULL;
    size_t size;
    FILE *f;
    snprintf(path, sizeof path, "%s/%s.ptx", g->programs_dir != NULL ? g->programs_dir : "corpus/programs", name);
    f = fopen(path, "r");
    if (f == NULL) {
        error_set(&g->error, ERROR_UNSUPPORTED, "cannot read %.100s: %s", path, strerror(errno));
        return NULL;
    }
    size = fread(text, 1, sizeof text, f);
    fclose(f);
    program = program_parse(text, size, NULL, &error);
    if (program == NULL)
        error_set(&g->error, ERROR_UNSUPPORTED, "%.60s:%zu:%zu: %.80s", name, error.line, error.column, error.what);
    return program;
}

/* refute: which `refute` line; 0: all `claim` lines that are not open. */
static void build_program(struct goal *g, int refute)
{
    struct program *program;
    bool wanted[PROGRAM_CLAIMS_MAX] = {false};
    int refutes = 0;
    const char *path;
    size_t i = 0;
    while (strcmp(listed[i].property, g->property->name) != 0)
        i++;
    path = listed[i].path;
    program = load(g, path);
    if (program == NULL)
        return;
    for (size_t k = 0; k < program->claims_count; k++) {
        refutes += program->claims[k].refute;
        wanted[k] = program->claims[k].refute ? refutes == refute : refute == 0 && !is_open(path, &program->claims[k]);
    }
    symbolic_state(g, program, wanted, refute != 0);
    program_free(program);
}

/* f32 addition of any two values gives the same bits in either order: for cvc5, which does it by rewriting. */
static void f32_add_commutes(struct goal *g, int unused)
{
    struct smt *s = g->s;
    Z3_ast mode = smt_keep(s, Z3_mk_fpa_round_nearest_ties_to_even(s->z3));
    term a = term_float(s, goal_word(g, "a")), b = term_float(s, goal_word(g, "b"));
    (void)unused;
    goal_claim(
        g, "a + b = b + a",
        term_eq(s, smt_keep(s, Z3_mk_fpa_add(s->z3, mode, a, b)), smt_keep(s, Z3_mk_fpa_add(s->z3, mode, b, a))));
}

/* The operations whose laws redux does not need: mul.lo of 32 bits; add, and, or, xor of 64. */
static term wider(struct smt *s, unsigned which, term x, term y)
{
    switch (which) {
    case 0:
        return smt_keep(s, Z3_mk_bvmul(s->z3, x, y));
    case 1:
        return term_add(s, x, y);
    case 2:
        return term_band(s, x, y);
    case 3:
        return term_bor(s, x, y);
    case 4:
        return term_bxor(s, x, y);
    }
    smt_defect("no such operation");
}

static void laws(struct goal *g, int associates)
{
    static const char *const names[5] = {"mul.lo.u32", "add.u64", "and.b64", "or.b64", "xor.b64"};
    struct smt *s = g->s;
    for (unsigned i = 0; i < 5; i++) {
        unsigned width = i == 0 ? 32 : 64;
        term x = goal_bits(g, i == 0 ? "x" : "wide_x", width), y = goal_bits(g, i == 0 ? "y" : "wide_y", width);
        term z = goal_bits(g, i == 0 ? "z" : "wide_z", width);
        term xy = wider(s, i, x, y);
        goal_claim(g, names[i],
                   associates ? term_eq(s, wider(s, i, xy, z), wider(s, i, x, wider(s, i, y, z)))
                              : term_eq(s, xy, wider(s, i, y, x)));
    }
}

/* The result of min and max for a NaN does not depend on its bits: abs.f32 gives the canonical NaN, and .abs of
 * redux keeps the bits. */
static void nan_payload(struct goal *g, int unused)
{
    static const enum warp_form forms[4] = {WARP_REDUX_SYNC_MIN_F32, WARP_REDUX_SYNC_MAX_F32,
                                            WARP_REDUX_SYNC_MIN_NAN_F32, WARP_REDUX_SYNC_MAX_NAN_F32};
    struct smt *s = g->s;
    term x = goal_word(g, "x"), y = goal_word(g, "y");
    term canonical = term_ite(s, term_is_nan(s, x), term_word(s, 0x7fffffffu), x);
    (void)unused;
    for (unsigned i = 0; i < 4; i++) {
        const struct warp_form_info *info = warp_form_get(forms[i]);
        goal_claim(g, info->name,
                   term_eq(s, encode_redux_combine(s, info, x, y), encode_redux_combine(s, info, canonical, y)));
    }
}

#define EXAMPLES "shfl, Examples; docs/programs.md"

static const struct property_entry entries[] = {
    {{"program-f32-add-commutes", "program", "IEEE f32 add gives the same value in either order", "add.f32 (IEEE 754)",
      SMT_PROVED, SMT_CVC5, "", ""},
     f32_add_commutes,
     0},
    PROPERTY("program-lemma-commutes", "program", PROVED, laws, 0,
             "mul.lo.u32, and add, and, or, xor of 64 bits, commute", "mul, add, and, or, xor", "", ""),
    PROPERTY("program-lemma-associates", "program", PROVED, laws, 1,
             "mul.lo.u32, and add, and, or, xor of 64 bits, associate", "mul, add, and, or, xor", "", ""),
    PROPERTY("program-nan-payload", "program", PROVED, nan_payload, 0,
             "what min and max of f32 make of a NaN does not depend on its bits", REDUX_PAGE, "", ""),
#define PROGRAM(path, name, sentence, how, lemmas)                                                                     \
    PROPERTY("program-" name, "program", PROVED, build_program, 0, sentence, EXAMPLES ": " path, how, lemmas),
#define REFUTED(path, name, n, sentence)                                                                               \
    PROPERTY("program-not-" name, "program", REFUTED, build_program, n, sentence, EXAMPLES ": " path, "most inputs 0", \
             ""),
#define OPEN(path, claim, tried)
#include "smt/catalogue/programs.def"
};

PROPERTY_LIST(catalogue_program, entries);

/*
 * The butterfly with any five masks, for any associative and commutative operation: which inputs a lane's value is made
 * of, and how often. After some steps lane i holds the inputs of the lanes i ^ t, for t among the combinations (xors)
 * of the masks so far. That set of numbers t is a word; one more mask that is not in it doubles it.
 */

/* { t ^ m : t in the set }, bit by bit of m: blocks of 2^b numbers change places with their neighbours. */
static term moved(struct smt *s, term set, term m)
{
    static const uint32_t lower[5] = {0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu};
    for (unsigned b = 0; b < 5; b++) {
        term by = term_word(s, 1u << b), low = term_word(s, lower[b]);
        term exchanged = term_bor(s, term_shl(s, term_band(s, set, low), by), term_band(s, term_lshr(s, set, by), low));
        set = term_ite(s, term_eq(s, term_extract(s, b, b, m), term_bits(s, 1, 1)), exchanged, set);
    }
    return set;
}

static term joined(struct smt *s, term set, term m)
{
    return term_bor(s, set, moved(s, set, m));
}

static term is_in(struct smt *s, term m, term set)
{
    return term_in(s, term_extend(s, 32, m), set);
}

/* States that the set holds 0, and with two numbers their xor, as the set of all combinations of some masks does. */
static term closed(struct smt *s, term set)
{
    term in[WARP_LANES], each[31 * 30 / 2 + 1];
    size_t n = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        in[i] = term_eq(s, term_extract(s, i, i, set), term_bits(s, 1, 1));
    each[n++] = in[0];
    for (unsigned i = 1; i < WARP_LANES; i++)
        for (unsigned j = i + 1; j < WARP_LANES; j++)
            each[n++] = term_implies(s, term_and(s, in[i], in[j]), in[i ^ j]);
    return term_all(s, each, n);
}

static term has_size(struct smt *s, term set, unsigned size)
{
    term sum = term_bits(s, 0, 6);
    for (unsigned i = 0; i < WARP_LANES; i++)
        sum = term_add(s, sum, term_extend(s, 6, term_extract(s, i, i, set)));
    return term_eq(s, sum, term_bits(s, size, 6));
}

/* Which numbers are in a set that was moved. */
static void mask_moves(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term set = goal_word(g, "set"), m = goal_bits(g, "mask", 5), t = goal_bits(g, "number", 5);
    (void)unused;
    goal_claim(g, "moved", term_eq(s, is_in(s, t, moved(s, set, m)), is_in(s, term_bxor(s, t, m), set)));
}

static const char *const doubled[5] = {"1 becomes 2", "2 become 4", "4 become 8", "8 become 16", "16 become 32"};

static void mask_lemma(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term set = goal_word(g, "set"), m = goal_bits(g, "mask", 5);
    term other = moved(s, set, m), u = joined(s, set, m), zero = term_word(s, 0);
    (void)unused;
    goal_assume(g, closed(s, set));
    goal_assume(g, term_not(s, is_in(s, m, set)));
    goal_claim(g, "apart",
               TERM_ALL(s, term_ne(s, set, zero), term_ne(s, other, zero), term_eq(s, term_band(s, set, other), zero)));
    goal_claim(g, "closed", closed(s, u));
    for (unsigned k = 0; k < 5; k++)
        goal_claim(g, doubled[k], term_implies(s, has_size(s, set, 1u << k), has_size(s, u, 2u << k)));
}

/* The numbers after each step; set[5]: after all. */
static void make_sets(struct goal *g, term m[5], term set[6])
{
    static const char *const names[5] = {"m1", "m2", "m3", "m4", "m5"};
    set[0] = term_word(g->s, 1);
    for (unsigned k = 0; k < 5; k++) {
        m[k] = goal_bits(g, names[k], 5);
        set[k + 1] = joined(g->s, set[k], m[k]);
    }
}

/*
 * Independent: no mask is a combination of those before it. Step k joins what the lane has with what lane ^ m[k] has
 * (program-mask-step): no input is in both.
 */
static void independent_masks(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term m[5], set[6], good[7], lane, input, t;
    (void)unused;
    make_sets(g, m, set);
    lane = goal_bits(g, "lane", 5);
    input = goal_bits(g, "input", 5);
    t = term_bxor(s, lane, input);
    for (unsigned k = 0; k < 5; k++) {
        struct goal_with with[2] = {{"set", set[k]}, {"mask", m[k]}};
        term own = is_in(s, t, set[k]);
        term other = is_in(s, term_bxor(s, term_bxor(s, lane, m[k]), input), set[k]);
        goal_assume(g, term_not(s, is_in(s, m[k], set[k])));
        goal_fact(g, "program-mask-lemma", "apart", with, 2);
        goal_fact(g, "program-mask-lemma", "closed", with, 2);
        goal_fact(g, "program-mask-lemma", doubled[k], with, 2);
        GOAL_FACT(g, "program-mask-moves", "moved", {"set", set[k]}, {"mask", m[k]}, {"number", t});
        goal_abstract(g, set[k + 1]);
        goal_abstract(g, moved(s, set[k], m[k]));
        good[k] = term_and(s, term_not(s, term_and(s, own, other)),
                           term_eq(s, is_in(s, t, set[k + 1]), term_or(s, own, other)));
    }
    good[5] = term_eq(s, is_in(s, t, set[0]), term_eq(s, input, lane));
    good[6] = is_in(s, t, set[5]);
    goal_claim(g, "at first the own input, after five steps every one, never one twice", term_all(s, good, 7));
}

/* A mask that is a combination of earlier ones adds no new input and brings every input twice. */
static void dependent_masks(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term set = goal_word(g, "set"), m = goal_bits(g, "mask", 5), t = goal_bits(g, "number", 5);
    (void)unused;
    goal_assume(g, closed(s, set));
    goal_assume(g, is_in(s, m, set));
    goal_claim(g, "nothing new", term_eq(s, joined(s, set, m), set));
    goal_claim(g, "everything twice", term_eq(s, is_in(s, t, set), is_in(s, term_bxor(s, t, m), set)));
}

/* One step: every lane gets the value of lane ^ mask, whatever that is. */
static void mask_step(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term lane = goal_lane_number(g, "lane"), mask = term_extend(s, 32, goal_bits(g, "mask", 5));
    struct smt_warp *w = goal_full_warp(g, WARP_SHFL_SYNC_BFLY_B32);
    struct smt_lane r;
    (void)unused;
    goal_uniform(w->b, mask);
    goal_uniform(w->c, term_word(s, 31));
    r = goal_result(g, w, lane);
    goal_claim(g, "done, and in range", TERM_ALL(s, r.done, r.d_defined, r.p));
    goal_claim(g, "d is the value of lane ^ mask", term_eq(s, r.d, term_of_lane(s, w->a, term_bxor(s, lane, mask))));
}

/* Executes the last step, with the inputs as sets, from what the first four steps leave in each lane. */
static void different_masks(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_full_warp(g, WARP_SHFL_SYNC_BFLY_B32);
    term m[5], set[6], lane;
    (void)unused;
    make_sets(g, m, set);
    lane = goal_bits(g, "lane", 5);
    for (unsigned i = 0; i < 5; i++) {
        goal_assume(g, term_ne(s, m[i], term_bits(s, 0, 5)));
        for (unsigned k = 0; k < i; k++)
            goal_assume(g, term_ne(s, m[i], m[k]));
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        w->a[i] = moved(s, set[4], term_bits(s, i, 5));
    goal_uniform(w->b, term_extend(s, 32, m[4]));
    goal_uniform(w->c, term_word(s, 31));
    goal_claim(g, "all lanes",
               term_eq(s, term_bor(s, moved(s, set[4], lane), goal_result(g, w, term_extend(s, 32, lane)).d),
                       term_word(s, UINT32_MAX)));
}

#define P(name, expected, build, sentence, trick, lemmas)                                                              \
    PROPERTY("program-" name, "program", expected, build, 0, sentence, SHFL_PAGE, trick, lemmas)

static const struct property_entry mask_entries[] = {
    P("mask-step", PROVED, mask_step, "a full-width bfly step brings a lane what lane ^ mask holds, always in range",
      "one symbolic lane", ""),
    P("mask-moves", PROVED, mask_moves, "t is in a set of numbers moved by m just when t ^ m is in the set",
      "any set, mask and number", ""),
    P("mask-lemma", PROVED, mask_lemma,
      "a set of numbers closed under xor, and the same set moved by a mask outside it, have none in common; together "
      "they are closed and twice as many",
      "any set and mask", ""),
    P("any-independent-masks", PROVED, independent_masks,
      "bfly by any five masks that are linearly independent over GF(2): every lane holds every input exactly once",
      "any masks, lane and input; lemma instances at each step",
      "program-mask-lemma program-mask-moves program-mask-step"),
    P("dependent-masks", PROVED, dependent_masks,
      "a bfly step by a mask that is a combination of those before it brings no new input, and every one a second time",
      "any set, mask and number", "program-mask-step"),
    P("not-different-masks", REFUTED, different_masks,
      "bfly by any five different masks, none 0, brings every lane every input",
      "the last step, of values that are sets of lanes", "program-mask-step"),
};

PROPERTY_LIST(catalogue_program_masks, mask_entries);
