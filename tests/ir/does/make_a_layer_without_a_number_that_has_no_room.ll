; tests: with the number of places the layer would have no room (110 instructions): it is made without it, as the mode decides more than rounds.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize take growth=104 : load take/0:8 = 4096 ; load take/1:8 = 128
; CHECK: decision 1 applied: {{.*}} 1 facts tested
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @take(ptr %table, i64 %index) !prof !0 {
  %mode = load i64, ptr %table
  %end = getelementptr i8, ptr %table, i64 8
  %places = load i64, ptr %end
  %has = icmp ult i64 %index, %places
  br i1 %has, label %found, label %none, !prof !1

found:
  %m0 = and i64 %mode, 1
  %c0 = icmp ne i64 %m0, 0
  br i1 %c0, label %odd0, label %next0, !prof !2

odd0:
  %o0 = sdiv i64 %index, 3
  br label %next0

next0:
  %v0 = phi i64 [ %index, %found ], [ %o0, %odd0 ]
  %m1 = and i64 %mode, 2
  %c1 = icmp ne i64 %m1, 0
  br i1 %c1, label %odd1, label %next1, !prof !2

odd1:
  %o1 = sdiv i64 %v0, 4
  br label %next1

next1:
  %v1 = phi i64 [ %v0, %next0 ], [ %o1, %odd1 ]
  %m2 = and i64 %mode, 4
  %c2 = icmp ne i64 %m2, 0
  br i1 %c2, label %odd2, label %next2, !prof !2

odd2:
  %o2 = sdiv i64 %v1, 5
  br label %next2

next2:
  %v2 = phi i64 [ %v1, %next1 ], [ %o2, %odd2 ]
  %m3 = and i64 %mode, 8
  %c3 = icmp ne i64 %m3, 0
  br i1 %c3, label %odd3, label %next3, !prof !2

odd3:
  %o3 = sdiv i64 %v2, 6
  br label %next3

next3:
  %v3 = phi i64 [ %v2, %next2 ], [ %o3, %odd3 ]
  %m4 = and i64 %mode, 16
  %c4 = icmp ne i64 %m4, 0
  br i1 %c4, label %odd4, label %next4, !prof !2

odd4:
  %o4 = sdiv i64 %v3, 7
  br label %next4

next4:
  %v4 = phi i64 [ %v3, %next3 ], [ %o4, %odd4 ]
  %m5 = and i64 %mode, 32
  %c5 = icmp ne i64 %m5, 0
  br i1 %c5, label %odd5, label %next5, !prof !2

odd5:
  %o5 = sdiv i64 %v4, 8
  br label %next5

next5:
  %v5 = phi i64 [ %v4, %next4 ], [ %o5, %odd5 ]
  %m6 = and i64 %mode, 64
  %c6 = icmp ne i64 %m6, 0
  br i1 %c6, label %odd6, label %next6, !prof !2

odd6:
  %o6 = sdiv i64 %v5, 9
  br label %next6

next6:
  %v6 = phi i64 [ %v5, %next5 ], [ %o6, %odd6 ]
  %m7 = and i64 %mode, 128
  %c7 = icmp ne i64 %m7, 0
  br i1 %c7, label %odd7, label %next7, !prof !2

odd7:
  %o7 = sdiv i64 %v6, 10
  br label %next7

next7:
  %v7 = phi i64 [ %v6, %next6 ], [ %o7, %odd7 ]
  %m8 = and i64 %mode, 256
  %c8 = icmp ne i64 %m8, 0
  br i1 %c8, label %odd8, label %next8, !prof !2

odd8:
  %o8 = sdiv i64 %v7, 11
  br label %next8

next8:
  %v8 = phi i64 [ %v7, %next7 ], [ %o8, %odd8 ]
  %m9 = and i64 %mode, 512
  %c9 = icmp ne i64 %m9, 0
  br i1 %c9, label %odd9, label %next9, !prof !2

odd9:
  %o9 = sdiv i64 %v8, 12
  br label %next9

next9:
  %v9 = phi i64 [ %v8, %next8 ], [ %o9, %odd9 ]
  %m10 = and i64 %mode, 1024
  %c10 = icmp ne i64 %m10, 0
  br i1 %c10, label %odd10, label %next10, !prof !2

odd10:
  %o10 = sdiv i64 %v9, 13
  br label %next10

next10:
  %v10 = phi i64 [ %v9, %next9 ], [ %o10, %odd10 ]
  %m11 = and i64 %mode, 2048
  %c11 = icmp ne i64 %m11, 0
  br i1 %c11, label %odd11, label %next11, !prof !2

odd11:
  %o11 = sdiv i64 %v10, 14
  br label %next11

next11:
  %v11 = phi i64 [ %v10, %next10 ], [ %o11, %odd11 ]
  ret i64 %v11

none:
  ret i64 -1
}

!0 = !{!"function_entry_count", i64 100000}
!1 = !{!"branch_weights", i32 100000, i32 0}
!2 = !{!"branch_weights", i32 0, i32 100000}
