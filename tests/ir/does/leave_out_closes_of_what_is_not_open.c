// tests: a loop that closes every number asks before each call whether the number is known to be none; what is known is forgotten where it begins.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide close_all/0
// CHECK-LABEL: define {{.*}} @close_all(
// CHECK: [[NUMBERS:%[^ ]*]] = alloca [5 x i32], align 4
// CHECK: store [5 x i32] zeroinitializer, ptr [[NUMBERS]]
// CHECK: [[ABSENT:%.*]] = call i1 @thalweg_crossing_is_absent(ptr {{.*}}[[NUMBERS]], i32 [[NUMBER:%[^)]*]])
// CHECK-NEXT: br i1 [[ABSENT]], label %{{.*}}, label %[[MADE:[^,]*]]
// CHECK: [[MADE]]:
// CHECK-NEXT: [[RESULT:%[^ ]*]] = {{.*}}call i32 @close(i32 {{.*}}[[NUMBER]])
// CHECK-NEXT: call void @thalweg_crossing_was_made(ptr [[NUMBERS]], i32 [[NUMBER]], i32 [[RESULT]])
// CHECK-NEXT: br label
// CHECK: decision 1 applied: close is made for numbers that may be descriptors
#include <unistd.h>
void close_all(int from, int count) {
    for (int number = from; number < count; ++number)
        close(number);
}
