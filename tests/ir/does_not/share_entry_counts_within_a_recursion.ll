; tests: of functions that call one another in a circle each keeps its count, whatever a copy has taken: what is left of one would be left of it again in
; each round, and a tree's walk be as cold as its root.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize child growth=200 : argument child/0 = 1
; CHECK: define {{.*}} @leaf({{.*}} !prof ![[ALL:[0-9]+]]
; CHECK: define {{.*}} @walk({{.*}} !prof ![[ALL]]
; CHECK: define {{.*}} @child({{.*}} !prof ![[ALL]]
; CHECK: ![[ALL]] = !{!"function_entry_count", i64 1000}
; CHECK: decision 1 applied: 17 calls unfolded
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal i64 @leaf(i64 %mode, i64 %value) noinline !prof !0 {
  %encodes = icmp eq i64 %mode, 1
  br i1 %encodes, label %encode, label %decode, !prof !2

encode:
  %twice = mul i64 %value, 6364136223846793005
  %mixed = xor i64 %twice, 1442695040888963407
  %far = lshr i64 %mixed, 13
  %folded = xor i64 %mixed, %far
  ret i64 %folded

decode:
  %back = sdiv i64 %value, 10
  ret i64 %back
}

define i64 @walk(i64 %mode, i64 %value) noinline !prof !0 {
  %found = call i64 @leaf(i64 %mode, i64 %value)
  %more = icmp ne i64 %found, 0
  br i1 %more, label %down, label %end, !prof !1

down:
  %below = call i64 @child(i64 %mode, i64 %found)
  ret i64 %below

end:
  ret i64 0
}

define i64 @child(i64 %mode, i64 %value) noinline !prof !0 {
  %next = call i64 @walk(i64 %mode, i64 %value)
  %sum = add i64 %next, %mode
  ret i64 %sum
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 999, i32 1}
!2 = !{!"branch_weights", i32 1000, i32 0}
