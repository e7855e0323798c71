// tests: plans whose targets are main, the raise itself, a constructor, a handler of another type: the line is not entered.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_one/0 = main main
// PLAN: 2 merge raise_one/0 = raise_one raise_one
// PLAN: 3 merge raise_one/0 = _GLOBAL__sub_I_*
// PLAN: 4 merge raise_one/0 = leaf@leaf leaf@raise_one+1
// PLAN: 5 merge raise_one/0 = *by_pointer*on_one*@array+9223372036854775807
// PLAN: 6 merge raise_list/0 = main raise_list
// PLAN: 7 merge raise_list/0 = raise_list raise_one leaf
// PLAN: 8 subsume raise_list/0 in 7.0 = raise_list leaf
// CHECK: decision 1 applied
// CHECK: decision 6 applied
// CHECK: ; the same
#include <thalweg/event.h>

#include "show.h"

thalweg::Event<int> one{"one"};
int array[4];
void on_one(int *context, int argument) { show("one", *context += argument); }
void on_two(int argument) { show("two", argument); }
extern "C" {
void leaf() { show("leaf", 0); }
[[gnu::noinline]] void raise_one(int argument) { one.raise(argument); }
[[gnu::noinline]] void raise_list(void (*const *list)(), long count) {
    for (long i = 0; i < count; ++i)
        list[i]();
}
}
int main() {
    auto first = one.bind<&on_one>(&array[0]);
    auto second = one.bind<&on_one>(&array[1]);
    for (int i = 0; i < 3; ++i)
        raise_one(i);
    first.unbind();
    raise_one(7);
    second.unbind();
    one.bind<&on_two>();
    raise_one(8);
    void (*list[])() = {leaf, leaf, leaf};
    for (long i = 0; i < 4; ++i)
        raise_list(list, i);
}
