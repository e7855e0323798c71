// tests: where a fact fails the original code goes on with the array that is there, and the function takes no more of the stack than before; a small
// variable is copied.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize wait growth=2000 : load wait/0:4 = 1
// CHECK: define {{.*}}wait
// CHECK: alloca [4096 x i8]
// CHECK-NOT: alloca [4096 x i8]
// CHECK-NOT: i64 4096, i1 false
// CHECK: alloca [16 x i8]
// CHECK: alloca [16 x i8]
// CHECK: decision 1 applied
static int one(int value) { return value + 1; }
static int two(int value) { return value * 3; }
int (*const steps[2])(int) = {one, two};
int mode;
int receive(char *bytes, char *few);

int wait(int value) {
    char bytes[4096];
    char few[16];
    bytes[0] = 7;
    few[0] = 9;
    const int step = mode;
    value = steps[step](value);
    return value + receive(bytes, few) + bytes[0] + few[0];
}
