// tests: what a pointer in memory points to is not followed.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache behind
// CHECK-NOT: thalweg.kept
// CHECK: decision 1 refused: {{.*}}: it uses memory at a place that isn't known
struct node {
    const int *value;
};
__attribute__((noinline)) int behind(const struct node *node) { return *node->value * 3; }
