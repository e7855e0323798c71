// tests: a layer that was given a structure by value writes into its copy: the caller's stays as it was, as far as the specialiser knows
// and in memory.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @counting_operations
// CHECK-LABEL: define {{.*}} @send(
// CHECK: br i1 {{.*}}, label %[[YES:.*]], label
// CHECK: [[YES]]:
// CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 [[COPY:%.*]], ptr align 8 %options
// CHECK: store i64 9, ptr [[COPY]]
// CHECK: call void @note(ptr noundef nonnull [[COPY]])
// CHECK: ret i64 5
// CHECK: decision 1 applied: 1 calls unfolded, 1 of them through pointers
struct options {
    long words[8];
};
struct handle;
struct operations {
    void (*put)(struct handle *, struct options);
};
struct handle {
    const struct operations *operations;
};
void note(long *words);

void put_in_copy(struct handle *handle, struct options options) {
    options.words[0] = options.words[0] + 4;
    note(options.words);
}
const struct operations counting_operations = {put_in_copy};

long send(struct handle *handle) {
    struct options options;
    options.words[0] = 5;
    handle->operations->put(handle, options);
    return options.words[0];
}
