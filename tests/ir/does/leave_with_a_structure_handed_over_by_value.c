// tests: where a fact fails the original code goes on with a copy of a structure that an unfolded function was given by value, which is no variable of the
// program's.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize run growth=2000 : load run/0:4 = 1 ; load inner/0:4 = 1
// CHECK: define {{.*}}run(
// CHECK: call void @llvm.memcpy{{.*}}i64 64, i1 false)
// CHECK: call void @llvm.memcpy{{.*}}i64 64, i1 false)
// CHECK: decision 1 applied
struct words {
    long word[8];
};
static int one(int value) { return value + 1; }
static int two(int value) { return value * 3; }
int (*const steps[2])(int) = {one, two};
int mode, other;
int receive(struct words *words);

__attribute__((noinline)) static int inner(struct words words, int value) {
    words.word[0] += value;
    const int step = mode;
    value = steps[step](value);
    return value + receive(&words) + (int)words.word[3];
}

int run(const struct words *words, int value) {
    const int step = other;
    return steps[step](value) + inner(*words, value);
}
