// tests: the memory in which the first puts its result is what the second is asked for.
// RUN: %optimize %s | %check %s
// PLAN: 1 overlap look_up/0 read_all/0 independent=536871321:1:1,2
// CHECK-NOT: call i32 @thalweg_crossing_
// CHECK: decision 1 refused: in both, no call goes out with the first: its arguments are the results of one before
#include "remote.h"
OWN_RESULT_STUB(look_up, 1)
STUB(read_all, 2)
int both(struct client *client, int number, int *result) {
    int first = 0;
    const int status = read_all(&number, &first, client);
    return status + read_all(&first, result, client);
}
