; Each function is right wherever LLVM's reference defines it, and somewhere it does not: it must be refuted, with this
; reason. The line above a function: the shape and instruction that it is tried as, then what the note must say.
source_filename = "undefined.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@table = internal constant [4 x i32] [i32 0, i32 0, i32 0, i32 0]
declare void @llvm.assume(i1)

; vote vote.ballot.b32: poison
define i32 @shift_too_far(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %s = lshr i32 %r, 1
  %t = and i32 %v, 63
  %u = shl i32 0, %t
  %w = and i32 %r, %n
  %x = or i32 %w, %u
  ret i32 %x
}

; vote vote.ballot.b32: poison
define i32 @add_nsw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add nsw i32 %g, 1
  %t = sub i32 %s, 1
  ret i32 %t
}

; vote vote.ballot.b32: poison
define i32 @add_nuw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add nuw i32 %g, 1
  %t = sub i32 %s, 1
  ret i32 %t
}

; vote vote.ballot.b32: poison
define i32 @sub_nuw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = sub nuw i32 %g, 1
  %t = add i32 %s, 1
  ret i32 %t
}

; vote vote.ballot.b32: poison
define i32 @mul_nsw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = mul nsw i32 %g, -1
  %t = sub i32 0, %s
  ret i32 %t
}

; vote vote.ballot.b32: poison
define i32 @exact_shift(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %g, 1
  %s = lshr exact i32 %g, 1
  %t = shl i32 %s, 1
  %u = or i32 %t, %l
  ret i32 %u
}

; vote vote.ballot.b32: out of bounds
define i32 @load_out_of_bounds(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 7
  %p = getelementptr [4 x i32], [4 x i32]* @table, i32 0, i32 %i
  %x = load i32, i32* %p
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: branch
define i32 @branch_on_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add nsw i32 %v, 1
  %c = icmp slt i32 %s, 5
  br i1 %c, label %yes, label %no
yes:
  ret i32 %g
no:
  ret i32 %g
}

; vote vote.ballot.b32: never reached
define i32 @reaches_unreachable(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 4711
  br i1 %c, label %yes, label %no
yes:
  unreachable
no:
  ret i32 %g
}

; vote vote.ballot.b32: assumption
define i32 @false_assumption(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp ne i32 %v, 4711
  call void @llvm.assume(i1 %c)
  ret i32 %g
}

; vote vote.ballot.b32: initialized
define i32 @undef_reaches_result(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 4711
  %t = select i1 %c, i32 undef, i32 %g
  ret i32 %t
}

; vote vote.ballot.b32: initialized
define i32 @uninitialized_load(i32 %v, i32 %m, i32 %n) {
  %p = alloca i32
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 4711
  br i1 %c, label %out, label %in
in:
  store i32 %g, i32* %p
  br label %out
out:
  %t = load i32, i32* %p
  ret i32 %t
}
