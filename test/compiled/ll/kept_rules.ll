; Rules of the algebra of reductions, of match.all and of floats, kept: each function must be proved. broken_rules.ll
; has its twin.
source_filename = "kept_rules.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.minnum.f32(float, float)

; redux redux.sync.min.s32: proved
define i32 @only_what_is_neutral(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ 2147483647, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 2147483647
  %e = icmp ne i32 %v, 2147483647
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 2147483647
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %l = icmp slt i32 %w, %r
  %t = select i1 %l, i32 %w, i32 %r
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.min.s32: proved
define i32 @but_for_another_number(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ 2147483647, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 2147483647
  %e = icmp ne i32 %v, 2147483647
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 2147483647
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %l = icmp slt i32 %w, %r
  %t = select i1 %l, i32 %w, i32 %r
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.min.s32: proved
define i32 @where_another_is_not_neutral(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ 2147483647, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 2147483647
  %e = icmp ne i32 %v, 2147483647
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 2147483647
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %l = icmp slt i32 %w, %r
  %t = select i1 %l, i32 %w, i32 %r
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.min.s32: proved
define i32 @masked_by_another_condition(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ 2147483647, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 2147483647
  %o = select i1 %b, i32 %v, i32 2147483647
  %e = icmp slt i32 %o, 2147483647
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 2147483647
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %l = icmp slt i32 %w, %r
  %t = select i1 %l, i32 %w, i32 %r
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.and.b32: proved
define i32 @no_less_than_all_ones(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ -1, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 -1
  %e = icmp ne i32 %v, -1
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 -1
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %t = and i32 %r, %w
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.add.u32: proved
define i32 @where_a_sum_is_not_neutral(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ 0, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 0
  %e = icmp ne i32 %v, 0
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 0
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %t = add i32 %r, %w
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; redux redux.sync.min.s32: proved
define i32 @chosen_before_another_number(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  %p.other = getelementptr i32, ptr %a, i32 31
  %other = load i32, ptr %p.other
  %s.other = lshr i32 %g, 31
  %b.other = trunc i32 %s.other to i1
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %r = phi i32 [ 2147483647, %entry ], [ %t, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %own = select i1 %b, i32 %v, i32 2147483647
  %e = icmp sgt i32 2147483647, %v
  %h = and i1 %b, %e
  %special = select i1 %h, i32 %v, i32 2147483647
  %is = icmp eq i32 %i, 29
  %w = select i1 %is, i32 %special, i32 %own
  %l = icmp slt i32 %w, %r
  %t = select i1 %l, i32 %w, i32 %r
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %end, label %head
end:
  ret i32 %t
}

; lane shfl.sync.idx.b32: proved
define i32 @nan_among_the_first(i32 %lane, i32 %b, i32 %c) {
  %t = and i32 %b, 2147483647
  %tf = bitcast i32 %t to float
  %uno = fcmp uno float %tf, %tf
  %ord = fcmp ord float %tf, %tf
  %odd = trunc i32 %c to i1
  %x = or i32 0, 1077936128
  %y = select i1 %ord, i32 %t, i32 1065353216
  %xf = bitcast i32 %x to float
  %yf = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %xf, float %yf)
  %least = bitcast float %f to i32
  %less = fcmp olt float %xf, %yf
  %e = select i1 %less, i32 %x, i32 %y
  %is = icmp ne i32 %least, %e
  %one = zext i1 %is to i32
  %c8 = lshr i32 %c, 8
  %segment = and i32 %c8, 31
  %inside = xor i32 %segment, 31
  %first = and i32 %lane, %segment
  %clamp = and i32 %c, %inside
  %max = or i32 %first, %clamp
  %at = and i32 %b, %inside
  %j = or i32 %first, %at
  %reads = icmp ule i32 %j, %max
  %d = select i1 %reads, i32 %j, i32 %lane
  %z = xor i32 %d, %one
  ret i32 %z
}

; lane shfl.sync.idx.b32: proved
define i32 @nan_among_the_last(i32 %lane, i32 %b, i32 %c) {
  %t = and i32 %b, 2147483647
  %tf = bitcast i32 %t to float
  %uno = fcmp uno float %tf, %tf
  %ord = fcmp ord float %tf, %tf
  %odd = trunc i32 %c to i1
  %x = or i32 0, 1077936128
  %y = select i1 %uno, i32 1065353216, i32 %t
  %xf = bitcast i32 %x to float
  %yf = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %xf, float %yf)
  %least = bitcast float %f to i32
  %less = fcmp olt float %xf, %yf
  %e = select i1 %less, i32 %x, i32 %y
  %is = icmp ne i32 %least, %e
  %one = zext i1 %is to i32
  %c8 = lshr i32 %c, 8
  %segment = and i32 %c8, 31
  %inside = xor i32 %segment, 31
  %first = and i32 %lane, %segment
  %clamp = and i32 %c, %inside
  %max = or i32 %first, %clamp
  %at = and i32 %b, %inside
  %j = or i32 %first, %at
  %reads = icmp ule i32 %j, %max
  %d = select i1 %reads, i32 %j, i32 %lane
  %z = xor i32 %d, %one
  ret i32 %z
}

; lane shfl.sync.idx.b32: proved
define i32 @nan_where_it_is_one(i32 %lane, i32 %b, i32 %c) {
  %t = and i32 %b, 2147483647
  %tf = bitcast i32 %t to float
  %uno = fcmp uno float %tf, %tf
  %ord = fcmp ord float %tf, %tf
  %odd = trunc i32 %c to i1
  %x = or i32 0, 1077936128
  %y = select i1 %ord, i32 %t, i32 1065353216
  %xf = bitcast i32 %x to float
  %yf = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %xf, float %yf)
  %least = bitcast float %f to i32
  %less = fcmp olt float %xf, %yf
  %e = select i1 %less, i32 %x, i32 %y
  %is = icmp ne i32 %least, %e
  %one = zext i1 %is to i32
  %c8 = lshr i32 %c, 8
  %segment = and i32 %c8, 31
  %inside = xor i32 %segment, 31
  %first = and i32 %lane, %segment
  %clamp = and i32 %c, %inside
  %max = or i32 %first, %clamp
  %at = and i32 %b, %inside
  %j = or i32 %first, %at
  %reads = icmp ule i32 %j, %max
  %d = select i1 %reads, i32 %j, i32 %lane
  %z = xor i32 %d, %one
  ret i32 %z
}

; lane shfl.sync.idx.b32: proved
define i32 @nan_where_it_is_no_number(i32 %lane, i32 %b, i32 %c) {
  %t = and i32 %b, 2147483647
  %tf = bitcast i32 %t to float
  %uno = fcmp uno float %tf, %tf
  %ord = fcmp ord float %tf, %tf
  %odd = trunc i32 %c to i1
  %x = or i32 0, 1077936128
  %y = select i1 %uno, i32 1065353216, i32 %t
  %xf = bitcast i32 %x to float
  %yf = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %xf, float %yf)
  %least = bitcast float %f to i32
  %less = fcmp olt float %xf, %yf
  %e = select i1 %less, i32 %x, i32 %y
  %is = icmp ne i32 %least, %e
  %one = zext i1 %is to i32
  %c8 = lshr i32 %c, 8
  %segment = and i32 %c8, 31
  %inside = xor i32 %segment, 31
  %first = and i32 %lane, %segment
  %clamp = and i32 %c, %inside
  %max = or i32 %first, %clamp
  %at = and i32 %b, %inside
  %j = or i32 %first, %at
  %reads = icmp ule i32 %j, %max
  %d = select i1 %reads, i32 %j, i32 %lane
  %z = xor i32 %d, %one
  ret i32 %z
}

; lane shfl.sync.idx.b32: proved
define i32 @zeros_of_two_signs(i32 %lane, i32 %b, i32 %c) {
  %t = and i32 %b, 2147483647
  %tf = bitcast i32 %t to float
  %uno = fcmp uno float %tf, %tf
  %ord = fcmp ord float %tf, %tf
  %odd = trunc i32 %c to i1
  %x = and i32 %b, 8388608
  %y = or i32 0, 0
  %xf = bitcast i32 %x to float
  %yf = bitcast i32 %y to float
  %f = call float @llvm.minnum.f32(float %xf, float %yf)
  %least = bitcast float %f to i32
  %less = fcmp olt float %xf, %yf
  %e = select i1 %less, i32 %x, i32 %y
  %is = icmp ne i32 %least, %e
  %one = zext i1 %is to i32
  %c8 = lshr i32 %c, 8
  %segment = and i32 %c8, 31
  %inside = xor i32 %segment, 31
  %first = and i32 %lane, %segment
  %clamp = and i32 %c, %inside
  %max = or i32 %first, %clamp
  %at = and i32 %b, %inside
  %j = or i32 %first, %at
  %reads = icmp ule i32 %j, %max
  %d = select i1 %reads, i32 %j, i32 %lane
  %z = xor i32 %d, %one
  ret i32 %z
}

; match match.all.sync.b32: proved
define void @any_is_any(ptr %a, i32 %m, i32 %n, ptr %d, ptr %p) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %x = phi i32 [ -1, %entry ], [ %t, %head ]
  %y = phi i32 [ 0, %entry ], [ %u, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %q = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %q
  %more = or i32 %y, %v
  %u = select i1 %b, i32 %more, i32 %y
  %w = select i1 %b, i32 %v, i32 -1
  %t = and i32 %w, %x
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %write, label %head
write:
  %same = icmp eq i32 %t, %u
  %r = select i1 %same, i32 %g, i32 0
  store i32 %r, ptr %p
  br label %each
each:
  %k = phi i32 [ 0, %write ], [ %after, %each ]
  %o = getelementptr i32, ptr %d, i32 %k
  store i32 %r, ptr %o
  %after = add i32 %k, 1
  %h = icmp eq i32 %after, 32
  br i1 %h, label %end, label %each
end:
  ret void
}

; vote vote.ballot.b32: proved
define i32 @nearest_float(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %low = and i32 %g, 1
  %x = or i32 %low, 16777216
  %f = sitofp i32 %x to float
  %same = fcmp oeq float %f, 16777216.0
  %d = select i1 %same, i32 %g, i32 0
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @new_and_delete_of_another_kind(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @_Znam(i64 8)
  store i32 %g, ptr %p
  %d = load i32, ptr %p
  call void @_ZdaPv(ptr %p)
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @new_and_delete_of_another_size(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @_Znwm(i64 8)
  store i32 %g, ptr %p
  %d = load i32, ptr %p
  call void @_ZdlPvm(ptr %p, i64 8)
  ret i32 %d
}

declare ptr @_Znam(i64)
declare ptr @_Znwm(i64)
declare void @_ZdaPv(ptr)
declare void @_ZdlPvm(ptr, i64)
