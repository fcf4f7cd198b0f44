/*
 * The proof by two lanes against execution: random kernels with branches, loops, early exits and membermasks of all
 * kinds, about half of them wrong somewhere. No execution may show what was proved not to happen.
 *
 * usage: test_pair_random [COUNT [SEED]]
 */
#include "base/buffer.h"
#include "base/random.h"
#include "kernel/search.h"
#include "smt/pair/pair.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES     6u /* registers %v0.. */
#define EXECUTIONS 60u

static struct random seed;

static uint32_t any(uint32_t n)
{
    return random_below32(&seed, n);
}

struct writer {
    struct buffer b;
    unsigned labels, predicates, masks, depth, statements;
    bool calls;
};

static unsigned predicate(struct writer *w)
{
    return ++w->predicates;
}

/* Sets a new predicate: of the lane, of a parameter, or of what was computed. */
static unsigned write_condition(struct writer *w)
{
    static const char *const relations[] = {"eq", "ne", "lt", "ge", "gt", "le"};
    const unsigned p = predicate(w);
    const char *relation = relations[any(6)];
    switch (any(5)) {
    case 0:
        buffer_format(&w->b, "setp.%s.u32 %%p%u, %%lane, %u;\n", relation, p, any(33));
        break;
    case 1:
        buffer_format(&w->b, "setp.%s.u32 %%p%u, %%n, %u;\n", relation, p, any(5));
        break;
    case 2:
        buffer_format(&w->b, "and.b32 %%t, %%id, %u;\nsetp.%s.u32 %%p%u, %%t, %u;\n", 1u << any(6), relation, p,
                      any(2));
        break;
    case 3:
        buffer_format(&w->b, "setp.%s.s32 %%p%u, %%v%u, %u;\n", relation, p, any(VALUES), any(4));
        break;
    default:
        buffer_format(&w->b, "setp.%s.u32 %%p%u, %%v%u, %%v%u;\n", relation, p, any(VALUES), any(VALUES));
        break;
    }
    return p;
}

/* The mask that is right here, or now and then one that may be wrong. */
static void mask_text(const char *right, char text[24])
{
    static const char *const others[] = {"-1", "65535", "1", "%other"};
    snprintf(text, 24, "%s", any(14) != 0 ? right : others[any(4)]);
}

static void write_lowest(struct writer *w, const char *mask)
{
    buffer_format(&w->b, "brev.b32 %%t, %s;\nclz.b32 %%t, %%t;\n", mask);
}

static void write_warp(struct writer *w, const char *mask)
{
    static const char *const forms[] = {"up", "down", "bfly"};
    char m[24];
    const unsigned d = any(VALUES), a = any(VALUES), p = predicate(w);
    mask_text(mask, m);
    switch (any(9)) {
    case 0: /* reads the lowest lane of the mask */
        write_lowest(w, m);
        buffer_format(&w->b, "shfl.sync.idx.b32 %%v%u|%%p%u, %%v%u, %%t, 31, %s;\n", d, p, a, m);
        break;
    case 1: /* uses it where the source is in range */
        buffer_format(&w->b, "shfl.sync.%s.b32 %%t|%%p%u, %%v%u, %u, %u, %s;\n", forms[any(3)], p, a, 1u << any(5),
                      any(2) ? 31u : 0u, m);
        buffer_format(&w->b, "@%%p%u add.s32 %%v%u, %%v%u, %%t;\n", p, d, d);
        break;
    case 2:
        buffer_format(&w->b, "setp.gt.s32 %%p%u, %%v%u, 1;\nvote.sync.ballot.b32 %%v%u, %%p%u, %s;\n", p, a, d, p, m);
        break;
    case 3:
        buffer_format(&w->b, "setp.gt.s32 %%p%u, %%v%u, 1;\nvote.sync.any.pred %%p%u, %%p%u, %s;\n", p, a, p, p, m);
        buffer_format(&w->b, "selp.b32 %%v%u, 1, 0, %%p%u;\n", d, p);
        break;
    case 4:
        buffer_format(&w->b, "match.any.sync.b32 %%v%u, %%v%u, %s;\n", d, a, m);
        break;
    case 5:
        buffer_format(&w->b, "redux.sync.add.s32 %%v%u, %%v%u, %s;\n", d, a, m);
        break;
    case 6:
        buffer_format(&w->b, "bar.warp.sync %s;\n", m);
        break;
    case 7: /* a value of a lane that may not take part, thrown away */
        buffer_format(&w->b, "shfl.sync.idx.b32 %%t, %%v%u, %u, 31, %s;\n", a, any(32), m);
        if (any(3) == 0)
            buffer_format(&w->b, "mov.b32 %%v%u, %%t;\n", d);
        break;
    default:
        buffer_format(&w->b, "activemask.b32 %%other;\n");
        break;
    }
}

static void write_statements(struct writer *w, const char *mask, unsigned count);

static void write_if(struct writer *w, const char *mask)
{
    const unsigned p = write_condition(w), label = ++w->labels, m = ++w->masks;
    char inside[24], outside[24];
    snprintf(inside, sizeof inside, "%%m%u", m);
    snprintf(outside, sizeof outside, "%%m%u", ++w->masks);
    buffer_format(&w->b, "vote.sync.ballot.b32 %s, %%p%u, %s;\nnot.b32 %s, %s;\nand.b32 %s, %s, %s;\n", inside, p, mask,
                  outside, inside, outside, outside, mask);
    buffer_format(&w->b, "@!%%p%u bra E%u;\n", p, label);
    write_statements(w, inside, 1 + any(2));
    if (any(6) == 0)
        buffer_format(&w->b, "ret;\n");
    else
        buffer_format(&w->b, "bra.uni J%u;\n", label);
    buffer_format(&w->b, "E%u:\n", label);
    write_statements(w, outside, any(3));
    buffer_format(&w->b, "J%u:\n", label);
}

/* Turns by a constant, by a parameter, or by a lane's own value (then under a mask that shrinks). */
static void write_loop(struct writer *w, const char *mask)
{
    const unsigned label = ++w->labels, kind = any(4), p = predicate(w), m = ++w->masks;
    char inside[24];
    if (kind == 3)
        snprintf(inside, sizeof inside, "%%m%u", m);
    else
        snprintf(inside, sizeof inside, "%s", mask);
    buffer_format(&w->b, "mov.u32 %%c%u, 0;\n", label);
    if (kind == 3)
        buffer_format(&w->b, "mov.b32 %s, %s;\n", inside, mask);
    buffer_format(&w->b, "L%u:\n", label);
    if (kind == 3) {
        buffer_format(&w->b, "and.b32 %%t, %%v%u, 3;\nsetp.lt.u32 %%p%u, %%c%u, %%t;\n", any(VALUES), p, label);
        buffer_format(&w->b, "vote.sync.ballot.b32 %s, %%p%u, %s;\n@!%%p%u bra X%u;\n", inside, p, inside, p, label);
    } else {
        if (kind == 0)
            buffer_format(&w->b, "setp.lt.u32 %%p%u, %%c%u, %u;\n", p, label, 1 + any(3));
        else if (kind == 1)
            buffer_format(&w->b, "and.b32 %%t, %%n, 3;\nsetp.lt.u32 %%p%u, %%c%u, %%t;\n", p, label);
        else
            buffer_format(&w->b, "and.b32 %%t, %%v%u, 3;\nsetp.lt.u32 %%p%u, %%c%u, %%t;\n", any(VALUES), p, label);
        buffer_format(&w->b, "@!%%p%u bra X%u;\n", p, label);
    }
    buffer_format(&w->b, "add.u32 %%c%u, %%c%u, 1;\n", label, label);
    write_statements(w, inside, 1 + any(2));
    buffer_format(&w->b, "bra.uni L%u;\nX%u:\n", label, label);
}

/* Statements under a mask that an instruction gives: equal words, lanes that happen to be there, a part of the warp. */
static void write_group(struct writer *w, const char *mask)
{
    const unsigned m = ++w->masks, label = ++w->labels, p = predicate(w);
    char inside[24];
    snprintf(inside, sizeof inside, "%%m%u", m);
    switch (any(4)) {
    case 0:
        buffer_format(&w->b, "and.b32 %%t, %%v%u, %u;\nmatch.any.sync.b32 %s, %%t, %s;\n", any(VALUES), 1 + any(3),
                      inside, mask);
        break;
    case 1:
        buffer_format(&w->b, "activemask.b32 %s;\n", inside);
        if (any(3) == 0)
            buffer_format(&w->b, "and.b32 %s, %s, %s;\n", inside, inside, mask);
        break;
    case 2: /* the lanes of a tile */
        buffer_format(&w->b, "and.b32 %%t, %%lane, 24;\nshl.b32 %s, 255, %%t;\n", inside);
        if (any(4) != 0)
            buffer_format(&w->b, "and.b32 %s, %s, %s;\n", inside, inside, mask);
        break;
    default: /* two constant halves, in two branches */
        buffer_format(&w->b, "setp.lt.u32 %%p%u, %%lane, %u;\n", p, any(5) ? 16u : 17u);
        buffer_format(&w->b, "selp.b32 %s, 65535, -65536, %%p%u;\n", inside, p);
        if (any(4) != 0)
            buffer_format(&w->b, "and.b32 %s, %s, %s;\n", inside, inside, mask);
        if (any(2)) {
            buffer_format(&w->b, "@!%%p%u bra G%u;\n", p, label);
            write_statements(w, inside, 1 + any(2));
            buffer_format(&w->b, "G%u:\n", label);
            return;
        }
        break;
    }
    write_statements(w, inside, 1 + any(2));
}

/* Shared and global memory: own words, a neighbour's behind bar.warp.sync, one word of all, counters. */
static void write_memory(struct writer *w, const char *mask)
{
    static const char *const orders[] = {"bar.warp.sync %s;\n", "bar.sync 0;\n", ""};
    const unsigned d = any(VALUES), a = any(VALUES);
    switch (any(5)) {
    case 0:
        buffer_format(&w->b, "st.shared.u32 [%%own], %%v%u;\n", a);
        buffer_format(&w->b, orders[w->depth == 1 ? any(3) : 0], mask);
        buffer_format(&w->b, "ld.shared.u32 %%v%u, [%%own%s];\n", d, any(2) ? "+4" : "");
        if (any(2))
            buffer_format(&w->b, orders[0], mask);
        break;
    case 1:
        buffer_format(&w->b, "ld.%s.u32 %%v%u, [%s];\n", any(2) ? "shared" : "volatile.shared", d,
                      any(2) ? "s" : "%own");
        break;
    case 2:
        buffer_format(&w->b, "atom.global.add.u32 %%v%u, [%%out], %%v%u;\n", d, a);
        break;
    case 3:
        buffer_format(&w->b, "ld.global.u32 %%v%u, [%%one];\n", d);
        break;
    default:
        buffer_format(&w->b, "st.global.u32 [%%one], %%v%u;\n", a);
        break;
    }
}

/* A function that meets under the mask that it is given, called once or twice, now and then by a part of the lanes. */
static void write_call(struct writer *w, const char *mask)
{
    const unsigned d = any(VALUES), a = any(VALUES);
    w->calls = true;
    buffer_format(&w->b,
                  "{\n.param .b32 pm; .param .b32 px; .param .b32 pr;\nst.param.b32 [pm], %s;\nst.param.b32 [px], "
                  "%%v%u;\n",
                  mask, a);
    if (any(8) == 0)
        buffer_format(&w->b, "@%%p%u call (pr), meet, (pm, px);\n", write_condition(w));
    else
        buffer_format(&w->b, "call.uni (pr), meet, (pm, px);\n");
    buffer_format(&w->b, "ld.param.b32 %%v%u, [pr];\n}\n", d);
}

static void write_plain(struct writer *w)
{
    static const char *const operations[] = {"add.s32", "sub.s32", "and.b32",   "or.b32",
                                             "xor.b32", "min.s32", "mul.lo.s32"};
    switch (any(8)) {
    case 0:
        buffer_format(&w->b, "ld.global.u32 %%v%u, [%%in];\n", any(VALUES));
        break;
    case 2: /* who does not write it holds what it held, which may be nothing */
        buffer_format(&w->b, "@%%p%u mov.u32 %%x%u, %%v%u;\n", write_condition(w), any(2), any(VALUES));
        break;
    case 3:
        buffer_format(&w->b, "add.u32 %%v%u, %%v%u, %%x%u;\n", any(VALUES), any(VALUES), any(2));
        break;
    case 1:
        buffer_format(&w->b, "add.u32 %%v%u, %%id, %u;\n", any(VALUES), any(4));
        break;
    default:
        buffer_format(&w->b, "%s %%v%u, %%v%u, %%v%u;\n", operations[any(7)], any(VALUES), any(VALUES), any(VALUES));
        break;
    }
}

static void write_statements(struct writer *w, const char *mask, unsigned count)
{
    for (; count > 0 && w->statements < 16; count--) {
        const unsigned kind = any(13);
        w->statements++;
        w->depth++;
        if (kind < 2 && w->depth < 4)
            write_if(w, mask);
        else if (kind < 3 && w->depth < 4)
            write_loop(w, mask);
        else if (kind < 7)
            write_warp(w, mask);
        else if (kind == 8 && w->depth < 4)
            write_group(w, mask);
        else if (kind == 9)
            write_memory(w, mask);
        else if (kind == 10 && any(2))
            write_call(w, mask);
        else if (kind == 11 && any(3) == 0)
            buffer_format(&w->b, "@%%p%u ret;\n", write_condition(w));
        else if (kind == 7) {
            const unsigned p = write_condition(w);
            buffer_format(&w->b,
                          any(4) == 0 && w->depth == 1 ? "bar.sync 0;\n" : "@%%p%u st.global.u32 [%%out], %%v%u;\n", p,
                          any(VALUES));
        } else
            write_plain(w);
        w->depth--;
    }
}

static void write_kernel(struct buffer *out)
{
    struct writer w = {0};
    write_statements(&w, "%all", 3 + any(5));
    buffer_format(out, ".version 8.0\n.target sm_80\n.address_size 64\n");
    if (w.calls)
        buffer_format(out, ".func (.param .b32 r) meet(.param .b32 m, .param .b32 x)\n{\n.reg .b32 %%m, %%x, %%y;\n"
                           "ld.param.b32 %%m, [m];\nld.param.b32 %%x, [x];\nredux.sync.add.s32 %%y, %%x, %%m;\n"
                           "st.param.b32 [r], %%y;\nret;\n}\n");
    buffer_format(out, ".visible .entry k(.param .u64 a, .param .u64 b, "
                       ".param .u32 n)\n{\n");
    buffer_format(out,
                  ".reg .pred %%p<%u>;\n.reg .b32 %%m<%u>, %%c<%u>, %%v<%u>, %%t, %%id, %%lane, %%n, %%all, "
                  "%%other, %%own, %%x<2>;\n.reg .b64 %%in, %%out, %%one, %%o;\n.shared .align 4 .b32 s[80];\n",
                  w.predicates + 1, w.masks + 1, w.labels + 1, VALUES);
    buffer_format(out, "ld.param.u64 %%out, [a];\nld.param.u64 %%in, [b];\nld.param.u32 %%n, [n];\nmov.u32 %%id, "
                       "%%tid.x;\nmov.u32 %%lane, %%laneid;\nmov.u32 %%all, -1;\nmov.u32 %%other, -1;\n");
    buffer_format(
        out, "cvta.to.global.u64 %%out, %%out;\nmov.u64 %%one, %%out;\nand.b32 %%own, %%id, 63;\nshl.b32 %%own, %%own, "
             "2;\nmov.u32 %%t, s;\nadd.u32 %%own, %%own, %%t;\ncvta.to.global.u64 %%in, %%in;\nmul.wide.u32 %%o, %%id, "
             "4;\nadd.u64 %%out, %%out, %%o;\nadd.u64 %%in, %%in, %%o;\n");
    for (unsigned v = 0; v < VALUES; v++)
        buffer_format(out, v % 2 ? "ld.global.u32 %%v%u, [%%in];\n" : "mov.u32 %%v%u, %%id;\n", v);
    buffer_add(out, w.b.data, w.b.size);
    buffer_format(out, "st.global.u32 [%%out], %%v0;\nret;\n}\n");
    buffer_free(&w.b);
}

struct counts {
    unsigned kernels, proved, wrong, open, contradictions, not_walked;
    unsigned apart; /* accesses of shared memory that race with none */
};

static bool is_about(enum kernel_kind kind, enum pair_obligation obligation)
{
    switch (obligation) {
    case PAIR_MEMBER:
        return kind == KERNEL_UNDEFINED;
    case PAIR_MEETS:
        return kind == KERNEL_DEADLOCK;
    case PAIR_USE:
        return kind == KERNEL_UNPREDICTABLE;
    case PAIR_BARRIER:
        return kind == KERNEL_BARRIER || kind == KERNEL_DEADLOCK;
    case PAIR_RACE:
        return kind == KERNEL_RACE;
    }
    return false;
}

/* Whole: every obligation proved; then no execution has any of these errors. Else place by place. */
static bool contradicts(const struct pair_outcome *o, bool whole, const struct kernel_search *s)
{
    for (uint32_t n = 0; n < s->findings_count; n++) {
        const struct kernel_event *const e = &s->findings[n].event;
        if (!kernel_is_error(e->kind))
            continue;
        if (whole && e->kind != KERNEL_RACE)
            return true;
        for (size_t i = 0; i < o->count; i++)
            if (o->items[i].at == e->at && o->items[i].verdict == PAIR_PROVED &&
                is_about(e->kind, o->items[i].obligation))
                return true;
    }
    return false;
}

static void look_at(const char *text, size_t size, struct counts *counts)
{
    static struct kernel_search search;
    struct kernel_search_options options = {.impl = spec_get(),
                                            .seed = 1,
                                            .seconds = 600,
                                            .executions = EXECUTIONS,
                                            .steps = 100000,
                                            .blocks = {{32, 1, 1}, {64, 1, 1}},
                                            .blocks_count = 2};
    struct error error = {0};
    struct module *const module = module_read(text, size, "random.ptx", &error);
    /* The entry stands last. */
    struct code *const code = module != NULL ? code_new(module, module->functions_count - 1, &error) : NULL;
    struct pair_outcome outcome;
    bool whole, walked, error_seen;
    if (code == NULL) {
        printf("%s\n%s", error.text, text);
        exit(1);
    }
    memset(&search, 0, sizeof search);
    kernel_find_slots(code, &search.slots);
    if (!kernel_search(code, &options, &search)) {
        printf("%s\n%s", search.why, text);
        exit(1);
    }
    const struct pair_options how = {
        .slots = &search.slots, .races = true, .effort = PAIR_EFFORT, .memory_mb = 1000, .seconds = 3600};
    walked = pair_prove(code, &how, &outcome, &error);
    whole = walked;
    for (size_t i = 0; i < outcome.count; i++) {
        const bool proved = outcome.items[i].verdict == PAIR_PROVED;
        if (outcome.items[i].obligation != PAIR_RACE)
            whole &= proved;
        else
            counts->apart += walked && proved;
    }
    error_seen = kernel_errors(&search) > 0;
    counts->kernels++;
    counts->proved += whole;
    counts->wrong += error_seen;
    counts->open += !whole && !error_seen;
    counts->not_walked += !walked;
    if (walked && contradicts(&outcome, whole, &search)) {
        counts->contradictions++;
        printf("CONTRADICTION\n%s", text);
        for (uint32_t n = 0; n < search.findings_count; n++)
            printf("executed: %s at PTX line %u\n", kernel_kind_name(search.findings[n].event.kind),
                   code_place(code, search.findings[n].event.at).ptx_line);
        for (size_t i = 0; i < outcome.count; i++)
            printf("%s of PTX line %u: %s\n", pair_obligation_name(outcome.items[i].obligation),
                   code_place(code, outcome.items[i].at).ptx_line,
                   outcome.items[i].verdict == PAIR_PROVED ? "PROVED" : "not proved");
    }
    pair_outcome_free(&outcome);
    code_free(code);
    module_free(module);
}

int main(int argc, char **argv)
{
    const unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 50;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct counts counts = {0};
    for (unsigned n = 0; n < count; n++) {
        struct buffer text = {0};
        seed.state = random_mix(first + n);
        write_kernel(&text);
        look_at(text.data, text.size, &counts);
        buffer_free(&text);
    }
    printf("%u kernels: %u proved, %u wrong by execution, %u neither (%u not walked), %u accesses without a race; %u "
           "contradictions\n",
           counts.kernels, counts.proved, counts.wrong, counts.open, counts.not_walked, counts.apart,
           counts.contradictions);
    if (counts.proved == 0 || counts.wrong == 0 || counts.apart == 0) {
        printf("FAIL: a test that sees only one side shows nothing\n");
        return 1;
    }
    return counts.contradictions == 0 ? 0 : 1;
}
