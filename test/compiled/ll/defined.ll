; Each function keeps, just, what its twin of the same name in undefined.ll breaks: it must be proved. The line above a
; function: the shape and instruction that it is tried as, then the verdict.
source_filename = "defined.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@zeros = internal constant [16 x i8] zeroinitializer, align 16
declare void @llvm.memset.p0i8.i64(ptr, i8, i64, i1)

define internal i32 @takes_defined(i32 noundef %x) {
  ret i32 0
}
define internal i32 @takes_any(i32 %x) {
  ret i32 0
}
define internal noundef i32 @gives_sum(i32 %x) {
  %s = add i32 %x, 1
  ret i32 %s
}
define internal i32 @gives_any_sum(i32 %x) {
  %s = add i32 %x, 1
  ret i32 %s
}

; vote vote.ballot.b32: proved
define i32 @noundef_parameter(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add i32 %v, 1
  %t = call i32 @takes_defined(i32 %s)
  ret i32 %g
}

; vote vote.ballot.b32: proved
define i32 @noundef_at_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add i32 %v, 1
  %t = call i32 @takes_any(i32 noundef %s)
  ret i32 %g
}

; vote vote.ballot.b32: proved
define i32 @noundef_returned(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call i32 @gives_sum(i32 %v)
  ret i32 %g
}

; vote vote.ballot.b32: proved
define i32 @noundef_returned_to_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call noundef i32 @gives_any_sum(i32 %v)
  ret i32 %g
}

; vote vote.ballot.b32: proved
define i32 @aligned_index(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 4
  %p = getelementptr [16 x i8], ptr @zeros, i32 0, i32 %i
  %q = bitcast ptr %p to ptr
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @aligned_scaled(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 1
  %q = getelementptr [4 x i32], ptr bitcast (ptr @zeros to ptr), i32 0, i32 %i
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @aligned_offset(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [16 x i8], align 16
  %b = getelementptr [16 x i8], ptr %p, i32 0, i32 4
  %q = bitcast ptr %b to ptr
  store i32 %g, ptr %q, align 4
  %t = load i32, ptr %q, align 2
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @aligned_variable(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  store i32 %g, ptr %p, align 4
  %t = load i32, ptr %p, align 2
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @aligned_vector(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = bitcast ptr @zeros to ptr
  %x = load <4 x i32>, ptr %q, align 16
  %y = extractelement <4 x i32> %x, i32 3
  %t = or i32 %g, %y
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @aligned_block(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [4 x i32], align 4
  %b = bitcast ptr %p to ptr
  call void @llvm.memset.p0i8.i64(ptr align 4 %b, i8 0, i64 16, i1 false)
  ret i32 %g
}

; lane-p shfl.sync.idx.b32: proved
define i32 @aligned_operand(i32 %lane, i32 %b, i32 %c, ptr %p) {
  %c8 = lshr i32 %c, 8
  %segment = and i32 %c8, 31
  %inside = xor i32 %segment, 31
  %first = and i32 %lane, %segment
  %clamp = and i32 %c, %inside
  %max = or i32 %first, %clamp
  %at = and i32 %b, %inside
  %j = or i32 %first, %at
  %reads = icmp ule i32 %j, %max
  %flag = zext i1 %reads to i32
  store i32 %flag, ptr %p, align 4
  %d = select i1 %reads, i32 %j, i32 %lane
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @name_imitates_flag(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %" = add nsw nuw fast " = add i32 %g, 1
  %t = sub i32 %" = add nsw nuw fast ", 1
  ret i32 %t
}

define internal void @writes(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}

; vote vote.ballot.b32: proved
define i32 @call_gets_local(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  call void @writes(ptr %p, i32 %g)
  %t = load i32, ptr %p
  ret i32 %t
}

define linkonce_odr i32 @once(i32 %x) {
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @calls_odr(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call i32 @once(i32 %g)
  ret i32 %t
}

declare void @llvm.lifetime.start.p0i8(i64, ptr)
declare void @llvm.lifetime.end.p0i8(i64, ptr)

; vote vote.ballot.b32: proved
define i32 @lives_twice(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  %b = bitcast ptr %p to ptr
  call void @llvm.lifetime.start.p0i8(i64 4, ptr %b)
  %c = trunc i32 %v to i1
  br i1 %c, label %ends, label %meets
ends:
  call void @llvm.lifetime.end.p0i8(i64 4, ptr %b)
  br label %meets
meets:
  call void @llvm.lifetime.start.p0i8(i64 4, ptr %b)
  store i32 %g, ptr %p
  %t = load i32, ptr %p
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @chosen_load(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = alloca [2 x i32]
  %y = alloca i32
  %x1 = getelementptr inbounds [2 x i32], ptr %x, i64 0, i64 1
  store i32 %g, ptr %x1
  store i32 %g, ptr %y
  %c = trunc i32 %v to i1
  %p = select i1 %c, ptr %x, ptr %y
  %by = zext i1 %c to i64
  %q = getelementptr inbounds i32, ptr %p, i64 %by
  %t = load i32, ptr %q, align 4
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @chosen_store(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = alloca i32
  %y = alloca i32
  store i32 %v, ptr %x
  store i32 %m, ptr %y
  %c = trunc i32 %v to i1
  %p = select i1 %c, ptr %x, ptr %y
  store i32 %g, ptr %p
  %q = select i1 %c, ptr %y, ptr %x
  %other = load i32, ptr %q
  %kept = select i1 %c, i32 %m, i32 %v
  %difference = xor i32 %other, %kept
  %a = load i32, ptr %x
  %b = load i32, ptr %y
  %written = select i1 %c, i32 %a, i32 %b
  %t = xor i32 %written, %difference
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @chosen_handed_over(i32 %v, i32 %m, i32 %n) {
  %x = alloca i64, align 8
  %y = alloca i32, align 4
  store i32 %m, ptr %x
  store i32 %m, ptr %y
  %c = trunc i32 %v to i1
  %p = select i1 %c, ptr %x, ptr %y
  %a = call i32 @reads(ptr noundef nonnull align 4 dereferenceable(4) %p)
  %r = and i32 %v, %a
  %g = and i32 %r, %n
  ret i32 %g
}

define internal i32 @reads(ptr %p) {
  %a = load i32, ptr %p
  ret i32 %a
}

declare i32 @__gxx_personality_v0(...)
declare void @ends() noreturn

; vote vote.ballot.b32: proved
define i32 @invokes(i32 %v, i32 %m, i32 %n) personality ptr @__gxx_personality_v0 {
  %x = alloca i32
  store i32 %m, ptr %x
  %a = invoke i32 @reads(ptr noundef %x) to label %goes_on unwind label %caught
goes_on:
  %r = and i32 %v, %a
  %g = and i32 %r, %n
  %c = icmp ne i32 %g, %g
  br i1 %c, label %never, label %done
never:
  invoke void @ends() noreturn to label %done unwind label %caught
done:
  ret i32 %g
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

declare i32 @llvm.cttz.i32(i32, i1)

; vote vote.ballot.b32: proved
define i32 @latch_before_another_zero(i32 %v, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %none = icmp eq i32 %g, 0
  br i1 %none, label %end, label %head
head:
  %rest = phi i32 [ %g, %entry ], [ %next, %latch ]
  %r = phi i32 [ 0, %entry ], [ %s, %latch ]
  %i = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %b = shl i32 1, %i
  %x = and i32 %v, %b
  br label %asks
latch:
  %s = phi i32 [ %r, %asks ], [ %t, %votes ]
  %d = sub i32 %rest, 1
  %next = and i32 %rest, %d
  %c = icmp eq i32 %next, 0
  br i1 %c, label %end, label %head
asks:
  %z = icmp eq i32 %x, 0
  br i1 %z, label %latch, label %votes
votes:
  %t = or i32 %r, %b
  br label %latch
end:
  %q = phi i32 [ 0, %entry ], [ %s, %latch ]
  ret i32 %q
}

; vote vote.ballot.b32: proved
define i32 @element_by_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  br i1 %c, label %there, label %here
there:
  %i = shl i32 0, 31
  %y = insertelement <2 x i32> zeroinitializer, i32 %g, i32 0
  %e = extractelement <2 x i32> %y, i32 %i
  ret i32 %e
here:
  ret i32 %g
}

; vote vote.ballot.b32: proved
define i32 @element_put_by_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  br i1 %c, label %there, label %here
there:
  %i = shl i32 0, 31
  %y = insertelement <2 x i32> zeroinitializer, i32 %g, i32 %i
  %e = extractelement <2 x i32> %y, i32 0
  ret i32 %e
here:
  ret i32 %g
}

declare i32 @llvm.fshl.i32(i32, i32, i32)

; vote vote.ballot.b32: proved
define i32 @funnel_of_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %v, 1
  %p = add nsw i32 2147483646, %l
  %f = call i32 @llvm.fshl.i32(i32 %g, i32 %p, i32 0)
  ret i32 %f
}

declare i32 @llvm.abs.i32(i32, i1)

; vote vote.ballot.b32: proved
define i32 @abs_of_least(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %v, 1
  %p = add i32 2147483646, %l
  %a = call i32 @llvm.abs.i32(i32 %p, i1 true)
  %b = call i32 @llvm.abs.i32(i32 %p, i1 true)
  %c = xor i32 %a, %b
  %f = xor i32 %g, %c
  ret i32 %f
}

declare float @llvm.minnum.f32(float, float)

; vote vote.ballot.b32: proved
define i32 @minnum_of_two(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  %x = select i1 %c, i32 2143289345, i32 1073741824
  %y = select i1 %c, i32 1065353216, i32 1065353216
  %a = bitcast i32 %x to float
  %b = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %a, float %b)
  %l = bitcast float %f to i32
  %e = select i1 %c, i32 1065353216, i32 1065353216
  %d = icmp ne i32 %l, %e
  %z = zext i1 %d to i32
  %w = xor i32 %g, %z
  ret i32 %w
}
