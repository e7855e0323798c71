; tests: the twin holds the addresses of the functions whose address is taken and of the variables, in the table's order.
; RUN: %probe %s | %check %s

define void @taken() {
  ret void
}
define void @only_called() {
  ret void
}
@pointer = global ptr @taken
@eight = global i64 0
@own = thread_local global i64 0
define void @caller() {
  call void @only_called()
  ret void
}
; CHECK: @thalweg_probe_symbols = hidden constant [3 x
; CHECK-SAME: { ptr @taken, i64 0 }
; CHECK-SAME: { ptr @pointer, i64 8 }
; CHECK-SAME: { ptr @eight, i64 8 }
; CHECK: @thalweg_probe_symbol_count = hidden constant i64 3
; CHECK: "name": "taken"
; CHECK: "name": "pointer"
; CHECK: "name": "eight"
