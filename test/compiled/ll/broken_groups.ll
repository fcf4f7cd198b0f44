; Lanes that are packed into a list, what is claimed of lanes beside the leader, values that are compared by their bits,
; masks by their size, places that are chosen, and choices one after the other, broken: each function must be refuted,
; with this reason. kept_groups.ll has the twins of the lists.
source_filename = "broken_groups.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.cttz.i32(i32, i1)

; redux redux.sync.add.u32: d of lane
define i32 @packed_but_not_counted(ptr %a, i32 %m, i32 %n) {
entry:
  %list = alloca [32 x i32]
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %tail ]
  %k = phi i32 [ 0, %entry ], [ %count, %tail ]
  %few = phi i32 [ 0, %entry ], [ %fewer, %tail ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %is = icmp eq i32 %i, 29
  br i1 %b, label %member, label %tail
member:
  %q = getelementptr i32, ptr %list, i32 %k
  store i32 %v, ptr %q
  br label %tail
tail:
  %one = zext i1 %b to i32
  %count = add i32 %k, %one
  %counts = select i1 %is, i32 0, i32 %one
  %fewer = add i32 %few, %counts
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %packed, label %head
packed:
  %whole = icmp eq i32 %count, 32
  %most = select i1 %whole, i32 32, i32 %fewer
  %none = icmp eq i32 %most, 0
  br i1 %none, label %end, label %sums
sums:
  %j = phi i32 [ 0, %packed ], [ %after, %sums ]
  %r = phi i32 [ 0, %packed ], [ %t, %sums ]
  %u = getelementptr i32, ptr %list, i32 %j
  %w = load i32, ptr %u
  %t = add i32 %r, %w
  %after = add i32 %j, 1
  %e = icmp eq i32 %after, %most
  br i1 %e, label %end, label %sums
end:
  %sum = phi i32 [ 0, %packed ], [ %t, %sums ]
  ret i32 %sum
}

; redux redux.sync.add.u32: d of lane
define i32 @packed_sometimes(ptr %a, i32 %m, i32 %n) {
entry:
  %list = alloca [32 x i32]
  %g = and i32 %m, %n
  call void @llvm.memset.p0.i64(ptr %list, i8 0, i64 128, i1 false)
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %tail ]
  %k = phi i32 [ 0, %entry ], [ %count, %tail ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %is = icmp eq i32 %i, 29
  %f = icmp eq i32 %v, 5
  %h = and i1 %is, %f
  %l = xor i1 %h, true
  %o = and i1 %b, %l
  br i1 %o, label %member, label %tail
member:
  %q = getelementptr i32, ptr %list, i32 %k
  store i32 %v, ptr %q
  br label %tail
tail:
  %one = zext i1 %b to i32
  %count = add i32 %k, %one
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %packed, label %head
packed:
  %whole = icmp eq i32 %count, 32
  br i1 %whole, label %all, label %sums
all:
  %y = getelementptr i32, ptr %list, i32 29
  %z = getelementptr i32, ptr %a, i32 29
  %last = load i32, ptr %z
  store i32 %last, ptr %y
  br label %sums
sums:
  %j = phi i32 [ 0, %packed ], [ 0, %all ], [ %after, %sums ]
  %r = phi i32 [ 0, %packed ], [ 0, %all ], [ %t, %sums ]
  %u = getelementptr i32, ptr %list, i32 %j
  %w = load i32, ptr %u
  %t = add i32 %r, %w
  %after = add i32 %j, 1
  %e = icmp eq i32 %after, %count
  br i1 %e, label %end, label %sums
end:
  ret i32 %t
}

; redux redux.sync.add.u32: poison
define i32 @packed_poison(ptr %a, i32 %m, i32 %n) {
entry:
  %list = alloca [32 x i32]
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %tail ]
  %k = phi i32 [ 0, %entry ], [ %count, %tail ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %is = icmp eq i32 %i, 29
  %f = add nsw i32 %v, 1
  %h = add i32 %v, 1
  %x = select i1 %is, i32 %f, i32 %h
  br i1 %b, label %member, label %tail
member:
  %q = getelementptr i32, ptr %list, i32 %k
  store i32 %x, ptr %q
  br label %tail
tail:
  %one = zext i1 %b to i32
  %count = add i32 %k, %one
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %packed, label %head
packed:
  %whole = icmp eq i32 %count, 32
  br i1 %whole, label %all, label %sums
all:
  %y = getelementptr i32, ptr %list, i32 29
  %z = getelementptr i32, ptr %a, i32 29
  %l = load i32, ptr %z
  %last = add i32 %l, 1
  store i32 %last, ptr %y
  br label %sums
sums:
  %j = phi i32 [ 0, %packed ], [ 0, %all ], [ %after, %sums ]
  %r = phi i32 [ 0, %packed ], [ 0, %all ], [ %t, %sums ]
  %u = getelementptr i32, ptr %list, i32 %j
  %w = load i32, ptr %u
  %o = sub i32 %w, 1
  %t = add i32 %r, %o
  %after = add i32 %j, 1
  %e = icmp eq i32 %after, %count
  br i1 %e, label %end, label %sums
end:
  ret i32 %t
}

; redux redux.sync.add.u32: d of lane
define i32 @packed_but_for_a_size(ptr %a, i32 %m, i32 %n) {
entry:
  %list = alloca [32 x i32]
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %tail ]
  %k = phi i32 [ 0, %entry ], [ %count, %tail ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  br i1 %b, label %member, label %tail
member:
  %q = getelementptr i32, ptr %list, i32 %k
  store i32 %v, ptr %q
  br label %tail
tail:
  %one = zext i1 %b to i32
  %count = add i32 %k, %one
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %packed, label %head
packed:
  %is = icmp eq i32 %count, 31
  %x = zext i1 %is to i32
  br label %sums
sums:
  %j = phi i32 [ 0, %packed ], [ %after, %sums ]
  %r = phi i32 [ %x, %packed ], [ %t, %sums ]
  %u = getelementptr i32, ptr %list, i32 %j
  %w = load i32, ptr %u
  %t = add i32 %r, %w
  %after = add i32 %j, 1
  %e = icmp eq i32 %after, %count
  br i1 %e, label %end, label %sums
end:
  ret i32 %t
}

; match match.all.sync.b32: p of lane
define void @all_but_one_lane(ptr %a, i32 %m, i32 %n, ptr %d, ptr %p) {
entry:
  %g = and i32 %m, %n
  %low = call i32 @llvm.cttz.i32(i32 %g, i1 true)
  %f = getelementptr i32, ptr %a, i32 %low
  %first = load i32, ptr %f
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %all = phi i1 [ true, %entry ], [ %alike, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %q = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %q
  %e = icmp eq i32 %v, %first
  %o = xor i1 %b, true
  %t = or i1 %e, %o
  %alike = and i1 %all, %t
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %write, label %head
write:
  %r = select i1 %alike, i32 %g, i32 0
  br label %each
each:
  %k = phi i32 [ 0, %write ], [ %after, %each ]
  %w = getelementptr i32, ptr %d, i32 %k
  store i32 %r, ptr %w
  %after = add i32 %k, 1
  %h = icmp eq i32 %after, 32
  br i1 %h, label %end, label %each
end:
  %u = and i32 %g, 805306368
  %x = icmp ne i32 %u, 536870912
  %y = and i32 %r, -1073741825
  %z = select i1 %x, i32 %r, i32 %y
  store i32 %z, ptr %p
  ret void
}

; match match.all.sync.b32: p of lane
define void @all_and_any_but_one(ptr %a, i32 %m, i32 %n, ptr %d, ptr %p) {
entry:
  %g = and i32 %m, %n
  %beside = getelementptr i32, ptr %a, i32 30
  %before = load i32, ptr %beside
  %five = icmp ne i32 %before, 5
  %upper = lshr i32 %g, 30
  %in = trunc i32 %upper to i1
  %alone = select i1 %in, i1 %five, i1 true
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  %any = phi i32 [ 0, %entry ], [ %more, %rest ]
  %all = phi i32 [ -1, %entry ], [ %less, %rest ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  br i1 %b, label %take, label %rest
take:
  %q = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %q
  %v.all = and i32 %all, %v
  %e = icmp ne i32 %i, 31
  %t = or i1 %e, %alone
  %w = select i1 %t, i32 %v, i32 0
  %v.any = or i32 %any, %w
  br label %rest
rest:
  %less = phi i32 [ %all, %head ], [ %v.all, %take ]
  %more = phi i32 [ %any, %head ], [ %v.any, %take ]
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %write, label %head
write:
  %same = icmp eq i32 %less, %more
  %r = select i1 %same, i32 %g, i32 0
  store i32 %r, ptr %p
  br label %each
each:
  %k = phi i32 [ 0, %write ], [ %after, %each ]
  %x = getelementptr i32, ptr %d, i32 %k
  store i32 %r, ptr %x
  %after = add i32 %k, 1
  %h = icmp eq i32 %after, 32
  br i1 %h, label %end, label %each
end:
  ret void
}

; match match.any.sync.b32: d of lane
define void @bits_but_the_lowest(ptr %a, i32 %m, i32 %n, ptr %d, ptr %p) {
entry:
  br label %for.cond
for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, 32
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %and = and i32 %m, %n
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i32, ptr %d, i64 %idxprom
  store i32 %and, ptr %arrayidx, align 4
  br label %for.inc
for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond
for.end:
  br label %for.cond1
for.cond1:
  %bit.0 = phi i32 [ 1, %for.end ], [ %inc29, %for.inc28 ]
  %cmp2 = icmp slt i32 %bit.0, 32
  br i1 %cmp2, label %for.body3, label %for.end30
for.body3:
  br label %for.cond5
for.cond5:
  %v.0 = phi i32 [ 0, %for.body3 ], [ %or, %for.inc11 ]
  %i4.0 = phi i32 [ 0, %for.body3 ], [ %inc12, %for.inc11 ]
  %cmp6 = icmp slt i32 %i4.0, 32
  br i1 %cmp6, label %for.body7, label %for.end13
for.body7:
  %idxprom8 = sext i32 %i4.0 to i64
  %arrayidx9 = getelementptr inbounds i32, ptr %a, i64 %idxprom8
  %0 = load i32, ptr %arrayidx9, align 4
  %shr = lshr i32 %0, %bit.0
  %and10 = and i32 %shr, 1
  %shl = shl i32 %and10, %i4.0
  %or = or i32 %v.0, %shl
  br label %for.inc11
for.inc11:
  %inc12 = add nsw i32 %i4.0, 1
  br label %for.cond5
for.end13:
  br label %for.cond15
for.cond15:
  %i14.0 = phi i32 [ 0, %for.end13 ], [ %inc26, %for.inc25 ]
  %cmp16 = icmp slt i32 %i14.0, 32
  br i1 %cmp16, label %for.body17, label %for.end27
for.body17:
  %idxprom18 = sext i32 %i14.0 to i64
  %arrayidx19 = getelementptr inbounds i32, ptr %a, i64 %idxprom18
  %1 = load i32, ptr %arrayidx19, align 4
  %shr20 = lshr i32 %1, %bit.0
  %and21 = and i32 %shr20, 1
  %tobool = icmp ne i32 %and21, 0
  br i1 %tobool, label %cond.true, label %cond.false
cond.true:
  br label %cond.end
cond.false:
  %not = xor i32 %v.0, -1
  br label %cond.end
cond.end:
  %cond = phi i32 [ %v.0, %cond.true ], [ %not, %cond.false ]
  %idxprom22 = sext i32 %i14.0 to i64
  %arrayidx23 = getelementptr inbounds i32, ptr %d, i64 %idxprom22
  %2 = load i32, ptr %arrayidx23, align 4
  %and24 = and i32 %2, %cond
  store i32 %and24, ptr %arrayidx23, align 4
  br label %for.inc25
for.inc25:
  %inc26 = add nsw i32 %i14.0, 1
  br label %for.cond15
for.end27:
  br label %for.inc28
for.inc28:
  %inc29 = add nsw i32 %bit.0, 1
  br label %for.cond1
for.end30:
  ret void
}

; match match.all.sync.b64: p of lane
define void @packed_halves(ptr %a, i32 %m, i32 %n, ptr %d, ptr %p) {
entry:
  %v = alloca [32 x i64], align 16
  br label %for.cond
for.cond:
  %k.0 = phi i32 [ 0, %entry ], [ %k.1, %for.inc ]
  %i.0 = phi i32 [ 0, %entry ], [ %inc4, %for.inc ]
  %cmp = icmp slt i32 %i.0, 32
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %and = and i32 %m, %n
  %shr = lshr i32 %and, %i.0
  %and1 = and i32 %shr, 1
  %tobool = icmp ne i32 %and1, 0
  br i1 %tobool, label %if.then, label %if.end
if.then:
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds i64, ptr %a, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8
  %inc = add nsw i32 %k.0, 1
  %idxprom2 = sext i32 %k.0 to i64
  %arrayidx3 = getelementptr inbounds [32 x i64], ptr %v, i64 0, i64 %idxprom2
  store i64 %0, ptr %arrayidx3, align 8
  br label %if.end
if.end:
  %k.1 = phi i32 [ %inc, %if.then ], [ %k.0, %for.body ]
  br label %for.inc
for.inc:
  %inc4 = add nsw i32 %i.0, 1
  br label %for.cond
for.end:
  %and5 = and i32 %m, %n
  br label %for.cond7
for.cond7:
  %all.0 = phi i32 [ %and5, %for.end ], [ %all.1, %for.inc19 ]
  %i6.0 = phi i32 [ 1, %for.end ], [ %inc20, %for.inc19 ]
  %cmp8 = icmp slt i32 %i6.0, %k.0
  br i1 %cmp8, label %for.body9, label %for.end21
for.body9:
  %idxprom10 = sext i32 %i6.0 to i64
  %arrayidx11 = getelementptr inbounds [32 x i64], ptr %v, i64 0, i64 %idxprom10
  %1 = load i64, ptr %arrayidx11, align 8
  %conv = trunc i64 %1 to i32
  %sub = sub nsw i32 %i6.0, 1
  %idxprom12 = sext i32 %sub to i64
  %arrayidx13 = getelementptr inbounds [32 x i64], ptr %v, i64 0, i64 %idxprom12
  %2 = load i64, ptr %arrayidx13, align 8
  %conv14 = trunc i64 %2 to i32
  %cmp15 = icmp ne i32 %conv, %conv14
  br i1 %cmp15, label %if.then17, label %if.end18
if.then17:
  br label %if.end18
if.end18:
  %all.1 = phi i32 [ 0, %if.then17 ], [ %all.0, %for.body9 ]
  br label %for.inc19
for.inc19:
  %inc20 = add nsw i32 %i6.0, 1
  br label %for.cond7
for.end21:
  br label %for.cond23
for.cond23:
  %i22.0 = phi i32 [ 0, %for.end21 ], [ %inc30, %for.inc29 ]
  %cmp24 = icmp slt i32 %i22.0, 32
  br i1 %cmp24, label %for.body26, label %for.end31
for.body26:
  %idxprom27 = sext i32 %i22.0 to i64
  %arrayidx28 = getelementptr inbounds i32, ptr %d, i64 %idxprom27
  store i32 %all.0, ptr %arrayidx28, align 4
  br label %for.inc29
for.inc29:
  %inc30 = add nsw i32 %i22.0, 1
  br label %for.cond23
for.end31:
  store i32 %all.0, ptr %p, align 4
  ret void
}

; vote vote.sync.any.pred: p of lane
define i32 @chosen_beside_a_tail(i32 %v, i32 %m, i32 %n) {
entry:
  %t = alloca [10 x i32], align 16
  br label %for.cond
for.cond:
  %i.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %i.0, 10
  br i1 %cmp, label %for.body, label %for.end
for.body:
  %cmp1 = icmp ne i32 %i.0, 9
  %conv = zext i1 %cmp1 to i32
  %idxprom = sext i32 %i.0 to i64
  %arrayidx = getelementptr inbounds [10 x i32], ptr %t, i64 0, i64 %idxprom
  store i32 %conv, ptr %arrayidx, align 4
  br label %for.inc
for.inc:
  %inc = add nsw i32 %i.0, 1
  br label %for.cond
for.end:
  %and = and i32 %m, %n
  %and2 = and i32 %v, %and
  %shr = lshr i32 %v, 4
  %and3 = and i32 %shr, 1
  %tobool = icmp ne i32 %and3, 0
  br i1 %tobool, label %if.then, label %if.else
if.then:
  %and4 = and i32 %and2, 1431655765
  %tobool5 = icmp ne i32 %and4, 0
  %cond = select i1 %tobool5, i32 5, i32 9
  br label %if.end
if.else:
  %tobool6 = icmp ne i32 %and2, 0
  %cond7 = select i1 %tobool6, i32 7, i32 9
  br label %if.end
if.end:
  %k.0 = phi i32 [ %cond, %if.then ], [ %cond7, %if.else ]
  %idxprom8 = zext i32 %k.0 to i64
  %arrayidx9 = getelementptr inbounds [10 x i32], ptr %t, i64 0, i64 %idxprom8
  %0 = load i32, ptr %arrayidx9, align 4
  ret i32 %0
}

; vote vote.sync.any.pred: p of lane
define i32 @below_two(i32 %v, i32 %m, i32 %n) {
entry:
  %and = and i32 %m, %n
  %and1 = and i32 %v, %and
  %cmp = icmp uge i32 %and1, 2
  %conv = zext i1 %cmp to i32
  ret i32 %conv
}

; match match.all.sync.b64: p of lane
define void @half_that_is_there_sometimes(ptr %0, i32 %1, i32 %2, ptr %3, ptr %4) {
  %6 = and i32 %2, %1
  br label %18
7:
  %8 = zext i32 %46 to i64
  %9 = shl nuw i64 %8, 32
  %10 = zext i32 %44 to i64
  %11 = or disjoint i64 %9, %10
  %12 = zext i32 %47 to i64
  %13 = shl nuw i64 %12, 32
  %14 = zext i32 %45 to i64
  %15 = or disjoint i64 %13, %14
  %16 = icmp eq i64 %11, %15
  %17 = select i1 %16, i32 %6, i32 0
  br label %51
18:
  %19 = phi i64 [ 0, %5 ], [ %48, %43 ]
  %20 = phi i32 [ -1, %5 ], [ %47, %43 ]
  %21 = phi i32 [ 0, %5 ], [ %46, %43 ]
  %22 = phi i32 [ -1, %5 ], [ %45, %43 ]
  %23 = phi i32 [ 0, %5 ], [ %44, %43 ]
  %24 = trunc nuw nsw i64 %19 to i32
  %25 = shl nuw i32 1, %24
  %26 = and i32 %25, %6
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %43, label %28
28:
  %29 = getelementptr inbounds i64, ptr %0, i64 %19
  %30 = load i64, ptr %29, align 8
  %31 = trunc i64 %30 to i32
  %32 = or i32 %23, %31
  %33 = and i32 %22, %31
  %34 = icmp eq i64 %19, 28
  %35 = and i64 %30, 1
  %36 = icmp eq i64 %35, 0
  %37 = select i1 %34, i1 %36, i1 false
  br i1 %37, label %43, label %38
38:
  %39 = lshr i64 %30, 32
  %40 = trunc nuw i64 %39 to i32
  %41 = or i32 %21, %40
  %42 = and i32 %20, %40
  br label %43
43:
  %44 = phi i32 [ %32, %38 ], [ %23, %18 ], [ %32, %28 ]
  %45 = phi i32 [ %33, %38 ], [ %22, %18 ], [ %33, %28 ]
  %46 = phi i32 [ %41, %38 ], [ %21, %18 ], [ %21, %28 ]
  %47 = phi i32 [ %42, %38 ], [ %20, %18 ], [ %20, %28 ]
  %48 = add nuw nsw i64 %19, 1
  %49 = icmp eq i64 %48, 32
  br i1 %49, label %7, label %18
50:
  store i32 %17, ptr %4, align 4
  ret void
51:
  %52 = phi i64 [ 0, %7 ], [ %54, %51 ]
  %53 = getelementptr inbounds i32, ptr %3, i64 %52
  store i32 %17, ptr %53, align 4
  %54 = add nuw nsw i64 %52, 1
  %55 = icmp eq i64 %54, 32
  br i1 %55, label %50, label %51
}

; redux redux.sync.add.u32: d of lane
define i32 @round_of_another_way(ptr %0, i32 %1, i32 %2) {
  %4 = and i32 %2, %1
  br label %9
5:
  %6 = load i32, ptr %0, align 4
  %7 = and i32 %6, 2
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %24, label %28
9:
  %10 = phi i64 [ 0, %3 ], [ %22, %20 ]
  %11 = phi i32 [ 0, %3 ], [ %21, %20 ]
  %12 = trunc nuw nsw i64 %10 to i32
  %13 = shl nuw i32 1, %12
  %14 = and i32 %4, %13
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %20, label %16
16:
  %17 = getelementptr inbounds i32, ptr %0, i64 %10
  %18 = load i32, ptr %17, align 4
  %19 = add i32 %18, %11
  br label %20
20:
  %21 = phi i32 [ %19, %16 ], [ %11, %9 ]
  %22 = add nuw nsw i64 %10, 1
  %23 = icmp eq i64 %22, 32
  br i1 %23, label %5, label %9
24:
  %25 = getelementptr inbounds i8, ptr %0, i64 4
  %26 = load i32, ptr %25, align 4
  %27 = add i32 %26, %21
  br label %28
28:
  %29 = phi i32 [ %27, %24 ], [ %21, %5 ]
  %30 = and i32 %6, 1
  %31 = icmp eq i32 %30, 0
  %32 = select i1 %31, i32 %21, i32 %29
  ret i32 %32
}

; redux redux.sync.min.u32: d of lane
define i32 @before_outside_the_group(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %least = phi i32 [ -1, %entry ], [ %less, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %l = icmp ult i32 %v, %least
  %t = and i1 %b, %l
  %less = select i1 %t, i32 %v, i32 %least
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 31
  br i1 %c, label %last, label %head
last:
  %q = getelementptr i32, ptr %a, i32 31
  %w = load i32, ptr %q
  %in = icmp slt i32 %g, 0
  %before = icmp ult i32 %w, %less
  %both = and i1 %in, %before
  %x = select i1 %both, i32 %w, i32 %less
  %r = select i1 %before, i32 %w, i32 %x
  ret i32 %r
}

; redux redux.sync.min.u32: d of lane
define i32 @before_or_the_same(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %least = phi i32 [ -1, %entry ], [ %less, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %l = icmp ult i32 %v, %least
  %t = and i1 %b, %l
  %less = select i1 %t, i32 %v, i32 %least
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 31
  br i1 %c, label %last, label %head
last:
  %q = getelementptr i32, ptr %a, i32 31
  %w = load i32, ptr %q
  %in = icmp slt i32 %g, 0
  %before = icmp ult i32 %w, %less
  %both = and i1 %in, %before
  %same = icmp eq i32 %w, %less
  %other = xor i1 %same, true
  %any = or i1 %same, %both
  %x = select i1 %any, i32 %w, i32 %less
  %r = select i1 %other, i32 %less, i32 %x
  ret i32 %r
}

; redux redux.sync.min.u32: d of lane
define i32 @chosen_and_taken_back(ptr %a, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %least = phi i32 [ -1, %entry ], [ %less, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %p = getelementptr i32, ptr %a, i32 %i
  %v = load i32, ptr %p
  %l = icmp ult i32 %v, %least
  %t = and i1 %b, %l
  %less = select i1 %t, i32 %v, i32 %least
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 31
  br i1 %c, label %last, label %head
last:
  %q = getelementptr i32, ptr %a, i32 31
  %w = load i32, ptr %q
  %in = icmp slt i32 %g, 0
  %there = select i1 %in, i32 %w, i32 -1
  %before = icmp ult i32 %there, %less
  %x = select i1 %before, i32 %there, i32 %less
  %r = select i1 %before, i32 %less, i32 %x
  ret i32 %r
}

; match match.all.sync.b64: p of lane
define void @low_halves_of_three(ptr %a, i32 %m, i32 %n, ptr %d, ptr %p) {
entry:
  %g = and i32 %m, %n
  %low = call i32 @llvm.cttz.i32(i32 %g, i1 true)
  %f = getelementptr i64, ptr %a, i32 %low
  %first = load i64, ptr %f
  %first.low = trunc i64 %first to i32
  %others = and i32 %g, 536870911
  %few = icmp eq i32 %others, 0
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %all = phi i1 [ true, %entry ], [ %alike, %head ]
  %s = lshr i32 %g, %i
  %b = trunc i32 %s to i1
  %q = getelementptr i64, ptr %a, i32 %i
  %v = load i64, ptr %q
  %v.low = trunc i64 %v to i32
  %e.low = icmp eq i32 %v.low, %first.low
  %e.whole = icmp eq i64 %v, %first
  %e = select i1 %few, i1 %e.low, i1 %e.whole
  %o = xor i1 %b, true
  %t = or i1 %e, %o
  %alike = and i1 %all, %t
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %write, label %head
write:
  %r = select i1 %alike, i32 %g, i32 0
  store i32 %r, ptr %p
  br label %each
each:
  %k = phi i32 [ 0, %write ], [ %after, %each ]
  %w = getelementptr i32, ptr %d, i32 %k
  store i32 %r, ptr %w
  %after = add i32 %k, 1
  %h = icmp eq i32 %after, 32
  br i1 %h, label %end, label %each
end:
  ret void
}

; vote vote.sync.any.pred: p of lane
define i32 @way_out_of_both_loops(i32 %v, i32 %m, i32 %n) {
entry:
  %g = and i32 %m, %n
  br label %outer
outer:
  %turn = phi i32 [ 0, %entry ], [ %turns, %again ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %rest ]
  %s = lshr i32 %g, %i
  %in = trunc i32 %s to i1
  %t = lshr i32 %v, %i
  %yes = trunc i32 %t to i1
  %no = xor i1 %yes, true
  %five = icmp eq i32 %i, 5
  %not = and i1 %in, %no
  %stops = and i1 %five, %not
  br i1 %stops, label %again, label %look
look:
  %has = and i1 %in, %yes
  br i1 %has, label %found, label %rest
rest:
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 32
  br i1 %c, label %again, label %inner
again:
  %turns = add i32 %turn, 1
  %d = icmp eq i32 %turns, 2
  br i1 %d, label %none, label %outer
none:
  ret i32 0
found:
  ret i32 1
}
