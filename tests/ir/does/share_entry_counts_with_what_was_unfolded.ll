; tests: a call that is unfolded is executed in the copy, so the function is entered that much less often: LLVM takes what is left behind the test for
; what hardly runs. What other functions call is entered as often as before.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize transfer growth=100 : argument transfer/0 = 1
; CHECK: define {{.*}} @convert({{.*}} !prof ![[NONE:[0-9]+]]
; CHECK: define {{.*}} @scale({{.*}} !prof ![[OTHERS:[0-9]+]]
; CHECK: define {{.*}} @transfer({{.*}} !prof ![[ALL:[0-9]+]]
; CHECK: ![[NONE]] = !{!"function_entry_count", i64 0}
; CHECK: ![[OTHERS]] = !{!"function_entry_count", i64 700}
; CHECK: ![[ALL]] = !{!"function_entry_count", i64 1000}
; CHECK: decision 1 applied: 2 calls unfolded{{.*}}; an entry executes {{[0-9.]+}} machine instructions, {{[0-9.]+}} before
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define internal i64 @convert(i64 %mode, i64 %value) noinline !prof !0 {
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

define internal i64 @scale(i64 %mode, i64 %value) noinline !prof !1 {
  %encodes = icmp eq i64 %mode, 1
  br i1 %encodes, label %up, label %down, !prof !2

up:
  %more = mul i64 %value, 10
  ret i64 %more

down:
  %less = sdiv i64 %value, 10
  ret i64 %less
}

define i64 @transfer(i64 %mode, i64 %value) !prof !0 {
  %scaled = call i64 @scale(i64 %mode, i64 %value)
  %converted = call i64 @convert(i64 %mode, i64 %scaled)
  ret i64 %converted
}

define i64 @other(i64 %mode, i64 %value) !prof !3 {
  %scaled = call i64 @scale(i64 %mode, i64 %value)
  ret i64 %scaled
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"function_entry_count", i64 1700}
!2 = !{!"branch_weights", i32 1000, i32 0}
!3 = !{!"function_entry_count", i64 700}
