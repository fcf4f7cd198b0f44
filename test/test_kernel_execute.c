/*
 * What lanes, warps and blocks do together: small kernels, each with what must come of it. A kernel checks its own
 * values and traps when one is wrong. In each, %r1 is the thread, %r2 the lane, %d1 a buffer, and s shared memory.
 */
#include "kernel/kernel.h"
#include "kernel/params.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define NOTHING KERNEL_KINDS

struct kernel_case {
    const char *name, *target;
    uint32_t block[2]; /* x, y */
    enum kernel_activemask activemask;
    enum kernel_ending ending;
    enum kernel_kind kind; /* of the one event; NOTHING: none */
    lanemask lanes;        /* of that event; 0: not looked at */
    const char *body;
};

#define SM90               "sm_90", {32, 1}, KERNEL_TOGETHER
#define EXPECT(reg, value) "setp.ne.u32 %p9, " reg ", " value "; @%p9 trap;\n"
#define LOWER              "setp.lt.u32 %p1, %r2, 16;\n"
/* %r3 becomes unpredictable in the lower half: its lanes read lanes 16 on, which are not in the group. */
#define TAINT                                                                                                          \
    LOWER "@!%p1 bra T_1;\n shfl.sync.bfly.b32 %r3, %r1, 16, 31, 0xffff;\n bra T_2;\n T_1: mov.u32 %r3, %r1;\n"        \
          "T_2: bar.warp.sync -1;\n"
#define ADDRESS "mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2;\n"
/* Prints l by "%d %5.1f%% %*c %lx": four bytes at 0, eight at 8, four at 16 and at 20, eight at 24. */
#define PRINT                                                                                                          \
    "mov.u64 %d7, l; cvta.local.u64 %d7, %d7; mov.u64 %d8, format; cvta.global.u64 %d8, %d8;\n"                        \
    "call (%r9), vprintf, (%d8, %d7);\n"
#define SHARED "shl.b32 %r10, %r1, 2; mov.u32 %r11, s; add.u32 %r12, %r10, %r11;\n"

static const struct kernel_case cases[] = {
    /* rule 2: who meets */
    {"branches pair", SM90, KERNEL_ENDED, KERNEL_PAIRS, 0,
     LOWER "@%p1 bra A; shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; xor.b32 %r4, %r1, 8; bra B;\n"
           "A: shfl.sync.bfly.b32 %r3, %r1, 16, 31, -1; xor.b32 %r4, %r1, 16;\n B: " EXPECT("%r3", "%r4")},
    {"votes of both branches", SM90, KERNEL_ENDED, KERNEL_PAIRS, 0,
     LOWER "@%p1 bra A; vote.sync.ballot.b32 %r3, %p1, -1; bra B;\n"
           "A: vote.sync.ballot.b32 %r3, !%p1, -1;\n B: " EXPECT("%r3", "0")},
    {"other forms do not pair", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0,
     LOWER "@%p1 bra A; shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; bra B; A: shfl.sync.idx.b32 %r3, %r1, 8, 31, -1; B:\n"},
    {"a vote and a shuffle do not pair", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0,
     LOWER "@%p1 bra A; shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; bra B; A: vote.sync.ballot.b32 %r3, %p1, -1; B:\n"},
    {"a warp barrier and a shuffle do not pair", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0,
     LOWER "@%p1 bra A; shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; bra B; A: bar.warp.sync -1; B:\n"},
    {"other masks do not pair", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0x0000ffff,
     LOWER "selp.b32 %r4, -1, 0xffff0000, %p1; shfl.sync.bfly.b32 %r3, %r1, 1, 31, %r4; bar.warp.sync -1;\n"},
    {"two masks, two groups", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "selp.b32 %r4, 0xffff, 0xffff0000, %p1; vote.sync.ballot.b32 %r3, 1, %r4;\n" EXPECT("%r3", "%r4")},
    {"exited lanes are not waited for", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "@!%p1 exit; vote.sync.ballot.b32 %r3, 1, -1;\n" EXPECT("%r3", "0xffff")},
    {"lanes that wait go on once others exit", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "@%p1 bra A; vote.sync.ballot.b32 %r3, 1, -1;\n" EXPECT(
         "%r3", "0xffff0000") " bra B;\n"
                              "A: vote.sync.ballot.b32 %r3, 1, 0xffff;\n" EXPECT("%r3", "0xffff") "exit; B:\n"},
    {"lanes that do not exist are not waited for",
     "sm_90",
     {40, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "vote.sync.ballot.b32 %r3, 1, -1; setp.lt.u32 %p1, %r1, 32; selp.b32 %r4, -1, 0xff, %p1;\n" EXPECT("%r3", "%r4")},
    {"turns of a loop", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r5, 0; L: match.any.sync.b32 %r3, %r5, -1;\n" EXPECT(
         "%r3", "-1") "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra L;\n"},
    {"lanes leave a loop one by one", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0,
     "mov.u32 %r5, 0; L: vote.sync.ballot.b32 %r3, 1, -1; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r2;\n"
     "@%p1 bra L; bar.warp.sync -1;\n"},
    {"lanes leave a loop and exit", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r5, 0; L: vote.sync.ballot.b32 %r3, 1, -1; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r2; @%p1 bra "
     "L;\n"},
    {"a lane waits for lanes at a block barrier", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0x0000ffff,
     LOWER "@!%p1 bra A; vote.sync.ballot.b32 %r3, 1, -1; A: bar.sync 0;\n"},
    /* rule 3: undefined */
    {"own mask", SM90, KERNEL_STOPPED, KERNEL_UNDEFINED, 0xffff0000, "vote.sync.ballot.b32 %r3, 1, 0xffff;\n"},
    {"mask 0", SM90, KERNEL_STOPPED, KERNEL_UNDEFINED, UINT32_MAX, "shfl.sync.idx.b32 %r3, %r1, 0, 31, 0;\n"},
    {"own mask of a warp barrier", SM90, KERNEL_STOPPED, KERNEL_UNDEFINED, 1, "bar.warp.sync 0xfffffffe;\n"},
    /* unpredictable values */
    {"read and thrown away", SM90, KERNEL_ENDED, NOTHING, 0, TAINT},
    {"stored", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff, TAINT ADDRESS "st.global.u32 [%d3], %r3;\n"},
    {"computed and stored", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xfffe,
     TAINT ADDRESS "mad.lo.u32 %r4, %r1, %r3, 7; st.global.u32 [%d3], %r4;\n"},
    {"printed", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff, TAINT "st.local.u32 [l+20], %r3;\n" PRINT},
    {"printed, of eight bytes", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "st.local.u32 [l+28], %r3;\n" PRINT},
    {"beside what is printed", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT "st.local.u32 [l+4], %r3; st.local.u32 [l+32], %r3;\n" PRINT},
    {"in place of a format", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "cvt.u64.u32 %d5, %r3; mov.u64 %d6, 0; call (%r9), vprintf, (%d5, %d6);\n"},
    {"overwritten", SM90, KERNEL_ENDED, NOTHING, 0, TAINT ADDRESS "mov.u32 %r3, %r1; st.global.u32 [%d3], %r3;\n"},
    {"a branch", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "setp.gt.u32 %p2, %r3, 4; @%p2 bra A; add.u32 %r4, %r1, 1; A:\n"},
    {"an address", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "mul.wide.u32 %d2, %r3, 4; add.s64 %d3, %d1, %d2; ld.global.u32 %r4, [%d3];\n"},
    {"a membermask", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "or.b32 %r3, %r3, 1; vote.sync.ballot.b32 %r4, 1, %r3;\n"},
    {"an atomic operation", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "red.global.add.u32 [%d1], %r3;\n"},
    {"and with 0", SM90, KERNEL_ENDED, NOTHING, 0, TAINT ADDRESS "and.b32 %r4, %r3, 0; st.global.u32 [%d3], %r4;\n"},
    {"or with ones", SM90, KERNEL_ENDED, NOTHING, 0, TAINT ADDRESS "or.b32 %r4, -1, %r3; st.global.u32 [%d3], %r4;\n"},
    {"and with 1", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "and.b32 %r4, %r3, 1; st.global.u32 [%d3], %r4;\n"},
    {"a product with 0", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "mov.u32 %r4, 0; mad.lo.u32 %r4, %r3, %r4, 7; st.global.u32 [%d3], %r4;\n"},
    {"a product with 0 and what is added", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "mov.u32 %r4, 0; mad.lo.u32 %r4, %r1, %r4, %r3; st.global.u32 [%d3], %r4;\n"},
    {"shifted out", SM90, KERNEL_ENDED, NOTHING, 0, TAINT ADDRESS "shl.b32 %r4, %r3, 32; st.global.u32 [%d3], %r4;\n"},
    {"shifted by it", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "shl.b32 %r4, %r1, %r3; st.global.u32 [%d3], %r4;\n"},
    {"bytes of another", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "prmt.b32 %r4, %r1, %r3, 0x3210; st.global.u32 [%d3], %r4;\n"},
    {"one byte of it among others", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "prmt.b32 %r4, %r1, %r3, 0x3214; st.global.u32 [%d3], %r4;\n"},
    {"lop3 that takes another", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "lop3.b32 %r4, %r3, %r1, %r2, 0xc0; lop3.b32 %r5, %r3, %r1, %r2, 0xcc; st.global.u32 [%d3], %r5;\n"},
    {"lop3 that takes it", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "lop3.b32 %r4, %r3, -1, %r2, 0xc0; st.global.u32 [%d3], %r4;\n"},
    {"no bits of it", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "bfe.u32 %r4, %r3, 3, 0; st.global.u32 [%d3], %r4;\n"},
    {"a comparison that does not matter", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "setp.gt.and.u32 %p2, %r3, 4, !%p1; setp.gt.or.u32 %p3, %r3, 4, %p1; selp.u32 %r4, 1, 0, %p2;\n"
                   "selp.u32 %r5, 7, %r4, %p3; st.global.u32 [%d3], %r5;\n"},
    {"a comparison that matters", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "setp.gt.and.u32 %p2, %r3, 4, %p1; selp.u32 %r4, 1, 0, %p2; st.global.u32 [%d3], %r4;\n"},
    {"selp takes the other", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "selp.b32 %r4, 5, %r3, %p1; st.global.u32 [%d3], %r4;\n"},
    {"selp takes it", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "selp.b32 %r4, %r3, 5, %p1; st.global.u32 [%d3], %r4;\n"},
    {"through shared memory", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS SHARED "st.shared.u32 [%r12], %r3; ld.shared.u32 %r4, [%r12]; st.global.u32 [%d3], %r4;\n"},
    {"left in shared memory", SM90, KERNEL_ENDED, NOTHING, 0, TAINT SHARED "st.shared.u32 [%r12], %r3;\n"},
    {"overwritten in shared memory", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS SHARED "st.shared.u32 [%r12], %r3; st.shared.u32 [%r12], %r1; ld.shared.u32 %r4, [%r12];\n"
                          "st.global.u32 [%d3], %r4;\n"},
    {"through local memory", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "st.local.u32 [l+4], %r3; ld.local.u32 %r4, [l+4]; st.global.u32 [%d3], %r4;\n"},
    {"one byte of it", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "st.local.u8 [l+5], %r3; ld.local.u32 %r4, [l+4]; st.global.u32 [%d3], %r4;\n"},
    {"through a shuffle", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff0000,
     TAINT ADDRESS "shfl.sync.bfly.b32 %r4, %r3, 16, 31, -1; @%p1 bra A; st.global.u32 [%d3], %r4; A:\n"},
    {"a shuffle of what is known", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "shfl.sync.bfly.b32 %r4, %r3, 8, 31, -1; @%p1 bra A; st.global.u32 [%d3], %r4; A:\n"},
    {"a source lane that is unpredictable", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "shfl.sync.idx.b32 %r4|%p2, %r1, %r3, 31, -1; @%p2 bra A; add.u32 %r4, %r1, 1; A:\n"},
    {"overwritten by a load", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT ADDRESS "ld.global.u32 %r3, [%d3]; st.global.u32 [%d3+4096], %r3;\n"},
    {"through a vote", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, UINT32_MAX,
     TAINT "setp.gt.u32 %p2, %r3, 4; vote.sync.any.pred %p3, %p2, -1; @%p3 bra A; add.u32 %r4, %r1, 1; A:\n"},
    {"p of match.all", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, UINT32_MAX,
     TAINT "match.all.sync.b32 %r4|%p2, %r3, -1; @%p2 bra A; add.u32 %r4, %r1, 1; A:\n"},
    {"p of a shuffle is known", SM90, KERNEL_ENDED, NOTHING, 0,
     TAINT "shfl.sync.up.b32 %r4|%p2, %r3, 1, 0, -1; @%p2 bra A; add.u32 %r4, %r1, 1; A:\n"},
    {"through a function", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call.uni (b), twice, (a);\n"
                   "ld.param.b32 %r4, [b]; } st.global.u32 [%d3], %r4;\n"},
    /* activemask, elect */
    {"activemask together", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "@!%p1 bra A; activemask.b32 %r3;\n" EXPECT("%r3", "0xffff") "A:\n"},
    {"activemask alone",
     "sm_90",
     {32, 1},
     KERNEL_ALONE,
     KERNEL_ENDED,
     NOTHING,
     0,
     "activemask.b32 %r3; mov.u32 %r4, %lanemask_eq;\n" EXPECT("%r3", "%r4")},
    {"activemask in parts has the lane itself",
     "sm_90",
     {32, 1},
     KERNEL_ANY,
     KERNEL_ENDED,
     NOTHING,
     0,
     "activemask.b32 %r3; mov.u32 %r4, %lanemask_eq; and.b32 %r3, %r3, %r4;\n" EXPECT("%r3", "%r4")},
    {"one leader",
     "sm_90",
     {32, 1},
     KERNEL_ANY,
     KERNEL_ENDED,
     NOTHING,
     0,
     "elect.sync %r3|%p1, -1; vote.sync.ballot.b32 %r4, %p1, -1; shl.b32 %r5, 1, %r3;\n" EXPECT("%r4", "%r5")},
    {"any leader of some is one of them",
     "sm_90",
     {32, 1},
     KERNEL_ANY,
     KERNEL_ENDED,
     NOTHING,
     0,
     LOWER "@%p1 bra A; elect.sync %r3|%p2, 0xffff0000; shr.u32 %r4, %r3, 4;\n" EXPECT("%r4", "1") "A:\n"},
    {"a leader of some", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "@%p1 bra A; elect.sync %r3|%p2, 0xffff0000;\n" EXPECT("%r3", "16") "A:\n"},
    /* block barriers */
    {"block barrier",
     "sm_90",
     {96, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     SHARED
     "st.shared.u32 [%r12], %r1; bar.sync 0; xor.b32 %r4, %r1, 31; shl.b32 %r5, %r4, 2; add.u32 %r5, %r5, %r11;\n"
     "ld.shared.u32 %r6, [%r5];\n" EXPECT("%r6", "%r4")},
    {"two places", SM90, KERNEL_ENDED, KERNEL_BARRIER, 0, LOWER "@%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:\n"},
    {"two barriers", SM90, KERNEL_STOPPED, KERNEL_BARRIER, 0,
     LOWER "@%p1 bra A; bar.sync 1; bra B; A: bar.sync 2; B:\n"},
    {"two places without .aligned", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "@%p1 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B:\n"},
    {"exited before a barrier", SM90, KERNEL_ENDED, KERNEL_EXITED, 0xffff, LOWER "@!%p1 exit; bar.sync 0;\n"},
    {"gone round a barrier", SM90, KERNEL_ENDED, KERNEL_BARRIER, 0xffff,
     LOWER "@!%p1 bra A; bar.sync 0; A: add.u32 %r4, %r1, 1;\n"},
    {"gone round a barrier, a branch behind it", SM90, KERNEL_ENDED, KERNEL_BARRIER, 0xffff,
     LOWER "@!%p1 bra A; bar.sync 0; A: setp.ne.u32 %p3, %r2, 0; @%p3 bra B; add.u32 %r4, %r1, 1; B:\n"},
    {"exited where others come, too", SM90, KERNEL_ENDED, KERNEL_EXITED, 0xffff,
     LOWER "@!%p1 bra A; bar.sync 0; setp.ne.u32 %p3, %r2, 0; @%p3 bra A; add.u32 %r4, %r1, 1; exit;\n"
           "A: add.u32 %r4, %r1, 2;\n"},
    {"gone round a barrier in a turn of a loop", SM90, KERNEL_ENDED, KERNEL_BARRIER, 0xffff,
     LOWER "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.eq.u32 %p2, %r5, 2; @!%p2 bra A; @!%p1 bra B; A: bar.sync 0;\n"
           "B: setp.lt.u32 %p3, %r5, 3; @%p3 bra L;\n"},
    {"left a loop early", SM90, KERNEL_ENDED, KERNEL_EXITED, 0xffff,
     LOWER "selp.u32 %r4, 3, 2, %p1; mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; bar.sync 0; setp.lt.u32 %p3, %r5, %r4; "
           "@%p3 bra L;\n"},
    {"exited before a barrier with more behind it", SM90, KERNEL_ENDED, KERNEL_EXITED, 0xffff,
     LOWER "@!%p1 bra A; bar.sync 0; add.u32 %r4, %r1, 1; A:\n"},
    {"a part of a warp arrives",
     "sm_90",
     {40, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.arrive 1, 64; bra B; A: bar.sync 1, 64; B:\n"},
    {"numbers that differ", SM90, KERNEL_STOPPED, KERNEL_BARRIER, 0xffff,
     LOWER "selp.u32 %r4, 1, 2, %p1; bar.sync %r4;\n"},
    {"counts that differ",
     "sm_90",
     {96, 1},
     KERNEL_TOGETHER,
     KERNEL_STOPPED,
     KERNEL_BARRIER,
     0xffff,
     LOWER "selp.u32 %r4, 32, 64, %p1; bar.sync 1, %r4;\n"},
    {"numbers that differ, without .aligned",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     LOWER "selp.u32 %r4, 1, 2, %p1; barrier.sync %r4, 32;\n"},
    {"each number has its own threads", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 0,
     LOWER "selp.u32 %r4, 1, 2, %p1; barrier.sync %r4, 32;\n"},
    {"no such barrier", SM90, KERNEL_STOPPED, KERNEL_BARRIER, UINT32_MAX, "mov.u32 %r4, 17; bar.sync %r4;\n"},
    {"half a warp counted", SM90, KERNEL_STOPPED, KERNEL_BARRIER, UINT32_MAX, "mov.u32 %r4, 16; bar.sync 1, %r4;\n"},
    {"whole warps exited",
     "sm_90",
     {96, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.ge.u32 %p1, %r1, 64; @%p1 exit; bar.sync 0;\n"},
    {"exited before a barrier, sm_60",
     "sm_60",
     {32, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     KERNEL_BARRIER,
     0xffff,
     LOWER "@!%p1 exit; bar.sync 0;\n"},
    {"warps at two places",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:\n"},
    {"arrive and sync",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1, 64; bra B; A: bar.arrive 1, 64; B:\n"},
    {"too few come",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_STOPPED,
     KERNEL_DEADLOCK,
     0,
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1, 64; A:\n"},
    {"reductions of a barrier",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r3, 0, %p1; bar.red.and.pred %p2, 0, %p1;\n"
     "bar.red.or.pred %p3, 0, %p1; selp.u32 %r4, 2, 0, %p2; selp.u32 %r5, 1, 0, %p3; or.b32 %r4, %r4, %r5;\n" EXPECT(
         "%r3", "40") EXPECT("%r4", "1")},
    /* races */
    {"write, then read of another", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "st.shared.u32 [%r12], %r1; xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4];\n"},
    {"read, then write of another", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4]; st.shared.u32 [%r12], %r1;\n"},
    {"two values", SM90, KERNEL_ENDED, KERNEL_RACE, 0, SHARED "st.shared.u32 [%r11], %r1;\n"},
    {"one value", SM90, KERNEL_ENDED, NOTHING, 0, SHARED "st.shared.u32 [%r11], 7;\n"},
    {"ordered by a warp barrier", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "st.shared.u32 [%r12], %r1; bar.warp.sync -1; xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4];\n"},
    {"ordered by a block barrier", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "st.shared.u32 [%r12], %r1; bar.sync 0; xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4];\n"},
    {"not ordered by a shuffle", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "st.shared.u32 [%r12], %r1; shfl.sync.idx.b32 %r6, %r1, 0, 31, -1; xor.b32 %r4, %r12, 4;\n"
            "ld.shared.u32 %r5, [%r4];\n"},
    {"ordered by a fence and a shuffle", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "st.shared.u32 [%r12], %r1; membar.cta; shfl.sync.idx.b32 %r6, %r1, 0, 31, -1; xor.b32 %r4, %r12, 4;\n"
            "ld.shared.u32 %r5, [%r4];\n"},
    {"not ordered by the barrier of others", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED LOWER "selp.b32 %r6, 0xffff, 0xffff0000, %p1; st.shared.u32 [%r12], %r1; bar.warp.sync %r6;\n"
                  "xor.b32 %r4, %r12, 64; ld.shared.u32 %r5, [%r4];\n"},
    {"ordered through a third", SM90, KERNEL_ENDED, KERNEL_PAIRS, 0,
     SHARED "setp.ne.u32 %p1, %r2, 0; @%p1 bra A; st.shared.u32 [%r11], 9; bar.warp.sync 3; bra C;\n"
            "A: setp.ne.u32 %p1, %r2, 1; @%p1 bra B; bar.warp.sync 3; bar.warp.sync 6; bra C;\n"
            "B: setp.ne.u32 %p1, %r2, 2; @%p1 bra C; bar.warp.sync 6; ld.shared.u32 %r5, [%r11]; C:\n"},
    {"other bytes of the word", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "setp.gt.u32 %p1, %r2, 3; @%p1 bra A; add.u32 %r4, %r11, %r2; st.shared.u8 [%r4], %r1;\n"
            "ld.shared.u8 %r5, [%r4]; A:\n"},
    {"other bytes are read", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "setp.gt.u32 %p1, %r2, 3; @%p1 bra A; add.u32 %r4, %r11, %r2; ld.shared.u8 %r5, [%r4];\n"
            "st.shared.u8 [%r4], %r1; A:\n"},
    {"other bytes were read before a meeting", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "setp.gt.u32 %p1, %r2, 3; ld.shared.u32 %r6, [%r11]; bar.warp.sync -1; @%p1 bra A;\n"
            "add.u32 %r4, %r11, %r2; ld.shared.u8 %r5, [%r4]; st.shared.u8 [%r4], %r1; A:\n"},
    {"a byte that other bytes are written behind", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "setp.gt.u32 %p1, %r2, 7; add.u32 %r4, %r11, %r2; @%p1 bra A; st.shared.u8 [%r4], %r1; bra B;\n"
            "A: sub.u32 %r5, %r4, 8; and.b32 %r6, %r2, 3; setp.eq.u32 %p2, %r6, 0; setp.lt.and.u32 %p2, %r2, 16, %p2;\n"
            "@%p2 ld.shared.u8 %r7, [%r5]; B:\n"},
    {"a byte that is read before another is written", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "setp.eq.u32 %p1, %r2, 0; @%p1 ld.shared.u8 %r4, [%r11]; setp.eq.u32 %p1, %r2, 1; @%p1 st.shared.u8 "
            "[%r11+1], 5;\n"
            "setp.eq.u32 %p1, %r2, 2; @%p1 st.shared.u8 [%r11], 5;\n"},
    {"what is read behind the fence", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "st.shared.u32 [%r12], %r1; membar.cta; ld.shared.u32 %r7, [%r12]; shfl.sync.idx.b32 %r6, %r1, 0, 31, -1;\n"
            "xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4];\n"},
    {"a fence of some lanes", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED LOWER "st.shared.u32 [%r12], %r1; @%p1 membar.cta; shfl.sync.idx.b32 %r6, %r1, 0, 31, -1;\n"
                  "xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4];\n"},
    {"what is written behind the fence", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "membar.cta; st.shared.u32 [%r12], %r1; shfl.sync.idx.b32 %r6, %r1, 0, 31, -1; xor.b32 %r4, %r12, 4;\n"
            "ld.shared.u32 %r5, [%r4];\n"},
    {"atomics do not race", SM90, KERNEL_ENDED, NOTHING, 0, SHARED "atom.shared.add.u32 %r4, [%r11], 1;\n"},
    {"an atomic and a write", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED LOWER "@%p1 bra A; atom.shared.add.u32 %r4, [%r11], 1; bra B; A: st.shared.u32 [%r11], 77; B:\n"},
    {"warps are not looked at",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     SHARED "setp.ne.u32 %p1, %r2, 0; @%p1 bra A; st.shared.u32 [%r11], %r1; A:\n"},
    /* sm_6x */
    {"convergence",
     "sm_60",
     {32, 1},
     KERNEL_TOGETHER,
     KERNEL_STOPPED,
     KERNEL_CONVERGENCE,
     0,
     LOWER
     "@%p1 bra A; shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; bra B; A: shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; B:\n"},
    {"together, sm_60",
     "sm_60",
     {32, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "shfl.sync.bfly.b32 %r3, %r1, 8, 31, -1; xor.b32 %r4, %r1, 8;\n" EXPECT("%r3", "%r4")},
    /* going on */
    {"uninitialized", SM90, KERNEL_ENDED, KERNEL_UNINITIALIZED, UINT32_MAX, "add.u32 %r4, %r20, 1;\n"},
    {"trap", SM90, KERNEL_TRAPPED, NOTHING, 0, "trap;\n"},
    {"no end", SM90, KERNEL_ENDLESS, NOTHING, 0, "L: bra L;\n"},
    {"a warp waits for another",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     SHARED "setp.ge.u32 %p1, %r1, 32; @%p1 bra A; st.shared.u32 [%r11+512], 0; bar.warp.sync -1;\n"
            "L: ld.volatile.shared.u32 %r4, [%r11+512]; setp.eq.u32 %p2, %r4, 0; @%p2 bra L; bra B;\n"
            "A: setp.ne.u32 %p2, %r1, 32; @%p2 bra B; st.volatile.shared.u32 [%r11+512], 1; B:\n"},
    {"a lane waits for another", SM90, KERNEL_ENDED, NOTHING, 0,
     "st.global.u32 [%d1], 0; bar.warp.sync -1; setp.eq.u32 %p1, %r2, 5; @%p1 bra A;\n"
     "L: ld.volatile.global.u32 %r4, [%d1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra L; bra B;\n"
     "A: st.volatile.global.u32 [%d1], 1; B:\n"},
    {"environment registers are no registers", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r3, %envreg31; mov.u32 %r4, %envreg3; mov.u32 %r5, %reserved_smem_offset_begin;\n" EXPECT("%r3", "0")
         EXPECT("%r4", "0") EXPECT("%r5", "0")},
    /* %envreg1 and %envreg2 are the two words of an address at which the blocks of the grid count each other. */
    {"the workspace of a grid", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r3, %envreg2; mov.u32 %r4, %envreg1; mov.b64 %d5, {%r3, %r4}; setp.ne.s64 %p1, %d5, 0; selp.u32 %r5, 1, "
     "0, %p1;\n" EXPECT("%r5", "1") "setp.ne.u32 %p1, %r2, 0; @%p1 bra A; atom.add.release.gpu.u32 %r6, [%d5+4], "
                                    "5;\n" EXPECT("%r6", "0") "ld.acquire.gpu.u32 %r6, [%d5+4];\n" EXPECT("%r6",
                                                                                                          "5") "A:\n"},
    /* who waits for lanes that can never do anything else waits for ever; a loop that something could end may end */
    {"a lane polls a word that nobody can change", SM90, KERNEL_STOPPED, KERNEL_DEADLOCK, 1,
     SHARED "setp.eq.u32 %p1, %r2, 31; @%p1 bra L; setp.ne.u32 %p1, %r2, 0; @%p1 exit; bar.warp.sync 0x80000001; bra "
            "B;\n"
            "L: atom.shared.cas.b32 %r4, [%r11+512], 7, 8; setp.ne.u32 %p2, %r4, 7; @%p2 bra L; bar.warp.sync "
            "0x80000001; B:\n"},
    {"a lane polls, in a call",
     "sm_90",
     {33, 1},
     KERNEL_TOGETHER,
     KERNEL_STOPPED,
     KERNEL_DEADLOCK,
     0,
     SHARED "setp.ge.u32 %p1, %r1, 32; @%p1 bra L; bar.sync 0; bra B;\n"
            "L: { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), twice, (a); ld.param.b32 %r4, [b]; }\n"
            "ld.volatile.shared.u32 %r5, [%r11]; bra L; B:\n"},
    {"lanes that poll and count", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "mov.u32 %r5, 0; setp.ne.u32 %p1, %r2, 0; @%p1 bra L; bar.warp.sync -1; bra B;\n"
            "L: ld.volatile.shared.u32 %r4, [%r11]; add.u32 %r5, %r5, 1; bra L; B:\n"},
    {"lanes that poll global memory", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; bar.warp.sync -1; bra B;\n"
            "L: ld.volatile.shared.u32 %r4, [%r11]; ld.volatile.global.u32 %r5, [%d1]; bra L; B:\n"},
    {"lanes that change what they poll", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; bar.warp.sync -1; bra B;\n"
            "L: atom.shared.xor.b32 %r4, [%r11], 1; mov.u32 %r4, 0; bra L; B:\n"},
    {"lanes that look who is there", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; bar.warp.sync -1; bra B;\n"
            "L: ld.volatile.shared.u32 %r4, [%r11]; activemask.b32 %r5; bra L; B:\n"},
    {"lanes that look at the clock", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; bar.warp.sync -1; bra B;\n"
            "L: ld.volatile.shared.u32 %r4, [%r11]; mov.u32 %r5, %clock; mov.u32 %r5, 0; bra L; B:\n"},
    {"a loop that polls nothing", SM90, KERNEL_ENDLESS, NOTHING, 0,
     "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; bar.warp.sync -1; bra B; L: bra L; B:\n"},
    {"lanes that read and read", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "setp.eq.u32 %p1, %r2, 0; @%p1 st.shared.u32 [%r11], 0; bar.warp.sync -1; @%p1 bra A;\n"
            "L: ld.shared.u32 %r4, [%r11]; setp.eq.u32 %p2, %r4, 0; @%p2 bra L; A: bar.warp.sync -1;\n"},
    {"a lock that is never given back", SM90, KERNEL_ENDLESS, NOTHING, 0,
     "st.global.u32 [%d1], 0; bar.warp.sync -1;\n"
     "L: atom.global.cas.b32 %r4, [%d1], 0, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra L; bar.warp.sync -1;\n"},
    {"a lane waits for another that is ahead", SM90, KERNEL_ENDED, NOTHING, 0,
     "setp.eq.u32 %p1, %r2, 31; @%p1 st.global.u32 [%d1], 0; bar.warp.sync -1; @%p1 bra A;\n"
     "L: ld.global.u32 %r4, [%d1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra L; bra B; A: st.global.u32 [%d1], 1; B:\n"},
    {"a warp waits for another, in time",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "st.global.u32 [%d1], 0; bar.sync 0; setp.ge.u32 %p1, %r1, 32; mov.u32 %r5, 0; @%p1 bra A;\n"
     "L: ld.global.u32 %r4, [%d1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra L; bra B;\n"
     "A: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 5000; @%p2 bra A; st.global.u32 [%d1], 1; B:\n"},
    {"a warp waits for another, arrival by arrival",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "st.global.u32 [%d1], 0; bar.sync 0; setp.ge.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1, 640;\n"
     "st.global.u32 [%d1], 1; bra B; A: mov.u32 %r5, 0; mov.u32 %r6, 0;\n"
     "L: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 98; @%p2 bra L; bar.arrive 1, 640;\n"
     "ld.global.u32 %r4, [%d1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra A; B:\n"},
    {"nobody waits for lanes that poll", SM90, KERNEL_ENDLESS, NOTHING, 0,
     SHARED "L: ld.volatile.shared.u32 %r4, [%r11]; bra L;\n"},
    {"calls from two places", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "add.u32 %r6, %r1, 100; @%p1 bra A;\n"
           "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), twice, (a); ld.param.b32 %r4, [b]; }\n"
           "add.u32 %r5, %r1, %r1; bra B;\n"
           "A: { .param .b32 a; .param .b32 b; st.param.b32 [a], %r6; call (b), twice, (a); ld.param.b32 %r4, [b]; }\n"
           "add.u32 %r5, %r6, %r6; B: " EXPECT("%r4", "%r5")},
    {"an indexed branch", SM90, KERNEL_ENDED, NOTHING, 0,
     "T: .branchtargets A, B, C; and.b32 %r3, %r1, 1; brx.idx %r3, T; A: mov.u32 %r4, 10; bra D; B: mov.u32 %r4, 11;\n"
     "bra D; C: trap; D: add.u32 %r5, %r3, 10;\n" EXPECT("%r4", "%r5")},
    {"vectors, generic addresses", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r11, l; cvta.local.u64 %d5, l; st.local.v2.u32 [l+8], {%r1, 5}; ld.v2.u32 {%r3, %r4}, [%d5+8];\n"
     "isspacep.local %p1, %d5; selp.u32 %r5, 1, 0, %p1; isspacep.global %p2, %d1; selp.u32 %r6, 1, 0, %p2;\n" EXPECT(
         "%r3", "%r1") EXPECT("%r4", "5") EXPECT("%r5", "1") EXPECT("%r6", "1")},
    {"shared memory by a generic address", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED
     "cvta.shared.u64 %d5, s; st.u32 [%d5], 7; bar.warp.sync -1; mov.u32 %r12, s; ld.shared.u32 %r3, [%r12];\n" EXPECT(
         "%r3", "7")},
    {"an address to generic and back", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r11, l; cvta.local.u64 %d5, 24; cvta.to.local.u64 %d6, %d5; setp.eq.u64 %p2, %d6, 24; selp.u32 %r3, 1, "
     "0, %p2;\n"
     "sub.u64 %d7, %d5, %d6; setp.ne.u64 %p1, %d7, 0; selp.u32 %r4, 1, 0, %p1;\n" EXPECT("%r3", "1")
         EXPECT("%r4", "1")},
    {"signed bytes, constants", SM90, KERNEL_ENDED, NOTHING, 0,
     "ld.const.s8 %r3, [c+1]; ld.const.u8 %r4, [c+1];\n" EXPECT("%r3", "-2") EXPECT("%r4", "254")},
    {"signed conversions fill a wider register", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r5, 0x1fff0; cvt.s8.s32 %r3, %r5; cvt.s16.u32 %r4, %r5;\n" EXPECT("%r3", "-16") EXPECT(
         "%r4", "-16") "cvt.u8.s32 %r3, %r5; cvt.u16.s8 %r4, %r5;\n" EXPECT("%r3", "240") EXPECT("%r4", "0xfff0")},
    {"a warp of a plane",
     "sm_90",
     {8, 8},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "mov.u32 %r3, %tid.y; mov.u32 %r4, %ntid.x; mov.u32 %r6, %warpid; mad.lo.u32 %r5, %r3, %r4, %r1;\n"
     "shl.b32 %r6, %r6, 5; add.u32 %r6, %r6, %r2;\n" EXPECT("%r5", "%r6")},
    {"global memory keeps what was stored", SM90, KERNEL_ENDED, NOTHING, 0,
     ADDRESS
     "st.global.u32 [%d3], %r1; st.global.u8 [%d3+2], 3; ld.global.u32 %r4, [%d3]; or.b32 %r5, %r1, 0x30000;\n" EXPECT(
         "%r4", "%r5")},
    /* more of each rule */
    {"sources of 64 bits", SM90, KERNEL_ENDED, NOTHING, 0,
     "cvt.u64.u32 %d5, %r2; shl.b64 %d5, %d5, 32; match.any.sync.b64 %r3, %d5, -1; mov.u32 %r4, %lanemask_eq;\n" EXPECT(
         "%r3", "%r4")},
    {"activemask in parts is not of all",
     "sm_90",
     {32, 1},
     KERNEL_ANY,
     KERNEL_ENDED,
     NOTHING,
     0,
     "activemask.b32 %r3; setp.eq.u32 %p9, %r3, -1; @%p9 trap;\n"},
    {"uninitialized, and unpredictable when all ends", SM90, KERNEL_ENDED, KERNEL_UNINITIALIZED, UINT32_MAX,
     ADDRESS "st.global.u32 [%d3], %r20;\n" TAINT "mov.u32 %r20, %r3;\n"},
    {"uninitialized once", SM90, KERNEL_ENDED, KERNEL_UNINITIALIZED, UINT32_MAX,
     "add.u32 %r4, %r20, 1; add.u32 %r5, %r20, 1;\n"},
    {"an uninitialized operand of a shuffle", SM90, KERNEL_ENDED, KERNEL_UNINITIALIZED, UINT32_MAX,
     "shfl.sync.idx.b32 %r3, %r20, 0, 31, -1;\n"},
    {"parts of warps at a barrier with a count",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     KERNEL_BARRIER,
     0,
     LOWER "@!%p1 bra A; bar.sync 1, 32; bra B; A: bar.sync 2, 32; B:\n"},
    {"who arrives goes on",
     "sm_90",
     {64, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 2, 64; bar.sync 1, 64; bra B;\n"
     "A: bar.arrive 1, 64; bar.sync 2, 64; B:\n"},
    {"a barrier is free again",
     "sm_90",
     {96, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     "setp.ge.u32 %p1, %r1, 64; @%p1 bra A; bar.sync 1, 64; A: bar.sync 0; bar.sync 1;\n"},
    {"a function's barrier", SM90, KERNEL_ENDED, NOTHING, 0, "call all; call all_through; call all;\n"},
    {"a function's barrier by two calls", SM90, KERNEL_ENDED, KERNEL_BARRIER, 0xffff,
     LOWER "@%p1 bra A; call all; bra B; A: call all; B:\n"},
    {"a function's barrier by two calls further up", SM90, KERNEL_ENDED, KERNEL_BARRIER, 0xffff,
     LOWER "@%p1 bra A; call all_through; bra B; A: call all_through; B:\n"},
    {"a function's barrier by two calls, then two barriers", SM90, KERNEL_STOPPED, KERNEL_BARRIER, 0xffff,
     LOWER "@%p1 bra A; call all; bra B; A: call all; bar.sync 1; B: bar.sync 2;\n"},
    {"halves of a pair", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.b64 %d5, {%r1, 7}; mov.b64 {%r3, %r4}, %d5;\n" EXPECT("%r3", "%r1") EXPECT("%r4", "7")},
    {"a half of an unpredictable pair", SM90, KERNEL_ENDED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT ADDRESS "cvt.u64.u32 %d5, %r3; mov.b64 {%r4, %r5}, %d5; st.global.u32 [%d3], %r4;\n"},
    {"an unpredictable generic address", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "cvt.u64.u32 %d5, %r3; cvta.to.global.u64 %d6, %d5; ld.global.u32 %r4, [%d6];\n"},
    {"an unpredictable value of cas", SM90, KERNEL_STOPPED, KERNEL_UNPREDICTABLE, 0xffff,
     TAINT "atom.global.cas.b32 %r4, [%d1], 0, %r3;\n"},
    {"the second word of a wide access", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "shl.b32 %r4, %r1, 3; add.u32 %r4, %r4, %r11; st.shared.u64 [%r4], 0x100000001; xor.b32 %r5, %r4, 8;\n"
            "ld.shared.u32 %r6, [%r5+4];\n"},
    {"lanes in step on sm_60",
     "sm_60",
     {32, 1},
     KERNEL_TOGETHER,
     KERNEL_ENDED,
     NOTHING,
     0,
     SHARED "st.shared.u32 [%r12], %r1; xor.b32 %r4, %r12, 4; ld.shared.u32 %r5, [%r4];\n"},
    {"strong accesses do not race", SM90, KERNEL_ENDED, NOTHING, 0,
     SHARED "ld.relaxed.cta.shared.u32 %r4, [%r11]; atom.shared.add.u32 %r5, [%r11], 1;\n"},
    {"an atomic operation, then a weak read", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     SHARED "atom.shared.add.u32 %r4, [%r11], 1; ld.shared.u32 %r5, [%r11];\n"},
    {"the own word", SM90, KERNEL_ENDED, NOTHING, 0, SHARED "ld.shared.u32 %r4, [%r12]; st.shared.u32 [%r12], 5;\n"},
    {"a guarded !p", SM90, KERNEL_ENDED, NOTHING, 0,
     LOWER "selp.u32 %r3, 1, 2, !%p1; selp.u32 %r4, 2, 1, %p1; setp.ne.or.u32 %p2, %r3, %r4, !%p1;\n"
           "selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 0, 1, %p1;\n" EXPECT("%r3", "%r4") EXPECT("%r5", "%r6")},
    {"two destinations", SM90, KERNEL_ENDED, NOTHING, 0,
     "setp.lt.u32 %p1|%p2, %r2, 16; selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 0, 1, %p2; add.cc.u32 %r5, %r1, -1;\n"
     "addc.u32 %r6, 0, 0; min.u32 %r7, %r1, 1;\n" EXPECT("%r3", "%r4") EXPECT("%r6", "%r7")},
    {"copies", SM90, KERNEL_ENDED, NOTHING, 0,
     "setp.eq.u32 %p1, %r2, 0; @%p1 st.global.v4.u32 [%d1], {1, 2, 3, 4}; mov.u32 %r4, 8;\n"
     "@!%p1 bra A; cp.async.cg.shared.global [s], [%d1], 16; cp.async.ca.shared.global [s+16], [%d1], 16, %r4;\n"
     "cp.async.ca.shared.global.L2::128B [s+32], [%d1+4], 8, 4; @!%p1 cp.async.ca.shared.global [s], [%d1+4], 4;\n"
     "cp.async.commit_group; cp.async.wait_group 0; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [s];\n" EXPECT("%r5", "1")
         EXPECT("%r8", "4") "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [s+16];\n" EXPECT("%r5", "1") EXPECT("%r6", "2")
             EXPECT("%r7", "0") EXPECT("%r8", "0") "ld.shared.v2.u32 {%r5, %r6}, [s+32];\n" EXPECT("%r5", "2")
                 EXPECT("%r6", "0") "A:\n"},
    {"a copy races", SM90, KERNEL_ENDED, KERNEL_RACE, 0,
     ADDRESS SHARED "cp.async.ca.shared.global [%r12], [%d3], 4; cp.async.wait_all; xor.b32 %r4, %r12, 4;\n"
                    "ld.shared.u32 %r5, [%r4];\n"},
    {"masks of lanes", SM90, KERNEL_ENDED, NOTHING, 0,
     "mov.u32 %r3, %lanemask_lt; mov.u32 %r4, %lanemask_le; mov.u32 %r5, %lanemask_gt; mov.u32 %r6, %lanemask_ge;\n"
     "mov.u32 %r7, %lanemask_eq; shl.b32 %r8, 1, %r2; add.u32 %r9, %r8, -1; not.b32 %r10, %r9; xor.b32 %r11, %r10, "
     "%r8;\n"
     "or.b32 %r12, %r9, %r8;\n" EXPECT("%r7", "%r8") EXPECT("%r3", "%r9") EXPECT("%r6", "%r10") EXPECT("%r5", "%r11")
         EXPECT("%r4", "%r12")},
    {"atomics count", SM90, KERNEL_ENDED, NOTHING, 0,
     "st.global.u32 [%d1], 0; bar.warp.sync -1; atom.global.add.u32 %r3, [%d1], 1; bar.warp.sync -1;\n"
     "ld.global.u32 %r4, [%d1]; redux.sync.max.u32 %r5, %r3, -1;\n" EXPECT("%r4", "32") EXPECT("%r5", "31")},
};

static char *text_of(const struct kernel_case *c)
{
    char *text = malloc(8192);
    assert_non_null(text);
    int n = snprintf(
        text, 8192,
        ".version 8.6\n.target %s\n.address_size 64\n.const .align 4 .b8 c[4] = {1, 254, 3, 4};\n"
        ".global .b8 format[] = {37, 100, 32, 37, 53, 46, 49, 102, 37, 37, 32, 37, 42, 99, 32, 37, 108, 120, 0};\n"
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
        ".func (.param .b32 r) twice (.param .b32 x)\n{\n.reg .b32 %%r<4>;\nld.param.b32 %%r1, [x];\n"
        "add.u32 %%r2, %%r1, %%r1;\nbar.warp.sync -1;\nst.param.b32 [r], %%r2;\nret;\n}\n"
        ".func all() { bar.sync 0; ret; }\n.func all_through() { call all; ret; }\n"
        ".visible .entry k(.param .u64 .ptr .global out)\n{\n.reg .pred %%p<16>;\n.reg .b32 %%r<32>;\n.reg .b64 "
        "%%d<16>;\n.shared .align 8 .b8 s[4096];\n.local .align 8 .b8 l[64];\nld.param.u64 %%d1, [out];\n"
        "mov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%laneid;\n%sret;\n}\n",
        c->target, c->body);
    assert_true(n > 0 && n < 8192);
    return text;
}

static struct kernel_outcome outcome;

static void execute(const struct kernel_case *c, const struct code *code, bool shuffled, bool one_lane)
{
    struct kernel_slots slots;
    struct kernel_input in = {.block = {c->block[0], c->block[1], 1},
                              .grid = {1, 1, 1},
                              .activemask = c->activemask,
                              .pattern = KERNEL_SMALL,
                              .seed = 3,
                              .shuffled = shuffled,
                              .one_lane = one_lane};
    kernel_find_slots(code, &slots);
    kernel_slots_start(&slots, &in);
    struct kernel *kernel = kernel_new(code, spec_get());
    assert_non_null(kernel);
    assert_true(kernel_execute(kernel, &in, 200000, &outcome));
    /* Nothing is left of an execution. */
    static struct kernel_outcome again;
    assert_true(kernel_execute(kernel, &in, 200000, &again));
    if (again.ending != outcome.ending || again.events_count != outcome.events_count ||
        again.digest != outcome.digest || again.wild != outcome.wild || again.steps != outcome.steps)
        fail_msg("%s: a second time it ends as %d with %u events, not as %d with %u", c->name, (int)again.ending,
                 again.events_count, (int)outcome.ending, outcome.events_count);
    kernel_free(kernel);
}

static void check_outcome(const struct kernel_case *c)
{
    if (outcome.ending != c->ending)
        fail_msg("%s: ends as %d, not %d; %u events, the first %s", c->name, (int)outcome.ending, (int)c->ending,
                 outcome.events_count, outcome.events_count ? kernel_kind_name(outcome.events[0].kind) : "none");
    /* What goes round in circles is ended soon, what counts or changes something is not. */
    const bool circles = !strstr(c->name, "count") && !strstr(c->name, "change") && !strstr(c->name, "look");
    if (c->ending == KERNEL_ENDLESS && circles != (outcome.steps < 20000))
        fail_msg("%s: %u steps", c->name, (unsigned)outcome.steps);
    if (c->kind == NOTHING && outcome.events_count > 0)
        fail_msg("%s: %s", c->name, kernel_kind_name(outcome.events[0].kind));
    if (c->kind == NOTHING)
        return;
    if (outcome.events_count == 0 || outcome.events[0].kind != c->kind)
        fail_msg("%s: not %s but %s", c->name, kernel_kind_name(c->kind),
                 outcome.events_count ? kernel_kind_name(outcome.events[0].kind) : "nothing");
    for (uint32_t n = 1; n < outcome.events_count; n++)
        if (kernel_is_error(outcome.events[n].kind) && outcome.events[n].kind != c->kind)
            fail_msg("%s: also %s", c->name, kernel_kind_name(outcome.events[n].kind));
    const struct kernel_event *e = &outcome.events[0];
    if (c->kind == KERNEL_UNINITIALIZED)
        assert_int_equal(outcome.events_count, 1);
    if (c->kind == KERNEL_DEADLOCK && (e->waits_count == 0 || (e->waits[0].mask && !e->waits[0].missing)))
        fail_msg("%s: it is not said who waits for whom", c->name);
    if (c->lanes && outcome.events[0].lanes != c->lanes)
        fail_msg("%s: lanes 0x%08x, not 0x%08x", c->name, outcome.events[0].lanes, c->lanes);
}

static void check(const struct kernel_case *c)
{
    struct error error;
    char *text = text_of(c);
    struct module *module = module_read(text, strlen(text), c->name, &error);
    if (!module)
        fail_msg("%s: %s", c->name, error.text);
    struct code *code = code_new(module, module_function_find(module, "k"), &error);
    if (!code)
        fail_msg("%s: %s", c->name, error.text);
    execute(c, code, false, false);
    check_outcome(c);
    /* Without activemask, atomics and races the schedule decides nothing. */
    bool lockstep = c->activemask != KERNEL_TOGETHER || strstr(c->name, "activemask") || c->ending == KERNEL_ENDLESS ||
                    c->kind == KERNEL_RACE || c->kind == KERNEL_UNPREDICTABLE || strstr(c->name, "waits for another");
    if (!lockstep) {
        uint64_t digest = outcome.digest;
        for (unsigned n = 0; n < 2; n++) {
            execute(c, code, n == 0, n == 1);
            if (outcome.ending != c->ending || (outcome.ending == KERNEL_ENDED && outcome.digest != digest))
                fail_msg("%s: with the schedule of %s it ends as %d (%s)", c->name, n == 0 ? "chance" : "single lanes",
                         (int)outcome.ending, outcome.events_count ? kernel_kind_name(outcome.events[0].kind) : "");
        }
    }
    code_free(code);
    module_free(module);
    free(text);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        check(&cases[n]);
}

/* Two mistakes of one kind are told, each at its place. */
static void test_places(void **state)
{
    static const struct kernel_case two = {"two stores",
                                           SM90,
                                           KERNEL_ENDED,
                                           KERNEL_UNPREDICTABLE,
                                           0xffff,
                                           TAINT ADDRESS "st.global.u32 [%d3], %r3; add.u32 %r4, %r3, 1;\n"
                                                         "st.global.u32 [%d3+4096], %r4;\n"};
    (void)state;
    check(&two);
    assert_int_equal(outcome.events_count, 2);
    assert_int_not_equal(outcome.events[0].at, outcome.events[1].at);
}

/* ---- implementations that answer what they must not ---- */

static bool always_waits(void *state, const struct warp_case *asked, size_t n, struct warp_result *results, char *error,
                         size_t size)
{
    (void)state, (void)error, (void)size;
    memset(results, 0, n * sizeof *results);
    for (size_t i = 0; i < n; i++)
        results[i].waiting = asked[i].active;
    return true;
}

static bool never_answers(void *state, const struct warp_case *asked, size_t n, struct warp_result *results,
                          char *error, size_t size)
{
    (void)state, (void)asked, (void)n, (void)results;
    snprintf(error, size, "no idea");
    return false;
}

static void execute_over(const struct warp_impl *impl)
{
    static const char text[] = ".version 8.6\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<4>;\n"
                               "activemask.b32 %r1;\nvote.sync.ballot.b32 %r2, 1, -1;\nret;\n}\n";
    struct error error;
    struct kernel_input in = {.block = {32, 1, 1}, .grid = {1, 1, 1}};
    struct module *module = module_read(text, sizeof text - 1, "k", &error);
    assert_non_null(module);
    struct code *code = code_new(module, 0, &error);
    assert_non_null(code);
    struct kernel *kernel = kernel_new(code, impl);
    assert_non_null(kernel);
    assert_true(kernel_execute(kernel, &in, 1000, &outcome));
    kernel_free(kernel);
    code_free(code);
    module_free(module);
}

static void test_implementations(void **state)
{
    const struct warp_impl waits = {.name = "waits", .provides = WARP_PART_ALL, .eval = always_waits};
    const struct warp_impl silent = {.name = "silent", .provides = WARP_PART_ALL, .eval = never_answers};
    (void)state;
    execute_over(&waits);
    assert_int_equal(outcome.ending, KERNEL_STOPPED);
    assert_int_equal(outcome.events[0].kind, KERNEL_CONVERGENCE);
    execute_over(&silent);
    assert_int_equal(outcome.ending, KERNEL_UNANSWERED);
    assert_non_null(strstr(outcome.why, "silent does not answer activemask"));
    assert_non_null(strstr(outcome.why, "no idea"));
}

/* A failed assert says that the input is not one that the kernel is for. */
static void test_assert(void **state)
{
    static const char text[] =
        ".version 8.6\n.target sm_90\n.address_size 64\n"
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
        ".entry k()\n{\n.reg .b32 %r<4>; .reg .b64 %d<3>; mov.u64 %d1, 0; mov.u32 %r1, 0;\n{\n"
        ".param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\nst.param.b64 [a], %d1;\n"
        "st.param.b64 [b], %d1;\nst.param.b32 [c], %r1;\nst.param.b64 [d], %d1;\nst.param.b64 [e], %d1;\n"
        "call.uni __assertfail, (a, b, c, d, e);\n}\nbar.warp.sync 0;\nret;\n}\n";
    struct error error;
    struct kernel_input in = {.block = {32, 1, 1}, .grid = {1, 1, 1}};
    (void)state;
    struct module *module = module_read(text, sizeof text - 1, "k", &error);
    if (!module)
        fail_msg("%s", error.text);
    struct code *code = code_new(module, module_function_find(module, "k"), &error);
    if (!code)
        fail_msg("%s", error.text);
    struct kernel *kernel = kernel_new(code, spec_get());
    assert_non_null(kernel);
    assert_true(kernel_execute(kernel, &in, 1000, &outcome));
    assert_int_equal(outcome.ending, KERNEL_TRAPPED);
    kernel_free(kernel);
    code_free(code);
    module_free(module);
}

/* An execution that touches too much memory ends there, however many instructions it may execute. */
static void test_oversized(void **state)
{
    static const char text[] =
        ".version 8.6\n.target sm_90\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<4>; .reg .b64 %d<3>;\n"
        "mov.u32 %r1, %laneid; L: mul.wide.u32 %d1, %r1, 4096; ld.global.u32 %r2, [%d1]; add.u32 %r1, %r1, 32;\n"
        "bra L;\n}\n";
    struct error error;
    struct kernel_input in = {.block = {32, 1, 1}, .grid = {1, 1, 1}};
    (void)state;
    struct module *module = module_read(text, sizeof text - 1, "k", &error);
    struct code *code = module ? code_new(module, 0, &error) : NULL;
    if (!code)
        fail_msg("%s", error.text);
    struct kernel *kernel = kernel_new(code, spec_get());
    assert_non_null(kernel);
    assert_false(kernel_execute(kernel, &in, 100000, &outcome));
    assert_true(kernel_is_oversized(kernel) && outcome.steps < 10000);
    kernel_free(kernel);
    code_free(code);
    module_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_implementations), cmocka_unit_test(test_assert),
                                       cmocka_unit_test(test_oversized)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
