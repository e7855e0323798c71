// tests: what fstat tells may have changed since it was called; and a close has an effect.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide look_at/0 open_file/0
// PLAN: 2 elide main/0 open_file/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the result of fstat is news
// CHECK: decision 2 refused: the result of close isn't known
#include "file.h"
int main(int arguments, char **names) {
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    return close(file);
}
