// tests: lists of objects with virtual functions and of std::function, as recorded and otherwise.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_objects/0 = _ZN5First2onEi _ZN6Second2onEi
// PLAN: 2 merge raise_functions/0 = *IFviE*M_invoke*
// PLAN: 3 merge raise_simple/0 = *IFvvE*M_invoke*
// CHECK: decision 1 applied
// CHECK: decision 3 applied
// CHECK: ; the same
#include <functional>
#include <memory>
#include <vector>

#include "show.h"

struct Listener {
    virtual ~Listener() = default;
    virtual void on(int) = 0;
};
struct First : Listener {
    void on(int argument) override { show("First", value += argument); }
    int value = 0;
};
struct Second : Listener {
    void on(int argument) override { show("Second", value -= argument); }
    int value = 0;
};
struct Third final : First {
    void on(int argument) override { show("Third", value ^= argument); }
};
extern "C" {
[[gnu::noinline]] void raise_objects(const std::vector<std::unique_ptr<Listener>> &list, int argument) {
    for (const auto &one : list)
        one->on(argument);
}
[[gnu::noinline]] void raise_functions(const std::vector<std::function<void(int)>> &list, int argument) {
    for (const auto &one : list)
        one(argument);
}
[[gnu::noinline]] void raise_simple(const std::vector<std::function<void()>> &list) {
    for (const auto &one : list)
        one();
}
}
template <class T>
void add(std::vector<std::unique_ptr<Listener>> &list) {
    list.push_back(std::make_unique<T>());
    raise_objects(list, int(list.size()));
    raise_objects(list, 7);
}
int main() {
    std::vector<std::unique_ptr<Listener>> list;
    add<First>(list);
    add<Second>(list);
    add<Third>(list);
    list.erase(list.begin());
    raise_objects(list, 9);
    int sum = 0;
    std::vector<std::function<void(int)>> functions;
    std::vector<std::function<void()>> simple;
    for (int i = 0; i < 4; ++i) {
        functions.push_back([&sum](int argument) { show("function", sum += argument); });
        simple.push_back([&sum] { show("simple", ++sum); });
        raise_functions(functions, i);
        raise_simple(simple);
    }
    simple[1] = nullptr;
    try {
        raise_simple(simple);
    } catch (const std::bad_function_call &) {
        show("bad", 0);
    }
}
