// tests: an optimised program that is recorded counts the entries for which there were results, and those for which there were none.
// RUN: %optimize %s --count-guards | %check %s
// PLAN: 1 cache set_key
// CHECK: thalweg.kept:
// CHECK: getelementptr inbounds i64, ptr %{{.*}}, i64 2
// CHECK: thalweg.computes:
// CHECK: getelementptr inbounds i64, ptr %{{.*}}, i64 3
#include "key_schedule.h"
