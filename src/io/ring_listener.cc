// io: a listener under io_uring: one request takes all connections, or one where descriptors are scarce.
#include <cerrno>
#include <deque>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io.h"
#include "retry.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

class RingListener final : Operation, public Member<ListenerBody> {
  public:
    RingListener(Io &io, int fd)
        : Operation{[](Operation *self, int result, uint32_t flags) {
              static_cast<RingListener *>(self)->have_accepted(result, flags);
          }},
          Member(io), ring_(io.ring()), fd_(fd), pause_(*this) {}

    bool accept(Accepting &wanted) override {
        if (!taken_.empty()) {
            wanted.fd = taken_.front();
            taken_.pop_front();
            return true;
        }
        if (is_closed_)
            return true;
        accepting_ = &wanted;
        try_again();
        return false;
    }
    void forget(Accepting &) noexcept override { accepting_ = nullptr; }
    void close() noexcept override {
        if (is_closed_)
            return;
        is_closed_ = true;
        pause_.end();
        if (is_accepting_)
            ring_->cancel(mark());
        io_uring_sqe &closes = ring_->request(nullptr);
        io_uring_prep_close(&closes, fd_);
        closes.flags |= IOSQE_CQE_SKIP_SUCCESS;
        if (accepting_)
            let_go_on(*std::exchange(accepting_, nullptr));
    }
    void drop() noexcept override {
        Accepting *accepts = std::exchange(accepting_, nullptr);
        close();
        for (const int fd : taken_)
            ::close(fd);
        taken_.clear();
        is_dropped_ = true;
        if (!is_accepting_)
            delete this;
        if (accepts)
            let_go_on(*accepts);
    }
    void loop_goes() noexcept override {
        leave();
        close();
        if (is_accepting_)
            ring_->wait_for(mark());
        is_accepting_ = false;
        ring_ = nullptr;
        if (is_dropped_)
            delete this;
    }
    bool is_waited_for() const noexcept override { return accepting_ != nullptr; }
    int descriptor() const noexcept override { return fd_; }

  private:
    // So many wait for a function that does not take them; then the rest wait in the kernel, where they need no descriptors. A function
    // that takes one after the other is back before the fourth has come.
    static constexpr size_t most_taken = 4;

    // The request for all takes as many as the kernel has, before anybody can end it: up to SOMAXCONN. Where there are not that many
    // descriptors left, it would take those that the program keeps for other things; then each is asked for when a function wants it.
    static constexpr rlim_t most_at_once = SOMAXCONN;
    // Descriptors are the lowest that are free: so many and more are in use.
    bool are_scarce() const { return static_cast<rlim_t>(newest_) + most_at_once >= limit_; }
    // io_uring goes by the limit that there is when a request is handed in.
    void look_at_limit() {
        rlimit limit{};
        limit_ = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
    }

    Ring::Mark mark() { return Ring::idle_mark_of(this); }
    void try_again() noexcept {
        if (is_accepting_ || is_closed_)
            return;
        look_at_limit();
        io_uring_sqe &request = ring_->request(mark());
        constexpr int flags = SOCK_CLOEXEC | SOCK_NONBLOCK;
        if (are_scarce())
            io_uring_prep_accept(&request, fd_, nullptr, nullptr, flags);
        else
            io_uring_prep_multishot_accept(&request, fd_, nullptr, nullptr, flags);
        is_accepting_ = true;
        is_held_up_ = false;
    }
    void have_accepted(int result, uint32_t flags) {
        is_accepting_ = (flags & IORING_CQE_F_MORE) != 0;
        if (is_dropped_) {
            if (result >= 0)
                ::close(result);
            if (!is_accepting_)
                delete this;
            return;
        }
        if (result < 0)
            return have_failed(-result);
        newest_ = result;
        if (is_accepting_ && !is_held_up_ && (are_scarce() || (!accepting_ && taken_.size() + 1 >= most_taken)))
            hold_up();
        if (accepting_) {
            Accepting &wanted = *std::exchange(accepting_, nullptr);
            wanted.fd = result;
            return let_go_on(wanted);
        }
        taken_.push_back(result);
    }
    void hold_up() {
        ring_->cancel(mark());
        is_held_up_ = true;
    }

    void have_failed(int reason) {
        if (reason != ECANCELED && reason != EAGAIN && !is_about_one_connection(reason))
            pause_.begin();
        else if (accepting_)
            try_again();
    }

    Ring *ring_;  // null: the loop is gone
    int fd_;
    int newest_ = fd_;  // of the descriptors
    rlim_t limit_ = 0;  // of them
    bool is_accepting_ = false;  // the kernel has the request
    bool is_held_up_ = false;  // it was told to end it
    bool is_closed_ = false;
    bool is_dropped_ = false;
    std::deque<int> taken_;
    Accepting *accepting_ = nullptr;
    Retry<RingListener> pause_;
    friend Retry<RingListener>;
};

}  // namespace

ListenerBody *make_ring_listener(Io &io, int fd) { return new RingListener(io, fd); }

}  // namespace thalweg::io
