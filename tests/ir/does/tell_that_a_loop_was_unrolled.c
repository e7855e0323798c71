// tests: a line is counted once for each of its unfoldings: four times round a loop whose course is known.
// RUN: %optimize --lines %s | %check %s
// FLAGS: -g -fno-unroll-loops
// PLAN: 1 specialize all : argument all/0:4 = 4
// CHECK: line all:[[@LINE+5]]: evaluated 0 residual 4 tested 0 trusted 0
void look(int);

int all(int fact) {
    for (int i = 0; i < fact; ++i)
        look(i);
    return 0;
}
