// tests: what is read is taken out of the stream's buffer where it lies there, and the library is called where it doesn't.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0
// PLAN: 2 expand main/1
// CHECK-LABEL: define {{.*}} @main(
// CHECK: call i32 @thalweg.getc(
// CHECK: call ptr @thalweg.fgets(
// CHECK-LABEL: define internal i32 @thalweg.getc(ptr %0)
// CHECK: load i8, ptr @__libc_single_threaded
// CHECK: [[AT:%.*]] = load ptr, ptr
// CHECK: [[END:%.*]] = load ptr, ptr
// CHECK: icmp ult ptr [[AT]], [[END]]
// CHECK: load i8, ptr [[AT]]
// CHECK: slow:
// CHECK: call i32 @getc(ptr %0)
// CHECK-LABEL: define internal ptr @thalweg.fgets(ptr %0, i32 %1, ptr %2)
// CHECK: call ptr @memchr(
// CHECK: call void @llvm.memcpy
// CHECK: slow:
// CHECK: call ptr @fgets(ptr %0, i32 %1, ptr %2)
// CHECK: decision 1 applied: what it reads is taken in place, by thalweg.getc
// CHECK: decision 2 applied
#include <stdio.h>
int main(int count, char **words) { return getc(stdin) + (fgets(words[0], count, stdin) != NULL); }
