// tests: a text that fits is put into memory, with a zero byte behind it.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0
// CHECK-LABEL: define internal i32 @thalweg.snprintf.{{[0-9a-f]*}}(
// CHECK: icmp ult i64
// CHECK: call void @thalweg_crossing_put_hexadecimal(
// CHECK: store i8 0
// CHECK: slow:
// CHECK: @snprintf(
// CHECK: decision 1 applied
#include <stdio.h>
#include <unistd.h>
int main(int count, char **words) {
    char text[20];
    snprintf(text, sizeof text, "%08x", count + (words[0] == 0));
    return write(1, text, 8) != 8;
}
