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
    const thalweg_type *types = typed ? core->info->type->types : declared->types;
    if (count != (typed ? core->info->type->count : declared->count))
        return THALWEG_WRONG_COUNT;
    for (size_t i = 0; i < count; ++i) {
        if (types[i] == THALWEG_NOTHING)
            return THALWEG_NOT_MARSHALLED;
        if (arguments[i].type != types[i])
            return THALWEG_WRONG_TYPE;
    }
    return THALWEG_OK;
}

void part_raised(void *context, thalweg_event *, const thalweg_value *, size_t) {
    const auto *part = static_cast<const Part *>(context);
    if (thalweg_pattern_seen(part->whole->pattern, part->core))
        thalweg_raise_from_c(part->whole->event, nullptr, 0);
}

}  // namespace thalweg::runtime

thalweg_status thalweg_raise_checked(thalweg_event *event, const thalweg_value *arguments, size_t count, int *go_on) {
    if (!event || (!arguments && count > 0))
        return THALWEG_NULL_POINTER;
    if (event->core.flags & THALWEG_CORE_TYPED)
        return event->core.info->type->raise(&event->core, arguments, count);
    const thalweg_status status = thalweg::runtime::check_arguments(&event->core, arguments, count);
    *go_on = status == THALWEG_OK;
    return status;
}

thalweg_status thalweg_raise_named(const char *name, const thalweg_value *arguments, size_t count) {
    if (!name)
        return THALWEG_NULL_POINTER;
    thalweg_event *event = thalweg_event_find(name);
    if (!event)
        return THALWEG_UNKNOWN_EVENT;
    return thalweg_raise_from_c(event, arguments, count);
}
