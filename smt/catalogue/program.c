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

/* True of every value, by rewriting alone: nothing to ask. */
static bool is_trivial(struct smt *s, term x)
{
    uint64_t literal = 0;
    return term_value(s, term_simplify(s, x), &literal) && literal != 0;
}

/* Adds a claim, with why an answer of a solver may not settle it. */
static void add_claim(struct goal *g, const struct symbolic *x, const char *what, term when, term claim)
{
    struct goal_claim *c;
    goal_claim_when(g, what, when, claim);
    c = &g->claims[g->claims_count - 1];
    if (x->refuting)
        c->no_proof = "most inputs were 0: no witness among these";
    else if (x->values != SYMBOLIC_CONCRETE)
        c->no_witness = "fails of the symbols that its values are taken for: not decided";
}

/* A fault makes every claim false: part of what is refuted, else proved apart, and of all claims together. */
static void state_claim(struct goal *g, struct symbolic *x, const struct program_claim *c)
{
    struct smt *s = g->s;
    term each[WARP_LANES], faultless[WARP_LANES];
    size_t n = symbolic_claim(x, c, each);
    term about = n > 0 && !x->refuting ? symbolic_about(x, c) : NULL;
    symbolic_faultless(x, faultless);
    if (x->refuting && n > 0)
        each[0] = term_and(s, term_all(s, faultless, WARP_LANES), each[0]);
    for (size_t k = 0; k < n; k++)
        if (k == 0 || !is_trivial(s, each[k]))
            add_claim(g, x, c->text, k == 0 ? about : NULL, each[k]);
}

static void state_faultless(struct goal *g, struct symbolic *x)
{
    term each[WARP_LANES];
    symbolic_faultless(x, each);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!is_trivial(g->s, each[lane]))
            add_claim(g, x, "faultless", NULL, each[lane]);
}

/* States those claims that are wanted and not stated yet, where the program's values can be taken in this way. */
static void state_claims(struct goal *g, struct symbolic *x, bool wanted[PROGRAM_CLAIMS_MAX])
{
    bool executed = false;
    for (size_t i = 0; i < x->program->claims_count && g->error[0] == '\0'; i++) {
        const struct program_claim *c = &x->program->claims[i];
        if (!wanted[i] || !symbolic_fits(x, c))
            continue;
        if (!executed && !symbolic_execute(x))
            return;
        if (!executed && !x->refuting)
            state_faultless(g, x);
        executed = true;
        wanted[i] = false;
        state_claim(g, x, c);
    }
}

/* refute: which `refute` line; 0: all `claim` lines that are not open. */
static void build_program(struct goal *g, int refute)
{
    struct program *program;
    struct symbolic x;
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
    for (unsigned way = 0; symbolic_open(&x, g, program, way, refute != 0); way++) {
        state_claims(g, &x, wanted);
        symbolic_close(&x);
    }
    symbolic_close(&x);
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
    default:
        return term_bxor(s, x, y);
    }
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

/* What min and max make of a NaN does not depend on its bits: abs.f32 gives the canonical one, .abs of redux keeps
 * them. */
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
