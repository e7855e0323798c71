// io: a stream under epoll: registered once, told of each change, read until there is nothing more.
#include <cerrno>
#include <memory>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

// In the C library these are points where a thread can be cancelled, which costs two atomic operations at each of them.
ssize_t receive_some(int fd, char *bytes, size_t size) {
    return syscall(SYS_recvfrom, fd, bytes, size, 0, nullptr, nullptr);
}
ssize_t send_some(int fd, std::array<iovec, 2> &pieces) {
    if (pieces[1].iov_len == 0)
        return syscall(SYS_sendto, fd, pieces[0].iov_base, pieces[0].iov_len, MSG_NOSIGNAL, nullptr, 0);
    msghdr header{};
    header.msg_iov = pieces.data();
    header.msg_iovlen = pieces.size();
    return syscall(SYS_sendmsg, fd, &header, MSG_NOSIGNAL);
}

class EpollStream final : thalweg_descriptor, public Member<StreamBody> {
  public:
    EpollStream(Io &io, int fd)
        : thalweg_descriptor{[](thalweg_descriptor *self, uint32_t events) {
              static_cast<EpollStream *>(self)->have_happened(events);
          }},
          Member(io), io_(&io), fd_(fd) {
        if (thalweg_descriptor_add(io.loop(), this, fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET) != THALWEG_OK)
            throw std::system_error(errno, std::generic_category(), "a stream can't be made");
    }

    bool receive(Receiving &wanted) override {
        own_.reset();
        if (!io_)
            return wanted.error = ECANCELED, true;
        if (may_read_ && read(wanted, io_->scratch()))
            return true;
        receiving_ = &wanted;
        return false;
    }
    bool send(Sending &wanted) override {
        if (write(wanted))
            return true;
        if (!io_)
            return wanted.error = ECANCELED, true;
        sending_ = &wanted;
        return false;
    }
    void forget(Receiving &) noexcept override { receiving_ = nullptr; }
    void forget(Sending &) noexcept override { sending_ = nullptr; }
    void drop() noexcept override {
        if (io_)
            thalweg_descriptor_remove(io_->loop(), this, fd_);
        close(fd_);
        Receiving *receives = receiving_;
        Sending *sends = sending_;
        delete this;
        let_go_cancelled(receives, sends);
    }
    void loop_goes() noexcept override {
        leave();
        thalweg_descriptor_remove(io_->loop(), this, fd_);
        io_ = nullptr;
        let_go_cancelled(std::exchange(receiving_, nullptr), std::exchange(sending_, nullptr));
    }
    int descriptor() const noexcept override { return fd_; }

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

  private:
    using Buffer = std::array<char, Io::most_received>;

    // False: there is nothing yet.
    bool read(Receiving &wanted, Buffer &buffer) {
        ssize_t size = 0;
        do {
            size = receive_some(fd_, buffer.data(), buffer.size());
        } while (size < 0 && errno == EINTR);
        if (size < 0 && errno == EAGAIN) {
            may_read_ = false;
            return false;
        }
        // Less than there was room for: the rest is still to come, and epoll will tell of it (epoll(7), question 9).
        if (size > 0 && static_cast<size_t>(size) < buffer.size() && !other_side_ended_)
            may_read_ = false;
        wanted.bytes = buffer.data();
        wanted.size = size > 0 ? static_cast<uint32_t>(size) : 0;
        wanted.error = size < 0 ? errno : 0;
        return true;
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
        other_side_ended_ = other_side_ended_ || (events & end) != 0;
        may_read_ = may_read_ || (events & (EPOLLIN | end)) != 0;
        Receiving *receives = receiving_ && may_read_ && read_for(*receiving_) ? receiving_ : nullptr;
        Sending *sends =
            sending_ && (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0 && write(*sending_) ? sending_ : nullptr;
        if (receives)
            receiving_ = nullptr;
        if (sends)
            sending_ = nullptr;
        if (receives)
            let_go_on(*receives);
        if (sends)
            let_go_on(*sends);
    }
    // Where others go on before the function does, they may receive too: then the bytes wait in a buffer of their own.
    bool read_for(Receiving &wanted) {
        if (ready.is_idle())
            return read(wanted, io_->scratch());
        own_ = std::make_unique_for_overwrite<Buffer>();
        if (read(wanted, *own_))
            return true;
        own_.reset();
        return false;
    }

    Io *io_;  // null: the loop is gone
    int fd_;
    bool may_read_ = false;  // or else epoll has to tell first
    bool other_side_ended_ = false;
    Receiving *receiving_ = nullptr;
    Sending *sending_ = nullptr;
    std::unique_ptr<Buffer> own_;
};

}  // namespace

StreamBody *make_epoll_stream(Io &io, int fd) { return new EpollStream(io, fd); }

}  // namespace thalweg::io
