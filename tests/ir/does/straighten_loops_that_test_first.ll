; tests: a loop whose test stands at the top of an iteration.
; RUN: %optimize %s | %check %s
; PLAN: 1 merge raise_all/0 = first second

declare void @first(ptr)
declare void @second(ptr)
@handlers = global [2 x ptr] [ptr @first, ptr @second]

; CHECK-LABEL: define void @raise_all(
; CHECK: call void @first(
; CHECK: call void @second(
; CHECK: decision 1 applied
define void @raise_all(ptr %list) {
entry:
  br label %head
head:
  %at = phi ptr [ %list, %entry ], [ %next, %body ]
  %done = icmp eq ptr %at, null
  br i1 %done, label %end, label %body
body:
  %function = load ptr, ptr %at
  call void %function(ptr %at)
  %link = getelementptr ptr, ptr %at, i64 1
  %next = load ptr, ptr %link
  br label %head
end:
  ret void
}
