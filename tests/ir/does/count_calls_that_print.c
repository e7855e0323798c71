// tests: the twin counts a call that could be written in place, and none whose format it doesn't know.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @main(
// CHECK: [[COUNT:%.*]] = load i64, ptr getelementptr inbounds (i64, ptr @thalweg_probe_counters, i64 [[SITE:[0-9]+]])
// CHECK: store i64 %{{.*}}, ptr getelementptr inbounds (i64, ptr @thalweg_probe_counters, i64 [[SITE]])
// CHECK: call i32 @fputs(
// CHECK-NOT: store i64 {{.*}}@thalweg_probe_counters
// CHECK: @printf(
#include <stdio.h>
int main(int count, char **words) {
    fputs(words[0], stderr);
    return printf(words[1], count) < 0;
}
