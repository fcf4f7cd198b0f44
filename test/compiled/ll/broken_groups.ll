; Lanes that are packed into a list, and what is claimed of lanes beside the leader, broken: each function must be
; refuted, with this reason. kept_groups.ll has the twins of the lists.
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
