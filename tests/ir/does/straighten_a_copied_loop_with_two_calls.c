// tests: a dispatcher with two calls through pointers in its loop, of which each caller gets a copy: both calls are found in the copy, whichever
// LLVM's loop has first.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 merge one/0 = add#0 add#0 add#0
// CHECK-LABEL: define {{.*}} @one(
// CHECK: call void @tell(
// CHECK: call void @tell(
// CHECK: call void @tell(
// CHECK-LABEL: define {{.*}} @two(
// CHECK: call {{.*}} @many(
// CHECK: ; decision 1 applied: 3 targets merged into a straight line in one
struct state {
    const struct operations {
        int (*put)(struct state *, int);
    } *operations;
    int mode;
};

void tell(int value);
int add(struct state *state, int value) {
    tell(value);
    return 1;
}

int many(struct state *state, const int *values, int count) {
    for (int i = 0; i < count; i++) {
        int put;
        switch (state->mode) {
        case 0:
            put = state->operations->put(state, values[i]);
            break;
        case 1:
            put = state->operations->put(state, values[i] ^ 7);
            break;
        default:
            put = 0;
        }
        if (!put)
            return i;
    }
    return count;
}

int one(struct state *state, const int *values) { return many(state, values, 3); }
int two(struct state *state, const int *values, int count) { return many(state, values, count); }
