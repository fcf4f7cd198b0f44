#include "smt/compiled/claims.h"

#include "smt/compiled/algebra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *compiled_verdict_name(enum compiled_verdict verdict)
{
    static const char *const names[COMPILED_VERDICTS] = {"proved", "bounded", "refuted", "open", "ERROR"};
    return verdict < COMPILED_VERDICTS ? names[verdict] : "?";
}

/* Bitcode files, without folder and ending. */
static const char *const model_files[] = {"model-form", "model-target", NULL};
static const char *const spec_files[] = {"spec-spec", "spec-wait", "spec-shfl", "spec-vote", "spec-match", "spec-redux",
                                         "spec-activemask", NULL};
static const char *const fast_files[] = {"fast-fast", "fast-batch", "fast-outcome", "fast-match", "fast-portable",
                                         "fast-redux", "fast-shfl", "fast-variant", "fast-vote", NULL};
static const char *const avx2_files[] = {"avx2-match", "avx2-redux", "avx2-shfl", "avx2-variant", NULL};
static const char *const avx512_files[] = {"avx512-match", "avx512-redux", "avx512-shfl", "avx512-variant", NULL};
static const char *const no_files[] = {NULL};

static const struct variant {
    const char *name, *state;
    const char *const *files;
} variants[] = {
    {"fast-portable", "fast_kernels_portable", no_files},
    {"fast-avx2", "fast_kernels_avx2", avx2_files},
    {"fast-avx512", "fast_kernels_avx512", avx512_files},
};

const char *compiled_variant(size_t i)
{
    return i < sizeof variants / sizeof *variants ? variants[i].name : NULL;
}

/* One form, one variant. */
struct attempt {
    struct decider d;
    const struct warp_form_info *info;
    const struct variant *variant;
    struct machine *spec, *fast;
    struct setting setting;
    struct setting_result spec_result, fast_result;
    term fits;
    uint32_t target, dst;
};

#define MOST_FILES  32
#define PATH_LENGTH 512

static struct machine *open_files(struct smt *s, const char *folder, const char *const *const *lists, size_t count,
                                  char *error, size_t error_size)
{
    static char paths[MOST_FILES][PATH_LENGTH];
    const char *files[MOST_FILES];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; lists[i][k] != NULL && n < MOST_FILES; k++) {
            snprintf(paths[n], PATH_LENGTH, "%s/%s.bc", folder, lists[i][k]);
            files[n] = paths[n];
            n++;
        }
    return machine_open(s, files, n, error, error_size);
}

static void run_spec(struct machine *machine, void *context)
{
    struct attempt *a = context;
    setting_run(machine, &a->setting, "spec_eval", NULL, warp_form_is_sync(a->info), &a->spec_result);
}

static void run_spec_wait(struct machine *machine, void *context)
{
    struct attempt *a = context;
    setting_run_wait(machine, &a->setting, "spec_eval", &a->spec_result, &a->fits);
}

static void run_fast(struct machine *machine, void *context)
{
    struct attempt *a = context;
    setting_run(machine, &a->setting, "eval", a->variant->state, false, &a->fast_result);
}

static bool translate(struct attempt *a, struct machine *machine, void (*work)(struct machine *, void *),
                      const char *whose)
{
    machine_reset(machine);
    if (machine_try(machine, work, a)) {
        a->d.outcome->steps += machine->steps;
        return true;
    }
    a->d.outcome->verdict = COMPILED_ERROR;
    snprintf(a->d.outcome->note, sizeof a->d.outcome->note, "%s: %.300s", whose, machine->m.error);
    return false;
}

static uint64_t seed_of(const struct attempt *a)
{
    return a->d.options->seed + 1000u * (uint64_t)a->info->form + 40u * (uint64_t)a->setting.kind + a->setting.lane;
}

/* Settings with a group: everything is compared. */
static bool prove_group(struct attempt *a, enum setting_kind kind, unsigned lane)
{
    const size_t mark = smt_mark(a->d.s);
    struct maker *ms = &a->spec->m, *mf = &a->fast->m;
    bool ok;
    setting_make(a->d.s, &a->setting, a->info, a->target, a->dst, kind, lane);
    ok = translate(a, a->spec, run_spec, "spec") && translate(a, a->fast, run_fast, a->variant->name) &&
         compare_concrete(&a->d, &a->setting, ms, &a->spec_result, mf, &a->fast_result, seed_of(a)) &&
         decide_outcome(&a->d, mf, &a->setting, &a->fast_result, "fast") &&
         decide_results(&a->d, ms, &a->spec_result, mf, &a->setting, &a->fast_result,
                        kind == SETTING_LANE ? lane : WARP_LANES) &&
         decide_obligations(&a->d, &a->setting, a->spec, "spec") &&
         decide_obligations(&a->d, &a->setting, a->fast, "fast");
    smt_release(a->d.s, mark);
    return ok;
}

/* p and d_defined are 0 where no lane is done. */
static bool decide_nothing(struct attempt *a)
{
    term none[WARP_LANES];
    struct setting_result nothing;
    for (unsigned k = 0; k < WARP_LANES; k++)
        none[k] = nothing.p[k] = nothing.d_defined[k] = term_bool(a->d.s, false);
    (void)none;
    return decide_results(&a->d, &a->fast->m, &nothing, &a->fast->m, &a->setting, &a->fast_result, WARP_LANES);
}

/* Settings without a group: the outcome alone. */
static bool prove_outcome(struct attempt *a, enum setting_kind kind, unsigned lane)
{
    const size_t mark = smt_mark(a->d.s);
    bool ok;
    setting_make(a->d.s, &a->setting, a->info, a->target, a->dst, kind, lane);
    ok = translate(a, a->fast, run_fast, a->variant->name) &&
         compare_concrete(&a->d, &a->setting, NULL, NULL, &a->fast->m, &a->fast_result, seed_of(a)) &&
         decide_outcome(&a->d, &a->fast->m, &a->setting, &a->fast_result, "fast") && decide_nothing(a) &&
         decide_obligations(&a->d, &a->setting, a->fast, "fast");
    smt_release(a->d.s, mark);
    return ok;
}

/* What spec_wait leaves is what prove_group lets the transcription begin with. */
static bool prove_wait(struct attempt *a, enum setting_kind kind, unsigned lane)
{
    const size_t mark = smt_mark(a->d.s);
    bool ok;
    setting_make(a->d.s, &a->setting, a->info, a->target, a->dst, kind, lane);
    ok = translate(a, a->spec, run_spec_wait, "spec") &&
         decide(&a->d, &a->setting, a->fits, "the groups that spec_wait finds", WARP_LANES) &&
         decide_outcome(&a->d, &a->spec->m, &a->setting, &a->spec_result, "spec") &&
         decide_obligations(&a->d, &a->setting, a->spec, "spec");
    smt_release(a->d.s, mark);
    return ok;
}

static bool prove_lemmas(struct attempt *a)
{
    const struct setting none = {0};
    for (enum algebra op = 0; op < ALGEBRAS; op++) {
        term claims[4];
        const unsigned n = algebra_lemmas(a->d.s, op, claims);
        for (unsigned i = 0; i < n; i++)
            if (!decide(&a->d, &none, claims[i], "a rule of algebra", WARP_LANES))
                return false;
    }
    return true;
}

/* vote, match.all and redux are computed by the group's lowest lane; the others lane by lane. */
static bool by_leader(const struct warp_form_info *info)
{
    return info->type == WARP_PRED || info->family == WARP_REDUX_SYNC ||
           (info->family == WARP_MATCH_SYNC && info->op == WARP_ALL);
}

static bool prove_sync(struct attempt *a, unsigned lane)
{
    return prove_outcome(a, SETTING_OUTSIDE, lane) && prove_outcome(a, SETTING_MISSING, lane) &&
           prove_wait(a, SETTING_FIRST, lane) && prove_wait(a, SETTING_MISSING, lane);
}

/* All settings, for one target and destination. */
static bool prove_settings(struct attempt *a)
{
    const unsigned lanes = a->d.options->lanes == 0 ? WARP_LANES : a->d.options->lanes;
    const bool is_sync = warp_form_is_sync(a->info), led = by_leader(a->info);
    for (unsigned i = 0; i < lanes && i < WARP_LANES; i++) {
        const unsigned lane = WARP_LANES - 1 - i * (WARP_LANES / lanes);
        if (!prove_group(a, led ? SETTING_LED : SETTING_LANE, lane) || (is_sync && !prove_sync(a, lane)))
            return false;
    }
    return (!led || prove_group(a, SETTING_FULL, 0)) && prove_outcome(a, SETTING_NOBODY, 0) &&
           (!is_sync || prove_wait(a, SETTING_NOBODY, 0));
}

/* A target on each side of the convergence rule, where the form has such. */
static bool prove_targets(struct attempt *a)
{
    bool seen[2] = {false, false}, ok = true;
    const struct warp_target_info *t;
    for (size_t i = 0; ok && (t = warp_target_get(i)) != NULL; i++) {
        const bool convergence = warp_target_needs_convergence(t->target);
        if (seen[convergence] || warp_legal_from(a->info, t->target) == 0)
            continue;
        seen[convergence] = true;
        a->target = t->target;
        ok = prove_settings(a);
    }
    return ok;
}

static bool prove_destinations(struct attempt *a)
{
    bool ok = true;
    for (uint32_t dst = 0; ok && dst < WARP_DST_COUNT; dst++)
        if (a->info->destinations >> dst & 1u) {
            a->dst = dst;
            ok = prove_targets(a);
        }
    return ok;
}

static double now_s(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void attempt_all(struct attempt *a)
{
    struct compiled_outcome *o = a->d.outcome;
    if (!prove_lemmas(a) || !prove_destinations(a))
        return;
    o->verdict = COMPILED_PROVED;
    if (a->d.options->lanes != 0 && a->d.options->lanes < WARP_LANES) {
        o->verdict = COMPILED_OPEN;
        snprintf(o->note, sizeof o->note, "only %u of the 32 lanes by which goals are split were tried", a->d.options->lanes);
    } else if (warp_form_is_sync(a->info)) {
        o->verdict = COMPILED_BOUNDED;
        o->bound = "all active lanes pass one membermask";
    }
}

bool compiled_prove(const struct warp_form_info *info, const char *variant, const struct compiled_options *options,
                    struct compiled_outcome *outcome, char *error, size_t error_size)
{
    struct attempt a = {.d = {.options = options, .outcome = outcome}, .info = info};
    const char *folder = options->bitcode != NULL ? options->bitcode : WARPCHECK_BITCODE_DIR;
    const double start = now_s();
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = COMPILED_OPEN;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, variant) == 0)
            a.variant = &variants[i];
    if (a.variant == NULL) {
        snprintf(error, error_size, "there is no compiled variant '%s'; there are fast-portable, fast-avx2, fast-avx512", variant);
        return false;
    }
    a.d.s = smt_open(0);
    if (a.d.s == NULL) {
        snprintf(error, error_size, "Z3 cannot start");
        return false;
    }
    a.spec = open_files(a.d.s, folder, (const char *const *const[]){spec_files, model_files}, 2, error, error_size);
    a.fast = a.spec == NULL ? NULL
                            : open_files(a.d.s, folder,
                                         (const char *const *const[]){fast_files, a.variant->files, model_files}, 3,
                                         error, error_size);
    if (a.fast != NULL)
        attempt_all(&a);
    if (a.fast != NULL)
        machine_close(a.fast);
    if (a.spec != NULL)
        machine_close(a.spec);
    decider_free(&a.d);
    logic_forget(a.d.s);
    smt_close(a.d.s);
    outcome->seconds = now_s() - start;
    return a.fast != NULL;
}
