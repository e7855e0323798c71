// tests: what a switch and a call through a table read is noted in a second body of the function, and what its callers hand over.
// RUN: %probe %s | %check %s
// RUN: %probe %s | %check %s --check-prefix=TABLE
struct stream {
    int direction;
    const struct operations *operations;
};
struct operations {
    int (*put)(struct stream *, int);
};

__attribute__((noinline)) static int one(struct stream *stream, int value) {
    switch (stream->direction) {
    case 0:
        return stream->operations->put(stream, value);
    case 1:
        return -stream->operations->put(stream, -value);
    case 7:
        return 3;
    }
    return value;
}

int all(struct stream *stream, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += one(stream, i);
    return sum;
}

// CHECK: define {{.*}}i32 @one(
// CHECK: %[[LEFT:.*]] = sub i32 %{{.*}}, 1
// CHECK: icmp slt i32 %[[LEFT]], 0
// CHECK: call i32 @thalweg_probe_function(i32 [[ONE:[0-9]+]], i32 {{[0-9]+}})
// CHECK: call {{.*}}i32 @one.thalweg.noted(
// CHECK: thalweg.plain:
// CHECK-NOT: call void @thalweg_probe_fact(
// CHECK: declare void @thalweg_probe_fact(
// CHECK: define internal {{.*}}@one.thalweg.noted(
// CHECK: %[[DIRECTION:.*]] = load i32, ptr %stream
// CHECK: load i8, ptr {{.*}}@thalweg_probe_fact_open
// CHECK: %[[BITS:.*]] = zext i32 %[[DIRECTION]] to i64
// CHECK: call void @thalweg_probe_fact(i32 {{[0-9]+}}, i64 %[[BITS]], i32 0)

// TABLE: "name": "all",
// TABLE: "calls": [
// TABLE: "fact_places": [
// TABLE: "kind": "argument",
// TABLE: "steers": "call",
// TABLE: "kind": "load",
// TABLE-NEXT: "ordinal": 0,
// TABLE-NEXT: "width": 4,
// TABLE-NEXT: "steers": "switch",
// TABLE: "kind": "load",
// TABLE-NEXT: "ordinal": 1,
// TABLE-NEXT: "width": 8,
// TABLE-NEXT: "steers": "call",
