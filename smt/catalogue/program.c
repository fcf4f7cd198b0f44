/* Programs: the claims written in corpus/programs, and the laws that they rest on. */
#include "smt/catalogue/catalogue.h"
#include "smt/program/symbolic.h"

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
#include "smt/catalogue/programs.def"
#undef PROGRAM
#undef REFUTED
};

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
        snprintf(g->error, sizeof g->error, "cannot read %.100s: %s", path, strerror(errno));
        return NULL;
    }
    size = fread(text, 1, sizeof text, f);
    fclose(f);
    program = program_parse(text, size, NULL, &error);
    if (program == NULL)
        snprintf(g->error, sizeof g->error, "%.60s:%zu:%zu: %.80s", name, error.line, error.column, error.what);
    return program;
}

static void state_claims(struct goal *g, struct symbolic *x, unsigned refute)
{
    unsigned refutes = 0;
    for (size_t i = 0; i < x->program->claims_count && g->error[0] == '\0'; i++) {
        const struct program_claim *c = &x->program->claims[i];
        term each[WARP_LANES];
        size_t n;
        refutes += c->refute;
        if (c->refute ? refutes != refute : refute != 0)
            continue;
        n = symbolic_claim(x, c, each);
        for (size_t k = 0; k < n; k++)
            goal_claim(g, c->text, each[k]);
    }
}

/* refute: which `refute` line; 0: all `claim` lines. */
static void build_program(struct goal *g, int refute)
{
    struct program *program;
    struct symbolic x;
    size_t i = 0;
    while (strcmp(listed[i].property, g->property->name) != 0)
        i++;
    program = load(g, listed[i].path);
    if (program == NULL)
        return;
    if (symbolic_execute(&x, g, program, refute != 0))
        state_claims(g, &x, (unsigned)refute);
    symbolic_free(&x);
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

/* masks m[0..4]; the combination that the low five bits of `which` choose. */
static term combination(struct smt *s, const term m[5], term which)
{
    term sum = term_bits(s, 0, 5);
    for (unsigned i = 0; i < 5; i++) {
        term chosen = term_eq(s, term_extract(s, i, i, which), term_bits(s, 1, 1));
        sum = term_bxor(s, sum, term_ite(s, chosen, m[i], term_bits(s, 0, 5)));
    }
    return sum;
}

/*
 * After five bfly steps a lane holds the product of the lanes `lane ^ combination`, one for each of the 32 choices.
 * Independent: no choice but the empty one gives 0. Then two choices never meet, and 32 different lanes are all lanes.
 */
static void independent_masks(struct goal *g, int unused)
{
    struct smt *s = g->s;
    static const char *const names[5] = {"m1", "m2", "m3", "m4", "m5"};
    term m[5], zero = term_bits(s, 0, 5);
    term x = goal_bits(g, "choice", 5), y = goal_bits(g, "other_choice", 5), lane = goal_bits(g, "lane", 5);
    (void)unused;
    for (unsigned i = 0; i < 5; i++)
        m[i] = goal_bits(g, names[i], 5);
    for (unsigned i = 1; i < 32; i++)
        goal_assume(g, term_ne(s, combination(s, m, term_bits(s, i, 5)), zero));
    goal_claim_when(g, "different choices, different lanes", term_ne(s, x, y),
                    term_ne(s, term_bxor(s, lane, combination(s, m, x)), term_bxor(s, lane, combination(s, m, y))));
}

/* One step: a lane that holds the products of its choices takes over those of lane ^ mask, by shfl's own semantics. */
static void mask_step(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term lane = goal_lane_number(g, "lane"), mask = goal_bits(g, "mask", 5);
    struct smt_shfl_source source = encode_shfl_source(s, WARP_BFLY, lane, term_extend(s, 32, mask), term_word(s, 31));
    (void)unused;
    goal_claim(g, "p", source.pval);
    goal_claim(g, "the source is lane ^ mask",
               term_eq(s, encode_shfl_lane(s, &source, lane), term_bxor(s, lane, term_extend(s, 32, mask))));
}

#define EXAMPLES "shfl, Examples; docs/programs.md"

static const struct property_entry entries[] = {
    {{"program-f32-add-commutes", "program", "IEEE f32 add gives the same value in either order", "add.f32 (IEEE 754)",
      SMT_PROVED, SMT_CVC5, "", ""},
     f32_add_commutes,
     0},
    PROPERTY("program-any-independent-masks", "program", PROVED, independent_masks, 0,
             "five bfly masks that are linearly independent over GF(2) join every lane with every other exactly once",
             SHFL_PAGE, "32 choices of masks lead to 32 different lanes, hence to all", "program-mask-step"),
    PROPERTY("program-mask-step", "program", PROVED, mask_step, 0,
             "a full-width bfly step reads lane ^ mask, always in range", SHFL_PAGE, "one symbolic lane", ""),
#define PROGRAM(path, name, sentence, how, lemmas)                                                                     \
    PROPERTY("program-" name, "program", PROVED, build_program, 0, sentence, EXAMPLES ": " path, how, lemmas),
#define REFUTED(path, name, n, sentence)                                                                               \
    PROPERTY("program-not-" name, "program", REFUTED, build_program, n, sentence, EXAMPLES ": " path, "most inputs 0", \
             ""),
#include "smt/catalogue/programs.def"
#undef PROGRAM
#undef REFUTED
};

PROPERTY_LIST(catalogue_program, entries);
