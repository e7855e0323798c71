// tests: an index, a divisor, a field beside one that was read and a string are tested where the writes are one; what was read is not.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-LABEL: define {{.*}} @put(
// CHECK: [[KIND:%.*]] = load i64, ptr %record
// CHECK: @thalweg_crossing_may_gather
// CHECK: load i64, ptr %record{{[, ]}}
// CHECK-NOT: icmp ult i64 %{{.*}}, 4096
// CHECK: icmp ult i64 %{{.*}}, 4096
// CHECK: icmp ule i64 %{{.*}}, 24
// CHECK: icmp ne i64 %{{.*}}, 0
// CHECK: call ptr @memchr(ptr %{{.*}}, i32 0, i64 %{{.*}})
// CHECK: @thalweg_crossing_gather
// CHECK: decision 1 applied: 2 calls of write become one in put
#include <string.h>
#include <unistd.h>
struct record {
    long kind, number, parts;
};
static long sizes[4] = {1, 2, 3, 4};
void set_size(int which, long size) { sizes[which & 3] = size; }
long put(int file, const struct record *record, const char *name) {
    const char head[8] = {(char)record->kind, name[0]};
    if (write(file, head, 8) != 8)
        return -1;
    const unsigned long all = record->kind * sizes[record->number];
    return write(file, name, all / (unsigned long)record->kind + strlen(name));
}
