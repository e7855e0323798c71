// tests: where memory is limited, one block more might make another request fail.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: the program uses setrlimit
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
int limit(const struct rlimit *to) { return setrlimit(RLIMIT_DATA, to); }
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(200000);
        if (read(0, block, 200000) < 1)
            return 2;
        free(block);
    }
    return 0;
}
