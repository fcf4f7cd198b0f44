/*
 * Functions of text IR, `void f(ptr in, ptr out)`, evaluated twice: by the translator, and as native code. Operand i
 * lies 64 * i bytes behind `in`.
 */
#ifndef WARPCHECK_TEST_COMPILED_EVALUATE_H
#define WARPCHECK_TEST_COMPILED_EVALUATE_H

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "proofs/machine.h"
#include "proofs/user/native.h"

#define EVALUATE_OPERANDS  4
#define EVALUATE_IN        (64 * EVALUATE_OPERANDS)
#define EVALUATE_OUT       64
#define EVALUATE_ALIGNMENT 64

struct evaluate_bytes {
    _Alignas(EVALUATE_ALIGNMENT) uint8_t in[EVALUATE_IN];
    _Alignas(EVALUATE_ALIGNMENT) uint8_t out[EVALUATE_OUT];
    uint8_t poison[EVALUATE_OUT]; /* by the translator */
};

/* Uniform, small, equal, and the numbers at which elements of 8, 16, 32 and 64 bits overflow and saturate. */
static inline void evaluate_inputs(struct random *state, uint8_t in[EVALUATE_IN])
{
    static const uint32_t special[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x7f807f80,
                                       0x80808080, 0x7f7f7f7f, 0x0000ffff, 0xffff0000, 0x7fff8000, 0x80007fff,
                                       0x00ff00ff, 0x007f0080, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                       0x00000020, 0x0000001f, 0x00008000, 0x00007fff, 0xffff8000, 0xffff7fff,
                                       0x000000ff, 0x00000100, 0xffffff80, 0xffffff7f};
    const unsigned kind = (unsigned)(random_next(state) % 6);
    const uint32_t one = (uint32_t)random_next(state);
    for (size_t i = 0; i < EVALUATE_IN; i += 4) {
        const uint64_t r = random_next(state);
        const uint32_t any = (uint32_t)(r >> 32), chosen = special[r % (sizeof special / sizeof *special)];
        const unsigned how = kind < 5 ? kind : (unsigned)(r >> 20) % 5;
        const uint32_t word = how == 0   ? any
                              : how == 1 ? chosen
                              : how == 2 ? any & 0x3f3f3f3f
                              : how == 3 ? one
                                         : any % 40;
        memcpy(in + i, &word, 4);
    }
}

static inline void evaluate_begin(FILE *ir)
{
    fprintf(ir, "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n"
                "target triple = \"x86_64-unknown-linux-gnu\"\n");
}

/* define void @NAME(...) with operands %x0, %x1... of the types (by blanks), and %r of the result's. `body` makes %r.
 */
static inline void evaluate_define(FILE *ir, const char *name, const char *const *types, unsigned n, const char *result,
                                   const char *body, const char *features)
{
    fprintf(ir, "define void @\"%s\"(ptr %%in, ptr %%out) \"target-features\"=\"%s\" {\n", name, features);
    for (unsigned i = 0; i < n; i++)
        fprintf(ir, "  %%p%u = getelementptr i8, ptr %%in, i64 %u\n  %%x%u = load %s, ptr %%p%u, align 1\n", i, 64 * i,
                i, types[i], i);
    fprintf(ir, "%s\n  store %s %%r, ptr %%out, align 1\n  ret void\n}\n", body, result);
}

/* Text to a bitcode file of a name that is chosen; false after a message. */
static inline bool evaluate_assemble(const char *text, char path[64])
{
    struct error error = {0};
    LLVMContextRef context = llvm_open(&error);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
    LLVMModuleRef module;
    char *message = NULL;
    int file;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        printf("%s\n", message);
        return false;
    }
    strcpy(path, "/tmp/warpcheck-XXXXXX");
    file = mkstemp(path);
    if (file < 0 || LLVMWriteBitcodeToFD(module, file, 1, 0) != 0)
        return false;
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return true;
}

struct evaluate_call {
    const char *function;
    struct evaluate_bytes *bytes;
};

static inline void evaluate_work(struct machine *machine, void *context)
{
    const struct evaluate_call *call = context;
    struct maker *m = &machine->m;
    const unsigned in = machine_object(machine, "in", EVALUATE_IN, EVALUATE_ALIGNMENT),
                   out = machine_object(machine, "out", EVALUATE_OUT, EVALUATE_ALIGNMENT);
    const struct value *a[2] = {make_value(m, machine_address(machine, in, 0)),
                                make_value(m, machine_address(machine, out, 0))};
    for (unsigned i = 0; i < EVALUATE_IN; i++)
        machine_store(machine, machine_address(machine, in, i), make_known(m, 8, call->bytes->in[i]));
    machine_call(machine, call->function, a, 2);
    for (unsigned i = 0; i < EVALUATE_OUT; i++) {
        const struct scalar *x = machine_load(machine, machine_address(machine, out, i), 8);
        uint64_t number = 0;
        call->bytes->poison[i] = x->poison != NULL && !is_false(m->s, smt_keep(m->s, Z3_simplify(m->s->z3, x->poison)));
        if (call->bytes->poison[i])
            continue;
        if (!is_known(x, &number) && !term_value(m->s, smt_keep(m->s, Z3_simplify(m->s->z3, as_term(m, x))), &number))
            fail(m, "byte %u is no number", i);
        call->bytes->out[i] = (uint8_t)number;
    }
}

/* False with a message when the translator refuses. */
static inline bool evaluate_translated(struct machine *machine, const char *function, struct evaluate_bytes *bytes)
{
    struct evaluate_call call = {function, bytes};
    const size_t mark = smt_mark(machine->m.s);
    bool ok;
    machine_reset(machine);
    memset(bytes->out, 0, sizeof bytes->out);
    ok = machine_try(machine, evaluate_work, &call);
    if (!ok)
        printf("%s: %s\n", function, machine->m.error.text);
    smt_release(machine->m.s, mark);
    return ok;
}

/* The same on unknown inputs, once for all: what the proofs see. Terms live until the caller's mark is released. */
struct evaluate_terms {
    const char *function;
    term in[EVALUATE_IN / 4];
    term value[EVALUATE_OUT];  /* NULL: never written */
    term poison[EVALUATE_OUT]; /* NULL: never */
    term all;                  /* values and poison of all bytes that are written, as one word */
};

static inline void evaluate_symbolic_work(struct machine *machine, void *context)
{
    struct evaluate_terms *t = context;
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    const unsigned in = machine_object(machine, "in", EVALUATE_IN, EVALUATE_ALIGNMENT),
                   out = machine_object(machine, "out", EVALUATE_OUT, EVALUATE_ALIGNMENT);
    const struct value *a[2] = {make_value(m, machine_address(machine, in, 0)),
                                make_value(m, machine_address(machine, out, 0))};
    for (unsigned i = 0; i < EVALUATE_IN / 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "in[%u]", i);
        t->in[i] = term_constant(s, s->word_sort, name);
        machine_store(machine, machine_address(machine, in, 4 * i), make_term(m, t->in[i]));
    }
    machine_call(machine, t->function, a, 2);
    t->all = v_number(s, 0, 1);
    for (unsigned i = 0; i < EVALUATE_OUT; i++) {
        const struct scalar *x = machine_load(machine, machine_address(machine, out, i), 8);
        if (x->poison != NULL && is_true(s, x->poison))
            continue;
        t->value[i] = as_term(m, x);
        t->poison[i] = x->poison;
        t->all = smt_keep(s, Z3_mk_concat(s->z3, t->value[i], t->all));
        t->all =
            smt_keep(s, Z3_mk_concat(s->z3,
                                     x->poison == NULL ? v_number(s, 0, 1)
                                                       : term_ite(s, x->poison, v_number(s, 1, 1), v_number(s, 0, 1)),
                                     t->all));
    }
}

static inline bool evaluate_symbolic(struct machine *machine, const char *function, struct evaluate_terms *t)
{
    memset(t, 0, sizeof *t);
    t->function = function;
    machine_reset(machine);
    if (machine_try(machine, evaluate_symbolic_work, t))
        return true;
    printf("%s: %s\n", function, machine->m.error.text);
    return false;
}

/* The terms where the inputs have these values. Bytes that are never written count as poison. */
static inline bool evaluate_put(struct smt *s, const struct evaluate_terms *t, struct evaluate_bytes *b)
{
    const size_t mark = smt_mark(s);
    term to[EVALUATE_IN / 4], all;
    unsigned at = 1;
    bool ok = true;
    for (unsigned i = 0; i < EVALUATE_IN / 4; i++) {
        uint32_t word;
        memcpy(&word, b->in + 4 * i, 4);
        to[i] = v_number(s, word, 32);
    }
    all = smt_keep(s, Z3_substitute(s->z3, t->all, EVALUATE_IN / 4, t->in, to));
    all = smt_keep(s, Z3_simplify(s->z3, all));
    for (unsigned i = 0; ok && i < EVALUATE_OUT; i++) {
        uint64_t value = 0, poison = 1;
        if (t->value[i] != NULL) {
            ok = term_value(s, smt_keep(s, Z3_simplify(s->z3, term_extract(s, at + 7, at, all))), &value) &&
                 term_value(s, smt_keep(s, Z3_simplify(s->z3, term_extract(s, at + 8, at + 8, all))), &poison);
            at += 9;
        }
        b->out[i] = (uint8_t)value;
        b->poison[i] = (uint8_t)poison;
    }
    if (!ok)
        printf("%s: its terms are no numbers on known inputs\n", t->function);
    smt_release(s, mark);
    return ok;
}

#endif
