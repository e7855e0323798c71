// tests: a setting that a function from outside gave is tested once, behind its call, and decides the loop that it steers.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize main growth=500 : result main/0:4 = 3
// CHECK-LABEL: define{{.*}} @main(
// CHECK: [[MODE:%.*]] = {{.*}}call i32 @setting(
// CHECK: [[TESTED:%.*]] = freeze i32 [[MODE]]
// CHECK: icmp eq i32 [[TESTED]], 3
// CHECK: decision 1 applied: {{.*}}1 facts tested
int setting(const char *name);
unsigned next(void);
unsigned sum;

int main(int argc, char **argv) {
    const int mode = setting(argv[1]);
    for (unsigned value = next(); value != 0; value = next())
        switch (mode) {
        case 0:
            sum += value;
            break;
        case 1:
            sum ^= value;
            break;
        case 3:
            sum = sum * 31 + value;
            break;
        default:
            sum -= value;
            break;
        }
    while (next())
        if (mode == 2)
            next();
    return argc == 99;
}
