/* Functions of the type of warp_impl.eval, on the case splits of the proofs about the product's own code. */
#include "proofs/user/proof.h"

#include "proofs/decide.h"
#include "proofs/fast/transcription.h"

#include <stdio.h>
#include <string.h>

/* The files of the transcription (WARPCHECK_SPEC_FILES: one name and a comma each), and what they call. */
static const char *const spec_files[] = {WARPCHECK_SPEC_FILES "model-form", "model-target"};
#define SPEC_FILES (sizeof spec_files / sizeof *spec_files)

struct machine *user_spec_open(struct smt *s, const char *folder, struct error *error)
{
    static char paths[SPEC_FILES][512];
    const char *files[SPEC_FILES];
    for (size_t i = 0; i < SPEC_FILES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s.bc", folder != NULL ? folder : WARPCHECK_BITCODE_DIR, spec_files[i]);
        files[i] = paths[i];
    }
    return machine_open(s, files, SPEC_FILES, error);
}

/* One form of one function of the type of warp_impl.eval. */
struct whole {
    struct decider d;
    struct compiled_options options;
    struct compiled_outcome outcome;
    const struct user_request *request;
    struct machine *spec, *user;
    struct case_split split;
    struct split_result expected, observed;
    term fits;
    bool unusable; /* the user's file or function cannot be read or followed: bad input, not an answer */
};

static void run_spec(struct machine *machine, void *context)
{
    struct whole *w = context;
    machine->by_bits = true; /* the transcription goes through its groups by their leaders' bits */
    split_run(machine, &w->split, "spec_eval", NULL, warp_form_is_sync(w->request->info), &w->expected);
}

static void run_spec_wait(struct machine *machine, void *context)
{
    struct whole *w = context;
    split_run_wait(machine, &w->split, "spec_eval", &w->expected, &w->fits);
}

static void run_user(struct machine *machine, void *context)
{
    struct whole *w = context;
    split_run(machine, &w->split, w->request->function, NULL, false, &w->observed);
}

static bool translate(struct whole *w, struct machine *machine, void (*work)(struct machine *, void *),
                      const char *whose)
{
    machine_reset(machine);
    if (machine_try(machine, work, w)) {
        w->outcome.steps += machine->steps;
        return true;
    }
    w->outcome.verdict = machine->m.error.code == ERROR_TIMEOUT ? COMPILED_OPEN : COMPILED_ERROR;
    w->unusable = machine == w->user && machine->m.error.code != ERROR_TIMEOUT;
    snprintf(w->outcome.note, sizeof w->outcome.note, "%.60s: %.300s", whose, machine->m.error.text);
    return false;
}

static bool claim(struct whole *w, term when, term holds, const char *what, unsigned k)
{
    return decide(&w->d, &w->split, b_or(w->d.s, b_not(w->d.s, when), holds), what, k);
}

static term same(struct whole *w, term x, term y)
{
    return b_not(w->d.s, b_xor(w->d.s, x, y));
}

/* It says that it has answered. */
static bool claim_answered(struct whole *w)
{
    struct smt *s = w->d.s;
    struct maker *m = &w->user->m;
    const struct scalar *x = w->observed.returned;
    term yes = term_bool(s, true);
    if (x->poison != NULL && !claim(w, yes, b_not(s, x->poison), "not initialized: what it returns", WARP_LANES))
        return false;
    return claim(w, yes, as_bool(m, arith_compare(m, LLVMIntNE, x, make_known(m, x->width, 0))), "it returns false",
                 WARP_LANES);
}

/* Lanes that are not done have neither p nor d. */
static bool claim_nothing_else(struct whole *w, unsigned k)
{
    struct smt *s = w->d.s;
    const struct case_split *g = &w->split;
    term not_done = b_not(s, g->group[k]);
    return claim(w, b_and(s, not_done, g->writes_p), b_not(s, w->observed.p[k]), "p of a lane that is not done", k) &&
           claim(w, b_and(s, not_done, g->writes_d), b_not(s, w->observed.d_defined[k]),
                 "d_defined of a lane that is not done", k);
}

/* done, waiting, undefined and waits_for are what the case split says. */
static bool claim_outcome(struct whole *w)
{
    struct smt *s = w->d.s;
    struct maker *m = &w->user->m;
    const struct case_split *g = &w->split;
    const struct split_result *r = &w->observed;
    const struct scalar *missing = make_bits(m, 32, g->missing);
    term yes = term_bool(s, true);
    if (r->poison != NULL && !claim(w, yes, b_not(s, r->poison), "a word of the result is not initialized", WARP_LANES))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (!claim(w, yes, same(w, r->done[k], g->group[k]), "done", k) ||
            !claim(w, yes, same(w, r->undefined[k], g->undefined[k]), "undefined", k) ||
            !claim(w, yes, same(w, r->waiting[k], g->waiting[k]), "waiting", k) ||
            !claim(w, g->waiting[k], as_bool(m, arith_compare(m, LLVMIntEQ, r->waits_for[k], missing)), "waits_for",
                   k) ||
            !claim_nothing_else(w, k))
            return false;
    return true;
}

static bool claim_d(struct whole *w, unsigned k)
{
    struct smt *s = w->d.s;
    struct maker *mu = &w->user->m;
    const struct scalar *d = w->observed.d[k];
    term when = b_and(s, b_and(s, w->split.group[k], w->split.writes_d), w->expected.d_defined[k]), x, y;
    enum algebra op;
    if (is_false(s, when))
        return true;
    if (d->poison != NULL && !claim(w, when, b_not(s, d->poison), "not initialized: d", k))
        return false;
    x = v_given(s, as_term(&w->spec->m, w->expected.d[k]), when);
    y = v_given(s, as_term(mu, d), when);
    if (claims_algebra(w->request->info, &op) && algebra_equal(s, op, when, x, y)) {
        w->outcome.algebraic++;
        return true;
    }
    return claim(w, when, v_eq(s, x, y), "d", k);
}

static bool claim_results(struct whole *w, unsigned only)
{
    struct smt *s = w->d.s;
    const struct case_split *g = &w->split;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (only < WARP_LANES && k != only)
            continue;
        if (!claim(w, b_and(s, g->group[k], g->writes_p), same(w, w->observed.p[k], w->expected.p[k]), "p", k) ||
            !claim(w, b_and(s, g->group[k], g->writes_d), same(w, w->observed.d_defined[k], w->expected.d_defined[k]),
                   "d_defined", k) ||
            !claim_d(w, k))
            return false;
    }
    return true;
}

static void make_setting(struct whole *w, enum split_kind kind, unsigned lane)
{
    split_make(w->d.s, &w->split, w->request->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, kind, lane);
}

/* Case splits with a group: everything is compared. Without: the outcome. */
static bool prove_split(struct whole *w, enum split_kind kind, unsigned lane, bool grouped)
{
    const size_t mark = smt_mark(w->d.s);
    bool ok;
    make_setting(w, kind, lane);
    ok = (!grouped || translate(w, w->spec, run_spec, "spec")) &&
         translate(w, w->user, run_user, w->request->function) && claim_outcome(w) && claim_answered(w) &&
         (!grouped || claim_results(w, kind == SPLIT_LANE ? lane : WARP_LANES)) &&
         decide_obligations(&w->d, &w->split, w->user, w->request->function) &&
         (!grouped || decide_obligations(&w->d, &w->split, w->spec, "spec"));
    smt_release(w->d.s, mark);
    return ok;
}

/* What spec_wait leaves is what the transcription begins with in the case splits with a group. */
static bool prove_wait(struct whole *w, enum split_kind kind, unsigned lane)
{
    const size_t mark = smt_mark(w->d.s);
    bool ok;
    make_setting(w, kind, lane);
    ok = translate(w, w->spec, run_spec_wait, "spec") &&
         decide(&w->d, &w->split, w->fits, "the groups that spec_wait finds", WARP_LANES) &&
         decide_outcome(&w->d, &w->spec->m, &w->split, &w->expected, "spec") &&
         decide_obligations(&w->d, &w->split, w->spec, "spec");
    smt_release(w->d.s, mark);
    return ok;
}

static bool prove_lemmas(struct whole *w)
{
    const struct case_split none = {0};
    enum algebra op;
    term claims[ALGEBRA_LEMMAS];
    unsigned n;
    if (!claims_algebra(w->request->info, &op))
        return true;
    n = algebra_lemmas(w->d.s, op, claims);
    for (unsigned i = 0; i < n; i++)
        if (!decide(&w->d, &none, claims[i], "a rule of algebra", WARP_LANES))
            return false;
    return true;
}

static bool prove_splits(struct whole *w)
{
    const struct warp_form_info *info = w->request->info;
    const bool is_sync = warp_form_is_sync(info);
    const bool led = transcription_by_group(info);
    for (unsigned lane = WARP_LANES; lane-- > 0;)
        if (!prove_split(w, led ? SPLIT_LED : SPLIT_LANE, lane, true) ||
            (is_sync && (!prove_split(w, SPLIT_OUTSIDE, lane, false) || !prove_split(w, SPLIT_MISSING, lane, false) ||
                         !prove_wait(w, SPLIT_FIRST, lane) || !prove_wait(w, SPLIT_MISSING, lane))))
            return false;
    return (!led || prove_split(w, SPLIT_FULL, 0, true)) && prove_split(w, SPLIT_NOBODY, 0, false) &&
           (!is_sync || prove_wait(w, SPLIT_NOBODY, 0));
}

static void open_and_prove(struct whole *w)
{
    struct error why = {.text = "Z3 cannot start"};
    w->d.s = smt_open(0);
    w->spec = w->d.s == NULL ? NULL : user_spec_open(w->d.s, w->request->spec_bitcode, &why);
    w->user = w->spec == NULL ? NULL : machine_open(w->d.s, &w->request->file, 1, &why);
    if (w->user == NULL) {
        w->outcome.verdict = COMPILED_ERROR;
        w->unusable = w->spec != NULL;
        snprintf(w->outcome.note, sizeof w->outcome.note, "%.399s", why.text);
    } else if (prove_lemmas(w) && prove_splits(w)) {
        w->outcome.verdict = warp_form_is_sync(w->request->info) ? COMPILED_BOUNDED : COMPILED_PROVED;
        w->outcome.bound = "all active lanes pass one membermask";
    }
    if (w->user != NULL)
        machine_close(w->user);
    if (w->spec != NULL)
        machine_close(w->spec);
    if (w->d.s != NULL) {
        decider_free(&w->d);
        logic_forget(w->d.s);
        smt_close(w->d.s);
    }
}

void user_prove_whole(const struct user_request *request, struct user_outcome *outcome)
{
    static struct whole w; /* large */
    memset(&w, 0, sizeof w);
    w.request = request;
    w.options = (struct compiled_options){.timeout_s = request->timeout_s};
    w.d = (struct decider){.options = &w.options, .outcome = &w.outcome};
    w.outcome.verdict = COMPILED_OPEN;
    open_and_prove(&w);
    outcome->verdict = w.outcome.verdict;
    outcome->unusable = w.unusable;
    snprintf(outcome->note, sizeof outcome->note, "%s%s%s", outcome->unusable ? request->file : "",
             outcome->unusable ? ": " : "", w.outcome.note);
    snprintf(outcome->bound, sizeof outcome->bound, "%s", w.outcome.bound != NULL ? w.outcome.bound : "");
    outcome->claims = w.outcome.claims;
    outcome->immediate = w.outcome.immediate;
    outcome->algebraic = w.outcome.algebraic;
    outcome->steps = w.outcome.steps;
    outcome->has_witness = w.outcome.has_witness;
    outcome->witness = w.outcome.witness;
}
