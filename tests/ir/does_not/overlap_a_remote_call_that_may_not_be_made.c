// tests: whether the second is made depends on what the first gives.
// RUN: %optimize %s | %check %s
// PLAN: 1 overlap look_up/0 read_all/0 independent=536871321:1:1,2
// CHECK-NOT: call i32 @thalweg_crossing_
// CHECK: decision 1 refused: in both, no call goes out with the first: more than its success decides what follows
#include "remote.h"
OWN_RESULT_STUB(look_up, 1)
STUB(read_all, 2)
int both(struct client *client, int number, int *result) {
    int *one = look_up(&number, client);
    if (one == NULL || *one == 3)
        return -1;
    return read_all(&number, result, client);
}
