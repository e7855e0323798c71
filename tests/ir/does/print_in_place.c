// tests: what is printed is put into the stream's buffer where there is room, and the library is called where there is none.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call i32 @thalweg.fprintf.[[FORMAT:[0-9a-f]*]](
// CHECK-LABEL: define internal i32 @thalweg.fprintf.{{[0-9a-f]*}}(ptr %0, ptr %1, ptr %2, i32 %3)
// CHECK: load i8, ptr @__libc_single_threaded
// CHECK: icmp ne ptr %2, null
// CHECK: call i64 @strlen(
// CHECK: call i64 @thalweg_crossing_decimal_digits(
// CHECK: call void @llvm.memcpy
// CHECK: store i8 45
// CHECK: call void @thalweg_crossing_put_decimal(
// CHECK: slow:
// CHECK: call i32 (ptr, ptr, ...) @fprintf(ptr %0, ptr %1, ptr %2, i32 %3)
// CHECK: decision 1 applied
#include <stdio.h>
int main(int count, char **words) { return fprintf(stdout, "%s=%d\n", words[0], count) < 0; }
