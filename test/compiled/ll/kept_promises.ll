; Each function keeps, just, what its twin of the same name in broken_promises.ll breaks, or promises less: it must be
; proved. The line above a function: the shape and instruction that it is tried as, then the verdict.
source_filename = "kept_promises.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@zeros = internal constant [4 x i32] zeroinitializer, align 16

; 0, but poison where p is.
define internal i32 @looks_at(ptr %p) {
  %c = icmp eq ptr %p, null
  %z = zext i1 %c to i32
  %r = and i32 %z, 0
  ret i32 %r
}
define internal i32 @takes_some(ptr nonnull %p) {
  %r = call i32 @looks_at(ptr %p)
  ret i32 %r
}
define internal i32 @takes_four(ptr dereferenceable(16) %p) {
  ret i32 0
}
define internal i32 @takes_four_or_null(ptr dereferenceable_or_null(16) %p) {
  ret i32 0
}
define internal nonnull ptr @gives_some(i1 %empty) {
  %p = select i1 %empty, ptr null, ptr getelementptr ([4 x i32], ptr @zeros, i64 0, i64 0)
  ret ptr %p
}
define internal ptr @gives_any(ptr %p) {
  ret ptr %p
}
define internal dereferenceable(8) ptr @gives_two(i64 %at) {
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 %at
  ret ptr %p
}
define internal i32 @reads(ptr %p) {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
define internal i32 @reads_by_promise_nothing(ptr %p) readnone {
  %x = load i32, ptr %p, align 4
  ret i32 %x
}
define internal void @writes_by_promise_nothing(ptr %p) readonly {
  store i32 0, ptr %p, align 4
  ret void
}
define internal i32 @only_writes_by_promise(ptr %p) writeonly {
  %x = load i32, ptr %p, align 4
  store i32 0, ptr %p, align 4
  ret i32 %x
}
define internal void @only_writes(ptr %p) writeonly {
  store i32 0, ptr %p, align 4
  ret void
}
; Local variables are nobody else's.
define internal i32 @remembers(i32 %x) readnone {
  %p = alloca i32, align 4
  store i32 %x, ptr %p, align 4
  %y = call i32 @reads(ptr %p)
  ret i32 %y
}
define internal i32 @gives_back(i32 returned %x, i32 %y) {
  ret i32 %y
}
define internal i32 @gives(i32 %x) {
  ret i32 %x
}
define internal void @ends(i32 %x) noreturn {
  ret void
}
define internal void @goes_on(i32 %x) {
  ret void
}
define internal i32 @takes_any(ptr %p) {
  ret i32 0
}

; vote vote.ballot.b32: proved
define i32 @nonnull_parameter(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %u = call i32 @takes_some(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @nonnull_at_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %u = call i32 @looks_at(ptr null)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @nonnull_noundef(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %u = call i32 @takes_any(ptr noundef nonnull %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @nonnull_returned(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @gives_some(i1 false)
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @nonnull_returned_to_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @gives_any(ptr null)
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_parameter(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %u = call i32 @takes_four(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_at_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  %u = call i32 @looks_at(ptr dereferenceable(12) %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_null(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %u = call i32 @takes_four_or_null(ptr null)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_or_null(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %u = call i32 @takes_four_or_null(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_index(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %i = and i32 %v, 1
  %p = getelementptr [4 x i32], ptr @zeros, i32 0, i32 %i
  %u = call i32 @takes_any(ptr dereferenceable(8) %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_returned(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @gives_two(i64 2)
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_returned_to_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call dereferenceable(12) ptr @gives_two(i64 1)
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @nonnull_loaded(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = alloca ptr, align 8
  %z = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  store ptr %z, ptr %l, align 8
  %p = load ptr, ptr %l, align 8, !nonnull !0
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_loaded(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = alloca ptr, align 8
  %z = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  store ptr %z, ptr %l, align 8
  %p = load ptr, ptr %l, align 8, !dereferenceable !2
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @dereferenceable_or_null_loaded(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = alloca ptr, align 8
  %z = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  store ptr null, ptr %l, align 8
  %p = load ptr, ptr %l, align 8, !dereferenceable_or_null !1
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @align_loaded(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = alloca ptr, align 8
  %z = getelementptr [4 x i32], ptr @zeros, i64 0, i64 1
  store ptr %z, ptr %l, align 8
  %p = load ptr, ptr %l, align 8, !align !4
  %u = call i32 @looks_at(ptr %p)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @noundef_loaded(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = alloca i32, align 4
  %s = add nsw i32 %v, 1
  store i32 %s, ptr %l, align 4
  %x = load i32, ptr %l, align 4
  %t = or i32 %g, 0
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @readnone_reads(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca i32, align 4
  store i32 0, ptr %b, align 4
  %x = call i32 @reads(ptr %b) readonly
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @readnone_at_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca i32, align 4
  store i32 0, ptr %b, align 4
  %x = call i32 @reads(ptr %b)
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @writeonly_reads(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca i32, align 4
  call void @only_writes(ptr %b)
  %x = load i32, ptr %b, align 4
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @readonly_writes(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call i32 @remembers(i32 %g)
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @readnone_constant(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = getelementptr [4 x i32], ptr @zeros, i64 0, i64 0
  %x = call i32 @reads_by_promise_nothing(ptr %p)
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @returned_argument(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = xor i32 %v, %v
  %u = call i32 @gives_back(i32 0, i32 %x)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @returned_argument_at_call(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %u = call i32 @gives(i32 returned 0)
  %t = or i32 %g, %u
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @noreturn_returns(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  call void @goes_on(i32 %g)
  %t = or i32 %g, 0
  ret i32 %t
}

define internal i32 @counts(i32 %n) norecurse {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
more:
  %less = sub i32 %n, 1
  %x = call i32 @counts(i32 %less)
  ret i32 %x
end:
  ret i32 0
}

declare ptr @malloc(i64)
declare void @free(ptr)

define internal void @frees(ptr %p) nofree {
  call void @free(ptr %p)
  ret void
}

define internal void @frees_its_own() nofree {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  ret void
}

; vote vote.ballot.b32: proved
define i32 @norecurse_calls_itself(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = call i32 @counts(i32 0)
  %t = or i32 %g, %x
  ret i32 %t
}

; vote vote.ballot.b32: proved
define i32 @nofree_frees(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  call void @frees_its_own()
  ret i32 %g
}

; vote vote.ballot.b32: proved
define i32 @size_of_a_block(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 4
  call void @llvm.memset.p0.i64(ptr dereferenceable(8) %q, i8 0, i64 4, i1 false)
  %x = load i32, ptr %q
  %d = or i32 %g, %x
  ret i32 %d
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!0 = !{}
!1 = !{i64 13}
!2 = !{i64 12}
!3 = !{i64 8}
!4 = !{i64 4}
