// tests: in front of a call of a function that isn't known, and of one through a pointer to none of the program's, a new epoch begins.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK: [[KNOWN:@thalweg.descriptors]] = internal global [{{[0-9]+}} x i64] [i64 1, i64 0,
// CHECK-LABEL: define {{.*}} @call_unknown(
// CHECK: atomicrmw add ptr [[KNOWN]], i64 1 monotonic
// CHECK-NEXT: store atomic i64 1,
// CHECK-NEXT: {{.*}}call void @of_another_library()
// CHECK-NEXT: store atomic i64 %{{.*}},
// CHECK-LABEL: define {{.*}} @call_through(
// CHECK: [[FOREIGN:%.*]] = icmp uge i64 %{{.*}}, sub (i64 ptrtoint (ptr @__stop_thalweg_own
// CHECK: br i1 [[FOREIGN]], label %[[BEGIN:[^ ,]+]],
// CHECK: [[BEGIN]]:
// CHECK-NEXT: atomicrmw add ptr [[KNOWN]], i64 1 monotonic
// CHECK-LABEL: define {{.*}} @close_it(
// CHECK: call void @thalweg_crossing_forget(ptr [[KNOWN]], i32 %file)
// CHECK-NEXT: call i32 @close(i32 {{.*}}%file)
// CHECK-LABEL: define {{.*}} @open_it(
// CHECK: [[EPOCH:%.*]] = load atomic i64, ptr [[KNOWN]] monotonic
// CHECK-NEXT: [[FILE:%.*]] = {{.*}}call i32 (ptr, i32, ...) @open(
// CHECK-NEXT: call void @thalweg_crossing_note_open(ptr [[KNOWN]], i64 [[EPOCH]], i32 [[FILE]], i32 2)
#include "put_parts.h"
void of_another_library(void);
int open(const char *path, int flags, ...);
int close(int file);
void call_unknown(void) { of_another_library(); }
void call_through(void (*function)(void)) { function(); }
void (*an_own_function(void))(void) { return call_unknown; }
int close_it(int file) { return close(file); }
int open_it(const char *path) { return open(path, 2); }
int main(int argc, char **argv) { return put(argc, argv[0], 8, 0); }
