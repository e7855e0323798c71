// tests: the twin counts blocks and edges where LLVM's instrumentation does, in one array of whole pages that the recorder maps; a copy of a function
// counts to the same counters, and nothing is left that would ask for LLVM's own runtime.
// RUN: %probe %s | %check %s
// CHECK-NOT: __prof
// CHECK-NOT: __llvm_p
// CHECK-DAG: @thalweg_probe_counters = hidden externally_initialized global [512 x i64] zeroinitializer, align 4096
// CHECK-DAG: @thalweg_probe_counter_count = hidden constant i64 [[#]]
// CHECK-LABEL: define {{.*}} @choose(
// CHECK: load i64, ptr {{.*}}@thalweg_probe_counters
// CHECK: call void @thalweg_probe_call_target(ptr {{.*}}@thalweg_probe_counters
// CHECK-LABEL: define {{.*}} @choose.thalweg.noted(
// CHECK: load i64, ptr {{.*}}@thalweg_probe_counters
// CHECK: "counted":
// CHECK: "name":{{ ?}}"choose"
// CHECK: "name":{{ ?}}"call_first"
// CHECK: "counters":{{ ?}}2
// CHECK: "value_sites":{{ ?}}3
int abs(int);
struct table {
    int (*first)(int);
    int (*second)(int);
};
int choose(const struct table *table, int which) { return which > 3 ? table->first(which) : table->second(which); }
/* Its first block has a call whose targets are counted, and no counter. */
__attribute__((noinline)) int call_first(int (*called)(int)) {
    int sum = called(1);
    if (sum > 3)
        sum = abs(called(sum)) - 1;
    else
        sum = called(sum + 1) + 2;
    return sum;
}
static int one(int n) { return n + 1; }
static int two(int n) { return n * 2; }
static struct table table = {one, two};
int main(int count, char **words) {
    (void)words;
    int sum = call_first(count > 7 ? one : two);
    for (int i = 0; i < count + 5; ++i)
        sum += choose(&table, i);
    return sum == 7;
}
