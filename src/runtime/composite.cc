// runtime: composites, and the events of the C interface that they hold.
#include "composite.h"

#include <cstdlib>
#include <new>

using namespace thalweg::runtime;

namespace {

void set_flag(thalweg_event *event, uint32_t flag, bool on) {
    event->core.flags = on ? event->core.flags | flag : event->core.flags & ~flag;
    find_path(&event->core);
}

void free_composite(thalweg_composite *composite) {
    pthread_mutex_destroy(&composite->mutex);
    composite->~thalweg_composite();
    free(composite);
}

}  // namespace

thalweg_composite *thalweg_composite_create() noexcept {
    auto *composite = new (allocate(sizeof(thalweg_composite))) thalweg_composite{};
    pthread_mutex_init(&composite->mutex, nullptr);
    composite->locking = true;
    return composite;
}

thalweg_status thalweg_composite_destroy(thalweg_composite *composite) noexcept {
    if (!composite)
        return THALWEG_NULL_POINTER;
    while (composite->first)
        thalweg_event_destroy(composite->first);
    thalweg_composite_lock(composite);
    composite->doomed = true;
    thalweg_composite_unlock(composite);
    return THALWEG_OK;
}

thalweg_status thalweg_composite_set_locking(thalweg_composite *composite, int locking) noexcept {
    if (!composite)
        return THALWEG_NULL_POINTER;
    composite->locking = locking != 0;
    for (thalweg_event *event = composite->first; event; event = event->next) {
        set_flag(event, THALWEG_CORE_LOCKED, composite->locking);
    }
    return THALWEG_OK;
}

void thalweg_composite_lock(thalweg_composite *composite) noexcept {
    const pthread_t self = pthread_self();
    if (composite->holder.load(std::memory_order_relaxed) != self) {
        pthread_mutex_lock(&composite->mutex);
        composite->holder.store(self, std::memory_order_relaxed);
    }
    ++composite->depth;
}

// A composite that is destroyed by one of its handlers goes away when the last of them has returned.
void thalweg_composite_unlock(thalweg_composite *composite) noexcept {
    if (--composite->depth > 0)
        return;
    const bool last = composite->doomed;
    composite->holder.store(0, std::memory_order_relaxed);
    pthread_mutex_unlock(&composite->mutex);
    if (last)
        free_composite(composite);
}

namespace thalweg::runtime {

void enter_composite(thalweg_composite *composite, thalweg_event *event) {
    event->composite = composite;
    event->next = composite->first;
    if (event->next)
        event->next->previous = event;
    composite->first = event;
    set_flag(event, THALWEG_CORE_LOCKED, composite->locking);
}

void leave_composite(thalweg_event *event) {
    if (!event->composite)
        return;
    (event->previous ? event->previous->next : event->composite->first) = event->next;
    if (event->next)
        event->next->previous = event->previous;
}

}  // namespace thalweg::runtime
