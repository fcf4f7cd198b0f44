/*
 * `warpcheck prove compiled`: the compiled variants of fast, and the prover's encoding, against the compiled
 * transcription, form by form.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "cli/prove/session.h"
#include "base/clock.h"
#include "check/impl/impl.h"
#include "cli/prove/own.h"

#include "cli/ui/json.h"
#include "base/pool.h"
#include "smt/warpcheck_smt.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The implementation on which a witness is replayed: native code, or the encoding's terms, evaluated. */
static const struct warp_impl *native_variant(const char *name)
{
    struct fast_variant v;
    if (strcmp(name, COMPILED_ENCODING) == 0)
        return smt_get(NULL);
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        if (strcmp(v.name, name) == 0)
            return v.impl;
    return NULL;
}

static void work(void *context, size_t i, void *result)
{
    const struct own *o = context;
    struct own_result *r = result;
    const struct compiled_options options = {.bitcode = o->folder,
                                             .timeout_s = o->timeout,
                                             .concrete = (unsigned)o->cases,
                                             .seed = 1,
                                             .goal = o->goals == NULL ? NULL : o->goals + i * COMPILED_GOAL,
                                             .spec = spec_get(),
                                             .fast = o->pairs[i].native};
    struct error error = {.text = ""};
    r->started = compiled_prove(o->pairs[i].info, o->pairs[i].variant, &options, &r->outcome, &error);
    snprintf(r->error, sizeof r->error, "%.*s", (int)sizeof r->error - 1, error.text);
}

static void show(void *context)
{
    struct own *o = context;
    char goals[400] = "";
    size_t length = 0;
    for (size_t i = 0; i < o->running_count && length < sizeof goals; i++)
        length +=
            (size_t)snprintf(goals + length, sizeof goals - length, "%s%s %s: %.*s", i == 0 ? "" : "; ",
                             o->pairs[o->running[i]].info->name, o->pairs[o->running[i]].variant,
                             (int)COMPILED_GOAL - 1, o->goals == NULL ? "" : o->goals + o->running[i] * COMPILED_GOAL);
    proving_show(&o->proving, goals);
}

static void began(void *context, size_t i)
{
    struct own *o = context;
    if (o->running_count < RUNNING_MAX)
        o->running[o->running_count++] = i;
}

static void ended(void *context, size_t i, const struct error *error)
{
    struct own *o = context;
    struct own_result *r = &o->results[i];
    const bool late = error != NULL && error->code == ERROR_TIMEOUT;
    size_t kept = 0;
    for (size_t k = 0; k < o->running_count; k++)
        if (o->running[k] != i)
            o->running[kept++] = o->running[k];
    o->running_count = kept;
    o->proving.ended++;
    o->has[i] = true;
    if (error != NULL) {
        memset(r, 0, sizeof *r);
        r->outcome.seconds = late ? o->limit : 0;
        snprintf(r->outcome.note, sizeof r->outcome.note, "%.399s", error->text);
    } else if (!r->started) {
        snprintf(r->outcome.note, sizeof r->outcome.note, "%s", r->error);
    }
    if (error != NULL || !r->started)
        r->outcome.verdict = late ? COMPILED_OPEN : COMPILED_ERROR;
}

static const char *find_variant(const char *name)
{
    const char *variant = NULL;
    for (size_t i = 0; (variant = compiled_variant(i)) != NULL && strcmp(variant, name) != 0;)
        i++;
    return variant;
}

static void add_variant(struct own *o, const char *variant)
{
    for (size_t i = 0; i < o->variant_count; i++)
        if (strcmp(o->variants[i], variant) == 0)
            return;
    o->variants[o->variant_count++] = variant;
}

/* The variants of a name, as every command understands it. False after one line on standard error. */
static bool add_named(struct own *o, const char *text)
{
    struct impl_name name;
    struct error error;
    if (!impl_name_parse(text, &name, &error))
        return usage_error(&command_prove_own, "%s", error.text), false;
    if (name.kind == IMPL_FAST_ALL) {
        for (size_t i = 0; compiled_variant(i) != NULL; i++)
            if (strcmp(compiled_variant(i), COMPILED_ENCODING) != 0)
                add_variant(o, compiled_variant(i));
        return true;
    }
    const char *const variant =
        name.kind == IMPL_FAST || name.kind == IMPL_SMT ? find_variant(impl_variant_name(name.path)) : NULL;
    if (variant == NULL)
        return usage_error(&command_prove_own,
                           "--impl %s cannot be proved: give fast, fast-VARIANT, fast-all or smt; a function of yours "
                           "goes to warpcheck prove bitcode",
                           shown(text)),
               false;
    add_variant(o, variant);
    return true;
}

/* --impl, or all variants. False after one line on standard error. */
static bool choose_variants(struct own *o)
{
    for (size_t i = 0; o->impl.count == 0 && compiled_variant(i) != NULL; i++)
        add_variant(o, compiled_variant(i));
    for (size_t i = 0; i < o->impl.count; i++)
        if (!add_named(o, o->impl.items[i]))
            return false;
    return true;
}

static bool make_pairs(struct own *o)
{
    o->count = o->form_count * o->variant_count;
    o->pairs = calloc(o->count, sizeof *o->pairs);
    o->results = calloc(o->count, sizeof *o->results);
    o->has = calloc(o->count, sizeof *o->has);
    if (o->pairs == NULL || o->results == NULL || o->has == NULL) {
        usage_error(&command_prove_own, "out of memory");
        return false;
    }
    for (size_t i = 0; i < o->count; i++) {
        const char *variant = o->variants[i % o->variant_count];
        const bool is_code = strcmp(variant, COMPILED_ENCODING) != 0;
        o->pairs[i] = (struct own_pair){warp_form_get(o->forms[i / o->variant_count]), variant,
                                        is_code && o->folder != NULL ? NULL : native_variant(variant)};
    }
    return true;
}

/* The work that each child is doing, in memory shared with this process. Without it the progress line says less. */
static void share_goals(struct own *o)
{
    const size_t size = o->count * COMPILED_GOAL;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    o->goals = p == MAP_FAILED ? NULL : p;
}

/* An open claim is no agreement: as in every command, an unknown result ends with status 1. */
static int status_of(const struct own *o)
{
    return !o->proving.interrupted && own_count(o, COMPILED_PROVED) + own_count(o, COMPILED_BOUNDED) == o->count
               ? STATUS_AGREE
               : STATUS_MISMATCH;
}

static int run_pairs(struct own *o)
{
    struct pool pool = {.n = o->count,
                        .jobs = (unsigned)(o->jobs < RUNNING_MAX ? o->jobs : RUNNING_MAX),
                        .size = sizeof(struct own_result),
                        .results = o->results,
                        .limit_s = o->limit,
                        .context = o,
                        .work = work,
                        .began = began,
                        .ended = ended,
                        .tick = show};
    share_goals(o);
    proving_begin(&o->proving, "prove compiled", o->count, o->quiet);
    if (!proving_run(&o->proving, &command_prove_own, &pool))
        return STATUS_USAGE;
    if (o->json)
        own_print_json(o);
    else if (o->markdown)
        own_print_markdown(o);
    else
        own_print(o);
    if (o->update != NULL && !o->proving.interrupted && !own_update(o))
        return STATUS_USAGE;
    return status_of(o);
}

static bool has_bitcode(const char *folder)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/spec-spec.bc", folder);
    return access(path, R_OK) == 0;
}

static int prove_own(int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct own o = {.timeout = 60, .limit = 600, .jobs = processors > 0 ? (uint64_t)processors : 1, .cases = 4};
    const struct option table[] = {
        {OPT_IMPL, &o.impl, "fast-all and smt", true},
        {OPT_ONLY_FORMS, &o.only, "all", false},
        {OPT_TIMEOUT, &o.timeout, NULL, false},
        {OPT_LIMIT, &o.limit, NULL, false},
        {OPT_JOBS, &o.jobs, "processors", false},
        {OPT_CASES_NATIVE, &o.cases, NULL, false},
        {OPT_FOLDER, &o.folder, "the build's", false},
        {OPT_MARKDOWN, &o.markdown, NULL, false},
        {OPT_UPDATE, &o.update, NULL, false},
        {OPT_QUIET, &o.quiet, NULL, false},
        {OPT_JSON, &o.json, NULL, false},
    };
    struct error error;
    int operands = options_parse(&command_prove_own, table, sizeof table / sizeof table[0], argc, argv), status;
    if (operands < 0)
        return options_status(operands);
    if (operands > 0)
        return usage_error(&command_prove_own, "unexpected '%s' (an instruction is named by --only)", argv[1]);
    if (o.update != NULL && (o.only.count > 0 || o.impl.count > 0 || o.folder != NULL))
        return usage_error(&command_prove_own, "--update writes the whole table: without --only, --impl and --folder");
    if (o.folder != NULL && !has_bitcode(o.folder))
        return usage_error(&command_prove_own,
                           "%s: no bitcode there (spec-spec.bc, ...; a build makes it in proofs/bitcode)", o.folder);
    o.form_count = prove_forms(&command_prove_own, &o.only, o.forms);
    if (o.form_count == 0 || !choose_variants(&o))
        return STATUS_USAGE;
    if (!compiled_open(&error))
        return usage_error(&command_prove_own, "%s", error.text);
    status = make_pairs(&o) ? run_pairs(&o) : STATUS_USAGE;
    free(o.pairs);
    free(o.results);
    free(o.has);
    if (o.goals != NULL)
        munmap(o.goals, o.count * COMPILED_GOAL);
    return status;
}
const struct command command_prove_own = {
    .name = "prove compiled",
    .summary = "compiled fast, and the encoding, against compiled spec",
    .help =
        "usage: warpcheck prove compiled [OPTION...]\n"
        "\n"
        "Translates LLVM bitcode of spec and of each variant of fast to Z3, and proves for each form that both give\n"
        "the same result for all operands, masks and lane states (docs/compiled.md). `smt` stands for the\n"
        "terms that `prove` alone is about: they are proved equal to the compiled spec in the same way. Verdicts:\n"
        "PROVED; BOUNDED, for the cases that are named; OPEN, not decided; REFUTED, with a witness; ERROR. Exit status "
        "0\n"
        "only when all are PROVED or BOUNDED.\n"
        "\n"
        "example: warpcheck prove compiled --impl fast-avx512 --only vote.sync\n",
    .run = prove_own,
};
