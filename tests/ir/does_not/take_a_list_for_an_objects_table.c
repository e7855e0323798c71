// tests: a list is memory like any other, even where its handlers stand in one constant table too: they are tested themselves.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second
typedef void handler(int);
static int count_first, count_second;
static void first(int argument) { count_first += argument; }
static void second(int argument) { count_second += argument; }
handler *const table[] = {first, second};
int seen(void) { return count_first - count_second; }
struct list {
    handler **handlers;
    long count;
};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK-NOT: @table
// CHECK: icmp {{eq|ne}} ptr {{.*}}, @first
// CHECK-NOT: @table
// CHECK: {{^}}}
__attribute__((noinline)) void raise_all(const struct list *list, int argument) {
    for (long i = 0; i < list->count; ++i)
        list->handlers[i](argument);
}
