// tests: the program has the library print %d otherwise.
// RUN: %optimize %s | %check %s
// PLAN: 1 expand main/0
// CHECK-NOT: call {{.*}}@thalweg.
// CHECK: decision 1 refused: register_printf_specifier changes what formats mean
#include <printf.h>
#include <stdio.h>
int convert(FILE *stream, const struct printf_info *how, const void *const *arguments);
int sizes(const struct printf_info *how, size_t count, int *types, int *bytes);
int main(int count, char **words) {
    register_printf_specifier('d', convert, sizes);
    return printf("%d %s", count, words[0]) < 0;
}
