; tests: an optimised program asks nobody: nothing of the recorder's is in it.
; RUN: %optimize %s | %check %s
; PLAN: 1 merge raise_all/0 = first

; CHECK-NOT: thalweg_probe
; CHECK: decision 1 applied
declare void @first(ptr)
@handlers = global [1 x ptr] [ptr @first]
define void @raise_all(ptr %list) {
entry:
  br label %body
body:
  %at = phi ptr [ %list, %entry ], [ %next, %body ]
  %function = load ptr, ptr %at
  call void %function(ptr %at)
  %next = getelementptr ptr, ptr %at, i64 1
  %more = load ptr, ptr %next
  %done = icmp eq ptr %more, null
  br i1 %done, label %end, label %body
end:
  ret void
}
