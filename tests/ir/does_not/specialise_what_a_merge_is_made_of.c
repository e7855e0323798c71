// tests: a small dispatcher is no layer of its own where dispatches of its callers' copies are merged.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 merge greet/0 = hello again
// PLAN: 2 specialize each : load each/0:4 = 2
// CHECK: decision 1 applied
// CHECK: decision 2 refused: decision 1 merges dispatches in greet, which gets a copy of its body
struct list {
    int count;
    void (*functions[8])(int);
};

void tell(int value);
void hello(int value) { tell(value); }
void again(int value) { tell(value + 1); }

void each(const struct list *list, int value) {
    for (int i = 0; i < list->count; ++i)
        list->functions[i](value);
}

void greet(const struct list *list) { each(list, 1); }
void part(const struct list *list) { each(list, 2); }
