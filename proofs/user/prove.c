/* A user's function against the compiled transcription: the translation tried on numbers, the goals, the witness
 * replayed. */
#include "proofs/user/proof.h"

#include "base/clock.h"
#include "base/random.h"
#include "proofs/fast/redux_float.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(struct user_outcome *o, bool unusable, const char *note)
{
    char text[sizeof o->note];
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, note); /* `note` may lie in the outcome */
    o->verdict = COMPILED_ERROR;
    o->unusable = unusable;
    snprintf(o->note, sizeof o->note, "%s", text);
}

/* Each lane calls the function for itself. */
static bool prove_width(struct user_proof *p, uint32_t width)
{
    const size_t mark = smt_mark(p->s);
    bool ok;
    user_lanes_make(p, width);
    ok = user_run_spec(p);
    for (unsigned k = 0; ok && k < WARP_LANES; k++) {
        p->lane = k;
        ok = user_run_function(p) && (user_lane_holds(p, k) || (user_lane_claims(p, k) && user_obligations(p)));
    }
    smt_release(p->s, mark);
    return ok;
}

static bool prove_each_lane(struct user_proof *p)
{
    bool ok = true;
    if (strcmp(p->shape->name, "cuda") != 0)
        return prove_width(p, 0);
    for (uint32_t width = 1; ok && width <= WARP_LANES; width *= 2)
        ok = prove_width(p, width);
    return ok;
}

bool user_prove_cases(struct user_proof *p, struct user_cases cases)
{
    const size_t mark = smt_mark(p->s);
    bool ok;
    user_cases_make(p, cases);
    ok = user_run_spec(p) && user_run_function(p) && user_group_claims(p) && user_obligations(p);
    smt_release(p->s, mark);
    return ok;
}

/* vote, match.all and redux are computed by the group's lowest lane; the others lane by lane. */
static bool by_leader(const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return false;
    case WARP_MATCH_SYNC:
        return info->op != WARP_ANY;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_REDUX_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return true;
}

#define TOGETHER_FAILS                                                                                                 \
    3u /* match.all gives each lane the same, so its claims are tried at once, unless that often fails */

/* Groups that lane 0 leads: that of all lanes is a goal of its own, unless all of them are like the others. */
static bool prove_led_by_0(struct user_proof *p)
{
    if (p->keyed && user_prove_cases(p, (struct user_cases){0, WARP_LANES, ANY_GROUP}))
        return true;
    if (p->outcome->verdict != COMPILED_OPEN)
        return false;
    p->outcome->note[0] = '\0';
    return user_prove_cases(p, (struct user_cases){0, WARP_LANES, GROUP_NOT_OF_ALL}) &&
           user_prove_cases(p, (struct user_cases){0, WARP_LANES, GROUP_OF_ALL});
}

static bool prove_led(struct user_proof *p, unsigned leader, unsigned limit)
{
    if (leader == 0 && limit == WARP_LANES)
        return prove_led_by_0(p);
    return user_prove_cases(p, (struct user_cases){leader, limit, GROUP_NOT_OF_ALL});
}

/* Leaders in the order in which they are tried: from the last lane on. The third last comes second: functions that
 * pack lanes are known by it, before loops over what they packed are followed. */
static unsigned leader_of(unsigned limit, unsigned i)
{
    return limit - 1 - (i == 1 || i == 2 ? 3 - i : i);
}

#define TRIED_FIRST 2u /* leaders */

/* Of floats the transcription's result is that of a key, whichever lane leads: all groups at once. False: not decided.
 */
static bool prove_any_leader(struct user_proof *p)
{
    bool ok;
    p->by_key_alone = p->hurries = true;
    ok = user_prove_cases(p, (struct user_cases){WARP_LANES, WARP_LANES, ANY_GROUP});
    p->by_key_alone = p->hurries = false;
    if (!ok && p->outcome->verdict != COMPILED_REFUTED) {
        p->outcome->verdict = COMPILED_OPEN; /* what cannot be translated for any leader may be for each */
        p->outcome->unusable = false;
        p->outcome->note[0] = '\0';
    }
    return ok;
}

/* Groups of lanes below `limit`. */
static bool prove_groups(struct user_proof *p, unsigned limit)
{
    bool ok = true;
    p->together = p->request->info->family == WARP_MATCH_SYNC && by_leader(p->request->info) ? TOGETHER_FAILS : 0;
    if (!by_leader(p->request->info))
        return user_prove_cases(p, (struct user_cases){WARP_LANES, limit, GROUP_NOT_OF_ALL});
    p->watches_packing = limit == WARP_LANES;
    p->packing = (struct packing){.sought = true};
    for (unsigned i = 0; ok && i < limit; i++) {
        const unsigned leader = leader_of(limit, i);
        if (i == TRIED_FIRST && p->keyed && limit == WARP_LANES) {
            if (prove_any_leader(p))
                return true;
            if (p->outcome->verdict != COMPILED_OPEN)
                return false;
        }
        ok = prove_led(p, leader, limit);
        if (ok || !p->watches_packing || !p->packing.found)
            continue;
        ok = user_prove_packed(p);
        if (ok || p->outcome->verdict != COMPILED_OPEN)
            break;
        ok = prove_led(p, leader, limit);
    }
    return ok;
}

/* What is not decided for all lanes may be decided for fewer. */
static void prove_bounded(struct user_proof *p)
{
    static const unsigned limits[] = {16, 8, 4};
    struct user_outcome *o = p->outcome;
    char first[sizeof o->note];
    memcpy(first, o->note, sizeof first);
    for (size_t i = 0; o->verdict == COMPILED_OPEN && i < sizeof limits / sizeof *limits; i++) {
        if (prove_groups(p, limits[i])) {
            o->verdict = COMPILED_BOUNDED;
            snprintf(o->bound, sizeof o->bound, "groups within lanes 0-%u", limits[i] - 1);
        }
    }
    if (o->verdict == COMPILED_BOUNDED || o->verdict == COMPILED_OPEN)
        snprintf(o->note, sizeof o->note, "%s", first);
}

/* Floats: what the transcription's loop over the lanes gives is proved once, not in each goal. */
static void prove_keys(struct user_proof *p)
{
    static struct proof proof; /* large */
    struct compiled_options options = {.timeout_s = p->request->timeout_s};
    struct compiled_outcome outcome = {0};
    if (!key_applies(p->request->info))
        return;
    memset(&proof, 0, sizeof proof);
    proof.d = (struct decider){.s = p->s, .options = &options, .outcome = &outcome};
    proof.info = p->request->info;
    proof.spec = p->spec;
    p->keyed = key_prove_transcription(&proof);
    p->outcome->claims += outcome.claims;
    decider_free(&proof.d);
}

static void prove(struct user_proof *p)
{
    struct user_outcome *o = p->outcome;
    bool ok = user_lemmas(p);
    prove_keys(p);
    if (ok)
        ok = p->shape->call == USER_EACH_LANE ? prove_each_lane(p) : prove_groups(p, WARP_LANES);
    if (ok)
        o->verdict = COMPILED_PROVED;
    else if (o->verdict == COMPILED_OPEN && p->shape->call == USER_EACH_GROUP)
        prove_bounded(p);
}

static void open_and_prove(struct user_proof *p)
{
    struct error why = {.text = ""};
    p->s = smt_open(0);
    if (p->s == NULL) {
        give_up(p->outcome, false, "Z3 cannot start");
        return;
    }
    p->spec = user_spec_open(p->s, p->request->spec_bitcode, &why);
    p->user = p->spec == NULL ? NULL : machine_open(p->s, &p->request->file, 1, &why);
    if (p->user != NULL)
        prove(p);
    else
        give_up(p->outcome, p->spec != NULL, why.text);
    if (p->user != NULL)
        machine_close(p->user);
    if (p->spec != NULL)
        machine_close(p->spec);
    logic_forget(p->s);
    term_list_release(p->s, &p->lane_terms);
    smt_close(p->s);
    term_list_free(&p->held);
}

void user_random_case(const struct user_request *request, struct random *random, struct warp_case *c)
{
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(random_next(random) >> 17);
    bytes[0] = bytes[0] == WARP_BYTES_RAW ? 0 : bytes[0];
    warp_case_from_bytes(bytes, sizeof bytes, WARP_FAMILY_BIT(request->info->family), c);
    c->form = request->info->form;
    c->target = warp_form_least_target(request->info);
    c->dst = user_dst(request->info);
    for (unsigned k = 0; strcmp(request->shape, "cuda") == 0 && k < WARP_LANES; k++)
        c->c[k] = user_cuda_c(request->info, 1u << random_next(random) % 6);
    warp_case_repair(c);
}

/* What both say of lanes that are not done, which is wrong of either, is no difference between them. */
static bool same_whole(const struct warp_case *c, const struct warp_result *x, const struct warp_result *y,
                       uint32_t parts)
{
    struct warp_result first = *x, second = *y;
    const lanemask stray = ~(x->done | y->done);
    first.p &= ~(stray & second.p);
    second.p &= ~(stray & x->p);
    first.d_defined &= ~(stray & second.d_defined);
    second.d_defined &= ~(stray & x->d_defined);
    return warp_result_compare(c, &first, &second, parts, NULL) && warp_result_compare(c, &second, &first, parts, NULL);
}

static bool same_answer(const struct user_request *request, uint32_t parts, const struct warp_case *c,
                        const struct warp_result *x, const struct warp_result *y)
{
    struct warp_result reference;
    char error[64];
    const struct warp_impl *spec = request->spec;
    if (parts & WARP_PART_OUTCOME)
        return same_whole(c, x, y, parts);
    if (!spec->eval(spec->state, c, 1, &reference, error, sizeof error))
        return false;
    memcpy(reference.d, x->d, sizeof reference.d); /* compared where it is predictable */
    reference.p = x->p;
    return warp_result_compare(c, &reference, y, parts, NULL);
}

#define MOST_CONCRETE 200u

/* Translation and native code on the same random cases. False: they differ. */
static bool compare_native(const struct user_request *request, const struct warp_impl *translated,
                           const struct warp_impl *native, struct user_outcome *o)
{
    static struct warp_case cases[MOST_CONCRETE];
    static struct warp_result results[MOST_CONCRETE], natives[MOST_CONCRETE];
    struct random random = {request->seed};
    char why[400] = "";
    size_t n = 0;
    for (unsigned i = 0; i < request->concrete && n < MOST_CONCRETE; i++) {
        user_random_case(request, &random, &cases[n]);
        n += translated->eval(translated->state, &cases[n], 1, &results[n], why, sizeof why);
    }
    if (n == 0) {
        snprintf(o->native, sizeof o->native, "no random case to compare on (%.100s)", why);
        return true;
    }
    if (!native->eval(native->state, cases, n, natives, why, sizeof why)) {
        snprintf(o->native, sizeof o->native, "%s", why);
        return true;
    }
    for (size_t i = 0; i < n; i++)
        if (!same_answer(request, translated->provides, &cases[i], &results[i], &natives[i])) {
            give_up(o, false,
                    "the translation contradicts the native code on the case shown: a defect of the translator, or "
                    "behaviour that the bitcode leaves open");
            o->witness = cases[i];
            o->has_witness = true;
            return false;
        }
    o->concrete = (unsigned)n;
    return true;
}

/* The witness on the native transcription, and on the function as the translator evaluates it. */
static void replay(const struct user_request *request, const struct warp_impl *translated, struct user_outcome *o)
{
    struct warp_result expected, observed;
    char why[300] = "", claim[sizeof o->note];
    const struct warp_impl *spec = request->spec;
    memcpy(claim, o->note, sizeof claim);
    if (!o->has_witness)
        give_up(o, false, "the solver's values make no case");
    else if (!spec->eval(spec->state, &o->witness, 1, &expected, why, sizeof why))
        give_up(o, false, "the transcription does not answer the witness");
    else if (!translated->eval(translated->state, &o->witness, 1, &observed, why, sizeof why))
        snprintf(o->note, sizeof o->note, "%.200s (replayed: %.280s)", claim, why);
    else if (warp_result_compare(&o->witness, &expected, &observed, translated->provides, NULL)) {
        char note[sizeof o->note];
        snprintf(note, sizeof note,
                 "the witness does not replay: %.200s fails in the proof, and the function's result on the case "
                 "is right",
                 claim);
        give_up(o, false, note);
    }
}

/* Cases beyond the bound of a proof are at least tested by samples. */
static void sample(const struct user_request *request, const struct warp_impl *translated, struct user_outcome *o)
{
    struct random random = {request->seed + 1};
    char why[100];
    const struct warp_impl *spec = request->spec;
    for (unsigned i = 0; o->verdict == COMPILED_BOUNDED && i < MOST_CONCRETE; i++) {
        struct warp_result expected, observed;
        user_random_case(request, &random, &o->witness);
        if (spec->eval(spec->state, &o->witness, 1, &expected, why, sizeof why) &&
            translated->eval(translated->state, &o->witness, 1, &observed, why, sizeof why) &&
            warp_result_compare(&o->witness, &expected, &observed, translated->provides, NULL))
            continue;
        o->verdict = COMPILED_REFUTED;
        o->has_witness = true;
        snprintf(o->note, sizeof o->note, "a random case; it is proved where %.70s", o->bound);
    }
}

void user_prove(const struct user_request *given, struct user_outcome *outcome)
{
    static struct user_proof proof; /* large */
    struct user_request own = *given;
    const struct user_request *request = &own;
    const double start = clock_seconds();
    const struct warp_impl *translated, *native = NULL;
    struct error error;
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = COMPILED_OPEN;
    for (unsigned i = 0; i < USER_BEFORE; i++)
        outcome->before[i] = USER_UNWRITTEN;
    own.before = outcome->before;
    translated = user_impl_open(request, false, &error);
    if (translated == NULL) {
        give_up(outcome, true, error.text);
        return;
    }
    if (request->concrete > 0 && (native = user_impl_open(request, true, &error)) == NULL)
        snprintf(outcome->native, sizeof outcome->native, "%.*s", (int)sizeof outcome->native - 1, error.text);
    memset(&proof, 0, sizeof proof);
    proof.request = request;
    proof.outcome = outcome;
    proof.shape = user_shape_find(request->shape);
    if (native == NULL || compare_native(request, translated, native, outcome)) {
        if (proof.shape->call == USER_WHOLE_CASE)
            user_prove_whole(request, outcome);
        else
            open_and_prove(&proof);
        if (outcome->verdict == COMPILED_REFUTED)
            replay(request, translated, outcome);
        sample(request, translated, outcome);
    }
    translated->close(translated->state);
    if (native != NULL)
        native->close(native->state);
    outcome->seconds = clock_seconds() - start;
}
