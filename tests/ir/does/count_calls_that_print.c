// tests: the twin counts a call that could be written in place, and none whose format it doesn't know.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call void @thalweg_probe_system_call(i64 549755813888, i64 -1, ptr null, i64 0, i64 -1, i64 0)
// CHECK: call i32 @fputs(
// CHECK-NOT: call void @thalweg_probe_system_call
// CHECK: @printf(
#include <stdio.h>
int main(int count, char **words) {
    fputs(words[0], stderr);
    return printf(words[1], count) < 0;
}
