/* Second opinions on a query that the first solver decided: cvc5's, and a clausal proof. */
#include "smt/attempt.h"

#include <stdio.h>
#include <string.h>

/*
 * The other solver, where asked for; `first` is the main solver's answer. It has as much time for a property as the
 * main one, of its own; when that is over (or it has no answer) that is noted, and changes nothing.
 */
bool attempt_cross_check(struct attempt *a, const struct query *query, enum answer first, const char *what)
{
    enum answer second;
    char why[120] = "";
    double begin = smt_clock();
    if (!a->options->cross || attempt_solver(a) != SMT_Z3)
        return true;
    if (a->cross_left <= 0) {
        a->outcome->undecided++;
        snprintf(a->outcome->undecided_why, sizeof a->outcome->undecided_why, "out of time");
        return true;
    }
    a->used[SMT_CVC5] = true;
    second = cvc5_ask(a->s, query, a->cross_left, NULL, why, sizeof why);
    begin = smt_clock() - begin;
    a->outcome->solver_s[SMT_CVC5] += begin;
    a->cross_left -= begin;
    a->deadline += begin;
    if (second == first) {
        a->outcome->agreed++;
        return true;
    }
    if (second == ANSWER_SAT || second == ANSWER_UNSAT)
        return attempt_give_up(a, SMT_ERROR, what, "Z3 and cvc5 disagree");
    a->outcome->undecided++;
    snprintf(a->outcome->undecided_why, sizeof a->outcome->undecided_why, "%.90s", why);
    return true;
}

/* A clausal proof as well, where asked for, in a time of its own; when that is over it is noted. */
bool attempt_add_drat(struct attempt *a, const struct query *query, const char *what)
{
    bool trivial = false, good;
    double begin = smt_clock();
    char why[120] = "";
    struct drat_times times = {0};
    if (!a->options->drat)
        return true;
    if (!query->only_bits) {
        a->outcome->drat_unable++;
        return true;
    }
    good = drat_prove(a->s, query, a->drat_left, &trivial, &times, why, sizeof why);
    a->outcome->cadical_s += times.cadical_s;
    a->outcome->checker_s += times.checker_s;
    a->drat_left -= smt_clock() - begin;
    a->deadline += smt_clock() - begin;
    if (!good && strstr(why, "timeout") == NULL)
        return attempt_give_up(a, SMT_ERROR, what, why);
    a->outcome->drat_undecided += !good;
    a->outcome->drat_checked += good && !trivial;
    a->outcome->drat_trivial += good && trivial;
    return true;
}
