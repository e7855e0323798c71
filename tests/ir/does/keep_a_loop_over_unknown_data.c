// tests: what a loop reads steers a switch, but knowing where it reads would not help: its rounds are not kept apart.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize sum : memory sum/0 0 = @weights
// CHECK-LABEL: define {{.*}} @sum(
// CHECK: switch i32
// CHECK-NOT: switch i32
// CHECK: ret i32
// CHECK: decision 1 applied
struct handle;
struct operations {
    unsigned (*weight)(unsigned);
};
struct handle {
    const struct operations *operations;
};

unsigned weight(unsigned code) {
    switch (code) {
    case 3:
        return code << 4;
    case 9:
        return code << 5;
    case 77:
        return code + 1000;
    default:
        return code * code;
    }
}
const struct operations weights = {weight};

unsigned sum(const struct handle *handle, const unsigned *codes, unsigned count) {
    unsigned all = 0;
    for (unsigned i = 0; i < count; ++i)
        all += handle->operations->weight(codes[i]) ^ i;
    return all;
}
