// tests: where a fact fails in the midst of a variable's life, the program's own code goes on with a variable of its own. Its life begins there:
// LLVM would put another variable in its place otherwise.
// RUN: %optimize %s | %check %s
// FLAGS: -fno-inline
// PLAN: 1 specialize total : load total/0:4 = 1
// CHECK-LABEL: define {{.*}} @total(
// CHECK: call void @llvm.lifetime.start.p0(i64 32, ptr %[[OWN:part[0-9]+]])
// CHECK-NEXT: call void @llvm.memcpy.{{[^(]*}}(ptr {{.*}}%[[OWN]], ptr {{.*}}%part, i64 32, i1 false)
// CHECK: decision 1 applied
struct part {
    long number, rest[3];
};
struct mode {
    int is_simple;
};
long next_number(void);
long sum_of(const struct part *part);
void tell(const char *where, long sum);

long total(const struct mode *mode, long count) {
    long sum = 0;
    for (long i = 0; i < count; ++i) {
        struct part part;
        part.number = part.rest[0] = part.rest[2] = i;
        part.rest[1] = next_number();
        if (mode->is_simple)
            sum += part.number + part.rest[1];
        else
            sum += sum_of(&part);
    }
    return sum;
}
