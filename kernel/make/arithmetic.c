/* Arithmetic of all kinds, for kernels that are to show mistakes of whoever executes PTX. */
#include "kernel/make/make_internal.h"

#include <inttypes.h>
#include <string.h>

/*
 * A step: $A $B $C are values, $D is the one that changes; new registers are $T $U (32 bits), $W $X (64 bits), $F $G $H
 * (f32), $P $Q $R (predicates); $I is a number to 31, $J to 63, $K from 2 to 98. %h1 to %h3 and %d0 to %d2 are free.
 * What the manual leaves open does not occur: NaN in neg and abs, division by zero, rem of negative numbers, mul24 of
 * numbers of more than 24 bits, approximations.
 */
static const struct step {
    uint16_t ptx;    /* least version, times ten */
    uint16_t target; /* least sm_ */
    const char *text;
} steps[] = {
    {0, 32, "shf.l.wrap.b32 $D, $A, $B, $C;"},
    {0, 32, "shf.r.wrap.b32 $D, $A, $B, $C;"},
    {0, 32, "and.b32 $T, $C, 63;shf.l.clamp.b32 $D, $A, $B, $T;"},
    {0, 32, "and.b32 $T, $C, 63;shf.r.clamp.b32 $D, $A, $B, $T;"},
    {0, 0, "shr.u32 $T, $A, $I;bfind.u32 $U, $T;xor.b32 $D, $D, $U;"},
    {0, 0, "shr.s32 $T, $A, $I;bfind.s32 $U, $T;add.s32 $D, $D, $U;"},
    {0, 0, "bfind.shiftamt.u32 $T, $A;xor.b32 $D, $D, $T;"},
    {0, 0, "bfind.shiftamt.s32 $T, $A;add.s32 $D, $D, $T;"},
    {0, 0, "bfi.b32 $D, $A, $B, $I, $J;"},
    {76, 70, "bmsk.wrap.b32 $T, $A, $B;xor.b32 $D, $D, $T;"},
    {76, 70, "and.b32 $T, $A, 63;and.b32 $U, $B, 63;bmsk.clamp.b32 $T, $T, $U;xor.b32 $D, $D, $T;"},
    {76, 70, "szext.wrap.s32 $D, $A, $B;"},
    {76, 70, "and.b32 $T, $B, 63;szext.clamp.s32 $D, $A, $T;"},
    {76, 70, "and.b32 $T, $B, 63;szext.clamp.u32 $D, $A, $T;"},
    {0, 0, "fns.b32 $T, $A, $I, 2;xor.b32 $D, $D, $T;"},
    {0, 0, "fns.b32 $T, $A, $I, -2;xor.b32 $D, $D, $T;"},
    {0, 0, "fns.b32 $T, $A, $I, 0;xor.b32 $D, $D, $T;"},
    {0, 0, "prmt.b32.f4e $D, $A, $B, $C;"},
    {0, 0, "prmt.b32.b4e $D, $A, $B, $C;"},
    {0, 0, "prmt.b32.rc8 $D, $A, $B, $C;"},
    {0, 0, "prmt.b32.ecl $D, $A, $B, $C;"},
    {0, 0, "prmt.b32.ecr $D, $A, $B, $C;"},
    {0, 0, "prmt.b32.rc16 $D, $A, $B, $C;"},
    {0, 0, "and.b32 $T, $C, -2147483642;slct.u32.s32 $D, $A, $B, $T;"},
    {0, 0, "mov.b32 $F, $C;slct.u32.f32 $D, $A, $B, $F;"},
    {0, 61, "dp4a.u32.u32 $D, $A, $B, $C;"},
    {0, 61, "dp4a.s32.s32 $D, $A, $B, $C;"},
    {0, 61, "dp2a.lo.s32.u32 $D, $A, $B, $C;"},
    {0, 61, "dp2a.hi.u32.s32 $D, $A, $B, $C;"},
    {0, 0, "add.cc.u32 $T, $A, $B;addc.cc.u32 $U, $B, $C;addc.u32 $D, $D, $U;xor.b32 $D, $D, $T;"},
    {0, 0, "sub.cc.u32 $T, $A, $B;subc.cc.u32 $U, $B, $C;subc.u32 $D, $C, $U;xor.b32 $D, $D, $T;"},
    {0, 0, "mad.lo.cc.u32 $T, $A, $B, $C;madc.hi.cc.u32 $U, $A, $B, $D;addc.u32 $D, $U, $T;"},
    {0, 0, "mad.hi.cc.u32 $T, $A, $B, $C;madc.lo.cc.u32 $U, $B, $C, $D;addc.u32 $D, $U, $T;"},
    {0, 0, "sad.s32 $D, $A, $B, $C;"},
    {0, 0, "sad.u32 $D, $A, $B, $C;"},
    {0, 0, "mul.hi.u32 $D, $A, $B;"},
    {0, 0, "mul.hi.s32 $D, $A, $B;"},
    {0, 0, "mul.wide.s32 $W, $A, $B;xor.b64 %w0, %w0, $W;"},
    {0, 0, "mad.hi.s32 $D, $A, $B, $C;"},
    {0, 0, "mad.wide.u32 $W, $A, $B, %w0;mov.b64 %w0, $W;"},
    {0, 0, "and.b32 $T, $A, 16777215;and.b32 $U, $B, 16777215;mul24.lo.u32 $D, $T, $U;"},
    {0, 0, "bfe.s32 $T, $A, 0, 24;bfe.s32 $U, $B, 0, 24;mul24.hi.s32 $D, $T, $U;"},
    {0, 0, "bfe.s32 $T, $A, 0, 24;bfe.s32 $U, $B, 0, 24;mad24.lo.s32 $D, $T, $U, $C;"},
    {0, 0, "div.s32 $D, $A, $K;"},
    {0, 0, "and.b32 $T, $A, 2147483647;rem.s32 $D, $T, $K;"},
    {0, 0, "div.s32 $T, $A, -7;xor.b32 $D, $T, $B;"},
    {0, 0, "neg.s32 $D, $A;"},
    {0, 0, "abs.s32 $D, $A;"},
    {0, 0, "mov.b32 {%h1, %h2}, $A;not.b16 %h1, %h1;neg.s16 %h2, %h2;mov.b32 $D, {%h2, %h1};"},
    {0, 0, "cnot.b32 $T, $A;add.s32 $D, $D, $T;not.b32 $D, $D;"},
    {0, 0, "and.b32 $T, $B, 63;shl.b32 $D, $A, $T;"},
    {0, 0, "and.b32 $T, $B, 63;shr.s32 $D, $A, $T;"},
    {0, 0, "and.b32 $T, $B, 63;shr.u32 $D, $A, $T;"},
    {0, 0, "shl.b64 $W, %w0, $J;cvt.u32.u64 $T, $W;not.b64 $X, %w0;xor.b64 %w0, $W, $X;add.s32 $D, $D, $T;"},
    {0, 0, "popc.b64 $T, %w0;clz.b64 $U, %w0;mad.lo.s32 $D, $T, $U, $D;"},
    {0, 0, "brev.b64 $W, %w0;xor.b64 %w0, $W, %w0;"},
    {0, 0, "mov.u32 $T, %lanemask_lt;xor.b32 $D, $D, $T;"},
    {0, 0, "mov.u32 $T, %lanemask_le;add.s32 $D, $D, $T;"},
    {0, 0, "mov.u32 $T, %lanemask_gt;xor.b32 $D, $D, $T;"},
    {0, 0, "mov.u32 $T, %lanemask_ge;mov.u32 $U, %lanemask_eq;mad.lo.s32 $D, $T, $U, $D;"},
    {0, 0,
     "setp.ne.s32 $R, $A, 0;setp.lt.and.s32 $P|$Q, $A, $B, $R;selp.b32 $T, 1, 2, $P;selp.b32 $U, 4, 8, $Q;"
     "add.s32 $D, $D, $T;add.s32 $D, $D, $U;"},
    {0, 0,
     "setp.gt.s32 $R, $A, $C;setp.ge.or.u32 $P|$Q, $A, $B, $R;selp.b32 $T, 1, 2, $P;selp.b32 $U, 4, 8, $Q;"
     "add.s32 $D, $D, $T;add.s32 $D, $D, $U;"},
    {0, 0,
     "setp.gt.s32 $R, $A, $C;setp.le.xor.u32 $P|$Q, $A, $B, !$R;selp.b32 $T, 1, 2, $P;selp.b32 $U, 4, 8, $Q;"
     "add.s32 $D, $D, $T;add.s32 $D, $D, $U;"},
    {0, 0,
     "setp.hi.u32 $P|$Q, $A, $B;xor.pred $R, $P, $Q;and.pred $P, $P, $R;not.pred $Q, $P;"
     "selp.b32 $D, $A, $B, $Q;"},
    {0, 0, "set.lt.u32.s32 $T, $A, $B;add.s32 $D, $D, $T;"},
    {0, 0, "set.gt.f32.u32 $F, $A, $B;mov.b32 $T, $F;xor.b32 $D, $D, $T;"},
    /* f32: any bits; where a NaN is open, none */
    {0, 0,
     "mov.b32 $F, $A;mov.b32 $G, $B;setp.ltu.f32 $P, $F, $G;setp.num.f32 $Q, $F, $G;setp.le.f32 $R, $F, $G;"
     "selp.b32 $T, 1, 0, $P;selp.b32 $U, 2, 4, $Q;add.s32 $D, $D, $T;add.s32 $D, $D, $U;@$R add.s32 $D, $D, 8;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;add.rn.f32 $H, $F, $G;"
     "mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;sub.rn.f32 $H, $F, $G;"
     "mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;mul.rn.f32 $H, $F, $G;"
     "mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -1082130433;and.b32 $U, $B, -1082130433;mov.b32 $F, $T;mov.b32 $G, $U;"
     "fma.rn.f32 $H, $F, $G, $F;mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -1082130433;and.b32 $U, $B, -1082130433;mov.b32 $F, $T;mov.b32 $G, $U;"
     "add.rz.f32 $H, $F, $G;mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;mul.rm.f32 $H, $F, $G;"
     "mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;mul.rp.f32 $H, $F, $G;"
     "mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;mul.rz.f32 $H, $F, $G;"
     "mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -2139095041;and.b32 $U, $B, -1082130433;mov.b32 $F, $T;mov.b32 $G, $U;"
     "add.ftz.f32 $H, $F, $G;mul.ftz.f32 $G, $H, $F;mov.b32 $T, $G;mov.b32 $U, $H;xor.b32 $D, $T, $U;"},
    {0, 0, "and.b32 $T, $A, -1082130433;mov.b32 $F, $T;add.sat.f32 $G, $F, $F;mov.b32 $T, $G;xor.b32 $D, $D, $T;"},
    {0, 0, "cvt.rn.f32.s32 $F, $A;mul.sat.f32 $G, $F, $F;mov.b32 $T, $G;xor.b32 $D, $D, $T;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;mov.b32 $F, $T;neg.f32 $G, $F;abs.f32 $H, $F;mov.b32 $T, $G;mov.b32 $U, $H;"
     "mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0, "mov.b32 $F, $A;mov.b32 $G, $B;copysign.f32 $H, $F, $G;mov.b32 $D, $H;"},
    {0, 0,
     "mov.b32 $F, $A;mov.b32 $G, $B;min.f32 $H, $F, $G;max.f32 $F, $F, $G;mov.b32 $T, $H;mov.b32 $U, $F;"
     "mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0, "or.b32 $T, $A, 2143289344;mov.b32 $F, $T;mov.b32 $G, $B;min.f32 $H, $F, $G;mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, -2147483648;and.b32 $U, $B, -2147483648;mov.b32 $F, $T;mov.b32 $G, $U;"
     "min.f32 $H, $F, $G;mov.b32 $T, $H;add.s32 $D, $D, $T;"},
    {70, 80,
     "or.b32 $T, $A, 2143289344;mov.b32 $F, $T;mov.b32 $G, $B;min.NaN.f32 $H, $F, $G;mov.b32 $T, $H;"
     "add.s32 $D, $D, $T;"},
    {72, 86,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;"
     "max.xorsign.abs.f32 $H, $F, $G;mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, 2139095040;or.b32 $T, $T, $I;mov.b32 $F, $T;testp.finite.f32 $P, $F;"
     "testp.infinite.f32 $Q, $F;testp.number.f32 $R, $F;@$P add.s32 $D, $D, 1;@$Q add.s32 $D, $D, 2;"
     "@$R add.s32 $D, $D, 4;"},
    {0, 0,
     "mov.b32 $F, $A;testp.notanumber.f32 $P, $F;testp.normal.f32 $Q, $F;testp.subnormal.f32 $R, $F;"
     "@$P add.s32 $D, $D, 1;@$Q add.s32 $D, $D, 2;@$R add.s32 $D, $D, 4;"},
    {0, 0,
     "mov.b32 $F, 0f7F800000;testp.infinite.f32 $P, $F;testp.notanumber.f32 $Q, $F;testp.finite.f32 $R, $F;"
     "@$P add.s32 $D, $D, 1;@$Q add.s32 $D, $D, 2;@$R add.s32 $D, $D, 4;"},
    {0, 0,
     "mov.b32 $F, 0f7FC00000;testp.infinite.f32 $P, $F;testp.number.f32 $Q, $F;@$P add.s32 $D, $D, 1;"
     "@$Q add.s32 $D, $D, 2;cvt.rni.s32.f32 $T, $F;add.s32 $D, $D, $T;"},
    {0, 0,
     "and.b32 $T, $A, 8388607;mov.b32 $F, $T;testp.normal.f32 $P, $F;testp.subnormal.f32 $Q, $F;"
     "@$P add.s32 $D, $D, 1;@$Q add.s32 $D, $D, 2;"},
    {0, 0, "cvt.rn.f32.s32 $F, $A;cvt.rz.f32.u32 $G, $B;mov.b32 $T, $F;mov.b32 $U, $G;mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0, "cvt.rm.f32.s32 $F, $A;cvt.rp.f32.s32 $G, $A;mov.b32 $T, $F;mov.b32 $U, $G;mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0,
     "and.b32 $T, $A, 65535;sub.s32 $T, $T, 32768;cvt.rn.f32.s32 $F, $T;mul.rn.f32 $F, $F, 0f3E800000;"
     "cvt.rni.s32.f32 $T, $F;cvt.rmi.s32.f32 $U, $F;mad.lo.s32 $D, $T, 5, $U;cvt.rpi.s32.f32 $T, $F;"
     "cvt.rzi.s32.f32 $U, $F;mad.lo.s32 $D, $D, 5, $T;mad.lo.s32 $D, $D, 5, $U;"},
    {0, 0,
     "and.b32 $T, $A, -8388609;mov.b32 $F, $T;cvt.rzi.s32.f32 $T, $F;cvt.rzi.u32.f32 $U, $F;"
     "mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0,
     "cvt.rn.f32.s32 $F, $A;mul.rn.f32 $F, $F, 0f47000000;cvt.rzi.s32.f32 $T, $F;cvt.rzi.u32.f32 $U, $F;"
     "mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0,
     "and.b32 $T, $A, -1082130433;and.b32 $U, $B, 8388607;or.b32 $U, $U, 1065353216;mov.b32 $F, $T;mov.b32 $G, $U;"
     "div.rn.f32 $H, $F, $G;mov.b32 $D, $H;"},
    {0, 0,
     "and.b32 $T, $A, 8388607;or.b32 $T, $T, 1065353216;mov.b32 $F, $T;rcp.rn.f32 $G, $F;sqrt.rn.f32 $H, $F;"
     "mov.b32 $T, $G;mov.b32 $U, $H;mad.lo.s32 $D, $T, 3, $U;"},
    /* integers of other widths */
    {0, 0, "cvt.sat.u8.s32 %h1, $A;cvt.u32.u16 $T, %h1;add.s32 $D, $D, $T;"},
    {0, 0, "cvt.sat.s16.s32 %h1, $A;cvt.s32.s16 $T, %h1;xor.b32 $D, $D, $T;"},
    {0, 0, "cvt.sat.u16.s32 %h1, $A;cvt.u32.u16 $T, %h1;xor.b32 $D, $D, $T;"},
    /* f64 */
    {0, 0,
     "and.b32 $T, $A, -1048577;mov.b64 %d0, {$B, $T};cvt.rn.f64.s32 %d1, $C;add.rn.f64 %d2, %d0, %d1;"
     "mov.b64 $W, %d2;xor.b64 %w0, %w0, $W;"},
    {0, 0,
     "cvt.rn.f64.s32 %d0, $B;cvt.rn.f64.s32 %d1, $C;sub.rn.f64 %d2, %d0, %d1;mul.rn.f64 %d2, %d2, %d2;"
     "mov.b64 $W, %d2;xor.b64 %w0, %w0, $W;"},
    {0, 0,
     "and.b32 $T, $A, -1074790401;mov.b64 %d0, {$B, $T};cvt.rn.f64.u32 %d1, $C;"
     "fma.rn.f64 %d2, %d0, %d0, %d1;mov.b64 $W, %d2;xor.b64 %w0, %w0, $W;"},
    {0, 0,
     "and.b32 $T, $A, -1074790401;mov.b64 %d0, {$B, $T};cvt.rn.f64.u32 %d1, $C;"
     "add.rz.f64 %d2, %d0, %d1;mov.b64 $W, %d2;xor.b64 %w0, %w0, $W;cvt.rm.f32.f64 $F, %d0;mov.b32 $T, $F;"
     "xor.b32 $D, $D, $T;"},
    {0, 0, "mov.b64 $W, -2251799813685248;mov.b64 %d0, $W;cvt.rzi.s32.f64 $T, %d0;add.s32 $D, $D, $T;"},
    {0, 0,
     "cvt.rn.f64.s32 %d0, $B;cvt.rn.f64.s32 %d1, $C;sub.rn.f64 %d2, %d0, %d1;mov.b64 $W, %d2;xor.b64 %w0, %w0, $W;"},
    {0, 0,
     "and.b32 $T, $A, -2139095041;or.b32 $T, $T, 528482304;mov.b32 $F, $T;mul.ftz.f32 $G, $F, $F;mov.b32 $T, "
     "$G;mul.f32 $H, $F, $F;mov.b32 $U, $H;mad.lo.s32 $D, $T, 3, $U;"},
    {0, 0,
     "and.b32 $T, $A, 1;add.s32 $T, $T, 8388607;mov.b32 $F, $T;testp.subnormal.f32 $P, $F;testp.normal.f32 $Q, "
     "$F;and.b32 $T, $B, 1;mov.b32 $F, $T;testp.subnormal.f32 $R, $F;@$P add.s32 $D, $D, 1;@$Q add.s32 $D, $D, 2;@$R "
     "add.s32 $D, $D, 4;"},
    {0, 0, "add.cc.u32 $T, $A, $B;madc.lo.cc.u32 $U, $C, 0, -1;addc.u32 $D, $D, $U;xor.b32 $D, $D, $T;"},
    {0, 53,
     "and.b32 $T, $A, -2147483648;or.b32 $T, $T, 2139095040;mov.b32 $F, $T;cvt.rn.f16.f32 %h1, $F;mov.b32 $T, {%h1, "
     "%h1};xor.b32 $D, $D, $T;"},
    /* halves */
    {0, 53,
     "and.b32 $T, $A, -67109889;mov.b32 {%h1, %h2}, $T;add.f16 %h3, %h1, %h2;sub.f16 %h1, %h1, %h2;"
     "mov.b32 $D, {%h3, %h1};"},
    {0, 53,
     "and.b32 $T, $A, -67109889;mov.b32 {%h1, %h2}, $T;mul.f16 %h3, %h1, %h2;fma.rn.f16 %h1, %h1, %h2, %h2;"
     "mov.b32 $D, {%h3, %h1};"},
    {0, 53, "and.b32 $T, $A, -67109889;and.b32 $U, $B, -67109889;add.f16x2 $D, $T, $U;"},
    {0, 53,
     "and.b32 $T, $A, -8388609;mov.b32 $F, $T;cvt.rn.f16.f32 %h1, $F;cvt.rz.f16.f32 %h2, $F;"
     "mov.b32 $D, {%h1, %h2};"},
    {0, 53,
     "and.b32 $T, $A, 268374015;or.b32 $T, $T, 805306368;mov.b32 $F, $T;cvt.rn.f16.f32 %h1, $F;"
     "cvt.f32.f16 $G, %h1;mov.b32 $D, $G;"},
    {70, 80,
     "and.b32 $T, $A, -8388609;and.b32 $U, $B, -8388609;mov.b32 $F, $T;mov.b32 $G, $U;"
     "cvt.rn.f16x2.f32 $T, $F, $G;xor.b32 $D, $D, $T;"},
    {70, 80,
     "and.b32 $T, $A, -67109889;mov.b32 {%h1, %h2}, $T;fma.rn.relu.f16 %h3, %h1, %h2, %h1;"
     "mov.b32 $T, {%h3, %h1};xor.b32 $D, $D, $T;"},
    /* atomic operations on the thread's own word, which holds its results in the end */
    {0, 0,
     "and.b32 $T, $A, 7;st.global.b32 [%out], $T;atom.global.inc.u32 $U, [%out], 5;ld.global.b32 $T, [%out];"
     "mad.lo.s32 $D, $T, 9, $U;"},
    {0, 0,
     "and.b32 $T, $A, 7;st.global.b32 [%out], $T;atom.global.dec.u32 $U, [%out], 5;ld.global.b32 $T, [%out];"
     "mad.lo.s32 $D, $T, 9, $U;"},
    {0, 0,
     "st.global.b32 [%out], $A;atom.global.exch.b32 $U, [%out], $B;ld.global.b32 $T, [%out];"
     "mad.lo.s32 $D, $T, 9, $U;"},
    {0, 0,
     "and.b32 $T, $A, 1;st.global.b32 [%out], $T;atom.global.cas.b32 $U, [%out], 1, $B;ld.global.b32 $T, [%out];"
     "mad.lo.s32 $D, $T, 9, $U;"},
    {0, 0,
     "st.global.b32 [%out], $A;atom.global.min.s32 $U, [%out], $B;atom.global.max.u32 $T, [%out], $C;"
     "ld.global.b32 $D, [%out];add.s32 $D, $D, $T;"},
    {0, 0,
     "and.b32 $T, $A, -1082130433;and.b32 $U, $B, -1082130433;mov.b32 $F, $U;st.global.b32 [%out], $T;"
     "atom.global.add.f32 $G, [%out], $F;ld.global.b32 $D, [%out];"},
    {0, 0, "st.global.b64 [%out], %w0;atom.global.add.u64 $W, [%out], %w0;ld.global.b32 $D, [%out+4];"},
};

#define UINT_NONE UINT32_MAX

/* The register or number that the letter stands for. */
static void put_letter(struct writer *w, char letter, unsigned *numbers)
{
    static const char new32[] = "TU", new64[] = "WX", reals[] = "FGH", predicates[] = "PQR", values[] = "ABCD";
    unsigned *const number = &numbers[letter - 'A'];
    if (strchr(values, letter))
        PUT("%%v%u", *number == UINT_NONE ? *number = write_any(w, w->values) : *number);
    else if (strchr(new32, letter))
        PUT("%%t%u", *number == UINT_NONE ? *number = write_temp(w) : *number);
    else if (strchr(new64, letter))
        PUT("%%w%u", *number == UINT_NONE ? *number = w->wides++ : *number);
    else if (strchr(reals, letter))
        PUT("%%f%u", *number == UINT_NONE ? *number = w->reals++ : *number);
    else if (strchr(predicates, letter))
        PUT("%%p%u", *number == UINT_NONE ? *number = write_predicate(w) : *number);
    else
        PUT("%u", letter == 'I' ? write_any(w, 32) : letter == 'J' ? write_any(w, 64) : 2 + write_any(w, 97));
}

void write_wide_step(struct writer *w)
{
    unsigned numbers[26];
    const struct step *step;
    do
        step = &steps[write_any(w, sizeof steps / sizeof steps[0])];
    while (step->ptx > w->k->ptx || WARP_TARGET(step->target, 0) > w->k->target);
    memset(numbers, 0xff, sizeof numbers);
    for (const char *c = step->text; *c; c++) {
        if (*c == '$')
            put_letter(w, *++c, numbers);
        else
            PUT(*c == ';' ? ";\n" : "%c", *c);
    }
    if (strstr(step->text, "%out"))
        w->used |= USED_OUT;
}
