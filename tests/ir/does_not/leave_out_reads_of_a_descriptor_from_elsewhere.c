// tests: where nothing tells of an open, nobody knows where in the file a read begins.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 look_at/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: no call of open or openat is among those that tell
#include "file.h"
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    look_at(0, &status);
    return (int)read_some(0, buffer, sizeof buffer);
}
