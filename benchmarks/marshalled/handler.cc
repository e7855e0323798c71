// benchmarks: one handler in a translation unit of its own; compiled once for each line of handlers.def with
// -DHANDLER_NAME=... -DEVENT=... and, if it raises, -DRAISES=...
#include "../dispatch/digest.h"
#include "events.h"

#define HANDLER_TEXT_OF(name) #name
#define HANDLER_TEXT(name) HANDLER_TEXT_OF(name)
#define REGISTERED_OF(name) registered_##name
#define REGISTERED(name) REGISTERED_OF(name)

namespace {

Working<HANDLER_NAME> working;

void on_event(void *context, thalweg_event *, const thalweg_value *arguments, size_t count) {
    void *pointer = nullptr;
    int64_t length = 0;
    if (!thalweg_get_pointer(arguments, count, 0, &pointer) || !thalweg_get_integer(arguments, count, 1, &length)) {
        return;
    }
    auto &segment = *static_cast<Segment *>(pointer);
    run_handler(*static_cast<Working<HANDLER_NAME> *>(context), segment, length);
#ifdef RAISES
    raise_segment(RAISES, segment);
#endif
}

void bind() { thalweg_bind(EVENT, on_event, &working, 0, nullptr); }
uint64_t digest() { return digest_of(HANDLER_TEXT(HANDLER_NAME), working); }

}  // namespace

const Registered REGISTERED(HANDLER_NAME) = {bind, digest};
