// tests: realloc gives a block back that isn't handed out again as it is.
// RUN: %optimize %s | %check %s
// PLAN: 1 hoist main/0 main/2
// CHECK-NOT: call {{.*}}@thalweg_crossing
// CHECK: decision 1 refused: a call of realloc gives no block back that may be kept
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    for (int i = 0; i < count; ++i) {
        char *block = malloc(200000);
        if (read(0, block, 200000) < 1)
            return 2;
        block = realloc(block, 0);
    }
    return 0;
}
