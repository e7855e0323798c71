// tests: three calls of declared procedures by stubs: the first sends all, and each takes its own reply.
// RUN: %optimize %s | %check %s
// PLAN: 1 overlap look_up/0 read_all/0 independent=536871321:1:1,2
// CHECK: @thalweg.remote = internal global
// CHECK-LABEL: define {{.*}} @all(
// CHECK: call i32 @thalweg_crossing_first_call(ptr @thalweg.remote, ptr {{.*}}, ptr %flight, ptr %requests, i32 3, ptr %client, ptr %answer)
// CHECK: call i32 @thalweg_crossing_next_call(ptr @thalweg.remote, ptr {{.*}}, ptr %flight, i32 1,
// CHECK: call i32 @thalweg_crossing_next_call(ptr @thalweg.remote, ptr {{.*}}, ptr %flight, i32 2,
// CHECK: ret
// CHECK: decision 1 applied: 3 remote calls go out together, in 1 row: in all
#include "remote.h"
STUB(look_up, 1)
STUB(read_all, 2)
int all(struct client *client, int *results) {
    int arguments[3] = {5, 6, 7};
    const int one = look_up(&arguments[0], &results[0], client);
    const int two = read_all(&arguments[1], &results[1], client);
    return one + two + read_all(&arguments[2], &results[2], client);
}
