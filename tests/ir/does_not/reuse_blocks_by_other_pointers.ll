; tests: a call through a pointer does not ask for malloc that seldom called it, that called free, that has another type, or of which nothing is known.
; RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
; PLAN: 1 reuse malloc/0
; CHECK-LABEL: define i32 @main(
; CHECK-NOT: icmp eq ptr %give
; CHECK-NOT: call ptr @thalweg.malloc
; CHECK: decision 1 applied
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@chosen = global ptr @malloc
declare ptr @malloc(i64)
define i32 @main(i32 %count, ptr %words) {
  %give = load ptr, ptr @chosen
  %seldom = call ptr %give(i64 8), !prof !0
  %other = call ptr %give(i64 8), !prof !1
  %typed = call ptr %give(i64 8, i64 8), !prof !2
  %unknown = call ptr %give(i64 8)
  %none = icmp eq ptr %seldom, %other
  %more = icmp eq ptr %typed, %unknown
  %same = and i1 %none, %more
  %status = zext i1 %same to i32
  ret i32 %status
}
; Hashes of the names of malloc, free and malloc.
!0 = !{!"VP", i32 0, i64 100, i64 77, i64 90, i64 2336192559129972258, i64 2}
!1 = !{!"VP", i32 0, i64 100, i64 -3481126006311473750, i64 90}
!2 = !{!"VP", i32 0, i64 100, i64 2336192559129972258, i64 90}
