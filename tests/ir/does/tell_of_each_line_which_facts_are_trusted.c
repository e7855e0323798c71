// tests: a fact that is believed without a test is counted where it is used, and not as one that is tested.
// RUN: %optimize --lines %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize all : memory all/0:4 0 trusted = 1 ; argument all/1:4 trusted = 2
// CHECK: line all:[[@LINE+4]]: evaluated 0 residual 0 tested 0 trusted 1
// CHECK: line all:[[@LINE+4]]: evaluated {{.*}} tested 0 trusted 1
void look(int);

int all(const int *fact, int other) {
    if (*fact != 1)
        look(other);
    return 0;
}
