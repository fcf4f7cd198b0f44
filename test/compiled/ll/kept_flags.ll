; Each function keeps, just, what its twin of the same name in broken_flags.ll breaks: it must be proved.
source_filename = "kept_flags.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @llvm.ctpop.i32(i32)

define internal i32 @plain(i32 %x) {
  ret i32 %x
}
define internal range(i32 0, 32) i32 @gives_range(i32 %x) {
  ret i32 %x
}
define internal i32 @takes_range(i32 range(i32 -5, 32) %x) {
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @trunc_nuw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %w = zext i32 %g to i64
  %h = and i64 %w, 4294967295
  %t = trunc nuw i64 %h to i32
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @trunc_nsw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %w = sext i32 %g to i64
  %t = trunc nsw i64 %w to i32
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @zext_nneg(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = lshr i32 %g, 1
  %w = zext nneg i32 %h to i64
  %k = trunc i64 %w to i32
  %l = and i32 %k, 0
  %t = or i32 %g, %l
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @or_disjoint(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %g, 255
  %h = and i32 %g, -256
  %t = or disjoint i32 %l, %h
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @or_disjoint_vector(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = insertelement <2 x i32> zeroinitializer, i32 %g, i32 0
  %b = insertelement <2 x i32> zeroinitializer, i32 %g, i32 1
  %o = or disjoint <2 x i32> %a, %b
  %t = extractelement <2 x i32> %o, i32 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @uitofp_nneg(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = lshr i32 %g, 1
  %f = uitofp nneg i32 %h to float
  %k = bitcast float %f to i32
  %l = and i32 %k, 0
  %t = or i32 %g, %l
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @range_of_a_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = and i32 %g, 31
  %u = call range(i32 0, 32) i32 @plain(i32 %h)
  %k = and i32 %u, 0
  %t = or i32 %g, %k
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @range_of_a_function(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = and i32 %g, 15
  %u = call i32 @gives_range(i32 %h)
  %k = and i32 %u, 0
  %t = or i32 %g, %k
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @range_of_a_parameter(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = or i32 -5, 0
  %u = call i32 @takes_range(i32 %h)
  %k = and i32 %u, 0
  %t = or i32 %g, %k
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @range_over_the_largest(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = and i32 %g, 0
  %u = call range(i32 -4, 4) i32 @plain(i32 %h)
  %k = and i32 %u, 0
  %t = or i32 %g, %k
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @range_of_an_intrinsic(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %u = call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 %g)
  %k = and i32 %u, 0
  %t = or i32 %g, %k
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @metadata_range_over_the_largest(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  %h = and i32 %g, 0
  store i32 %h, ptr %p
  %u = load i32, ptr %p, !range !0
  %k = and i32 %u, 0
  %t = or i32 %g, %k
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memory_none(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  store i32 %g, ptr %p
  %t = call i32 @reads(ptr %p) memory(read)
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memory_inaccessible(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  store i32 %g, ptr %p
  %t = call i32 @reads(ptr %p) memory(argmem: read)
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memory_read(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  store i32 0, ptr %p
  call void @writes(ptr %p, i32 %g) memory(argmem: write)
  %t = load i32, ptr %p
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @distance(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = alloca [4 x i32]
  %e = getelementptr [4 x i32], ptr %a, i64 0, i64 3
  %x = ptrtoint ptr %a to i64
  %y = ptrtoint ptr %e to i64
  %d = sub i64 %y, %x
  %c = icmp eq i64 %d, 12
  %t = select i1 %c, i32 %g, i32 poison
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @distance_of_two(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = alloca i32
  %b = alloca i32
  %x = ptrtoint ptr %a to i64
  %y = ptrtoint ptr %b to i64
  %d = sub i64 %y, %x
  %c = icmp ult i64 %d, 32
  %t = select i1 %c, i32 %g, i32 %g
  ret i32 %t
}

define internal i32 @reads(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
define internal void @writes(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}

!0 = !{i32 -4, i32 4}

declare i2 @llvm.ctpop.i2(i2)

; vote vote.ballot.b32: proved
define i32 @count_of_two_bits(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = trunc i32 %g to i2
  %c = call i2 @llvm.ctpop.i2(i2 %x)
  %y = add i2 %c, -1
  %z = zext i2 %y to i32
  %t = and i32 %z, 0
  %d = or i32 %g, %t
  ret i32 %d
}
