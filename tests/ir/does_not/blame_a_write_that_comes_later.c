// tests: what is read before anything is written is not known because no fact speaks of it; the write behind it is no reason.
// RUN: %optimize --lines %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize all : argument all/1:4 = 1
// CHECK-NOT: overwritten
// CHECK: why: no fact about arg0->0:4
// CHECK-NOT: overwritten
// CHECK: decision 1 applied
void look(int);

int all(int *place, int fact) {
    if (fact != 1)
        look(2);
    look(*place);
    *place = 5;
    return 0;
}
