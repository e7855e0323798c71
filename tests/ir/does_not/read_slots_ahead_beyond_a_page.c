// tests: slots that lie further apart than a page of memory is long are read one after the other.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
struct far {
    void (*function)(int);
    char other[2048];
};
static int count_first, count_second;
static void first(int argument) { count_first += argument; }
static void second(int argument) { count_second += argument; }
struct far table[] = {{first, {0}}, {second, {0}}};
int seen(void) { return count_first - count_second; }

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @thalweg.same
// CHECK: store i32 {{.*}}, ptr @count_first
// CHECK-NOT: define internal i1 @thalweg.same
__attribute__((noinline)) void raise_all(const struct far *list, const struct far *end, int argument) {
    for (; list != end; ++list)
        list->function(argument);
}
