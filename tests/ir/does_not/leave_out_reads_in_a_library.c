// tests: of a library's process too little is seen.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: there is no main here
#include "file.h"
int first_bytes(const char *name, char *buffer) { return (int)read_some(open_file(name), buffer, 100); }
