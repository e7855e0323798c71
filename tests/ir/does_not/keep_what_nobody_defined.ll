; tests: a program that returns what nobody defined goes on as it went.
; RUN: %optimize %s | %check %s
; PLAN: 1 cache undefined
; CHECK-NOT: thalweg.kept
; CHECK: decision 1 refused: {{.*}}: what it returns is not defined
define i32 @undefined() noinline {
  ret i32 poison
}
define i32 @main() {
  %one = call i32 @undefined()
  ret i32 0
}
