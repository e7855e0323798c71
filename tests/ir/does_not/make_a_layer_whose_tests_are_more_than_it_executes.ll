; tests: facts that are tested where much is executed, and decide only where little is. By the counts the copy executes more than twice as much; as it
; tells of no more of the original than that executes, it is believed, however many branches it decides.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize take growth=4000 : load take/0:8 = 5 ; load take/1:8 = 5 ; load take/2:8 = 5 ; load take/3:8 = 5 ; load take/4:8 = 5 ; load take/5:8 = 5
; CHECK: decision 1 refused: an entry would execute
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @take(ptr %table, i64 %index) noinline !prof !0 {
  %at0 = getelementptr i8, ptr %table, i64 0
  %m0 = load i64, ptr %at0
  %at1 = getelementptr i8, ptr %table, i64 8
  %m1 = load i64, ptr %at1
  %at2 = getelementptr i8, ptr %table, i64 16
  %m2 = load i64, ptr %at2
  %at3 = getelementptr i8, ptr %table, i64 24
  %m3 = load i64, ptr %at3
  %at4 = getelementptr i8, ptr %table, i64 32
  %m4 = load i64, ptr %at4
  %at5 = getelementptr i8, ptr %table, i64 40
  %m5 = load i64, ptr %at5
  %rare = icmp ugt i64 %index, 1000
  br i1 %rare, label %r0, label %done, !prof !1

r0:
  %p0 = phi i64 [ %index, %0 ]
  %c0 = icmp eq i64 %m0, 3
  br i1 %c0, label %odd0, label %r1

odd0:
  %d0 = sdiv i64 %p0, 3
  br label %r1

r1:
  %p1 = phi i64 [ %p0, %r0 ], [ %d0, %odd0 ]
  %c1 = icmp eq i64 %m0, 4
  br i1 %c1, label %odd1, label %r2

odd1:
  %d1 = sdiv i64 %p1, 4
  br label %r2

r2:
  %p2 = phi i64 [ %p1, %r1 ], [ %d1, %odd1 ]
  %c2 = icmp eq i64 %m1, 3
  br i1 %c2, label %odd2, label %r3

odd2:
  %d2 = sdiv i64 %p2, 5
  br label %r3

r3:
  %p3 = phi i64 [ %p2, %r2 ], [ %d2, %odd2 ]
  %c3 = icmp eq i64 %m1, 4
  br i1 %c3, label %odd3, label %r4

odd3:
  %d3 = sdiv i64 %p3, 6
  br label %r4

r4:
  %p4 = phi i64 [ %p3, %r3 ], [ %d3, %odd3 ]
  %c4 = icmp eq i64 %m2, 3
  br i1 %c4, label %odd4, label %r5

odd4:
  %d4 = sdiv i64 %p4, 7
  br label %r5

r5:
  %p5 = phi i64 [ %p4, %r4 ], [ %d4, %odd4 ]
  %c5 = icmp eq i64 %m2, 4
  br i1 %c5, label %odd5, label %r6

odd5:
  %d5 = sdiv i64 %p5, 8
  br label %r6

r6:
  %p6 = phi i64 [ %p5, %r5 ], [ %d5, %odd5 ]
  %c6 = icmp eq i64 %m3, 3
  br i1 %c6, label %odd6, label %r7

odd6:
  %d6 = sdiv i64 %p6, 9
  br label %r7

r7:
  %p7 = phi i64 [ %p6, %r6 ], [ %d6, %odd6 ]
  %c7 = icmp eq i64 %m3, 4
  br i1 %c7, label %odd7, label %r8

odd7:
  %d7 = sdiv i64 %p7, 10
  br label %r8

r8:
  %p8 = phi i64 [ %p7, %r7 ], [ %d7, %odd7 ]
  %c8 = icmp eq i64 %m4, 3
  br i1 %c8, label %odd8, label %r9

odd8:
  %d8 = sdiv i64 %p8, 11
  br label %r9

r9:
  %p9 = phi i64 [ %p8, %r8 ], [ %d8, %odd8 ]
  %c9 = icmp eq i64 %m4, 4
  br i1 %c9, label %odd9, label %r10

odd9:
  %d9 = sdiv i64 %p9, 12
  br label %r10

r10:
  %p10 = phi i64 [ %p9, %r9 ], [ %d9, %odd9 ]
  %c10 = icmp eq i64 %m5, 3
  br i1 %c10, label %odd10, label %r11

odd10:
  %d10 = sdiv i64 %p10, 13
  br label %r11

r11:
  %p11 = phi i64 [ %p10, %r10 ], [ %d10, %odd10 ]
  %c11 = icmp eq i64 %m5, 4
  br i1 %c11, label %odd11, label %r12

odd11:
  %d11 = sdiv i64 %p11, 14
  br label %r12

r12:
  %p12 = phi i64 [ %p11, %r11 ], [ %d11, %odd11 ]
  br label %done

done:
  %v = phi i64 [ 0, %0 ], [ %p12, %r12 ]
  ret i64 %v
}

!0 = !{!"function_entry_count", i64 100000}
!1 = !{!"branch_weights", i32 1, i32 1000000}
