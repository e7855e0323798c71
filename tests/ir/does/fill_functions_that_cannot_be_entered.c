// tests: a function without an instruction would lie where the next one begins, whose exception table the linker then loses: it gets a trap. One
// that has a call before its end, or returns, is as it was.
// RUN: %optimize --passes thalweg,thalweg-late %s | %check %s
// CHECK-LABEL: define {{.*}}@never(
// CHECK: call void @llvm.trap()
// CHECK-NEXT: unreachable
// CHECK-LABEL: define {{.*}}@ends(
// CHECK-NOT: @llvm.trap
// CHECK: call void @abort()
// CHECK-LABEL: define {{.*}}@returns(
// CHECK-NOT: @llvm.trap
// CHECK: ret void
#include <stdlib.h>
__attribute__((noinline)) void never(void) { __builtin_unreachable(); }
__attribute__((noinline)) void ends(void) { abort(); }
__attribute__((noinline)) void returns(void) {}
int main(int count, char **words) {
    (void)words;
    if (count > 7)
        ends();
    returns();
    return 0;
}
