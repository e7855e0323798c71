; tests: a layer that itself was never entered in the counted run, which somebody declared, does not leave in front of what was not either.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize take : load take/0:8 = 5
; CHECK-LABEL: define {{.*}}i64 @take(
; CHECK: store i64 %sum, ptr @last
; CHECK: decision 1 applied: 3 calls unfolded
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@last = global i64 0

define i64 @take(ptr %table, i64 %index) noinline !prof !0 {
  %mode = load i64, ptr %table
  %bad = icmp ugt i64 %index, 1000
  br i1 %bad, label %error, label %good, !prof !1

error:
  call void @report(ptr %table, i64 %index)
  br label %good

good:
  %one = call i64 @apply(ptr %table, i64 %index, i64 %mode)
  %two = call i64 @apply(ptr %table, i64 %one, i64 %mode)
  ret i64 %two
}

define i64 @apply(ptr %table, i64 %index, i64 %mode) noinline !prof !0 {
  switch i64 %mode, label %other [
    i64 5, label %five
    i64 6, label %six
  ]

five:
  %a = mul i64 %index, 5
  ret i64 %a

six:
  %b = sdiv i64 %index, 6
  ret i64 %b

other:
  %c = xor i64 %index, %mode
  ret i64 %c
}

define void @report(ptr %table, i64 %index) noinline !prof !2 {
  %mode = load i64, ptr %table
  %sum = add i64 %mode, %index
  store i64 %sum, ptr @last
  ret void
}

!0 = !{!"function_entry_count", i64 0}
!1 = !{!"branch_weights", i32 0, i32 100000}
!2 = !{!"function_entry_count", i64 0}
