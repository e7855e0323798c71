// tests: a function as large as the specialiser never comes to the end of has no second body that notes values; a small one beside it has.
// RUN: %probe %s | %check %s
// CHECK-NOT: @large.thalweg.noted(
// CHECK: define {{.*}}@small.thalweg.noted(
// CHECK-NOT: @large.thalweg.noted(
struct thing {
    int kind;
    int (*call)(int);
};
int small(struct thing *one) { return one->kind == 3 ? 1 : one->call(one->kind); }

static volatile int sink;
#define TEN(x) x x x x x x x x x x
int large(struct thing *one) {
    TEN(TEN(TEN(sink = one->kind; sink += 3; sink ^= 1; sink -= 5;)))
    return one->kind == 3 ? 1 : one->call(one->kind);
}
