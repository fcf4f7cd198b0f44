; What single rules of the translator are about, broken: each function must be refuted, with this reason.
; kept_steps.ll has its twin.
source_filename = "broken_steps.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; vote vote.ballot.b32: poison
define i32 @shl_nsw(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %x = or i32 1073741824, %l
  %s = shl nsw i32 %x, 1
  %y = xor i32 %s, %s
  %z = or i32 %g, %y
  ret i32 %z
}

declare i32 @llvm.cttz.i32(i32, i1)

; vote vote.ballot.b32: poison
define i32 @latch_of_an_empty_mask(i32 %v, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %h = icmp eq i32 %v, 464367618
  %first = select i1 %h, i32 0, i32 %v
  %none = icmp eq i32 %v, 0
  br i1 %none, label %end, label %head
head:
  %rest = phi i32 [ %first, %entry ], [ %next, %head ]
  %r = phi i32 [ 0, %entry ], [ %t, %head ]
  %i = call i32 @llvm.cttz.i32(i32 %rest, i1 true)
  %b = shl i32 1, %i
  %t = or i32 %r, %b
  %d = sub i32 %rest, 1
  %next = and i32 %rest, %d
  %c = icmp eq i32 %next, 0
  br i1 %c, label %end, label %head
end:
  %q = phi i32 [ 0, %entry ], [ %t, %head ]
  %x = select i1 %h, i32 %v, i32 %q
  %y = and i32 %x, %g
  %z = xor i32 %q, %q
  %w = or i32 %y, %z
  ret i32 %w
}

; vote vote.ballot.b32: d of lane
define i32 @value_of_a_way(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  br i1 %h, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %x = phi i32 [ 0, %yes ], [ %g, %no ]
  %y = phi i32 [ 0, %yes ], [ %g, %no ]
  %z = or i32 %x, %y
  ret i32 %z
}

; vote vote.ballot.b32: d of lane
define i32 @result_of_a_way(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  br i1 %h, label %yes, label %no
yes:
  %x = or i32 0, 0
  %y = and i32 %x, %m
  %z = and i32 %y, %n
  ret i32 %z
no:
  ret i32 %g
}

; vote vote.ballot.b32: d of lane
define i32 @default_of_a_switch(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  switch i32 %v, label %other [
    i32 464367618, label %named
  ]
named:
  %x = and i32 0, %m
  %y = and i32 %x, %n
  ret i32 %y
other:
  ret i32 %g
}

; vote vote.ballot.b32: poison
define i32 @poison_itself(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %x = or i32 %g, poison
  ret i32 %x
}

define internal ptr @another_place(ptr %q) {
  %p = alloca i32, align 4
  ret ptr %p
}
define internal void @reads_four(ptr %p) {
  ret void
}

; vote vote.ballot.b32: fewer bytes
define i32 @dereferenceable_after_return(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i32, align 4
  store i32 %g, ptr %p, align 4
  %q = call ptr @another_place(ptr %p)
  call void @reads_four(ptr dereferenceable(4) %q)
  ret i32 %g
}

; vote vote.ballot.b32: division by a poison
define i32 @division_by_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %p = add nsw i32 2147483647, %l
  %q = or i32 %p, 1
  %x = udiv i32 0, %q
  %y = or i32 %g, %x
  ret i32 %y
}

; vote vote.ballot.b32: a division of the least number by -1
define i32 @division_of_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = and i32 %v, 2
  %p = add nsw i32 2147483647, %l
  %x = sdiv i32 %p, -1
  ret i32 %g
}

; vote vote.ballot.b32: poison
define i32 @choice_by_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %p = add nsw i32 2147483647, %l
  %c = icmp eq i32 %p, 5
  %x = select i1 %c, i32 %v, i32 %g
  %y = and i32 %x, %g
  ret i32 %y
}

; vote vote.ballot.b32: poison
define i32 @second_side(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %p = add nsw i32 2147483647, %l
  %x = select i1 %h, i32 0, i32 %p
  %y = and i32 %x, 0
  %z = or i32 %g, %y
  ret i32 %z
}

; vote vote.ballot.b32: d of lane
define i32 @frozen(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %p = add nsw i32 2147483647, %l
  %q = freeze i32 %p
  %c = icmp eq i32 %q, 5
  %x = select i1 %c, i32 0, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: poison
define i32 @shuffled_from_nowhere(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = insertelement <2 x i32> zeroinitializer, i32 %g, i32 0
  %b = shufflevector <2 x i32> %a, <2 x i32> zeroinitializer, <2 x i32> <i32 0, i32 poison>
  %x = extractelement <2 x i32> %b, i32 0
  %y = extractelement <2 x i32> %b, i32 1
  %z = or i32 %x, %y
  ret i32 %z
}

; vote vote.ballot.b32: d of lane
define i32 @shuffled(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = insertelement <2 x i32> zeroinitializer, i32 %v, i32 0
  %c = insertelement <2 x i32> zeroinitializer, i32 %g, i32 0
  %b = shufflevector <2 x i32> %a, <2 x i32> %c, <2 x i32> <i32 0, i32 1>
  %x = extractelement <2 x i32> %b, i32 0
  ret i32 %x
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; vote vote.ballot.b32: d of lane
define i32 @bytes_in_reverse(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i16, align 2
  %q = alloca i16, align 2
  %p1 = getelementptr i8, ptr %p, i64 1
  %q1 = getelementptr i8, ptr %q, i64 1
  %low = trunc i32 %g to i16
  store i16 %low, ptr %p, align 2
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p1, i64 1, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q1, ptr %p, i64 1, i1 false)
  %w = load i16, ptr %q, align 2
  %a = lshr i16 %low, 8
  %b = shl i16 %low, 8
  %f = or i16 0, %low
  %i = icmp eq i16 %f, %w
  %x = select i1 %i, i32 %g, i32 0
  ret i32 %x
}

; vote vote.ballot.b32: d of lane
define i32 @further_of_two(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca [2 x i32], align 4
  %q = getelementptr [2 x i32], ptr %p, i64 0, i64 1
  store i32 %g, ptr %p, align 4
  store i32 0, ptr %q, align 4
  %s = select i1 %h, ptr %q, ptr %p
  %x = load i32, ptr %s, align 4
  ret i32 %x
}

; vote vote.ballot.b32: not initialized
define i32 @upper_half(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i32, align 4
  %q = getelementptr i8, ptr %p, i64 2
  %low = trunc i32 %g to i16
  %l = and i32 %v, 1
  %s = add nsw i32 2147483647, %l
  %up = trunc i32 %s to i16
  store i16 %low, ptr %p, align 4
  store i16 %up, ptr %q, align 2
  %w = load i32, ptr %p, align 4
  %x = and i32 %w, 0
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: not initialized
define i32 @part_of_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %s = add nsw i32 2147483647, %l
  %p = alloca i32, align 4
  store i32 %s, ptr %p, align 4
  %b = load i8, ptr %p
  %c = zext i8 %b to i32
  %x = and i32 %c, 0
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: not initialized
define i32 @poison_beside_padding(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %l = and i32 %v, 1
  %s = add nsw i32 2147483647, %l
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 4
  store i32 %s, ptr %p, align 4
  store i8 1, ptr %q
  %w = load i64, ptr %p, align 8
  %t = trunc i64 %w to i32
  %x = and i32 %t, 0
  %z = or i32 %g, %x
  ret i32 %z
}

declare i32 @llvm.ctpop.i32(i32)

; vote vote.ballot.b32: d of lane
define i32 @count_of_a_choice(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = call i32 @llvm.ctpop.i32(i32 %g)
  %b = select i1 %h, i32 0, i32 %a
  %c = icmp eq i32 %b, 0
  %x = select i1 %c, i32 0, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: d of lane
define i32 @mask_of_a_bit(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = zext i1 %h to i32
  %b = sub i32 0, %a
  %c = and i32 %b, %g
  %d = sub i32 0, %a
  %e = and i32 %d, %g
  %x = or i32 %c, %e
  ret i32 %x
}

; vote vote.ballot.b32: poison
define i32 @product_of_numbers(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = mul nsw i64 4294967296, 4294967296
  %b = xor i64 %a, %a
  %y = trunc i64 %b to i32
  %z = or i32 %g, %y
  ret i32 %z
}

; vote vote.ballot.b32: null pointer
define i32 @store_to_null(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i32, align 4
  br i1 %h, label %yes, label %end
yes:
  store i32 0, ptr null, align 4
  br label %end
end:
  ret i32 %g
}

; vote vote.ballot.b32: d of lane
define i32 @as_many_bits(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = shl i32 %g, 1
  %b = call i32 @llvm.ctpop.i32(i32 %a)
  %c = call i32 @llvm.ctpop.i32(i32 %g)
  %d = icmp eq i32 %b, %c
  %e = icmp eq i32 %a, %g
  %f = xor i1 %d, %e
  %x = select i1 %f, i32 0, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: d of lane
define i32 @as_many_pairs(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = shl i32 %g, 1
  %a = and i32 %g, %h
  %b = call i32 @llvm.ctpop.i32(i32 %a)
  %c = call i32 @llvm.ctpop.i32(i32 %g)
  %d = icmp ne i32 %b, %c
  %e = icmp eq i32 %g, -1
  %f = and i1 %d, %e
  %x = select i1 %f, i32 0, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: d of lane
define i32 @counted_bits(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = and i32 %v, 3
  %b = call i32 @llvm.ctpop.i32(i32 %a)
  %c = icmp uge i32 %b, 1
  %e = icmp eq i32 %a, 3
  %f = xor i1 %c, %e
  %x = select i1 %f, i32 0, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: d of lane
define i32 @negated_count(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %a = call i32 @llvm.ctpop.i32(i32 %g)
  %b = sub i32 0, %a
  %c = icmp eq i32 %b, %a
  %x = select i1 %c, i32 464367618, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: d of lane
define i32 @order_of_objects(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i32, align 4
  %q = alloca i32, align 4
  %c = icmp ult ptr %p, %q
  %x = select i1 %c, i32 %g, i32 0
  ret i32 %x
}

; vote vote.ballot.b32: poison
define i32 @bool_of_two(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i8, align 1
  %a = trunc i32 %v to i8
  %l = and i8 %a, 2
  store i8 %l, ptr %p
  %b = load i1, ptr %p
  %c = select i1 %b, i32 %g, i32 %g
  %d = zext i1 %b to i32
  %e = and i32 %d, 0
  %x = or i32 %c, %e
  ret i32 %x
}

; vote vote.ballot.b32: poison
define i32 @poison_compared(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca [2 x i32], align 4
  %q = getelementptr inbounds [2 x i32], ptr %p, i64 0, i64 3
  %c = icmp eq ptr %p, %q
  %x = select i1 %c, i32 %g, i32 %g
  %d = zext i1 %c to i32
  %e = and i32 %d, 0
  %y = or i32 %x, %e
  ret i32 %y
}

declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, i32, <2 x i1>)

; vote vote.ballot.b32: d of lane
define i32 @masked_store(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca [2 x i32], align 8
  store i64 0, ptr %p, align 8
  %a = insertelement <2 x i32> <i32 0, i32 -1>, i32 %g, i32 0
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %a, ptr %p, i32 4, <2 x i1> <i1 true, i1 true>)
  %q = getelementptr [2 x i32], ptr %p, i64 0, i64 1
  %x = load i32, ptr %p, align 4
  %y = load i32, ptr %q, align 4
  %z = or i32 %x, %y
  ret i32 %z
}

; vote vote.ballot.b32: d of lane
define i32 @not_equal(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %c = icmp eq i32 %m, 464367618
  %d = icmp eq i32 %m, 464367619
  %a = select i1 %c, i32 1, i32 0
  %b = select i1 %d, i32 1, i32 0
  %e = add i32 %a, %b
  %f = icmp uge i32 %e, 1
  %x = select i1 %f, i32 0, i32 %g
  ret i32 %x
}

; redux redux.sync.min.u32: d of lane
define i32 @least_is_greatest(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %k, %head ]
  %r = phi i32 [ 0, %entry ], [ %t, %head ]
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %l = icmp ugt i32 %v, %r
  %w = and i1 %b, %l
  %t = select i1 %w, i32 %v, i32 %r
  %k = add i32 %i, 1
  %c = icmp eq i32 %k, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.min.u32: d of lane
define i32 @least_of_all(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %k, %head ]
  %r = phi i32 [ -1, %entry ], [ %t, %head ]
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %l = icmp ult i32 %v, %r
  %t = select i1 %l, i32 %v, i32 %r
  %k = add i32 %i, 1
  %c = icmp eq i32 %k, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.min.abs.NaN.f32: d of lane
define i32 @least_magnitude_beside_nan(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %k, %head ]
  %r = phi i32 [ 2147483647, %entry ], [ %t, %head ]
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %x = and i32 %v, 2147483647
  %l = icmp ult i32 %x, %r
  %w = and i1 %b, %l
  %t = select i1 %w, i32 %x, i32 %r
  %k = add i32 %i, 1
  %c = icmp eq i32 %k, 32
  br i1 %c, label %end, label %head
end:
  %o = icmp ugt i32 %t, 2139095040
  %y = select i1 %o, i32 2147483647, i32 %t
  ret i32 %y
}

; redux redux.sync.min.u32: d of lane
define i32 @least_of_first(ptr %a, i32 %m, i32 %n) {
  %g = and i32 %m, %n
  %i = call i32 @llvm.cttz.i32(i32 %g, i1 true)
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  ret i32 %v
}

declare ptr @malloc(i64)

; vote vote.ballot.b32: not initialized
define i32 @heap_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @malloc(i64 4)
  %x = load i32, ptr %p
  %z = or i32 %g, %x
  ret i32 %z
}

declare float @llvm.minnum.f32(float, float)

; vote vote.ballot.b32: d of lane
define i32 @minnum_beside_nan(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 464367618
  %y = select i1 %c, i32 2143289345, i32 1073741824
  %a = bitcast i32 1065353216 to float
  %b = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %a, float %b)
  %l = bitcast float %f to i32
  %e = select i1 %c, i32 2143289345, i32 1065353216
  %d = icmp ne i32 %l, %e
  %z = zext i1 %d to i32
  %w = xor i32 %g, %z
  ret i32 %w
}

; vote vote.ballot.b32: d of lane
define i32 @number_written_over(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %w = alloca i32, align 4
  %rare = icmp eq i32 %g, 305419896
  br i1 %rare, label %yes, label %no
yes:
  store i32 305419896, ptr %w, align 4
  %byte = getelementptr i8, ptr %w, i64 2
  store i8 0, ptr %byte, align 1
  br label %end
no:
  store i32 %g, ptr %w, align 4
  br label %end
end:
  %d = load i32, ptr %w, align 4
  ret i32 %d
}

declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, i32, <2 x i1>)

; vote vote.ballot.b32: access out of bounds
define i32 @gathered_out_of_bounds(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [4 x i32], align 4
  %q = getelementptr i32, ptr %p, i64 1
  %two = getelementptr i32, ptr %p, i64 2
  %three = getelementptr i32, ptr %p, i64 3
  store i32 %g, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  store i32 %n, ptr %two, align 4
  store i32 0, ptr %three, align 4
  %i = and i32 %v, 5
  %some = insertelement <4 x i32> <i32 0, i32 1, i32 2, i32 3>, i32 %i, i64 3
  %at = getelementptr inbounds i32, ptr %p, <4 x i32> %some
  %rare = icmp eq i32 %v, 4
  %last = or i1 %rare, 0
  %on = insertelement <4 x i1> <i1 1, i1 1, i1 0, i1 0>, i1 %last, i64 3
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %at, i32 4, <4 x i1> %on, <4 x i32> <i32 9, i32 9, i32 5, i32 9>)
  %first = extractelement <4 x i32> %x, i64 0
  %second = extractelement <4 x i32> %x, i64 1
  %third = extractelement <4 x i32> %x, i64 2
  %both = and i32 %first, %second
  %same = icmp eq i32 %third, 5
  %d = select i1 %same, i32 %both, i32 7
  ret i32 %d
}

; vote vote.ballot.b32: d of lane
define i32 @gathered_what_the_mask_leaves_out(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [4 x i32], align 4
  %q = getelementptr i32, ptr %p, i64 1
  %two = getelementptr i32, ptr %p, i64 2
  %three = getelementptr i32, ptr %p, i64 3
  store i32 %g, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  store i32 %n, ptr %two, align 4
  store i32 0, ptr %three, align 4
  %i = and i32 %v, 3
  %some = insertelement <4 x i32> <i32 0, i32 1, i32 2, i32 3>, i32 %i, i64 3
  %at = getelementptr inbounds i32, ptr %p, <4 x i32> %some
  %rare = icmp eq i32 %v, 77
  %last = xor i1 %rare, 1
  %on = insertelement <4 x i1> <i1 1, i1 1, i1 0, i1 0>, i1 %last, i64 3
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %at, i32 4, <4 x i1> %on, <4 x i32> <i32 9, i32 9, i32 5, i32 9>)
  %alone = getelementptr i32, ptr %p, i32 %i
  %want = load i32, ptr %alone, align 4
  %last4 = extractelement <4 x i32> %x, i64 3
  %other = select i1 %rare, i32 8, i32 %want
  %diff = xor i32 %last4, %other
  %d = or i32 %g, %diff
  ret i32 %d
}

; vote vote.ballot.b32: d of lane
define i32 @first_of_a_scatter(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [2 x i32], align 4
  store i64 0, ptr %p, align 4
  %one = and i32 %v, 1
  %i = insertelement <2 x i32> zeroinitializer, i32 %one, i64 0
  %j = insertelement <2 x i32> %i, i32 %one, i64 1
  %at = getelementptr i32, ptr %p, <2 x i32> %j
  %x = insertelement <2 x i32> zeroinitializer, i32 %g, i64 0
  %y = insertelement <2 x i32> %x, i32 7, i64 1
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> %y, <2 x ptr> %at, i32 4, <2 x i1> <i1 1, i1 1>)
  %q = getelementptr i32, ptr %p, i32 %one
  %d = load i32, ptr %q, align 4
  ret i32 %d
}

; vote vote.ballot.b32: need not be aligned
define i32 @gathered_at_no_multiple(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca [4 x i32], align 8
  %q = getelementptr i32, ptr %p, i64 1
  %two = getelementptr i32, ptr %p, i64 2
  %three = getelementptr i32, ptr %p, i64 3
  store i32 %g, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  store i32 %n, ptr %two, align 4
  store i32 0, ptr %three, align 4
  %i = and i32 %v, 3
  %some = insertelement <4 x i32> <i32 0, i32 1, i32 2, i32 3>, i32 %i, i64 3
  %at = getelementptr inbounds i32, ptr %p, <4 x i32> %some
  %rare = icmp eq i32 %v, 77
  %last = or i1 %rare, 0
  %on = insertelement <4 x i1> <i1 1, i1 1, i1 0, i1 0>, i1 %last, i64 3
  %x = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %at, i32 8, <4 x i1> %on, <4 x i32> <i32 9, i32 9, i32 5, i32 9>)
  %first = extractelement <4 x i32> %x, i64 0
  %second = extractelement <4 x i32> %x, i64 1
  %third = extractelement <4 x i32> %x, i64 2
  %both = and i32 %first, %second
  %same = icmp eq i32 %third, 5
  %d = select i1 %same, i32 %both, i32 7
  ret i32 %d
}
