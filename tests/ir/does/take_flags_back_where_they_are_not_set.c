// tests: on a way that leads elsewhere the flags are taken away again, before anything else happens; only a process of one thread does this.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-LABEL: define {{.*}} @take(
// CHECK: call i1 @thalweg_crossing_may_flag(ptr @thalweg.maker.1, i32 1)
// CHECK: [[SET:%.*]] = load i1, ptr %thalweg.flags_are_set
// CHECK: br i1 [[SET]], label %[[BACK:.*]], label %[[ON:.*]]
// CHECK: [[BACK]]:
// CHECK: [[FD:%.*]] = load i32, ptr %thalweg.made
// CHECK: call void @thalweg_crossing_take_back(ptr @thalweg.maker.1, i32 [[FD]], i32 1)
// CHECK: store i1 false, ptr %thalweg.flags_are_set
// CHECK: br label %[[ON]]
// CHECK: [[ON]]:
// CHECK-NEXT: call void @tell(
// CHECK: decision 1 applied: 1 calls behind accept in take are left out, as accept4 sets the flags
void tell(int);
extern int chatty;
#define BETWEEN                                                                                                        \
    if (chatty)                                                                                                        \
    tell(fd)
#include "take_connection.h"
