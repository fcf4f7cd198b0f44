; Each function holds something that the translator must refuse: an error that names it, never a guess.
; The line above a function: the shape and instruction that it is tried as, then what the error must say.
source_filename = "refused.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { i32, i32 }
@counter = internal global i32 0
@outside = external global i32
@weak_word = weak constant i32 -1
@bits_inside = internal constant { <4 x i1>, [7 x i8] } { <4 x i1> <i1 true, i1 true, i1 true, i1 true>, [7 x i8] zeroinitializer }
@bits_alone = internal constant <4 x i1> <i1 true, i1 true, i1 true, i1 true>
@nibbles = internal constant <2 x i4> <i4 1, i4 2>
declare i32 @undefined_elsewhere(i32)
declare void @llvm.assume(i1)
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.x86.sse42.crc32.32.32(i32, i32)
declare { float, i32 } @llvm.frexp.f32.i32(float)
declare void @llvm.memcpy.p0i8.p0i8.i64(ptr, ptr, i64, i1)

; lane shfl.sync.idx.b32: 'llvm.frexp.f32.i32' is not translated
define i32 @intrinsic_gives_structure(i32 %lane, i32 %b, i32 %c) {
  %f = bitcast i32 %b to float
  %x = call { float, i32 } @llvm.frexp.f32.i32(float %f)
  %r = extractvalue { float, i32 } %x, 1
  ret i32 %r
}

; lane shfl.sync.idx.b32: the type 'double' is not translated
define i32 @type_of_pointer(i32 %lane, i32 %b, i32 %c) {
  %p = alloca double
  %x = load double, ptr %p
  ret i32 %lane
}

; lane shfl.sync.idx.b32: the type 'double' is not translated
define i32 @type_of_result(i32 %lane, i32 %b, i32 %c) {
  %x = call { i32, double } @two(i32 %b)
  ret i32 %lane
}

define internal { i32, double } @two(i32 %x) {
  %a = insertvalue { i32, double } undef, i32 %x, 0
  ret { i32, double } %a
}

; lane shfl.sync.idx.b32: fdiv
define i32 @opcode_fdiv(i32 %lane, i32 %b, i32 %c) {
  %x = bitcast i32 %b to float
  %y = fdiv float %x, %x
  %r = bitcast float %y to i32
  ret i32 %r
}

; lane shfl.sync.idx.b32: fadd
define i32 @opcode_fadd(i32 %lane, i32 %b, i32 %c) {
  %x = bitcast i32 %b to float
  %y = fadd float %x, %x
  %r = bitcast float %y to i32
  ret i32 %r
}

; lane shfl.sync.idx.b32: flag 'nnan'
define i32 @flag_nnan(i32 %lane, i32 %b, i32 %c) {
  %x = bitcast i32 %b to float
  %y = fcmp nnan olt float %x, 1.0
  %r = select i1 %y, i32 %lane, i32 0
  ret i32 %r
}

; lane shfl.sync.idx.b32: 'llvm.sqrt.f32'
define i32 @intrinsic_sqrt(i32 %lane, i32 %b, i32 %c) {
  %x = bitcast i32 %b to float
  %y = call float @llvm.sqrt.f32(float %x)
  %r = bitcast float %y to i32
  ret i32 %r
}

; lane shfl.sync.idx.b32: 'llvm.x86.sse42.crc32.32.32'
define i32 @intrinsic_x86(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 @llvm.x86.sse42.crc32.32.32(i32 %b, i32 %c)
  ret i32 %r
}

; lane shfl.sync.idx.b32: 'undefined_elsewhere'
define i32 @external_function(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 @undefined_elsewhere(i32 %b)
  ret i32 %r
}

; lane shfl.sync.idx.b32: variable 'outside' has no initial value
define i32 @external_variable(i32 %lane, i32 %b, i32 %c) {
  %r = load i32, ptr @outside
  ret i32 %r
}

; lane shfl.sync.idx.b32: variable 'counter' keeps its value
define i32 @keeps_a_value(i32 %lane, i32 %b, i32 %c) {
  %n = load i32, ptr @counter
  %m = add i32 %n, 1
  store i32 %m, ptr @counter
  ret i32 %n
}

; lane shfl.sync.idx.b32: inline assembly
define i32 @inline_assembly(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 asm "mov $1, $0", "=r,r"(i32 %b)
  ret i32 %r
}

; lane shfl.sync.idx.b32: volatile
define i32 @volatile_load(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  store i32 %b, ptr %p
  %r = load volatile i32, ptr %p
  ret i32 %r
}

; lane shfl.sync.idx.b32: atomic
define i32 @atomic_load(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  store i32 %b, ptr %p
  %r = load atomic i32, ptr %p seq_cst, align 4
  ret i32 %r
}

; lane shfl.sync.idx.b32: atomicrmw
define i32 @atomic_add(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  store i32 %b, ptr %p
  %r = atomicrmw add ptr %p, i32 1 seq_cst
  ret i32 %r
}

; lane shfl.sync.idx.b32: a number made of a pointer
define i32 @pointer_as_number(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  %n = ptrtoint ptr %p to i64
  %r = trunc i64 %n to i32
  ret i32 %r
}

; lane shfl.sync.idx.b32: the type 'double'
define i32 @double_precision(i32 %lane, i32 %b, i32 %c) {
  %x = uitofp i32 %b to double
  %y = fcmp olt double %x, 1.0
  %r = zext i1 %y to i32
  ret i32 %r
}

; lane shfl.sync.idx.b32: recursion
define i32 @recursion(i32 %lane, i32 %b, i32 %c) {
  %d = sub i32 %b, 1
  %r = call i32 @recursion(i32 %lane, i32 %d, i32 %c)
  ret i32 %r
}

; redux redux.sync.add.u32: byval
define i32 @structure_by_value(ptr byval(%pair) %a, i32 %m, i32 %n) {
  ret i32 %m
}

; lane shfl.sync.idx.b32: without the 'byval' that it has
define i32 @structure_as_pointer(i32 %lane, i32 %b, i32 %c) {
  %p = alloca %pair
  %r = call i32 @takes_a_copy(ptr %p)
  ret i32 %r
}

define internal i32 @takes_a_copy(ptr byval(%pair) %p) {
  ret i32 0
}

; lane shfl.sync.idx.b32: operand bundles
define i32 @assumption_in_a_bundle(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32, align 4
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  ret i32 %lane
}

; lane shfl.sync.idx.b32: integers of 128 bits
define i32 @wide_integer(i32 %lane, i32 %b, i32 %c) {
  %x = sext i32 %b to i128
  %y = lshr i128 %x, 64
  %r = trunc i128 %y to i32
  ret i32 %r
}

; lane shfl.sync.idx.b32: attribute 'naked'
define i32 @attribute_of_the_function(i32 %lane, i32 %b, i32 %c) naked {
  ret i32 %lane
}

define internal i32 @takes_a_nest(ptr nest %p) {
  ret i32 0
}

; lane shfl.sync.idx.b32: attribute 'nest'
define i32 @attribute_of_a_parameter(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 @takes_a_nest(ptr nest null)
  ret i32 %r
}

; lane shfl.sync.idx.b32: attribute 'returns_twice'
define i32 @attribute_of_a_call(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 @plain(i32 %lane) returns_twice
  ret i32 %r
}

define internal i32 @plain(i32 %x) {
  ret i32 %x
}

; lane shfl.sync.idx.b32: attribute 'no-nans-fp-math'
define i32 @attribute_text(i32 %lane, i32 %b, i32 %c) "no-nans-fp-math"="true" {
  ret i32 %lane
}

; lane shfl.sync.idx.b32: attribute 'unheard-of'
define i32 @attribute_text_unknown(i32 %lane, i32 %b, i32 %c) "unheard-of" {
  ret i32 %lane
}

; lane shfl.sync.idx.b32: metadata 'invariant.load'
define i32 @metadata_invariant(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  store i32 %b, ptr %p
  %r = load i32, ptr %p, !invariant.load !0
  ret i32 %r
}

; lane shfl.sync.idx.b32: metadata 'of an unknown kind'
define i32 @metadata_unknown(i32 %lane, i32 %b, i32 %c) {
  %r = add i32 %lane, %b, !unheard.of !0
  ret i32 %r
}

; lane shfl.sync.idx.b32: metadata 'of an unknown kind'
define i32 @metadata_of_a_branch(i32 %lane, i32 %b, i32 %c) {
  br label %next, !unheard.of !0
next:
  ret i32 %lane
}

; lane shfl.sync.idx.b32: an address as a number of 32 bits
define i32 @pointer_as_word(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  %n = ptrtoint ptr %p to i32
  %r = and i32 %n, 0
  ret i32 %r
}

; lane shfl.sync.idx.b32: inttoptr
define i32 @number_as_pointer(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  store i32 %lane, ptr %p
  %n = ptrtoint ptr %p to i64
  %q = inttoptr i64 %n to ptr
  %r = load i32, ptr %q
  ret i32 %r
}

; lane shfl.sync.idx.b32: flag 'nuw' of an address
define i32 @address_nuw(i32 %lane, i32 %b, i32 %c) {
  %p = alloca [2 x i32]
  %q = getelementptr nuw i32, ptr %p, i64 1
  store i32 %lane, ptr %q
  ret i32 %lane
}

; lane shfl.sync.idx.b32: flag 'nusw' of an address
define i32 @address_nusw(i32 %lane, i32 %b, i32 %c) {
  %p = alloca [2 x i32]
  %q = getelementptr nusw i32, ptr %p, i64 1
  store i32 %lane, ptr %q
  ret i32 %lane
}

; lane shfl.sync.idx.b32: flag 'nuw' of an address
define i32 @address_inbounds_nuw(i32 %lane, i32 %b, i32 %c) {
  %p = alloca [2 x i32]
  %q = getelementptr inbounds nuw i32, ptr %p, i64 1
  store i32 %lane, ptr %q
  ret i32 %lane
}

; lane shfl.sync.idx.b32: type 'ptr addrspace(3)'
define i32 @address_space(i32 %lane, i32 %b, i32 %c) {
  %p = alloca ptr addrspace(3)
  %q = load ptr addrspace(3), ptr %p
  ret i32 %lane
}

define internal float @no_nan(float nofpclass(nan) %x) {
  ret float %x
}

; lane shfl.sync.idx.b32: attribute 'nofpclass'
define i32 @attribute_nofpclass(i32 %lane, i32 %b, i32 %c) {
  %x = call float @no_nan(float 0.0)
  ret i32 %lane
}

define internal void @begins(ptr initializes((0, 4)) %p) {
  store i32 0, ptr %p
  ret void
}

; lane shfl.sync.idx.b32: attribute 'initializes'
define i32 @attribute_initializes(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  call void @begins(ptr %p)
  ret i32 %lane
}

; lane shfl.sync.idx.b32: attribute 'denormal-fp-math'
define i32 @attribute_denormal(i32 %lane, i32 %b, i32 %c) "denormal-fp-math"="preserve-sign,preserve-sign" {
  ret i32 %lane
}

declare i32 @llvm.ucmp.i32.i32(i32, i32)

; lane shfl.sync.idx.b32: 'llvm.ucmp.i32.i32' is not translated
define i32 @intrinsic_ucmp(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 @llvm.ucmp.i32.i32(i32 %b, i32 %c)
  ret i32 %r
}

; lane shfl.sync.idx.b32: volatile copy
define i32 @volatile_memcpy(i32 %lane, i32 %b, i32 %c) {
  %p = alloca i32
  %q = alloca i32
  store i32 %b, ptr %p
  %from = bitcast ptr %p to ptr
  %to = bitcast ptr %q to ptr
  call void @llvm.memcpy.p0i8.p0i8.i64(ptr %to, ptr %from, i64 4, i1 true)
  %r = load i32, ptr %q
  ret i32 %r
}

; lane shfl.sync.idx.b32: calling convention
define i32 @calling_convention(i32 %lane, i32 %b, i32 %c) {
  %r = call fastcc i32 @plain(i32 %lane)
  ret i32 %r
}

!0 = !{}

; vote vote.ballot.b32: vector of elements of 1 bits
define i32 @bits_in_a_structure(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = bitcast ptr @bits_inside to ptr
  %x = load i8, ptr %p
  %c = icmp eq i8 %x, 1
  %t = select i1 %c, i32 %g, i32 0
  ret i32 %t
}

; vote vote.ballot.b32: vector of elements of 1 bits
define i32 @bits_of_their_own(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = bitcast ptr @bits_alone to ptr
  %x = load i8, ptr %p
  %c = icmp eq i8 %x, 1
  %t = select i1 %c, i32 %g, i32 0
  ret i32 %t
}

; vote vote.ballot.b32: vector of elements of 4 bits
define i32 @nibbles_of_their_own(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = bitcast ptr @nibbles to ptr
  %x = load i8, ptr %p
  %c = icmp eq i8 %x, 1
  %t = select i1 %c, i32 %g, i32 0
  ret i32 %t
}

define internal float @same_float(float %x) {
  ret float %x
}

; vote vote.ballot.b32: flag 'nnan'
define i32 @call_nnan(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %f = bitcast i32 %g to float
  %h = call nnan float @same_float(float %f)
  %t = bitcast float %h to i32
  ret i32 %t
}

; vote vote.ballot.b32: flag 'fast'
define i32 @tail_call_fast(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %f = bitcast i32 %g to float
  %"=h" = tail call fast float @same_float(float %f)
  %t = bitcast float %"=h" to i32
  ret i32 %t
}

; vote vote.ballot.b32: may have another initial value
define i32 @weak_constant(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = load i32, ptr @weak_word
  %t = and i32 %g, %x
  ret i32 %t
}

define linkonce i32 @once(i32 %x) {
  ret i32 %x
}

; vote vote.ballot.b32: may be another one when linked
define i32 @calls_linkonce(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = call i32 @once(i32 %g)
  ret i32 %t
}

define internal i32 @wants_zeroext(i8 zeroext %x) {
  %z = zext i8 %x to i32
  ret i32 %z
}

; vote vote.ballot.b32: 'zeroext'
define i32 @gives_no_zeroext(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %l = trunc i32 %g to i8
  %h = and i32 %g, -256
  %w = call i32 @wants_zeroext(i8 %l)
  %t = or i32 %h, %w
  ret i32 %t
}

declare i32 @__gxx_personality_v0(...)
declare void @throws() noreturn

; vote vote.ballot.b32: 'throws', which may throw where that is caught
define i32 @caught(i32 %v, i32 %m, i32 %n) personality ptr @__gxx_personality_v0 {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %r, 305419896
  br i1 %c, label %calls, label %behind
calls:
  invoke void @throws() to label %behind unwind label %catches
behind:
  ret i32 %g
catches:
  %l = landingpad { ptr, i32 } catch ptr null
  ret i32 %g
}

; vote vote.ballot.b32: of which one is no place
define i32 @ends_of_objects(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %q = alloca i32, align 4
  %e = getelementptr i32, ptr %p, i64 1
  %c = icmp eq ptr %e, %q
  %x = select i1 %c, i32 0, i32 %g
  ret i32 %x
}

define internal ptr @gone(i32 %x) {
  %p = alloca i32, align 4
  ret ptr %p
}

; vote vote.ballot.b32: whose life is over
define i32 @gone_compared(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = call ptr @gone(i32 %v)
  %q = alloca i32, align 4
  %c = icmp eq ptr %p, %q
  %x = select i1 %c, i32 0, i32 %g
  ret i32 %x
}

; vote vote.ballot.b32: a vector of elements of 1 bits in memory
define i32 @bits_in_memory(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %h = icmp eq i32 %v, 464367618
  %p = alloca i8, align 4
  %x = insertelement <4 x i1> zeroinitializer, i1 %h, i32 0
  store <4 x i1> %x, ptr %p, align 1
  %b = load i8, ptr %p, align 1
  %w = zext i8 %b to i32
  %y = or i32 %g, %w
  ret i32 %y
}

; vote vote.ballot.b32: variable 'counter' keeps its value
define i32 @variable_of_one_way(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %c = icmp eq i32 %v, 305419896
  br i1 %c, label %behind, label %usual
usual:
  store i32 %g, ptr @counter, align 4
  br label %behind
behind:
  %x = load i32, ptr @counter, align 4
  ret i32 %x
}

declare i32 @llvm.cttz.i32(i32, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; vote vote.ballot.b32: an index into 280 elements
define i32 @far_choice(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %t = alloca [288 x i8], align 16
  call void @llvm.memset.p0.i64(ptr %t, i8 0, i64 288, i1 false)
  %z = icmp eq i32 %g, 0
  br i1 %z, label %none, label %some
some:
  %l = call i32 @llvm.cttz.i32(i32 %g, i1 true)
  %k = mul nuw nsw i32 %l, 9
  %i = zext i32 %k to i64
  %p = getelementptr inbounds i8, ptr %t, i64 %i
  store i8 1, ptr %p, align 1
  %q = getelementptr inbounds i8, ptr %t, i64 261
  %b = load i8, ptr %q, align 1
  %w = zext i8 %b to i32
  %c = icmp eq i32 %v, 536870912
  %o = select i1 %c, i32 %w, i32 0
  %x = xor i32 %g, %o
  ret i32 %x
none:
  ret i32 0
}

; vote vote.ballot.b32: an alignment of 2^32
define i32 @aligned_as_never(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca i32, align 4
  store i32 %g, ptr %b, align 4294967296
  %x = load i32, ptr %b, align 4
  ret i32 %x
}

; vote vote.ballot.b32: an alignment of 2^32
define i32 @align_of_2_32_loaded(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca ptr, align 8
  %b = alloca i32, align 4
  store ptr %b, ptr %p, align 8
  %q = load ptr, ptr %p, align 8, !align !1
  store i32 %g, ptr %q, align 4
  %x = load i32, ptr %b, align 4
  ret i32 %x
}

; vote vote.ballot.b32: a part of a pointer
define i32 @part_of_an_address(i32 %v, i32 %m, i32 %n) {
  %p = alloca ptr, align 8
  store ptr %p, ptr %p, align 8
  %x = load i32, ptr %p, align 8
  ret i32 %x
}

; vote vote.ballot.b32: 'counter' keeps its value
define i32 @copies_what_is_kept(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @counter, i64 4, i1 false)
  store i32 %g, ptr @counter, align 4
  %x = load i32, ptr %p, align 4
  %y = and i32 %x, 0
  %z = or i32 %g, %y
  ret i32 %z
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; vote vote.ballot.b32: 'nofree'
define i32 @nofree_of_one(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %b = alloca i32, align 4
  %x = call i32 @frees_others(ptr %b)
  %t = or i32 %g, %x
  ret i32 %t
}
define internal i32 @frees_others(ptr nofree %p) {
  ret i32 0
}
!1 = !{i64 4294967296}

@table_of_one = internal constant { ptr, i32 } { ptr @outside, i32 -1 }

; vote vote.ballot.b32: variable 'outside' has no initial value
define i32 @address_of_what_is_not_here(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = load ptr, ptr @table_of_one, align 8
  %x = load i32, ptr %p, align 4
  %y = and i32 %x, 0
  %z = or i32 %g, %y
  ret i32 %z
}

@another_name = weak alias i32, ptr @counter

; vote vote.ballot.b32: 'another_name' may stand for something else
define i32 @name_of_another(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  store i32 %g, ptr @another_name, align 4
  %x = load i32, ptr @another_name, align 4
  ret i32 %x
}

; vote vote.ballot.b32: 'inrange' in a part of a constant
define i32 @word_in_a_name(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %x = load i32, ptr getelementptr (i8, ptr @of_inrange, i64 4), align 4
  %z = or i32 %g, %x
  ret i32 %z
}
@of_inrange = internal constant [2 x i32] zeroinitializer
