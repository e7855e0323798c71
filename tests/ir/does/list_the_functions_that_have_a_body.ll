; tests: every function that has a body is in the table, with its hash: facts can speak of it. One without is not.
; RUN: %probe %s | %check %s

; CHECK: "functions": [
; CHECK-NEXT: {
; CHECK-NEXT: "name": "inner",
; CHECK-NEXT: "body_hash": "0x{{[0-9a-f]*[1-9a-f][0-9a-f]*}}",
; CHECK-NEXT: "instructions": 2,
; CHECK: "name": "outer",
; CHECK-NOT: "name": "outside"

define internal i32 @inner(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}

declare void @outside()

define i32 @outer(ptr %p) {
  call void @outside()
  %v = call i32 @inner(ptr %p)
  ret i32 %v
}
