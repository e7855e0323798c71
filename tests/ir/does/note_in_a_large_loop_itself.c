// tests: a loop that is large for its calls through pointers has no copy in the twin: it notes each target and its end where the recorder wants them.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @work(
// CHECK: br i1 {{%.*}}, label %thalweg.ask, label %thalweg.begin, !prof
// CHECK: thalweg.begin:
// CHECK: %thalweg.recorded = phi i32 [ 0, {{.*}} ], [ [[YES:%.*]], %thalweg.ask ]
// CHECK: [[IS_RECORDED:%.*]] = icmp ne i32 %thalweg.recorded, 0
// CHECK-NEXT: br i1 [[IS_RECORDED]], label {{%.*}}, label {{%.*}}, !prof
// CHECK: notail call void @thalweg_probe_target(i32 0, ptr [[FUNCTION:%.*]], ptr [[AT:%.*]])
// CHECK: call void [[FUNCTION]](ptr {{.*}}[[AT]])
// CHECK: icmp ne i32 %thalweg.recorded, 0
// CHECK: notail call void @thalweg_probe_leave(i32 0)
// CHECK: [[YES]] = call i32 @thalweg_probe_enter(i32 0,
// CHECK-NOT: call void @thalweg_probe_target
// CHECK-LABEL: define {{.*}} @work.thalweg.noted(
#define STEP sum = (sum ^ at->values[sum & 63]) * 7;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
struct item {
    struct item *next;
    void (*function)(struct item *);
    unsigned values[64];
};
unsigned work(struct item *at) {
    unsigned sum = 1;
    for (; at; at = at->next) {
        STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS STEPS at->function(
            at);
    }
    return sum;
}
