// tests: the twin tells of each event that is triggered, and of each place where a coroutine goes on, by its number; and tells that it has
// left, before the call that takes the place of its return.
// RUN: %probe %s | %check %s
// RUN: %probe %s | %check --check-prefix=TRIGGER %s
#include <thalweg/tame.h>

using namespace thalweg::tame;

extern event<int> first, second;
extern int sum;

// CHECK-LABEL: define internal fastcc void @_Z3addv.resume(
// CHECK: call i32 @thalweg_probe_go_on(i32 [[FIRST:[0-9]+]], i32 {{[0-9]+}}, ptr @_Z3addv.resume, ptr
// CHECK: call i32 @thalweg_probe_go_on(i32 [[SECOND:[0-9]+]], i32 {{[0-9]+}}, ptr @_Z3addv.resume, ptr
// CHECK: call void @thalweg_probe_leave(i32
// CHECK: musttail call fastcc void
tamed<> add() {
    int value = 0;
    gather all;
    first = mkevent(all, value);
    co_await all;
    sum += value;
    second = mkevent(all, value);
    co_await all;
    sum += value;
}

// TRIGGER: define {{.*}}5occur{{.*}}(ptr noundef %node
// TRIGGER: call i32 @thalweg_probe_trigger(i32 {{[0-9]+}}, i32 {{[0-9]+}}, ptr %node, ptr
// TRIGGER: call void @thalweg_probe_leave(i32
void bring(int value) { first.trigger(value); }
