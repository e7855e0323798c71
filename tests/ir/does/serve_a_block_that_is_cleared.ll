; tests: of malloc and what clears its block LLVM makes one call of calloc; where malloc goes by the thread's lists that does, too.
; RUN: %optimize %s --passes 'thalweg,function(dse),thalweg-late' | %check %s
; PLAN: 1 reuse malloc/0
; PLAN: 2 reuse free/0
; CHECK-LABEL: define {{.*}} @made(
; CHECK: call {{.*}}@thalweg.calloc
; CHECK-NOT: call {{.*}}@thalweg.malloc
; CHECK: decision 1 applied
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare noalias ptr @calloc(i64, i64) allockind("alloc,zeroed") allocsize(0,1) "alloc-family"="malloc"
declare void @free(ptr) allockind("free") "alloc-family"="malloc"
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define ptr @made() {
  %block = call ptr @malloc(i64 40)
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %clear

clear:
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 40, i1 false)
  br label %end

end:
  ret ptr %block
}

define void @gone(ptr %block) {
  call void @free(ptr %block)
  ret void
}

define i32 @main() {
  %block = call ptr @made()
  call void @gone(ptr %block)
  ret i32 0
}
