/* Modules that are read: what each construct becomes. */
#include "ptx/module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct module *read_text(const char *text)
{
    struct error error;
    struct module *m = module_read(text, strlen(text), "m.ptx", &error);
    if (m == NULL)
        fail_msg("%s", error.text);
    return m;
}

/* One entry with this body, and registers of all kinds. */
static struct module *read_body(const char *body)
{
    static const char head[] = ".version 8.6\n.target sm_90\n.address_size 64\n"
                               ".global .align 4 .u32 g[4];\n"
                               ".func (.param .b32 r) f(.param .b32 x) { ret; }\n"
                               ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
                               ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<99>;\n.reg .u32 %u<9>;\n"
                               ".reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.reg .f64 %fd<9>;\n.shared .align 8 .b8 s[64];\n";
    char *text = malloc(sizeof head + strlen(body) + 16);
    assert_non_null(text);
    sprintf(text, "%s%s\n}\n", head, body);
    struct module *m = read_text(text);
    free(text);
    return m;
}

static const struct module_function *entry(const struct module *m)
{
    uint32_t k = module_function_find(m, "k");
    assert_int_not_equal(k, MODULE_NONE);
    return &m->functions[k];
}

static const char *operand_text(const struct module *m, const struct module_function *f, const struct module_operand *o,
                                char text[64])
{
    const char *base = o->reg != MODULE_NONE        ? f->registers[o->reg].name
                       : o->variable != MODULE_NONE ? m->variables[o->variable].name
                                                    : "";
    switch (o->kind) {
    case OPERAND_NONE:
        return "-";
    case OPERAND_SINK:
        return "_";
    case OPERAND_REGISTER:
        snprintf(text, 64, "%s%s", o->negate ? "!" : "", base);
        break;
    case OPERAND_IMMEDIATE:
        snprintf(text, 64, "%s0x%llx", o->negate ? "!" : "", (unsigned long long)o->value);
        break;
    case OPERAND_SPECIAL:
        snprintf(text, 64, "%s.%u", ptx_special_name(o->special), o->component);
        break;
    case OPERAND_VARIABLE:
        snprintf(text, 64, "&%s+%lld", base, (long long)o->value);
        break;
    case OPERAND_FUNCTION:
        snprintf(text, 64, "&%s", m->functions[o->function].name);
        break;
    case OPERAND_ADDRESS:
        snprintf(text, 64, "[%s+%lld]", base, (long long)o->value);
        break;
    }
    return text;
}

/* "ID dst dst <- src src" */
static void instruction_text(const struct module *m, const struct module_function *f,
                             const struct module_instruction *i, char *text, size_t size)
{
    static const char *const ids[OPS] = {
#define OPCODE(id, ...) #id,
#include "ptx/opcodes.def"
#undef OPCODE
    };
    char operand[64];
    int n = snprintf(text, size, "%s", ids[i->op]);
    for (unsigned k = 0; k < i->dsts_count; k++)
        n += snprintf(text + n, size - (size_t)n, " %s", operand_text(m, f, &i->dsts[k], operand));
    for (unsigned k = 0; k < i->srcs_count; k++)
        n += snprintf(text + n, size - (size_t)n, "%s%s", k == 0 ? " <- " : " ",
                      operand_text(m, f, &i->srcs[k], operand));
    if (i->target != MODULE_NONE)
        snprintf(text + n, size - (size_t)n, " -> %u", i->target);
    if (i->callee != MODULE_NONE)
        snprintf(text + n, size - (size_t)n, " %s()", m->functions[i->callee].name);
}

/* Each line of PTX and the instruction that it becomes: operation, operands in their order, constants as bits. */
static void instructions(void **state)
{
    static const struct {
        const char *ptx, *read;
    } lines[] = {
        {"mov.u32 %r1, %tid.x;", "MOV %r1 <- %tid.0"},
        {"mov.u32 %r1, %ntid.z;", "MOV %r1 <- %ntid.2"},
        {"mov.u64 %rd1, %clock64;", "MOV %rd1 <- %clock64.0"},
        {"mov.u32 %r1, %envreg31;", "MOV %r1 <- %envreg.31"},
        {"mov.u64 %rd1, g;", "MOV %rd1 <- &g+0"},
        {"mov.u64 %rd1, g+8;", "MOV %rd1 <- &g+8"},
        {"mov.b64 %rd1, s-4;", "MOV %rd1 <- &s+-4"},
        {"mov.u64 %rd1, f;", "MOV %rd1 <- &f"},
        {"mov.pred %p1, !%p2;", "MOV %p1 <- !%p2"},
        {"mov.pred %p1, 1;", "MOV %p1 <- 0x1"},
        {"mov.f32 %f1, 0f3F800000;", "MOV %f1 <- 0x3f800000"},
        {"mov.f32 %f1, -1.5;", "MOV %f1 <- 0xbfc00000"},
        {"mov.f32 %f1, 0d3FF0000000000000;", "MOV %f1 <- 0x3f800000"},
        {"mov.f64 %fd1, 0d3FF0000000000000;", "MOV %fd1 <- 0x3ff0000000000000"},
        {"mov.f64 %fd1, 0f40000000;", "MOV %fd1 <- 0x4000000000000000"},
        {"mov.b32 %r1, 0f40000000;", "MOV %r1 <- 0x40000000"},
        {"mov.b64 %rd1, {%r1, %r2};", "PACK %rd1 <- %r1 %r2"},
        {"mov.b32 %r1, {%rs1, 1};", "PACK %r1 <- %rs1 0x1"},
        {"mov.b64 {%rs1, _, %rs3, %rs4}, %rd1;", "UNPACK %rs1 _ %rs3 %rs4 <- %rd1"},
        {"add.s32 %r1, %r2, -1;", "ADD %r1 <- %r2 0xffffffff"},
        {"add.s64 %rd1, %rd2, -1;", "ADD %rd1 <- %rd2 0xffffffffffffffff"},
        {"add.s16 %rs1, %rs2, 65537;", "ADD %rs1 <- %rs2 0x1"},
        {"add.u32 %u1, %r1, (1<<3)|7*2-1;", "ADD %u1 <- %r1 0xd"},
        {"add.u32 %u1, %r1, ~0x0f;", "ADD %u1 <- %r1 0xfffffff0"},
        {"add.u32 %u1, %r1, 0b101;", "ADD %u1 <- %r1 0x5"},
        {"add.u32 %u1, %r1, 017U;", "ADD %u1 <- %r1 0xf"},
        {"add.u32 %u1, %r1, (.s64)-7 / 2;", "ADD %u1 <- %r1 0xfffffffd"},
        {"add.u32 %u1, %r1, WARP_SZ;", "ADD %u1 <- %r1 0x20"},
        {"add.cc.u32 %r1, %r2, %r3;", "ADD %r1 cc <- %r2 %r3"},
        {"addc.cc.u32 %r1, %r2, %r3;", "ADDC %r1 cc <- %r2 %r3 cc"},
        {"addc.u32 %r1, %r2, 0;", "ADDC %r1 <- %r2 0x0 cc"},
        {"subc.cc.u64 %rd1, %rd2, %rd3;", "SUBC %rd1 cc <- %rd2 %rd3 cc"},
        {"madc.hi.cc.u32 %r1, %r2, %r3, %r4;", "MADC %r1 cc <- %r2 %r3 %r4 cc"},
        {"add.f16 %rs1, %rs2, %rs3;", "ADD %rs1 <- %rs2 %rs3"},
        {"add.rn.bf16x2 %r1, %r2, %r3;", "ADD %r1 <- %r2 %r3"},
        {"add.u16x2 %r1, %r2, %r3;", "ADD %r1 <- %r2 %r3"},
        {"mul.wide.u32 %rd1, %r1, 4;", "MUL %rd1 <- %r1 0x4"},
        {"mul.wide.s16 %r1, %rs1, %rs2;", "MUL %r1 <- %rs1 %rs2"},
        {"mul.lo.s32 %r1, %r2, %r3;", "MUL %r1 <- %r2 %r3"},
        {"mad.wide.u32 %rd1, %r1, %r2, %rd2;", "MAD %rd1 <- %r1 %r2 %rd2"},
        {"fma.rn.f32 %f1, %f2, %f3, 0f00000000;", "FMA %f1 <- %f2 %f3 0x0"},
        {"and.pred %p1, %p2, !%p3;", "AND %p1 <- %p2 !%p3"},
        {"not.b32 %r1, %r2;", "NOT %r1 <- %r2"},
        {"lop3.b32 %r1, %r2, %r3, %r4, 0x96;", "LOP3 %r1 <- %r2 %r3 %r4 0x96"},
        {"shl.b64 %rd1, %rd2, 3;", "SHL %rd1 <- %rd2 0x3"},
        {"shf.l.wrap.b32 %r1, %r2, %r3, %r4;", "SHF %r1 <- %r2 %r3 %r4"},
        {"setp.lt.s32 %p1, %r1, %r2;", "SETP %p1 <- %r1 %r2"},
        {"setp.lt.s32 %p1|%p2, %r1, %r2;", "SETP %p1 %p2 <- %r1 %r2"},
        {"setp.eq.and.f32 %p1|_, %f1, %f2, !%p3;", "SETP %p1 _ <- %f1 %f2 !%p3"},
        {"set.gt.u32.f32 %r1, %f1, %f2;", "SET %r1 <- %f1 %f2"},
        {"set.gt.or.f32.s32 %f1, %r1, %r2, %p1;", "SET %f1 <- %r1 %r2 %p1"},
        {"selp.b32 %r1, 1, %r2, %p1;", "SELP %r1 <- 0x1 %r2 %p1"},
        {"slct.f32.s32 %f1, %f2, %f3, %r1;", "SLCT %f1 <- %f2 %f3 %r1"},
        {"cvt.u32.u8 %r1, %rs1;", "CVT %r1 <- %rs1"},
        {"cvt.s64.s32 %rd1, %r1;", "CVT %rd1 <- %r1"},
        {"cvt.rn.f32.u64 %f1, %rd1;", "CVT %f1 <- %rd1"},
        {"cvt.f32.f16 %f1, %rs1;", "CVT %f1 <- %rs1"},
        {"cvt.rn.f16x2.f32 %r1, %f1, %f2;", "CVT %r1 <- %f1 %f2"},
        {"cvt.u64.u32 %rd1, %tid.x;", "CVT %rd1 <- %tid.0"},
        {"cvta.to.global.u64 %rd1, %rd2;", "CVTA %rd1 <- %rd2"},
        {"cvta.shared.u64 %rd1, s;", "CVTA %rd1 <- &s+0"},
        {"isspacep.shared %p1, %rd1;", "ISSPACEP %p1 <- %rd1"},
        {"popc.b64 %r1, %rd1;", "POPC %r1 <- %rd1"},
        {"bfind.shiftamt.u32 %r1, %r2;", "BFIND %r1 <- %r2"},
        {"bfe.s64 %rd1, %rd2, %r1, 8;", "BFE %rd1 <- %rd2 %r1 0x8"},
        {"bfi.b32 %r1, %r2, %r3, 0, 8;", "BFI %r1 <- %r2 %r3 0x0 0x8"},
        {"bmsk.clamp.b32 %r1, %r2, %r3;", "BMSK %r1 <- %r2 %r3"},
        {"szext.wrap.s32 %r1, %r2, 8;", "SZEXT %r1 <- %r2 0x8"},
        {"fns.b32 %r1, %r2, 0, 1;", "FNS %r1 <- %r2 0x0 0x1"},
        {"prmt.b32 %r1, %r2, %r3, 0x3210;", "PRMT %r1 <- %r2 %r3 0x3210"},
        {"dp4a.s32.u32 %r1, %r2, %r3, %r4;", "DP4A %r1 <- %r2 %r3 %r4"},
        {"dp2a.lo.u32.u32 %r1, %r2, %r3, %r4;", "DP2A %r1 <- %r2 %r3 %r4"},
        {"testp.finite.f64 %p1, %fd1;", "TESTP %p1 <- %fd1"},
        {"rcp.approx.ftz.f64 %fd1, %fd2;", "RCP %fd1 <- %fd2"},
        {"ex2.approx.f16x2 %r1, %r2;", "EX2 %r1 <- %r2"},
        {"ld.param.u64 %rd1, [out];", "LD %rd1 <- [out+0]"},
        {"ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r1, %r2, _, %r4}, [%rd1+-16];",
         "LD %r1 %r2 _ %r4 <- [%rd1+-16]"},
        {"ld.relaxed.gpu.global.u32 %r1, [g+4];", "LD %r1 <- [g+4]"},
        {"ld.u8 %r1, [%rd1+(2*3)];", "LD %r1 <- [%rd1+6]"},
        {"ld.global.s8 %rs1, [%rd1];", "LD %rs1 <- [%rd1+0]"},
        {"ld.local.u32 %r1, [16];", "LD %r1 <- [+16]"},
        {"st.shared.v2.f32 [s+8], {0f00000000, %f1};", "ST <- [s+8] 0x0 %f1"},
        {"st.global.u8 [%rd1], 300;", "ST <- [%rd1+0] 0x2c"},
        {"atom.global.add.u32 %r1, [%rd1], 1;", "ATOM %r1 <- [%rd1+0] 0x1"},
        {"atom.acq_rel.gpu.shared::cta.cas.b64 %rd1, [s], %rd2, %rd3;", "ATOM %rd1 <- [s+0] %rd2 %rd3"},
        {"atom.exch.b32 _, [%rd1], %r1;", "ATOM _ <- [%rd1+0] %r1"},
        {"red.global.add.noftz.f16x2 [%rd1], %r1;", "RED <- [%rd1+0] %r1"},
        {"ld.global.b32 { %r1 }, [ %rd1 + 0 ];", "LD %r1 <- [%rd1+0]"},
        {"st.global.b32 [ %rd1 + 0 ], { %r1 };", "ST <- [%rd1+0] %r1"},
        {"prefetch.global.L2 [%rd1];", "PREFETCH <- [%rd1+0]"},
        {"bar.sync 0;", "BAR_SYNC <- 0x0"},
        {"bar.sync %r1, 64;", "BAR_SYNC <- %r1 0x40"},
        {"barrier.cta.sync.aligned 1;", "BAR_SYNC <- 0x1"},
        {"bar.arrive 1, %r1;", "BAR_ARRIVE <- 0x1 %r1"},
        {"bar.red.popc.u32 %r1, 0, %p1;", "BAR_RED %r1 <- 0x0 - %p1"},
        {"bar.red.or.pred %p1, 1, %r2, !%p2;", "BAR_RED %p1 <- 0x1 %r2 !%p2"},
        {"bar.red.and.pred %p1, 1, !%p2;", "BAR_RED %p1 <- 0x1 - !%p2"},
        {"bar.warp.sync -1;", "WARP - - <- - - - 0xffffffff"},
        {"elect.sync _|%p1, %r1;", "WARP _ %p1 <- - - - %r1"},
        {"elect.sync %r2|%p1, 255;", "WARP %r2 %p1 <- - - - 0xff"},
        {"membar.gl;", "FENCE"},
        {"fence.acq_rel.cta;", "FENCE"},
        {"fence.proxy.async;", "FENCE_PROXY"},
        {"fence.proxy.async.shared::cta;", "FENCE_PROXY"},
        {"griddepcontrol.wait;", "GRIDDEP"},
        {"griddepcontrol.launch_dependents;", "GRIDDEP"},
        {"nanosleep.u32 100;", "NANOSLEEP <- 0x64"},
        {"cp.async.commit_group;", "CP_ASYNC"},
        {"cp.async.wait_group 1;", "CP_ASYNC <- 0x1"},
        {"cp.async.wait_all;", "CP_ASYNC"},
        {"cp.async.ca.shared::cta.global.L2::128B [s], [%rd1], 8;", "LD cp cp <- [%rd1+0]"},
        {"shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;", "WARP %r1 %p1 <- %r2 %r3 0x1f 0xffffffff"},
        {"shfl.idx.sync.b32 %f1, %f2, 0, 31, %r1;", "WARP %f1 - <- %f2 0x0 0x1f %r1"},
        {"vote.ballot.sync.b32 %r1, !%p1, %r2;", "WARP %r1 - <- !%p1 - - %r2"},
        {"vote.sync.ballot.b32 %r1, !%p1, %r2;", "WARP %r1 - <- !%p1 - - %r2"},
        {"vote.any.sync.pred %p1, %p2, 7;", "WARP %p1 - <- %p2 - - 0x7"},
        {"match.sync.all.b64 _|%p1, %rd1, %r1;", "WARP _ %p1 <- %rd1 - - %r1"},
        {"redux.add.sync.u32 %r1, %r2, %r3;", "WARP %r1 - <- %r2 - - %r3"},
        {"activemask.b32 %r1;", "WARP %r1 - <- - - - -"},
        {"call (%r1), f, (%r2);", "CALL %r1 <- %r2 f()"},
        {"call.uni f;", "CALL f()"},
        {"L: bra L;", "BRA -> 0"},
        {"ret;", "RET"},
        {"exit;", "EXIT"},
        {"trap;", "TRAP"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        char text[256];
        struct module *m = read_body(lines[n].ptx);
        const struct module_function *f = entry(m);
        if (f->unread != NULL)
            fail_msg("%s: %s", lines[n].ptx, f->unread);
        instruction_text(m, f, &f->instructions[0], text, sizeof text);
        if (strcmp(text, lines[n].read) != 0)
            fail_msg("%s is read as '%s', not '%s'", lines[n].ptx, text, lines[n].read);
        module_free(m);
    }
}

static struct module_instruction only(const char *line)
{
    struct module *m = read_body(line);
    struct module_instruction i = entry(m)->instructions[0];
    i.name = i.unread = NULL;
    i.dsts = i.srcs = NULL;
    module_free(m);
    return i;
}

static void modifiers(void **state)
{
    struct module_instruction i;
    (void)state;
    i = only("add.rz.ftz.sat.f32 %f1, %f2, %f3;");
    assert_int_equal(i.type, PTX_F32);
    assert_int_equal(i.rounding, ROUND_RZ);
    assert_true(i.ftz && i.sat && !i.cc);
    i = only("add.sat.ftz.f32.rz %f1, %f2, %f3;");
    assert_true(i.rounding == ROUND_RZ && i.ftz && i.sat);
    i = only("cvt.rni.sat.u8.f32 %r1, %f1;");
    assert_true(i.type == PTX_U8 && i.type2 == PTX_F32 && i.rounding == ROUND_RNI && i.sat);
    i = only("mul.hi.u64 %rd1, %rd2, %rd3;");
    assert_true(i.part == PART_HI && i.type == PTX_U64);
    i = only("setp.hi.u32 %p1, %r1, %r2;");
    assert_true(i.compare == COMPARE_GT && i.part == PART_NONE && i.bool_op == ATOMIC_NONE);
    assert_int_equal(only("setp.lo.u32 %p1, %r1, %r2;").compare, COMPARE_LT);
    assert_int_equal(only("setp.ls.u32 %p1, %r1, %r2;").compare, COMPARE_LE);
    assert_int_equal(only("setp.hs.u32 %p1, %r1, %r2;").compare, COMPARE_GE);
    i = only("setp.geu.xor.f32 %p1, %f1, %f2, %p2;");
    assert_true(i.compare == COMPARE_GEU && i.bool_op == ATOMIC_XOR);
    i = only("setp.nan.f32 %p1, %f1, %f2;");
    assert_true(i.compare == COMPARE_NAN && !i.nan);
    i = only("min.NaN.f32 %f1, %f2, %f3;");
    assert_true(i.nan);
    i = only("max.xorsign.abs.f32 %f1, %f2, %f3;");
    assert_true(i.xorsign && i.abs && !i.nan);
    i = only("fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4;");
    assert_true(i.relu && i.type == PTX_BF16X2);
    i = only("div.full.f32 %f1, %f2, %f3;");
    assert_true(i.full && !i.approx);
    i = only("div.approx.f32 %f1, %f2, %f3;");
    assert_true(i.approx && !i.full);
    i = only("shf.r.clamp.b32 %r1, %r2, %r3, %r4;");
    assert_true(!i.left && !i.wrap);
    i = only("shf.l.wrap.b32 %r1, %r2, %r3, %r4;");
    assert_true(i.left && i.wrap);
    i = only("prmt.b32.rc16 %r1, %r2, %r3, 0;");
    assert_int_equal(i.prmt_mode, PRMT_RC16);
    i = only("testp.subnormal.f32 %p1, %f1;");
    assert_int_equal(i.test, TEST_SUBNORMAL);
    i = only("ld.acquire.sys.shared::cta.v2.u64 {%rd1, %rd2}, [s];");
    assert_true(i.order == ORDER_ACQUIRE && i.scope == SCOPE_SYS && i.space == SPACE_SHARED && i.vector == 2);
    i = only("ld.volatile.global.u32 %r1, [%rd1];");
    assert_true(i.order == ORDER_VOLATILE && i.space == SPACE_GLOBAL && i.vector == 1);
    i = only("st.global.wt.u32 [%rd1], %r1;");
    assert_int_equal(i.cache, CACHE_WT);
    i = only("atom.add.u32 %r1, [%rd1], %r2;");
    assert_true(i.atomic == ATOMIC_ADD && i.space == SPACE_GENERIC && i.order == ORDER_NONE);
    i = only("red.relaxed.gpu.global.min.s64 [%rd1], %rd2;");
    assert_true(i.atomic == ATOMIC_MIN && i.order == ORDER_RELAXED && i.scope == SCOPE_GPU);
    i = only("membar.gl;");
    assert_true(i.order == ORDER_SC && i.scope == SCOPE_GPU);
    i = only("fence.cta;");
    assert_true(i.order == ORDER_ACQ_REL && i.scope == SCOPE_CTA);
    i = only("bar.sync 0;");
    assert_true(i.aligned);
    i = only("barrier.sync 0;");
    assert_false(i.aligned);
    i = only("barrier.red.and.aligned.pred %p1, 0, %p2;");
    assert_true(i.aligned && i.atomic == ATOMIC_AND && i.type == PTX_PRED);
    i = only("cvta.to.shared.u64 %rd1, %rd2;");
    assert_true(i.to && i.space == SPACE_SHARED);
    i = only("@!%p3 shfl.up.sync.b32 %r1, %r2, 1, 0, -1;");
    assert_true(i.form == WARP_SHFL_SYNC_UP_B32 && i.dst == WARP_DST_D && i.guard_negate && i.guard != MODULE_NONE);
    i = only("match.all.sync.b32 %r1|_, %r2, -1;");
    assert_true(i.form == WARP_MATCH_ALL_SYNC_B32 && i.dst == WARP_DST_D_SINK);
}

static void flow(void **state)
{
    struct module *m =
        read_body("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra $A;\n{ .reg .b32 %r1; mov.u32 %r1, 1; bra $B; $B: }\n"
                  "$A: @!%p1 exit;\nts: .branchtargets $A, $C, $A;\n@%p2 brx.idx %r2, ts;\n"
                  "brx.idx.uni %r2, ts;\n$C:");
    const struct module_function *f = entry(m);
    /* 0 setp 1 bra | 2 mov 3 bra | 4 (B, A) exit | 5 brx | 6 brx | 7 ret */
    const uint32_t firsts[] = {0, 2, 4, 5, 6, 7}, counts[] = {2, 2, 1, 1, 1, 1};
    (void)state;
    assert_int_equal(f->instructions_count, 8);
    assert_int_equal(f->blocks_count, 6);
    for (uint32_t b = 0; b < 6; b++) {
        assert_int_equal(f->blocks[b].first, firsts[b]);
        assert_int_equal(f->blocks[b].count, counts[b]);
        for (uint32_t n = 0; n < counts[b]; n++)
            assert_int_equal(f->instructions[firsts[b] + n].block, b);
    }
    assert_int_equal(f->instructions[1].target, 4);
    assert_int_equal(f->instructions[3].target, 4);
    assert_true(f->blocks[0].next_count == 1 && f->blocks[0].next[0] == 2 && f->blocks[0].falls_through);
    assert_true(f->blocks[1].next_count == 1 && f->blocks[1].next[0] == 2 && !f->blocks[1].falls_through);
    assert_true(f->blocks[2].next_count == 0 && f->blocks[2].falls_through);
    assert_int_equal(f->instructions[5].targets_count, 3);
    assert_true(f->instructions[5].targets[0] == 4 && f->instructions[5].targets[1] == 7);
    assert_ptr_equal(f->instructions[5].targets, f->instructions[6].targets);
    assert_true(f->blocks[3].next_count == 3 && f->blocks[3].next[1] == 5 && f->blocks[3].falls_through);
    assert_true(f->blocks[4].next_count == 3 && f->blocks[4].next[2] == 2 && !f->blocks[4].falls_through);
    assert_true(f->instructions[7].op == OP_RET && f->instructions[7].implicit);
    assert_true(f->blocks[5].next_count == 0 && !f->blocks[5].falls_through);
    /* The inner %r1 is another register than the outer one. */
    assert_int_not_equal(f->instructions[0].srcs[0].reg, f->instructions[2].dsts[0].reg);
    module_free(m);
}

static void registers(void **state)
{
    struct module *m = read_text(".entry k() { .reg .b32 %r<10>, x1<5>, x; .reg .pred p, x12; .reg .f64 d;\n"
                                 "mov.u32 %r9, 1; mov.u32 x14, 2; mov.pred x12, p; mov.u32 %r9, x; mov.f64 d, d; }");
    const struct module_function *f = entry(m);
    static const char *const names[] = {"%r9", "x14", "x12", "p", "x", "d"};
    static const unsigned bits[] = {32, 32, 1, 1, 32, 64};
    unsigned found = 0;
    (void)state;
    assert_int_equal(f->registers_count, 6);
    for (uint32_t n = 0; n < 6; n++)
        for (unsigned k = 0; k < 6; k++)
            if (strcmp(f->registers[n].name, names[k]) == 0) {
                assert_int_equal(f->registers[n].bits, bits[k]);
                found |= 1u << k;
            }
    assert_int_equal(found, 63);
    assert_int_equal(m->address_size, 32);
    module_free(m);
}

static const struct module_variable *variable(const struct module *m, uint32_t function, const char *name)
{
    uint32_t v = module_variable_find(m, function, name);
    if (v == MODULE_NONE)
        fail_msg("no variable %s", name);
    return &m->variables[v];
}

static void variables(void **state)
{
    struct module *m = read_text(".version 8.0\n.target sm_80, debug\n.address_size 64\n"
                                 ".visible .global .align 2 .b8 x[6] = {1, 2, -1};\n"
                                 ".extern .func f();\n"
                                 ".const .u64 p[3] = {generic(x)+4, x+1, f};\n"
                                 ".global .s16 two[2][3] = {{1, 2}, {-3}};\n"
                                 ".const .f32 fl[] = {1.0, 0f40000000};\n"
                                 ".global .f64 db = 0.5;\n"
                                 ".global .v2 .u32 vec[2] = {{1, 2}, {3, 4}};\n"
                                 ".extern .shared .align 16 .b8 dyn[];\n"
                                 ".extern .global .u32 e;\n.global .u32 e = 7;\n"
                                 ".weak .global .attribute(.managed) .align 4 .u32 w, w2[4];\n.common .global .u32 c;\n"
                                 ".global .texref t;\n");
    const struct module_variable *v = variable(m, MODULE_NONE, "x");
    (void)state;
    assert_int_equal(m->ptx, 80);
    assert_int_equal(m->target, WARP_TARGET(80, 0));
    assert_true(v->size == 6 && v->align == 2 && v->data_size == 3 && v->linkage == LINKAGE_VISIBLE);
    assert_memory_equal(v->data, "\x01\x02\xff", 3);
    v = variable(m, MODULE_NONE, "p");
    assert_true(v->space == SPACE_CONST && v->size == 24 && v->align == 8 && v->relocations_count == 3);
    assert_true(v->relocations[0].generic && v->relocations[0].addend == 4 && v->relocations[0].offset == 0);
    assert_true(!v->relocations[1].generic && v->relocations[1].addend == 1 && v->relocations[1].offset == 8);
    assert_int_equal(v->relocations[1].variable, module_variable_find(m, MODULE_NONE, "x"));
    assert_int_equal(v->relocations[2].function, module_function_find(m, "f"));
    v = variable(m, MODULE_NONE, "two");
    assert_true(v->size == 12 && v->data_size == 8);
    assert_memory_equal(v->data, "\x01\x00\x02\x00\x00\x00\xfd\xff", 8);
    v = variable(m, MODULE_NONE, "fl");
    assert_true(v->size == 8);
    assert_memory_equal(v->data, "\x00\x00\x80\x3f\x00\x00\x00\x40", 8);
    v = variable(m, MODULE_NONE, "db");
    assert_memory_equal(v->data, "\x00\x00\x00\x00\x00\x00\xe0\x3f", 8);
    v = variable(m, MODULE_NONE, "vec");
    assert_true(v->size == 16 && v->align == 8 && v->data_size == 16 && v->data[12] == 4);
    v = variable(m, MODULE_NONE, "dyn");
    assert_true(v->size == 0 && v->align == 16 && v->space == SPACE_SHARED && v->linkage == LINKAGE_EXTERN);
    v = variable(m, MODULE_NONE, "e");
    assert_true(v->linkage == LINKAGE_NONE && v->data[0] == 7);
    assert_int_equal(variable(m, MODULE_NONE, "w2")->size, 16);
    assert_int_equal(variable(m, MODULE_NONE, "w2")->linkage, LINKAGE_WEAK);
    assert_int_equal(variable(m, MODULE_NONE, "c")->linkage, LINKAGE_COMMON);
    module_free(m);
}

static void functions(void **state)
{
    struct module *m =
        read_text(".version 8.0\n.target sm_80\n.address_size 64\n"
                  ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                  ".func (.param .align 8 .b8 r[24]) agg(.param .align 4 .b8 a[12], .param .b16 b)\n.noreturn\n;\n"
                  ".weak .func (.reg .b32 %o) regs(.reg .b32 %i, .reg .pred %q) { @%q mov.u32 %o, %i; ret; }\n"
                  ".visible .entry k(.param .u32 n, .param .u64 .ptr .global .align 16 q, .param .align 8 .b8 s[20],\n"
                  " .param .u8 c)\n.reqntid 64, 2\n.maxntid 128, 1, 1\n.minnctapersm 2\n.pragma \"nounroll\";\n{\n"
                  ".reg .b32 %r<9>; .reg .pred %p<2>;\n.local .align 16 .b8 depot[40];\n.shared .f32 sh[32];\n"
                  "{ .param .b64 p0; .param .align 8 .b8 r0[24]; call (r0), agg, (p0, p0); }\n"
                  "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], %r1; call.uni (r0), vprintf, (p0, p0);\n"
                  " ld.param.b32 %r2, [r0+0]; }\n"
                  "call (%r3), regs, (%r4, %p1); call (_), regs, (7, 1);\n}\n"
                  ".func alias_of_regs(.reg .b32 %i);\n.alias alias_of_regs, regs;\n"
                  ".func caller() { .reg .b32 a; call alias_of_regs, (a); }\n");
    uint32_t k = module_function_find(m, "k");
    const struct module_function *f = &m->functions[k], *g;
    const struct module_variable *v;
    (void)state;
    assert_true(f->is_entry && !f->is_declaration && f->params_count == 4 && f->params_bytes == 37);
    assert_true(f->reqntid[0] == 64 && f->reqntid[1] == 2 && f->reqntid[2] == 1 && f->maxntid[0] == 128);
    v = &m->variables[f->params[1]];
    assert_string_equal(v->name, "q");
    assert_true(v->is_pointer && v->pointee == SPACE_GLOBAL && v->offset == 8 && v->function == k);
    v = &m->variables[f->params[2]];
    assert_true(v->offset == 16 && v->size == 20 && v->align == 8);
    assert_int_equal(m->variables[f->params[3]].offset, 36);
    v = variable(m, k, "depot");
    assert_true(v->space == SPACE_LOCAL && v->offset == 0 && v->align == 16);
    /* The blocks of the two calls share a place: 40 + 8 + 24 bytes are the most. */
    assert_int_equal(f->frame_bytes, 72);
    assert_int_equal(f->frame_align, 16);
    assert_int_equal(variable(m, k, "sh")->size, 128);
    g = &m->functions[f->instructions[0].callee];
    assert_string_equal(g->name, "agg");
    assert_true(g->is_declaration && g->noreturn && g->returns_count == 1 && g->params_count == 2);
    assert_int_equal(m->variables[g->returns[0]].size, 24);
    assert_int_equal(f->instructions[0].dsts[0].kind, OPERAND_VARIABLE);
    assert_int_equal(m->variables[f->instructions[0].dsts[0].variable].size, 24);
    g = &m->functions[f->instructions[4].callee];
    assert_string_equal(g->name, "regs");
    v = &m->variables[g->params[1]];
    assert_string_equal(g->registers[v->reg].name, "%q");
    assert_string_equal(g->registers[m->variables[g->returns[0]].reg].name, "%o");
    assert_int_equal(f->instructions[5].dsts[0].kind, OPERAND_SINK);
    assert_int_equal(f->instructions[5].srcs[0].value, 7);
    g = &m->functions[module_function_find(m, "caller")];
    assert_string_equal(m->functions[g->instructions[0].callee].name, "regs");
    module_free(m);
}

static void places(void **state)
{
    struct module *m = read_text(".file 1 \"a.cu\", 123, 45\n.entry k() { .reg .b32 r;\n mov.u32 r, 0;\n.loc 1 10 2\n"
                                 "mov.u32 r, 1;\n.loc 2 5 3, function_name $x+4, inlined_at 1 10 2\nmov.u32 r, 2;\n"
                                 ".loc 2 7 1, function_name $x, inlined_at 2 5 3\nmov.u32 r, 3;\n"
                                 ".loc 3 1 1\nmov.u32 r, 4;\n.loc 2 5 3, function_name $x, inlined_at 1 11 2\n"
                                 ".loc 2 7 1, function_name $x, inlined_at 2 5 3\nmov.u32 r, 5; }\n.file 2 \"b.h\"\n"
                                 ".section .debug_str { $x: .b8 1,2,3 { } }\n@@DWARF .byte 0x1 ( \"x\n");
    const struct module_function *f = entry(m);
    const struct module_location *at;
    (void)state;
    assert_int_equal(f->instructions[0].location, MODULE_NONE);
    assert_int_equal(f->instructions[0].line, 3);
    assert_int_equal(f->instructions[0].column, 2);
    at = &m->locations[f->instructions[1].location];
    assert_string_equal(m->files[at->file], "a.cu");
    assert_true(at->line == 10 && at->column == 2 && at->inlined_at == MODULE_NONE);
    at = &m->locations[f->instructions[3].location];
    assert_string_equal(m->files[at->file], "b.h");
    assert_true(at->line == 7 && at->column == 1);
    at = &m->locations[at->inlined_at];
    assert_true(at->line == 5 && strcmp(m->files[at->file], "b.h") == 0);
    at = &m->locations[at->inlined_at];
    assert_true(at->line == 10 && strcmp(m->files[at->file], "a.cu") == 0 && at->inlined_at == MODULE_NONE);
    assert_int_equal(m->locations[f->instructions[4].location].file, MODULE_NONE);
    /* The same functions, inlined at another place. */
    at = &m->locations[m->locations[f->instructions[5].location].inlined_at];
    assert_true(at->line == 5 && m->locations[at->inlined_at].line == 11);
    module_free(m);
}

/* What is not read spoils the functions that need it and no others. */
static void unread(void **state)
{
    struct module *m =
        read_text(".version 8.6\n.target sm_90a\n.address_size 64\n.global .texref t;\n"
                  ".func leaf() {\n  wgmma.fence.sync.aligned;\n  ret;\n}\n"
                  ".func middle() { call leaf; }\n.entry k() { call middle; }\n"
                  ".entry ok() { .reg .b32 r; mov.u32 r, 1; }\n"
                  ".entry tex() { .reg .f32 f<5>; tex.2d.v4.f32.f32 {f1, f2, f3, f4}, [t, {f1, f2}]; }\n"
                  ".entry fp() { .reg .b64 d; call d, (), P; P: .callprototype _ (); }\n"
                  ".entry many() { .reg .f32 f<5>; min.f32 f1, f2, f3, f4; }\n"
                  ".entry wide() { .reg .b128 q; mov.b128 q, q; }\n"
                  ".entry dup() { .reg .f32 f<5>; add.rn.rz.f32 f1, f2, f3; }\n"
                  ".entry nopart() { .reg .b32 f<5>; mul.u32 f1, f2, f3; }\n"
                  ".entry vec() { .reg .v2 .f32 v; .reg .f32 f; mov.f32 f, v.x; }\n"
                  ".entry surplus() { call leaf, (), 1; }\n"
                  ".entry form() { .reg .u32 a; redux.sync.mul.u32 a, a, -1; }\n"
                  ".entry less() { .reg .b32 a; .reg .pred p; setp.lt.b32 p, a, a; }\n"
                  ".entry lo() { .reg .b32 a; .reg .pred p; setp.lo.s32 p, a, a; }\n"
                  ".entry num() { .reg .b32 a; .reg .pred p; setp.num.u32 p, a, a; }\n"
                  ".entry nan() { .reg .b32 a; min.NaN.s32 a, a, a; }\n"
                  ".entry ftz() { .reg .f64 a; add.ftz.f64 a, a, a; }\n"
                  ".entry sat() { .reg .b32 a; add.sat.u32 a, a, a; }\n"
                  ".entry bulk() { cp.async.bulk.commit_group; }\n.entry out() { .reg .b64 d; "
                  "cp.async.ca.global.shared [d], [d], 4; }\n"
                  ".entry bar() { bar 0; }\n.entry warp() { bar.warp -1; }\n"
                  ".entry elect() { .reg .pred p; elect.sync.aligned _|p, -1; }\n.entry fence() { fence.sc; }\n"
                  ".entry cc() { .reg .b16 a; add.cc.u16 a, a, a; }\n");
    static const struct {
        const char *name, *why;
    } cases[] = {
        {"leaf", "m.ptx:6:3: wgmma.fence.sync.aligned is not read: 'wgmma' is no operation that is read"},
        {"middle", "it calls leaf: m.ptx:6:3: wgmma"},
        {"k", "it calls middle: it calls leaf: m.ptx:6:3: wgmma"},
        {"ok", NULL},
        {"tex", "'tex' is no operation that is read"},
        {"fp", "m.ptx:13:28: call is not read: an indirect call through 'd'"},
        {"many", "min.f32 is not read: it has more operands than are read"},
        {"wide", "mov.b128 is not read: the type .b128 does not go with it"},
        {"dup", "add.rn.rz.f32 is not read: '.rz' is not read here"},
        {"nopart", "mul.u32 is not read: .lo, .hi or .wide is missing"},
        {"vec", "mov.f32 is not read: the operand 'v'"},
        {"surplus", "call is not read: it has more operands than are read"},
        {"form", "redux.sync.mul.u32 is not read: it is no form of a warp instruction (nearest: redux.sync.m"},
        {"bulk", "cp.async.bulk.commit_group is not read: '.bulk' is not read here"},
        {"out", "cp.async.ca.global.shared is not read: only copies from global to shared memory are read"},
        {"less", "setp.lt.b32 is not read: only eq and ne compare untyped bits"},
        {"lo", "setp.lo.s32 is not read: lo, ls, hi and hs compare unsigned integers"},
        {"num", "setp.num.u32 is not read: that comparison is of floats"},
        {"nan", "min.NaN.s32 is not read: it has a modifier that is for floats"},
        {"ftz", "add.ftz.f64 is not read: a .f64 takes no .ftz"},
        {"sat", "add.sat.u32 is not read: of integers only .s32 takes .sat"},
        {"bar", "bar is not read: .sync, .arrive or .red is missing"},
        {"warp", "bar.warp is not read: it is no form of a warp instruction (nearest: bar.warp.sync)"},
        {"elect", "elect.sync.aligned is not read"},
        {"fence", "fence.sc is not read: the scope is missing"},
        {"cc", "add.cc.u16 is not read: .cc is for integers of 32 and 64 bits"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const struct module_function *f = &m->functions[module_function_find(m, cases[n].name)];
        if (cases[n].why == NULL) {
            assert_null(f->unread);
            continue;
        }
        assert_non_null(f->unread);
        if (strstr(f->unread, cases[n].why) == NULL)
            fail_msg("%s: '%s', not '%s'", cases[n].name, f->unread, cases[n].why);
    }
    /* An unread instruction keeps its name and place, and no operands. */
    const struct module_function *leaf = &m->functions[module_function_find(m, "leaf")];
    assert_int_equal(leaf->instructions[0].op, OP_UNREAD);
    assert_string_equal(leaf->instructions[0].name, "wgmma.fence.sync.aligned");
    assert_int_equal(leaf->instructions[1].op, OP_RET);
    module_free(m);
}

/* Mistakes that are kept: the instructions that have them, with the place, and no others. */
static void kept(void **state)
{
    static const struct module_options options = {.fragment = true, .keep_wrong = true};
    static const char text[] = "L: add.u32 a, b;\nbra M;\nt: .branchtargets L, M; brx.idx a, t; brx.idx a, t;\n"
                               "call g; ret; mov.u32 c, %tid;\nadd.u32 a, b, 0x1ffffffff;\nbra L;\n";
    static const struct {
        uint32_t line, column;
        const char *what;
    } expected[] = {
        {1, 16, "expected ',', found ';'"},
        {2, 5, "'M' is no label"},
        {3, 22, "'M' is no label"},
        {3, 50, "a name in this list of .branchtargets is no label"},
        {4, 6, "the function 'g' is not declared"},
        {0, 0, NULL},
        {4, 25, "%tid needs a component"},
        {5, 15, "does not fit the 32 bits"},
        {0, 0, NULL},
    };
    struct warp_text_error error = {0};
    struct module *m = module_read_piece(text, sizeof text - 1, &options, &error);
    (void)state;
    if (m == NULL)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.what);
    assert_int_equal(m->functions_count, 1);
    assert_int_equal(m->functions[0].instructions_count, 9);
    for (unsigned n = 0; n < 9; n++) {
        const struct module_instruction *i = &m->functions[0].instructions[n];
        assert_int_equal(i->op == OP_UNREAD, expected[n].what != NULL);
        if (i->op != OP_UNREAD)
            continue;
        if (i->unread_line != expected[n].line || i->unread_column != expected[n].column ||
            strstr(i->unread, expected[n].what) == NULL)
            fail_msg("%u: %u:%u: %s", n, i->unread_line, i->unread_column, i->unread);
    }
    module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions), cmocka_unit_test(modifiers), cmocka_unit_test(flow),
        cmocka_unit_test(registers),    cmocka_unit_test(variables), cmocka_unit_test(functions),
        cmocka_unit_test(places),       cmocka_unit_test(unread),    cmocka_unit_test(kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
