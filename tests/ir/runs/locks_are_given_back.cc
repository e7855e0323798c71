// tests: a composite whose handlers are merged under one lock: however its raise ends, nobody holds it afterwards, and each
// handler ran as deep in it as ever.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_it/0 = on_first on_second on_third
// CHECK: decision 1 applied
// CHECK: ; the same
#include "../../../src/runtime/composite.h"
#include "show.h"

// The raise of the C interface itself.
extern "C" [[gnu::noinline]] thalweg_status raise_it(thalweg_event *event, const thalweg_value *arguments,
                                                     size_t count);
#define RAISE_NAME raise_it
#define RAISE_DECLARED_NAME thalweg_raise_declared_cxx
extern "C" {
#include "../../../src/runtime/raise_body.h"
}

thalweg_composite *composite, *other;
thalweg_event *event, *elsewhere;
thalweg_binding_id bindings[3];
int place, what;

extern "C" void on_late(void *, thalweg_event *, const thalweg_value *, size_t);
void act(int here) {
    show("depth", composite->depth);
    if (here != place)
        return;
    place = -1;
    switch (what) {
    case 0:
        throw what;
    case 1:
        thalweg_bind(event, on_late, nullptr, 0, nullptr);
        break;
    case 2:
        thalweg_unbind(event, bindings[2]);
        break;
    case 3:
        thalweg_halt(event);
        break;
    case 4:
        raise_it(event, nullptr, 0);
        break;
    case 5:
        raise_it(elsewhere, nullptr, 0);
        break;
    case 6:
        thalweg_block(event, bindings[1]);
        throw what;
    case 7:
        thalweg_composite_set_locking(composite, 0);
        break;
    case 8:
        thalweg_event_destroy(event);
        event = nullptr;
        break;
    default:
        break;
    }
}
extern "C" {
void on_first(void *, thalweg_event *, const thalweg_value *, size_t) {
    show("first", place);
    act(0);
}
void on_second(void *, thalweg_event *, const thalweg_value *, size_t) {
    show("second", place);
    act(1);
}
void on_third(void *, thalweg_event *, const thalweg_value *, size_t) {
    show("third", place);
    act(2);
}
void on_late(void *, thalweg_event *, const thalweg_value *, size_t) { show("late", composite->depth); }
void on_elsewhere(void *, thalweg_event *, const thalweg_value *, size_t) {
    show("elsewhere", other->depth);
    if (place < 0 && what == 5)
        throw what;
}
}

void raise_and_look(thalweg_event *which) {
    try {
        show("status", raise_it(which, nullptr, 0));
    } catch (int value) {
        show("thrown", value);
    }
    show("held", composite->depth);
    show("other held", other->depth);
}

int main() {
    other = thalweg_composite_create();
    thalweg_event_create(other, "elsewhere", &elsewhere);
    thalweg_bind(elsewhere, on_elsewhere, nullptr, 0, nullptr);
    for (int at = 0; at < 4; ++at)
        for (what = 0; what < 9; ++what) {
            composite = thalweg_composite_create();
            thalweg_event_create(composite, "event", &event);
            thalweg_handler handlers[] = {on_first, on_second, on_third};
            for (int i = 0; i < 3; ++i)
                thalweg_bind(event, handlers[i], nullptr, i, &bindings[i]);
            place = at;
            for (int round = 0; round < 3; ++round)
                raise_and_look(event);
            thalweg_composite_destroy(composite);
        }
}
