; tests: to know how many rows a table has, where the rows themselves are constants, saves more than a tenth: it is tested.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize sum growth=900 : load sum/0:8 = 6
; CHECK: decision 1 applied: {{.*}} 1 facts tested
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@rows = constant [8 x i64] [i64 3, i64 1, i64 4, i64 1, i64 5, i64 9, i64 2, i64 6]

define i64 @sum(ptr %table, i64 %start) !prof !0 {
  %count = load i64, ptr %table
  br label %round

round:
  %i = phi i64 [ 0, %0 ], [ %more, %last ]
  %v = phi i64 [ %start, %0 ], [ %new, %last ]
  %at = getelementptr i64, ptr @rows, i64 %i
  %row = load i64, ptr %at
  %is_one = icmp eq i64 %row, 1
  br i1 %is_one, label %one, label %other, !prof !2

one:
  %a = add i64 %v, 1
  br label %last

other:
  %b = udiv i64 %v, %row
  br label %last

last:
  %new = phi i64 [ %a, %one ], [ %b, %other ]
  %more = add i64 %i, 1
  %ends = icmp uge i64 %more, %count
  br i1 %ends, label %done, label %round, !prof !1

done:
  ret i64 %new
}

!0 = !{!"function_entry_count", i64 100000}
!1 = !{!"branch_weights", i32 100000, i32 500000}
!2 = !{!"branch_weights", i32 200000, i32 400000}
