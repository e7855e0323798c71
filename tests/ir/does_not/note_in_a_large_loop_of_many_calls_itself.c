// tests: a large loop that calls through pointers every few instructions would feel a test at each call: the twin has a copy of it that notes them.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @work(
// CHECK-NOT: %thalweg.recorded = phi
// CHECK: br i1 {{%.*}}, label %thalweg.ask, label %thalweg.plain, !prof
// CHECK-NOT: %thalweg.recorded = phi
// CHECK: thalweg.recorded:
// CHECK-COUNT-16: notail call void @thalweg_probe_target(
// CHECK: notail call void @thalweg_probe_leave(i32 0)
#define STEP sum = (sum ^ at->values[sum & 63]) * 7;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
struct item {
    struct item *next;
    void (*function)(struct item *);
    unsigned values[64];
};
#define CALL STEPS at->function(at);
unsigned work(struct item *at) {
    unsigned sum = 1;
    for (; at; at = at->next) {
        CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL
    }
    return sum;
}
