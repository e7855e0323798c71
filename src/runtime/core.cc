// runtime: an event's bindings and the raises in progress that watch them.
#include <cstdlib>
#include <cstring>

#include "internal.h"
#include "loop_state.h"
#include "registry.h"

using namespace thalweg::runtime;

const thalweg_hooks *thalweg_recorder_hooks = nullptr;

namespace thalweg::runtime {

void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory)
        abort();
    return memory;
}

}  // namespace thalweg::runtime

namespace {

void release_array(SlotArray *array) {
    if (!array || --array->references > 0)
        return;
    for (uint32_t i = 0; i < array->count; ++i)
        thalweg_binding_release(array->slots[i].binding);
    free(array);
}

SlotArray *new_array(const thalweg_event_info *info) {
    if (info->running == 0)
        return nullptr;
    auto *array = static_cast<SlotArray *>(allocate(sizeof(SlotArray) + info->running * sizeof(thalweg_slot)));
    array->references = 1;
    for (thalweg_binding *binding = info->first; binding; binding = binding->next) {
        if (binding->blocked)
            continue;
        array->slots[array->count++] = {binding->function, binding->context, binding};
        ++binding->references;
    }
    return array;
}

// Every raise in progress goes on with the list that it began with, and asks before each handler from now on.
void mark_frames(thalweg_core *core, uint32_t flags) {
    SlotArray *array = array_of(core->slots);
    for (thalweg_frame *frame = core->frames; frame; frame = frame->next) {
        frame->flags |= flags;
        if (frame->state != THALWEG_FRAME_UNCHANGED)
            continue;
        frame->state = THALWEG_FRAME_CHANGED;
        frame->detail = array;
        ++array->references;
    }
}

void renew_slots(thalweg_core *core) {
    SlotArray *old = array_of(core->slots);
    mark_frames(core, 0);
    SlotArray *array = new_array(core->info);
    core->slots = array ? array->slots : nullptr;
    core->slots_end = array ? array->slots + array->count : nullptr;
    find_path(core);
    if (thalweg_recorder_hooks)
        thalweg_recorder_hooks->bindings_changed(core);
    release_array(old);  // last: what a handler kept may delete the event when it goes
}

void link_binding(thalweg_event_info *info, thalweg_binding *binding) {
    thalweg_binding *before = info->last;
    while (before && before->order > binding->order)
        before = before->previous;
    binding->previous = before;
    binding->next = before ? before->next : info->first;
    (before ? before->next : info->first) = binding;
    (binding->next ? binding->next->previous : info->last) = binding;
}

void unlink_binding(thalweg_event_info *info, thalweg_binding *binding) {
    (binding->previous ? binding->previous->next : info->first) = binding->next;
    (binding->next ? binding->next->previous : info->last) = binding->previous;
    binding->previous = binding->next = nullptr;
    binding->core = nullptr;
}

const char *copied_name(const char *name) {
    const size_t bytes = strlen(name) + 1;
    return static_cast<const char *>(memcpy(allocate(bytes), name, bytes));
}

// "file:line", written by hand: a runtime in somebody's process does not need stdio for it.
const char *place_name(const char *file, uint32_t line) {
    constexpr size_t digits_max = 10;  // of a 32-bit number
    char digits[digits_max + 1] = {};
    char *at = digits + digits_max;
    do {
        *--at = static_cast<char>('0' + line % 10);
        line /= 10;
    } while (line);
    const size_t length = strlen(file);
    char *name = static_cast<char *>(allocate(length + 1 + strlen(at) + 1));
    memcpy(name, file, length);
    name[length] = ':';
    memcpy(name + length + 1, at, strlen(at));
    return name;
}

}  // namespace

void thalweg_core_create(thalweg_core *core, const char *name, const char *file, uint32_t line,
                         const thalweg_event_type *type) noexcept {
    auto *info = static_cast<thalweg_event_info *>(allocate(sizeof(thalweg_event_info)));
    info->head.name = name ? copied_name(name) : place_name(file, line);
    info->type = type;
    info->core = core;
#ifdef THALWEG_CHECK_THREADS
    info->thread = thalweg_this_thread();
#endif
    *core = {nullptr, nullptr, nullptr, THALWEG_NO_PATH, type ? uint32_t{THALWEG_CORE_TYPED} : 0, info};
    register_event(info);
    find_path(core);
}

const thalweg_event_type *thalweg_core_type(const thalweg_core *core) noexcept { return core->info->type; }

void thalweg_core_delete(thalweg_core *core) noexcept {
    check_thread(core, "was deleted");
    if (thalweg_recorder_hooks)
        thalweg_recorder_hooks->event_deleted(core);
    mark_frames(core, THALWEG_FRAME_DELETED);
    thalweg_event_info *info = core->info;
    while (info->tasks)
        drop_task(info->tasks);
    forget_event(info);
    forget_paths(core);
    release_array(array_of(core->slots));
    *core = {};
    while (thalweg_binding *binding = info->first) {
        unlink_binding(info, binding);
        thalweg_binding_release(binding);
    }
    free(const_cast<char *>(info->head.name));
    free(info);
}

void thalweg_core_bind(thalweg_core *core, thalweg_binding *binding) noexcept {
    check_thread(core, "was bound to");
    binding->core = core;
    binding->id = ++core->info->last_binding;
    ++binding->references;
    link_binding(core->info, binding);
    if (!binding->blocked)
        ++core->info->running;
    renew_slots(core);
}

void thalweg_binding_unbind(thalweg_binding *binding) noexcept {
    thalweg_core *core = binding->core;
    if (!core)
        return;
    check_thread(core, "was unbound from");
    unlink_binding(core->info, binding);
    if (!binding->blocked)
        --core->info->running;
    renew_slots(core);
    thalweg_binding_release(binding);
}

void thalweg_binding_block(thalweg_binding *binding, int blocked) noexcept {
    const uint32_t wanted = blocked ? 1 : 0;
    if (binding->blocked == wanted)
        return;
    binding->blocked = wanted;
    if (!binding->core)
        return;
    check_thread(binding->core, blocked ? "had a handler blocked" : "had a handler unblocked");
    if (blocked) {
        --binding->core->info->running;
    } else {
        ++binding->core->info->running;
    }
    renew_slots(binding->core);
}

void thalweg_binding_release(thalweg_binding *binding) noexcept {
    if (--binding->references > 0)
        return;
    if (binding->release)
        binding->release(binding->kept);
    binding->destroy(binding);
}

int thalweg_core_halt(thalweg_core *core) noexcept {
    check_thread(core, "was halted");
    thalweg_frame *frame = core->frames;
    if (!frame)
        return 0;
    mark_frames(core, 0);
    frame->flags |= THALWEG_FRAME_HALTED;
    return 1;
}

thalweg_slot *thalweg_dispatch_next(thalweg_core *, thalweg_frame *frame, thalweg_slot *done) noexcept {
    if (frame->flags & (THALWEG_FRAME_HALTED | THALWEG_FRAME_DELETED))
        return nullptr;
    const auto *array = static_cast<const SlotArray *>(frame->detail);
    const thalweg_slot *end = array->slots + array->count;
    for (thalweg_slot *slot = done + 1; slot != end; ++slot) {
        if (slot->binding->core && !slot->binding->blocked)
            return slot;
    }
    return nullptr;
}

void thalweg_frame_leave(thalweg_core *core, thalweg_frame *frame) noexcept {
    if (!(frame->flags & THALWEG_FRAME_DELETED))
        core->frames = frame->next;
    release_array(static_cast<SlotArray *>(frame->detail));
}
