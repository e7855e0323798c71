// runtime: descriptors that are told to their owners without an event between: the ground of streams and of waits for a descriptor.
#include <cerrno>
#include <sys/epoll.h>

#include "loop_state.h"

using namespace thalweg::runtime;

namespace {

epoll_event wanted(thalweg_descriptor *descriptor, uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = reinterpret_cast<uint64_t>(descriptor);
    return event;
}

}  // namespace

thalweg_status thalweg_descriptor_add(thalweg_loop *loop, thalweg_descriptor *descriptor, int fd,
                                      uint32_t events) noexcept {
    epoll_event event = wanted(descriptor, events);
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
        return THALWEG_OK;
    const bool is_known = errno == EEXIST;
    return is_known && epoll_ctl(loop->epoll, EPOLL_CTL_MOD, fd, &event) == 0 ? THALWEG_OK : THALWEG_SYSTEM_ERROR;
}

thalweg_status thalweg_descriptor_change(thalweg_loop *loop, thalweg_descriptor *descriptor, int fd,
                                         uint32_t events) noexcept {
    epoll_event event = wanted(descriptor, events);
    if (epoll_ctl(loop->epoll, EPOLL_CTL_MOD, fd, &event) == 0)
        return THALWEG_OK;
    return errno == ENOENT ? thalweg_descriptor_add(loop, descriptor, fd, events) : THALWEG_SYSTEM_ERROR;
}

void thalweg_descriptor_remove(thalweg_loop *loop, thalweg_descriptor *descriptor, int fd) noexcept {
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, nullptr);
    for (Batch *batch = loop->batch; batch; batch = batch->outer) {
        for (int i = batch->next; i < batch->count; ++i) {
            if (batch->events[i].data.u64 == reinterpret_cast<uint64_t>(descriptor))
                batch->events[i].data.u64 = removed_mark;
        }
    }
}

void thalweg_loop_set_poller(thalweg_loop *loop, thalweg_poller *poller) noexcept { loop->poller = poller; }
int thalweg_loop_epoll(const thalweg_loop *loop) noexcept { return loop->epoll; }

thalweg_loop_part *thalweg_loop_find_part(const thalweg_loop *loop, const void *kind) noexcept {
    thalweg_loop_part *part = loop->parts;
    while (part && part->kind != kind)
        part = part->next;
    return part;
}

void thalweg_loop_add_part(thalweg_loop *loop, thalweg_loop_part *part) noexcept {
    part->next = loop->parts;
    loop->parts = part;
}
