// tests: what others write into shared memory is news that no call brings.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-NOT: thalweg_crossing
// CHECK: decision 1 refused: the program maps memory that others may see (mmap
#include "file.h"
#include <sys/mman.h>
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    *(char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) = 1;
    return (int)read_some(file, buffer, sizeof buffer);
}
