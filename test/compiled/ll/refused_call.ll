; As refused.ll, of calls through pointers, which might reach any function of a file.
source_filename = "refused_call.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define internal i64 @wide(i64 %x) {
  ret i64 %x
}

; lane shfl.sync.idx.b32: another type
define i32 @type_of_a_call(i32 %lane, i32 %b, i32 %c) {
  %r = call i32 bitcast (ptr @wide to ptr)(i32 %lane)
  ret i32 %r
}
