// tests: a function that only reads may fault, too.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, size_of is called, which may fault: that would lose the first write
#include <unistd.h>
__attribute__((pure, nothrow)) size_t size_of(const char *body);
long put(int file, const char *body) {
    if (write(file, "head", 4) != 4)
        return -1;
    return write(file, body, size_of(body));
}
