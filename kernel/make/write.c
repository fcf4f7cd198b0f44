#include "kernel/make/make_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- registers and small pieces ---- */

uint32_t write_any(struct writer *w, uint32_t n)
{
    return (uint32_t)random_below(&w->r, n);
}

unsigned write_temp(struct writer *w)
{
    return w->temps++;
}

unsigned write_predicate(struct writer *w)
{
    return w->predicates++;
}

static const char *const relations[] = {"eq", "ne", "lt", "le", "gt", "ge"};

static bool relate(unsigned relation, uint32_t x, uint32_t y)
{
    const bool answers[] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
    return answers[relation];
}

unsigned write_lane_condition(struct writer *w, lanemask *lanes)
{
    const unsigned p = write_predicate(w), relation = write_any(w, 6), t = write_temp(w);
    const bool bits = write_any(w, 2) == 0;
    const uint32_t with = bits ? 1 + write_any(w, 31) : UINT32_MAX,
                   to = bits ? with & write_any(w, 32) : write_any(w, 32);
    const unsigned used = bits ? relation % 2 : relation; /* of bits: are they these, or not */
    *lanes = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        *lanes |= (lanemask)relate(used, lane & with, to) << lane;
    if (bits)
        PUT("and.b32 %%t%u, %%lane, %" PRIu32 ";\nsetp.%s.u32 %%p%u, %%t%u, %" PRIu32 ";\n", t, with, relations[used],
            p, t, to);
    else
        PUT("setp.%s.u32 %%p%u, %%lane, %" PRIu32 ";\n", relations[used], p, to);
    return p;
}

unsigned write_data_condition(struct writer *w)
{
    const unsigned p = write_predicate(w), t = write_temp(w), v = write_any(w, w->values);
    const char *const relation = relations[write_any(w, 6)];
    bool is_equal;
    switch (write_any(w, 4)) {
    case 0:
        is_equal = write_any(w, 2);
        PUT("and.b32 %%t%u, %%v%u, %u;\nsetp.%s.u32 %%p%u, %%t%u, 0;\n", t, v, 1u << write_any(w, 5),
            is_equal ? "eq" : "ne", p, t);
        break;
    case 1:
        PUT("setp.%s.%c32 %%p%u, %%v%u, %%v%u;\n", relation, relation[0] == 'g' && p % 4 == 3 ? 'u' : 's', p, v,
            (v + 1 + write_any(w, w->values - 1)) % w->values);
        break;
    case 2:
        PUT("popc.b32 %%t%u, %%v%u;\nsetp.%s.u32 %%p%u, %%t%u, %u;\n", t, v, relation, p, t, 1 + write_any(w, 16));
        break;
    default:
        PUT("and.b32 %%t%u, %%v%u, 7;\nsetp.%s.u32 %%p%u, %%t%u, %u;\n", t, v, relation, p, t, 1 + write_any(w, 6));
        break;
    }
    return p;
}

/* The same for all lanes of a warp. */
static unsigned write_uniform_condition(struct writer *w)
{
    const unsigned p = write_predicate(w), t = write_temp(w);
    if (write_any(w, 2)) {
        const unsigned with = write_any(w, 5);
        PUT("setp.%s.u32 %%p%u, %%n, %u;\n", relations[write_any(w, 6)], p, with);
    } else {
        PUT("shr.u32 %%t%u, %%id, 5;\nand.b32 %%t%u, %%t%u, 1;\nsetp.eq.u32 %%p%u, %%t%u, %u;\n", t, t, t, p, t,
            write_any(w, 2));
    }
    return p;
}

/* ---- arithmetic ---- */

static void write_wide(struct writer *w, unsigned d, unsigned a)
{
    switch (write_any(w, 4)) {
    case 0:
        PUT("mul.wide.u32 %%w%u, %%v%u, %%v%u;\nadd.s64 %%w0, %%w0, %%w%u;\n", w->wides, a, d, w->wides);
        break;
    case 1:
        PUT("cvt.s64.s32 %%w%u, %%v%u;\nxor.b64 %%w0, %%w0, %%w%u;\n", w->wides, a, w->wides);
        break;
    case 2:
        PUT("shr.u64 %%w%u, %%w0, %u;\ncvt.u32.u64 %%t%u, %%w%u;\nadd.s32 %%v%u, %%v%u, %%t%u;\n", w->wides,
            1 + write_any(w, 40), w->temps, w->wides, d, d, w->temps);
        w->temps++;
        break;
    default:
        PUT("mov.b64 %%w%u, {%%v%u, %%v%u};\nmin.u64 %%w0, %%w0, %%w%u;\n", w->wides, a, d, w->wides);
        break;
    }
    w->wides++;
}

static void write_step(struct writer *w)
{
    static const char *const two[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32",
                                      "xor.b32", "min.s32", "max.u32",    "min.u32", "max.s32"};
    const unsigned d = write_any(w, w->values), a = write_any(w, w->values), b = write_any(w, w->values),
                   t = write_temp(w);
    unsigned p, table, by, from;
    switch (write_any(w, w->k->size == MAKE_TINY ? 7 : 10)) { /* the last are 64 bits, division and the usual ones */
    case 0:
        PUT("mad.lo.s32 %%v%u, %%v%u, %u, %%v%u;\n", d, a, 3 + write_any(w, 1000), b);
        break;
    case 1:
        by = 1 + write_any(w, 31);
        PUT("%s.b32 %%t%u, %%v%u, %u;\nxor.b32 %%v%u, %%v%u, %%t%u;\n", write_any(w, 2) ? "shl" : "shr", t, a, by, d, d,
            t);
        break;
    case 2:
        table = write_any(w, 256);
        if (w->k->target >= WARP_TARGET(50, 0))
            PUT("lop3.b32 %%v%u, %%v%u, %%v%u, %%v%u, %u;\n", d, a, b, d, table);
        else
            PUT("and.b32 %%t%u, %%v%u, %%v%u;\nxor.b32 %%v%u, %%v%u, %%t%u;\n", t, a, b, d, d, t);
        break;
    case 3:
        PUT("prmt.b32 %%v%u, %%v%u, %%v%u, %u;\n", d, a, b, write_any(w, 65536));
        break;
    case 4:
        by = write_any(w, 33);
        from = write_any(w, 32);
        PUT("bfe.%s32 %%t%u, %%v%u, %u, %u;\nadd.s32 %%v%u, %%v%u, %%t%u;\n", write_any(w, 2) ? "u" : "s", t, a, from,
            by, d, d, t);
        break;
    case 5:
        p = write_data_condition(w);
        PUT("selp.b32 %%v%u, %%v%u, %%v%u, %%p%u;\n", d, a, b, p);
        break;
    case 6:
        PUT("%s.b32 %%t%u, %%v%u;\nadd.s32 %%v%u, %%v%u, %%t%u;\n", write_any(w, 2) ? "popc" : "clz", t, a, d, d, t);
        break;
    case 7:
        write_wide(w, d, a);
        break;
    case 8:
        by = 1 + write_any(w, 31);
        PUT("%s.u32 %%v%u, %%v%u, %u;\n", write_any(w, 2) ? "rem" : "div", d, a, by);
        break;
    default:
        PUT("%s %%v%u, %%v%u, %%v%u;\n", two[write_any(w, 10)], d, a, b);
        break;
    }
}

void write_compute(struct writer *w, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        if (w->k->size == MAKE_WIDE && write_any(w, 4) != 0)
            write_wide_step(w);
        else
            write_step(w);
}

/* ---- statements ---- */

static void write_list(struct writer *w, uint16_t first, struct scope *s);

/* Lanes have exited, perhaps: finds out who is left. */
static void look_again(struct writer *w, struct scope *s)
{
    const unsigned t = write_temp(w), p = write_predicate(w);
    PUT("setp.eq.u32 %%p%u, 0, 0;\nvote.sync.ballot.b32 %%t%u, %%p%u, %s;\n", p, t, p, s->here);
    memcpy(s->stale, s->here, sizeof s->stale);
    snprintf(s->here, sizeof s->here, "%%t%u", t);
    s->exited = true;
    s->in_block = false;
}

static void write_results(struct writer *w)
{
    w->used |= USED_OUT;
    if (w->k->size == MAKE_TINY) {
        PUT("st.global.v4.b32 [%%out], {%%v0, %%v1, %%v2, %%v3};\n");
        return;
    }
    PUT("st.global.v4.b32 [%%out], {%%v0, %%v1, %%v2, %%v3};\nst.global.v2.b32 [%%out+16], {%%v4, %%v5};\n"
        "st.global.b64 [%%out+24], %%w0;\n");
}

/* Some lanes leave their results and exit: right here, or at the end of the entry's text, where others wait for them
 * meanwhile. */
static void write_exit(struct writer *w, struct scope *s)
{
    lanemask lanes;
    const unsigned label = w->labels++;
    if (s->in_function)
        return;
    const unsigned p = write_any(w, 2) ? write_lane_condition(w, &lanes) : write_data_condition(w);
    const char *const how = write_any(w, 2) ? "ret" : "exit";
    if (write_any(w, 2)) {
        struct buffer *const here = w->out;
        PUT("@%%p%u bra X%u;\n", p, label);
        w->out = w->late;
        PUT("X%u:\n", label);
        write_results(w);
        PUT("%s;\n", how);
        w->out = here;
    } else {
        PUT("@!%%p%u bra L%u;\n", p, label);
        write_results(w);
        PUT("%s;\nL%u:\n", how, label);
    }
    w->exits++;
    look_again(w, s);
}

/* The lanes of the scope in which the predicate is true, and the others, in two new scopes. */
static void split(struct writer *w, const struct scope *s, unsigned p, struct scope *inside, struct scope *outside)
{
    const unsigned in = write_temp(w), out = write_temp(w);
    PUT("vote.sync.ballot.b32 %%t%u, %%p%u, %s;\nnot.b32 %%t%u, %%t%u;\nand.b32 %%t%u, %%t%u, %s;\n", in, p, s->here,
        out, in, out, out, s->here);
    *inside = *outside = *s;
    snprintf(inside->here, sizeof inside->here, "%%t%u", in);
    snprintf(outside->here, sizeof outside->here, "%%t%u", out);
    inside->is_known = outside->is_known = inside->in_block = outside->in_block = false;
    inside->diverged = outside->diverged = true;
    inside->stale[0] = outside->stale[0] = '\0';
}

/* The two lists of a branch by %p. */
static void write_branches(struct writer *w, const struct make_node *node, unsigned p, struct scope *inside,
                           struct scope *outside)
{
    const unsigned label = w->labels++;
    const bool uniform = node->place == MAKE_IF_UNIFORM;
    PUT("@!%%p%u bra%s E%u;\n", p, uniform && write_any(w, 2) ? ".uni" : "", label);
    write_list(w, node->body, inside);
    if (node->other != 0) {
        PUT("bra J%u;\nE%u:\n", label, label);
        write_list(w, node->other, outside);
        PUT("J%u:\n", label);
    } else {
        PUT("E%u:\n", label);
    }
}

static void write_if(struct writer *w, const struct make_node *node, const struct scope *s)
{
    struct scope inside, outside;
    lanemask lanes = 0;
    unsigned p;
    if (node->place == MAKE_IF_UNIFORM) {
        p = write_uniform_condition(w);
        inside = outside = *s;
        inside.in_block = outside.in_block = false;
    } else {
        p = node->place == MAKE_IF_LANE ? write_lane_condition(w, &lanes) : write_data_condition(w);
        split(w, s, p, &inside, &outside);
        if (node->place == MAKE_IF_LANE && s->is_known) {
            inside.is_known = outside.is_known = true;
            inside.known = s->known & lanes;
            outside.known = s->known & ~lanes;
        }
    }
    inside.place = node->place == MAKE_ELSE ? MAKE_IF_DATA : node->place;
    outside.place = node->place == MAKE_IF_UNIFORM ? MAKE_IF_UNIFORM : MAKE_ELSE;
    write_branches(w, node, p, &inside, &outside);
}

/* A loop of 2 or 3 turns, or as many as the parameter says. */
static void write_loop(struct writer *w, const struct make_node *node, const struct scope *s)
{
    const unsigned label = w->labels++, turns = write_temp(w), mask = write_temp(w), p = write_predicate(w);
    struct scope inside = *s;
    if (write_any(w, 2))
        PUT("mov.b32 %%t%u, %u;\n", turns, 2 + write_any(w, 2));
    else
        PUT("max.u32 %%t%u, %%n, 1;\n", turns);
    PUT("mov.b32 %%t%u, %s;\nL%u:\n", mask, s->here, label);
    snprintf(inside.here, sizeof inside.here, "%%t%u", mask);
    inside.place = MAKE_LOOP;
    inside.stale[0] = '\0';
    write_list(w, node->body, &inside);
    /* Not bra.uni: groups of the body may be in different turns and come to it together. */
    (void)write_any(w, 2); /* so that what follows is drawn as it was when this was a choice */
    PUT("mov.b32 %%t%u, %s;\nsub.s32 %%t%u, %%t%u, 1;\nsetp.gt.s32 %%p%u, %%t%u, 0;\n@%%p%u bra L%u;\n", mask,
        inside.here, turns, turns, p, turns, p, label);
}

/* Each lane has its own number of turns. */
static void write_loop_lane(struct writer *w, const struct make_node *node, const struct scope *s)
{
    const unsigned label = w->labels++, turns = write_temp(w), mask = write_temp(w), p = write_predicate(w);
    struct scope inside = *s;
    if (write_any(w, 2))
        PUT("and.b32 %%t%u, %%v%u, 3;\n", turns, write_any(w, w->values));
    else
        PUT("and.b32 %%t%u, %%lane, %u;\n", turns, 1 + write_any(w, 3));
    PUT("mov.b32 %%t%u, %s;\nL%u:\n", mask, s->here, label);
    snprintf(inside.here, sizeof inside.here, "%%t%u", mask);
    inside.place = MAKE_LOOP_LANE;
    inside.stale[0] = '\0';
    inside.is_known = inside.in_block = false;
    inside.diverged = true;
    write_list(w, node->body, &inside);
    PUT("sub.s32 %%t%u, %%t%u, 1;\nsetp.ge.s32 %%p%u, %%t%u, 0;\nvote.sync.ballot.b32 %%t%u, %%p%u, %s;\n@%%p%u bra "
        "L%u;\n",
        turns, turns, p, turns, mask, p, inside.here, p, label);
}

/* In each turn some lanes leave their results and exit. */
static void write_loop_exit(struct writer *w, const struct make_node *node, const struct scope *s)
{
    const unsigned label = w->labels++, skip = w->labels++, turns = write_temp(w), mask = write_temp(w),
                   p = write_predicate(w), q = write_predicate(w), t = write_temp(w);
    struct scope inside = *s;
    PUT("mov.b32 %%t%u, 3;\nmov.b32 %%t%u, %s;\nL%u:\n", turns, mask, s->here, label);
    snprintf(inside.here, sizeof inside.here, "%%t%u", mask);
    inside.place = s->in_function ? MAKE_LOOP : MAKE_LOOP_EXIT;
    inside.stale[0] = '\0';
    inside.exited = !s->in_function || s->exited;
    inside.in_block = false;
    write_list(w, node->body, &inside);
    if (!s->in_function) {
        PUT("add.s32 %%t%u, %%lane, %%t%u;\nand.b32 %%t%u, %%t%u, 7;\nsetp.ne.s32 %%p%u, %%t%u, %u;\n@%%p%u bra L%u;\n",
            t, turns, t, t, q, t, write_any(w, 8), q, skip);
        write_results(w);
        PUT("ret;\nL%u:\n", skip);
        w->exits++;
        look_again(w, &inside);
    }
    PUT("mov.b32 %%t%u, %s;\nsub.s32 %%t%u, %%t%u, 1;\nsetp.gt.s32 %%p%u, %%t%u, 0;\n@%%p%u bra L%u;\n", mask,
        inside.here, turns, turns, p, turns, p, label);
}

static void write_switch(struct writer *w, const struct make_node *node, const struct scope *s)
{
    const unsigned label = w->labels++, index = write_temp(w), mask = write_temp(w);
    struct scope inside = *s;
    if (write_any(w, 2))
        PUT("and.b32 %%t%u, %%v%u, 3;\n", index, write_any(w, w->values));
    else
        PUT("shr.u32 %%t%u, %%lane, %u;\nand.b32 %%t%u, %%t%u, 3;\n", index, write_any(w, 4), index, index);
    PUT("mov.b32 %%t%u, 0;\n", mask);
    for (unsigned n = 0; n < 4; n++) { /* the lanes with the same index */
        const unsigned p = write_predicate(w), t = write_temp(w);
        PUT("setp.eq.u32 %%p%u, %%t%u, %u;\nvote.sync.ballot.b32 %%t%u, %%p%u, %s;\nselp.b32 %%t%u, %%t%u, %%t%u, "
            "%%p%u;\n",
            p, index, n, t, p, s->here, mask, t, mask, p);
    }
    snprintf(inside.here, sizeof inside.here, "%%t%u", mask);
    inside.place = MAKE_SWITCH;
    inside.stale[0] = '\0';
    inside.is_known = inside.in_block = false;
    inside.diverged = true;
    struct scope other = inside;
    PUT("T%u: .branchtargets S%u_0, S%u_1, S%u_2, S%u_3;\nbrx.idx %%t%u, T%u;\nS%u_0:\n", label, label, label, label,
        label, index, label, label);
    write_list(w, node->body, &inside);
    PUT("bra J%u;\nS%u_1:\n", label, label);
    write_list(w, node->other, &other);
    PUT("bra J%u;\nS%u_2:\n", label, label);
    write_compute(w, 1);
    PUT("S%u_3:\n", label); /* the third falls through to it */
    write_compute(w, 1);
    PUT("J%u:\n", label);
}

/* ---- functions ---- */

static void write_registers(const struct writer *w, struct buffer *out)
{
    buffer_format(
        out,
        ".reg .b32 %%v<%u>;\n.reg .b32 %%t<%u>;\n.reg .b64 %%w<%u>;\n.reg .f32 %%f<%u>;\n.reg .pred %%p<%u>;\n"
        ".reg .b16 %%h<4>;\n.reg .b32 %%id, %%lane, %%n, %%sh;\n.reg .b64 %%mem, %%in, %%out, %%acc;\n",
        VALUES, w->temps + 1, w->wides + 1, w->reals + 1, w->predicates + 1);
    if (w->k->size == MAKE_WIDE)
        buffer_text(out, ".reg .f64 %d<3>;\n");
}

/* What both entries and functions begin with; %mem and %n are set. */
static void write_start(struct writer *w, struct buffer *out)
{
    const uint32_t threads = w->k->block * w->k->grid;
    const unsigned used = w->k->size == MAKE_LARGE ? USED_ALL : w->used;
    buffer_text(out, "mov.u32 %id, %tid.x;\nmov.u32 %lane, %laneid;\n");
    if (used & USED_SHARED)
        buffer_format(out, "mov.u32 %%sh, %s_shared;\n", w->name);
    if (used & (USED_IN | USED_OUT | USED_SUMS))
        buffer_text(out, "mov.u32 %t0, %ctaid.x;\n");
    if (used & (USED_IN | USED_OUT))
        buffer_format(out, "mad.lo.u32 %%t1, %%t0, %" PRIu32 ", %%id;\n", w->k->block);
    if (used & USED_IN)
        buffer_format(out, "mul.wide.u32 %%w1, %%t1, %u;\nadd.s64 %%in, %%mem, %%w1;\n", MAKE_IN * 4);
    if (used & USED_OUT)
        buffer_format(out,
                      "mul.wide.u32 %%w1, %%t1, %u;\nadd.s64 %%out, %%mem, %%w1;\nadd.s64 %%out, %%out, %" PRIu32 ";\n",
                      MAKE_OUT * 4, threads * MAKE_IN * 4);
    if (used & USED_SUMS)
        buffer_format(out,
                      "mul.wide.u32 %%w1, %%t0, %u;\nadd.s64 %%acc, %%mem, %%w1;\nadd.s64 %%acc, %%acc, %" PRIu32 ";\n",
                      MAKE_SUMS * 4, threads * (MAKE_IN + MAKE_OUT) * 4);
}

static void write_parameters(struct writer *w, struct buffer *out)
{
    for (unsigned n = 0; n < w->values; n++)
        buffer_format(out, "ld.param.b32 %%v%u, [a%u];\n", n, n);
    buffer_text(out, "ld.param.b32 %n, [an];\nld.param.b64 %mem, [amem];\nmov.b64 %w0, 0;\n");
    write_start(w, out);
}

static void write_function(struct writer *w, const struct make_node *node, const struct scope *s, unsigned number)
{
    struct buffer body = {0}, text = {0}, *outer = w->out;
    struct scope inside = *s;
    const unsigned mask = write_temp(w), used = w->used;
    inside.in_function = true;
    w->used = 0;
    inside.place = MAKE_CALL;
    inside.is_known = inside.in_block = false;
    inside.stale[0] = '\0';
    snprintf(inside.here, sizeof inside.here, "%%t%u", mask);
    w->out = &body;
    PUT("ld.param.b32 %%t%u, [amask];\n", mask);
    write_list(w, node->body, &inside);
    for (unsigned n = 1; n < w->values; n++)
        PUT("mad.lo.s32 %%v0, %%v0, 31, %%v%u;\n", n);
    PUT("cvt.u32.u64 %%v1, %%w0;\nadd.s32 %%v0, %%v0, %%v1;\nst.param.b32 [result], %%v0;\nret;\n}\n");
    w->out = outer;
    buffer_format(&text, ".func (.param .b32 result) %s_f%u(", w->name, number);
    for (unsigned n = 0; n < w->values; n++)
        buffer_format(&text, ".param .b32 a%u, ", n);
    buffer_text(&text, ".param .b32 an, .param .b32 amask, .param .b64 amem)\n{\n");
    write_registers(w, &text);
    write_parameters(w, &text);
    w->used = used;
    buffer_add(&text, body.data, body.size);
    buffer_add(w->functions, text.data, text.size);
    w->functions->failed |= body.failed || text.failed;
    buffer_free(&body);
    buffer_free(&text);
}

/* One call: the value that the function returns goes into %v of `d`. */
static void write_call_of(struct writer *w, const struct scope *s, unsigned number, unsigned d)
{
    PUT("{\n");
    for (unsigned n = 0; n < w->values; n++)
        PUT(".param .b32 b%u;\nst.param.b32 [b%u], %%v%u;\n", n, n, n);
    PUT(".param .b32 bn;\nst.param.b32 [bn], %%n;\n.param .b32 bmask;\nst.param.b32 [bmask], %s;\n"
        ".param .b64 bmem;\nst.param.b64 [bmem], %%mem;\n.param .b32 got;\ncall%s (got), %s_f%u, (",
        s->here, s->diverged ? "" : ".uni", w->name, number);
    for (unsigned n = 0; n < w->values; n++)
        PUT("b%u, ", n);
    PUT("bn, bmask, bmem);\nld.param.b32 %%v%u, [got];\n}\n", d);
}

static void write_call(struct writer *w, const struct make_node *node, const struct scope *s)
{
    const unsigned number = w->calls++, d = write_any(w, w->values);
    struct scope apart = *s;
    write_function(w, node, s, number);
    if (write_any(w, 3) != 0 || warp_target_needs_convergence(w->k->target)) {
        write_call_of(w, s, number, d);
        return;
    }
    /* From two places: the lanes meet in the function, and each returns to its own. */
    const unsigned p = write_data_condition(w), label = w->labels++;
    apart.diverged = true;
    PUT("@!%%p%u bra E%u;\n", p, label);
    write_compute(w, 1);
    write_call_of(w, &apart, number, d);
    PUT("bra J%u;\nE%u:\n", label, label);
    write_call_of(w, &apart, number, (d + 1) % w->values);
    PUT("J%u:\n", label);
}

/* ---- all of it ---- */

static void write_control(struct writer *w, const struct make_node *node, struct scope *s)
{
    const unsigned exits = w->exits;
    switch (node->place) {
    case MAKE_IF_LANE:
    case MAKE_IF_DATA:
    case MAKE_ELSE:
    case MAKE_IF_UNIFORM:
        write_if(w, node, s);
        break;
    case MAKE_LOOP:
        write_loop(w, node, s);
        break;
    case MAKE_LOOP_LANE:
        write_loop_lane(w, node, s);
        break;
    case MAKE_LOOP_EXIT:
        write_loop_exit(w, node, s);
        break;
    case MAKE_SWITCH:
        write_switch(w, node, s);
        break;
    case MAKE_CALL:
        write_call(w, node, s);
        break;
    case MAKE_TOP:
    case MAKE_MEET:
    case MAKE_GUARD:
    case MAKE_PLACES:
        break;
    }
    if (w->exits != exits)
        look_again(w, s);
}

/* Each statement draws from its own salt, so that it does not change when another one is left out. */
static void write_list(struct writer *w, uint16_t first, struct scope *s)
{
    const struct random outer = w->r;
    for (uint16_t n = first; n != 0; n = w->k->nodes[n].next) {
        const struct make_node *const node = &w->k->nodes[n];
        w->r = (struct random){random_mix(node->salt + RANDOM_STEP)};
        switch (node->kind) {
        case MAKE_COMPUTE:
            write_compute(w, w->k->size == MAKE_LARGE || w->k->size == MAKE_WIDE ? 2 + write_any(w, 4) : 1);
            break;
        case MAKE_EXIT:
            write_exit(w, s);
            break;
        case MAKE_HOST:
            write_host(w, node, s);
            break;
        case MAKE_CONTROL:
            write_control(w, node, s);
            break;
        }
    }
    w->r = outer;
}

void make_name(const struct make_kernel *kernel, char name[MAKE_NAME_MAX])
{
    snprintf(name, MAKE_NAME_MAX, "k%" PRIu64, kernel->number);
}

void make_write_head(const struct make_kernel *kernel, struct buffer *out)
{
    buffer_format(out, ".version %u.%u\n.target %s\n.address_size 64\n\n", kernel->ptx / 10, kernel->ptx % 10,
                  warp_target_name(kernel->target));
}

/* The lanes of the warp that exist. */
static void write_existing(struct writer *w, struct scope *s)
{
    const uint32_t rest = w->k->block % WARP_LANES;
    *s = (struct scope){.is_known = true, .known = UINT32_MAX, .place = MAKE_TOP, .in_block = true};
    snprintf(s->here, sizeof s->here, "%%t2");
    PUT("mov.b32 %%t2, -1;\n");
    if (rest != 0)
        PUT("setp.ge.u32 %%p0, %%id, %" PRIu32 ";\nselp.b32 %%t2, %u, -1, %%p0;\n", w->k->block - rest,
            (1u << rest) - 1);
}

/* Takes the marks out of the text from `start` on, and notes between which lines each stood. */
static void take_marks(struct buffer *out, size_t start, struct make_feature *features)
{
    char *const text = out->data;
    uint32_t line = 1, mark;
    size_t to = start;
    for (size_t at = 0; at < start; at++)
        line += text[at] == '\n';
    for (size_t at = start; at < out->size;) {
        const char *const end = memchr(text + at, '\n', out->size - at);
        const size_t length = end != NULL ? (size_t)(end - text) + 1 - at : out->size - at;
        if (text[at] == '/' && sscanf(text + at, "//%" SCNu32, &mark) == 1) {
            *(features[mark].from == 0 ? &features[mark].from : &features[mark].to) = line;
        } else {
            memmove(text + to, text + at, length);
            to += length;
            line++;
        }
        at += length;
    }
    out->size = to;
    text[to] = '\0';
}

void make_write(const struct make_kernel *kernel, struct buffer *out, struct make_feature *features, unsigned *count)
{
    struct buffer body = {0}, functions = {0}, late = {0};
    struct writer w = {.k = kernel,
                       .out = &body,
                       .functions = &functions,
                       .late = &late,
                       .features = features,
                       .temps = 3,
                       .wides = 2,
                       .predicates = 1,
                       .values = kernel->size == MAKE_TINY ? MAKE_IN : VALUES};
    struct writer *const at = &w;
    struct scope s;
    const size_t start = out->size;
    make_name(kernel, w.name);
    write_existing(at, &s);
    write_list(at, kernel->root, &s);
    write_results(at);
    buffer_text(&body, "ret;\n");
    buffer_add(&body, buffer_string(&late), late.size);
    buffer_text(&body, "}\n\n");
    buffer_format(out, ".shared .align 16 .b8 %s_shared[%" PRIu32 "];\n", w.name, kernel->block * 8);
    buffer_add(out, functions.data, functions.size);
    buffer_format(out, ".visible .entry %s(.param .u64 .ptr .global .align 16 %s_mem, .param .u32 %s_n)\n{\n", w.name,
                  w.name, w.name);
    write_registers(at, out);
    buffer_format(out, "ld.param.u64 %%mem, [%s_mem];\ncvta.to.global.u64 %%mem, %%mem;\nld.param.u32 %%n, [%s_n];\n",
                  w.name, w.name);
    w.used |= USED_IN;
    write_start(at, out);
    buffer_text(out, "ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%in];\n");
    if (kernel->size != MAKE_TINY)
        buffer_text(out, "add.s32 %v4, %v0, %id;\nxor.b32 %v5, %v1, %v3;\nmov.b64 %w0, {%v2, %v3};\n");
    buffer_add(out, body.data, body.size);
    out->failed |= body.failed || functions.failed || late.failed;
    buffer_free(&late);
    if (features != NULL && !out->failed)
        take_marks(out, start, features);
    if (count != NULL)
        *count = w.features_count;
    buffer_free(&body);
    buffer_free(&functions);
}

/* ---- memory ---- */

uint32_t make_memory_size(const struct make_kernel *k)
{
    return (k->block * k->grid * (MAKE_IN + MAKE_OUT) + k->grid * MAKE_SUMS) * 4;
}

static uint32_t input_word(const struct make_kernel *k, uint32_t thread, unsigned word)
{
    const uint64_t bits = random_mix(k->seed + RANDOM_STEP * (k->number + 1) + random_mix(thread * MAKE_IN + word));
    if (k->zeroed >> word & 1u)
        return 0;
    switch (k->inputs >> word * 8 & 7u) {
    case 0:
        return thread;
    case 1:
        return bits & 1;
    case 2:
        return bits & 7;
    case 3:
        return (uint32_t)(bits >> 32) >> (bits & 31);
    case 4:
        return thread / 4;
    case 5:
        return (bits & 15) == 0 ? 1u << (bits >> 4 & 31) : 5;
    default:
        return (uint32_t)bits;
    }
}

void make_memory(const struct make_kernel *k, uint8_t *memory)
{
    const uint32_t size = make_memory_size(k), threads = k->block * k->grid;
    for (uint32_t n = 0; n < size / 4; n++) {
        uint32_t word = n < threads * MAKE_IN                ? input_word(k, n / MAKE_IN, n % MAKE_IN)
                        : n < threads * (MAKE_IN + MAKE_OUT) ? 0xcdcdcdcd
                                                             : 100 + n % MAKE_SUMS;
        memcpy(memory + n * 4, &word, 4);
    }
}
