; tests: a function of malloc's name that is declared otherwise than the C library's is not its.
; RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
; PLAN: 1 reuse malloc/0
; CHECK-NOT: @thalweg.malloc
; CHECK: decision 1 refused: malloc is not declared as the function of the C library that gives or takes blocks
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare ptr @malloc(i64, i64)
define i32 @main(i32 %count, ptr %words) {
  %block = call ptr @malloc(i64 8, i64 8)
  %none = icmp eq ptr %block, null
  %status = zext i1 %none to i32
  ret i32 %status
}
