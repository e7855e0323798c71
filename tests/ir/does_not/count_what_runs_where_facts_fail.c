// tests: the way on which a fact does not hold is the program as it was: its lines are not counted as residual.
// RUN: %optimize --lines %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize all : argument all/0:4 = 1
// CHECK-NOT: line all:[[@LINE+6]]:
// CHECK: decision 1 applied
void look(int);

int all(int fact) {
    if (fact != 1)
        look(7);
    return 0;
}
