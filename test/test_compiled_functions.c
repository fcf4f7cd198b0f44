/*
 * Every function of the translated sources, executed by the translator on concrete cases, against the native code:
 * cases of the random source for each form, and the fuzzers' corpus. A function that no case reaches is named, and must
 * be one that evaluating a case never calls.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/random.h"
#include "proofs/machine.h"
#include "proofs/warpcheck_compiled.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#define MOST_FILES 64
#define MOST_NAMES 512
#define FORM_CASES 12u

/* A program: the bitcode of two owners and the model, entered as warp_impl.eval is. */
struct program {
    const char *name, *owner, *second, *entry, *state;
    const struct warp_impl *native; /* NULL: this machine lacks it */
    struct machine *machine;
    const char *reached[MOST_NAMES];
    size_t reached_count;
    unsigned long compared;
};

struct run {
    struct program *p;
    const struct warp_case *c;
    struct warp_result result;
};

static bool is_of(const char *file, const char *owner)
{
    const size_t n = owner == NULL ? 0 : strlen(owner);
    return owner != NULL && strncmp(file, owner, n) == 0 && file[n] == '-' && strstr(file, ".bc") != NULL;
}

static bool open_program(struct smt *s, const char *folder, struct program *p)
{
    static char paths[MOST_FILES][512];
    const char *files[MOST_FILES];
    struct error why = {.text = "no bitcode"};
    size_t n = 0;
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && n < MOST_FILES && (entry = readdir(dir)) != NULL)
        if (is_of(entry->d_name, p->owner) || is_of(entry->d_name, p->second) || is_of(entry->d_name, "model")) {
            snprintf(paths[n], sizeof paths[n], "%s/%s", folder, entry->d_name);
            files[n] = paths[n];
            n++;
        }
    if (dir != NULL)
        closedir(dir);
    p->machine = n == 0 ? NULL : machine_open(s, files, n, &why);
    if (p->machine == NULL)
        printf("FAIL: %s: %s\n", p->name, why.text);
    return p->machine != NULL;
}

static bool note_call(struct machine *machine, void *context, const char *name, const struct value *const *arguments,
                      unsigned n, const struct value **result)
{
    struct program *p = context;
    (void)machine, (void)arguments, (void)n, (void)result;
    for (size_t i = 0; i < p->reached_count; i++)
        if (strcmp(p->reached[i], name) == 0)
            return false;
    if (p->reached_count < MOST_NAMES)
        p->reached[p->reached_count++] = name;
    return false;
}

static uint32_t number_of(struct machine *machine, unsigned object, size_t at)
{
    struct maker *m = &machine->m;
    const struct scalar *x = machine_load(machine, machine_address(machine, object, at), 32);
    uint64_t number = 0;
    if (x->poison != NULL && !is_false(m->s, smt_keep(m->s, Z3_simplify(m->s->z3, x->poison))))
        return 0xdeadbeef; /* a d that is not predictable may be anything; the comparison sees the others */
    if (!is_known(x, &number) && !term_value(m->s, smt_keep(m->s, Z3_simplify(m->s->z3, as_term(m, x))), &number))
        fail(m, "a word of the result is no number");
    return (uint32_t)number;
}

static void evaluate(struct machine *machine, void *context)
{
    struct run *run = context;
    struct maker *m = &machine->m;
    uint32_t in[sizeof(struct warp_case) / 4], out[sizeof(struct warp_result) / 4];
    const unsigned c = machine_object(machine, "the case", sizeof in, _Alignof(struct warp_case)),
                   r = machine_object(machine, "the result", sizeof out, _Alignof(struct warp_result));
    const struct scalar *null = make_pointer(m, 0, 0, NULL, 1);
    const char *state = run->p->state;
    const struct value *a[6] = {
        make_value(m, state == NULL ? null : machine_global(machine, LLVMGetNamedGlobal(machine->module, state))),
        make_value(m, machine_address(machine, c, 0)),
        make_value(m, make_known(m, 64, 1)),
        make_value(m, machine_address(machine, r, 0)),
        make_value(m, null),
        make_value(m, make_known(m, 64, 0))};
    memcpy(in, run->c, sizeof in);
    for (size_t i = 0; i < sizeof in / 4; i++)
        machine_store(machine, machine_address(machine, c, 4 * i), make_known(m, 32, in[i]));
    machine_call(machine, run->p->entry, a, 6);
    for (size_t i = 0; i < sizeof out / 4; i++)
        out[i] = number_of(machine, r, 4 * i);
    memcpy(&run->result, out, sizeof out);
    for (size_t i = 0; i < machine->obligation_count; i++)
        if (!is_true(m->s, smt_keep(m->s, Z3_simplify(m->s->z3, machine->obligations[i].holds))))
            fail(m, "undefined behaviour: %s", machine->obligations[i].what);
}

static bool try_case(struct program *p, const struct warp_case *c)
{
    static char text[WARP_TEXT_MAX];
    struct run run = {.p = p, .c = c};
    struct warp_result expected;
    char error[100] = "";
    const struct warp_impl *native = p->native != NULL ? p->native : fast_portable_get();
    const size_t mark = smt_mark(p->machine->m.s);
    bool ok;
    machine_reset(p->machine);
    p->machine->hook = note_call;
    p->machine->hook_context = p;
    ok = machine_try(p->machine, evaluate, &run);
    if (!ok)
        printf("FAIL: %s: %s (in %s)\n", p->name, p->machine->m.error.text, p->machine->where);
    smt_release(p->machine->m.s, mark);
    ok = ok && native->eval(native->state, c, 1, &expected, error, sizeof error);
    if (ok && !warp_result_compare(c, &expected, &run.result, WARP_PART_ALL, NULL)) {
        warp_case_to_text(c, text, sizeof text);
        printf("FAIL: %s: the translation differs from the native code: %s\n", p->name, text);
        warp_result_to_text(&expected, WARP_PART_ALL, text, sizeof text);
        printf("  native %s\n", text);
        warp_result_to_text(&run.result, WARP_PART_ALL, text, sizeof text);
        printf("  translated %s\n", text);
        ok = false;
    }
    p->compared += ok;
    return ok;
}

/* Each form with each destination, cases of the random source; every other one with all lanes of the warp in one group.
 */
static bool try_forms(struct program *p)
{
    bool ok = true;
    for (uint32_t form = 0; ok && form < WARP_FORMS; form++)
        for (unsigned i = 0; ok && i < FORM_CASES; i++) {
            const struct warp_form_info *info = warp_form_get(form);
            struct warp_case c;
            random_case(5, (uint64_t)form * FORM_CASES + i, WARP_FAMILY_BIT((unsigned)info->family), &c);
            c.form = form;
            c.dst = i;
            if (i % 2 == 0) {
                c.exited = 0;
                c.active = UINT32_MAX;
                memset(c.membermask, 0xff, sizeof c.membermask);
            }
            warp_case_repair(&c);
            ok = try_case(p, &c);
        }
    return ok;
}

/* Some of the fuzzers' seeds of each family. */
static bool try_seeds(struct program *p, const char *path)
{
    static char text[1 << 20];
    struct warp_text read;
    struct warp_text_error error;
    struct warp_text_list list;
    bool ok = true;
    unsigned n = 0;
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        printf("FAIL: %s cannot be read\n", path);
        return false;
    }
    list = warp_text_begin(text, fread(text, 1, sizeof text, f));
    fclose(f);
    while (ok && n < 12 && warp_text_next(&list, &read, &error) == WARP_TEXT_CASE) {
        ok = try_case(p, &read.c);
        n++;
    }
    if (n < 12)
        printf("FAIL: %s has %u cases that can be read, not 12\n", path, n);
    return ok && n == 12;
}

static bool try_all_corpora(struct program *p)
{
    bool ok = true;
    for (unsigned family = 0; ok && family < WARP_FAMILIES; family++) {
        char path[64];
        snprintf(path, sizeof path, "corpus/seeds/%s.txt", warp_family_name(family));
        ok = try_seeds(p, path);
    }
    return ok;
}

/* What the entry can call, by names in its code; tables of functions count as called. */
static bool is_reachable(LLVMValueRef function, LLVMValueRef *seen, size_t *count, LLVMValueRef wanted);

static bool names(LLVMValueRef value, LLVMValueRef *seen, size_t *count, LLVMValueRef wanted, unsigned depth)
{
    if (depth > 6)
        return false;
    if (LLVMIsAFunction(value) != NULL)
        return is_reachable(value, seen, count, wanted);
    if (LLVMIsAGlobalVariable(value) != NULL) {
        LLVMValueRef start = LLVMGetInitializer(value);
        return start != NULL && names(start, seen, count, wanted, depth + 1);
    }
    if (LLVMIsAConstant(value) == NULL)
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (names(LLVMGetOperand(value, (unsigned)i), seen, count, wanted, depth + 1))
            return true;
    return false;
}

static bool is_reachable(LLVMValueRef function, LLVMValueRef *seen, size_t *count, LLVMValueRef wanted)
{
    if (function == wanted)
        return true;
    for (size_t i = 0; i < *count; i++)
        if (seen[i] == function)
            return false;
    if (*count == MOST_NAMES)
        return true;
    seen[(*count)++] = function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef x = LLVMGetFirstInstruction(b); x != NULL; x = LLVMGetNextInstruction(x))
            for (int i = 0; i < LLVMGetNumOperands(x); i++)
                if (names(LLVMGetOperand(x, (unsigned)i), seen, count, wanted, 0))
                    return true;
    return false;
}

static bool is_called(const struct program *p, LLVMValueRef function)
{
    LLVMModuleRef module = p->machine->module;
    LLVMValueRef seen[MOST_NAMES], state = p->state == NULL ? NULL : LLVMGetNamedGlobal(module, p->state);
    size_t count = 0;
    if (is_reachable(LLVMGetNamedFunction(module, p->entry), seen, &count, function))
        return true;
    return state != NULL && names(state, seen, &count, function, 0);
}

/* Functions that work on many warps at once; one case never calls them. */
static bool is_for_many(const char *name)
{
    static const char *const many[] = {
        "stream", "batch", "alike", "ballot_of_bits", "repeat", "match_any_by_lane", "match_all_by_lane"};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        if (strstr(name, many[i]) != NULL)
            return true;
    return strncmp(name, "redux_", 6) == 0 && strstr(name, "_by_lane") != NULL;
}

static bool check_reached(const struct program *p)
{
    unsigned reached = 0, missing = 0, many = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->machine->module); f != NULL; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        bool found = strcmp(name, p->entry) == 0;
        for (size_t i = 0; i < p->reached_count && !found; i++)
            found = strcmp(p->reached[i], name) == 0;
        if (LLVMIsDeclaration(f) || (!found && !is_called(p, f)))
            continue;
        reached += found;
        if (!found && is_for_many(name))
            many++;
        else if (!found) {
            printf("FAIL: %s: no case reaches '%s'\n", p->name, name);
            missing++;
        }
    }
    printf("%s: %lu cases compared with %s, %u functions reached, %u for many warps\n", p->name, p->compared,
           p->native != NULL ? "its native code" : "fast-portable (UNAVAILABLE on this processor)", reached, many);
    return missing == 0 && reached > 3 && p->compared > 100;
}

static bool try_program(const char *folder, struct program *p)
{
    struct smt *s = smt_open(0);
    bool ok = s != NULL && open_program(s, folder, p);
    ok = ok && try_forms(p) && try_all_corpora(p) && check_reached(p);
    if (p->machine != NULL)
        machine_close(p->machine);
    if (s != NULL) {
        logic_forget(s);
        smt_close(s);
    }
    return ok;
}

static const struct warp_impl *variant(const char *name)
{
    struct fast_variant v;
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        if (strcmp(v.name, name) == 0)
            return v.impl;
    return NULL;
}

int main(int argc, char **argv)
{
    struct program programs[] = {
        {"spec", "spec", NULL, "spec_eval", NULL, spec_get(), NULL, {NULL}, 0, 0},
        {"fast-portable", "fast", NULL, "eval", "fast_kernels_portable", variant("fast-portable"), NULL, {NULL}, 0, 0},
        {"fast-avx2", "fast", "avx2", "eval", "fast_kernels_avx2", variant("fast-avx2"), NULL, {NULL}, 0, 0},
        {"fast-avx512", "fast", "avx512", "eval", "fast_kernels_avx512", variant("fast-avx512"), NULL, {NULL}, 0, 0},
    };
    bool ok = argc == 2;
    for (size_t i = 0; argc == 2 && i < sizeof programs / sizeof *programs; i++)
        ok = try_program(argv[1], &programs[i]) && ok;
    printf("%s\n", ok ? "all agree" : "FAIL");
    return ok ? 0 : 1;
}
