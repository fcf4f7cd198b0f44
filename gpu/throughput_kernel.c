/*
 * The kernel that makes its own cases and checks them. It draws as throughput.c does, in the same order and with the
 * same numbers of words. The formulation of each instruction follows the manual, lane by lane, without any warp
 * instruction.
 */
#include "gpu/throughput.h"

#include "base/random.h"

#define MISMATCH_OFFSET 8u
#define NAMED_OFFSET    12u
#define INDEX_OFFSET    16u

/* x = random_mix32(x) */
static void add_mix(struct writer *t, const char *x)
{
    writer_format(t, "    shr.u32 %%mx, %s, 16;\n    xor.b32 %s, %s, %%mx;\n    mul.lo.u32 %s, %s, 0x%x;\n", x, x, x, x,
                  x, RANDOM_MIX32_1);
    writer_format(t, "    shr.u32 %%mx, %s, 15;\n    xor.b32 %s, %s, %%mx;\n    mul.lo.u32 %s, %s, 0x%x;\n", x, x, x, x,
                  x, RANDOM_MIX32_2);
    writer_format(t, "    shr.u32 %%mx, %s, 16;\n    xor.b32 %s, %s, %%mx;\n", x, x, x);
}

/* x = word(key, k) */
static void add_word(struct writer *t, const char *x, const char *key, uint32_t k)
{
    writer_format(t, "    add.u32 %s, %s, 0x%x;\n", x, key, (unsigned)(k * 0x9e3779b9u));
    add_mix(t, x);
}

/* x = word(key, k + base), k a register */
static void add_word_at(struct writer *t, const char *x, const char *k, uint32_t base)
{
    writer_format(t, "    add.u32 %%my, %s, %u;\n    mad.lo.u32 %s, %%my, 0x9e3779b9, %%key;\n", k, (unsigned)base, x);
    add_mix(t, x);
}

static void add_exited(struct writer *t)
{
    writer_format(t, "    shr.u32 %%x, %%index, 6;\n    xor.b32 %%x, %%x, 0x77617270;\n");
    add_mix(t, "%x");
    writer_format(t, "    xor.b32 %%x, %%x, %%seed;\n");
    add_mix(t, "%x");
    add_word(t, "%y", "%x", 0);
    add_word(t, "%u", "%x", 1);
    add_word(t, "%v", "%x", 2);
    writer_format(
        t, "    and.b32 %%y, %%y, 3;\n    and.b32 %%v, %%v, %%u;\n    mov.u32 %%exited, 0;\n"
           "    setp.eq.u32 %%r, %%y, 2;\n    @%%r mov.u32 %%exited, %%v;\n"
           "    setp.eq.u32 %%r, %%y, 3;\n    @%%r mov.u32 %%exited, %%u;\n"
           "    not.b32 %%alive, %%exited;\n    and.b32 %%x, %%exited, %%bit;\n    setp.ne.u32 %%r, %%x, 0;\n    "
           "@%%r exit;\n");
}

static void add_active(struct writer *t)
{
    add_word(t, "%u", "%key", 1);
    add_word(t, "%v", "%key", 2);
    writer_format(
        t, "    and.b32 %%y, %%choices, 3;\n    or.b32 %%v, %%v, %%u;\n    mov.u32 %%active, 0xffffffff;\n"
           "    setp.eq.u32 %%r, %%y, 2;\n    @%%r mov.u32 %%active, %%u;\n"
           "    setp.eq.u32 %%r, %%y, 3;\n    @%%r mov.u32 %%active, %%v;\n    and.b32 %%active, %%active, %%alive;\n");
}

/* group: the own side of one or two random words, among the active lanes; m: with some exited lanes. */
static void add_membermask(struct writer *t)
{
    writer_format(t, "    mov.u32 %%group, %%active;\n    bfe.u32 %%y, %%choices, 2, 2;\n");
    for (unsigned i = 1; i <= 2; i++) {
        add_word(t, "%u", "%key", 2 + i);
        writer_format(
            t,
            "    and.b32 %%x, %%u, %%bit;\n    not.b32 %%v, %%u;\n    setp.ne.u32 %%r, %%x, 0;\n"
            "    selp.b32 %%u, %%u, %%v, %%r;\n    setp.ge.u32 %%r, %%y, %u;\n    selp.b32 %%u, %%u, 0xffffffff, %%r;\n"
            "    and.b32 %%group, %%group, %%u;\n",
            i);
    }
    add_word(t, "%u", "%key", 6);
    writer_format(t, "    and.b32 %%u, %%u, %%exited;\n    and.b32 %%x, %%choices, 16;\n    setp.ne.u32 %%r, %%x, 0;\n"
                     "    selp.b32 %%u, %%u, 0, %%r;\n    or.b32 %%m, %%group, %%u;\n");
}

/* What add_value needs, once a case. */
static void add_value_kinds(struct writer *t)
{
    writer_format(
        t, "    and.b32 %%x, %%choices, 128;\n    setp.ne.u32 %%equal, %%x, 0;\n    bfe.u32 %%y, %%choices, 5, 2;\n"
           "    setp.eq.u32 %%k1, %%y, 1;\n    setp.eq.u32 %%k2, %%y, 2;\n    setp.eq.u32 %%k3, %%y, 3;\n");
    add_word(t, "%odd", "%key", 8);
    writer_format(t, "    and.b32 %%odd, %%odd, 31;\n");
    add_word(t, "%common", "%key", 7);
}

/* value, high = draw_value(lane) */
static void add_value(struct writer *t, const struct warp_form_info *info, const char *lane, const char *value,
                      const char *high)
{
    if (warp_form_is_shfl(info)) {
        add_word_at(t, value, lane, 64);
        return;
    }
    writer_format(
        t, "    setp.eq.u32 %%r, %s, %%odd;\n    selp.b32 %%x, 33, 32, %%r;\n    selp.b32 %%x, %%x, %s, %%equal;\n",
        lane, lane);
    add_word_at(t, "%y", "%x", 64);
    if (info->type == WARP_PRED) {
        writer_format(t, "    and.b32 %s, %%y, 1;\n", value);
        return;
    }
    writer_format(
        t,
        "    and.b32 %%u, %%y, 7;\n    selp.b32 %s, %%u, %%y, %%k1;\n    and.b32 %%u, %%y, 3;\n"
        "    add.u32 %%u, %%u, 0x7fffffff;\n    selp.b32 %s, %%u, %s, %%k2;\n    and.b32 %%u, %%y, %%common;\n"
        "    selp.b32 %s, %%u, %s, %%k3;\n",
        value, value, value, value, value);
    if (info->type == WARP_B64) {
        writer_format(t, "    bfe.u32 %%u, %%y, 8, 1;\n");
        add_mix(t, "%y");
        writer_format(t, "    selp.b32 %s, %%u, %%y, %%k1;\n", high);
    }
}

static void add_operands(struct writer *t, const struct warp_form_info *info, bool points)
{
    if (info->type != WARP_NO_SOURCE)
        add_value(t, info, "%lane", "%a", "%ah");
    if (info->type == WARP_PRED)
        writer_format(t, "    setp.ne.u32 %%q, %%a, 0;\n");
    if (info->type == WARP_B64)
        writer_format(t, "    mov.b64 %%aa, {%%a, %%ah};\n");
    if (!warp_form_is_shfl(info))
        return;
    if (points) {
        writer_format(
            t, "    and.b32 %%b, %%index, 31;\n    bfe.u32 %%c, %%index, 5, 5;\n    bfe.u32 %%x, %%index, 10, 5;\n"
               "    shl.b32 %%x, %%x, 8;\n    or.b32 %%c, %%c, %%x;\n");
        return;
    }
    writer_format(
        t, "    and.b32 %%x, %%choices, 256;\n    setp.ne.u32 %%r, %%x, 0;\n    selp.b32 %%x, 0, %%lane, %%r;\n");
    add_word_at(t, "%b", "%x", 128);
    add_word_at(t, "%c", "%x", 192);
}

/* expect, %pe, %known (is d predictable?) by the manual's pseudo-code. */
static void add_expected_shfl(struct writer *t, const struct warp_form_info *info)
{
    writer_format(
        t, "    and.b32 %%u, %%b, 31;\n    bfe.u32 %%v, %%c, 8, 5;\n    xor.b32 %%x, %%v, 31;\n"
           "    and.b32 %%y, %%c, %%x;\n    and.b32 %%y, %%y, 31;\n    and.b32 %%v, %%lane, %%v;\n    or.b32 %%y, "
           "%%y, %%v;\n");
    switch (info->op) {
    case WARP_UP:
        writer_format(t, "    sub.s32 %%j, %%lane, %%u;\n    setp.ge.s32 %%pe, %%j, %%y;\n");
        break;
    case WARP_DOWN:
        writer_format(t, "    add.s32 %%j, %%lane, %%u;\n    setp.le.s32 %%pe, %%j, %%y;\n");
        break;
    case WARP_BFLY:
        writer_format(t, "    xor.b32 %%j, %%lane, %%u;\n    setp.le.s32 %%pe, %%j, %%y;\n");
        break;
    case WARP_IDX:
        writer_format(t, "    and.b32 %%u, %%u, %%x;\n    or.b32 %%j, %%v, %%u;\n    setp.le.s32 %%pe, %%j, %%y;\n");
        break;
    case WARP_OPS_BUT_SHFL:
        break;
    }
    writer_format(t, "    selp.b32 %%j, %%j, %%lane, %%pe;\n    shr.u32 %%x, %%group, %%j;\n    and.b32 %%x, %%x, 1;\n"
                     "    setp.ne.u32 %%known, %%x, 0;\n");
    add_word_at(t, "%expect", "%j", 64);
}

static const char *redux_identity(const struct warp_form_info *info)
{
    const bool is_min = info->op == WARP_MIN;
    if (info->type == WARP_F32)
        return !info->nan ? "0x7fffffff" : is_min ? "0x7f800000" : "0xff800000";
    switch (info->op) {
    case WARP_AND:
        return "0xffffffff";
    case WARP_MIN:
        return info->type == WARP_S32 ? "0x7fffffff" : "0xffffffff";
    case WARP_MAX:
        return info->type == WARP_S32 ? "0x80000000" : "0";
    case WARP_ADD:
    case WARP_OR:
    case WARP_XOR:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return "0";
}

/* expect = expect op value. Without .NaN, min(NaN, x) is x, so that NaN is the identity; with it, NaN stays. */
static void add_redux_step(struct writer *t, const struct warp_form_info *info)
{
    static const char *const names[] = {[WARP_ADD] = "add", [WARP_MIN] = "min", [WARP_MAX] = "max",
                                        [WARP_AND] = "and", [WARP_OR] = "or",   [WARP_XOR] = "xor"};
    const char *type = info->type == WARP_U32 ? "u32" : info->type == WARP_S32 ? "s32" : "b32";
    if (info->type != WARP_F32) {
        writer_format(t, "    @%%in %s.%s %%expect, %%expect, %%value;\n", names[info->op], type);
        return;
    }
    if (info->abs)
        writer_format(t, "    and.b32 %%value, %%value, 0x7fffffff;\n");
    writer_format(
        t,
        "    mov.b32 %%f, %%value;\n    mov.b32 %%g, %%expect;\n    %s%s.f32 %%g, %%g, %%f;\n    @%%in mov.b32 "
        "%%expect, %%g;\n",
        names[info->op], info->nan ? ".NaN" : "");
}

static void add_lane_step(struct writer *t, const struct warp_form_info *info)
{
    switch (info->family) {
    case WARP_REDUX_SYNC:
        add_redux_step(t, info);
        return;
    case WARP_MATCH_SYNC:
        writer_format(t, "    setp.eq.u32 %%r, %%value, %%a;\n    selp.b32 %%x, 1, 0, %%r;\n");
        if (info->type == WARP_B64)
            writer_format(t, "    setp.eq.u32 %%r, %%valueh, %%ah;\n    selp.b32 %%x, %%x, 0, %%r;\n");
        break;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        writer_format(t, "    mov.u32 %%x, %%value;\n");
        break;
    case WARP_SHFL_SYNC: /* these do not go lane by lane */
    case WARP_SHFL:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        return;
    }
    writer_format(t, "    shl.b32 %%x, %%x, %%j;\n    @%%in or.b32 %%expect, %%expect, %%x;\n");
}

/* The sum over the group, one lane after the other. */
static void add_expected_over_group(struct writer *t, const struct warp_form_info *info)
{
    writer_format(t, "    setp.eq.u32 %%known, 0, 0;\n    mov.u32 %%expect, %s;\n    mov.u32 %%j, 0;\nLANE:\n",
                  info->family == WARP_REDUX_SYNC ? redux_identity(info) : "0");
    add_value(t, info, "%j", "%value", "%valueh");
    writer_format(t, "    shr.u32 %%x, %%group, %%j;\n    and.b32 %%x, %%x, 1;\n    setp.ne.u32 %%in, %%x, 0;\n");
    add_lane_step(t, info);
    writer_format(t, "    add.u32 %%j, %%j, 1;\n    setp.lt.u32 %%r, %%j, 32;\n    @%%r bra LANE;\n");
    switch (info->op) {
    case WARP_ALL:
        writer_format(t, "    setp.eq.u32 %%pe, %%expect, %%group;\n    selp.b32 %%expect, %%expect, 0, %%pe;\n");
        break;
    case WARP_UNI:
        writer_format(t, "    setp.eq.u32 %%pe, %%expect, %%group;\n    setp.eq.or.u32 %%pe, %%expect, 0, %%pe;\n");
        break;
    case WARP_ANY:
        writer_format(t, "    setp.ne.u32 %%pe, %%expect, 0;\n");
        break;
    case WARP_BALLOT:
    case WARP_OPS_BUT_VOTE:
        break;
    }
}

/*
 * The lowest lane of the group, which every device so far has elected. Another one of the group would be right too:
 * what differs here is judged again by the ordinary path (throughput.c), whose comparison takes any.
 */
static void add_expected_leader(struct writer *t)
{
    writer_format(t, "    setp.eq.u32 %%known, 0, 0;\n    brev.b32 %%x, %%group;\n    clz.b32 %%expect, %%x;\n"
                     "    setp.eq.u32 %%pe, %%expect, %%lane;\n");
}

static void add_compare(struct writer *t, const struct warp_form_info *info, uint32_t dst)
{
    writer_format(t, "    mov.u32 %%x, 0;\n");
    if (warp_form_writes_d(info, dst))
        writer_format(t, "    setp.ne.and.u32 %%r, %%d, %%expect, %%known;\n    @%%r mov.u32 %%x, 1;\n");
    if (warp_form_writes_p(info, dst))
        writer_format(t, "    xor.pred %%r, %%p, %%pe;\n    @%%r mov.u32 %%x, 1;\n");
    writer_format(t,
                  "    add.u32 %%lanes, %%lanes, 1;\n    setp.eq.u32 %%r, %%x, 0;\n    @%%r bra NEXT;\n"
                  "    atom.global.add.u32 %%x, [%%reply+%u], 1;\n    atom.global.add.u32 %%x, [%%reply+%u], 1;\n"
                  "    setp.ge.u32 %%r, %%x, %u;\n    @%%r bra NEXT;\n    mul.wide.u32 %%offset, %%x, 4;\n"
                  "    add.u64 %%offset, %%offset, %%reply;\n    st.global.u32 [%%offset+%u], %%index;\n",
                  MISMATCH_OFFSET, NAMED_OFFSET, THROUGHPUT_SEEDS, INDEX_OFFSET);
}

static void add_prologue(struct writer *t)
{
    writer_format(
        t,
        ".visible .entry throughput(.param .u32 seed, .param .u32 first, .param .u32 warps, .param .u64 reply)\n{\n");
    text_registers(t);
    writer_format(
        t, "    .reg .b32 %%mx, %%my, %%x, %%y, %%u, %%v, %%lane, %%bit, %%seed, %%index, %%last, %%key, %%choices;\n"
           "    .reg .b32 %%exited, %%alive, %%active, %%group, %%odd, %%common, %%j, %%expect, %%value, %%valueh, "
           "%%lanes;\n"
           "    .reg .b64 %%reply, %%offset;\n    .reg .f32 %%f, %%g;\n"
           "    .reg .pred %%r, %%equal, %%k1, %%k2, %%k3, %%pe, %%known, %%in;\n");
    writer_format(
        t,
        "    mov.u32 %%lane, %%laneid;\n    mov.u32 %%x, 1;\n    shl.b32 %%bit, %%x, %%lane;\n    mov.u32 %%x, "
        "%%ctaid.x;\n"
        "    mov.u32 %%y, %%ntid.y;\n    mov.u32 %%u, %%tid.y;\n    mad.lo.u32 %%x, %%x, %%y, %%u;\n"
        "    ld.param.u32 %%y, [warps];\n    setp.ge.u32 %%r, %%x, %%y;\n    @%%r bra END;\n"
        "    ld.param.u32 %%seed, [seed];\n    ld.param.u32 %%index, [first];\n    mad.lo.u32 %%index, %%x, %u, "
        "%%index;\n"
        "    add.u32 %%last, %%index, %u;\n    ld.param.u64 %%reply, [reply];\n    mov.u32 %%lanes, 0;\n",
        THROUGHPUT_CASES_A_WARP, THROUGHPUT_CASES_A_WARP - 1);
}

/* One case: draw it, run it, compare. Lanes that are not active skip to NEXT. */
static void add_case(struct writer *t, const struct warp_form_info *info, bool points, uint32_t dst)
{
    writer_format(t, "CASE:\n    mov.u32 %%key, %%index;\n");
    add_mix(t, "%key");
    writer_format(t, "    add.u32 %%key, %%key, %%seed;\n");
    add_mix(t, "%key");
    add_word(t, "%choices", "%key", 0);
    if (points)
        writer_format(
            t, "    mov.u32 %%active, 0xffffffff;\n    mov.u32 %%group, %%active;\n    mov.u32 %%m, %%active;\n");
    else
        add_active(t);
    writer_format(t, "    and.b32 %%x, %%active, %%bit;\n    setp.eq.u32 %%r, %%x, 0;\n    @%%r bra NEXT;\n");
    if (warp_form_is_sync(info) && !points)
        add_membermask(t);
    else
        writer_format(t, "    mov.u32 %%group, %%active;\n");
    add_value_kinds(t);
    add_operands(t, info, points);
    text_tested_instruction(t, info, dst, false);
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        add_expected_shfl(t, info);
        break;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
        add_expected_over_group(t, info);
        break;
    case WARP_ACTIVEMASK:
        writer_format(t, "    setp.eq.u32 %%known, 0, 0;\n    mov.u32 %%expect, %%active;\n");
        break;
    case WARP_ELECT:
        add_expected_leader(t);
        break;
    case WARP_BAR_WARP: /* gives nothing: that it ends is what is asked */
    case WARP_FAMILIES:
        break;
    }
    add_compare(t, info, dst);
}

void throughput_kernel(struct writer *t, const struct throughput_request *request)
{
    const struct warp_form_info *info = warp_form_get(request->form);
    const bool points = request->space == THROUGHPUT_POINTS;
    const uint32_t dst = warp_form_widest_dst(info);
    text_header(t, request->ptx, request->target);
    add_prologue(t);
    if (points)
        writer_format(t, "    mov.u32 %%exited, 0;\n    not.b32 %%alive, %%exited;\n");
    else
        add_exited(t);
    add_case(t, info, points, dst);
    writer_format(
        t, "NEXT:\n    bar.warp.sync %%alive;\n    add.u32 %%x, %%index, 1;\n    setp.lt.u32 %%r, %%index, %%last;\n"
           "    mov.u32 %%index, %%x;\n    @%%r bra CASE;\n    cvt.u64.u32 %%offset, %%lanes;\n"
           "    red.global.add.u64 [%%reply], %%offset;\nEND:\n    ret;\n}\n");
}
