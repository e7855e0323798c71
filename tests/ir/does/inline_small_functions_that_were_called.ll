; tests: what the counted run called and is small is inlined, from callees to callers, and simplified before it is inlined itself: the second load of what
; is known goes away. A call through a pointer is made direct first, by its counted targets.
; RUN: %optimize %s --passes thalweg,thalweg-small | %check %s
; CHECK-LABEL: define i64 @interpret(
; CHECK-NOT: call i64 @operand
; CHECK-COUNT-1: load i64
; CHECK-NOT: load i64
; CHECK: icmp eq ptr %{{.*}}, @operand
; CHECK-LABEL: define i64 @operand(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @interpret(ptr %code, ptr %operation) !prof !0 {
  %first = call i64 @operand(ptr %code)
  %second = call i64 @operand(ptr %code)
  %sum = add i64 %first, %second
  %third = call i64 %operation(ptr %code), !prof !1
  %all = add i64 %sum, %third
  ret i64 %all
}

define i64 @operand(ptr %code) !prof !2 {
  %read = load i64, ptr %code
  %again = load i64, ptr %code
  %sum = add i64 %read, %again
  ret i64 %sum
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"VP", i32 0, i64 1000, i64 -170328718963875759, i64 1000}
!2 = !{!"function_entry_count", i64 3000}
!llvm.module.flags = !{!10}
!10 = !{i32 1, !"ProfileSummary", !11}
!11 = !{!12, !13, !14, !15, !16, !17, !18, !19}
!12 = !{!"ProfileFormat", !"InstrProf"}
!13 = !{!"TotalCount", i64 4000}
!14 = !{!"MaxCount", i64 3000}
!15 = !{!"MaxInternalCount", i64 3000}
!16 = !{!"MaxFunctionCount", i64 3000}
!17 = !{!"NumCounts", i64 2}
!18 = !{!"NumFunctions", i64 2}
!19 = !{!"DetailedSummary", !20}
!20 = !{!21, !22}
!21 = !{i32 990000, i64 1000, i32 2}
!22 = !{i32 999999, i64 1, i32 2}
