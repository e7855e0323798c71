// tests: what a read gives is wanted at once.
// RUN: %optimize %s | %check %s
// PLAN: 1 coalesce get/0 get/1
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: read is not joined: write, pwrite and pwrite64 are
#include <unistd.h>
int get(int file, char *header, char *body) { return read(file, header, 4) == 4 && read(file, body, 100) == 100; }
