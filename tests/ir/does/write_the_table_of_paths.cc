// tests: the runtime finds the paths' handlers and contexts, in their order, in a section of the program.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_one/0 = *by_pointer*on_one* *by_pointer*on_two*@state+8
#include <thalweg/event.h>
thalweg::Event<int> one{"one"};
struct State {
    long first, second;
} state;
void on_one(long *, int) {}
void on_two(long *value, int argument) { *value += argument; }
void use() {
    one.bind<&on_one>(&state.first);
    one.bind<&on_two>(&state.second);
}
// CHECK: @thalweg.path.targets = private constant [2 x { ptr, ptr, i64 }]
// CHECK-SAME: { ptr @{{[^,]*}}on_one{{[^,]*}}, ptr null, i64 0 }
// CHECK-SAME: { ptr @{{[^,]*}}on_two{{[^,]*}}, ptr getelementptr {{.*}}@state, i64 8), i64 1 }
// CHECK: { ptr @thalweg.path.targets, i32 2, i32 1
// CHECK-SAME: section "thalweg_paths"
// CHECK: @llvm.used = {{.*}}@thalweg.section
// CHECK-LABEL: define {{.*}}void @raise_one(
// CHECK: icmp {{eq|ne}} i32 {{.*}}, 1
extern "C" [[gnu::noinline]] void raise_one(int argument) { one.raise(argument); }
