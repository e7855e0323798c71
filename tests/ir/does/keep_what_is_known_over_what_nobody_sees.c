// tests: functions that only look at bytes, or at the process's own memory, end no stretch.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @count(
// CHECK-NOT: store i32 0
// CHECK: ret
#include "file.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
OWN size_t count(const char *bytes, size_t size) {
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    mbstate_t state = {0};
    wchar_t letter;
    const size_t first = mbrtowc(&letter, copy, size, &state);
    const size_t found = first + strlen(copy) + (memchr(copy, 'x', size) != NULL) + (memrchr(copy, 'y', size) != NULL);
    free(copy);
    return found;
}
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    size_t sum = 0;
    for (ssize_t size; (size = read_some(file, buffer, sizeof buffer)) > 0;)
        sum += count(buffer, (size_t)size);
    return (int)sum;
}
