// tests: a handler that comes at the first write would find a variable, of which it was told, with what is stored in it after that.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, memory is written that others may see
#include <unistd.h>

void tell(const long *count);
int put(int file, const char *body, int rounds) {
    long count[2] = {0, 0};
    tell(count);
    for (int i = 0; i < rounds; ++i) {
        if (write(file, body, 4) != 4)
            return 1;
        count[0] = i;
        if (write(file, body + 4, 4) != 4)
            return 2;
        count[1] = 8;
    }
    return 0;
}
