// tests: so does one that marks all but two of them to be closed by exec, whatever it does with the result.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide mark_all/0
// CHECK-LABEL: define {{.*}} @mark_all(
// CHECK: call i1 @thalweg_crossing_is_absent(
// CHECK: [[RESULT:%.*]] = {{.*}}call i32 (i32, i32, ...) @fcntl(
// CHECK-NEXT: call void @thalweg_crossing_was_made(
// CHECK: phi i32 [ [[RESULT]], {{.*}} ], [ -1, {{.*}} ]
// CHECK: decision 1 applied: fcntl is made for numbers that may be descriptors
#include <errno.h>
#include <fcntl.h>
int mark_all(int last, int but, int and_but) {
    for (int number = last; number > 2; --number)
        if (number != but && number != and_but)
            if (fcntl(number, F_SETFD, FD_CLOEXEC) != 0 && errno != EBADF)
                return -1;
    return 0;
}
