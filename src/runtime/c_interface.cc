// runtime: the C interface: events and bindings.
#include <cstdlib>
#include <cstring>

#include "compose.h"
#include "composite.h"
#include "event_layout.h"
#include "internal.h"
#include "registry.h"

using namespace thalweg::runtime;

namespace {

thalweg_core *core_of(thalweg_event *event) { return reinterpret_cast<thalweg_core *>(event); }
const thalweg_core *core_of(const thalweg_event *event) { return reinterpret_cast<const thalweg_core *>(event); }

// Of what a caller hands over, in functions that are rare enough to look: an event that was destroyed is none.
thalweg_status check_event(const thalweg_event *event) {
    if (!event)
        return THALWEG_NULL_POINTER;
    return is_event(event) ? THALWEG_OK : THALWEG_UNKNOWN_EVENT;
}

bool is_typed(const thalweg_event *event) { return core_of(event)->flags & THALWEG_CORE_TYPED; }

void free_binding(thalweg_binding *binding) { free(binding); }

thalweg_binding *find_binding(thalweg_event *event, thalweg_binding_id id) {
    thalweg_binding *binding = core_of(event)->info->first;
    while (binding && binding->id != id)
        binding = binding->next;
    return binding;
}

thalweg_binding *bind_plain(thalweg_event *event, thalweg_handler handler, void *context, int32_t order) {
    auto *binding = static_cast<thalweg_binding *>(allocate(sizeof(thalweg_binding)));
    binding->function = reinterpret_cast<thalweg_function>(handler);
    binding->context = context;
    binding->destroy = free_binding;
    binding->order = order;
    thalweg_core_bind(core_of(event), binding);
    return binding;
}

thalweg_status set_blocked(thalweg_event *event, thalweg_binding_id id, int blocked) {
    if (const thalweg_status status = check_event(event))
        return status;
    thalweg_binding *binding = find_binding(event, id);
    if (!binding)
        return THALWEG_NOT_BOUND;
    thalweg_binding_block(binding, blocked);
    return THALWEG_OK;
}

}  // namespace

const char *thalweg_message(thalweg_status status) noexcept {
    switch (status) {
    case THALWEG_OK:
        return "done";
    case THALWEG_NULL_POINTER:
        return "a null pointer was given where an object is needed";
    case THALWEG_UNKNOWN_EVENT:
        return "there is no such event; create it first, or it was destroyed";
    case THALWEG_WRONG_COUNT:
        return "the raise has another number of arguments than the event declares";
    case THALWEG_WRONG_TYPE:
        return "an argument is of another type than the event declares";
    case THALWEG_OUT_OF_RANGE:
        return "an integer argument does not fit the type that the event declares";
    case THALWEG_NOT_MARSHALLED:
        return "the event has arguments or results that only its C++ type can pass; raise and bind it in C++";
    case THALWEG_NOT_BOUND:
        return "there is no such binding; it was unbound, or belongs to another event";
    case THALWEG_NOT_RAISED:
        return "no raise of the event is in progress";
    case THALWEG_NOT_PENDING:
        return "there is no such pending raise; it has run, or was cancelled";
    case THALWEG_TYPED_EVENT:
        return "the event is a C++ object and is declared and destroyed as one";
    case THALWEG_SYSTEM_ERROR:
        return "the operating system refused; errno says why";
    }
    return "not a status of Thalweg";
}

thalweg_status thalweg_event_create(thalweg_composite *composite, const char *name, thalweg_event **out) noexcept {
    if (!name || !out)
        return THALWEG_NULL_POINTER;
    auto *event = static_cast<thalweg_event *>(allocate(sizeof(thalweg_event)));
    thalweg_core_create(&event->core, name, "", 0, nullptr);
    if (composite)
        enter_composite(composite, event);
    *out = event;
    return THALWEG_OK;
}

thalweg_status thalweg_event_declare(thalweg_event *event, const thalweg_type *types, size_t count) noexcept {
    if (const thalweg_status status = check_event(event))
        return status;
    if (!types && count > 0)
        return THALWEG_NULL_POINTER;
    if (is_typed(event))
        return THALWEG_TYPED_EVENT;
    free(event->types);
    event->types = static_cast<thalweg_type *>(allocate((count + 1) * sizeof(thalweg_type)));
    if (count > 0)
        memcpy(event->types, types, count * sizeof(thalweg_type));
    event->count = count;
    event->core.flags |= THALWEG_CORE_DECLARED;
    find_path(&event->core);
    return THALWEG_OK;
}

thalweg_status thalweg_event_destroy(thalweg_event *event) noexcept {
    if (const thalweg_status status = check_event(event))
        return status;
    if (is_typed(event))
        return THALWEG_TYPED_EVENT;
    leave_composite(event);
    if (event->composed)
        free_composed(event->composed);
    thalweg_core_delete(&event->core);
    free(event->types);
    free(event);
    return THALWEG_OK;
}

thalweg_event *thalweg_event_find(const char *name) noexcept {
    return name ? reinterpret_cast<thalweg_event *>(find_named(name)) : nullptr;
}

thalweg_event *thalweg_event_by_id(uint64_t id) noexcept { return reinterpret_cast<thalweg_event *>(find_id(id)); }

uint64_t thalweg_event_id(const thalweg_event *event) noexcept { return event ? core_of(event)->info->id : 0; }

const char *thalweg_event_name(const thalweg_event *event) noexcept {
    return event ? core_of(event)->info->head.name : "";
}

size_t thalweg_event_handlers(const thalweg_event *event) noexcept {
    return event ? static_cast<size_t>(core_of(event)->slots_end - core_of(event)->slots) : 0;
}

thalweg_status thalweg_bind(thalweg_event *event, thalweg_handler handler, void *context, int32_t order,
                            thalweg_binding_id *out) noexcept {
    return thalweg_bind_kept(event, handler, context, nullptr, order, out);
}

thalweg_status thalweg_bind_kept(thalweg_event *event, thalweg_handler handler, void *context, void (*release)(void *),
                                 int32_t order, thalweg_binding_id *out) noexcept {
    if (const thalweg_status status = check_event(event))
        return status;
    if (!handler)
        return THALWEG_NULL_POINTER;
    thalweg_binding *binding = nullptr;
    if (is_typed(event)) {
        const thalweg_event_type *type = core_of(event)->info->type;
        if (const thalweg_status status = type->bind(core_of(event), handler, context, order, &binding))
            return status;
    } else {
        binding = bind_plain(event, handler, context, order);
    }
    binding->release = release;
    binding->kept = context;
    if (out)
        *out = binding->id;
    return THALWEG_OK;
}

thalweg_status thalweg_unbind(thalweg_event *event, thalweg_binding_id id) noexcept {
    if (const thalweg_status status = check_event(event))
        return status;
    thalweg_binding *binding = find_binding(event, id);
    if (!binding)
        return THALWEG_NOT_BOUND;
    thalweg_binding_unbind(binding);
    return THALWEG_OK;
}

thalweg_status thalweg_block(thalweg_event *event, thalweg_binding_id id) noexcept { return set_blocked(event, id, 1); }

thalweg_status thalweg_unblock(thalweg_event *event, thalweg_binding_id id) noexcept {
    return set_blocked(event, id, 0);
}

thalweg_status thalweg_halt(thalweg_event *event) noexcept {
    if (const thalweg_status status = check_event(event))
        return status;
    return thalweg_core_halt(core_of(event)) ? THALWEG_OK : THALWEG_NOT_RAISED;
}
