// tests: the twin notes what a function from outside gives before the loop that it steers, in main's own body; not what is given or read in each
// round, nor what steers no loop.
// RUN: %probe %s | %check %s
// CHECK-NOT: @main.thalweg.noted
// CHECK-LABEL: define{{.*}} @main(
// CHECK: call i32 @setting(ptr
// CHECK: call void @thalweg_probe_fact(i32 [[FIRST:[0-9]+]],
// CHECK: call i32 @once(
// CHECK-NOT: call void @thalweg_probe_fact
// CHECK: call i32 @next(
// CHECK-NOT: call void @thalweg_probe_fact
// CHECK: {{^[}]$}}
int setting(const char *name);
int once(void);
int next(void);
unsigned sum;
struct settings {
    int unused, factor;
} *settings;

int main(int argc, char **argv) {
    const int mode = setting(argv[1]);
    if (once())
        sum = 1;
    for (int value = next(); value != 0; value = next())
        switch (mode) {
        case 0:
            sum += settings->factor == 3 ? value : 2;
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
    return argc == 99;
}
