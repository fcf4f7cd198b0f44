/* A goal of the claims of a program. */
#include "smt/kernel/symbolic.h"

/* Does rewriting alone show that the claim is true? Then there is nothing to ask. */
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
    if (symbolic_may_meet(x->program))
        c->no_witness = "lanes may meet at different instructions: not decided";
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

/* States the claims that are wanted and not yet stated, as far as this way of taking the program's values allows. */
static void state_claims(struct goal *g, struct symbolic *x, bool wanted[PROGRAM_CLAIMS_MAX])
{
    bool executed = false;
    for (size_t i = 0; i < x->program->claims_count && g->error.code == ERROR_NONE; i++) {
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

static bool is_read(struct goal *g, const struct program *program)
{
    const struct module_instruction *i;
    const char *why;
    if (!program_find_unplain(program, &i, &why))
        return true;
    return error_set(&g->error, ERROR_UNSUPPORTED, "line %u: the prover does not read %s: %s", i->line, i->name, why);
}

void symbolic_state(struct goal *g, const struct program *program, bool wanted[PROGRAM_CLAIMS_MAX], bool refuting)
{
    struct symbolic x;
    if (!is_read(g, program))
        return;
    for (unsigned way = 0; symbolic_open(&x, g, program, way, refuting); way++) {
        state_claims(g, &x, wanted);
        symbolic_close(&x);
    }
    symbolic_close(&x);
}
