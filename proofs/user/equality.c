/* Claims about match: mostly it decides them which operands are equal, not what the operands are. */
#include "proofs/user/proof.h"

#include "proofs/equality.h"
#include <stdio.h>

#define EQUALITY_MS 2000u /* for one bit of one lane */

static void begin(struct user_proof *p, struct equality *e)
{
    const bool wide = p->request->info->type == WARP_B64;
    equality_begin(e, p->s, p->words[OPERAND_A], wide ? p->words[OPERAND_HIGH] : NULL);
}

/* What is known of comparisons among a lane, another one and every third one. */
static term facts(struct user_proof *p, struct equality *e, unsigned k)
{
    term all = term_bool(p->s, true);
    for (unsigned j = 0; j < WARP_LANES; j++)
        all = term_and(p->s, all, equality_facts(e, k, j));
    return all;
}

static Z3_solver make_solver(struct user_proof *p)
{
    return limited_solver(p->s, bits_solver(p->s), "timeout", EQUALITY_MS);
}

/* A name for `wrong[j]`: the solver is asked for each, and keeps what it learned. */
static term assumed(struct user_proof *p, Z3_solver solver, unsigned j, term wrong)
{
    char name[24];
    term x;
    snprintf(name, sizeof name, "wrong[%u]", j);
    x = term_constant(p->s, p->s->bool_sort, name);
    Z3_solver_assert(p->s->z3, solver, term_implies(p->s, x, wrong));
    return x;
}

static bool holds(Z3_context z, Z3_solver solver, term wrong)
{
    return Z3_solver_check_assumptions(z, solver, 1, &wrong) == Z3_L_FALSE;
}

bool user_match_any(struct user_proof *p, const struct scalar *d, unsigned k)
{
    const size_t mark = smt_mark(p->s);
    Z3_context z = p->s->z3;
    Z3_solver solver = make_solver(p), words = make_solver(p); /* what takes operands apart is asked of them */
    struct equality e;
    term user[WARP_LANES], spec[WARP_LANES], wrong[WARP_LANES];
    bool ok = true;
    begin(p, &e);
    as_bits(&p->user->m, d, user);
    as_bits(&p->spec->m, p->d[k], spec);
    for (unsigned j = 0; j < WARP_LANES; j++)
        wrong[j] = assumed(p, solver, j, equality_of(&e, b_xor(p->s, user[j], spec[j])));
    Z3_solver_assert(z, solver, p->assumption);
    Z3_solver_assert(z, solver, p->group[k]);
    Z3_solver_assert(z, solver, facts(p, &e, k));
    Z3_solver_assert(z, words, p->assumption);
    Z3_solver_assert(z, words, p->group[k]);
    for (unsigned j = 0; ok && j < WARP_LANES; j++)
        ok = holds(z, solver, wrong[j]) || holds(z, words, assumed(p, words, j, b_xor(p->s, user[j], spec[j])));
    Z3_solver_dec_ref(z, words);
    Z3_solver_dec_ref(z, solver);
    equality_end(&e);
    smt_release(p->s, mark);
    return ok;
}
