// tests: second bodies of functions with locals, and exceptions are valid: locals stay in the entry block, landing pads are copied.
// RUN: %probe %s | %check %s
struct shape {
    virtual int area(int *out) = 0;
    virtual ~shape() = default;
};

int careful(shape &one, int limit) {
    int local[4] = {1, 2, 3, limit};
    try {
        return one.area(local) + local[1];
    } catch (int problem) {
        return problem + local[2];
    }
}

// CHECK: define {{.*}}@_Z7carefulR5shapei(
// CHECK-NEXT: {{.*}}:
// CHECK-NEXT: alloca
// CHECK: thalweg.plain:
// CHECK-NOT: alloca
// CHECK: define internal {{.*}}@_Z7carefulR5shapei.thalweg.noted(
// CHECK: invoke
// CHECK: landingpad
