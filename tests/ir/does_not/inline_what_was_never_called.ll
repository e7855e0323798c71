; tests: what the counted run never called stays a call, however small it is: it would take registers from what was. So does what is larger than LLVM
; inlines in front of its counters: that is for link-time optimisation, which has all callers' counts.
; RUN: %optimize %s --passes thalweg,thalweg-small | %check %s
; CHECK-LABEL: define i64 @interpret(
; CHECK: call i64 @never
; CHECK: call i64 @large
; CHECK-LABEL: define i64 @never(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = external global [8 x i64]

define i64 @interpret(ptr %code, i1 %odd) !prof !0 {
  br i1 %odd, label %rare, label %usual, !prof !1

rare:
  %read = call i64 @never(ptr %code)
  ret i64 %read

usual:
  %made = call i64 @large(ptr %code)
  ret i64 %made
}

define i64 @never(ptr %code) !prof !2 {
  %read = load i64, ptr %code
  store i64 7, ptr %code
  %more = mul i64 %read, 77
  store i64 %more, ptr @table
  %far = udiv i64 %more, 13
  store i64 %far, ptr getelementptr (i8, ptr @table, i64 8)
  %near = xor i64 %far, %read
  store i64 %near, ptr getelementptr (i8, ptr @table, i64 16)
  %last = add i64 %near, %more
  store i64 %last, ptr getelementptr (i8, ptr @table, i64 24)
  ret i64 %last
}

define i64 @large(ptr %code) !prof !0 {
  %v0 = load volatile i64, ptr %code
  %v1 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 8)
  %v2 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 16)
  %v3 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 24)
  %v4 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 32)
  %v5 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 40)
  %v6 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 48)
  %v7 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 56)
  %v8 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 0)
  %v9 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 8)
  %v10 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 16)
  %v11 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 24)
  %v12 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 32)
  %v13 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 40)
  %v14 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 48)
  %v15 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 56)
  %v16 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 0)
  %v17 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 8)
  %v18 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 16)
  %v19 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 24)
  %v20 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 32)
  %v21 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 40)
  %v22 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 48)
  %v23 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 56)
  %v24 = load volatile i64, ptr getelementptr (i8, ptr @table, i64 0)
  ret i64 %v24
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 0, i32 1000}
!2 = !{!"function_entry_count", i64 0}
!llvm.module.flags = !{!10}
!10 = !{i32 1, !"ProfileSummary", !11}
!11 = !{!12, !13, !14, !15, !16, !17, !18, !19}
!12 = !{!"ProfileFormat", !"InstrProf"}
!13 = !{!"TotalCount", i64 2000}
!14 = !{!"MaxCount", i64 1000}
!15 = !{!"MaxInternalCount", i64 1000}
!16 = !{!"MaxFunctionCount", i64 1000}
!17 = !{!"NumCounts", i64 4}
!18 = !{!"NumFunctions", i64 3}
!19 = !{!"DetailedSummary", !20}
!20 = !{!21, !22}
!21 = !{i32 990000, i64 1000, i32 2}
!22 = !{i32 999999, i64 1000, i32 2}
