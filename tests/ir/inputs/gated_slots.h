// tests: slots that are passed over without a gate; each function's slot is written with the gate that belongs to it.
#pragma once

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
__attribute__((noinline)) void raise_all(const struct slot *list, const struct slot *end, int argument) {
    for (; list != end; ++list)
        if (list->gate)
            list->function(argument);
}
