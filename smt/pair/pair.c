#include "base/clock.h"
#include "smt/pair/internal.h"
#include "smt/solver/solver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX              300000u
#define FRAME_MAX              4096u

#define SECOND_OPINION_SECONDS 10.0 /* of cvc5, for one query */

const char *pair_obligation_name(enum pair_obligation obligation)
{
    switch (obligation) {
    case PAIR_MEMBER:
        return "member";
    case PAIR_MEETS:
        return "meets";
    case PAIR_USE:
        return "use";
    case PAIR_BARRIER:
        return "barrier";
    case PAIR_RACE:
        return "race";
    }
    return "?";
}

/* The first failure counts. */
void pair_fail(struct pair *p, enum error_code code, const char *format, ...)
{
    char text[ERROR_TEXT_MAX];
    va_list arguments;
    if (pair_failed(p))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(p->error, code, "%s", text);
}

/* --- terms --- */

bool pair_is(struct pair *p, term x, bool value)
{
    return Z3_get_bool_value(p->s->z3, x) == (value ? Z3_L_TRUE : Z3_L_FALSE);
}

static bool is_known(struct pair *p, term x)
{
    return Z3_get_ast_kind(p->s->z3, x) == Z3_NUMERAL_AST || pair_is(p, x, true) || pair_is(p, x, false);
}

/* x op 0 and the like: what they are without the operation; else NULL. */
static term without(struct pair *p, term x)
{
    struct smt *const s = p->s;
    const Z3_app app = Z3_to_app(s->z3, x);
    const Z3_decl_kind kind = term_kind(s, x);
    uint64_t number;
    if (term_arguments(s, x) != 2)
        return NULL;
    for (unsigned n = 0; n < 2; n++) {
        const term other = Z3_get_app_arg(s->z3, app, n ^ 1u);
        if (!term_value(s, Z3_get_app_arg(s->z3, app, n), &number))
            continue;
        if (number == 0 && (kind == Z3_OP_BADD || kind == Z3_OP_BOR || kind == Z3_OP_BXOR))
            return other;
        if (number == 0 && n == 1 &&
            (kind == Z3_OP_BSUB || kind == Z3_OP_BSHL || kind == Z3_OP_BLSHR || kind == Z3_OP_BASHR))
            return other;
        if (number == 0 && (kind == Z3_OP_BAND || kind == Z3_OP_BMUL))
            return Z3_get_app_arg(s->z3, app, n);
        if (number == 1 && kind == Z3_OP_BMUL)
            return other;
    }
    return NULL;
}

term pair_fold(struct pair *p, term x)
{
    struct smt *const s = p->s;
    const unsigned n = term_arguments(s, x);
    term simpler;
    for (unsigned i = 0; i < n; i++)
        if (!is_known(p, Z3_get_app_arg(s->z3, Z3_to_app(s->z3, x), i))) {
            simpler = without(p, x);
            return simpler != NULL ? smt_keep(s, simpler) : x;
        }
    return n == 0 ? x : term_simplify(s, x);
}

term pair_not(struct pair *p, term x)
{
    if (pair_is(p, x, true) || pair_is(p, x, false))
        return term_bool(p->s, pair_is(p, x, false));
    if (term_kind(p->s, x) == Z3_OP_NOT)
        return term_argument(p->s, x, 0);
    return term_not(p->s, x);
}

term pair_both(struct pair *p, term x, term y)
{
    if (pair_is(p, x, false) || pair_is(p, y, false))
        return term_bool(p->s, false);
    if (pair_is(p, x, true) || x == y)
        return y;
    return pair_is(p, y, true) ? x : term_and(p->s, x, y);
}

static bool is_of_two(struct pair *p, term x, Z3_decl_kind kind)
{
    return term_arguments(p->s, x) == 2 && term_kind(p->s, x) == kind;
}

term pair_but(struct pair *p, term x, term y)
{
    if (x == y)
        return term_bool(p->s, false);
    if (is_of_two(p, y, Z3_OP_AND) && term_argument(p->s, y, 0) == x)
        y = term_argument(p->s, y, 1);
    return pair_both(p, x, pair_not(p, y));
}

/* x = (e and c), y = (e and not c): gives e, so that paths that join again are where they were. NULL: not so. */
static term rejoined(struct pair *p, term x, term y)
{
    struct smt *const s = p->s;
    term a[2], b[2];
    if (is_of_two(p, x, Z3_OP_OR))
        for (unsigned i = 0; i < 2; i++) {
            const term part = rejoined(p, term_argument(s, x, i), y);
            if (part != NULL)
                return pair_either(p, term_argument(s, x, i ^ 1u), part);
        }
    if (!is_of_two(p, x, Z3_OP_AND) || !is_of_two(p, y, Z3_OP_AND))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        a[i] = term_argument(s, x, i);
        b[i] = term_argument(s, y, i);
    }
    if (a[0] == b[0] && (pair_not(p, a[1]) == b[1] || pair_not(p, b[1]) == a[1]))
        return a[0];
    return NULL;
}

term pair_either(struct pair *p, term x, term y)
{
    term e;
    if (x == NULL || y == NULL)
        return x == NULL ? y : x;
    if (pair_is(p, x, true) || pair_is(p, y, true))
        return term_bool(p->s, true);
    if (pair_is(p, x, false) || x == y)
        return y;
    if (pair_is(p, y, false))
        return x;
    e = rejoined(p, x, y);
    return e != NULL ? e : term_or(p->s, x, y);
}

term pair_ite(struct pair *p, term c, term x, term y)
{
    if (pair_is(p, c, true) || x == y)
        return x;
    if (pair_is(p, c, false))
        return y;
    if (pair_is(p, x, true) && pair_is(p, y, false))
        return c;
    if (pair_is(p, x, false) && pair_is(p, y, true))
        return pair_not(p, c);
    return term_ite(p->s, c, x, y);
}

static Z3_sort sort_of(struct pair *p, unsigned bits)
{
    return bits == 1 ? p->s->bool_sort : Z3_mk_bv_sort(p->s->z3, bits);
}

term pair_fresh(struct pair *p, unsigned bits)
{
    char name[32];
    snprintf(name, sizeof name, "x%u", p->fresh++);
    return term_constant(p->s, sort_of(p, bits), name);
}

term pair_function(struct pair *p, const char *name, unsigned bits, const term *arguments, unsigned count)
{
    Z3_context const z3 = p->s->z3;
    Z3_sort sorts[16];
    char full[200];
    Z3_func_decl f;
    snprintf(full, sizeof full, "%.160s/%u to %u", name, count, bits);
    for (unsigned i = 0; i < count; i++)
        sorts[i] = Z3_get_sort(z3, arguments[i]);
    f = Z3_mk_func_decl(z3, Z3_mk_string_symbol(z3, full), count, sorts, sort_of(p, bits));
    return smt_keep(p->s, Z3_mk_app(z3, f, count, arguments));
}

/* --- asking --- */

void pair_assume(struct pair *p, term x)
{
    if (!pair_is(p, x, true))
        Z3_solver_assert(p->s->z3, p->solver, x);
}

static bool may_ask(struct pair *p)
{
    if (pair_failed(p))
        return false;
    if (p->options->stop != NULL && p->options->stop(p->options->context))
        pair_fail(p, ERROR_INTERRUPTED, "interrupted");
    else if (clock_seconds() >= p->end)
        pair_fail(p, ERROR_TIMEOUT, "the proof did not come to its end within %.0f s", p->options->seconds);
    else if (p->options->memory_mb != 0 && Z3_get_estimated_alloc_size() >> 20 >= p->options->memory_mb)
        pair_fail(p, ERROR_SYSTEM, "more than %u MiB of memory would be needed", p->options->memory_mb);
    return !pair_failed(p);
}

/* Z3 says that what was assumed cannot all hold: does cvc5? */
static void ask_another(struct pair *p)
{
    Z3_ast_vector const assumed = Z3_solver_get_assertions(p->s->z3, p->solver);
    const double left = p->end - clock_seconds();
    struct query query = {.name = "pair"};
    struct error error = {.code = ERROR_NONE};
    enum answer answer;
    Z3_ast_vector_inc_ref(p->s->z3, assumed);
    for (unsigned i = 0; i < Z3_ast_vector_size(p->s->z3, assumed); i++)
        term_list_add(&query.parts, Z3_ast_vector_get(p->s->z3, assumed, i));
    query_inspect(p->s, &query);
    answer = cvc5_ask(p->s, &query, left < SECOND_OPINION_SECONDS ? left : SECOND_OPINION_SECONDS, NULL, &error);
    query_free(&query);
    Z3_ast_vector_dec_ref(p->s->z3, assumed);
    switch (answer) {
    case ANSWER_UNSAT:
        p->outcome->agreed++;
        return;
    case ANSWER_SAT:
        pair_fail(p, ERROR_INTERNAL, "the solvers contradict each other: Z3 says unsat, cvc5 says sat");
        return;
    case ANSWER_TIMEOUT:
    case ANSWER_UNKNOWN:
        p->outcome->undecided++;
        snprintf(p->outcome->undecided_why, sizeof p->outcome->undecided_why, "%.90s", error.text);
        return;
    case ANSWER_UNAVAILABLE:
    case ANSWER_ERROR:
        pair_fail(p, error.code, "cvc5 cannot be asked: %s", error.text);
        return;
    }
}

enum pair_verdict pair_never(struct pair *p, term x)
{
    Z3_lbool sat;
    if (pair_is(p, x, false))
        return PAIR_PROVED;
    if (!may_ask(p))
        return PAIR_OPEN;
    Z3_solver_push(p->s->z3, p->solver);
    Z3_solver_assert(p->s->z3, p->solver, x);
    sat = Z3_solver_check(p->s->z3, p->solver);
    if (sat == Z3_L_FALSE && p->options->cross)
        ask_another(p);
    Z3_solver_pop(p->s->z3, p->solver, 1);
    p->outcome->queries++;
    return pair_failed(p) ? PAIR_OPEN : sat == Z3_L_FALSE ? PAIR_PROVED : sat == Z3_L_TRUE ? PAIR_FAILS : PAIR_OPEN;
}

static struct pair_item *item_of(struct pair *p, uint32_t at, enum pair_obligation obligation)
{
    struct pair_outcome *const o = p->outcome;
    for (size_t i = 0; i < o->count; i++)
        if (o->items[i].at == at && o->items[i].obligation == obligation)
            return &o->items[i];
    if (o->count == o->room) {
        o->room = o->room == 0 ? 32 : 2 * o->room;
        o->items = smt_grow(o->items, o->room, sizeof *o->items);
    }
    o->items[o->count] = (struct pair_item){.at = at, .obligation = obligation};
    return &o->items[o->count++];
}

/* What comes later, and what stands in the same loop, rests on an obligation that was not proved; races all do. */
static void spoil(struct pair *p, const struct pair_item *failed)
{
    struct pair_outcome *const o = p->outcome;
    const size_t own = (size_t)(failed - o->items), from = p->depth > 0 && p->loop_mark < own ? p->loop_mark : own;
    if (!p->spoiled)
        o->root = own;
    p->spoiled = true;
    for (size_t i = 0; i < o->count; i++)
        if (o->items[i].verdict == PAIR_PROVED && (i >= from || o->items[i].obligation == PAIR_RACE))
            o->items[i].verdict = PAIR_RESTS;
}

void pair_oblige(struct pair *p, uint32_t at, enum pair_obligation obligation, term fails)
{
    struct pair_item *item;
    enum pair_verdict verdict;
    if (p->quiet > 0 || p->races_only > 0 || pair_failed(p) || (p->other_warps && obligation != PAIR_BARRIER))
        return;
    item = item_of(p, at, obligation);
    item->queries++;
    verdict = pair_never(p, fails);
    if (verdict == PAIR_PROVED && p->spoiled)
        verdict = PAIR_RESTS;
    if (verdict > item->verdict)
        item->verdict = verdict;
    if (verdict > PAIR_RESTS)
        spoil(p, item);
}

void pair_note_race(struct pair *p, uint32_t at, uint32_t other, enum pair_verdict verdict)
{
    const uint32_t places[2] = {at, other};
    for (unsigned n = 0; n < (other == MODULE_NONE || other == at ? 1u : 2u); n++) {
        struct pair_item *const item = item_of(p, places[n], PAIR_RACE);
        item->queries++;
        if (verdict <= item->verdict)
            continue;
        item->verdict = verdict;
        item->other = places[n ^ 1u];
    }
}

/* --- the launch --- */

static term named(struct pair *p, const char *name, unsigned number)
{
    char full[32];
    snprintf(full, sizeof full, "%s%u", name, number);
    return term_constant(p->s, p->s->word_sort, full);
}

/* The warps of the two lanes. */
static void choose_warps(struct pair *p, term warp[2], term warps)
{
    struct smt *const s = p->s;
    for (unsigned i = 0; i < 2; i++) {
        warp[i] = named(p, "warp", p->other_warps ? i : 0);
        pair_assume(p, term_ult(s, warp[i], warps));
    }
    if (p->other_warps)
        pair_assume(p, term_ne(s, warp[0], warp[1]));
    else
        pair_assume(p, term_ne(s, p->lane[0], p->lane[1]));
}

/* x / by, and the rest. Whole warps in a row leave the lane as it is. */
static term quotient(struct pair *p, term x, uint32_t by, term *rest)
{
    struct smt *const s = p->s;
    struct split parts;
    if (by % 32 == 0 && pair_split(p, x, &parts)) {
        const term warps = term_bits(s, by / 32, 27);
        *rest = term_concat(s, term_simplify(s, Z3_mk_bvurem(s->z3, parts.high, warps)), parts.low);
        return term_extend(s, 32, term_simplify(s, Z3_mk_bvudiv(s->z3, parts.high, warps)));
    }
    *rest = term_simplify(s, Z3_mk_bvurem(s->z3, x, term_word(s, by)));
    return term_simplify(s, Z3_mk_bvudiv(s->z3, x, term_word(s, by)));
}

/* Thread numbers to coordinates; the sizes are known unless the block has one dimension. */
static void place_thread(struct pair *p, unsigned i)
{
    struct smt *const s = p->s;
    const uint32_t *const block = p->options->launch.block;
    p->tid[i][0] = p->thread[i];
    p->tid[i][1] = p->tid[i][2] = term_word(s, 0);
    if (block[0] == 0 || block[1] * block[2] == 1)
        return;
    p->tid[i][1] = quotient(p, p->thread[i], block[0], &p->tid[i][0]);
    if (block[2] > 1)
        p->tid[i][2] = quotient(p, p->tid[i][1], block[1], &p->tid[i][1]);
}

static void make_launch(struct pair *p)
{
    struct smt *const s = p->s;
    const uint32_t *const block = p->options->launch.block;
    const bool any = block[0] == 0;
    const uint32_t threads = block[0] * block[1] * block[2];
    const term k = named(p, "warps", 0), warps = any ? k : term_word(s, (threads + 31) / 32);
    term warp[2];
    if (any)
        pair_assume(p, term_and(s, term_ule(s, term_word(s, 1), k), term_ule(s, k, term_word(s, 32))));
    for (unsigned i = 0; i < 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "lane%u", i);
        p->lane[i] = term_extend(s, 32, term_constant(s, Z3_mk_bv_sort(s->z3, 5), name));
    }
    choose_warps(p, warp, warps);
    for (unsigned i = 0; i < 2; i++) {
        const term lane = term_argument(s, p->lane[i], 0);
        p->thread[i] = term_concat(s, term_extract(s, 26, 0, warp[i]), lane);
        p->exists[i] = any || threads % 32 == 0 ? term_bool(s, true) : term_ult(s, p->thread[i], term_word(s, threads));
        place_thread(p, i);
    }
    for (unsigned d = 0; d < 3; d++) {
        p->ntid[d] = term_word(s, any ? 1 : block[d]);
        p->nctaid[d] = named(p, "nctaid", d);
        p->ctaid[d] = named(p, "ctaid", d);
        pair_assume(p, term_ult(s, p->ctaid[d], p->nctaid[d]));
        pair_assume(p, term_ule(s, p->nctaid[d], term_word(s, d == 0 ? 0x7fffffff : 65535)));
    }
    if (any)
        p->ntid[0] = term_concat(s, term_extract(s, 26, 0, k), term_bits(s, 0, 5));
}

/* What the caller promises of a parameter. */
static void assume_require(struct pair *p, const struct kernel_require *require)
{
    struct smt *const s = p->s;
    const struct kernel_slot *const slot = &p->options->slots->slots[require->slot];
    const unsigned bits = 8 * slot->bytes;
    const term address = term_bits(s, CODE_PRIVATE_WINDOW + CODE_PARAMS_START + slot->offset, 64);
    const term number = term_bits(s, (uint64_t)require->number, bits);
    char name[64];
    term x;
    snprintf(name, sizeof name, "param %u", bits);
    x = pair_function(p, name, bits, &address, 1);
    if (require->modulus != 0)
        x = smt_keep(s, Z3_mk_bvsrem(s->z3, x, term_bits(s, require->modulus, bits)));
    switch (require->relation) {
    case RELATION_EQ:
        pair_assume(p, term_eq(s, x, number));
        break;
    case RELATION_LT:
        pair_assume(p, term_slt(s, x, number));
        break;
    case RELATION_LE:
        pair_assume(p, term_sle(s, x, number));
        break;
    case RELATION_GT:
        pair_assume(p, term_slt(s, number, x));
        break;
    case RELATION_GE:
        pair_assume(p, term_sle(s, number, x));
        break;
    }
}

/* --- opening and closing --- */

/* One query never takes longer, nor longer than all may. */
#define QUERY_SECONDS_MAX 60.0

/* Counted in the solver's own steps, so that a busy machine gives the same answers; time is the last resort. */
static void set_limits(struct pair *p)
{
    const double seconds = p->options->seconds < QUERY_SECONDS_MAX ? p->options->seconds : QUERY_SECONDS_MAX;
    Z3_params const params = Z3_mk_params(p->s->z3);
    Z3_params_inc_ref(p->s->z3, params);
    Z3_params_set_uint(p->s->z3, params, Z3_mk_string_symbol(p->s->z3, "rlimit"), p->options->effort);
    Z3_params_set_bool(p->s->z3, params, Z3_mk_string_symbol(p->s->z3, "ctrl_c"), false); /* `stop` is asked */
    Z3_params_set_uint(p->s->z3, params, Z3_mk_string_symbol(p->s->z3, "timeout"), (unsigned)(1000 * seconds));
    Z3_solver_set_params(p->s->z3, p->solver, params);
    Z3_params_dec_ref(p->s->z3, params);
}

static bool find_flows(struct pair *p)
{
    const struct code *const code = p->code;
    p->registers = code->rows - code->registers;
    p->flows = calloc(code->functions_count, sizeof *p->flows);
    p->bits = calloc(p->registers + 1, sizeof *p->bits);
    if (p->flows == NULL || p->bits == NULL)
        return error_set(p->error, ERROR_SYSTEM, "out of memory");
    for (uint32_t n = 0; n < code->functions_count; n++) {
        const struct code_function *const cf = &code->functions[n];
        const struct module_function *const f = &code->module->functions[cf->function];
        p->flows[n].first = cf->first;
        p->flows[n].rows = cf->rows - code->registers;
        for (uint32_t r = 0; r < f->registers_count; r++)
            p->bits[p->flows[n].rows + r] = f->registers[r].bits > 64 ? 64 : f->registers[r].bits;
        if (!flow_find(&p->flows[n], f))
            return error_set(
                p->error, ERROR_UNSUPPORTED,
                "%s: the control flow of %s is not read by this prover (a loop that is entered at two places)",
                code->module->name, f->name);
    }
    return true;
}

/* What follows from assumptions that nothing fulfils says nothing. */
static void refuse_nothing(struct pair *p, const char *why)
{
    if (pair_never(p, term_bool(p->s, true)) == PAIR_PROVED)
        pair_fail(p, ERROR_UNSUPPORTED, "there is nothing to prove: %s", why);
}

static void walk_all(void *context)
{
    struct pair *const p = context;
    struct state st;
    p->solver = Z3_mk_simple_solver(p->s->z3);
    Z3_solver_inc_ref(p->s->z3, p->solver);
    set_limits(p);
    make_launch(p);
    for (uint32_t n = 0; n < p->options->requires_count; n++)
        assume_require(p, &p->options->requires[n]);
    if (p->options->requires_count > 0)
        refuse_nothing(p, "no parameters fulfil what is required of them");
    if (pair_state_new(p, &st)) {
        for (unsigned i = 0; i < 2; i++) {
            st.lane[i].here = p->exists[i];
            p->exited[i] = pair_not(p, p->exists[i]);
        }
        pair_walk(p, &st);
        if (p->restricted)
            refuse_nothing(p, "every execution ends in a trap or a failed assert, or does not end");
    }
    pair_state_free(&st);
    Z3_solver_dec_ref(p->s->z3, p->solver);
}

/* One walk: of lanes of one warp, or of two. */
static void walk_once(struct pair *p, bool other_warps)
{
    /* Z3's own limit ends it by an exception at any place: it is the last resort, four times as high. */
    p->s = smt_open(4 * p->options->memory_mb);
    if (p->s == NULL) {
        pair_fail(p, ERROR_UNAVAILABLE, "Z3 cannot start");
        return;
    }
    p->other_warps = other_warps;
    p->epoch = p->fresh = p->quiet = p->depth = 0;
    p->steps_left = STEPS_MAX;
    if (!smt_guard(p->s, walk_all, p))
        pair_fail(p, p->s->error.code != ERROR_NONE ? p->s->error.code : ERROR_INTERNAL, "Z3: %s", p->s->error.text);
    races_put(p, (struct races){NULL, 0, 0});
    smt_close(p->s);
    p->s = NULL;
}

/* Who comes to a meeting depends on the loops that lanes leave. */
static void rest_on_polls(struct pair_outcome *o)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->items[i].verdict == PAIR_PROVED &&
            (o->items[i].obligation == PAIR_MEETS || o->items[i].obligation == PAIR_BARRIER))
            o->items[i].verdict = PAIR_POLLS;
}

bool pair_prove(const struct code *code, const struct pair_options *options, struct pair_outcome *outcome,
                struct error *error)
{
    const double began = clock_seconds();
    const uint32_t *const block = options->launch.block;
    struct pair p = {
        .code = code, .options = options, .outcome = outcome, .error = error, .end = began + options->seconds};
    memset(outcome, 0, sizeof *outcome);
    error_clear(error);
    if (code->frame_bytes > FRAME_MAX)
        pair_fail(&p, ERROR_UNSUPPORTED, "%s: more than %u bytes of local memory a thread are not read by this prover",
                  code->module->name, FRAME_MAX);
    if (!pair_failed(&p) && find_flows(&p) && pair_find_places(&p)) {
        walk_once(&p, false);
        if (!pair_failed(&p) && p.has_barrier && (block[0] == 0 || block[0] * block[1] * block[2] > 32)) {
            outcome->other_warps = true;
            walk_once(&p, true);
        }
    }
    if (!pair_failed(&p) && pair_polls(&p))
        rest_on_polls(outcome);
    for (uint32_t n = 0; p.flows != NULL && n < code->functions_count; n++)
        flow_free(&p.flows[n]);
    free(p.flows);
    free(p.bits);
    free(p.disturbed);
    free(p.constant);
    free(p.repeated);
    free(p.may_be_shared);
    outcome->seconds = clock_seconds() - began;
    return !pair_failed(&p);
}

void pair_outcome_free(struct pair_outcome *outcome)
{
    free(outcome->items);
    memset(outcome, 0, sizeof *outcome);
}
