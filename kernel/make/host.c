/* One warp instruction: its membermask, its operands, what is made of its answer, and what stands around it. */
#include "kernel/make/make_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What all places of one statement share: those that meet must execute the same forms one after the other. */
struct host {
    const struct warp_form_info *form;
    enum make_idiom idiom;
    struct group group;
    const struct scope *scope;
    char guard[REGISTER_MAX + 4]; /* "@%p3 " or "" */
    unsigned turns, modulus;
    bool summed; /* the answer may not be used by itself: activemask */
};

/* ---- membermasks ---- */

/* The lowest lane of a mask. */
static unsigned write_lowest(struct writer *w, const char *mask)
{
    const unsigned t = write_temp(w);
    PUT("brev.b32 %%t%u, %s;\nclz.b32 %%t%u, %%t%u;\n", t, mask, t, t);
    return t;
}

/* The next lane of the mask behind the own one; behind the last the first. */
static unsigned write_next(struct writer *w, const char *mask)
{
    const unsigned t = write_temp(w), first = write_lowest(w, mask), p = write_predicate(w);
    PUT("shl.b32 %%t%u, -2, %%lane;\nand.b32 %%t%u, %%t%u, %s;\nsetp.eq.u32 %%p%u, %%t%u, 0;\nbrev.b32 %%t%u, %%t%u;\n"
        "clz.b32 %%t%u, %%t%u;\nselp.b32 %%t%u, %%t%u, %%t%u, %%p%u;\n",
        t, t, t, mask, p, t, t, t, t, t, t, first, t, p);
    return t;
}

static void set_group(struct group *g, enum make_mask mask, unsigned t)
{
    g->mask = mask;
    snprintf(g->operand, sizeof g->operand, "%%t%u", t);
    memcpy(g->exact, g->operand, sizeof g->exact);
}

static void write_tile(struct writer *w, const char *here, struct group *g)
{
    const unsigned t = write_temp(w), width = 2u << write_any(w, 4);
    PUT("and.b32 %%t%u, %%lane, %u;\nshl.b32 %%t%u, %u, %%t%u;\nand.b32 %%t%u, %%t%u, %s;\n", t, 32 - width, t,
        (1u << width) - 1, t, t, t, here);
    set_group(g, MAKE_MASK_TILE, t);
}

static void write_relayed(struct writer *w, const char *here, struct group *g)
{
    const unsigned t = write_temp(w), leader = write_lowest(w, here);
    PUT("shfl.sync.idx.b32 %%t%u, %s, %%t%u, 31, %s;\n", t, here, leader, here);
    set_group(g, MAKE_MASK_RELAYED, t);
}

static void write_ballot_mask(struct writer *w, const char *here, struct group *g)
{
    const unsigned p = write_data_condition(w), t = write_temp(w), other = write_temp(w);
    PUT("vote.sync.ballot.b32 %%t%u, %%p%u, %s;\nxor.b32 %%t%u, %%t%u, %s;\nselp.b32 %%t%u, %%t%u, %%t%u, %%p%u;\n", t,
        p, here, other, t, here, t, t, other, p);
    set_group(g, MAKE_MASK_BALLOT, t);
}

/* The membermask that is asked for, or that of the place where it cannot be had. */
static void write_group(struct writer *w, enum make_mask mask, const struct scope *s, struct group *g)
{
    const unsigned t = write_temp(w), v = write_any(w, w->values);
    *g = (struct group){.mask = mask};
    memcpy(g->operand, s->here, sizeof g->operand);
    memcpy(g->exact, s->here, sizeof g->exact);
    switch (mask) {
    case MAKE_MASK_NONE:
    case MAKE_MASK_HERE:
    case MAKE_MASKS:
        break;
    case MAKE_MASK_CONST:
        if (s->is_known)
            snprintf(g->operand, sizeof g->operand, "%" PRIu32, s->known);
        else
            g->mask = MAKE_MASK_HERE;
        break;
    case MAKE_MASK_BALLOT:
        write_ballot_mask(w, s->here, g);
        break;
    case MAKE_MASK_MATCH:
        PUT("and.b32 %%t%u, %%v%u, 3;\n", t, v);
        if (make_form_is_legal(WARP_MATCH_ANY_SYNC_B32, w->k->ptx, w->k->target)) {
            PUT("match.any.sync.b32 %%t%u, %%t%u, %s;\n", t, t, s->here);
            set_group(g, mask, t);
        } else {
            g->mask = MAKE_MASK_HERE;
        }
        break;
    case MAKE_MASK_TILE:
        write_tile(w, s->here, g);
        break;
    case MAKE_MASK_OWN:
        PUT("shl.b32 %%t%u, 1, %%lane;\n", t);
        set_group(g, mask, t);
        break;
    case MAKE_MASK_ACTIVE:
        PUT("activemask.b32 %%t%u;\n", t);
        set_group(g, mask, t);
        break;
    case MAKE_MASK_STALE:
        if (s->stale[0] != '\0')
            memcpy(g->operand, s->stale, sizeof g->operand);
        else
            g->mask = MAKE_MASK_HERE;
        break;
    case MAKE_MASK_RELAYED:
        write_relayed(w, s->here, g);
        break;
    }
}

/* ---- the instructions: each returns the register of a value that is defined ---- */

/* The bit of a predicate. */
static unsigned write_bit(struct writer *w, unsigned p)
{
    const unsigned t = write_temp(w);
    PUT("selp.b32 %%t%u, 1, 0, %%p%u;\n", t, p);
    return t;
}

/* A destination under a guard keeps what it had. */
static void write_before(struct writer *w, const struct host *h, unsigned d, unsigned p, unsigned a)
{
    if (h->guard[0] == '\0')
        return;
    PUT("mov.b32 %%t%u, %%t%u;\nsetp.eq.u32 %%p%u, %%lane, 32;\n", d, a, p);
}

/* Destinations that the form takes here, one of them. */
static enum warp_dst draw_dst(struct writer *w, const struct warp_form_info *f)
{
    for (;;) {
        const uint32_t dst = write_any(w, WARP_DST_COUNT);
        if (warp_legal(f, dst, w->k->ptx, w->k->target, NULL, 0))
            return (enum warp_dst)dst;
    }
}

static void write_dst(struct writer *w, enum warp_dst dst, unsigned d, unsigned p)
{
    switch (dst) {
    case WARP_DST_D:
        PUT("%%t%u", d);
        break;
    case WARP_DST_D_P:
        PUT("%%t%u|%%p%u", d, p);
        break;
    case WARP_DST_SINK_P:
        PUT("_|%%p%u", p);
        break;
    case WARP_DST_D_SINK:
        PUT("%%t%u|_", d);
        break;
    case WARP_DST_NONE:
    case WARP_DST_COUNT:
        break;
    }
}

static void write_name(struct writer *w, const struct host *h)
{
    PUT("%s%s ", h->guard, h->form->name);
}

/* The end of the line: the membermask of those that have one. */
static void write_member(struct writer *w, const struct host *h)
{
    if (warp_form_is_sync(h->form))
        PUT(", %s", h->group.operand);
    PUT(";\n");
}

/* The source lane by the manual's pseudo-code, the own lane where there is none in range. */
static unsigned write_source_lane(struct writer *w, enum warp_op op, unsigned b, uint32_t c)
{
    const unsigned j = write_temp(w), most = write_temp(w), p = write_predicate(w);
    const uint32_t segment = c >> 8 & 31, clamp = c & 31;
    PUT("and.b32 %%t%u, %%t%u, 31;\nand.b32 %%t%u, %%lane, %" PRIu32 ";\nor.b32 %%t%u, %%t%u, %" PRIu32 ";\n", j, b,
        most, segment, most, most, clamp & ~segment);
    switch (op) {
    case WARP_UP:
        PUT("sub.s32 %%t%u, %%lane, %%t%u;\nsetp.ge.s32 %%p%u, %%t%u, %%t%u;\n", j, j, p, j, most);
        break;
    case WARP_DOWN:
        PUT("add.s32 %%t%u, %%lane, %%t%u;\nsetp.le.s32 %%p%u, %%t%u, %%t%u;\n", j, j, p, j, most);
        break;
    case WARP_BFLY:
        PUT("xor.b32 %%t%u, %%lane, %%t%u;\nsetp.le.s32 %%p%u, %%t%u, %%t%u;\n", j, j, p, j, most);
        break;
    case WARP_IDX: {
        const unsigned t = write_temp(w);
        PUT("and.b32 %%t%u, %%t%u, %" PRIu32 ";\nand.b32 %%t%u, %%lane, %" PRIu32
            ";\nor.b32 %%t%u, %%t%u, %%t%u;\nsetp.le.s32 %%p%u, %%t%u, %%t%u;\n",
            j, j, ~segment & 31, t, segment, j, j, t, p, j, most);
        break;
    }
    case WARP_OPS_BUT_SHFL:
        break;
    }
    PUT("selp.b32 %%t%u, %%t%u, %%lane, %%p%u;\n", j, j, p);
    return j;
}

/* An idx whose source is certainly in the group. */
static unsigned write_broadcast(struct writer *w, const struct host *h, unsigned a, bool next)
{
    const unsigned d = write_temp(w), p = write_predicate(w);
    const unsigned b = next ? write_next(w, h->group.exact) : write_lowest(w, h->group.exact);
    enum warp_dst dst = draw_dst(w, h->form);
    write_before(w, h, d, p, a);
    write_name(w, h);
    write_dst(w, dst, d, p);
    PUT(", %%t%u, %%t%u, 31", a, b);
    write_member(w, h);
    if (dst == WARP_DST_D_P) {
        const unsigned bit = write_bit(w, p);
        PUT("add.s32 %%t%u, %%t%u, %%t%u;\n", d, d, bit);
    }
    return d;
}

static unsigned write_shfl(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned d = write_temp(w), p = write_predicate(w), b = write_temp(w), ok = write_predicate(w),
                   t = write_temp(w);
    const uint32_t width = 1u << write_any(w, 6), usual = h->form->op == WARP_UP ? 0 : 31;
    const uint32_t c = (32 - width) << 8 | (write_any(w, 5) == 0 ? write_any(w, 32) : usual);
    const enum warp_dst dst = draw_dst(w, h->form);
    if (h->form->op == WARP_IDX && (h->summed || write_any(w, 2)))
        return write_broadcast(w, h, a, h->summed || write_any(w, 2));
    const bool constant = write_any(w, 2);
    const uint32_t distance = write_any(w, 32);
    if (constant)
        PUT("mov.b32 %%t%u, %" PRIu32 ";\n", b, distance);
    else if (write_any(w, 2))
        PUT("add.s32 %%t%u, %%v%u, %%lane;\n", b, write_any(w, w->values)); /* any bits: the low five count */
    else
        PUT("shr.u32 %%t%u, %%lane, %u;\n", b, write_any(w, 4));
    write_before(w, h, d, p, a);
    write_name(w, h);
    write_dst(w, dst, d, p);
    if (constant)
        PUT(", %%t%u, %" PRIu32 ", %" PRIu32, a, distance, c);
    else
        PUT(", %%t%u, %%t%u, %" PRIu32, a, b, c);
    write_member(w, h);
    /* Where the source lane is not in the group the value is unpredictable: the own one instead. */
    const unsigned j = write_source_lane(w, h->form->op, b, c);
    PUT("shr.u32 %%t%u, %s, %%t%u;\nand.b32 %%t%u, %%t%u, 1;\nsetp.ne.u32 %%p%u, %%t%u, 0;\n"
        "selp.b32 %%t%u, %%t%u, %%t%u, %%p%u;\n",
        t, h->group.exact, j, t, t, ok, t, d, d, a, ok);
    if (dst == WARP_DST_D_P) {
        const unsigned bit = write_bit(w, p);
        PUT("mad.lo.s32 %%t%u, %%t%u, 3, %%t%u;\n", d, bit, d);
    }
    return d;
}

/* A predicate of the source. */
static unsigned write_source_predicate(struct writer *w, unsigned a)
{
    const unsigned p = write_predicate(w), t = write_temp(w);
    if (write_any(w, 2))
        PUT("and.b32 %%t%u, %%t%u, %u;\nsetp.ne.u32 %%p%u, %%t%u, 0;\n", t, a, 1u << write_any(w, 6), p, t);
    else
        PUT("and.b32 %%t%u, %%t%u, 15;\nsetp.gt.u32 %%p%u, %%t%u, %u;\n", t, a, p, t, write_any(w, 14));
    return p;
}

static unsigned write_vote(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned source = write_source_predicate(w, a), d = write_temp(w), p = write_predicate(w);
    const bool ballot = h->form->op == WARP_BALLOT;
    write_before(w, h, d, p, a);
    write_name(w, h);
    if (ballot)
        PUT("%%t%u", d);
    else
        PUT("%%p%u", p);
    PUT(", %s%%p%u", write_any(w, 3) == 0 ? "!" : "", source);
    write_member(w, h);
    return ballot ? d : write_bit(w, p);
}

static unsigned write_match(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned d = write_temp(w), p = write_predicate(w), t = write_temp(w), wide = w->wides++;
    const enum warp_dst dst = draw_dst(w, h->form);
    const unsigned few = write_any(w, 3);
    if (few == 0)
        PUT("mov.b32 %%t%u, %%t%u;\n", t, a);
    else
        PUT("and.b32 %%t%u, %%t%u, %u;\n", t, a, few == 1 ? 3u : 0u); /* few values; the same one everywhere */
    if (h->form->type == WARP_B64 && w->k->size == MAKE_WIDE)         /* the halves by themselves */
        PUT("mov.b64 %%w%u, {%%t%u, %%v%u};\nand.b64 %%w%u, %%w%u, 12884901891;\n", wide, a, write_any(w, w->values),
            wide, wide);
    else if (h->form->type == WARP_B64) { /* one half, the other, both alike, or bit 63 tell lanes apart */
        const unsigned how = write_any(w, 4), high = how == 2 ? write_temp(w) : how == 1 ? a : t;
        if (how == 2)
            PUT("shl.b32 %%t%u, %%t%u, 31;\nshr.u32 %%t%u, %%t%u, 1;\n", high, t, t, t);
        PUT("mov.b64 %%w%u, {%%t%u, %%t%u};\n", wide, how == 0 ? a : t, high);
    }
    write_before(w, h, d, p, a);
    write_name(w, h);
    write_dst(w, dst, d, p);
    PUT(h->form->type == WARP_B64 ? ", %%w%u" : ", %%t%u", h->form->type == WARP_B64 ? wide : t);
    write_member(w, h);
    if (!warp_form_writes_p(h->form, dst))
        return d;
    const unsigned bit = write_bit(w, p);
    if (warp_form_writes_d(h->form, dst))
        PUT("add.s32 %%t%u, %%t%u, %%t%u;\n", bit, bit, d);
    return bit;
}

static unsigned write_redux(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned d = write_temp(w), p = write_predicate(w);
    unsigned source = a, real = 0;
    if (h->form->type == WARP_F32) {
        real = w->reals;
        w->reals += 2;
        if (write_any(w, 2)) /* any bits: NaNs, infinities, subnormals */
            PUT("mov.b32 %%f%u, %%t%u;\n", real, a);
        else
            PUT("cvt.rn.f32.s16 %%f%u, %%h0;\n", real);
        if (h->guard[0])
            PUT("mov.f32 %%f%u, %%f%u;\n", real + 1, real);
    }
    write_before(w, h, d, p, a);
    write_name(w, h);
    if (h->form->type == WARP_F32)
        PUT("%%f%u, %%f%u", real + 1, real);
    else
        PUT("%%t%u, %%t%u", d, source);
    write_member(w, h);
    if (h->form->type == WARP_F32)
        PUT("mov.b32 %%t%u, %%f%u;\n", d, real + 1);
    return d;
}

/* Who is elected is not said: 1 when it is one lane, and d is its number. (3: no d makes up for another count.) */
static unsigned write_elect(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned d = write_temp(w), p = write_predicate(w), t = write_temp(w);
    const enum warp_dst dst = draw_dst(w, h->form);
    const bool has_d = warp_form_writes_d(h->form, dst);
    write_before(w, h, d, p, a);
    write_name(w, h);
    write_dst(w, dst, d, p);
    PUT(", %s;\n", h->group.operand);
    if (h->guard[0])
        PUT("mov.b32 %%t%u, 0;\n", t);
    PUT("%svote.sync.ballot.b32 %%t%u, %%p%u, %s;\n", h->guard, t, p, h->group.operand);
    if (has_d)
        PUT("shl.b32 %%t%u, 1, %%t%u;\nxor.b32 %%t%u, %%t%u, %%t%u;\n", d, d, d, d, t);
    PUT("popc.b32 %%t%u, %%t%u;\n", t, t);
    if (has_d)
        PUT("mad.lo.s32 %%t%u, %%t%u, 3, %%t%u;\n", t, d, t);
    return t;
}

static unsigned write_activemask(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned d = write_temp(w), p = write_predicate(w);
    PUT("mov.b32 %%t%u, -1;\n", d);
    write_name(w, h);
    PUT("%%t%u;\nshr.u32 %%t%u, %%t%u, %%lane;\nand.b32 %%t%u, %%t%u, 1;\nadd.s32 %%t%u, %%t%u, %%t%u;\n", d, d, d, d,
        d, d, d, a);
    (void)p;
    return d;
}

static unsigned write_core(struct writer *w, const struct host *h, unsigned a)
{
    switch (h->form->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return write_shfl(w, h, a);
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return write_vote(w, h, a);
    case WARP_MATCH_SYNC:
        return write_match(w, h, a);
    case WARP_REDUX_SYNC:
        return write_redux(w, h, a);
    case WARP_ACTIVEMASK:
        return write_activemask(w, h, a);
    case WARP_BAR_WARP:
        write_name(w, h);
        PUT("%s;\n", h->group.operand);
        return a;
    case WARP_ELECT:
        return write_elect(w, h, a);
    case WARP_FAMILIES:
        break;
    }
    return a;
}

/* ---- sums: what does not depend on how activemask parts the lanes, nor on the order of atomics ---- */

/* Words of a block's sums, one for each operation, so that all that goes into one commutes. */
static const char *const sums[] = {"add.u32", "min.s32", "max.s32", "and.b32",
                                   "or.b32",  "xor.b32", "min.u32", "max.u32"};

static void write_sum(struct writer *w, unsigned which, unsigned value, const char *guard)
{
    w->used |= USED_SUMS;
    PUT("%sred.global.%s [%%acc+%u], %%t%u;\n", guard, sums[which], which * 4, value);
}

static unsigned sum_of(const struct warp_form_info *f)
{
    const bool is_signed = f->type == WARP_S32;
    switch (f->op) {
    case WARP_MIN:
        return is_signed ? 1 : 6;
    case WARP_MAX:
        return is_signed ? 2 : 7;
    case WARP_AND:
    case WARP_ALL:
        return 3;
    case WARP_OR:
    case WARP_ANY:
        return 4;
    case WARP_XOR:
        return 5;
    case WARP_ADD:
    case WARP_OPS_SHFL:
    case WARP_UNI:
    case WARP_BALLOT:
    case WARP_OPS_OTHER:
        break;
    }
    return 0;
}

/* A group that activemask gave: its answer goes into a sum, once for the group. */
static void write_partition(struct writer *w, const struct host *h, unsigned a)
{
    const unsigned first = write_lowest(w, h->group.exact), p = write_predicate(w);
    char leader[REGISTER_MAX + 4];
    unsigned value = write_core(w, h, a);
    PUT("setp.eq.u32 %%p%u, %%lane, %%t%u;\n", p, first);
    snprintf(leader, sizeof leader, "@%%p%u ", p);
    switch (h->form->family) {
    case WARP_SHFL_SYNC: /* each lane has another one's value: all of them, once */
    case WARP_BAR_WARP:
    case WARP_ELECT: /* 1 in each lane */
        write_sum(w, 0, value, "");
        break;
    case WARP_VOTE_SYNC:
        if (h->form->op == WARP_BALLOT)
            PUT("popc.b32 %%t%u, %%t%u;\n", value, value);
        write_sum(w, sum_of(h->form), value, leader);
        break;
    case WARP_REDUX_SYNC:
        write_sum(w, sum_of(h->form), value, leader);
        break;
    case WARP_SHFL:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_FAMILIES:
        break;
    }
}

/* ---- what stands around it ---- */

static unsigned write_source(struct writer *w)
{
    const unsigned t = write_temp(w), number = write_any(w, 64), v = write_any(w, w->values);
    PUT("add.s32 %%t%u, %%v%u, %u;\n", t, v, number);
    return t;
}

static unsigned write_converted(struct writer *w)
{
    const unsigned t = write_temp(w), v = write_any(w, w->values), wide = w->wides++;
    unsigned by, factor;
    switch (write_any(w, 3)) {
    case 0:
        PUT("mov.b32 {%%h1, %%h2}, %%v%u;\nadd.s16 %%h1, %%h1, %%h2;\nmov.b32 %%t%u, {%%h2, %%h1};\n", v, t);
        break;
    case 1:
        by = 16 + write_any(w, 33);
        factor = 3 + write_any(w, 9999);
        PUT("cvt.s64.s32 %%w%u, %%v%u;\nmul.lo.s64 %%w%u, %%w%u, %u;\nshr.s64 %%w%u, %%w%u, %u;\ncvt.u32.u64 %%t%u, "
            "%%w%u;\n",
            wide, v, wide, wide, factor, wide, wide, by, t, wide);
        break;
    default:
        PUT("cvt.s8.s32 %%h1, %%v%u;\ncvt.s32.s8 %%t%u, %%h1;\n", v, t);
        break;
    }
    return t;
}

/* Small whole numbers: each step is exact. */
static unsigned write_real(struct writer *w)
{
    const unsigned t = write_temp(w), f = w->reals;
    w->reals += 2;
    PUT("and.b32 %%t%u, %%v%u, 1023;\ncvt.rn.f32.u32 %%f%u, %%t%u;\nfma.rn.f32 %%f%u, %%f%u, 0f40400000, 0fBF800000;\n"
        "mul.rn.f32 %%f%u, %%f%u, 0f3F000000;\ncvt.rzi.s32.f32 %%t%u, %%f%u;\n",
        t, write_any(w, w->values), f, t, f, f, f + 1, f, t, f + 1);
    return t;
}

/* Through a word of shared memory of another lane of the group. */
static unsigned write_shared(struct writer *w, const struct host *h)
{
    const unsigned a = write_source(w), at = write_temp(w), next = write_next(w, h->group.exact), t = write_temp(w);
    w->used |= USED_SHARED;
    PUT("shl.b32 %%t%u, %%id, 2;\nadd.s32 %%t%u, %%t%u, %%sh;\nst.shared.b32 [%%t%u], %%t%u;\nbar.warp.sync %s;\n", at,
        at, at, at, a, h->group.operand);
    PUT("sub.s32 %%t%u, %%t%u, %%lane;\nshl.b32 %%t%u, %%t%u, 2;\nadd.s32 %%t%u, %%t%u, %%t%u;\n"
        "ld.shared.b32 %%t%u, [%%t%u];\nbar.warp.sync %s;\n",
        next, next, next, next, next, next, at, t, next, h->group.operand);
    return t;
}

/* What all threads of the block say together. */
static void write_vote_of_block(struct writer *w, unsigned at)
{
    const unsigned p = write_data_condition(w), q = write_predicate(w), t = write_temp(w);
    switch (write_any(w, 4)) {
    case 0:
        PUT("bar.red.popc.u32 %%t%u, 0, %%p%u;\nadd.s32 %%v0, %%v0, %%t%u;\n", t, p, t);
        break;
    case 1:
        PUT("bar.red.and.pred %%p%u, 0, !%%p%u;\n@%%p%u add.s32 %%v1, %%v1, %%t%u;\n", q, p, q, at);
        break;
    case 2:
        PUT("bar.red.or.pred %%p%u, 0, %%p%u;\n@%%p%u xor.b32 %%v2, %%v2, %%t%u;\n", q, p, q, at);
        break;
    default:
        PUT("bar.sync 0;\n");
        break;
    }
}

/* Of another thread of the block. */
static unsigned write_block(struct writer *w)
{
    const unsigned a = write_source(w), at = write_temp(w), t = write_temp(w);
    const uint32_t half = w->k->block * 4;
    w->used |= USED_SHARED;
    PUT("shl.b32 %%t%u, %%id, 2;\nadd.s32 %%t%u, %%t%u, %%sh;\nst.shared.b32 [%%t%u+%" PRIu32 "], %%t%u;\n", at, at, at,
        at, half, a);
    write_vote_of_block(w, a);
    PUT("add.s32 %%t%u, %%id, %u;\nrem.u32 %%t%u, %%t%u, %" PRIu32
        ";\nshl.b32 %%t%u, %%t%u, 2;\nadd.s32 %%t%u, %%t%u, %%sh;\nld.shared.b32 %%t%u, [%%t%u+%" PRIu32
        "];\nbar.sync 0;\n",
        at, 1 + write_any(w, 64), at, at, w->k->block, at, at, at, at, t, at, half);
    return t;
}

static void write_tail(struct writer *w)
{
    const unsigned p = write_data_condition(w), label = w->labels++, v = write_any(w, w->values), k = write_any(w, 99);
    PUT("@%%p%u bra E%u;\nxor.b32 %%v%u, %%v%u, %%v%u;\nadd.s32 %%v%u, %%v%u, %u;\nbra J%u;\nE%u:\nadd.s32 %%v%u, "
        "%%v%u, %u;\n"
        "J%u:\n",
        p, label, v, v, (v + 1) % w->values, v, v, k, label, label, v, v, k, label);
}

static void write_uniform(struct writer *w)
{
    const unsigned p = write_predicate(w), label = w->labels++;
    PUT("setp.gt.u32 %%p%u, %%n, %u;\n@%%p%u bra.uni L%u;\n", p, write_any(w, 4), p, label);
    write_compute(w, 1);
    PUT("L%u:\n", label);
}

/* From the thread's own input: words, parts of them, several at once. */
static unsigned write_loaded(struct writer *w)
{
    static const char *const types[] = {"b32", "u8", "s8", "u16", "s16", "nc.u32"};
    const unsigned t = write_temp(w), other = write_temp(w), wide = w->wides++, what = write_any(w, 8);
    w->used |= USED_IN;
    const bool lacks_nc = w->k->target < WARP_TARGET(32, 0);
    if (what < 6)
        PUT("ld.global.%s %%t%u, [%%in+%u];\n", types[what == 5 && lacks_nc ? 0 : what], t, 4 * write_any(w, MAKE_IN));
    else if (what == 6)
        PUT("ld.global.v2.u32 {%%t%u, %%t%u}, [%%in+8];\nsub.s32 %%t%u, %%t%u, %%t%u;\n", t, other, t, t, other);
    else
        PUT("ld.global.u64 %%w%u, [%%in];\nshr.u64 %%w%u, %%w%u, 17;\ncvt.u32.u64 %%t%u, %%w%u;\n", wide, wide, wide, t,
            wide);
    return t;
}

/* What comes before, and the source. */
static unsigned write_ahead(struct writer *w, const struct host *h)
{
    unsigned t, p, a, b;
    switch (h->idiom) {
    case MAKE_IDIOM_HOIST:
        return write_loaded(w);
    case MAKE_IDIOM_CONVERT:
        return write_converted(w);
    case MAKE_IDIOM_FLOAT:
        return write_real(w);
    case MAKE_IDIOM_SELECT:
        p = write_data_condition(w);
        t = write_temp(w);
        b = write_any(w, w->values);
        a = write_any(w, w->values);
        PUT("selp.b32 %%t%u, %%v%u, %%v%u, %%p%u;\n", t, a, b, p);
        return t;
    case MAKE_IDIOM_SHARED:
        return write_shared(w, h);
    case MAKE_IDIOM_BLOCK:
        return h->scope->in_block ? write_block(w) : write_source(w);
    case MAKE_IDIOM_TAIL:
        write_tail(w);
        return write_source(w);
    case MAKE_IDIOM_UNIFORM:
        write_uniform(w);
        return write_source(w);
    case MAKE_IDIOM_PLAIN:
    case MAKE_IDIOM_TWICE:
    case MAKE_IDIOM_INVARIANT:
    case MAKE_IDIOM_DEAD:
    case MAKE_IDIOM_BRANCH:
    case MAKE_IDIOM_CHAIN:
    case MAKE_IDIOM_ATOMIC:
    case MAKE_IDIOMS:
        break;
    }
    return write_source(w);
}

static void write_use(struct writer *w, unsigned value)
{
    static const char *const operations[] = {"add.s32", "xor.b32", "sub.s32", "max.s32"};
    const unsigned v = write_any(w, w->values);
    PUT("%s %%v%u, %%v%u, %%t%u;\n", operations[write_any(w, 4)], v, v, value);
}

static void write_branch_on(struct writer *w, unsigned value)
{
    const unsigned p = write_predicate(w), t = write_temp(w), label = w->labels++;
    PUT("and.b32 %%t%u, %%t%u, 3;\nsetp.gt.u32 %%p%u, %%t%u, %u;\n@%%p%u bra L%u;\n", t, value, p, t, write_any(w, 3),
        p, label);
    write_compute(w, 2);
    PUT("L%u:\n", label);
}

/* Another warp instruction of the same group. */
static unsigned write_chained(struct writer *w, const struct host *h, unsigned value)
{
    static const enum warp_form second[] = {WARP_SHFL_SYNC_BFLY_B32, WARP_VOTE_SYNC_BALLOT_B32};
    struct host next = *h;
    next.form = warp_form_get(second[h->turns % 2]);
    return write_core(w, &next, value);
}

/* What comes behind. */
static void write_behind(struct writer *w, const struct host *h, unsigned a, unsigned value)
{
    unsigned p, t;
    switch (h->idiom) {
    case MAKE_IDIOM_DEAD:
        return;
    case MAKE_IDIOM_TWICE:
        write_use(w, value);
        value = write_core(w, h, a);
        break;
    case MAKE_IDIOM_BRANCH:
        write_branch_on(w, value);
        return;
    case MAKE_IDIOM_CHAIN:
        value = write_chained(w, h, value);
        break;
    case MAKE_IDIOM_SELECT:
        p = write_data_condition(w);
        t = write_temp(w);
        PUT("selp.b32 %%t%u, %%t%u, %%t%u, %%p%u;\n", t, value, a, p);
        value = t;
        break;
    case MAKE_IDIOM_ATOMIC:
        write_sum(w, write_any(w, 8), value, "");
        break;
    case MAKE_IDIOM_PLAIN:
    case MAKE_IDIOM_TAIL:
    case MAKE_IDIOM_HOIST:
    case MAKE_IDIOM_UNIFORM:
    case MAKE_IDIOM_INVARIANT:
    case MAKE_IDIOM_CONVERT:
    case MAKE_IDIOM_SHARED:
    case MAKE_IDIOM_BLOCK:
    case MAKE_IDIOM_FLOAT:
    case MAKE_IDIOMS:
        break;
    }
    write_use(w, value);
}

/* One place of the statement. */
static void write_place(struct writer *w, const struct host *h)
{
    const unsigned a = write_ahead(w, h);
    if (h->form->type == WARP_F32)
        PUT("cvt.s16.s32 %%h0, %%t%u;\n", a);
    if (h->summed) {
        write_partition(w, h, a);
    } else if (h->idiom == MAKE_IDIOM_INVARIANT) {
        const unsigned turns = write_temp(w), p = write_predicate(w), label = w->labels++;
        PUT("mov.b32 %%t%u, %u;\nL%u:\n", turns, h->turns, label);
        const unsigned value = write_core(w, h, a);
        write_use(w, value);
        PUT("sub.s32 %%t%u, %%t%u, 1;\nsetp.ne.s32 %%p%u, %%t%u, 0;\n@%%p%u bra L%u;\n", turns, turns, p, turns, p,
            label);
    } else {
        write_behind(w, h, a, write_core(w, h, a));
    }
}

static uint32_t missing_of(const struct writer *w, const struct scope *s, enum make_mask mask, bool guarded)
{
    const bool splits =
        mask == MAKE_MASK_BALLOT || mask == MAKE_MASK_MATCH || mask == MAKE_MASK_TILE || mask == MAKE_MASK_OWN;
    const bool diverged = s->diverged || guarded, absent = w->k->block % WARP_LANES != 0;
    uint32_t missing = (uint32_t)diverged << MAKE_ELSEWHERE | (uint32_t)s->exited << MAKE_EXITED |
                       (uint32_t)absent << MAKE_ABSENT | (uint32_t)splits << MAKE_OTHERS;
    if (missing == 0 && mask != MAKE_MASK_ACTIVE)
        missing = 1u << MAKE_NOBODY;
    return missing;
}

static void add_feature(struct writer *w, const struct make_node *node, const struct scope *s, const struct host *h)
{
    if (w->features == NULL || w->features_count == MAKE_FEATURES)
        return;
    const bool block = h->idiom == MAKE_IDIOM_BLOCK && !s->in_block;
    w->features[w->features_count++] =
        (struct make_feature){.form = node->form,
                              .place = node->place == MAKE_TOP ? s->place : node->place,
                              .mask = h->group.mask,
                              .idiom = block ? MAKE_IDIOM_PLAIN : h->idiom,
                              .missing = missing_of(w, s, h->group.mask, node->place == MAKE_GUARD)};
}

/* Stands before and behind the text of a feature, and is taken out when all is written (make_write). */
static void write_mark(struct writer *w, unsigned mark)
{
    if (w->features != NULL && mark < MAKE_FEATURES)
        PUT("//%u\n", mark);
}

/* Both sides of a branch, with a membermask of both. */
static void write_meeting(struct writer *w, struct host *h)
{
    lanemask lanes;
    const unsigned p = write_any(w, 2) ? write_lane_condition(w, &lanes) : write_data_condition(w), label = w->labels++;
    PUT("@!%%p%u bra E%u;\n", p, label);
    write_compute(w, 1);
    write_place(w, h);
    PUT("bra J%u;\nE%u:\n", label, label);
    write_place(w, h);
    PUT("J%u:\n", label);
}

void write_host(struct writer *w, const struct make_node *node, const struct scope *s)
{
    struct scope here = *s;
    struct host h = {.form = warp_form_get(node->form),
                     .idiom = node->idiom,
                     .scope = s,
                     .turns = 2 + write_any(w, 2),
                     .summed = node->mask == MAKE_MASK_ACTIVE};
    const unsigned mark = w->marks++;
    write_mark(w, mark);
    if (node->place == MAKE_GUARD) {
        lanemask lanes = 0;
        const bool by_lane = node->mask == MAKE_MASK_CONST || write_any(w, 2);
        const unsigned p = by_lane ? write_lane_condition(w, &lanes) : write_data_condition(w), t = write_temp(w);
        PUT("vote.sync.ballot.b32 %%t%u, %%p%u, %s;\n", t, p, s->here);
        snprintf(here.here, sizeof here.here, "%%t%u", t);
        snprintf(h.guard, sizeof h.guard, "@%%p%u ", p);
        here.is_known = s->is_known && by_lane;
        here.known = s->known & lanes;
        here.stale[0] = '\0';
    }
    write_group(w, node->mask, &here, &h.group);
    if (node->place == MAKE_MEET)
        write_meeting(w, &h);
    else
        write_place(w, &h);
    write_mark(w, mark);
    add_feature(w, node, s, &h);
}
