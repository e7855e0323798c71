; tests: malloc's block that is cleared at once is counted with the stores that clear it (some 23 instructions an entry), not as one call of calloc, in which
; they would be out of sight (12).
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize make growth=100 : argument make/0 = 0
; CHECK: decision 1 refused: an entry would execute {{[2-9][0-9].[0-9]}} machine instructions, {{[2-9][0-9].[0-9]}} as it is
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @malloc(i64) #0
declare ptr @take(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define ptr @make(i64 %mode, i64 %value) noinline !prof !0 {
  %pooled = icmp eq i64 %mode, 1
  br i1 %pooled, label %pool, label %heap, !prof !1

pool:
  %old = call ptr @take(i64 96)
  br label %both

heap:
  %new = call ptr @malloc(i64 96)
  br label %both

both:
  %block = phi ptr [ %old, %pool ], [ %new, %heap ]
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 96, i1 false)
  %place = getelementptr i64, ptr %block, i64 3
  store i64 %value, ptr %place
  br i1 %pooled, label %mark, label %end, !prof !1

mark:
  %other = getelementptr i64, ptr %block, i64 4
  store i64 %value, ptr %other
  br label %end

end:
  ret ptr %block
}

define i32 @main(i32 %count, ptr %words) !prof !2 {
  %mode = sext i32 %count to i64
  %block = call ptr @make(i64 %mode, i64 7)
  %none = icmp eq ptr %block, null
  %status = zext i1 %none to i32
  ret i32 %status
}

attributes #0 = { allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc" memory(inaccessiblemem: readwrite) nounwind }
!0 = !{!"function_entry_count", i64 100000}
!1 = !{!"branch_weights", i32 1, i32 100000}
!2 = !{!"function_entry_count", i64 1}
