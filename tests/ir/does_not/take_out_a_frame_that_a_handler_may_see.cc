// tests: a handler that nobody can see into may unbind: the frame is there while it runs, and is looked at afterwards.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_one/0 = *plain*on_one*
#include <thalweg/event.h>
thalweg::Event<int> one{"one"};
extern "C" void somewhere_else();
void on_one(int) { somewhere_else(); }
void use() { one.bind<&on_one>(); }
// CHECK-LABEL: define {{.*}}void @raise_one(
// CHECK: icmp {{eq|ne}} i32 {{.*}}, 1
// CHECK: store ptr %frame{{.*}}, ptr getelementptr inbounds{{.*}}@one
// CHECK: {{call|invoke}} void @somewhere_else
// CHECK: load i32, ptr %state
// CHECK: br i1
extern "C" [[gnu::noinline]] void raise_one(int argument) { one.raise(argument); }
