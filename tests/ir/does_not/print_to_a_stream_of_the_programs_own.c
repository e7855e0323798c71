// tests: the program has a variable of the stream's name: the library's can't be named.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: the program has its own stdout
#undef stdout
__attribute__((used)) static void *stdout;
int printf(const char *format, ...);
int main(int count, char **words) {
    stdout = words;
    return printf("%d %s", count, words[0]) < 0;
}
