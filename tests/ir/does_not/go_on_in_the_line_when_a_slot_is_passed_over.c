// tests: a handler may block the next slot: that is looked at again after it, and what passes slots over is the original loop alone.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
struct slot {
    void (*function)(int);
    int blocked;
};
void somewhere_else(void);
int count_first, count_second, passed;
static void first(int argument) {
    count_first += argument;
    somewhere_else();
}
static void second(int argument) { count_second += argument; }
struct slot table[] = {{first, 0}, {second, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-COUNT-1: store i32 {{.*}}, ptr @passed
// CHECK-NOT: store i32 {{.*}}, ptr @passed
// CHECK: call void {{.*}}@somewhere_else
// CHECK-NOT: store i32 {{.*}}, ptr @passed
// CHECK: load i32, ptr
// CHECK: store i32 {{.*}}, ptr @count_second
// CHECK-NOT: store i32 {{.*}}, ptr @passed
// CHECK: {{^}}}
__attribute__((noinline)) void raise_all(const struct slot *list, const struct slot *end, int argument) {
    for (; list != end; ++list) {
        if (list->blocked) {
            ++passed;
            continue;
        }
        list->function(argument);
    }
}
