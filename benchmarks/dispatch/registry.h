// benchmarks: the handlers by name; main binds those that its arguments name, in their order.
#pragma once

#include <cstdint>

// One for each handler, in the handler's own translation unit.
struct Registered {
    void (*bind)();
    uint64_t (*digest)();
};

#define HANDLER(case, event, handler, raises) extern const Registered registered_##handler;
#include "handlers.def"
