// tests: who was told where a variable is knows nothing of it any more in the loop's next round, where it begins a new life.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK: call i1 @thalweg_crossing_gather(
// CHECK: decision 1 applied: 2 calls of write become one in put where the file is an ordinary one
#include <unistd.h>

void tell(const long *count);
int put(int file, const char *body, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        long count[2];
        if (write(file, body, 4) != 4)
            return 1;
        count[0] = i;
        if (write(file, body + 4, 4) != 4)
            return 2;
        count[1] = 8;
        tell(count);
    }
    return 0;
}
