// tests: memory that the process maps for itself alone is in nobody's way.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK: decision 1 applied
#include "file.h"
#include <sys/mman.h>
int main(int arguments, char **names) {
    char *buffer = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    return (int)read_some(file, buffer, 4096);
}
