// tests: a handler raises its own event three deep, unbinds, blocks, halts and throws on the way.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_one/0 = *plain*on_one* *plain*on_two*
// PLAN: 2 subsume *plain*on_one*/0 in 1.0 = *plain*on_one* *plain*on_two*
// PLAN: 3 subsume *plain*on_one*/0 in 2.0 = *plain*on_one* *plain*on_two*
// PLAN: 4 merge raise_one/0 = *plain*on_two*
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: ; the same
#include "show.h"
#include <thalweg/event.h>
thalweg::Event<int> one{"one"};
thalweg::Binding bound;
int count;
void on_one(int argument) {
    show("one", argument);
    ++count;
    if (argument > 0)
        one.raise(argument - 1);
    if (count == 40)
        bound.unbind();
    if (count == 60)
        one.halt();
    if (count == 70)
        throw 5;
    if (count % 11 == 3)
        bound.block();
    if (count % 11 == 7)
        bound.unblock();
    show("one ends", argument);
}
void on_two(int argument) {
    show("two", argument);
    if (count == 30)
        bound = one.bind<&on_two>();
    if (count == 75)
        throw 6;
}
extern "C" [[gnu::noinline]] void raise_one(int argument) { one.raise(argument); }
int main() {
    auto a = one.bind<&on_one>();
    bound = one.bind<&on_two>();
    for (int i = 0; i < 40; ++i)
        try {
            raise_one(i % 6);
        } catch (int v) {
            show("thrown", v);
        }
    a.unbind();
    raise_one(3);
}
