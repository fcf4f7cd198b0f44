; Each function is right wherever LLVM's reference defines it, and somewhere it does not: it must be refuted, with this
; reason. The line above a function: the shape and instruction that it is tried as, then what the note must say.
source_filename = "undefined.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@table = internal constant [4 x i32] [i32 0, i32 0, i32 0, i32 0]
declare void @llvm.assume(i1)
@zeros = internal constant [16 x i8] zeroinitializer, align 16
@weak = internal constant [16 x i8] zeroinitializer, align 8
declare void @llvm.memset.p0i8.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0i8.p0i8.i64(ptr, ptr, i64, i1)

define internal ptr @address_of_a_local(i32 %x) {
  %p = alloca i32, align 4
  store i32 %x, ptr %p, align 4
  ret ptr %p
}

define internal i32 @takes_defined(i32 noundef %x) {
  ret i32 0
}
define internal i32 @takes_any(i32 %x) {
  ret i32 0
}
define internal noundef i32 @gives_poison(i32 %x) {
  %s = add nsw i32 %x, 1
  ret i32 %s
}
define internal i32 @gives_any_poison(i32 %x) {
  %s = add nsw i32 %x, 1
  ret i32 %s
}

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
  %p = getelementptr [4 x i32], ptr @table, i32 0, i32 %i
  %x = load i32, ptr %p
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
  store i32 %g, ptr %p
  br label %out
out:
  %t = load i32, ptr %p
  ret i32 %t
}

; vote vote.ballot.b32: handed over
define i32 @noundef_parameter(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add nsw i32 %v, 1
  %t = call i32 @takes_defined(i32 %s)
  ret i32 %g
}

; vote vote.ballot.b32: handed over
define i32 @noundef_at_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add nsw i32 %v, 1
  %t = call i32 @takes_any(i32 noundef %s)
  ret i32 %g
}

; vote vote.ballot.b32: returned
define i32 @noundef_returned(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call i32 @gives_poison(i32 %v)
  ret i32 %g
}

; vote vote.ballot.b32: returned
define i32 @noundef_returned_to_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call noundef i32 @gives_any_poison(i32 %v)
  ret i32 %g
}

; vote vote.ballot.b32: aligned
define i32 @aligned_index(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 7
  %p = getelementptr [16 x i8], ptr @zeros, i32 0, i32 %i
  %q = bitcast ptr %p to ptr
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @aligned_scaled(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 1
  %q = getelementptr [4 x i32], ptr bitcast (ptr @zeros to ptr), i32 0, i32 %i
  %x = load i32, ptr %q, align 8
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @aligned_offset(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [16 x i8], align 16
  %b = getelementptr [16 x i8], ptr %p, i32 0, i32 2
  %q = bitcast ptr %b to ptr
  store i32 %g, ptr %q, align 4
  %t = load i32, ptr %q, align 2
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @aligned_variable(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 2
  store i32 %g, ptr %p, align 4
  %t = load i32, ptr %p, align 2
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @aligned_vector(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = bitcast ptr @weak to ptr
  %x = load <4 x i32>, ptr %q, align 16
  %y = extractelement <4 x i32> %x, i32 3
  %t = or i32 %g, %y
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @aligned_block(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [4 x i32], align 4
  %b = bitcast ptr %p to ptr
  call void @llvm.memset.p0i8.i64(ptr align 8 %b, i8 0, i64 16, i1 false)
  ret i32 %g
}

; lane-p shfl.sync.idx.b32: aligned
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
  store i32 %flag, ptr %p, align 8
  %d = select i1 %reads, i32 %j, i32 %lane
  ret i32 %d
}

; vote vote.ballot.b32: poison
define i32 @name_hides_flag(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %"a=<" = add nsw i32 %g, 1
  %t = sub i32 %"a=<", 1
  ret i32 %t
}

define internal void @writes(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}

; vote vote.ballot.b32: marked `tail`
define i32 @tail_gets_local(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  tail call void @writes(ptr %p, i32 %g)
  %t = load i32, ptr %p
  ret i32 %t
}

; lane shfl.sync.idx.b32: has returned
define i32 @local_of_a_function_that_has_returned(i32 %lane, i32 %b, i32 %c) {
  %p = call ptr @address_of_a_local(i32 %lane)
  %r = load i32, ptr %p, align 4
  ret i32 %r
}

; lane shfl.sync.idx.b32: memcpy between places that overlap
define i32 @overlapping_memcpy(i32 %lane, i32 %b, i32 %c) {
  %p = alloca [3 x i32], align 4
  %x = getelementptr [3 x i32], ptr %p, i64 0, i64 0
  %y = getelementptr [3 x i32], ptr %p, i64 0, i64 1
  %z = getelementptr [3 x i32], ptr %p, i64 0, i64 2
  store i32 %lane, ptr %x, align 4
  store i32 %lane, ptr %y, align 4
  %from = bitcast ptr %x to ptr
  %to = bitcast ptr %y to ptr
  call void @llvm.memcpy.p0i8.p0i8.i64(ptr align 4 %to, ptr align 4 %from, i64 8, i1 false)
  %r = load i32, ptr %z, align 4
  ret i32 %r
}

declare void @llvm.lifetime.start.p0i8(i64, ptr)
declare void @llvm.lifetime.end.p0i8(i64, ptr)

; vote vote.ballot.b32: outside its scope
define i32 @ended_on_one_way(i32 %v, i32 %m, i32 %n) {
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
  store i32 %g, ptr %p
  ret i32 %g
}

; vote vote.ballot.b32: outside its scope
define i32 @not_yet_begun(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32
  %b = bitcast ptr %p to ptr
  store i32 %g, ptr %p
  call void @llvm.lifetime.start.p0i8(i64 4, ptr %b)
  ret i32 %g
}

; vote vote.ballot.b32: a division by 0
define i32 @division_by_zero(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = urem i32 %m, %v
  ret i32 %g
}

; vote vote.ballot.b32: a division of the least number by -1
define i32 @division_overflows(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = sdiv i32 %v, -1
  ret i32 %g
}

; vote vote.ballot.b32: poison
define i32 @division_exact(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = udiv exact i32 %g, 4
  %t = shl i32 %q, 2
  ret i32 %t
}

declare void @stop() noreturn
declare noalias ptr @malloc(i64)
declare void @free(ptr)

; vote vote.ballot.b32: a function is called that never returns
define i32 @stops(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 123456
  br i1 %c, label %stops, label %goes
stops:
  call void @stop()
  unreachable
goes:
  ret i32 %g
}

; vote vote.ballot.b32: freed before
define i32 @freed_twice(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  %c = icmp eq i32 %v, 123456
  br i1 %c, label %again, label %goes
again:
  call void @free(ptr %p)
  br label %goes
goes:
  ret i32 %g
}

; vote vote.ballot.b32: was not allocated
define i32 @frees_a_local(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i8
  call void @free(ptr %p)
  ret i32 %g
}

; vote vote.ballot.b32: freed memory
define i32 @stores_to_freed(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  store i8 1, ptr %p
  ret i32 %g
}

; vote vote.ballot.b32: null pointer
define i32 @chosen_null(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca i32
  store i32 %g, ptr %x
  %p = select i1 %c, ptr null, ptr %x
  %t = load i32, ptr %p
  ret i32 %t
}

; vote vote.ballot.b32: poison
define i32 @chosen_unset(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca i32
  %y = alloca i32
  store i32 %g, ptr %x
  %p = select i1 %c, ptr %y, ptr %x
  %t = load i32, ptr %p
  ret i32 %t
}

; vote vote.ballot.b32: out of bounds
define i32 @chosen_too_small(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca [2 x i32]
  %y = alloca i32
  store i32 %g, ptr %y
  %x1 = getelementptr i32, ptr %x, i64 1
  store i32 %g, ptr %x1
  %p = select i1 %c, ptr %y, ptr %x
  %q = getelementptr i32, ptr %p, i64 1
  %t = load i32, ptr %q
  ret i32 %t
}

; vote vote.ballot.b32: poison
define i32 @chosen_moved_too_far(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca [2 x i32]
  %y = alloca i32
  %p = select i1 %c, ptr %y, ptr %x
  %q = getelementptr inbounds i32, ptr %p, i64 2
  %z = getelementptr i32, ptr %q, i64 -2
  store i32 %g, ptr %z
  %t = load i32, ptr %z
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @chosen_store_misaligned(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca i64, align 8
  %y = alloca i32, align 4
  %p = select i1 %c, ptr %y, ptr %x
  store i32 %g, ptr %p, align 8
  %t = load i32, ptr %p, align 4
  ret i32 %t
}

; vote vote.ballot.b32: aligned
define i32 @chosen_misaligned(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca i64, align 8
  %y = alloca i32, align 4
  store i32 %g, ptr %x
  store i32 %g, ptr %y
  %p = select i1 %c, ptr %x, ptr %y
  %t = load i32, ptr %p, align 8
  ret i32 %t
}

; vote vote.ballot.b32: handed over
define i32 @chosen_null_handed_over(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca i32
  %p = select i1 %c, ptr null, ptr %x
  call void @chosen_nonnull(ptr noundef nonnull %p)
  %t = add i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: fewer bytes
define i32 @chosen_short_handed_over(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  %x = alloca i64
  %y = alloca i32
  %p = select i1 %c, ptr %y, ptr %x
  call void @chosen_nonnull(ptr dereferenceable(8) %p)
  %t = add i32 %g, 0
  ret i32 %t
}

define internal void @chosen_nonnull(ptr %p) {
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @chosen_end() noreturn

; vote vote.ballot.b32: a function is called that never returns
define i32 @invokes_end(i32 %v, i32 %m, i32 %n) personality ptr @__gxx_personality_v0 {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  br i1 %c, label %thrown, label %done
thrown:
  invoke void @chosen_end() noreturn to label %done unwind label %caught
done:
  ret i32 %g
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; vote vote.ballot.b32: handed over
define i32 @invokes_with_null(i32 %v, i32 %m, i32 %n) personality ptr @__gxx_personality_v0 {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  invoke void @chosen_nonnull(ptr noundef nonnull null) to label %done unwind label %caught
done:
  ret i32 %g
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; vote vote.ballot.b32: poison
define i32 @element_by_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  br i1 %c, label %there, label %here
there:
  %i = shl i32 1, 32
  %y = insertelement <2 x i32> zeroinitializer, i32 %g, i32 0
  %e = extractelement <2 x i32> %y, i32 %i
  ret i32 %e
here:
  ret i32 %g
}

; vote vote.ballot.b32: poison
define i32 @element_put_by_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  br i1 %c, label %there, label %here
there:
  %i = shl i32 1, 32
  %y = insertelement <2 x i32> zeroinitializer, i32 %g, i32 %i
  %e = extractelement <2 x i32> %y, i32 0
  ret i32 %e
here:
  ret i32 %g
}

declare i32 @llvm.fshl.i32(i32, i32, i32)

; vote vote.ballot.b32: poison
define i32 @funnel_of_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %v, 1
  %p = add nsw i32 2147483647, %l
  %f = call i32 @llvm.fshl.i32(i32 %g, i32 %p, i32 0)
  ret i32 %f
}

declare i32 @llvm.abs.i32(i32, i1)

; vote vote.ballot.b32: poison
define i32 @abs_of_least(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %v, 1
  %p = add i32 2147483647, %l
  %a = call i32 @llvm.abs.i32(i32 %p, i1 true)
  %b = call i32 @llvm.abs.i32(i32 %p, i1 true)
  %c = xor i32 %a, %b
  %f = xor i32 %g, %c
  ret i32 %f
}

declare float @llvm.minnum.f32(float, float)

; vote vote.ballot.b32: is no number
define i32 @minnum_of_two(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  %x = select i1 %c, i32 2143289345, i32 1073741824
  %y = select i1 %c, i32 2143289346, i32 1065353216
  %a = bitcast i32 %x to float
  %b = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %a, float %b)
  %l = bitcast float %f to i32
  %e = select i1 %c, i32 2143289345, i32 1065353216
  %d = icmp ne i32 %l, %e
  %z = zext i1 %d to i32
  %w = xor i32 %g, %z
  ret i32 %w
}
