// tests: events on the heap are deleted, and throw, while they and the ones around them are raised.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_one/0 = *by_reference*on_one* *by_reference*on_two*
// PLAN: 2 subsume *by_reference*on_one*/0 in 1.0 = *by_pointer*on_three* *by_pointer*on_three*
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: ; the same
#include "show.h"
#include <memory>
#include <thalweg/event.h>
struct Machine {
    std::unique_ptr<thalweg::Event<int &>> inner;
    int value = 0;
};
std::unique_ptr<thalweg::Event<int>> one;
int step;
void on_three(Machine *m, int &argument) {
    show("three", argument += ++m->value);
    if (step == 2)
        one.reset();
    if (step == 3)
        throw 1;
}
void on_one(Machine &m, int argument) {
    show("one", argument);
    if (step == 1) {
        m.inner.reset();
        return;
    }
    if (m.inner)
        m.inner->raise(argument);
    show("after", argument);
}
void on_two(Machine &m, int argument) {
    show("two", m.value -= argument);
    if (step == 4)
        one.reset();
}
extern "C" [[gnu::noinline]] void raise_one(int argument) {
    if (one)
        one->raise(argument);
}
int main() {
    for (step = 0; step < 6; ++step) {
        Machine a, b;
        one = std::make_unique<thalweg::Event<int>>("one");
        a.inner = std::make_unique<thalweg::Event<int &>>("inner");
        one->bind<&on_one>(&a);
        one->bind<&on_two>(&b);
        a.inner->bind<&on_three>(&a);
        a.inner->bind<&on_three>(&b);
        for (int i = 0; i < 4; ++i)
            try {
                raise_one(i);
            } catch (int v) {
                show("thrown", v);
            }
        one.reset();
    }
}
