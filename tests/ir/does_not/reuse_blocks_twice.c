// tests: of two decisions about one function the second has nothing to do, and what calls the library does not call itself.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse malloc/0
// PLAN: 2 reuse malloc/0
// CHECK-LABEL: define internal ptr @thalweg.malloc(i64
// CHECK: library:
// CHECK: call ptr @malloc(
// CHECK: decision 1 applied
// CHECK: decision 2 refused: another decision is about malloc already
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    void *block = malloc((size_t)count);
    return write(1, block, 0) != 0;
}
