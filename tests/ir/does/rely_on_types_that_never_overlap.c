// tests: a fact of one type is not tested again after a write of another type, which C says never lies in the same place.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize fill : memory fill/0 0 = @halving
// CHECK-LABEL: define {{.*}} @fill(
// CHECK: {{^}}holds:
// CHECK-NOT: @halving
// CHECK: ret void
// CHECK: decision 1 applied: 2 calls unfolded, {{.*}} 1 facts tested
struct format;
struct operations {
    double (*value)(const struct format *, int);
};
struct format {
    const struct operations *operations;
};

double half(const struct format *format, int value) {
    (void)format;
    return value / 2.0;
}
const struct operations halving = {half};

void fill(const struct format *format, const int *values, double *results) {
    results[0] = format->operations->value(format, values[0]);
    results[1] = format->operations->value(format, values[1]);
}
