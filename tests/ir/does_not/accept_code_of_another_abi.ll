; tests: what was compiled against another version of the ABI is refused, with both numbers; what was compiled against this one is not.
; RUN: %probe %s | %check %s
; RUN: sed 's/i32 999/i32 1/' %s > %t.ll
; RUN: %probe %t.ll | %check --check-prefix=OURS %s
; CHECK: compiled against version 999 of Thalweg's ABI, and this plug-in has version 1: compile the program again
; OURS: @object = {{.*}}constant i32 1, section "thalweg_abi"
; OURS-NEXT: @thalweg.abi = {{.*}}constant i32 1, section "thalweg_abi"
@object = internal constant i32 999, section "thalweg_abi"
@llvm.used = appending global [1 x ptr] [ptr @object], section "llvm.metadata"

define i32 @main() {
  ret i32 0
}
