// tests: without debug information there are no lines: each function is told of as a whole.
// RUN: %optimize --lines %s | %check %s
// PLAN: 1 specialize all : argument all/0:4 = 1
// CHECK: line all:0: evaluated 2 residual 1 tested 1 trusted 0
// CHECK-NOT: line all
void look(int);

int all(int fact) {
    if (fact != 1)
        look(7);
    return 0;
}
