// tests: in front of a call whose argument lies in memory of its own, what is known is forgotten where it was: a call alone.
// RUN: %optimize --passes thalweg,thalweg-late %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// CHECK-LABEL: define {{.*}} @main(
// CHECK: @read_some(
// CHECK: store i32 0, ptr
// CHECK-NEXT: call void @take({{.*}}byval
// CHECK-NOT: @thalweg.0.take
// CHECK: decision 1 applied
#include "file.h"
struct large {
    long words[9];
};
void take(struct large one);
int main(int count, char **names) {
    struct large one = {{count}};
    char buffer[100];
    struct stat status;
    const int file = open_file(names[count - 1]);
    look_at(file, &status);
    const ssize_t size = read_some(file, buffer, sizeof buffer);
    take(one);
    return (int)size;
}
