// tests: a merged event and the one inside it, while handlers bind, unbind, block, halt and throw at every place.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_outer/0 = *plain*on_before* *plain*on_outer* *plain*on_after*
// PLAN: 2 subsume *plain*on_outer*/0 in 1.1 = *plain*on_first* *plain*on_second*
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: ; the same
#include <thalweg/event.h>

#include "show.h"

thalweg::Event<int> outer{"outer"}, inner{"inner"};
std::vector<thalweg::Binding> outer_bindings, inner_bindings;
int place, what;

void on_late(int argument) { show("late", argument); }
void act(int here) {
    if (here != place)
        return;
    place = -1;
    std::vector<thalweg::Binding> &bindings = what % 2 ? outer_bindings : inner_bindings;
    thalweg::Event<int> &event = what % 2 ? outer : inner;
    switch (what / 2) {
    case 0:
        bindings.push_back(event.bind<&on_late>());
        break;
    case 1:
        bindings.front().unbind();
        break;
    case 2:
        bindings.back().unbind();
        break;
    case 3:
        bindings.back().block();
        break;
    case 4:
        show("halted", event.halt());
        break;
    case 5:
        throw what;
    case 6:
        event.raise(1000);
        break;
    case 7:
        for (auto &binding : bindings)
            binding.unbind();
        break;
    default:
        break;
    }
}
void on_before(int argument) {
    show("before", argument);
    act(0);
}
void on_outer(int argument) {
    show("outer", argument);
    act(1);
    inner.raise(argument + 1);
    act(2);
}
void on_after(int argument) {
    show("after", argument);
    act(5);
}
void on_first(int argument) {
    show("first", argument);
    act(3);
}
void on_second(int argument) {
    show("second", argument);
    act(4);
}
extern "C" [[gnu::noinline]] void raise_outer(int argument) { outer.raise(argument); }

void bind_all() {
    for (auto *bindings : {&outer_bindings, &inner_bindings}) {
        for (auto &binding : *bindings)
            binding.unbind();
        bindings->clear();
    }
    outer_bindings.push_back(outer.bind<&on_before>());
    outer_bindings.push_back(outer.bind<&on_outer>());
    outer_bindings.push_back(outer.bind<&on_after>());
    inner_bindings.push_back(inner.bind<&on_first>());
    inner_bindings.push_back(inner.bind<&on_second>());
}
int main() {
    for (int at = 0; at < 6; ++at)
        for (what = 0; what < 18; ++what) {
            bind_all();
            place = at;
            for (int round = 0; round < 3; ++round)
                try {
                    raise_outer(100 * at + what);
                } catch (int value) {
                    show("thrown", value);
                }
        }
}
