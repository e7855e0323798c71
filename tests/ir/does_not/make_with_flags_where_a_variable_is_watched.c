// tests: another thread or a handler may look at a volatile variable, and then at the descriptor.
// RUN: %optimize %s | %check %s
// PLAN: 1 fuse take/0 take/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: between the calls, there is a volatile or atomic access, or assembler
volatile int last;
#define BETWEEN last = fd
#include "take_connection.h"
