// tests: a way from the first write to the third that skips the second is none of the copy's: there it leaves.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1 put/2
// FLAGS: -O1
// CHECK-LABEL: define {{.*}} @put(
// CHECK: call i1 @thalweg_crossing_gather(i32 %{{.*}}, ptr %{{.*}}, i32 3, i64 -1, ptr %{{.*}})
// CHECK: decision 1 applied: 3 calls of write become one in put where the file is an ordinary one
#include <unistd.h>

extern int files[4];
extern char body[4096];

static int write_all(int file, const void *bytes, size_t size) {
    return write(file, bytes, size) == (ssize_t)size ? 0 : -1;
}

int put(unsigned head) {
    int result = write_all(files[0], &head, 4);
    if (result == 0)
        result = write_all(files[0], body, sizeof body);
    head += 1;
    if (result == 0)
        result = write_all(files[0], &head, 4);
    return result;
}
