; Structures as values: each function must be refuted, with this reason. kept_structures.ll has its twin.
source_filename = "broken_structures.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%three = type { i32, i32, i32 }
%padded = type { i32, i8 }
%long = type { [4 x i32] }
@zeros = internal constant %long zeroinitializer, align 16

define internal { i32, i32 } @pair(i32 %x, i32 %y) {
  %p = insertvalue { i32, i32 } poison, i32 %x, 0
  %q = insertvalue { i32, i32 } %p, i32 %y, 1
  ret { i32, i32 } %q
}
define internal { i64, i32 } @coerced(i32 %x, i32 %y, i32 %z) {
  %a = alloca { i64, i32 }, align 8
  %p0 = getelementptr %three, ptr %a, i32 0, i32 0
  store i32 %x, ptr %p0
  %p1 = getelementptr %three, ptr %a, i32 0, i32 1
  store i32 %y, ptr %p1
  %p2 = getelementptr %three, ptr %a, i32 0, i32 2
  store i32 %z, ptr %p2
  %r = load { i64, i32 }, ptr %a, align 8
  ret { i64, i32 } %r
}
define internal void @clears(ptr byval(%long) align 4 %p) {
  store i32 0, ptr %p, align 4
  ret void
}
define internal ptr @keeps(ptr byval(%long) align 4 %p) {
  ret ptr %p
}
define internal void @fills(ptr sret(%long) align 4 %r, i32 %x) {
  store i32 %x, ptr %r, align 4
  ret void
}
define internal void @may_write(ptr writable dereferenceable(4) %p) {
  ret void
}
define internal void @clears_it(ptr align 4 %p) {
  store i32 0, ptr %p, align 4
  ret void
}

; vote vote.ballot.b32: d of lane
define i32 @member(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %s = call { i32, i32 } @pair(i32 %g, i32 %v)
  %r = extractvalue { i32, i32 } %s, 1
  ret i32 %r
}

; vote vote.ballot.b32: d of lane
define i32 @through_memory(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %s = call { i64, i32 } @coerced(i32 %v, i32 %g, i32 %m)
  %i = alloca { i64, i32 }, align 8
  store { i64, i32 } %s, ptr %i, align 8
  %p = getelementptr %three, ptr %i, i32 0, i32 2
  %r = load i32, ptr %p
  ret i32 %r
}

; vote vote.ballot.b32: not initialized
define i32 @padding(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %i = alloca %padded, align 4
  store i64 0, ptr %i, align 4
  %s0 = insertvalue %padded poison, i8 1, 1
  %s = insertvalue %padded %s0, i32 %g, 0
  store %padded %s, ptr %i, align 4
  %p = getelementptr i8, ptr %i, i64 5
  %x = load i8, ptr %p
  %y = zext i8 %x to i32
  %z = and i32 %y, 254
  %r = or i32 %g, %z
  ret i32 %r
}

; vote vote.ballot.b32: not initialized
define i32 @constant(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %s = insertvalue { i32, i32 } poison, i32 %v, 0
  %x = extractvalue { i32, i32 } %s, 1
  %r = or i32 %g, %x
  ret i32 %r
}

; vote vote.ballot.b32: d of lane
define i32 @copied(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %a = alloca %long, align 4
  store %long zeroinitializer, ptr %a, align 4
  %p = getelementptr %long, ptr %a, i32 0, i32 0, i32 0
  store i32 %g, ptr %p
  call void @clears_it(ptr %a)
  %r = load i32, ptr %p
  ret i32 %r
}

; vote vote.ballot.b32: has returned
define i32 @copy_ends(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %a = alloca %long, align 4
  store %long zeroinitializer, ptr %a, align 4
  store i32 %g, ptr %a
  %p = call ptr @keeps(ptr byval(%long) align 4 %a)
  %r = load i32, ptr %p
  ret i32 %r
}

; vote vote.ballot.b32: fewer bytes
define i32 @copied_whole(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %a = alloca [3 x i32], align 4
  store [3 x i32] zeroinitializer, ptr %a, align 4
  call void @clears(ptr byval(%long) align 4 %a)
  ret i32 %g
}

; vote vote.ballot.b32: fewer bytes
define i32 @result_in_memory(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %a = alloca [3 x i32], align 4
  call void @fills(ptr sret(%long) align 4 %a, i32 %g)
  %r = load i32, ptr %a
  ret i32 %r
}

; vote vote.ballot.b32: promised to be writable
define i32 @writable(i32 %v, i32 %m, i32 %n) {
  %g0 = and i32 %v, %m
  %g = and i32 %g0, %n
  %a = alloca %long, align 4
  call void @may_write(ptr @zeros)
  ret i32 %g
}

@two_rows = internal constant { [2 x i32], [2 x i32] } { [2 x i32] [i32 -1, i32 -1], [2 x i32] [i32 -1, i32 -1] }

; vote vote.ballot.b32: access out of bounds
define i32 @behind_the_range(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %rare = icmp eq i32 %v, 77
  %i = select i1 %rare, i64 4, i64 0
  %p = getelementptr i8, ptr getelementptr inbounds inrange(-4, 4) ({ [2 x i32], [2 x i32] }, ptr @two_rows, i64 0, i32 0, i64 1), i64 %i
  %x = load i32, ptr %p, align 4
  %d = and i32 %g, %x
  ret i32 %d
}

; vote vote.ballot.b32: access out of bounds
define i32 @before_the_range(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %rare = icmp eq i32 %v, 77
  %i = select i1 %rare, i64 -8, i64 -4
  %p = getelementptr i8, ptr getelementptr inbounds inrange(-4, 4) ({ [2 x i32], [2 x i32] }, ptr @two_rows, i64 0, i32 1, i64 1), i64 %i
  %x = load i32, ptr %p, align 4
  %d = and i32 %g, %x
  ret i32 %d
}
