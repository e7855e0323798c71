// tests: a small function that only branches notes the flags that it reads, not its data; who leads to it is counted.
// RUN: %probe %s | %check %s
struct stream {
    int swaps, width;
};

__attribute__((noinline)) static int ordered(const struct stream *stream, int value) {
    return stream->swaps == 1 ? __builtin_bswap32(value) : value;
}

__attribute__((noinline)) static int limited(int value, int limit) { return value > limit ? limit : value; }

int sum(const struct stream *stream, const int *values, int count) {
    int all = 0;
    for (int i = 0; i < count; ++i)
        all += limited(ordered(stream, values[i]), 100);
    return all;
}

// CHECK: define {{.*}}@sum(
// CHECK: call i32 @thalweg_probe_function(
// CHECK: define {{.*}}@limited(
// CHECK-NOT: thalweg_probe_function
// CHECK: {{^}}}
// CHECK-NOT: @sum.thalweg.noted(
// CHECK: define {{.*}}@ordered.thalweg.noted(
// CHECK: call void @thalweg_probe_fact(
