; tests: loops of the runtime's functions, and the slow rest of a raise, are no dispatch sites; a user's loop is one.
; RUN: %probe %s | %check %s

; CHECK: "sites": [
; CHECK-NEXT: {
; CHECK: "function": "user"
; CHECK-NOT: "function":
; CHECK: "symbols"

declare ptr @thalweg_dispatch_next(ptr, ptr, ptr)

define void @user(ptr %list) {
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
define void @thalweg_run_tasks(ptr %list) {
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
define void @slow_rest(ptr %core, ptr %frame, ptr %first) {
entry:
  br label %body
body:
  %slot = phi ptr [ %first, %entry ], [ %next, %body ]
  %function = load ptr, ptr %slot
  call void %function(ptr %slot)
  %next = call ptr @thalweg_dispatch_next(ptr %core, ptr %frame, ptr %slot)
  %done = icmp eq ptr %next, null
  br i1 %done, label %end, label %body
end:
  ret void
}
