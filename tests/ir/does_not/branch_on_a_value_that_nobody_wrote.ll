; tests: a loaded value that a fact speaks of may never have been written; to branch on it as it is would be undefined.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize loaded : load loaded/0:4 = 7

declare void @act()

; CHECK-LABEL: define i32 @loaded(
; CHECK: [[LOADED:%.*]] = load i32, ptr %p
; CHECK-NEXT: [[FROZEN:%.*]] = freeze i32 [[LOADED]]
; CHECK-NEXT: icmp eq i32 [[FROZEN]], 7
define i32 @loaded(ptr %p) {
  %v = load i32, ptr %p
  %low = and i32 %v, 1
  %odd = icmp eq i32 %low, 1
  br i1 %odd, label %yes, label %no
yes:
  call void @act()
  ret i32 1
no:
  ret i32 0
}
