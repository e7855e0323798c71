// tests: a call that ends a stretch, and one of the crossing room, is a call of the same form as before; a function of its own does the rest.
// RUN: %optimize --passes thalweg,thalweg-late %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @main(
// CHECK: @read_some(
// CHECK-NOT: store
// CHECK: call i32 (ptr, ...) @thalweg.0.printf(ptr {{.*}}, double
// CHECK: }
// CHECK-LABEL: define {{.*}} @open_file(
// CHECK-NOT: store
// CHECK: call i32 (ptr, i32, ...) @thalweg.-1.open(ptr {{.*}}, i32 {{.*}})
// CHECK-LABEL: define {{.*}} @read_some(
// CHECK-NEXT: entry:
// CHECK-NEXT: call i64 @thalweg.own.thalweg_crossing_read(i32 %file, ptr %buffer, i64 100)
// CHECK: define internal i32 @thalweg.0.printf(ptr %0, ...)
// CHECK-NEXT: %[[PLACE:.*]] = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr {{.*}}@thalweg.stretch)
// CHECK-NEXT: store i32 0, ptr %[[PLACE]]
// CHECK-NEXT: %[[RESULT:.*]] = musttail call i32 (ptr, ...) @printf(ptr %0, ...)
// CHECK-NEXT: ret i32 %[[RESULT]]
// CHECK: define internal i64 @thalweg.own.thalweg_crossing_read(i32 %0, ptr %1, i64 %2)
// CHECK: tail call i64 @thalweg_crossing_read(ptr %{{.*}}, i32 %0, ptr %1, i64 %2)
// CHECK: decision 1 applied
#include "file.h"
#include <stdio.h>
int main(int count, char **names) {
    char buffer[100];
    struct stat status;
    const int file = open_file(names[count - 1]);
    look_at(file, &status);
    const ssize_t size = read_some(file, buffer, sizeof buffer);
    printf("%f %d\n", (double)size, count);
    return 0;
}
