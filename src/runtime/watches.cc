// runtime: external events: descriptors, signals and periodic timers, all of them descriptors of one epoll.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "event_layout.h"
#include "loop_state.h"
#include "registry.h"

using namespace thalweg::runtime;

namespace {

constexpr int64_t ns_per_s = 1'000'000'000, ns_per_ms = 1'000'000;

uint32_t epoll_interest(unsigned interest) {
    return (interest & THALWEG_READABLE ? uint32_t{EPOLLIN} : 0) |
           (interest & THALWEG_WRITABLE ? uint32_t{EPOLLOUT} : 0);
}

unsigned readiness(uint32_t events) {
    return (events & EPOLLIN ? unsigned{THALWEG_READABLE} : 0) | (events & EPOLLOUT ? unsigned{THALWEG_WRITABLE} : 0) |
           (events & (EPOLLHUP | EPOLLERR) ? unsigned{THALWEG_CLOSED} : 0);
}

thalweg_status check(thalweg_loop *loop, thalweg_event *event, size_t integers) {
    if (!loop || !event)
        return THALWEG_NULL_POINTER;
    if (!is_event(event))
        return THALWEG_UNKNOWN_EVENT;
    const thalweg_value example[2] = {thalweg_integer(0), thalweg_integer(0)};
    return check_arguments(reinterpret_cast<thalweg_core *>(event), example, integers);
}

void remove_watch(thalweg_loop *loop, Watch *watch) {
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, watch->fd, nullptr);
    if (watch->owns_fd)
        close(watch->fd);
    if (watch->signal && !watch->was_blocked) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, watch->signal);
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    }
    (watch->previous ? watch->previous->next : loop->watches) = watch->next;
    if (watch->next)
        watch->next->previous = watch->previous;
    free_handle(loop, watch->id);
    free(watch);
}

// `like` says all but where it stands.
thalweg_status add_watch(thalweg_loop *loop, const Watch &like, uint32_t interest, thalweg_event *event,
                         thalweg_watch_id *out) {
    check_thread(loop, "was given a watch");
    auto *watch = static_cast<Watch *>(allocate(sizeof(Watch)));
    *watch = like;
    watch->event_id = thalweg_event_id(event);
    watch->id = new_handle(loop, watch);
    watch->next = loop->watches;
    if (watch->next)
        watch->next->previous = watch;
    loop->watches = watch;
    epoll_event wanted{};
    wanted.events = interest;
    wanted.data.u64 = watch->id;
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, watch->fd, &wanted) != 0) {
        const int reason = errno;
        remove_watch(loop, watch);
        errno = reason;
        return THALWEG_SYSTEM_ERROR;
    }
    if (out)
        *out = watch->id;
    return THALWEG_OK;
}

// A clock that stands still goes to the next timer, unless something is under way elsewhere.
bool jumps(const thalweg_loop *loop) {
    return loop->holds == 0 && loop->timer_count > 0 && loop->timers[0]->due_ns != UINT64_MAX;
}

}  // namespace

namespace thalweg::runtime {

int64_t time_left(const thalweg_loop *loop) {
    if (loop->virtual_ns)
        return jumps(loop) ? 0 : -1;
    if (loop->timer_count == 0)
        return -1;
    const uint64_t now = now_ns(), due = loop->timers[0]->due_ns;
    const uint64_t left = due > now ? due - now : 0;
    return left < INT64_MAX ? static_cast<int64_t>(left) : INT64_MAX;
}

void let_virtual_time_pass(thalweg_loop *loop) {
    if (loop->virtual_ns && jumps(loop))
        loop->virtual_ns = loop->timers[0]->due_ns;
}

// epoll_wait counts milliseconds; a retransmission timer wants better. Old kernels have only that.
int wait_for_descriptors(thalweg_loop *loop, epoll_event *events) {
    const int64_t left = time_left(loop);
    const bool forever = left < 0;
    const timespec timeout{static_cast<time_t>(left / ns_per_s), static_cast<long>(left % ns_per_s)};
    const int count = epoll_pwait2(loop->epoll, events, turn_max, forever ? nullptr : &timeout, nullptr);
    if (count >= 0 || errno != ENOSYS)
        return count;
    const int64_t left_ms = left / ns_per_ms + (left % ns_per_ms != 0);
    const int limited_ms = left_ms > INT32_MAX ? INT32_MAX : static_cast<int>(left_ms);
    return epoll_wait(loop->epoll, events, turn_max, forever ? -1 : limited_ms);
}

bool read_watch(thalweg_loop *loop, uint64_t id, uint32_t events, ExternalRaise *raise) {
    auto *watch = static_cast<Watch *>(resolve_handle(loop, id));
    if (!watch)
        return false;  // unwatched by a handler of this turn
    raise->core = find_id(watch->event_id);
    raise->mode = watch->mode;
    raise->count = 1;
    if (!raise->core) {
        remove_watch(loop, watch);
        return false;
    }
    if (watch->signal) {
        signalfd_siginfo info;
        if (read(watch->fd, &info, sizeof(info)) != sizeof(info))
            return false;
        raise->arguments[0] = thalweg_integer(info.ssi_signo);
    } else if (watch->owns_fd) {
        uint64_t periods = 0;
        if (read(watch->fd, &periods, sizeof(periods)) != sizeof(periods))
            return false;
        raise->arguments[0] = thalweg_integer(static_cast<int64_t>(periods));
    } else {
        raise->arguments[0] = thalweg_integer(watch->fd);
        raise->arguments[1] = thalweg_integer(readiness(events));
        raise->count = 2;
    }
    return true;
}

void drop_watches(thalweg_loop *loop) {
    while (loop->watches)
        remove_watch(loop, loop->watches);
}

}  // namespace thalweg::runtime

thalweg_status thalweg_watch_fd(thalweg_loop *loop, int fd, unsigned interest, thalweg_event *event,
                                thalweg_watch_id *watch) noexcept {
    if (const thalweg_status status = check(loop, event, 2))
        return status;
    const Watch like{nullptr, nullptr, 0, 0, fd, 0, false, false, THALWEG_RAISE_EXTERNAL};
    return add_watch(loop, like, epoll_interest(interest), event, watch);
}

thalweg_status thalweg_watch_signal(thalweg_loop *loop, int signal, thalweg_event *event,
                                    thalweg_watch_id *watch) noexcept {
    if (const thalweg_status status = check(loop, event, 1))
        return status;
    sigset_t set, before;
    sigemptyset(&set);
    if (sigaddset(&set, signal) != 0)
        return THALWEG_SYSTEM_ERROR;
    const int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return THALWEG_SYSTEM_ERROR;
    pthread_sigmask(SIG_BLOCK, &set, &before);
    const Watch like{
        nullptr, nullptr, 0, 0, fd, signal, true, sigismember(&before, signal) == 1, THALWEG_RAISE_EXTERNAL};
    return add_watch(loop, like, EPOLLIN, event, watch);
}

thalweg_status thalweg_watch_timer(thalweg_loop *loop, uint64_t period_ns, thalweg_event *event,
                                   thalweg_watch_id *watch) noexcept {
    if (const thalweg_status status = check(loop, event, 1))
        return status;
    if (period_ns == 0)
        return THALWEG_OUT_OF_RANGE;
    const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd < 0)
        return THALWEG_SYSTEM_ERROR;
    const timespec period{static_cast<time_t>(period_ns / ns_per_s), static_cast<long>(period_ns % ns_per_s)};
    const itimerspec times{period, period};
    timerfd_settime(fd, 0, &times, nullptr);
    const Watch like{nullptr, nullptr, 0, 0, fd, 0, true, false, THALWEG_RAISE_TIMED};
    return add_watch(loop, like, EPOLLIN, event, watch);
}

thalweg_status thalweg_unwatch(thalweg_loop *loop, thalweg_watch_id id) noexcept {
    if (!loop)
        return THALWEG_NULL_POINTER;
    check_thread(loop, "lost a watch");
    auto *what = static_cast<Watch *>(resolve_handle(loop, id));
    for (Watch *watch = loop->watches; watch; watch = watch->next) {
        if (watch != what)
            continue;
        remove_watch(loop, watch);
        return THALWEG_OK;
    }
    return THALWEG_NOT_PENDING;
}
