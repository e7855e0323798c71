// tests: what the program always writes beside a function, gone or exchanged behind its back, in each way a loop can ask for it.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_before/0 = one two
// PLAN: 2 merge raise_after/0 = one two
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: ; the same
#include <cstring>

#include "show.h"

extern "C" {
struct Slot {
    const char *beside;
    void (*function)(int);
};
Slot slots[3];
Slot *end_of_slots;
const char for_one[] = "one", for_two[] = "two", other[] = "other";
int change;
void act() {
    if (change == 1)
        slots[1].beside = nullptr;
    if (change == 2)
        slots[1].beside = other;
    if (change == 3)
        slots[0].beside = nullptr;
    if (change == 4)
        end_of_slots = slots + 1;
}
void one(int argument) {
    show("one", argument);
    act();
}
void two(int argument) { show("two", argument); }
// Asked before the call.
[[gnu::noinline]] void raise_before(Slot *from, Slot *end, int argument) {
    for (; from != end; ++from)
        if (from->beside)
            from->function(argument);
}
// Asked after the call: what ran must not run again.
[[gnu::noinline]] void raise_after(Slot *from, Slot *end, int argument) {
    for (; from != end; ++from) {
        from->function(argument);
        if (!from->beside) {
            show("stopped", argument);
            break;
        }
    }
}
}
[[gnu::noinline]] void put_one(Slot *at) {
    at->function = one;
    at->beside = for_one;
}
[[gnu::noinline]] void put_two(Slot *at) {
    at->function = two;
    at->beside = for_two;
}
void build() {
    put_one(slots);
    put_two(slots + 1);
    end_of_slots = slots + 2;
}
int main() {
    for (int when = 0; when < 2; ++when)
        for (change = 0; change < 5; ++change) {
            build();
            if (when == 1)
                act();
            raise_before(slots, end_of_slots, 10 * change);
            raise_before(slots, slots, change);
            build();
            if (when == 1)
                act();
            raise_after(slots, end_of_slots, 10 * change + 1);
        }
}
