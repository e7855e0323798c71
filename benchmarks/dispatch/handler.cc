// benchmarks: one handler in a translation unit of its own; compiled once for each line of handlers.def with
// -DHANDLER_NAME=... -DEVENT=... and, if it raises, -DRAISES=...
#include "handler.h"

#define HANDLER_TEXT_OF(name) #name
#define HANDLER_TEXT(name) HANDLER_TEXT_OF(name)
#define REGISTERED_OF(name) registered_##name
#define REGISTERED(name) REGISTERED_OF(name)

#include "registry.h"

namespace {

HANDLER_NAME::State state;

void on_segment(HANDLER_NAME::State &own, Segment &segment) {
    HANDLER_NAME::run(own, segment);
#ifdef RAISES
    RAISES.raise(segment);
#endif
}

void bind() { EVENT.bind<&on_segment>(&state); }
uint64_t digest() { return digest_of(HANDLER_TEXT(HANDLER_NAME), state); }

}  // namespace

const Registered REGISTERED(HANDLER_NAME) = {bind, digest};
