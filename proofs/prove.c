#include "base/clock.h"
#include "proofs/decide.h"

#include "proofs/algebra.h"
#include "proofs/fast/confirm.h"
#include "proofs/fast/encoding.h"
#include "proofs/fast/kernel.h"
#include "proofs/fast/many_groups.h"
#include "proofs/fast/one_group.h"
#include "proofs/fast/transcription.h"
#include "proofs/fast/wait.h"
#include "smt/prove.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *compiled_verdict_name(enum compiled_verdict verdict)
{
    static const char *const names[COMPILED_VERDICTS] = {"proved", "bounded", "refuted", "open", "ERROR"};
    return verdict < COMPILED_VERDICTS ? names[verdict] : "?";
}

/* Bitcode files are called OWNER-NAME.bc. The encoding has none. */
static const struct variant {
    const char *name, *state, *owner; /* owner NULL: none but `fast` */
} variants[] = {
    {"fast-portable", "fast_kernels_portable", NULL},
    {"fast-avx2", "fast_kernels_avx2", "avx2"},
    {"fast-avx512", "fast_kernels_avx512", "avx512"},
    {COMPILED_ENCODING, NULL, NULL},
};

const char *compiled_variant(size_t i)
{
    return i < sizeof variants / sizeof *variants ? variants[i].name : NULL;
}

#define MOST_FILES  64
#define PATH_LENGTH 512

static bool is_of(const char *file, const char *owner)
{
    const size_t length = owner == NULL ? 0 : strlen(owner), n = strlen(file);
    return owner != NULL && strncmp(file, owner, length) == 0 && file[length] == '-' && n > 3 &&
           strcmp(file + n - 3, ".bc") == 0;
}

/* All files of two owners and of the model, and for `fast` the harnesses. */
static struct machine *open_files(struct smt *s, const char *folder, const char *owner, const char *second,
                                  struct error *error)
{
    static char paths[MOST_FILES][PATH_LENGTH];
    const char *files[MOST_FILES];
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    size_t n = 0;
    const bool fast = strcmp(owner, "fast") == 0;
    bool found = false;
    errno = 0;
    while (dir != NULL && n < MOST_FILES && (entry = readdir(dir)) != NULL) {
        if (!is_of(entry->d_name, owner) && !is_of(entry->d_name, second) && !is_of(entry->d_name, "model") &&
            !(fast && is_of(entry->d_name, "harness")))
            continue;
        found |= is_of(entry->d_name, owner);
        snprintf(paths[n], PATH_LENGTH, "%s/%s", folder, entry->d_name);
        files[n] = paths[n];
        n++;
    }
    const int failed = n == MOST_FILES ? E2BIG : errno;
    if (dir != NULL)
        closedir(dir);
    if (failed != 0) {
        error_set(error, ERROR_SYSTEM, "the bitcode in %s cannot be listed: %s", folder, strerror(failed));
        return NULL;
    }
    if (!found) {
        error_set(error, ERROR_INPUT, "there is no bitcode of '%s' in %s", owner, folder);
        return NULL;
    }
    return machine_open(s, files, n, error);
}

bool proof_run(struct proof *proof, struct machine *machine, void (*work)(struct machine *, void *), void *context)
{
    struct compiled_outcome *o = proof->d.outcome;
    machine_reset(machine);
    if (machine_try(machine, work, context)) {
        o->steps += machine->steps;
        return true;
    }
    o->verdict = machine->m.error.code == ERROR_TIMEOUT ? COMPILED_OPEN : COMPILED_ERROR;
    snprintf(o->note, sizeof o->note, "%s: %.300s (in %.60s)", machine == proof->spec ? "spec" : proof->variant,
             machine->m.error.text, machine->where == NULL ? "?" : machine->where);
    return false;
}

bool proof_obligations(struct proof *proof, const struct machine *machine)
{
    return decide_obligations(&proof->d, &proof->split, machine, machine == proof->spec ? "spec" : proof->variant);
}

bool proof_open(struct proof *proof, const char *why)
{
    proof->d.outcome->verdict = COMPILED_OPEN;
    snprintf(proof->d.outcome->note, sizeof proof->d.outcome->note, "%s", why);
    return false;
}

bool proof_tell(struct proof *proof, const char *what, unsigned n)
{
    struct compiled_outcome *o = proof->d.outcome;
    const size_t used = strlen(o->note);
    if (o->verdict == COMPILED_OPEN)
        snprintf(o->note + used, sizeof o->note - used, "; %s %u", what, n);
    return false;
}

/* The rules by which reductions are brought to a normal form, where the form is one. */
static bool prove_algebra(struct proof *proof)
{
    const struct case_split none = {0};
    enum algebra op;
    term claims[ALGEBRA_LEMMAS];
    unsigned n;
    if (!claims_algebra(proof->info, &op))
        return true;
    n = algebra_lemmas(proof->d.s, op, claims);
    for (unsigned i = 0; i < n; i++)
        if (!decide(&proof->d, &none, claims[i], "a rule of algebra", WARP_LANES))
            return false;
    return true;
}

static void prove_all(struct proof *proof)
{
    struct compiled_outcome *o = proof->d.outcome;
    if (!confirm_native(proof) || !prove_algebra(proof) || !wait_prove(proof) || !transcription_prove(proof) ||
        !one_group_prove(proof) || !kernel_prove(proof))
        return;
    if (!warp_form_is_sync(proof->info)) {
        o->verdict = COMPILED_PROVED;
        return;
    }
    if (many_groups_prove(proof))
        o->verdict = COMPILED_PROVED;
    /* else what failed has said so: OPEN or REFUTED, for this form is known to be proved whole */
}

/* The transcription is cut as it is for the variants; what its parts give is compared with the encoding's terms. */
static void prove_encoding(struct proof *proof)
{
    proof->d.floats = true;
    if (confirm_native(proof) && prove_algebra(proof) && wait_prove(proof) && transcription_prove(proof) &&
        encoding_prove(proof))
        proof->d.outcome->verdict = COMPILED_PROVED;
}

/* Breaking a contract without consequence refutes nothing. */
static void check_witness(struct proof *proof)
{
    struct compiled_outcome *o = proof->d.outcome;
    char what[sizeof o->note];
    if (o->verdict != COMPILED_REFUTED || confirm_witness(proof))
        return;
    memcpy(what, o->note, sizeof what);
    o->verdict = COMPILED_OPEN;
    o->has_witness = false;
    snprintf(o->note, sizeof o->note, "a part is not what the proof needs, but no case is known that shows it: %.300s",
             what);
}

static const struct variant *find_variant(const char *name)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}

/* Both programs. False: the bitcode cannot be read. */
static bool open_machines(struct proof *proof, const struct variant *variant, const char *folder, struct error *error)
{
    proof->spec = open_files(proof->d.s, folder, "spec", NULL, error);
    if (proof->spec == NULL || variant->state == NULL)
        return proof->spec != NULL;
    proof->fast = open_files(proof->d.s, folder, "fast", variant->owner, error);
    return proof->fast != NULL;
}

bool compiled_open(struct error *error)
{
    return llvm_load(error);
}

bool compiled_prove(const struct warp_form_info *info, const char *variant, const struct compiled_options *options,
                    struct compiled_outcome *outcome, struct error *error)
{
    const struct variant *v = find_variant(variant);
    struct proof *proof;
    const double start = clock_seconds();
    bool opened;
    memset(outcome, 0, sizeof *outcome);
    outcome->verdict = COMPILED_OPEN;
    if (v == NULL) {
        error_set(error, ERROR_USAGE,
                  "there is no compiled variant '%s'; there are fast-portable, fast-avx2, fast-avx512, smt", variant);
        return false;
    }
    proof = smt_grow(NULL, 1, sizeof *proof);
    *proof = (struct proof){
        .d = {.options = options, .outcome = outcome}, .info = info, .variant = v->name, .state = v->state};
    proof->d.s = smt_open(0);
    if (proof->d.s == NULL) {
        error_set(error, ERROR_SYSTEM, "Z3 cannot start");
        free(proof);
        return false;
    }
    opened = open_machines(proof, v, options->bitcode != NULL ? options->bitcode : WARPCHECK_BITCODE_DIR, error);
    if (opened) {
        if (proof->fast == NULL)
            prove_encoding(proof);
        else
            prove_all(proof);
        check_witness(proof);
    }
    if (proof->fast != NULL)
        machine_close(proof->fast);
    if (proof->spec != NULL)
        machine_close(proof->spec);
    decider_free(&proof->d);
    logic_forget(proof->d.s);
    smt_close(proof->d.s);
    free(proof);
    outcome->seconds = clock_seconds() - start;
    return opened;
}
