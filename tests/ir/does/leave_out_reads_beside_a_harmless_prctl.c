// tests: prctl forbids system calls by one of its options alone.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK: decision 1 applied: 1 call(s) of read are left out where what they give is known
#include "file.h"
#include <sys/prctl.h>
int main(int arguments, char **names) {
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    prctl(PR_SET_NAME, "reader", 0, 0, 0);
    return (int)read_some(file, buffer, sizeof buffer);
}
