// tests: calls that tell of a descriptor, and the one whose result may be known, are the crossing room's; an open stays, and is told of.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK: @thalweg.stretch = internal thread_local global [11 x i64] zeroinitializer
// CHECK-LABEL: define {{.*}} @main(
// CHECK-LABEL: define {{.*}} @open_file(
// CHECK: store i32 -1, ptr
// CHECK-NEXT: [[FILE:%.*]] = {{.*}}call i32 (ptr, i32, ...) @open(
// CHECK: call void @thalweg_crossing_opened(ptr {{.*}}, i32 [[FILE]], i32 0)
// CHECK-NEXT: ret i32 [[FILE]]
// CHECK-LABEL: define {{.*}} @look_at(
// CHECK: call i32 @thalweg_crossing_fstat_into(
// CHECK-LABEL: define {{.*}} @read_some(
// CHECK: call i64 @thalweg_crossing_read(
// CHECK: decision 1 applied: 1 call(s) of read are left out where what they give is known
#include "file.h"
int main(int count, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[count - 1]);
    look_at(file, &status);
    ssize_t sum = 0;
    for (ssize_t size = 1; size > 0; sum += size)
        size = read_some(file, buffer, sizeof buffer);
    return (int)sum;
}
