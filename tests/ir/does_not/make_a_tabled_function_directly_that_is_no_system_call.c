// tests: what a table holds of the program's own is called through the table, as it was.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @call_it(
// CHECK-NOT: icmp eq ptr
// CHECK: call i32 %
int own(int number) { return number + 1; }
static int (*table[])(int) = {own};
void put(int (*function)(int)) { table[0] = function; }
int call_it(int number) { return table[0](number); }
