// tests: `first` goes where it is not seen what is written beside it.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
// CHECK: @thalweg.image = {{.*}} [ptr @first, ptr @gate_two, ptr @second, ptr null], align 16
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
struct slot given = {&gate_one, first};
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: icmp eq ptr {{.*}}, null
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct slot *list, const struct slot *end, int argument) {
    for (; list != end; ++list)
        if (list->gate)
            list->function(argument);
}
