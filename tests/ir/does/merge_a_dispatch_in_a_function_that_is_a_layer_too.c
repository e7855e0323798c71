// tests: a list's loop is found, and its function's hash taken, before anything is changed. A function has one body: it becomes what more is
// expected from, and the other decision says which that is.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge fire/0 gain=2 = first second
// PLAN: 2 specialize fire gain=1 : load fire/0:4 = 2
// CHECK-LABEL: define {{.*}} @fire(
// CHECK: thalweg.front
// CHECK: ; decision 1 applied: 2 targets merged into a straight line in fire
// CHECK: ; decision 2 refused: decision 1 merges a dispatch in fire, from which more is expected
int count;
long cells[2];
struct slot {
    void (*function)(long *, long);
    long *cell;
} slots[4];

void first(long *cell, long value) { *cell += value; }
void second(long *cell, long value) { *cell ^= value; }

void fire(long value) {
    for (int i = 0; i < count; ++i)
        slots[i].function(slots[i].cell, value);
}
