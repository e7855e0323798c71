// runtime: the raises that are checked before they run, or looked up by name. Handlers' exceptions pass through here.
#include "event_layout.h"
#include "internal.h"

// The twin for C: this file needs nothing of the C++ library.
extern "C" thalweg_status thalweg_raise_from_c(thalweg_event *, const thalweg_value *, size_t) __asm__("thalweg_raise");

thalweg_status thalweg_raise_checked(thalweg_event *event, const thalweg_value *arguments, size_t count, int *go_on) {
    if (!event || (!arguments && count > 0)) return THALWEG_NULL_POINTER;
    if (event->core.flags & THALWEG_CORE_TYPED) return event->core.info->type->raise(&event->core, arguments, count);
    if (count != event->count) return THALWEG_WRONG_COUNT;
    for (size_t i = 0; i < count; ++i) {
        if (arguments[i].type != event->types[i]) return THALWEG_WRONG_TYPE;
    }
    *go_on = 1;
    return THALWEG_OK;
}

thalweg_status thalweg_raise_named(const char *name, const thalweg_value *arguments, size_t count) {
    if (!name) return THALWEG_NULL_POINTER;
    thalweg_event *event = thalweg_event_find(name);
    if (!event) return THALWEG_UNKNOWN_EVENT;
    return thalweg_raise_from_c(event, arguments, count);
}
