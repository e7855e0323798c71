// tests: a layer that takes a structure by value is unfolded with a copy of its own, as aligned as the function may rely on, and what
// is known of the structure is known of the copy.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @memory_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: %options = alloca
// CHECK: [[COPY:%.*]] = alloca %struct.options, align 32
// CHECK: br i1 {{.*}}, label %[[YES:.*]], label
// CHECK: [[YES]]:
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 32 [[COPY]], ptr align 32 %options
// CHECK-NOT: call i64
// CHECK-NOT: switch
// CHECK: ret i64
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
struct options {
    _Alignas(32) long words[8];
    int mode;
};
struct handle;
struct operations {
    long (*put)(struct handle *, struct options, long);
};
struct handle {
    const struct operations *operations;
};
void note(long *words);

long put_in_memory(struct handle *handle, struct options options, long value) {
    switch (options.mode) {
    case 3:
        return value * options.words[0];
    case 4:
        return value / 7;
    default:
        note(options.words);
        return options.words[1];
    }
}
const struct operations memory_operations = {put_in_memory};

long send(struct handle *handle, long value) {
    struct options options;
    note(options.words);
    options.mode = 3;
    return handle->operations->put(handle, options, value);
}
