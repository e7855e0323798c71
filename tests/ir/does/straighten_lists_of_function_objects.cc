// tests: std::function calls through a pointer of its own; that is the target. Its other function, by which it tells that it is not
// empty, always stands beside it: both are compared at once.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = *first_count*_M_invoke* *second_count*_M_invoke*
#include <functional>
#include <vector>

void first_count(std::vector<std::function<void()>> &list, int *count) {
    struct first {
        int *count;
        void operator()() const { *count += 1; }
    };
    list.push_back(first{count});
}
void second_count(std::vector<std::function<void()>> &list, int *count) {
    struct second {
        int *count;
        void operator()() const { *count -= 1; }
    };
    list.push_back(second{count});
}

// CHECK: @thalweg.image = {{.*}} [ptr @{{.*}}first{{.*}}_M_manager{{.*}}, ptr @{{.*}}first{{.*}}_M_invoke{{[^,]*}}, ptr
// CHECK-SAME: @{{.*}}second{{.*}}_M_manager{{.*}}, ptr @{{.*}}second{{.*}}_M_invoke{{[^,]*}}], align 16
// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call i1 @thalweg.same(
// CHECK: add nsw i32 {{.*}}, 1
// CHECK-NOT: br i1
// CHECK: add nsw i32 {{.*}}, -1
// CHECK: decision 1 applied
extern "C" [[gnu::noinline]] void raise_all(const std::vector<std::function<void()>> &list) {
    for (const std::function<void()> &one : list)
        one();
}
