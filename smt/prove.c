#include "smt/prove.h"

#include "smt/replay.h"

#include <stdio.h>
#include <string.h>

#define REDUCE_LIMIT 300u

struct attempt {
    struct smt *s;
    const struct property_entry *entry;
    const struct smt_options *options;
    struct smt_outcome *outcome;
    struct goal goal;
    struct term_list any; /* what stands for goal.abstracted */
    double deadline;
    double cross_left; /* seconds for the second solver */
    double drat_left;  /* seconds for clausal proofs */
    bool used[SMT_SOLVERS];
};

const char *smt_verdict_name(enum smt_verdict verdict)
{
    static const char *const names[SMT_VERDICTS] = {"PROVED", "REFUTED", "VACUOUS", "TIMEOUT", "UNKNOWN", "ERROR"};
    return (unsigned)verdict < SMT_VERDICTS ? names[verdict] : "ERROR";
}

const char *smt_solver_name(enum smt_solver solver)
{
    return solver == SMT_Z3 ? "z3" : "cvc5";
}

/* Ends the attempt; the first note stands. */
static bool give_up(struct attempt *a, enum smt_verdict verdict, const char *what, const char *why)
{
    a->outcome->verdict = verdict;
    snprintf(a->outcome->note, sizeof a->outcome->note, "%.90s%s%.140s", what,
             what[0] != '\0' && why[0] != '\0' ? ": " : "", why);
    return false;
}

static void add_part(struct attempt *a, struct query *query, term x, bool abstract)
{
    const struct term_list *from = &a->goal.abstracted;
    x = goal_expand(&a->goal, x);
    if (abstract)
        x = term_substitute(a->s, x, from->items, a->any.items, from->count);
    term_list_add(&query->parts, x);
}

enum asked { HYPOTHESES, CLAIM, ABSTRACT_CLAIM };

static void make_query(struct attempt *a, const struct goal_claim *claim, enum asked asked, struct query *query)
{
    struct goal *g = &a->goal;
    bool abstract = asked == ABSTRACT_CLAIM;
    memset(query, 0, sizeof *query);
    query->name = a->entry->property.name;
    for (size_t i = 0; i < g->hypotheses.count; i++)
        add_part(a, query, g->hypotheses.items[i], abstract);
    if (claim != NULL && claim->when != NULL)
        add_part(a, query, claim->when, abstract);
    for (size_t i = claim != NULL ? claim->first_fact : 0; asked != HYPOTHESES && i < claim->end_fact; i++)
        add_part(a, query, g->facts.items[i], abstract);
    if (asked != HYPOTHESES)
        add_part(a, query, term_not(a->s, claim->claim), abstract);
    if (query->parts.count == 0)
        term_list_add(&query->parts, term_bool(a->s, true));
    query_inspect(a->s, query);
}

/* One fresh constant for each abstracted term. */
static void make_any(struct attempt *a)
{
    struct goal *g = &a->goal;
    for (size_t i = 0; i < g->abstracted.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "any!%zu", i);
        term_list_add(&a->any, term_constant(a->s, Z3_get_sort(a->s->z3, g->abstracted.items[i]), name));
    }
}

static enum answer ask(struct attempt *a, enum smt_solver solver, const struct query *query, struct assignment *found,
                       char *why, size_t why_size)
{
    double left = a->deadline - smt_clock();
    a->used[solver] = true;
    if (left <= 0) {
        snprintf(why, why_size, "out of time");
        return ANSWER_TIMEOUT;
    }
    return solver == SMT_Z3 ? z3_ask(a->s, query, left, found, why, why_size)
                            : cvc5_ask(a->s, query, left, found, why, why_size);
}

static enum smt_solver main_solver(const struct attempt *a)
{
    return a->options->cvc5_only ? SMT_CVC5 : a->entry->property.solver;
}

static enum smt_verdict verdict_of(enum answer answer)
{
    return answer == ANSWER_TIMEOUT ? SMT_TIMEOUT : answer == ANSWER_ERROR ? SMT_ERROR : SMT_UNKNOWN;
}

/* A proof from hypotheses that nothing satisfies says nothing. */
static bool check_satisfiable(struct attempt *a, const struct goal_claim *claim)
{
    struct query query;
    char why[120] = "";
    enum answer answer;
    make_query(a, claim, HYPOTHESES, &query);
    answer = ask(a, main_solver(a), &query, NULL, why, sizeof why);
    query_free(&query);
    if (answer == ANSWER_SAT)
        return true;
    if (answer == ANSWER_UNSAT)
        return give_up(a, SMT_VACUOUS, claim != NULL ? claim->what : "", "nothing satisfies the hypotheses");
    return give_up(a, verdict_of(answer), "hypotheses", why);
}

static void keep_cases(struct attempt *a, const struct witness *w, const struct warp_impl *impl,
                       const struct warp_case *cases)
{
    struct smt_outcome *o = a->outcome;
    o->cases = a->goal.warps_count < SMT_WITNESS_CASES ? (unsigned)a->goal.warps_count : SMT_WITNESS_CASES;
    for (unsigned i = 0; i < o->cases; i++) {
        o->c[i] = cases[i];
        o->lanes[i] = witness_lanes(w, impl, i, &cases[i]);
    }
    witness_text(w, o->witness, sizeof o->witness);
}

/* The witness must fail on every implementation, with its own results in the place of the encoding's. */
static bool replay_all(struct attempt *a, struct witness *w)
{
    static const char *const complaint[] = {"", "the witness does not replay on ", "the witness makes no case for ",
                                            "the witness got no answer from "};
    const struct smt_options *o = a->options;
    const struct warp_impl *first = o->replay_count > 0 ? o->replay[0] : NULL;
    static struct warp_case cases[GOAL_WARPS];
    char who[96];
    enum replayed r = witness_replay(w, NULL, cases);
    if (r != REPLAY_REFUTES)
        return give_up(a, SMT_ERROR, w->claim->what, "the solver's values do not refute the claim");
    if (witness_replay(w, first, cases) == REPLAY_REFUTES)
        witness_reduce(w, first, REDUCE_LIMIT);
    witness_replay(w, NULL, cases);
    keep_cases(a, w, first, cases);
    for (size_t i = 0; i < o->replay_count; i++) {
        r = witness_replay(w, o->replay[i], cases);
        if (r != REPLAY_REFUTES) {
            snprintf(who, sizeof who, "%s%s: an error in the encoding", complaint[r], o->replay[i]->name);
            return give_up(a, SMT_ERROR, w->claim->what, who);
        }
        a->outcome->replayed++;
    }
    return give_up(a, SMT_REFUTED, w->claim->what, "");
}

static bool write_query(struct attempt *a, const struct query *query, size_t number)
{
    char path[512];
    char why[160] = "";
    if (a->options->smtlib_dir == NULL)
        return true;
    snprintf(path, sizeof path, "%s/%s.%zu.smt2", a->options->smtlib_dir, query->name, number + 1);
    return query_write(a->s, query, path, false, why, sizeof why) || give_up(a, SMT_ERROR, "", why);
}

/*
 * The other solver, where asked for; `first` is the main solver's answer. It has as much time for a property as the
 * main one, of its own; when that is over (or it has no answer) that is noted, and changes nothing.
 */
static bool cross_check(struct attempt *a, const struct query *query, enum answer first, const char *what)
{
    enum answer second;
    char why[120] = "";
    double begin = smt_clock();
    if (!a->options->cross || main_solver(a) != SMT_Z3)
        return true;
    if (a->cross_left <= 0) {
        a->outcome->undecided++;
        return true;
    }
    a->used[SMT_CVC5] = true;
    second = cvc5_ask(a->s, query, a->cross_left, NULL, why, sizeof why);
    a->cross_left -= smt_clock() - begin;
    a->deadline += smt_clock() - begin;
    if (second == first)
        a->outcome->agreed++;
    else if (second == ANSWER_SAT || second == ANSWER_UNSAT)
        return give_up(a, SMT_ERROR, what, "Z3 and cvc5 disagree");
    else
        a->outcome->undecided++;
    return true;
}

/* A clausal proof as well, where asked for, in a time of its own; when that is over it is noted. */
static bool add_drat(struct attempt *a, const struct query *query, const char *what)
{
    bool trivial = false, good;
    double begin = smt_clock();
    char why[120] = "";
    if (!a->options->drat || !query->only_bits)
        return true;
    good = drat_prove(a->s, query, a->drat_left, &trivial, why, sizeof why);
    a->drat_left -= smt_clock() - begin;
    a->deadline += smt_clock() - begin;
    if (!good && strstr(why, "timeout") == NULL)
        return give_up(a, SMT_ERROR, what, why);
    a->outcome->drat_undecided += !good;
    a->outcome->drat_checked += good && !trivial;
    a->outcome->drat_trivial += good && trivial;
    return true;
}

/* Decides one query about a claim; `values` when it is satisfiable. */
static bool decide(struct attempt *a, size_t i, enum asked asked, enum answer *answer, struct assignment *values)
{
    const struct goal_claim *claim = &a->goal.claims[i];
    struct query query;
    char why[120] = "";
    bool ok;
    make_query(a, claim, asked, &query);
    ok = write_query(a, &query, i);
    if (ok) {
        *answer = ask(a, main_solver(a), &query, values, why, sizeof why);
        if (asked == ABSTRACT_CLAIM && *answer != ANSWER_UNSAT)
            ok = true; /* to be asked again as it is */
        else if (*answer != ANSWER_SAT && *answer != ANSWER_UNSAT)
            ok = give_up(a, verdict_of(*answer), claim->what, why);
        else
            ok = cross_check(a, &query, *answer, claim->what);
        if (ok && *answer == ANSWER_UNSAT)
            ok = add_drat(a, &query, claim->what);
    }
    query_free(&query);
    return ok;
}

static bool try_claim(struct attempt *a, size_t i)
{
    struct assignment values = {0};
    struct witness w = {&a->goal, &a->goal.claims[i], &values};
    enum answer answer = ANSWER_SAT;
    bool ok = true;
    a->outcome->claims++;
    if (a->goal.abstracted.count > 0)
        ok = decide(a, i, ABSTRACT_CLAIM, &answer, NULL);
    if (ok && answer != ANSWER_UNSAT)
        ok = decide(a, i, CLAIM, &answer, &values);
    if (ok && answer == ANSWER_SAT)
        ok = replay_all(a, &w);
    assignment_free(a->s, &values);
    return ok;
}

static void work(void *context)
{
    struct attempt *a = context;
    struct goal *g = &a->goal;
    bool ok = true;
    a->entry->build(g, a->entry->argument);
    if (g->error[0] != '\0') {
        give_up(a, SMT_ERROR, "", g->error);
        return;
    }
    make_any(a);
    if (g->hypotheses.count > 0)
        ok = check_satisfiable(a, NULL);
    for (size_t i = 0; i < g->claims_count && ok; i++)
        if (g->claims[i].when != NULL)
            ok = check_satisfiable(a, &g->claims[i]);
    for (size_t i = 0; i < g->claims_count && ok; i++)
        ok = try_claim(a, i);
    if (ok && g->claims_count == 0)
        give_up(a, SMT_ERROR, "", "the property claims nothing");
    else if (ok)
        a->outcome->verdict = SMT_PROVED;
}

static void name_solvers(const struct attempt *a, char out[48])
{
    const char *cvc5 = a->used[SMT_CVC5] ? smt_cvc5_version() : NULL;
    snprintf(out, 48, "%s%s%s%s%s", a->used[SMT_Z3] ? "z3 " : "", a->used[SMT_Z3] ? smt_z3_version() : "",
             a->used[SMT_Z3] && cvc5 != NULL ? ", " : "", cvc5 != NULL ? "cvc5 " : "", cvc5 != NULL ? cvc5 : "");
}

void prove_entry(const struct property_entry *entry, const struct smt_options *options, struct smt_outcome *outcome)
{
    struct attempt a = {.entry = entry, .options = options, .outcome = outcome};
    double begin = smt_clock();
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = SMT_ERROR;
    a.s = smt_open(options->memory_mb);
    if (a.s == NULL || !fault_find(options->fault, &a.s->fault)) {
        snprintf(outcome->note, sizeof outcome->note, "the prover cannot start");
        smt_close(a.s);
        return;
    }
    a.deadline = begin + options->timeout_s;
    a.cross_left = a.drat_left = options->timeout_s;
    goal_init(&a.goal, a.s);
    a.goal.property = &entry->property;
    a.goal.programs_dir = options->programs_dir;
    if (!smt_guard(a.s, work, &a))
        give_up(&a, strstr(a.s->error, "memory") != NULL ? SMT_UNKNOWN : SMT_ERROR, "Z3", a.s->error);
    name_solvers(&a, outcome->solver);
    term_list_free(&a.any);
    goal_free(&a.goal);
    smt_close(a.s);
    outcome->seconds = smt_clock() - begin;
}

static const struct {
    const char *name, *what, *breaks;
} faults[] = {
    {NULL, NULL, NULL},
#define FAULT(id, name, breaks, what) {name, what, breaks},
#include "smt/faults.def"
#undef FAULT
};

bool fault_find(const char *name, uint32_t *fault)
{
    *fault = SMT_FAULT_NONE;
    if (name == NULL)
        return true;
    for (uint32_t i = 1; i < SMT_FAULTS; i++)
        if (strcmp(faults[i].name, name) == 0) {
            *fault = i;
            return true;
        }
    return false;
}

bool smt_fault_get(size_t i, const char **name, const char **what, const char **breaks)
{
    if (i + 1 >= SMT_FAULTS)
        return false;
    *name = faults[i + 1].name;
    *what = faults[i + 1].what;
    *breaks = faults[i + 1].breaks;
    return true;
}
