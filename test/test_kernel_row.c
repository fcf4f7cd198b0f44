/*
 * PTX arithmetic, one instruction a line, with values worked out by hand from the manual's pages (f32 and f64 by the
 * definition of the format). Each is computed once for a whole row and once for one lane: both ways must agree, and
 * lanes that do not take part keep what they had.
 */
#include "kernel/exec/row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct row_case {
    const char *instruction;
    uint64_t sources[4]; /* of the registers among the sources, in their order */
    uint64_t expected;
    uint64_t second; /* dsts[1], where there is one */
};

#define NAN32 0x7fffffffu
static const struct row_case cases[] = {
    /* integers: sums, products */
    {"add.s32 %r0, %r1, %r2;", {0xffffffff, 2}, 1, 0},
    {"add.u16 %h0, %h1, %h2;", {0xffff, 2}, 1, 0},
    {"add.s64 %d0, %d1, -1;", {0}, UINT64_MAX, 0},
    {"sub.s32 %r0, %r1, %r2;", {1, 2}, 0xffffffff, 0},
    {"mul.lo.s32 %r0, %r1, %r2;", {0x10001, 0x10001}, 0x20001, 0},
    {"mul.hi.u32 %r0, %r1, %r2;", {0xffffffff, 0xffffffff}, 0xfffffffe, 0},
    {"mul.hi.s32 %r0, %r1, %r2;", {0xffffffff, 0xffffffff}, 0, 0},
    {"mul.hi.u64 %d0, %d1, %d2;", {UINT64_MAX, 2}, 1, 0},
    {"mul.hi.s64 %d0, %d1, %d2;", {UINT64_MAX, 2}, UINT64_MAX, 0},
    {"mul.wide.s32 %d0, %r1, %r2;", {0xffffffff, 3}, (uint64_t)-3, 0},
    {"mul.wide.u32 %d0, %r1, %r2;", {0xffffffff, 3}, 0x2fffffffd, 0},
    {"mul.wide.u16 %r0, %h1, %h2;", {0xffff, 0xffff}, 0xfffe0001, 0},
    {"mad.lo.s32 %r0, %r1, %r2, %r3;", {3, 5, 0xfffffff1}, 0, 0},
    {"mad.hi.u32 %r0, %r1, %r2, %r3;", {0x80000000, 4, 1}, 3, 0},
    {"mad.wide.s32 %d0, %r1, %r2, %d3;", {0xfffffffe, 4, 10}, 2, 0},
    {"mul24.lo.u32 %r0, %r1, %r2;", {0xff000003, 0xff000005}, 15, 0},
    {"mul24.hi.u32 %r0, %r1, %r2;", {0x00ffffff, 0x00ffffff}, 0xfffffe00, 0},
    {"mad24.lo.s32 %r0, %r1, %r2, %r3;", {0x00ffffff, 7, 8}, 1, 0},
    {"sad.s32 %r0, %r1, %r2, %r3;", {0xffffffff, 4, 10}, 15, 0},
    {"sad.u32 %r0, %r1, %r2, %r3;", {0xffffffff, 4, 10}, 5, 0},
    {"div.s32 %r0, %r1, %r2;", {0xfffffff9, 2}, 0xfffffffd, 0},
    {"div.u32 %r0, %r1, %r2;", {0xfffffff9, 2}, 0x7ffffffc, 0},
    {"div.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, 0x80000000, 0},
    {"div.s64 %d0, %d1, %d2;", {(uint64_t)INT64_MIN, UINT64_MAX}, (uint64_t)INT64_MIN, 0},
    {"rem.s32 %r0, %r1, %r2;", {0xfffffff9, 2}, 0xffffffff, 0},
    {"rem.u32 %r0, %r1, %r2;", {17, 5}, 2, 0},
    {"rem.s32 %r0, %r1, %r2;", {0x80000000, 0xffffffff}, 0, 0},
    {"min.s32 %r0, %r1, %r2;", {0xffffffff, 1}, 0xffffffff, 0},
    {"min.u32 %r0, %r1, %r2;", {0xffffffff, 1}, 1, 0},
    {"max.s16 %h0, %h1, %h2;", {0x8000, 0x7fff}, 0x7fff, 0},
    {"max.u64 %d0, %d1, %d2;", {UINT64_MAX, 1}, UINT64_MAX, 0},
    {"neg.s32 %r0, %r1;", {0x80000000}, 0x80000000, 0},
    {"abs.s32 %r0, %r1;", {0xfffffffe}, 2, 0},
    {"abs.s64 %d0, %d1;", {UINT64_MAX}, 1, 0},
    /* bits */
    {"and.b32 %r0, %r1, %r2;", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00, 0},
    {"or.b64 %d0, %d1, %d2;", {UINT64_C(1) << 63, 1}, (UINT64_C(1) << 63) + 1, 0},
    {"xor.b16 %h0, %h1, %h2;", {0xffff, 0x00ff}, 0xff00, 0},
    {"not.b32 %r0, %r1;", {0xf}, 0xfffffff0, 0},
    {"not.pred %p0, %p1;", {1}, 0, 0},
    {"cnot.b32 %r0, %r1;", {0}, 1, 0},
    {"cnot.b32 %r0, %r1;", {7}, 0, 0},
    {"shl.b32 %r0, %r1, %r2;", {1, 31}, 0x80000000, 0},
    {"shl.b32 %r0, %r1, %r2;", {1, 32}, 0, 0},
    {"shl.b64 %d0, %d1, %r2;", {1, 63}, UINT64_C(1) << 63, 0},
    {"shr.u32 %r0, %r1, %r2;", {0x80000000, 31}, 1, 0},
    {"shr.u32 %r0, %r1, %r2;", {0x80000000, 32}, 0, 0},
    {"shr.s32 %r0, %r1, %r2;", {0x80000000, 4}, 0xf8000000, 0},
    {"shr.s32 %r0, %r1, %r2;", {0x80000000, 200}, 0xffffffff, 0},
    {"shr.s64 %d0, %d1, %r2;", {UINT64_C(1) << 63, 64}, UINT64_MAX, 0},
    {"shr.s16 %h0, %h1, %r2;", {0x8000, 1}, 0xc000, 0},
    {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;", {0x80000000, 1, 33}, 3, 0},
    {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;", {0x80000001, 1, 40}, 0x80000001, 0},
    {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;", {0x00000002, 1, 1}, 0x80000001, 0},
    {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", {2, 7, 32}, 7, 0},
    {"popc.b32 %r0, %r1;", {0xf0f0f0f1}, 17, 0},
    {"popc.b64 %r0, %d1;", {UINT64_MAX}, 64, 0},
    {"clz.b32 %r0, %r1;", {1}, 31, 0},
    {"clz.b32 %r0, %r1;", {0}, 32, 0},
    {"clz.b64 %r0, %d1;", {0}, 64, 0},
    {"brev.b32 %r0, %r1;", {0x80000001}, 0x80000001, 0},
    {"brev.b32 %r0, %r1;", {0x00000003}, 0xc0000000, 0},
    {"brev.b64 %d0, %d1;", {1}, UINT64_C(1) << 63, 0},
    {"bfind.u32 %r0, %r1;", {0x00010000}, 16, 0},
    {"bfind.u32 %r0, %r1;", {0}, 0xffffffff, 0},
    {"bfind.s32 %r0, %r1;", {0xfffffffe}, 0, 0},
    {"bfind.s32 %r0, %r1;", {0xffffffff}, 0xffffffff, 0},
    {"bfind.shiftamt.u32 %r0, %r1;", {0x00010000}, 15, 0},
    {"bfind.u64 %r0, %d1;", {UINT64_C(1) << 40}, 40, 0},
    {"bfe.u32 %r0, %r1, %r2, %r3;", {0x12345678, 8, 8}, 0x56, 0},
    {"bfe.s32 %r0, %r1, %r2, %r3;", {0x0000f000, 12, 4}, 0xffffffff, 0},
    {"bfe.s32 %r0, %r1, %r2, %r3;", {0x80000000, 28, 8}, 0xfffffff8, 0},
    {"bfe.u32 %r0, %r1, %r2, %r3;", {0xffffffff, 4, 0}, 0, 0},
    {"bfe.s32 %r0, %r1, %r2, %r3;", {0xffffffff, 4, 0}, 0, 0},
    {"bfe.s32 %r0, %r1, %r2, %r3;", {0x80000000, 40, 4}, 0xffffffff, 0},
    {"bfe.u64 %d0, %d1, %r2, %r3;", {UINT64_C(0xabcd) << 40, 40, 16}, 0xabcd, 0},
    {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xff, 0, 4, 4}, 0xf0, 0},
    {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xf5, 0xff, 8, 4}, 0x5ff, 0},
    {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0, 0xffffffff, 28, 8}, 0x0fffffff, 0},
    {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0, 5, 0, 0}, 5, 0},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", {4, 8}, 0xff0, 0},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", {0, 32}, 0xffffffff, 0},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", {32, 4}, 0, 0},
    {"bmsk.wrap.b32 %r0, %r1, %r2;", {33, 1}, 2, 0},
    {"szext.clamp.s32 %r0, %r1, %r2;", {0x80, 8}, 0xffffff80, 0},
    {"szext.clamp.u32 %r0, %r1, %r2;", {0x1ff, 8}, 0xff, 0},
    {"szext.wrap.s32 %r0, %r1, %r2;", {0x8, 36}, 0xfffffff8, 0},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0x00000b10, 0, 1}, 4, 0},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0x00000b10, 0, 3}, 9, 0},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0x00000b10, 31, 0xffffffff}, 11, 0},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0x00000b10, 4, 0}, 4, 0},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0x00000b10, 5, 0}, 0xffffffff, 0},
    {"prmt.b32 %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 0x7531}, 0x77553311, 0},
    {"prmt.b32 %r0, %r1, %r2, %r3;", {0x00000080, 0, 0x8888}, 0xffffffff, 0},
    {"prmt.b32.f4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, 0x44332211, 0},
    {"prmt.b32.b4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, 0x66770011, 0},
    {"prmt.b32.rc8 %r0, %r1, %r2, %r3;", {0x33221100, 0, 2}, 0x22222222, 0},
    {"prmt.b32.ecl %r0, %r1, %r2, %r3;", {0x33221100, 0, 1}, 0x33221111, 0},
    {"prmt.b32.ecr %r0, %r1, %r2, %r3;", {0x33221100, 0, 1}, 0x11111100, 0},
    {"prmt.b32.rc16 %r0, %r1, %r2, %r3;", {0x33221100, 0, 1}, 0x33223322, 0},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x80;", {0xf0, 0xcc, 0xaa}, 0x80, 0},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x96;", {0xf0, 0xcc, 0xaa}, 0x96, 0},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x1;", {0, 0, 0}, 0xffffffff, 0},
    {"dp4a.u32.u32 %r0, %r1, %r2, %r3;", {0x01020304, 0x01010101, 5}, 15, 0},
    {"dp4a.s32.s32 %r0, %r1, %r2, %r3;", {0xff000000, 0x02000000, 5}, 3, 0},
    {"dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", {0x00020003, 0x00000504, 1}, 23, 0},
    {"dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", {0x00020003, 0x05040000, 1}, 23, 0},
    {"sub.f16 %h0, %h1, %h2;", {0x4200, 0x3c00}, 0x4000, 0},
    /* carries */
    {"add.cc.u32 %r0, %r1, %r2;", {0xffffffff, 1}, 0, 1},
    {"add.cc.u32 %r0, %r1, %r2;", {1, 1}, 2, 0},
    {"sub.cc.u32 %r0, %r1, %r2;", {0, 1}, 0xffffffff, 1},
    {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", {0x10000, 0xffff, 0x10000}, 0, 1},
    {"mad.hi.cc.u32 %r0, %r1, %r2, %r3;", {0x80000000, 2, 0xffffffff}, 0, 1},
    {"addc.u32 %r0, %r1, %r2;", {1, 2, 1}, 4, 0},
    {"addc.cc.u32 %r0, %r1, %r2;", {0xffffffff, 0, 1}, 0, 1},
    {"addc.cc.u32 %r0, %r1, %r2;", {0xfffffffe, 0, 1}, 0xffffffff, 0},
    {"subc.u32 %r0, %r1, %r2;", {5, 2, 1}, 2, 0},
    {"subc.cc.u32 %r0, %r1, %r2;", {2, 2, 1}, 0xffffffff, 1},
    {"madc.lo.u32 %r0, %r1, %r2, %r3;", {2, 3, 4, 1}, 11, 0},
    {"madc.hi.u32 %r0, %r1, %r2, %r3;", {0x80000000, 2, 1, 1}, 3, 0},
    {"madc.lo.cc.u32 %r0, %r1, %r2, %r3;", {1, 0xffffffff, 0, 1}, 0, 1},
    {"div.u32 %r0, %r1, %r2;", {5, 0}, 0xffffffff, 0},
    {"or.b32 %r0, %r1, %r2;", {0xff, 0xf0}, 0xff, 0},
    /* moves, choices, comparisons */
    {"mov.b64 %d0, {%r1, %r2};", {0x11111111, 0x22222222}, UINT64_C(0x2222222211111111), 0},
    {"mov.b32 %r0, {%h1, %h2};", {0x1111, 0x2222}, 0x22221111, 0},
    {"selp.b32 %r0, %r1, %r2, %p3;", {5, 6, 1}, 5, 0},
    {"selp.b32 %r0, %r1, %r2, %p3;", {5, 6, 0}, 6, 0},
    {"slct.b32.s32 %r0, %r1, %r2, %r3;", {5, 6, 0}, 5, 0},
    {"slct.b32.s32 %r0, %r1, %r2, %r3;", {5, 6, 0xffffffff}, 6, 0},
    {"slct.b32.f32 %r0, %r1, %r2, %r3;", {5, 6, 0x80000000}, 5, 0},
    {"slct.b32.f32 %r0, %r1, %r2, %r3;", {5, 6, NAN32}, 6, 0},
    {"setp.lt.s32 %p0, %r1, %r2;", {0xffffffff, 0}, 1, 0},
    {"setp.lt.u32 %p0, %r1, %r2;", {0xffffffff, 0}, 0, 0},
    {"setp.lo.u32 %p0, %r1, %r2;", {1, 2}, 1, 0},
    {"setp.hs.u32 %p0, %r1, %r2;", {1, 2}, 0, 0},
    {"setp.ge.s64 %p0, %d1, %d2;", {0, UINT64_MAX}, 1, 0},
    {"setp.le.s16 %p0, %h1, %h2;", {0x8000, 0}, 1, 0},
    {"setp.gt.u16 %p0, %h1, %h2;", {0x8000, 0}, 1, 0},
    {"setp.eq.b32 %p0, %r1, %r2;", {7, 7}, 1, 0},
    {"setp.lt.s32 %p0, %r1, %r2;", {7, 7}, 0, 0},
    {"setp.le.s32 %p0, %r1, %r2;", {7, 7}, 1, 0},
    {"setp.gt.s32 %p0, %r1, %r2;", {7, 7}, 0, 0},
    {"setp.ge.s32 %p0, %r1, %r2;", {7, 7}, 1, 0},
    {"setp.lt.u32 %p0, %r1, %r2;", {7, 7}, 0, 0},
    {"setp.le.u32 %p0, %r1, %r2;", {7, 7}, 1, 0},
    {"setp.gt.u32 %p0, %r1, %r2;", {7, 7}, 0, 0},
    {"setp.ge.u32 %p0, %r1, %r2;", {7, 7}, 1, 0},
    {"setp.ne.b64 %p0, %d1, %d2;", {7, 7}, 0, 0},
    {"setp.lt.and.s32 %p0|%p4, %r1, %r2, %p3;", {1, 2, 1}, 1, 0},
    {"setp.lt.or.s32 %p0|%p4, %r1, %r2, %p3;", {2, 1, 0}, 0, 1},
    {"setp.lt.xor.s32 %p0|%p4, %r1, %r2, %p3;", {1, 2, 1}, 0, 1},
    {"setp.lt.s32 %p0|%p4, %r1, %r2;", {1, 2}, 1, 0},
    {"setp.lt.f32 %p0, %r1, %r2;", {0x3f800000, NAN32}, 0, 0},
    {"setp.ltu.f32 %p0, %r1, %r2;", {0x3f800000, NAN32}, 1, 0},
    {"setp.ne.f32 %p0, %r1, %r2;", {0x3f800000, NAN32}, 0, 0},
    {"setp.neu.f32 %p0, %r1, %r2;", {0x3f800000, NAN32}, 1, 0},
    {"setp.num.f32 %p0, %r1, %r2;", {0x3f800000, NAN32}, 0, 0},
    {"setp.nan.f32 %p0, %r1, %r2;", {0x3f800000, NAN32}, 1, 0},
    {"setp.eq.f32 %p0, %r1, %r2;", {0x80000000, 0}, 1, 0},
    {"setp.eq.ftz.f32 %p0, %r1, %r2;", {1, 0}, 1, 0},
    {"setp.gt.f64 %p0, %d1, %d2;", {UINT64_C(0x4000000000000000), UINT64_C(0x3ff0000000000000)}, 1, 0},
    {"setp.lt.f16 %p0, %h1, %h2;", {0xbc00, 0x3c00}, 1, 0},
    {"set.lt.u32.s32 %r0, %r1, %r2;", {1, 2}, 0xffffffff, 0},
    {"set.lt.f32.s32 %r0, %r1, %r2;", {1, 2}, 0x3f800000, 0},
    {"set.gt.u32.s32 %r0, %r1, %r2;", {1, 2}, 0, 0},
    /* f32: 1.5 + 2.25 = 3.75 */
    {"add.f32 %r0, %r1, %r2;", {0x3fc00000, 0x40100000}, 0x40700000, 0},
    {"sub.f32 %r0, %r1, %r2;", {0x3fc00000, 0x3fc00000}, 0, 0},
    {"mul.f32 %r0, %r1, %r2;", {0x3fc00000, 0xc0000000}, 0xc0400000, 0},
    {"mul.f32 %r0, %r1, %r2;", {0x80000000, 0x3f800000}, 0x80000000, 0},
    {"add.f32 %r0, %r1, %r2;", {0x7f7fffff, 0x7f7fffff}, 0x7f800000, 0},
    {"add.rz.f32 %r0, %r1, %r2;", {0x7f7fffff, 0x7f7fffff}, 0x7f7fffff, 0}, /* the largest, towards zero */
    {"add.f32 %r0, %r1, %r2;", {0x7f800000, 0xff800000}, NAN32, 0},
    {"add.f32 %r0, %r1, %r2;", {0x3f800000, 0x33800000}, 0x3f800000, 0},    /* 1 + 2^-24: a tie, to even */
    {"add.rp.f32 %r0, %r1, %r2;", {0x3f800000, 0x33800000}, 0x3f800001, 0}, /* the same, upwards */
    {"add.rz.f32 %r0, %r1, %r2;", {0x3f800000, 0xb3000000}, 0x3f7fffff, 0}, /* 1 - 2^-25, towards zero */
    {"add.rm.f32 %r0, %r1, %r2;", {0x3f800000, 0x33000000}, 0x3f800000, 0},
    {"mul.ftz.f32 %r0, %r1, %r2;", {0x00800000, 0x3f000000}, 0, 0}, /* 2^-127 is flushed */
    {"mul.f32 %r0, %r1, %r2;", {0x00800000, 0x3f000000}, 0x00400000, 0},
    {"mul.sat.f32 %r0, %r1, %r2;", {0x40000000, 0x40000000}, 0x3f800000, 0},
    {"add.sat.f32 %r0, %r1, %r2;", {NAN32, 0}, 0, 0},
    /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24 exactly: one rounding */
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", {0x3f800800, 0x3f800800, 0xbf801000}, 0x33800000, 0},
    {"mad.f32 %r0, %r1, %r2, %r3;", {0x40000000, 0x40400000, 0x3f800000}, 0x40e00000, 0},
    {"fma.rz.f32 %r0, %r1, %r2, %r3;", {0x3f800000, 0x3f800000, 0xb3000000}, 0x3f7fffff, 0},
    {"div.rn.f32 %r0, %r1, %r2;", {0x3f800000, 0x40400000}, 0x3eaaaaab, 0},
    {"div.rz.f32 %r0, %r1, %r2;", {0x3f800000, 0x40400000}, 0x3eaaaaaa, 0},
    {"div.rn.f32 %r0, %r1, %r2;", {0x3f800000, 0}, 0x7f800000, 0},
    {"sqrt.rn.f32 %r0, %r1;", {0x40000000}, 0x3fb504f3, 0},
    {"sqrt.rp.f32 %r0, %r1;", {0x40000000}, 0x3fb504f4, 0},
    {"sqrt.rn.f32 %r0, %r1;", {0xbf800000}, NAN32, 0},
    {"rcp.rn.f32 %r0, %r1;", {0x40000000}, 0x3f000000, 0},
    {"rsqrt.approx.f32 %r0, %r1;", {0x40800000}, 0x3f000000, 0},
    {"ex2.approx.f32 %r0, %r1;", {0x40400000}, 0x41000000, 0},
    {"lg2.approx.f32 %r0, %r1;", {0x41000000}, 0x40400000, 0},
    {"sin.approx.f32 %r0, %r1;", {0}, 0, 0},
    {"cos.approx.f32 %r0, %r1;", {0}, 0x3f800000, 0},
    {"tanh.approx.f32 %r0, %r1;", {0x7f800000}, 0x3f800000, 0},
    {"min.f32 %r0, %r1, %r2;", {0x80000000, 0}, 0x80000000, 0},
    {"max.f32 %r0, %r1, %r2;", {0x80000000, 0}, 0, 0},
    {"min.f32 %r0, %r1, %r2;", {NAN32, 0x3f800000}, 0x3f800000, 0},
    {"min.NaN.f32 %r0, %r1, %r2;", {NAN32, 0x3f800000}, NAN32, 0},
    {"max.xorsign.abs.f32 %r0, %r1, %r2;", {0xc0000000, 0x3f800000}, 0xc0000000, 0},
    {"neg.f32 %r0, %r1;", {0x3f800000}, 0xbf800000, 0},
    {"abs.f32 %r0, %r1;", {0xbf800000}, 0x3f800000, 0},
    {"copysign.f32 %r0, %r1, %r2;", {0x80000000, 0x3f800000}, 0xbf800000, 0},
    {"testp.normal.f32 %p0, %r1;", {0x00800000}, 1, 0},
    {"testp.normal.f32 %p0, %r1;", {0x007fffff}, 0, 0},
    {"testp.normal.f32 %p0, %r1;", {0}, 1, 0},
    {"testp.normal.f32 %p0, %r1;", {0x80000000}, 1, 0},
    {"testp.subnormal.f32 %p0, %r1;", {0x80000000}, 0, 0},
    {"testp.subnormal.f32 %p0, %r1;", {1}, 1, 0},
    {"testp.subnormal.f64 %p0, %d1;", {0}, 0, 0},
    {"testp.normal.f32 %p0, %r1;", {0x7f800000}, 0, 0},
    {"testp.subnormal.f32 %p0, %r1;", {0x007fffff}, 1, 0},
    {"testp.infinite.f32 %p0, %r1;", {0xff800000}, 1, 0},
    {"testp.notanumber.f32 %p0, %r1;", {0x7f800001}, 1, 0},
    {"testp.finite.f32 %p0, %r1;", {0x7f800000}, 0, 0},
    {"testp.subnormal.f32 %p0, %r1;", {0x00800000}, 0, 0},
    {"testp.infinite.f32 %p0, %r1;", {NAN32}, 0, 0},
    {"testp.notanumber.f32 %p0, %r1;", {0x7f800000}, 0, 0},
    {"testp.number.f32 %p0, %r1;", {NAN32}, 0, 0},
    {"testp.number.f32 %p0, %r1;", {0x7f800000}, 1, 0},
    {"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", {0x7fff, 0x3c00, 0x3c00}, 0, 0},
    {"fma.rn.f16 %h0, %h1, %h2, %h3;", {0x7fff, 0x3c00, 0x3c00}, 0x7fff, 0},
    /* 1 + 2^-23 + 2^-24 - 2^-70: a tie when it is rounded to a double first */
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", {0x39800001, 0x397ffffe, 0x3f800001}, 0x3f800001, 0},
    {"fma.rp.f32 %r0, %r1, %r2, %r3;", {0x30800000, 0x30800000, 0x3f800000}, 0x3f800001, 0}, /* 1 + 2^-60 */
    {"fma.rz.f32 %r0, %r1, %r2, %r3;", {0xb0800000, 0x30800000, 0x3f800000}, 0x3f7fffff, 0}, /* 1 - 2^-60 */
    /* f64 */
    {"sub.f64 %d0, %d1, %d2;",
     {UINT64_C(0x4008000000000000), UINT64_C(0x3ff0000000000000)},
     UINT64_C(0x4000000000000000),
     0},
    {"mul.f64 %d0, %d1, %d2;",
     {UINT64_C(0x4008000000000000), UINT64_C(0x3ff0000000000000)},
     UINT64_C(0x4008000000000000),
     0},
    /* (1 + 2^-30) * (1 - 2^-30) - 1 = -2^-60, rounded once */
    {"fma.rn.f64 %d0, %d1, %d2, %d3;",
     {UINT64_C(0x3ff0000000400000), UINT64_C(0x3fefffffff800000), UINT64_C(0xbff0000000000000)},
     UINT64_C(0xbc30000000000000),
     0},
    {"add.f64 %d0, %d1, %d2;",
     {UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000)},
     UINT64_C(0x4000000000000000),
     0},
    {"add.rp.f64 %d0, %d1, %d2;",
     {UINT64_C(0x3ff0000000000000), UINT64_C(0x3c00000000000000)},
     UINT64_C(0x3ff0000000000001),
     0},
    {"fma.rn.f64 %d0, %d1, %d2, %d3;",
     {UINT64_C(0x4000000000000000), UINT64_C(0x4008000000000000), UINT64_C(0x3ff0000000000000)},
     UINT64_C(0x401c000000000000),
     0},
    {"div.rn.f64 %d0, %d1, %d2;",
     {UINT64_C(0x3ff0000000000000), UINT64_C(0x4008000000000000)},
     UINT64_C(0x3fd5555555555555),
     0},
    {"rcp.approx.ftz.f64 %d0, %d1;", {UINT64_C(0x4008000000000000)}, UINT64_C(0x3fd5555500000000), 0},
    /* f16, bf16 and their pairs */
    {"add.f16 %h0, %h1, %h2;", {0x3c00, 0x3c00}, 0x4000, 0},
    {"add.f16 %h0, %h1, %h2;", {0x7bff, 0x7bff}, 0x7c00, 0},
    {"fma.rn.f16 %h0, %h1, %h2, %h3;", {0x4000, 0x4200, 0x3c00}, 0x4700, 0},
    {"fma.rn.relu.f16 %h0, %h1, %h2, %h3;", {0xc000, 0x4200, 0x3c00}, 0, 0},
    {"mul.f16x2 %r0, %r1, %r2;", {0x40003c00, 0x42004400}, 0x46004400, 0},
    {"add.f16x2 %r0, %r1, %r2;", {0x3c003c00, 0x3c00bc00}, 0x40000000, 0},
    {"fma.rn.bf16 %h0, %h1, %h2, %h3;", {0x4000, 0x4040, 0x3f80}, 0x40e0, 0},
    {"fma.rn.bf16x2 %r0, %r1, %r2, %r3;", {0x40003f80, 0x40403f80, 0x3f800000}, 0x40e03f80, 0},
    {"min.f16 %h0, %h1, %h2;", {0x7fff, 0x3c00}, 0x3c00, 0},
    {"neg.f16x2 %r0, %r1;", {0x3c00bc00}, 0xbc003c00, 0},
    {"max.bf16x2 %r0, %r1, %r2;", {0x3f804000, 0x40003f80}, 0x40004000, 0},
    {"setp.lt.f16x2 %p0|%p4, %r1, %r2;", {0x40003c00, 0x3c004000}, 1, 0}, /* d: 1 < 2, q: 2 < 1 */
    {"setp.lt.f16x2 %p0|%p4, %r1, %r2;", {0x3c004000, 0x40003c00}, 0, 1},
    {"setp.ge.and.bf16x2 %p0|%p4, %r1, %r2, %p3;", {0x3f803f80, 0x3f803f80, 0}, 0, 0},
    {"setp.ge.and.bf16x2 %p0|%p4, %r1, %r2, %p3;", {0x3f803f80, 0x3f803f80, 1}, 1, 1},
    {"set.gt.f16x2.f16x2 %r0, %r1, %r2;", {0x40003c00, 0x3c004000}, 0x3c000000, 0},
    {"set.lt.f16x2.f16x2 %r0, %r1, %r2;", {0x40003c00, 0x3c004000}, 0x00003c00, 0},
    {"set.gt.u32.f16x2 %r0, %r1, %r2;", {0x40003c00, 0x3c004000}, 0xffff0000, 0},
    {"set.neu.bf16x2.bf16x2 %r0, %r1, %r2;", {0x7fff3f80, 0x7fff3f80}, 0x3f800000, 0},
    {"set.eq.xor.f16x2.f16x2 %r0, %r1, %r2, %p3;", {0x3c003c00, 0x3c004000, 1}, 0x00003c00, 0},
    {"set.lt.f16.f16 %h0, %h1, %h2;", {0x3c00, 0x4000}, 0x3c00, 0},
    /* pairs of integers: no carry from the low half, signs of their own */
    {"add.u16x2 %r0, %r1, %r2;", {0x0001ffff, 0x00020001}, 0x00030000, 0},
    {"add.s16x2 %r0, %r1, %r2;", {0xffff7fff, 0x00018001}, 0x00000000, 0},
    {"min.s16x2 %r0, %r1, %r2;", {0xffff0005, 0x0001fffe}, 0xfffffffe, 0},
    {"min.u16x2 %r0, %r1, %r2;", {0xffff0005, 0x0001fffe}, 0x00010005, 0},
    {"max.s16x2 %r0, %r1, %r2;", {0xffff0005, 0x0001fffe}, 0x00010005, 0},
    {"max.u16x2 %r0, %r1, %r2;", {0xffff0005, 0x0001fffe}, 0xfffffffe, 0},
    {"max.relu.s16x2 %r0, %r1, %r2;", {0xfff00005, 0xfff1fffe}, 0x00000005, 0},
    /* cvt */
    {"cvt.s64.s32 %d0, %r1;", {0xffffffff}, UINT64_MAX, 0},
    {"cvt.u64.u32 %d0, %r1;", {0xffffffff}, 0xffffffff, 0},
    {"cvt.u16.u32 %h0, %r1;", {0x12345678}, 0x5678, 0},
    {"cvt.s32.s8 %r0, %r1;", {0x1280}, 0xffffff80, 0},
    {"cvt.u32.u8 %r0, %r1;", {0x1280}, 0x80, 0},
    {"cvt.sat.s8.s32 %r0, %r1;", {1000}, 0x7f, 0},
    {"cvt.sat.u8.s32 %r0, %r1;", {0xffffffff}, 0, 0},
    {"cvt.rn.f32.s32 %r0, %r1;", {0xffffffff}, 0xbf800000, 0},
    {"cvt.rn.f32.u32 %r0, %r1;", {0xffffffff}, 0x4f800000, 0},
    {"cvt.rz.f32.u32 %r0, %r1;", {0xffffffff}, 0x4f7fffff, 0},
    {"cvt.rn.f32.s32 %r0, %r1;", {16777217}, 0x4b800000, 0},
    {"cvt.rp.f32.s32 %r0, %r1;", {16777217}, 0x4b800001, 0},
    {"cvt.rn.f64.s64 %d0, %d1;", {UINT64_MAX}, UINT64_C(0xbff0000000000000), 0},
    {"cvt.rzi.s32.f32 %r0, %r1;", {0xbfc00000}, 0xffffffff, 0},
    {"cvt.rmi.s32.f32 %r0, %r1;", {0xbfc00000}, 0xfffffffe, 0},
    {"cvt.rni.s32.f32 %r0, %r1;", {0x40200000}, 2, 0}, /* 2.5 */
    {"cvt.rni.s32.f32 %r0, %r1;", {0x40600000}, 4, 0}, /* 3.5 */
    {"cvt.rpi.s32.f32 %r0, %r1;", {0x40200000}, 3, 0},
    {"cvt.rzi.u32.f32 %r0, %r1;", {0xbf800000}, 0, 0},
    {"cvt.rzi.s32.f32 %r0, %r1;", {0x4f000000}, 0x7fffffff, 0},
    {"cvt.rzi.s32.f32 %r0, %r1;", {0xff7fffff}, 0x80000000, 0},
    {"cvt.rzi.s32.f32 %r0, %r1;", {NAN32}, 0, 0},
    {"cvt.rzi.s64.f32 %d0, %r1;", {NAN32}, UINT64_C(1) << 63, 0},
    {"cvt.f64.f32 %d0, %r1;", {0x3fc00000}, UINT64_C(0x3ff8000000000000), 0},
    {"cvt.rn.f32.f64 %r0, %d1;", {UINT64_C(0x3ff0000010000000)}, 0x3f800000, 0},
    {"cvt.rp.f32.f64 %r0, %d1;", {UINT64_C(0x3ff0000010000000)}, 0x3f800001, 0},
    {"cvt.rni.f32.f32 %r0, %r1;", {0x40200000}, 0x40000000, 0},
    {"cvt.sat.f32.f32 %r0, %r1;", {0x40200000}, 0x3f800000, 0},
    {"cvt.rn.f16.f32 %h0, %r1;", {0x3f800000}, 0x3c00, 0},
    {"cvt.rn.f16.f32 %h0, %r1;", {0x80000000}, 0x8000, 0},
    {"cvt.rn.f16.f32 %h0, %r1;", {0xff800000}, 0xfc00, 0},
    {"cvt.rn.satfinite.f16.f32 %h0, %r1;", {0x7f7fffff}, 0x7bff, 0},
    {"cvt.rn.f16.f32 %h0, %r1;", {0x33800000}, 0x0001, 0}, /* 2^-24, the least subnormal */
    {"cvt.rn.f16.f32 %h0, %r1;", {0x33000000}, 0x0000, 0}, /* half of it: a tie, to even */
    {"cvt.rn.f16.f32 %h0, %r1;", {0x477ff000}, 0x7c00, 0}, /* 65520: half way to what would be 65536 */
    {"cvt.f32.f16 %r0, %h1;", {0x0001}, 0x33800000, 0},
    {"cvt.rn.bf16.f32 %h0, %r1;", {0x3f808000}, 0x3f80, 0},
    {"cvt.rn.bf16.f32 %h0, %r1;", {0x3f818000}, 0x3f82, 0},
    {"cvt.rn.f16x2.f32 %r0, %r1, %r2;", {0x40000000, 0x3f800000}, 0x40003c00, 0},
    {"cvt.rn.bf16x2.f32 %r0, %r1, %r2;", {0x40000000, 0x3f800000}, 0x40003f80, 0},
};

static struct module *read_instruction(const char *instruction)
{
    char text[512];
    struct error error;
    snprintf(text, sizeof text,
             ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<8>;\n.reg .b16 "
             "%%h<8>;\n.reg .b32 %%r<8>;\n.reg .b64 %%d<8>;\n%s\nret;\n}\n",
             instruction);
    struct module *module = module_read(text, strlen(text), "row", &error);
    if (!module)
        fail_msg("%s: %s", instruction, error.text);
    return module;
}

/* A value of its own for lanes that do not take part. */
#define KEPT UINT64_C(0xdeadbeef)

static uint64_t run_row(row_function *function, const struct row_type *type, const struct module_instruction *i,
                        const uint64_t *values, lanemask mask, unsigned lane)
{
    static uint64_t rows[ROW_SOURCES][WARP_LANES];
    static uint64_t d[WARP_LANES];
    const uint64_t *s[ROW_SOURCES];
    for (unsigned n = 0, v = 0; n < ROW_SOURCES; n++) {
        uint64_t value = 0;
        if (n < i->srcs_count)
            value = i->srcs[n].kind == OPERAND_REGISTER ? values[v++] : i->srcs[n].value;
        for (unsigned l = 0; l < WARP_LANES; l++)
            rows[n][l] = mask >> l & 1u ? value : KEPT;
        s[n] = rows[n];
    }
    for (unsigned l = 0; l < WARP_LANES; l++)
        d[l] = KEPT;
    function(d, s, type, mask);
    for (unsigned l = 0; l < WARP_LANES; l++)
        assert_true(mask >> l & 1u ? d[l] == d[lane] : d[l] == KEPT);
    return d[lane];
}

static void check(const struct row_case *c)
{
    struct module *module = read_instruction(c->instruction);
    struct row_type type;
    struct error error = {0};
    const struct module_instruction *i = &module->functions[0].instructions[0];
    if (i->op == OP_UNREAD)
        fail_msg("%s: %s", c->instruction, i->unread);
    row_function *function = row_find(i, &type, &error), *second = row_find_second(i);
    if (!function)
        fail_msg("%s: %s", c->instruction, error.text);
    static const lanemask masks[] = {UINT32_MAX, 1u << 7, 0x80ff0080};
    for (unsigned n = 0; n < 3; n++) {
        uint64_t d = run_row(function, &type, i, c->sources, masks[n], 7);
        if (d != c->expected)
            fail_msg("%s gives 0x%" PRIx64 ", not 0x%" PRIx64, c->instruction, d, c->expected);
        assert_int_equal(fegetround(), FE_TONEAREST);
        d = second ? run_row(second, &type, i, c->sources, masks[n], 7) : c->second;
        if (d != c->second)
            fail_msg("%s: the second destination is 0x%" PRIx64 ", not 0x%" PRIx64, c->instruction, d, c->second);
    }
    module_free(module);
}

static void test_hand_worked(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        check(&cases[n]);
}

struct atomic_case {
    const char *instruction;
    uint64_t old, b, c, expected;
};
static const struct atomic_case atomics[] = {
    {"atom.global.add.u32 %r0, [%d1], %r2;", 0xffffffff, 2, 0, 1},
    {"atom.global.min.s32 %r0, [%d1], %r2;", 0xffffffff, 2, 0, 0xffffffff},
    {"atom.global.max.u32 %r0, [%d1], %r2;", 0xffffffff, 2, 0, 0xffffffff},
    {"atom.global.and.b32 %r0, [%d1], %r2;", 6, 3, 0, 2},
    {"atom.global.or.b32 %r0, [%d1], %r2;", 6, 3, 0, 7},
    {"atom.global.xor.b32 %r0, [%d1], %r2;", 6, 3, 0, 5},
    {"atom.global.exch.b32 %r0, [%d1], %r2;", 6, 3, 0, 3},
    {"atom.global.inc.u32 %r0, [%d1], %r2;", 3, 3, 0, 0},
    {"atom.global.inc.u32 %r0, [%d1], %r2;", 2, 3, 0, 3},
    {"atom.global.dec.u32 %r0, [%d1], %r2;", 0, 3, 0, 3},
    {"atom.global.dec.u32 %r0, [%d1], %r2;", 9, 3, 0, 3},
    {"atom.global.dec.u32 %r0, [%d1], %r2;", 2, 3, 0, 1},
    {"atom.global.cas.b32 %r0, [%d1], %r2, %r3;", 5, 5, 9, 9},
    {"atom.global.cas.b32 %r0, [%d1], %r2, %r3;", 5, 4, 9, 5},
    {"atom.global.add.f32 %r0, [%d1], %r2;", 0x3fc00000, 0x40100000, 0, 0x40700000},
    {"atom.global.add.f32 %r0, [%d1], %r2;", 0x00400000, 0x00400000, 0, 0},
    {"atom.global.add.f32 %r0, [%d1], %r2;", 0x80400000, 0x80000000, 0, 0x80000000},
    {"atom.global.add.f32 %r0, [%d1], %r2;", 0x00800001, 0x80800000, 0, 0},
    {"atom.shared.add.f32 %r0, [%d1], %r2;", 0x00400000, 0x00400000, 0, 0x00800000},
    {"atom.shared.add.f32 %r0, [%d1], %r2;", 0x00800001, 0x80800000, 0, 1},
    {"atom.global.add.noftz.f16 %h0, [%d1], %h2;", 0x0001, 0x0001, 0, 0x0002},
    {"atom.global.add.u64 %d0, [%d1], %d2;", UINT64_MAX, 1, 0, 0},
    {"atom.global.add.noftz.f16x2 %r0, [%d1], %r2;", 0x3c003c00, 0x3c003c00, 0, 0x40004000},
};

static void test_atomics(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof atomics / sizeof atomics[0]; n++) {
        const struct atomic_case *c = &atomics[n];
        struct module *module = read_instruction(c->instruction);
        uint64_t value = row_atomic(&module->functions[0].instructions[0], c->old, c->b, c->c,
                                    module->functions[0].instructions[0].space == SPACE_GLOBAL);
        if (value != c->expected)
            fail_msg("%s leaves 0x%" PRIx64 ", not 0x%" PRIx64, c->instruction, value, c->expected);
        module_free(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand_worked), cmocka_unit_test(test_atomics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
