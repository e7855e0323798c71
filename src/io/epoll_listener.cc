// io: a listener under epoll.
#include <cerrno>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io.h"
#include "retry.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

class EpollListener final : thalweg_descriptor, public Member<ListenerBody> {
  public:
    EpollListener(Io &io, int fd)
        : thalweg_descriptor{[](thalweg_descriptor *self, uint32_t) {
              static_cast<EpollListener *>(self)->try_again();
          }},
          Member(io), loop_(io.loop()), fd_(fd), pause_(*this) {
        if (thalweg_descriptor_add(io.loop(), this, fd, EPOLLIN | EPOLLET) != THALWEG_OK)
            throw std::system_error(errno, std::generic_category(), "a listener can't be made");
    }

    bool accept(Accepting &wanted) override {
        if (!is_closed_ && !take(wanted)) {
            accepting_ = &wanted;
            return false;
        }
        return true;
    }
    void forget(Accepting &) noexcept override { accepting_ = nullptr; }
    void close() noexcept override {
        if (is_closed_)
            return;
        is_closed_ = true;
        pause_.end();
        thalweg_descriptor_remove(loop_, this, fd_);
        ::close(fd_);
        if (accepting_)
            let_go_on(*std::exchange(accepting_, nullptr));
    }
    void drop() noexcept override {
        Accepting *accepts = std::exchange(accepting_, nullptr);
        close();
        delete this;
        if (accepts)
            let_go_on(*accepts);
    }
    void loop_goes() noexcept override {
        leave();
        close();
    }
    bool is_waited_for() const noexcept override { return accepting_ != nullptr; }
    int descriptor() const noexcept override { return fd_; }

  private:
    // False: none is there, or there is no room for it; it is tried again when there may be.
    bool take(Accepting &wanted) {
        do {
            wanted.fd = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        } while (wanted.fd < 0 && is_about_one_connection(errno));
        if (wanted.fd < 0 && errno != EAGAIN)
            pause_.begin();
        return wanted.fd >= 0;
    }
    void try_again() noexcept {
        if (accepting_ && take(*accepting_))
            let_go_on(*std::exchange(accepting_, nullptr));
    }

    thalweg_loop *loop_;
    int fd_;
    bool is_closed_ = false;
    Accepting *accepting_ = nullptr;
    Retry<EpollListener> pause_;
    friend Retry<EpollListener>;
};

}  // namespace

ListenerBody *make_epoll_listener(Io &io, int fd) { return new EpollListener(io, fd); }

}  // namespace thalweg::io
