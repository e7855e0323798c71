// tests: whether a slot is passed over because of what lies beside its function is told by what the program always writes there.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// CHECK: @thalweg.image = {{.*}} [ptr @gate_one, ptr @first, ptr @gate_two, ptr @second], align 16
struct slot {
    const int *gate;
    void (*function)(int);
};
const int gate_one = 1, gate_two = 2;
int sum;
static void first(int argument) { sum += argument; }
static void second(int argument) { sum ^= argument; }
void add_first(struct slot *at) {
    at->function = first;
    at->gate = &gate_one;
}
void add_second(struct slot *at) {
    at->function = second;
    at->gate = &gate_two;
}
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-COUNT-1: call i1 @thalweg.same(
// CHECK-NEXT: br i1
// CHECK-NOT: br i1
// CHECK: store i32
__attribute__((noinline)) void raise_all(const struct slot *list, const struct slot *end, int argument) {
    for (; list != end; ++list)
        if (list->gate)
            list->function(argument);
}
