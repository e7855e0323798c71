// thalweg: a descriptor that can be read or written, as a primitive event (paper tame-usenix07, section 3.1).
#pragma once

#include <cerrno>
#include <cstddef>
#include <memory>
#include <sys/epoll.h>
#include <system_error>
#include <utility>
#include <vector>

#include <thalweg/tame/loop_part.h>
#include <thalweg/tame/timer.h>
#include <thalweg/tame/wait_list.h>

namespace THALWEG_TAME {

enum class interest : uint32_t { readable = EPOLLIN | EPOLLRDHUP, writable = EPOLLOUT };

namespace detail {

// All that is waited for on one descriptor: one registration, armed for what is waited for and not again until somebody waits.
class DescriptorWaits final : thalweg_descriptor {
  public:
    DescriptorWaits(thalweg_loop *loop, int fd)
        : thalweg_descriptor{[](thalweg_descriptor *self, uint32_t events) {
              static_cast<DescriptorWaits *>(self)->have_happened(events);
          }},
          loop_(loop), fd_(fd), waits_(*this) {}
    DescriptorWaits(const DescriptorWaits &) = delete;
    DescriptorWaits &operator=(const DescriptorWaits &) = delete;
    ~DescriptorWaits() {
        if (is_waiting())
            thalweg_descriptor_remove(loop_, this, fd_);
    }

    bool is_waiting() const { return !waits_.is_empty(); }
    void cancelled() noexcept {}  // what is armed is told once, to nobody
    void add(interest wanted, event<> due) {
        auto *wait = waits_.add(static_cast<uint32_t>(wanted), std::move(due));
        if (arm())
            return;
        const int reason = errno;
        due = wait->take();
        delete wait;
        // A file is always ready, and epoll knows none.
        if (reason != EPERM)
            throw std::system_error(reason, std::generic_category(), "a descriptor can't be waited for");
        timer(std::chrono::nanoseconds(0), std::move(due));
    }

  private:
    bool arm() {
        uint32_t wanted = EPOLLONESHOT;
        waits_.for_each([&](uint32_t one) { wanted |= one; });
        return thalweg_descriptor_change(loop_, this, fd_, wanted) == THALWEG_OK;
    }
    void have_happened(uint32_t events) noexcept {
        std::vector<event<>> due =
            waits_.take([events](uint32_t wanted) { return (events & (wanted | EPOLLERR | EPOLLHUP)) != 0; });
        if (is_waiting())
            arm();
        waits_.trigger(std::move(due));
    }

    thalweg_loop *loop_;
    int fd_;
    WaitList<DescriptorWaits, uint32_t> waits_;  // by EPOLLIN and the like
};

// Of a loop, by number.
class Descriptors {
  public:
    explicit Descriptors(thalweg_loop *loop) : loop_(loop) {}

    bool is_waiting() const {
        for (const auto &waits : waits_)
            if (waits && waits->is_waiting())
                return true;
        return false;
    }
    DescriptorWaits &operator[](int fd) {
        const auto number = static_cast<size_t>(fd);
        if (number >= waits_.size())
            waits_.resize(number + 1);
        if (!waits_[number])
            waits_[number] = std::make_unique<DescriptorWaits>(loop_, fd);
        return *waits_[number];
    }

  private:
    thalweg_loop *loop_;
    std::vector<std::unique_ptr<DescriptorWaits>> waits_;
};

}  // namespace detail

// Triggers the event when the descriptor can be read or written without blocking, or its other side is gone: at once where it can. One
// that is closed meanwhile triggers nothing. Throws std::system_error where it can't be waited for.
inline void wait_on_fd(int fd, interest wanted, event<> ready) {
    if (!ready)
        return;
    if (fd < 0)
        throw std::system_error(EBADF, std::generic_category(), "a descriptor can't be waited for");
    detail::LoopPart<detail::Descriptors>::of(detail::loop_here())[fd].add(wanted, std::move(ready));
}

}  // namespace THALWEG_TAME
