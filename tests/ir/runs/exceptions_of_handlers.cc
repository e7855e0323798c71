// tests: a handler that throws ends the raise where it did, or goes on where the loop catches; destructors run.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_all/0 = pass thrower pass
// PLAN: 2 merge raise_catching/0 = pass thrower pass
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: ; the same
#include <stdexcept>

#include "show.h"

struct Goes {
    ~Goes() { show("gone", 0); }
};
int when;
extern "C" {
void pass(int argument) {
    const Goes goes;
    show("pass", argument);
    if (when == 2)
        throw std::runtime_error("pass");
}
void thrower(int argument) {
    const Goes goes;
    show("thrower", argument);
    if (when == 1)
        throw argument;
}
using Handler = void(int);
[[gnu::noinline]] void raise_all(Handler *const *list, long count, int argument) {
    const Goes goes;
    for (long i = 0; i < count; ++i)
        list[i](argument);
}
[[gnu::noinline]] int raise_catching(Handler *const *list, long count, int argument) {
    int caught = 0;
    for (long i = 0; i < count; ++i)
        try {
            list[i](argument);
        } catch (int value) {
            caught += value;
        }
    return caught;
}
}

int main() {
    Handler *const lists[][4] = {{pass, thrower, pass, thrower}, {thrower, thrower, pass, pass}, {pass, pass, thrower}};
    for (when = 0; when < 3; ++when)
        for (const auto &list : lists)
            for (int length = 0; length < 4; ++length)
                try {
                    show("caught", raise_catching(list, length, 10 * length + when));
                    raise_all(list, length, when);
                } catch (int value) {
                    show("thrown", value);
                } catch (const std::runtime_error &error) {
                    show(error.what(), -1);
                }
}
