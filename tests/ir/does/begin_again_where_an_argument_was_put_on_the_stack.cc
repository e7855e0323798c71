// tests: std::function with an argument puts it on the stack before the call; the original's iteration does so again.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = *add*_M_invoke* *subtract*_M_invoke*
#include <functional>
#include <vector>

void add(std::vector<std::function<int(int)>> &list, int *count) {
    list.push_back([count](int argument) { return *count += argument; });
}
void subtract(std::vector<std::function<int(int)>> &list, int *count) {
    list.push_back([count](int argument) { return *count -= argument; });
}

// CHECK-LABEL: define {{.*}}i32 @raise_all(
// CHECK: call i1 @thalweg.same
// CHECK: decision 1 applied
extern "C" [[gnu::noinline]] int raise_all(const std::vector<std::function<int(int)>> &list, int argument) {
    int sum = 0;
    for (const auto &one : list)
        sum += one(argument + sum);
    return sum;
}
