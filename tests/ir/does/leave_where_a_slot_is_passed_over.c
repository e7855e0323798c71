// tests: a loop that passes some slots over: that none is, is tested with the rest, and what would pass one over leaves.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
struct slot {
    void (*function)(int);
    int blocked;
};
static int count_first, count_second, passed;
static void first(int argument) { count_first += argument; }
static void second(int argument) { count_second += argument; }
struct slot table[] = {{first, 0}, {second, 0}};
int seen(void) { return count_first - count_second + passed; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: {{br|load|@passed}}
// CHECK: load i32, ptr @count_second
// CHECK-NOT: {{br|@passed}}
// CHECK: store i32 {{.*}}, ptr @count_second
// CHECK-NEXT: br label
__attribute__((noinline)) void raise_all(const struct slot *list, const struct slot *end, int argument) {
    for (; list != end; ++list) {
        if (list->blocked) {
            ++passed;
            continue;
        }
        list->function(argument);
    }
}
