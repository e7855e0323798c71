// tests: where a layer is expected to gain more than the line in its function, the line says so; nothing has changed since the recording.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge fire/0 gain=1 = first second
// PLAN: 2 specialize fire gain=2 : load fire/0:4 = 2
// PLAN: 3 merge calls_fire/0 gain=1 = first
// CHECK-LABEL: define {{.*}} @fire(
// CHECK-NOT: thalweg.front
// CHECK-LABEL: define {{.*}} @calls_fire(
// CHECK: thalweg.front
// CHECK: ; decision 1 refused: decision 2 makes fire into code for its facts, from which more is expected
// CHECK: ; decision 2 applied
// CHECK: ; decision 3 applied
int count;
int other_count;
long cells[2];
struct slot {
    void (*function)(long *, long);
    long *cell;
} slots[4];
void (*others[4])(long *, long);

void first(long *cell, long value) { *cell += value; }
void second(long *cell, long value) { *cell ^= value; }

__attribute__((noinline)) void fire(long value) {
    for (int i = 0; i < count; ++i)
        slots[i].function(slots[i].cell, value);
}

void calls_fire(long value) {
    for (int i = 0; i < other_count; ++i) {
        others[i](cells, value);
        fire(value);
    }
}
