// tests: variables that point to events are pointed to others while the program runs: from main, from the handlers of the
// very line, to null, to events that are deleted and made again, and between a variable's load and the raise.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_current/0 = *plain*on_first* *plain*on_second*
// PLAN: 2 merge raise_outer/0 = *plain*on_outer* *plain*on_after*
// PLAN: 3 subsume *plain*on_outer*/0 in 2.0 = *plain*on_first* *plain*on_second*
// PLAN: 4 merge raise_then_point/0 = *plain*on_first* *plain*on_second*
// PLAN: 5 merge raise_of_table/0 = *plain*on_first* *plain*on_second*
// PLAN: 6 merge raise_of_place/0 = *plain*on_other*
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: decision 6 applied
// CHECK: ; the same
#include <cstring>
#include <new>

#include <thalweg/event.h>

#include "show.h"

using Event = thalweg::Event<int>;
static Event *current, *next;
static Event *table[3];
static struct {
    long before;
    Event *event;
} place;
Event one{"one"}, two{"two"}, outer{"outer"};
Event *made;
int what;
thalweg::Binding second;

void on_other(int argument) { show("other", argument); }
void on_second(int argument) { show("second", argument); }
void on_first(int argument) {
    show("first", argument);
    switch (what) {
    case 1:
        current = current == &one ? &two : &one;
        break;
    case 2:
        current = nullptr;
        break;
    case 3:
        second.unbind();
        current = &two;
        break;
    case 7:
        second.unbind();  // and the variables stay
        break;
    case 8:
        second = one.bind<&on_second>();
        break;
    default:
        break;
    }
}
void on_outer(int argument) {
    show("outer", argument);
    if (what == 4)
        current = &two;
    if (what == 5)
        current = next;
    if (current)
        current->raise(argument + 1);
}
void on_after(int argument) {
    show("after", argument);
    if (what == 6)
        current = argument % 2 ? &one : &two;
    if (current)
        current->raise(argument + 2);
}

extern "C" {
[[gnu::noinline]] void raise_current(int argument) {
    if (current)
        current->raise(argument);
}
[[gnu::noinline]] void raise_outer(int argument) { outer.raise(argument); }
[[gnu::noinline]] void raise_then_point(Event *then, int argument) {
    Event *now = current;
    current = then;
    if (now)
        now->raise(argument);
}
[[gnu::noinline]] void raise_of_table(int argument) {
    if (table[1])
        table[1]->raise(argument);
}
[[gnu::noinline]] void raise_of_place(int argument) {
    if (place.event)
        place.event->raise(argument);
}
[[gnu::noinline]] void point_in_table(size_t at, Event *to) { table[at] = to; }
[[gnu::noinline]] void clear_table(size_t count) { std::memset(table, 0, count * sizeof *table); }
}

void raise_all(int argument) {
    raise_current(argument);
    raise_outer(argument);
    raise_then_point(&two, argument + 1);
    raise_then_point(&one, argument + 2);
    raise_of_table(argument);
    raise_of_place(argument);
}

int main() {
    one.bind<&on_first>();
    two.bind<&on_other>();
    outer.bind<&on_outer>();
    outer.bind<&on_after>();
    for (Event *to : {&one, &two, static_cast<Event *>(nullptr)})
        for (what = 0; what < 9; ++what) {
            second.unbind();
            second = one.bind<&on_second>();
            next = what % 2 ? &one : nullptr;
            current = to;
            point_in_table(static_cast<size_t>(what % 3), to);
            place.event = what % 2 ? &two : to;
            for (int round = 0; round < 3; ++round)
                raise_all(10 * what + round);
            clear_table(static_cast<size_t>(what % 4));
            raise_all(1000 + what);
        }
    // An event that goes away under a variable; another one, perhaps at the same address, with other handlers.
    what = 0;
    for (int round = 0; round < 6; ++round) {
        made = new Event("made");
        current = place.event = table[1] = made;
        if (round % 2)
            made->bind<&on_first>();
        made->bind<&on_second>();
        raise_all(2000 + round);
        delete made;
        current = place.event = table[1] = nullptr;
        raise_all(3000 + round);
    }
    // The same, and no variable is touched.
    alignas(Event) static char room[sizeof(Event)];
    current = place.event = table[1] = reinterpret_cast<Event *>(room);
    for (int round = 0; round < 6; ++round) {
        made = new (room) Event("made");
        if (round % 2)
            made->bind<&on_first>();
        made->bind<&on_second>();
        raise_current(4000 + round);
        raise_outer(4000 + round);
        raise_of_table(4000 + round);
        raise_of_place(4000 + round);
        made->~Event();
    }
}
