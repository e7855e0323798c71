// tests: in a twin each call through a pointer of malloc's type asks for malloc, where the program takes its address, so that what it gives is counted.
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @main(
// CHECK-DAG: icmp eq ptr %{{.*}}, @malloc
// CHECK-DAG: call {{.*}}ptr @thalweg.malloc(i64
// CHECK-NOT: @thalweg.free
// CHECK: }
#include <stdlib.h>
#include <unistd.h>
void *(*volatile give)(size_t) = malloc;
void (*volatile take)(void *);
int main(int count, char **words) {
    void *block = give((size_t)count);
    take(block);
    return write(1, block, 0) != 0;
}
