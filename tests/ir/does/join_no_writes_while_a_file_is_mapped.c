// tests: once a file is mapped, for all to see or not, what is written may be read from memory at once: the calls are made one by one.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK: [[NOTE:@thalweg.mapped_file]] = internal global i8 0
// CHECK-LABEL: define {{.*}} @put(
// CHECK: [[MAPPED:%.*]] = load atomic i8, ptr [[NOTE]] monotonic
// CHECK: [[NONE:%.*]] = icmp eq i8 [[MAPPED]], 0
// CHECK: [[MAY:%.*]] = and i1 %{{.*}}, [[NONE]]
// CHECK: br i1 [[MAY]], label %thalweg.ask
// CHECK-LABEL: define {{.*}} @map(
// CHECK: and i32 %{{.*}}, 32
// CHECK: store atomic i8 %{{.*}}, ptr [[NOTE]] monotonic
// CHECK-NEXT: call ptr @mmap(
#include "put_parts.h"
void *mmap(void *, size_t, int, int, int, off_t);
void *map(int file, size_t size, int flags) { return mmap(0, size, 1, flags, file, 0); }
