// tests: the next is only made after success, by a stub with a result of its own; its argument, written between, is also written early.
// RUN: %optimize %s | %check %s
// PLAN: 1 overlap look_up/0 read_all/0 independent=536871321:1:1,2
// CHECK-LABEL: define {{.*}} @both(
// CHECK: %early = alloca
// CHECK: store i32 %number, ptr %argument
// CHECK: store i32 %other, ptr {{%[0-9]+}}, align 1
// CHECK: call i32 @thalweg_crossing_first_call(
// CHECK: store i32 %other, ptr %argument
// CHECK: call i32 @thalweg_crossing_next_call(
// CHECK: decision 1 applied
#include "remote.h"
OWN_RESULT_STUB(look_up, 1)
OWN_RESULT_STUB(read_all, 2)
int both(struct client *client, int number, int other) {
    int argument = number;
    int *one = look_up(&argument, client);
    if (one == NULL)
        return -1;
    argument = other;
    int *two = read_all(&argument, client);
    return two == NULL ? -2 : *one + *two;
}
