// tests: advice that nobody asks the result of may wait until the file turns out to be large; where the result is used, the file must be known.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide advise/0 open_file/0
// PLAN: 2 elide advise_and_ask/0 open_file/0
// CHECK-LABEL: define {{.*}} @advise(
// CHECK: call void @thalweg_crossing_advise(
// CHECK-LABEL: define {{.*}} @advise_and_ask(
// CHECK: call i32 @thalweg_crossing_posix_fadvise(
// CHECK: decision 2 applied
#include "file.h"
OWN void advise(int file) { posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL); }
OWN int advise_and_ask(int file) { return posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL); }
int main(int count, char **names) {
    const int file = open_file(names[count - 1]);
    advise(file);
    return advise_and_ask(file);
}
