// tests: C++'s operators go by the lists of the thread, too, also where they may throw.
// RUN: %optimize %s --passes thalweg,thalweg-late | %check %s
// PLAN: 1 reuse _Znwm/0
// PLAN: 2 reuse _ZdlPvm/0
// CHECK-LABEL: define {{.*}} @main(
// CHECK: invoke {{.*}}@thalweg._Znwm.40(i64 {{.*}}40)
// CHECK: call void @thalweg._ZdlPvm(ptr {{.*}}, i64 {{.*}}40)
// CHECK: define internal ptr @thalweg._Znwm.40(i64
// CHECK: call ptr @_Znwm(
// CHECK: decision 1 applied
// CHECK: decision 2 applied
#include <new>
#include <unistd.h>
struct Words {
    long of[5];
};
int main() {
    try {
        auto *one = new Words();
        if (write(1, one, 0) != 0)
            return 2;
        delete one;
    } catch (const std::bad_alloc &) {
        return 1;
    }
    return 0;
}
