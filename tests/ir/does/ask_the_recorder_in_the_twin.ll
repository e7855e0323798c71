; tests: the twin counts in a slot, which the list's address chooses, asks whether to record, and its copy of the loop tells each target and the end.
; RUN: %probe %s | %check %s

; CHECK: @thalweg_probe_slots = external thread_local(initialexec) global ptr
; CHECK-LABEL: define void @raise_all(
; CHECK: [[SLOTS:%.*]] = load ptr, ptr {{.*}}
; CHECK: ptrtoint ptr %list to i64
; CHECK: and i64 {{.*}}, 131040
; CHECK: [[LEFT:%.*]] = sub i32
; CHECK: store i32 [[LEFT]], ptr
; CHECK: [[OVER:%.*]] = icmp slt i32 [[LEFT]], 0
; CHECK: br i1 [[OVER]], label %thalweg.ask, label %thalweg.plain, !prof
; CHECK: {{^}}body:
; CHECK-NOT: call {{.*}}@thalweg_probe_{{enter|target|leave}}
; CHECK: {{^}}thalweg.ask:
; CHECK: call i32 @thalweg_probe_enter(i32 0, i32 {{%.*}}, ptr null, ptr
; CHECK: {{^}}body.thalweg:
; CHECK: notail call void @thalweg_probe_target(i32 0, ptr [[FUNCTION:%.*]], ptr [[AT:%.*]])
; CHECK-NEXT: call void [[FUNCTION]](ptr [[AT]])
; CHECK: notail call void @thalweg_probe_leave(i32 0)
; CHECK: "function": "raise_all"
define void @raise_all(ptr %list) {
entry:
  br label %body
body:
  %at = phi ptr [ %list, %entry ], [ %next, %body ]
  %function = load ptr, ptr %at
  call void %function(ptr %at)
  %link = getelementptr ptr, ptr %at, i64 1
  %next = load ptr, ptr %link
  %done = icmp eq ptr %next, null
  br i1 %done, label %end, label %body
end:
  ret void
}
