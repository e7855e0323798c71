// tests: the runtime's raise of an event with declared types, as a program's module has it, and a call of it.
#pragma once
#include "../../../src/runtime/event_layout.h"

#define RAISE_DECLARED_NAME thalweg_raise_declared
#include "../../../src/runtime/raise_declared_body.h"

__attribute__((noinline)) thalweg_status raise_it(thalweg_event *event, int64_t argument) {
    const thalweg_value value = thalweg_integer(argument);
    return thalweg_raise_declared(event, &value, 1);
}
