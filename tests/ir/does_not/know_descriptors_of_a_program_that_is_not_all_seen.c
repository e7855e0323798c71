// tests: in a library, other code of the process may change what it writes to: the file is asked for each time.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce put/0 put/1
// CHECK-NOT: thalweg.descriptors
// CHECK: call i1 @thalweg_crossing_may_gather(ptr @thalweg.file.1, i32 %file, ptr null)
#include "put_parts.h"
