// tests: raises of a program's own making that do something between the look at the list and the walk: one calls a function,
// which binds; one points a variable to the event that its handler raises. What is tested is what is so afterwards.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_prepared/0 = first second
// PLAN: 2 merge raise_pointing/0 = on_outer
// PLAN: 3 subsume on_outer/0 in 2.0 = *plain*on_one*
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: ; the same
#include <thalweg/event.h>
#include <thalweg/runtime.h>

#include "show.h"

thalweg_core prepared, pointing;
static thalweg::Event<int> *current;
thalweg::Event<int> one{"one"}, two{"two"};
void on_one(int argument) { show("one", argument); }
void on_two(int argument) { show("two", argument); }

extern "C" {
void first(void *, int argument) { show("first", argument); }
void second(void *, int argument) { show("second", argument); }
void late(void *, int argument) { show("late", argument); }
void on_outer(void *, int argument) { current->raise(argument); }

void bind(thalweg_core *core, void (*handler)(void *, int)) {
    static thalweg_binding bindings[16];
    static int used;
    thalweg_binding *binding = &bindings[used++];
    binding->function = reinterpret_cast<thalweg_function>(handler);
    binding->destroy = [](thalweg_binding *) {};
    thalweg_core_bind(core, binding);
}
[[gnu::noinline]] void prepare(int argument) {
    if (argument % 2)
        bind(&prepared, late);
}
}

[[gnu::always_inline]] inline void walk(thalweg_core *core, int argument) {
    thalweg_frame frame = {core->frames, nullptr, THALWEG_FRAME_UNCHANGED, 0};
    core->frames = &frame;
    thalweg_slot *slot = core->slots, *end = core->slots_end;
    do {
        reinterpret_cast<void (*)(void *, int)>(slot->function)(slot->context, argument);
        if (__builtin_expect(frame.state != THALWEG_FRAME_UNCHANGED, 0)) {
            thalweg_dispatch_next(core, &frame, slot);
            return;
        }
    } while (++slot != end);
    core->frames = frame.next;
}
extern "C" [[gnu::noinline]] void raise_prepared(int argument) {
    if (prepared.slots == prepared.slots_end)
        return;
    prepare(argument);
    walk(&prepared, argument);
}
extern "C" [[gnu::noinline]] void raise_pointing(int argument) {
    if (pointing.slots == pointing.slots_end)
        return;
    current = argument % 2 ? &one : &two;
    walk(&pointing, argument);
}

int main() {
    thalweg_core_create(&prepared, "prepared", "", 0, nullptr);
    bind(&prepared, first);
    bind(&prepared, second);
    for (int i = 0; i < 6; ++i)
        raise_prepared(i);
    thalweg_core_create(&pointing, "pointing", "", 0, nullptr);
    bind(&pointing, on_outer);
    one.bind<&on_one>();
    two.bind<&on_two>();
    for (int i = 0; i < 6; ++i)
        raise_pointing(i);
}
