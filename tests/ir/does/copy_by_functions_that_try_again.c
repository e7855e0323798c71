// tests: gnulib's safe_read and full_write are unfolded in the loop that calls them; what they do about errors and short writes is left to it.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse safe_read/0 safe_write/0
// CHECK-LABEL: define {{.*}} @copy(
// CHECK: [[BLOCK:%.*]] = select i1 %thalweg.no_buffer, i64 0, i64 32768
// CHECK: call i64 @thalweg_crossing_copy({{.*}}, i64 [[BLOCK]])
// CHECK: call i64 @read(
// CHECK: decision 1 applied: whole blocks of 32768 bytes
#include "copy_by_try_again.h"
