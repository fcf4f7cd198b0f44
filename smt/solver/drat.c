#include "smt/solver/solver.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "smt/solver/rup.h"
#include "smt/warpcheck_smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* cadical's proof for the clauses in a folder of its own, to be freed. NULL with `error`: ERROR_TIMEOUT, or why there
 * is none. */
static char *make_proof(const char *dimacs, const char *folder, double timeout_s, struct error *error)
{
    char clauses[FILE_PATH_MAX], proof[FILE_PATH_MAX], out[256];
    const char *const argv[] = {"cadical", "-q", "--no-binary", clauses, proof, NULL};
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    struct error ended = {.code = ERROR_NONE};
    size_t size;
    char *text;
    if (!file_join(folder, "clauses.cnf", clauses, error) || !file_join(folder, "proof.drat", proof, error) ||
        !file_write(clauses, dimacs, strlen(dimacs), error))
        return NULL;
    if (timeout_s <= 0)
        error_set(&ended, ERROR_TIMEOUT, "out of time");
    else
        process_run(&plan, timeout_s, out, sizeof out, &ended);
    if (ended.code == ERROR_TIMEOUT)
        error_set(error, ERROR_TIMEOUT, "cadical: timeout");
    else if (ended.code == ERROR_CRASH || ended.code == ERROR_SYSTEM)
        error_set(error, ended.code, "cadical gave no proof: %s", ended.text);
    else if (ended.code != ERROR_EXIT || ended.detail != CADICAL_UNSAT)
        error_set(error, ERROR_DECLINED, "cadical gave no proof (status %d)", ended.detail);
    else if ((text = file_read(proof, PROOF_MAX, &size, &ended)) == NULL)
        error_set(error, ended.code == ERROR_INPUT ? ERROR_TIMEOUT : ended.code, "cadical's proof: %s", ended.text);
    else
        return text;
    return NULL;
}

static enum drat_verdict failure(const struct error *error)
{
    return error->code == ERROR_TIMEOUT ? DRAT_UNDECIDED : DRAT_FAILED;
}

static enum drat_verdict prove_clauses(const char *dimacs, double deadline, struct drat_times *times,
                                       struct error *error)
{
    const double begin = clock_seconds();
    char folder[FILE_PATH_MAX];
    char *proof;
    bool good;
    if (!folder_temporary("drat", folder, error))
        return DRAT_FAILED;
    proof = make_proof(dimacs, folder, deadline - begin, error);
    folder_remove(folder);
    const double proved = clock_seconds();
    times->cadical_s += proved - begin;
    if (proof == NULL)
        return failure(error);
    good = rup_check(dimacs, proof, deadline, error);
    times->checker_s = clock_seconds() - proved;
    free(proof);
    return good ? DRAT_CHECKED : failure(error);
}

enum drat_verdict drat_prove(struct smt *s, const struct query *query, double timeout_s, struct drat_times *times,
                             struct error *error)
{
    const double begin = clock_seconds();
    enum drat_verdict verdict;
    bool trivial = false;
    char *dimacs;
    if (smt_cadical_find(error) == NULL)
        return DRAT_FAILED;
    if (timeout_s <= 0) {
        error_set(error, ERROR_TIMEOUT, "out of time");
        return DRAT_UNDECIDED;
    }
    dimacs = make_dimacs(s, query, &trivial);
    times->cadical_s = clock_seconds() - begin;
    if (dimacs == NULL && !trivial)
        error_set(error, ERROR_INTERNAL, "the query could not be made into clauses");
    if (dimacs == NULL)
        return trivial ? DRAT_TRIVIAL : DRAT_FAILED;
    verdict = prove_clauses(dimacs, begin + timeout_s, times, error);
    free(dimacs);
    return verdict;
}
