; Each function keeps, just, what its twin of the same name in broken_addresses.ll breaks, or promises less: it must be
; proved. The line above a function: the shape and instruction that it is tried as, then the verdict.
source_filename = "kept_addresses.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@scratch = internal global i32 0, align 4
@ones = internal constant [4 x i32] [i32 1, i32 1, i32 1, i32 1], align 16
@zeros = internal constant [4 x i32] zeroinitializer, align 16
declare void @llvm.assume(i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare void @llvm.memset.p0i8.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0i8.p0i8.i64(ptr, ptr, i64, i1)
declare <4 x i32> @llvm.masked.load.v4i32.p0v4i32(ptr, i32, <4 x i1>, <4 x i32>)

; 0, but poison where p is.
define internal i32 @looks_at(ptr %p) {
  %c = icmp eq ptr %p, null
  %z = zext i1 %c to i32
  %r = and i32 %z, 0
  ret i32 %r
}

; vote vote.ballot.b32: proved
define i32 @inbounds_index(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 3
  %k = sub i32 0, %i
  %p = getelementptr inbounds [4 x i32], ptr @zeros, i32 0, i32 %i
  %q = getelementptr i32, ptr %p, i32 %k
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_offset(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr inbounds [4 x i32], ptr @zeros, i64 0, i64 4
  %q = getelementptr i32, ptr %p, i64 -4
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_before(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 -1
  %q = getelementptr i32, ptr %p, i64 1
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_base(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 5
  %q = getelementptr i32, ptr %p, i64 -5
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_negative(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  %i = and i32 %v, 1
  %k = sub i32 0, %i
  %o = getelementptr inbounds i32, ptr %p, i32 %k
  %q = getelementptr i32, ptr %o, i32 %i
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_overflow(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %q = getelementptr i32, ptr %p, i64 4611686018427387904
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_step(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = getelementptr inbounds [4 x i32], ptr @zeros, i64 1, i64 -4
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_constant(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %q = getelementptr i32, ptr getelementptr inbounds ([4 x i32], ptr @zeros, i64 0, i64 4), i64 -4
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_null(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr i32, ptr null, i64 1
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @assumed_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %s = add i32 %v, 1
  %o = or i32 %s, 1
  %c = icmp ne i32 %o, 0
  call void @llvm.assume(i1 %c)
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @masked_load_mask(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = bitcast ptr @zeros to ptr
  %w = call <4 x i32> @llvm.masked.load.v4i32.p0v4i32(ptr %p, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 true>, <4 x i32> zeroinitializer)
  %x = extractelement <4 x i32> %w, i32 0
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @masked_load_pointer(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %o = getelementptr inbounds [4 x i32], ptr @zeros, i64 0, i64 4
  %q = getelementptr i32, ptr %o, i64 -4
  %p = bitcast ptr %q to ptr
  %w = call <4 x i32> @llvm.masked.load.v4i32.p0v4i32(ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x i32> zeroinitializer)
  %x = extractelement <4 x i32> %w, i32 3
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memset_pointer(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca [4 x i32], align 4
  %o = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 4
  %q = getelementptr i32, ptr %o, i64 -4
  %p = bitcast ptr %q to ptr
  call void @llvm.memset.p0i8.i64(ptr %p, i8 0, i64 16, i1 false)
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memset_length(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca [4 x i32], align 4
  %o = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 0
  %q = getelementptr i32, ptr %o, i64 0
  %p = bitcast ptr %q to ptr
  call void @llvm.memset.p0i8.i64(ptr %p, i8 0, i64 0, i1 false)
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memcpy_to(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca [4 x i32], align 4
  %o = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 4
  %q = getelementptr i32, ptr %o, i64 -4
  %to = bitcast ptr %q to ptr
  %e = getelementptr inbounds [4 x i32], ptr @zeros, i64 0, i64 0
  %f = getelementptr i32, ptr %e, i64 0
  %from = bitcast ptr %f to ptr
  call void @llvm.memcpy.p0i8.p0i8.i64(ptr %to, ptr %from, i64 16, i1 false)
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memcpy_from(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca [4 x i32], align 4
  %o = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 0
  %q = getelementptr i32, ptr %o, i64 0
  %to = bitcast ptr %q to ptr
  %e = getelementptr inbounds [4 x i32], ptr @zeros, i64 0, i64 4
  %f = getelementptr i32, ptr %e, i64 -4
  %from = bitcast ptr %f to ptr
  call void @llvm.memcpy.p0i8.p0i8.i64(ptr %to, ptr %from, i64 16, i1 false)
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @memcpy_length(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca [4 x i32], align 4
  %o = getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 0
  %q = getelementptr i32, ptr %o, i64 0
  %to = bitcast ptr %q to ptr
  %e = getelementptr inbounds [4 x i32], ptr @zeros, i64 0, i64 0
  %f = getelementptr i32, ptr %e, i64 0
  %from = bitcast ptr %f to ptr
  call void @llvm.memcpy.p0i8.p0i8.i64(ptr %to, ptr %from, i64 0, i1 false)
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_choice(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %z = call i32 @llvm.cttz.i32(i32 %v, i1 false)
  %i = and i32 %z, 3
  %k = sub i32 %i, 0
  %l = sub i32 0, %k
  %b = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %p = getelementptr inbounds i32, ptr %b, i32 %k
  %q = getelementptr i32, ptr %p, i32 %l
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @inbounds_choice_negative(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %z = call i32 @llvm.cttz.i32(i32 %v, i1 false)
  %i = and i32 %z, 3
  %k = sub i32 %i, 1
  %l = sub i32 0, %k
  %b = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  %p = getelementptr inbounds i32, ptr %b, i32 %k
  %q = getelementptr i32, ptr %p, i32 %l
  %x = load i32, ptr %q, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @choice_of_objects(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 %g, ptr %a, align 4
  store i32 %g, ptr %b, align 4
  %c = icmp ugt i32 %v, 7
  %p = select i1 %c, ptr %a, ptr %b
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @choice_of_alignments(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  %c = icmp eq i32 %v, 305419896
  %p = select i1 %c, ptr %b, ptr %a
  store i32 %g, ptr %p, align 4
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @choice_of_lengths(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = alloca [2 x i32], align 4
  %b = alloca [2 x i32], align 4
  %c = icmp eq i32 %v, 305419896
  %p = select i1 %c, ptr %b, ptr %a
  %q = getelementptr i32, ptr %p, i64 1
  store i32 %g, ptr %q, align 4
  %x = load i32, ptr %q, align 4
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @choice_compared(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  %c = icmp eq i32 %v, 305419896
  %p = select i1 %c, ptr %a, ptr %b
  %e = icmp eq ptr %p, %a
  %d = icmp eq i1 %e, %c
  %x = select i1 %d, i32 %g, i32 0
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @variable_of_two_ways(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %u = icmp ne i32 %v, 305419896
  br i1 %u, label %usual, label %rare
usual:
  store i32 %g, ptr @scratch, align 4
  br label %behind
rare:
  %z = and i32 %g, -1
  store i32 %z, ptr @scratch, align 4
  br label %behind
behind:
  %x = load i32, ptr @scratch, align 4
  ret i32 %x
}

; vote vote.ballot.b32: proved
define i32 @constant_of_two_ways(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca ptr, align 8
  %c = icmp eq i32 %v, 305419896
  %u = icmp ne i32 %v, 305419896
  br i1 %u, label %usual, label %rare
usual:
  store ptr @zeros, ptr %p, align 8
  br label %behind
rare:
  store ptr @ones, ptr %p, align 8
  br label %behind
behind:
  %q = load ptr, ptr %p, align 8
  %e = icmp eq ptr %q, @zeros
  %x = select i1 %c, i1 %e, i1 false
  %y = select i1 %x, i32 0, i32 %g
  ret i32 %y
}

; vote vote.ballot.b32: proved
define i32 @alignment_as_a_number(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [8 x i32], align 16
  %q = getelementptr i32, ptr %p, i64 4
  %x = ptrtoint ptr %q to i64
  %y = and i64 %x, 15
  %c = icmp eq i64 %y, 0
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @alignment_beyond_the_object(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [8 x i32], align 16
  %x = ptrtoint ptr %p to i64
  %y = and i64 %x, 15
  %c = icmp eq i64 %y, 0
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @alignment_of_allocated_memory(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @malloc(i64 12)
  %x = ptrtoint ptr %p to i64
  %y = and i64 %x, 7
  %c = icmp eq i64 %y, 0
  call void @free(ptr %p)
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}

declare ptr @malloc(i64)
declare void @free(ptr)

@entry = internal constant { i64, i64 } { i64 ptrtoint (ptr @at_even_places to i64), i64 0 }
define internal void @at_even_places() align 2 {
  ret void
}

; vote vote.ballot.b32: proved
define i32 @even_function(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = load i64, ptr @entry, align 8
  %y = and i64 %x, 1
  %c = icmp eq i64 %y, 0
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}
