// tests: a block whose size is known to be small is not told of, nor is a function of the program's own that has a system call's name, nor a
// call through a pointer.
// RUN: %probe %s | %check %s --implicit-check-not="call void @thalweg_probe_system_call(" --implicit-check-not="call void @thalweg_probe_before_call("
#include <stdlib.h>
#include <unistd.h>

// CHECK-LABEL: define {{.*}}@small(
// CHECK: call {{.*}}@malloc(
void *small(void) { return malloc(131071); }

__attribute__((noinline)) ssize_t read(int descriptor, void *buffer, size_t size) {
    return buffer != NULL ? (ssize_t)size : descriptor;
}
// CHECK-LABEL: define {{.*}}@own(
// CHECK: call {{.*}}@read(
ssize_t own(int descriptor, char *buffer) { return read(descriptor, buffer, 10) + 1; }

ssize_t (*how)(int, const void *, size_t);
// CHECK-LABEL: define {{.*}}@pointed(
ssize_t pointed(int descriptor, char *buffer) { return how(descriptor, buffer, 10) + 1; }
