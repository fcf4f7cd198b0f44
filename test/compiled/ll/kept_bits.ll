; Twins of the functions of broken_bits.ll, which just keep to the reference: the undefined bits decide nothing.
source_filename = "kept_bits.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; vote vote.ballot.b32: proved
define i32 @field_beside_poison(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %old = load i64, ptr %p, align 8
  %kept = and i64 %old, -4294967296
  %half = lshr i32 %v, 1
  %u = xor i32 %v, -1
  %bit = lshr i32 %u, 31
  %s = add nsw i32 %half, %bit
  %w = zext i32 %s to i64
  %new = or i64 %kept, %w
  store i64 %new, ptr %p, align 8
  %l = load i64, ptr %p, align 8
  %field = trunc i64 %l to i32
  %x = and i32 %field, 0
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @bit_beside_a_field(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  store i32 0, ptr %p, align 8
  %l = load i64, ptr %p, align 8
  %down = lshr i64 %l, 31
  %bit = and i64 %down, 1
  %x = trunc i64 %bit to i32
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @bit_above_a_field(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  store i32 0, ptr %p, align 8
  %l = load i64, ptr %p, align 8
  %up = shl i64 %l, 8
  %down = lshr i64 %up, 39
  %bit = and i64 %down, 1
  %x = trunc i64 %bit to i32
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @fields_by_turns(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 1
  %first = trunc i32 %v to i1
  br i1 %first, label %low, label %high
low:
  store i8 0, ptr %p, align 1
  br label %end
high:
  store i8 0, ptr %q, align 1
  br label %end
end:
  %l = load i16, ptr %p, align 2
  %f = zext i16 %l to i32
  %lower = and i32 %f, 255
  %upper = lshr i32 %f, 8
  %x = select i1 %first, i32 %lower, i32 %upper
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @sign_of_a_field(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  store i8 0, ptr %p, align 2
  %l = load i16, ptr %p, align 2
  %f = sext i16 %l to i32
  %x = and i32 %f, 255
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @masked_field(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  store i8 0, ptr %p, align 2
  %l = load i16, ptr %p, align 2
  %kept = and i16 %l, 255
  %f = zext i16 %kept to i32
  %z = or i32 %g, %f
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @filled_field(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  store i8 -1, ptr %p, align 2
  %l = load i16, ptr %p, align 2
  %filled = or i16 %l, -256
  %f = xor i16 %filled, -1
  %w = zext i16 %f to i32
  %z = or i32 %g, %w
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @nuw_where_it_is_set(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %first = trunc i32 %v to i1
  br i1 %first, label %set, label %end
set:
  %small = and i32 %v, 65535
  store i32 %small, ptr %p, align 4
  br label %end
end:
  %l = load i32, ptr %p, align 4
  %short = trunc nuw i32 %l to i16
  %w = zext i16 %short to i32
  %none = and i32 %w, 0
  %x = select i1 %first, i32 %none, i32 0
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @range_where_it_is_set(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %first = trunc i32 %v to i1
  br i1 %first, label %set, label %end
set:
  %small = and i32 %v, 65535
  store i32 %small, ptr %p, align 4
  br label %end
end:
  %l = load i32, ptr %p, align 4, !range !0
  %none = and i32 %l, 0
  %x = select i1 %first, i32 %none, i32 0
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @nuw_of_what_is_unset(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  store i32 0, ptr %p, align 8
  %l = load i64, ptr %p, align 8
  %whole = and i64 %l, 4294967295
  %short = trunc nuw i64 %whole to i32
  %z = or i32 %g, %short
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @frozen_field(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  store i8 0, ptr %p, align 2
  %l = load i16, ptr %p, align 2
  %f = freeze i16 %l
  %kept = and i16 %f, 255
  %w = zext i16 %kept to i32
  %z = or i32 %g, %w
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @disjoint_from_what_is_unset(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  store i8 0, ptr %p, align 2
  %l = load i16, ptr %p, align 2
  %both = or disjoint i16 %l, 1
  %none = and i16 %both, 0
  %w = zext i16 %none to i32
  %z = or i32 %g, %w
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @copy_of_poison_and_padding(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %to = alloca i64, align 8
  %at = getelementptr i8, ptr %p, i64 4
  %from = getelementptr i8, ptr %to, i64 4
  %half = lshr i32 %v, 1
  %u = xor i32 %v, -1
  %bit = lshr i32 %u, 31
  %s = add nsw i32 %half, %bit
  store i32 %s, ptr %p, align 8
  store i8 0, ptr %at, align 4
  %l = load i64, ptr %p, align 8
  store i64 %l, ptr %to, align 8
  %beside = load i8, ptr %from, align 4
  %w = zext i8 %beside to i32
  %z = or i32 %g, %w
  ret i32 %z
}

!0 = !{i32 0, i32 65536}

; vote vote.ballot.b32: proved
define i32 @set_and_cleared(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %l = load i32, ptr %p, align 4
  %set = or i32 %l, %g
  %z = and i32 %set, %g
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @both_undefined(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %q = alloca i32, align 4
  %l = load i32, ptr %p, align 4
  %k = load i32, ptr %q, align 4
  %some = and i32 %k, %v
  %x = and i32 %l, %some
  %y = and i32 %x, 0
  %z = or i32 %g, %y
  ret i32 %z
}

; lane-bool shfl.up.b32: proved
define i32 @bool_of_a_byte(i32 %lane, i32 %b, i32 %c, ptr %p) {
  %down = lshr i32 %c, 8
  %not = xor i32 %down, 31
  %least = and i32 %lane, %down
  %free = and i32 %c, %not
  %some = or i32 %least, %free
  %bound = and i32 %some, 31
  %by = and i32 %b, 31
  %j = sub i32 %lane, %by
  %in = icmp sge i32 %j, %bound
  %rare = icmp eq i32 %c, 305397760
  %one = zext i1 %in to i8
  %other = zext i1 %rare to i8
  %twice = shl i8 %one, %other
  %byte = xor i8 %one, 0
  store i8 %byte, ptr %p, align 1
  %z = select i1 %in, i32 %j, i32 %lane
  ret i32 %z
}

declare i32 @llvm.abs.i32(i32, i1)

; vote vote.ballot.b32: proved
define i32 @magnitude_of_a_sign(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %l = load i32, ptr %p, align 4
  %sign = and i32 %l, 0
  %some = or i32 %sign, 2
  %a = call i32 @llvm.abs.i32(i32 %some, i1 false)
  %x = and i32 %a, 4
  %z = or i32 %g, %x
  ret i32 %z
}

; vote vote.ballot.b32: proved
define i32 @sign_that_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 0
  store i8 0, ptr %q
  %x = load i64, ptr %p, align 8
  %s = ashr i64 %x, 4
  %y = and i64 %s, 15
  %z = trunc i64 %y to i32
  %w = lshr i64 %y, 32
  %u = trunc i64 %w to i32
  %t = or i32 %z, %u
  %d = or i32 %g, %t
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @shift_nuw_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 7
  store i8 0, ptr %q
  %x = load i64, ptr %p, align 8
  %s = shl nuw i64 %x, 8
  %y = and i64 %s, 255
  %z = trunc i64 %y to i32
  %w = lshr i64 %y, 32
  %u = trunc i64 %w to i32
  %t = or i32 %z, %u
  %d = or i32 %g, %t
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @shift_nsw_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 7
  store i8 0, ptr %q
  %x = load i64, ptr %p, align 8
  %s = shl nsw i64 %x, 7
  %y = and i64 %s, 127
  %z = trunc i64 %y to i32
  %w = lshr i64 %y, 32
  %u = trunc i64 %w to i32
  %t = or i32 %z, %u
  %d = or i32 %g, %t
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @shift_exact_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 0
  store i8 0, ptr %q
  %x = load i64, ptr %p, align 8
  %s = lshr exact i64 %x, 8
  %y = and i64 %s, 0
  %z = trunc i64 %y to i32
  %w = lshr i64 %y, 32
  %u = trunc i64 %w to i32
  %t = or i32 %z, %u
  %d = or i32 %g, %t
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @high_part_is_below(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %q = getelementptr i8, ptr %p, i64 2
  store i16 0, ptr %q
  %x = load i32, ptr %p, align 4
  %c = icmp ult i32 %x, 65536
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @high_part_is_at_most(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %q = getelementptr i8, ptr %p, i64 2
  store i16 0, ptr %q
  %x = load i32, ptr %p, align 4
  %c = icmp ule i32 %x, 65535
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @sign_is_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i32, align 4
  %q = getelementptr i8, ptr %p, i64 2
  store i16 0, ptr %q
  %x = load i32, ptr %p, align 4
  %c = icmp sgt i32 %x, -1
  %d = select i1 %c, i32 %g, i32 7
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @trunc_nuw_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 4
  store i32 0, ptr %q, align 1
  %x = load i64, ptr %p, align 8
  %y = trunc nuw i64 %x to i32
  %z = and i32 %y, 0
  %w = or i32 %z, 0
  %u = add i32 %w, 0
  %d = or i32 %g, %u
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @trunc_nsw_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 3
  store i40 0, ptr %q, align 1
  %x = load i64, ptr %p, align 8
  %y = trunc nsw i64 %x to i32
  %z = and i32 %y, 0
  %w = or i32 %z, 0
  %u = add i32 %w, 0
  %d = or i32 %g, %u
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @zext_nneg_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i64, align 8
  %q = getelementptr i8, ptr %p, i64 3
  store i8 0, ptr %q, align 1
  %x = load i32, ptr %p, align 8
  %y = zext nneg i32 %x to i64
  %z = and i64 %y, 0
  %w = or i64 %z, 0
  %u = trunc i64 %w to i32
  %d = or i32 %g, %u
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @sum_below_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 0
  %byte = trunc i32 %v to i8
  store i8 %byte, ptr %q, align 1
  %l = load i16, ptr %p, align 2
  %b = zext i8 %byte to i16
  %s = add i16 %l, 200
  %k = and i16 %s, 255
  %t = add i16 %b, 200
  %e = and i16 %t, 255
  %x = xor i16 %k, %e
  %w = zext i16 %x to i32
  %d = or i32 %g, %w
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @difference_below_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 0
  %byte = trunc i32 %v to i8
  store i8 %byte, ptr %q, align 1
  %l = load i16, ptr %p, align 2
  %b = zext i8 %byte to i16
  %s = sub i16 9, %l
  %k = and i16 %s, 255
  %t = sub i16 9, %b
  %e = and i16 %t, 255
  %x = xor i16 %k, %e
  %w = zext i16 %x to i32
  %d = or i32 %g, %w
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @product_below_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 0
  %byte = trunc i32 %v to i8
  store i8 %byte, ptr %q, align 1
  %l = load i16, ptr %p, align 2
  %b = zext i8 %byte to i16
  %s = mul i16 %l, 7
  %k = and i16 %s, 255
  %t = mul i16 %b, 7
  %e = and i16 %t, 255
  %x = xor i16 %k, %e
  %w = zext i16 %x to i32
  %d = or i32 %g, %w
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @sum_beside_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 1
  %byte = trunc i32 %v to i8
  store i8 %byte, ptr %q, align 1
  %l = load i16, ptr %p, align 2
  %b = zext i8 %byte to i16
  %h = shl i16 %b, 8
  %s = add i16 %l, 256
  %k = and i16 %s, -256
  %e = add i16 %h, 256
  %x = xor i16 %k, %e
  %w = zext i16 %x to i32
  %d = or i32 %g, %w
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @product_that_moves_it_out(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 0
  %byte = trunc i32 %v to i8
  store i8 %byte, ptr %q, align 1
  %l = load i16, ptr %p, align 2
  %b = zext i8 %byte to i16
  %k = mul i16 %l, 256
  %e = shl i16 %b, 8
  %x = xor i16 %k, %e
  %w = zext i16 %x to i32
  %d = or i32 %g, %w
  ret i32 %d
}

; vote vote.ballot.b32: proved
define i32 @shift_of_what_is_not_written(i32 %v, i32 %m, i32 %n) {
  %r = and i32 %v, %m
  %g = and i32 %r, %n
  %p = alloca i16, align 2
  %q = getelementptr i8, ptr %p, i64 1
  %byte = trunc i32 %v to i8
  store i8 %byte, ptr %q, align 1
  %l = load i16, ptr %p, align 2
  %b = zext i8 %byte to i16
  %h = shl i16 %b, 8
  %low = trunc i32 %v to i16
  %by = and i16 %low, 7
  %kept = lshr i16 -256, %by
  %s = lshr i16 %l, %by
  %k = and i16 %s, %kept
  %e = lshr i16 %h, %by
  %x = xor i16 %k, %e
  %w = zext i16 %x to i32
  %d = or i32 %g, %w
  ret i32 %d
}
