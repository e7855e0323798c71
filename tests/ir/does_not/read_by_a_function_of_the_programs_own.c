// tests: a function of the program's own is called getc.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0 hash=0x1
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: there is no system call 0 in main
__attribute__((noinline)) int getc(void *stream) { return ((int *)stream)[1]; }
int main(int count, char **words) { return getc(words) + count; }
