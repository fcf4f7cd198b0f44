#define _POSIX_C_SOURCE 200809L
#include "smt/solver/solver.h"

#include "smt/solver/rup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROOF_MAX ((size_t)256 << 20)
enum { CADICAL_UNSAT = 20 };

/* simplify, bit-blast, Tseitin: the clauses are trusted to be satisfiable when the query is (SOUNDNESS.md). */
static Z3_tactic to_clauses(struct smt *s)
{
    static const char *const names[] = {"simplify", "bit-blast", "simplify", "tseitin-cnf"};
    Z3_tactic all = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Z3_tactic next = Z3_mk_tactic(s->z3, names[i]);
        Z3_tactic_inc_ref(s->z3, next);
        if (all != NULL) {
            Z3_tactic both = Z3_tactic_and_then(s->z3, all, next);
            Z3_tactic_inc_ref(s->z3, both);
            Z3_tactic_dec_ref(s->z3, all);
            Z3_tactic_dec_ref(s->z3, next);
            next = both;
        }
        all = next;
    }
    return all;
}

/* Z3 4.8 counts the variables in its header but numbers them with gaps: the header is made again from the clauses. */
static char *with_header(const char *text)
{
    const char *body = strstr(text, "p cnf");
    unsigned long largest = 0, clauses = 0;
    size_t size = strlen(text) + 64;
    char *dimacs = smt_grow(NULL, size, 1);
    char *end;
    body = body != NULL ? strchr(body, '\n') : NULL;
    body = body != NULL ? body + 1 : "";
    for (const char *at = body;; at = end) {
        long literal = strtol(at, &end, 10);
        if (end == at)
            break;
        clauses += literal == 0;
        if ((unsigned long)labs(literal) > largest)
            largest = (unsigned long)labs(literal);
    }
    snprintf(dimacs, size, "p cnf %lu %lu\n%s", largest, clauses, body);
    return dimacs;
}

/* The clauses as DIMACS, to be freed; NULL when rewriting alone left none (*trivial) or it went wrong. */
static char *make_dimacs(struct smt *s, const struct query *query, bool *trivial)
{
    Z3_tactic tactic = to_clauses(s);
    Z3_goal goal = Z3_mk_goal(s->z3, false, false, false);
    Z3_apply_result result;
    char *dimacs = NULL;
    Z3_goal_inc_ref(s->z3, goal); /* at once: the next call of Z3 may free what nobody holds */
    for (size_t i = 0; i < query->parts.count; i++)
        Z3_goal_assert(s->z3, goal, query->parts.items[i]);
    result = Z3_tactic_apply(s->z3, tactic, goal);
    Z3_apply_result_inc_ref(s->z3, result);
    if (Z3_apply_result_get_num_subgoals(s->z3, result) == 1) {
        Z3_goal clauses = Z3_apply_result_get_subgoal(s->z3, result, 0);
        Z3_goal_inc_ref(s->z3, clauses);
        *trivial = Z3_goal_is_decided_unsat(s->z3, clauses);
        if (!*trivial) {
            dimacs = with_header(Z3_goal_to_dimacs_string(s->z3, clauses, false));
        }
        Z3_goal_dec_ref(s->z3, clauses);
    }
    Z3_apply_result_dec_ref(s->z3, result);
    Z3_tactic_dec_ref(s->z3, tactic);
    Z3_goal_dec_ref(s->z3, goal);
    return dimacs;
}

static bool write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    bool ok = f != NULL && fputs(text, f) >= 0;
    return f != NULL && fclose(f) == 0 && ok;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    long size;
    if (f == NULL)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && (size_t)size < PROOF_MAX) {
        rewind(f);
        text = smt_grow(NULL, (size_t)size + 1, 1);
        text[fread(text, 1, (size_t)size, f)] = '\0';
    }
    fclose(f);
    return text;
}

/* cadical's proof for the clauses, to be freed. */
static char *make_proof(const char *dimacs, double timeout_s, char *why, size_t why_size)
{
    char clauses[] = "/tmp/warpcheck-cnf-XXXXXX";
    char proof[] = "/tmp/warpcheck-drat-XXXXXX";
    int first = mkstemp(clauses), second = mkstemp(proof);
    const char *const argv[] = {"cadical", "-q", "--no-binary", clauses, proof, NULL};
    char out[256];
    char *text = NULL;
    int status = -1;
    if (first >= 0 && second >= 0 && write_text(clauses, dimacs))
        status = solver_run(argv, timeout_s, out, sizeof out);
    if (status == CADICAL_UNSAT)
        text = read_text(proof);
    if (text == NULL && status == CADICAL_UNSAT)
        snprintf(why, why_size, "timeout: cadical's proof is too long to be read");
    else if (text == NULL)
        snprintf(why, why_size, status == -2 ? "cadical: timeout" : "cadical gave no proof (status %d)", status);
    if (first >= 0) {
        close(first);
        unlink(clauses);
    }
    if (second >= 0) {
        close(second);
        unlink(proof);
    }
    return text;
}

bool drat_prove(struct smt *s, const struct query *query, double timeout_s, bool *trivial, struct drat_times *times,
                char *why, size_t why_size)
{
    double begin = smt_clock(), deadline = begin + timeout_s;
    char *dimacs, *proof;
    bool good;
    if (smt_cadical_version() == NULL) {
        snprintf(why, why_size, "cadical is not installed");
        return false;
    }
    *trivial = false;
    if (timeout_s <= 0) {
        snprintf(why, why_size, "timeout");
        return false;
    }
    dimacs = make_dimacs(s, query, trivial);
    times->cadical_s = smt_clock() - begin;
    if (dimacs == NULL) {
        if (!*trivial)
            snprintf(why, why_size, "the query could not be made into clauses");
        return *trivial;
    }
    proof = make_proof(dimacs, deadline - smt_clock(), why, why_size);
    times->cadical_s = smt_clock() - begin;
    good = proof != NULL && rup_check(dimacs, proof, deadline, why, why_size);
    times->checker_s = smt_clock() - begin - times->cadical_s;
    free(proof);
    free(dimacs);
    return good;
}
