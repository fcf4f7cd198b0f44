#include "smt/solver/solver.h"

#include "base/clock.h"
#include "smt/warpcheck_smt.h"

#include <stdio.h>

const char *smt_z3_version(void)
{
    static char version[32];
    unsigned major, minor, build, revision;
    Z3_get_version(&major, &minor, &build, &revision);
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, build);
    return version;
}

enum way { BY_TACTICS, PLAIN, ANY_SORT };

/*
 * Bit-vector queries. Z3's general solver decides most at once, since it prepares nothing; of the others its tactics
 * decide most, the general solver some in a tenth of the time. So they take turns, with so many steps each; at last the
 * tactics have all the time there is.
 */
static const struct {
    enum way way;
    unsigned steps;
} turns[] = {{PLAIN, 40000}, {BY_TACTICS, 500000}, {PLAIN, 400000}, {BY_TACTICS, 0}};
/* For other queries that are brief. */
#define BRIEF_STEPS 1500000u
#define TURNS       (sizeof turns / sizeof *turns)

/* Z3's solver for "QF_BV" answers floating-point goals wrongly, so the logic is always found from the sorts. */
static Z3_solver make_solver(struct smt *s, enum way way)
{
    return way == BY_TACTICS ? Z3_mk_solver_for_logic(s->z3, Z3_mk_string_symbol(s->z3, "QF_BV"))
           : way == PLAIN    ? Z3_mk_simple_solver(s->z3)
                             : Z3_mk_solver(s->z3);
}

static void set_limits(struct smt *s, Z3_solver solver, double timeout_s, unsigned steps)
{
    Z3_params params = Z3_mk_params(s->z3);
    unsigned milliseconds = timeout_s * 1000 < 1 ? 1u : (unsigned)(timeout_s * 1000);
    Z3_params_inc_ref(s->z3, params);
    Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, "timeout"), milliseconds);
    if (steps != 0)
        Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, "rlimit"), steps);
    Z3_solver_set_params(s->z3, solver, params);
    Z3_params_dec_ref(s->z3, params);
}

static void read_model(struct smt *s, const struct query *query, Z3_model model, struct assignment *found)
{
    Z3_model_inc_ref(s->z3, model);
    found->model = model;
    for (size_t i = 0; i < query->free.count; i++) {
        Z3_ast value = NULL;
        if (!Z3_model_eval(s->z3, model, query->free.items[i], true, &value))
            continue;
        term_list_add(&found->unknown, query->free.items[i]);
        term_list_add(&found->value, smt_keep(s, value));
    }
}

static enum answer ask(struct smt *s, const struct query *query, enum way way, unsigned steps, double timeout_s,
                       struct assignment *found, struct error *error)
{
    Z3_solver solver = make_solver(s, way);
    enum answer answer = ANSWER_UNSAT;
    Z3_lbool sat;
    Z3_solver_inc_ref(s->z3, solver);
    set_limits(s, solver, timeout_s, steps);
    for (size_t i = 0; i < query->parts.count; i++)
        Z3_solver_assert(s->z3, solver, query->parts.items[i]);
    sat = Z3_solver_check(s->z3, solver);
    if (sat == Z3_L_TRUE) {
        answer = ANSWER_SAT;
        if (found != NULL)
            read_model(s, query, Z3_solver_get_model(s->z3, solver), found);
    } else if (sat == Z3_L_UNDEF) {
        const char *reason = Z3_solver_get_reason_unknown(s->z3, solver);
        error_set(error, smt_reason_code(reason), "Z3: %s", reason);
        answer = smt_reason_code(reason) == ERROR_TIMEOUT ? ANSWER_TIMEOUT : ANSWER_UNKNOWN;
    }
    Z3_solver_dec_ref(s->z3, solver);
    return answer;
}

enum answer z3_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found,
                   struct error *error)
{
    const double deadline = clock_seconds() + timeout_s;
    enum answer answer = ANSWER_UNKNOWN;
    if (!query->only_bits)
        return ask(s, query, ANY_SORT, query->brief ? BRIEF_STEPS : 0, timeout_s, found, error);
    for (unsigned i = s->first_turn; i < TURNS && !(query->brief && turns[i].steps == 0); i++) {
        answer = ask(s, query, turns[i].way, turns[i].steps, deadline - clock_seconds(), found, error);
        if (answer == ANSWER_SAT || answer == ANSWER_UNSAT) {
            s->first_turn = i; /* the queries of a goal are alike */
            break;
        }
    }
    return answer;
}
