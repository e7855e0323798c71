// io: a stream under epoll: registered once, told of each change, read until there is nothing more.
#include <cerrno>
#include <memory>
#include <span>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lent.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

// In the C library these are points where a thread can be cancelled, which costs two atomic operations at each of them.
ssize_t receive_some(int fd, std::span<char> room) {
    return syscall(SYS_recvfrom, fd, room.data(), room.size(), 0, nullptr, nullptr);
}
ssize_t send_some(int fd, std::string_view bytes) {
    return syscall(SYS_sendto, fd, bytes.data(), bytes.size(), MSG_NOSIGNAL, nullptr, 0);
}
ssize_t send_some(int fd, std::array<iovec, 2> &pieces) {
    msghdr header{};
    header.msg_iov = pieces.data();
    header.msg_iovlen = pieces.size();
    return syscall(SYS_sendmsg, fd, &header, MSG_NOSIGNAL);
}

class EpollStream final : thalweg_descriptor, public Borrower {
  public:
    EpollStream(Io &io, int fd)
        : thalweg_descriptor{[](thalweg_descriptor *self, uint32_t events) {
              static_cast<EpollStream *>(self)->have_happened(events);
          }},
          Borrower(io, fd), io_(&io) {
        if (thalweg_descriptor_add(io.loop(), this, fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET) != THALWEG_OK)
            throw std::system_error(errno, std::generic_category(), "a stream can't be made");
        must_look_ = 0;
    }

    Sent send(std::string_view header, std::string_view body) override {
        if (sending_) [[unlikely]]
            refuse_second("sends");
        if (body.empty()) [[likely]] {
            if (header.empty())
                return Sent(0);
            const ssize_t size = send_some(fd_, header);
            if (size == static_cast<ssize_t>(header.size())) [[likely]]
                return Sent(0);
            if (size > 0)
                header.remove_prefix(static_cast<size_t>(size));
            else if (errno != EAGAIN && errno != EINTR)
                return Sent(errno);
        }
        return send_rest({piece(header), piece(body)});
    }
    void forget(Sending &) noexcept override { sending_ = nullptr; }
    void drop() noexcept override {
        if (io_)
            thalweg_descriptor_remove(io_->loop(), this, fd_);
        close(fd_);
        if (io_)
            io_->lent().give_back(*this);
        Sending *sends = std::exchange(sending_, nullptr);
        is_dropped_ = 1;
        if (phase_ == idle)
            delete this;
        else
            has_failed(ECANCELED);
        let_go_cancelled(sends);
    }
    void loop_goes() noexcept override {
        leave();
        thalweg_descriptor_remove(io_->loop(), this, fd_);
        io_ = nullptr;  // and with it go, later, the bytes that the functions have
        must_look_ = 1;
        Sending *sends = std::exchange(sending_, nullptr);
        if (phase_ == waiting)
            has_failed(ECANCELED);
        let_go_cancelled(sends);
    }

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

  private:
    bool look() override {
        if (!io_) {
            has_failed(ECANCELED);
            return true;
        }
        if (has_own_) {
            io_->lent().give_back(*this);
            has_own_ = 0;
        }
        const bool is_there = may_read_ && read();
        set_must_look();
        return is_there;
    }
    void told() noexcept override { delete this; }

    void set_must_look() { must_look_ = may_read_ || has_own_; }
    // False: there is nothing yet.
    bool read() {
        const std::span<char> room = io_->lent().room(*this);
        ssize_t size = 0;
        do {
            size = receive_some(fd_, room);
        } while (size < 0 && errno == EINTR);
        if (size > 0) [[likely]] {
            // Less than there was room for: the rest is still to come, and epoll will tell of it (epoll(7), question 9).
            if (static_cast<size_t>(size) < room.size() && !other_side_ended_)
                may_read_ = 0;
            set_must_look();
            io_->lent().lend(*this, static_cast<size_t>(size));
            has_come(room.data(), static_cast<size_t>(size));
            return true;
        }
        if (size < 0 && errno == EAGAIN) {
            may_read_ = 0;
            return false;
        }
        set_must_look();
        if (size < 0)
            has_failed(errno);
        else
            has_come(nullptr, 0);
        return true;
    }
    Sent send_rest(std::array<iovec, 2> pieces) {
        auto sending = std::make_unique<Sending>(*this, pieces);
        if (write(*sending))
            return Sent(sending->error);
        if (!io_)
            return Sent(ECANCELED);
        sending_ = sending.release();
        return Sent(*sending_);
    }
    bool write(Sending &wanted) {
        while (!wanted.is_sent()) {
            const ssize_t size = send_some(fd_, wanted.pieces);
            if (size >= 0) {
                wanted.take_off(static_cast<size_t>(size));
            } else if (errno == EAGAIN) {
                return false;
            } else if (errno != EINTR) {
                wanted.error = errno;
                return true;
            }
        }
        return true;
    }

    // What goes on may drop the stream.
    void have_happened(uint32_t events) noexcept {
        constexpr uint32_t end = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
        if ((events & end) != 0)
            other_side_ended_ = 1;
        if ((events & (EPOLLIN | end)) != 0)
            may_read_ = must_look_ = 1;
        Sending *sends = nullptr;
        if (sending_ && (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0 && write(*sending_))
            sends = std::exchange(sending_, nullptr);
        if (phase_ == waiting && may_read_)
            read();
        if (sends)
            let_go_on(*sends);
    }

    Io *io_;  // null: the loop is gone
    Sending *sending_ = nullptr;
};

static_assert(sizeof(EpollStream) == 64, "a byte more is one of every idle connection");

}  // namespace

StreamBody *make_epoll_stream(Io &io, int fd) { return new EpollStream(io, fd); }

}  // namespace thalweg::io
