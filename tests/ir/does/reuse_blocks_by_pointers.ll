; tests: a call through a pointer that called malloc in the recorded run asks for it, and goes by the thread's lists then. One that called malloc and new asks
; for both, the more frequent one first.
; RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
; PLAN: 1 reuse malloc/0
; PLAN: 2 reuse _Znwm/0
; CHECK-LABEL: define i32 @main(
; CHECK: icmp eq ptr %give, @malloc
; CHECK: br i1 %{{.*}}, !prof ![[WEIGHTS:[0-9]+]]
; CHECK: call ptr @thalweg.malloc.24(i64 8)
; CHECK: call ptr %give(i64 8)
; CHECK: icmp eq ptr %give, @malloc
; CHECK: br i1 %{{.*}}, !prof ![[FIRST:[0-9]+]]
; CHECK: icmp eq ptr %give, @_Znwm
; CHECK: br i1 %{{.*}}, !prof ![[SECOND:[0-9]+]]
; CHECK: call ptr @thalweg._Znwm.24(i64 8)
; CHECK: ![[WEIGHTS]] = !{!"branch_weights", i32 90, i32 10}
; CHECK: ![[FIRST]] = !{!"branch_weights", i32 60, i32 40}
; CHECK: ![[SECOND]] = !{!"branch_weights", i32 30, i32 10}
; CHECK: decision 1 applied
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@chosen = global ptr @malloc
@other = global ptr @_Znwm
declare ptr @malloc(i64)
declare ptr @_Znwm(i64)
define i32 @main(i32 %count, ptr %words) {
  %give = load ptr, ptr @chosen
  %block = call ptr %give(i64 8), !prof !0
  %other = call ptr %give(i64 8), !prof !1
  %none = icmp eq ptr %block, %other
  %status = zext i1 %none to i32
  ret i32 %status
}
; Hashes of the names of malloc and of new.
!0 = !{!"VP", i32 0, i64 100, i64 2336192559129972258, i64 90}
!1 = !{!"VP", i32 0, i64 100, i64 2336192559129972258, i64 60, i64 -1653034511499579834, i64 30}
