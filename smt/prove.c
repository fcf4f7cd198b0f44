#include "smt/prove.h"

#include "base/clock.h"
#include "smt/lemma.h"
#include "smt/witness.h"

#include <stdio.h>
#include <string.h>

#define REDUCE_LIMIT 300u

const char *smt_verdict_name(enum smt_verdict verdict)
{
    static const char *const names[SMT_VERDICTS] = {"PROVED", "REFUTED", "VACUOUS", "TIMEOUT", "UNKNOWN", "ERROR"};
    return (unsigned)verdict < SMT_VERDICTS ? names[verdict] : "ERROR";
}

const char *smt_solver_name(enum smt_solver solver)
{
    return solver == SMT_Z3 ? "z3" : "cvc5";
}

/* One attempt at a property. */
struct attempt {
    struct smt *s;
    const struct property_entry *entry;
    const struct smt_options *options;
    struct smt_outcome *outcome;
    struct goal goal;
    struct term_replacer any; /* replaces goal.abstracted by fresh constants */
    double deadline;
    double cross_left; /* seconds for the second solver */
    double drat_left;  /* seconds for clausal proofs */
    bool used[SMT_SOLVERS];
};

/* Ends the attempt with this verdict and note: always false. */
static bool give_up(struct attempt *a, enum smt_verdict verdict, const char *what, const char *why)
{
    a->outcome->verdict = verdict;
    snprintf(a->outcome->note, sizeof a->outcome->note, "%.90s%s%.140s", what,
             what[0] != '\0' && why[0] != '\0' ? ": " : "", why);
    return false;
}

static void add_part(struct attempt *a, struct query *query, term x, bool abstract)
{
    x = goal_expand(&a->goal, x);
    if (abstract)
        x = term_replace(a->s, &a->any, x);
    term_list_add(&query->parts, x);
}

/* HYPOTHESES with the claim's `when`; WITH_FACTS: with the lemma instances as well. */
enum asked { HYPOTHESES, WITH_FACTS, CLAIM, ABSTRACT_CLAIM };

static void add_hypotheses(struct attempt *a, struct query *query, bool abstract)
{
    struct goal *g = &a->goal;
    memset(query, 0, sizeof *query);
    query->name = a->entry->property.name;
    for (size_t i = 0; i < g->hypotheses.count; i++)
        add_part(a, query, g->hypotheses.items[i], abstract);
}

static void make_query(struct attempt *a, const struct goal_claim *claim, enum asked asked, struct query *query)
{
    struct goal *g = &a->goal;
    bool abstract = asked == ABSTRACT_CLAIM;
    add_hypotheses(a, query, abstract);
    if (claim != NULL && claim->when != NULL)
        add_part(a, query, claim->when, abstract);
    for (size_t i = claim != NULL ? claim->first_fact : 0; asked != HYPOTHESES && i < claim->end_fact; i++)
        add_part(a, query, g->facts[i].instance, abstract);
    if (asked == CLAIM || asked == ABSTRACT_CLAIM)
        add_part(a, query, term_not(a->s, claim->claim), abstract);
    if (query->parts.count == 0)
        term_list_add(&query->parts, term_bool(a->s, true));
    query_inspect(a->s, query);
}

/* Neighbours among the claims that are asked about at once: [first, end). */
struct run {
    size_t first, end;
};

/* The hypotheses, and every `when` of the run. */
static void make_query_of_whens(struct attempt *a, struct run run, struct query *query)
{
    add_hypotheses(a, query, false);
    for (size_t i = run.first; i < run.end; i++)
        if (a->goal.claims[i].when != NULL)
            add_part(a, query, a->goal.claims[i].when, false);
    query_inspect(a->s, query);
}

/* The hypotheses, and that some claim of the run fails. */
static void make_query_of_run(struct attempt *a, struct run run, bool abstract, struct query *query)
{
    struct term_list fails = {0};
    add_hypotheses(a, query, abstract);
    for (size_t i = run.first; i < run.end; i++) {
        const struct goal_claim *c = &a->goal.claims[i];
        const term not_so = term_not(a->s, c->claim);
        term_list_add(&fails, c->when != NULL ? term_and(a->s, c->when, not_so) : not_so);
    }
    add_part(a, query, term_any(a->s, fails.items, fails.count), abstract);
    term_list_free(&fails);
    query_inspect(a->s, query);
}

/* One fresh constant for each abstracted term. */
static void make_any(struct attempt *a)
{
    struct goal *g = &a->goal;
    for (size_t i = 0; i < g->abstracted.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "any!%zu", i);
        term_replacer_add(a->s, &a->any, g->abstracted.items[i],
                          term_constant(a->s, Z3_get_sort(a->s->z3, g->abstracted.items[i]), name));
    }
}

static enum answer ask(struct attempt *a, enum smt_solver solver, const struct query *query, struct assignment *found,
                       struct error *error)
{
    double begin = clock_seconds(), left = a->deadline - begin;
    enum answer answer;
    a->used[solver] = true;
    if (left <= 0) {
        error_set(error, ERROR_TIMEOUT, "out of time");
        return ANSWER_TIMEOUT;
    }
    answer = solver == SMT_Z3 ? z3_ask(a->s, query, left, found, error) : cvc5_ask(a->s, query, left, found, error);
    a->outcome->solver_s[solver] += clock_seconds() - begin;
    return answer;
}

/* The main solver, which is asked first. */
static enum smt_solver first_solver(const struct attempt *a)
{
    return a->options->cvc5_only ? SMT_CVC5 : a->entry->property.solver;
}

/* The verdict for an answer that decides nothing. */
static enum smt_verdict verdict_of(enum answer answer)
{
    return answer == ANSWER_TIMEOUT ? SMT_TIMEOUT : answer == ANSWER_ERROR ? SMT_ERROR : SMT_UNKNOWN;
}

/* Every query has a file of its own: NAME.hypotheses, NAME.3.when, NAME.3.facts, NAME.3.any, NAME.3. */
static bool write_query(struct attempt *a, const struct query *query, const struct goal_claim *claim, enum asked asked)
{
    static const char *const suffix[] = {".when", ".facts", "", ".any"};
    char path[512], number[24] = ".hypotheses";
    struct error error = {.code = ERROR_NONE};
    if (a->options->smtlib_dir == NULL)
        return true;
    if (claim != NULL)
        snprintf(number, sizeof number, ".%zu", (size_t)(claim - a->goal.claims) + 1);
    snprintf(path, sizeof path, "%s/%s%s%s.smt2", a->options->smtlib_dir, query->name, number,
             claim != NULL ? suffix[asked] : "");
    return query_write(a->s, query, path, false, &error) || give_up(a, SMT_ERROR, "", error.text);
}

/* Checks that some values satisfy the hypotheses, because a proof from contradictory ones says nothing. `found`
 * gets the values. */
static bool check_satisfiable(struct attempt *a, const struct goal_claim *claim, enum asked asked,
                              struct assignment *found)
{
    struct query query;
    struct error error = {.code = ERROR_NONE};
    enum answer answer = ANSWER_ERROR;
    bool with_facts = asked == WITH_FACTS;
    make_query(a, claim, asked, &query);
    const bool is_written = write_query(a, &query, claim, asked);
    if (is_written)
        answer = ask(a, first_solver(a), &query, found, &error);
    query_free(&query);
    if (!is_written)
        return false;
    if (answer == ANSWER_SAT)
        return true;
    if (answer == ANSWER_UNSAT)
        return give_up(a, SMT_VACUOUS, claim != NULL ? claim->what : "",
                       with_facts ? "nothing satisfies the hypotheses and the lemma instances"
                                  : "nothing satisfies the hypotheses");
    return give_up(a, verdict_of(answer), with_facts ? "hypotheses and lemma instances" : "hypotheses", error.text);
}

static term value_or_zero(struct attempt *a, const struct assignment *values, term unknown)
{
    unsigned width = term_width(a->s, unknown);
    for (size_t i = 0; i < values->unknown.count; i++)
        if (values->unknown.items[i] == unknown)
            return values->value.items[i];
    return width == 0 ? term_bool(a->s, false) : term_bits(a->s, 0, width);
}

/* Do the values satisfy the query? */
static bool holds(struct attempt *a, const struct query *query, const struct assignment *values)
{
    struct term_list to = {0};
    term all;
    uint64_t truth = 0;
    for (size_t i = 0; i < query->free.count; i++)
        term_list_add(&to, value_or_zero(a, values, query->free.items[i]));
    all = term_all(a->s, query->parts.items, query->parts.count);
    all = term_simplify(a->s, term_substitute(a->s, all, query->free.items, to.items, to.count));
    term_list_free(&to);
    return term_value(a->s, all, &truth) && truth;
}

/* Do the values that satisfy the hypotheses satisfy the claim's lemma instances too? They are true of all values. */
static bool facts_hold(struct attempt *a, const struct goal_claim *claim, const struct assignment *values)
{
    struct query query;
    bool ok;
    make_query(a, claim, WITH_FACTS, &query);
    ok = holds(a, &query, values);
    query_free(&query);
    return ok;
}

/*
 * Facts are the one thing that a proof takes for true: they must go together with the hypotheses (where the values at
 * hand do not show it the solver is asked), and each must be an instance of its lemma.
 */
static bool check_facts(struct attempt *a, const struct goal_claim *claim, const struct assignment *values)
{
    struct error error = {.code = ERROR_NONE};
    if (claim->first_fact == claim->end_fact)
        return true;
    if (!facts_hold(a, claim, values) && !check_satisfiable(a, claim, WITH_FACTS, NULL))
        return false;
    for (size_t i = claim->first_fact; i < claim->end_fact; i++)
        if (!fact_check(&a->goal, &a->goal.facts[i], (size_t)(claim - a->goal.claims), &error))
            return give_up(a, SMT_ERROR, claim->what, error.text);
    return true;
}

static bool check_claim(struct attempt *a, const struct goal_claim *claim, const struct assignment *of_hypotheses)
{
    struct assignment values = {0};
    bool ok;
    if (claim->when == NULL)
        return check_facts(a, claim, of_hypotheses);
    ok = check_satisfiable(a, claim, HYPOTHESES, &values) && check_facts(a, claim, &values);
    assignment_free(a->s, &values);
    return ok;
}

/*
 * The queries that the user reads, or a second opinion is asked about, are one for each claim; so are those about
 * programs, which are harder together. Else neighbours among the claims are asked about at once.
 */
static bool one_by_one(const struct attempt *a)
{
    const struct smt_options *o = a->options;
    return o->smtlib_dir != NULL || o->cross || o->drat || first_solver(a) != SMT_Z3 ||
           strcmp(a->entry->property.family, "program") == 0;
}

static bool is_exited(const struct goal *g, term mask)
{
    for (size_t i = 0; i < g->warps_count; i++)
        if (g->warps[i]->exited == mask)
            return true;
    return false;
}

static void set_masks(struct attempt *a, const struct term_list *masks, struct assignment *values)
{
    for (size_t i = 0; i < masks->count; i++) {
        if (is_exited(&a->goal, masks->items[i]))
            continue;
        term_list_add(&values->unknown, masks->items[i]);
        term_list_add(&values->value, term_word(a->s, UINT32_MAX));
    }
}

/* Whole warps: every lane active, in every membermask, and none exited. All else is 0. */
static bool whole_warps_satisfy(struct attempt *a, const struct query *query, struct assignment *values)
{
    set_masks(a, &a->goal.warp_masks, values);
    set_masks(a, &a->goal.lane_masks, values);
    if (holds(a, query, values))
        return true;
    assignment_free(a->s, values);
    return false;
}

/* Finds values that satisfy the hypotheses and every `when` of the goal, so that none has to be looked for of each
 * alone. */
static bool find_common(struct attempt *a, struct assignment *values)
{
    struct query query;
    struct error error;
    bool found;
    if (one_by_one(a))
        return false;
    make_query_of_whens(a, (struct run){0, a->goal.claims_count}, &query);
    query.brief = true;
    found = whole_warps_satisfy(a, &query, values) || ask(a, SMT_Z3, &query, values, &error) == ANSWER_SAT;
    query_free(&query);
    return found;
}

/* Checks that the hypotheses, alone and with each claim's facts, can be satisfied: a contradiction proves
 * everything. */
static bool check_vacuity(struct attempt *a)
{
    struct assignment values = {0};
    struct goal *g = &a->goal;
    const bool common = find_common(a, &values);
    bool ok = common || g->hypotheses.count == 0 || check_satisfiable(a, NULL, HYPOTHESES, &values);
    for (size_t i = 0; i < g->claims_count && ok; i++)
        ok = common ? check_facts(a, &g->claims[i], &values) : check_claim(a, &g->claims[i], &values);
    assignment_free(a->s, &values);
    return ok;
}

static void keep_cases(struct attempt *a, const struct witness *w, const struct warp_impl *impl,
                       const struct warp_case *cases)
{
    struct smt_outcome *o = a->outcome;
    lanemask lanes[GOAL_WARPS];
    o->cases = a->goal.warps_count < SMT_WITNESS_CASES ? (unsigned)a->goal.warps_count : SMT_WITNESS_CASES;
    witness_lanes(w, impl, cases, lanes);
    for (unsigned i = 0; i < o->cases; i++) {
        o->c[i] = cases[i];
        o->lanes[i] = lanes[i];
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
    if (a->goal.warps_count == 0) /* no implementation has a part in it */
        return give_up(a, SMT_REFUTED, w->claim->what, "");
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

/*
 * Asks the other solver, if wanted; `first` is the main solver's answer. It has as much time for a property as the
 * main solver. Running out of that time, or the answer that it does not know, is noted and changes nothing else. A
 * solver that crashed or was never asked has not run out of time: that is an error.
 */
static bool cross_check(struct attempt *a, const struct query *query, enum answer first, const char *what)
{
    struct error error = {.code = ERROR_NONE};
    enum answer second;
    double begin = clock_seconds();
    if (!a->options->cross || first_solver(a) != SMT_Z3)
        return true;
    if (a->cross_left <= 0) {
        a->outcome->undecided++;
        snprintf(a->outcome->undecided_why, sizeof a->outcome->undecided_why, "out of time");
        return true;
    }
    a->used[SMT_CVC5] = true;
    second = cvc5_ask(a->s, query, a->cross_left, NULL, &error);
    begin = clock_seconds() - begin;
    a->outcome->solver_s[SMT_CVC5] += begin;
    a->cross_left -= begin;
    a->deadline += begin;
    if (second == first) {
        a->outcome->agreed++;
        return true;
    }
    if (second == ANSWER_SAT || second == ANSWER_UNSAT)
        return give_up(a, SMT_ERROR, what, "Z3 and cvc5 disagree");
    if (second != ANSWER_TIMEOUT && second != ANSWER_UNKNOWN)
        return give_up(a, SMT_ERROR, what, error.text);
    a->outcome->undecided++;
    snprintf(a->outcome->undecided_why, sizeof a->outcome->undecided_why, "%.90s", error.text);
    return true;
}

/* Makes a clausal proof as well, if asked for, in a time of its own. Running out of that time is noted. */
static bool add_drat(struct attempt *a, const struct query *query, const char *what)
{
    const double begin = clock_seconds();
    struct drat_times times = {0};
    struct error error = {.code = ERROR_NONE};
    enum drat_verdict verdict;
    if (!a->options->drat)
        return true;
    if (!query->only_bits) {
        a->outcome->drat_unable++;
        return true;
    }
    verdict = drat_prove(a->s, query, a->drat_left, &times, &error);
    a->outcome->cadical_s += times.cadical_s;
    a->outcome->checker_s += times.checker_s;
    a->drat_left -= clock_seconds() - begin;
    a->deadline += clock_seconds() - begin;
    switch (verdict) {
    case DRAT_CHECKED:
        a->outcome->drat_checked++;
        return true;
    case DRAT_TRIVIAL:
        a->outcome->drat_trivial++;
        return true;
    case DRAT_UNDECIDED:
        a->outcome->drat_undecided++;
        return true;
    case DRAT_FAILED:
        break;
    }
    return give_up(a, SMT_ERROR, what, error.text);
}

/* Decides one query about a claim; `values` when it is satisfiable. */
static bool decide(struct attempt *a, size_t i, enum asked asked, enum answer *answer, struct assignment *values)
{
    const struct goal_claim *claim = &a->goal.claims[i];
    struct query query;
    struct error error = {.code = ERROR_NONE};
    bool ok;
    make_query(a, claim, asked, &query);
    ok = write_query(a, &query, claim, asked);
    if (ok) {
        *answer = ask(a, first_solver(a), &query, values, &error);
        if (asked == ABSTRACT_CLAIM && *answer != ANSWER_UNSAT)
            ok = true; /* to be asked again as it is */
        else if (*answer != ANSWER_SAT && *answer != ANSWER_UNSAT)
            ok = give_up(a, verdict_of(*answer), claim->what, error.text);
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
    if (ok && answer == ANSWER_SAT && w.claim->no_witness != NULL)
        ok = give_up(a, SMT_UNKNOWN, w.claim->what, w.claim->no_witness);
    else if (ok && answer == ANSWER_SAT)
        ok = replay_all(a, &w);
    else if (ok && w.claim->no_proof != NULL)
        ok = give_up(a, SMT_UNKNOWN, w.claim->what, w.claim->no_proof);
    assignment_free(a->s, &values);
    return ok;
}

/* May claims be asked about together? This one uses no facts, and any answer decides it. */
static bool is_plain(const struct goal_claim *claim)
{
    return claim->first_fact == claim->end_fact && claim->no_proof == NULL;
}

/* The claims from `first` up to `end` that are plain; `alike`: those that say the same, of one lane after the other. */
static struct run run_from(const struct goal *g, size_t first, size_t end, bool alike)
{
    struct run run = {first, first};
    while (run.end < end && is_plain(&g->claims[run.end]) &&
           (!alike || strcmp(g->claims[run.end].what, g->claims[first].what) == 0))
        run.end++;
    return run;
}

/* Are all claims of the run proved by one query? If not, each is to be asked about. Beyond bits, claims are harder
 * together than apart. */
static bool prove_run(struct attempt *a, struct run run)
{
    struct query query;
    struct error error;
    bool proved = false;
    if (run.end - run.first < 2)
        return false;
    for (int abstract = a->goal.abstracted.count > 0; abstract >= 0 && !proved; abstract--) {
        make_query_of_run(a, run, abstract, &query);
        query.brief = true;
        proved = query.only_bits && ask(a, SMT_Z3, &query, NULL, &error) == ANSWER_UNSAT;
        query_free(&query);
    }
    if (proved)
        a->outcome->claims += (unsigned)(run.end - run.first);
    return proved;
}

static bool try_each(struct attempt *a, struct run run)
{
    bool ok = true;
    for (size_t i = run.first; i < run.end && ok; i++)
        ok = try_claim(a, i);
    return ok;
}

/* The parts of a run that was not proved at once. */
static bool try_alike(struct attempt *a, struct run run)
{
    bool ok = true;
    for (size_t i = run.first; i < run.end && ok;) {
        const struct run part = run_from(&a->goal, i, run.end, true);
        const bool is_whole = part.first == run.first && part.end == run.end;
        ok = (!is_whole && prove_run(a, part)) || try_each(a, part);
        i = part.end;
    }
    return ok;
}

static bool try_claims(struct attempt *a)
{
    const size_t count = a->goal.claims_count;
    bool ok = true;
    if (one_by_one(a))
        return try_each(a, (struct run){0, count});
    for (size_t i = 0; i < count && ok;) {
        struct run run = run_from(&a->goal, i, count, false);
        if (run.end == run.first)
            ok = try_claim(a, run.end++);
        else
            ok = prove_run(a, run) || try_alike(a, run);
        i = run.end;
    }
    return ok;
}

static void work(void *context)
{
    struct attempt *a = context;
    struct goal *g = &a->goal;
    bool ok;
    a->entry->build(g, a->entry->argument);
    if (g->error.code != ERROR_NONE) {
        give_up(a, SMT_ERROR, "", g->error.text);
        return;
    }
    make_any(a);
    ok = check_vacuity(a) && try_claims(a);
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
    double begin = clock_seconds();
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = SMT_ERROR;
    a.s = smt_open(options->memory_mb);
    if (a.s == NULL) {
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
        give_up(&a, a.s->error.code == ERROR_SYSTEM ? SMT_UNKNOWN : SMT_ERROR, "Z3", a.s->error.text);
    name_solvers(&a, outcome->solver);
    term_replacer_free(&a.any);
    goal_free(&a.goal);
    smt_close(a.s);
    outcome->seconds = clock_seconds() - begin;
}
