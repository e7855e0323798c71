; tests: an argument that is not said to be defined may be anything; to branch on it as it is would be undefined. One that is said
; to be is tested as it is.
; RUN: %optimize %s | %check %s
; PLAN: 1 specialize passed : argument passed/0:4 = 7
; PLAN: 2 specialize defined : argument defined/0:4 = 7

declare void @act()

; CHECK-LABEL: define i32 @passed(
; CHECK: [[FROZEN:%.*]] = freeze i32 %v
; CHECK-NEXT: icmp eq i32 [[FROZEN]], 7
define i32 @passed(i32 %v) {
  %low = and i32 %v, 1
  %odd = icmp eq i32 %low, 1
  br i1 %odd, label %yes, label %no
yes:
  call void @act()
  ret i32 1
no:
  ret i32 0
}

; CHECK-LABEL: define i32 @defined(
; CHECK-NOT: freeze
; CHECK: icmp eq i32 %v, 7
define i32 @defined(i32 noundef %v) {
  %low = and i32 %v, 1
  %odd = icmp eq i32 %low, 1
  br i1 %odd, label %yes, label %no
yes:
  call void @act()
  ret i32 1
no:
  ret i32 0
}
