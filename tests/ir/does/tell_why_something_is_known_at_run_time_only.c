// tests: where a value becomes dynamic, the outcome says why; a fact that would help is named as --fact takes it.
// RUN: %optimize --lines %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize all : memory all/0:4 0 = 1
// CHECK: line all:[[@LINE+26]]:
// CHECK-NEXT: why: arg1 is not assumed: no fact speaks of it
// CHECK: line all:[[@LINE+26]]:
// CHECK-NEXT: why: no fact about arg0->8{{$}}
// CHECK-NEXT: why: no fact about arg0->8->16:4
// CHECK: line all:[[@LINE+25]]: evaluated 0 residual 1
// CHECK-NEXT: why: the call of look stays: it has no body in this program
// CHECK-NEXT: line all:[[@LINE+24]]:
// CHECK-NEXT: why: arg0->20:4 may have been overwritten by the call of look (tell_why_something_is_known_at_run_time_only.c:[[@LINE+22]])
// CHECK: line all:[[@LINE+23]]:
// CHECK: why: volatile or atomic
// CHECK-NEXT: line all:[[@LINE+22]]:
// CHECK-NEXT: why: it reads at an address that is known at run time only
// CHECK: line all:[[@LINE+26]]:
// CHECK-NEXT: why: step is not the same on all ways that meet here
struct inner {
    int pad[4], deep;
};
struct outer {
    int fact;
    struct inner *inner;
    volatile int hasty;
    int kept;
};
int look(void);
void take(int);
int all(struct outer *outer, int index, int *values) {
    take(outer->fact == 1 ? 5 : look());
    take(outer->inner->deep);
    outer->kept = 5;
    look();
    take(outer->kept);
    take(outer->hasty);
    take(values[index]);
    int step = 4;
    if (index > 3) {
        take(1);
        step = 5;
    }
    take(step);
    return 0;
}
