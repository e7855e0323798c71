// tests: what a layer's copy of a call prints is put in place, too.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize report : load report/0:4 = 1
// PLAN: 2 expand report/0
// CHECK-LABEL: define {{.*}} @report(
// CHECK: call i32 @thalweg.fprintf.
// CHECK: call i32 @thalweg.fprintf.
// CHECK-NOT: call {{.*}} @fprintf(ptr %
// CHECK-LABEL: define
// CHECK: decision 1 applied
// CHECK: decision 2 applied: {{.*}} at 2 copies of the call
#include <stdio.h>
struct mode {
    int is_short;
    int width;
};
int report(const struct mode *mode, FILE *to, int number) {
    if (!mode->is_short)
        for (int i = mode->width; i > 0; --i)
            number = number * 31 + i;
    return fprintf(to, "%d\n", number);
}
