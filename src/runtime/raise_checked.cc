// runtime: the raises that are checked before they run, or looked up by name. Handlers' exceptions pass through here.
#include "compose.h"
#include "event_layout.h"
#include "internal.h"

// The twin for C: this file needs nothing of the C++ library.
extern "C" thalweg_status thalweg_raise_from_c(thalweg_event *, const thalweg_value *, size_t) __asm__("thalweg_raise");

namespace thalweg::runtime {

thalweg_status check_arguments(const thalweg_core *core, const thalweg_value *arguments, size_t count) {
    const bool typed = core->flags & THALWEG_CORE_TYPED;
    if (!typed && !(core->flags & THALWEG_CORE_DECLARED))
        return THALWEG_OK;
    const auto *declared = reinterpret_cast<const thalweg_event *>(core);
    if (typed)
        return thalweg_compare_types(core->info->type->types, core->info->type->count, arguments, count);
    return thalweg_compare_types(declared->types, declared->count, arguments, count);
}

void part_raised(void *context, thalweg_event *, const thalweg_value *, size_t) {
    const auto *part = static_cast<const Part *>(context);
    if (thalweg_pattern_seen(part->whole->pattern, part->core))
        thalweg_raise_from_c(part->whole->event, nullptr, 0);
}

}  // namespace thalweg::runtime

thalweg_status thalweg_raise_checked(thalweg_event *event, const thalweg_value *arguments, size_t count) {
    if (!event || (!arguments && count > 0))
        return THALWEG_NULL_POINTER;
    return event->core.info->type->raise(&event->core, arguments, count);
}

thalweg_status thalweg_raise_named(const char *name, const thalweg_value *arguments, size_t count) {
    if (!name)
        return THALWEG_NULL_POINTER;
    thalweg_event *event = thalweg_event_find(name);
    if (!event)
        return THALWEG_UNKNOWN_EVENT;
    return thalweg_raise_from_c(event, arguments, count);
}
