; tests: a loop that is come to when its two ends are alike: a list with a length is not looked at.
; RUN: %optimize %s | %check %s
; PLAN: 1 merge raise_all/0 = first second

declare void @first(ptr) nounwind willreturn memory(none)
declare void @second(ptr) nounwind willreturn memory(none)
@handlers = global [2 x ptr] [ptr @first, ptr @second]

; CHECK-LABEL: define void @raise_all(
; CHECK-NEXT: entry:
; CHECK-NEXT: icmp eq ptr %list, %end
; CHECK: decision 1 applied
define void @raise_all(ptr %list, ptr %end) {
entry:
  %alike = icmp eq ptr %list, %end
  br i1 %alike, label %first, label %out
first:
  br label %body
body:
  %at = phi ptr [ %list, %first ], [ %next, %body ]
  %function = load ptr, ptr %at
  call void %function(ptr %at)
  %next = getelementptr ptr, ptr %at, i64 1
  %done = icmp eq ptr %next, %end
  br i1 %done, label %out, label %body
out:
  ret void
}
