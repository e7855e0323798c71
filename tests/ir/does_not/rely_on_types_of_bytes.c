// tests: after a write of bytes, which may be anyone's, a fact is tested again.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize fill : memory fill/0 0 = @halving
// CHECK-LABEL: define {{.*}} @fill(
// CHECK: {{^}}holds:
// CHECK: icmp eq ptr {{.*}}, @halving
// CHECK: ret void
// CHECK: decision 1 applied: 2 calls unfolded, {{.*}} 2 facts tested
struct format;
struct operations {
    signed char (*value)(const struct format *, int);
};
struct format {
    const struct operations *operations;
};

signed char half(const struct format *format, int value) {
    (void)format;
    return (signed char)(value / 2);
}
const struct operations halving = {half};

void fill(const struct format *format, const int *values, signed char *results) {
    results[0] = format->operations->value(format, values[0]);
    results[1] = format->operations->value(format, values[1]);
}
