// tests: the program declares the C library's function with a size of another type.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0 hash=0x1
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: there is no system call 0 in main
char *fgets(char *text, long size, void *stream);
int main(int count, char **words) { return fgets(words[0], count, words) != 0; }
