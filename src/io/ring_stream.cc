// io: a stream under io_uring: one request receives all that comes, into the loop's buffers; sends are a request each.
#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>

#include "io.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

struct ReceiveOperation : Operation {};
struct SendOperation : Operation {};

class RingStream final : ReceiveOperation, SendOperation, public Member<StreamBody> {
  public:
    RingStream(Io &io, int fd)
        : ReceiveOperation{{[](Operation *self, int result, uint32_t flags) {
              static_cast<RingStream *>(static_cast<ReceiveOperation *>(self))->have_received(result, flags);
          }}},
          SendOperation{{[](Operation *self, int result, uint32_t) {
              static_cast<RingStream *>(static_cast<SendOperation *>(self))->have_sent(result);
          }}},
          Member(io), ring_(io.ring()), fd_(fd) {}

    bool receive(Receiving &wanted) override {
        if (!ring_)
            return wanted.error = ECANCELED, true;
        give_back_lent();
        if (has_something())
            hand_over(wanted);
        else
            receiving_ = &wanted;
        if (receiving_)
            ask_for_more();
        return !receiving_;
    }
    bool send(Sending &wanted) override {
        if (wanted.is_sent())
            return true;
        if (!ring_)
            return wanted.error = ECANCELED, true;
        sending_ = &wanted;
        hand_in();
        return false;
    }
    void forget(Receiving &) noexcept override { receiving_ = nullptr; }
    void forget(Sending &) noexcept override {
        ring_->cancel(static_cast<SendOperation *>(this));
        ring_->wait_for(static_cast<SendOperation *>(this));
        sending_ = nullptr;
    }
    void drop() noexcept override {
        if (!ring_) {
            close(fd_);
            delete this;
            return;
        }
        Receiving *receives = std::exchange(receiving_, nullptr);
        Sending *sends = sending_;
        if (sends)
            forget(*sends);
        give_back_lent();
        while (first_ != none)
            ring_->give_back(take_first());
        if (is_receiving_)
            ring_->cancel(static_cast<ReceiveOperation *>(this));
        io_uring_sqe &closes = ring_->request(nullptr);
        io_uring_prep_close(&closes, fd_);
        closes.flags |= IOSQE_CQE_SKIP_SUCCESS;
        is_dropped_ = true;
        if (!is_receiving_)
            delete this;
        let_go_cancelled(receives, sends);
    }
    void loop_goes() noexcept override {
        leave();
        Sending *sends = sending_;
        if (sends)
            forget(*sends);
        if (is_receiving_) {
            ring_->cancel(static_cast<ReceiveOperation *>(this));
            ring_->wait_for(static_cast<ReceiveOperation *>(this));
        }
        ring_ = nullptr;
        if (is_dropped_) {
            delete this;
            return;
        }
        let_go_cancelled(std::exchange(receiving_, nullptr), sends);
    }
    int descriptor() const noexcept override { return fd_; }

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

  private:
    static constexpr uint16_t none = UINT16_MAX;
    // So many buffers wait for a function that does not receive; what comes then waits in the socket, and the other side is held up.
    // 32 KiB: the kernel keeps 128 KiB of a connection by default.
    static constexpr uint16_t most_kept = 8;
    using Own = std::array<char, Ring::buffer_size>;

    // ---- what comes ----

    void ask_for_more() {
        if (is_receiving_)
            return;
        io_uring_sqe &request = ring_->request(static_cast<ReceiveOperation *>(this));
        if (lacks_buffers_) {
            own_ = std::make_unique_for_overwrite<Own>();
            io_uring_prep_recv(&request, fd_, own_->data(), own_->size(), 0);
        } else {
            io_uring_prep_recv_multishot(&request, fd_, nullptr, 0, 0);
            request.flags |= IOSQE_BUFFER_SELECT;
            request.buf_group = Ring::buffer_group;
        }
        is_receiving_ = true;
        is_held_up_ = false;
    }
    void have_received(int result, uint32_t flags) {
        is_receiving_ = (flags & IORING_CQE_F_MORE) != 0;
        if (is_dropped_) {
            if ((flags & IORING_CQE_F_BUFFER) != 0)
                ring_->give_back(static_cast<uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT));
            if (!is_receiving_)
                delete this;
            return;
        }
        if (result > 0 && (flags & IORING_CQE_F_BUFFER) != 0) {
            keep(static_cast<uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT), static_cast<uint16_t>(result));
        } else if (result > 0) {
            own_size_ = static_cast<uint16_t>(result);
            lacks_buffers_ = false;
        } else if (result == -ENOBUFS) {
            lacks_buffers_ = true;  // others have them all: this one goes on with a buffer of its own
        } else if (result != -ECANCELED && result != -EINTR && result != -EAGAIN) {
            has_ended_ = true;
            error_ = -result;
        }
        if (!receiving_)
            return;
        if (!has_something())
            return ask_for_more();
        Receiving &wanted = *std::exchange(receiving_, nullptr);
        hand_over(wanted);
        let_go_on(wanted);
    }
    bool has_something() const { return own_size_ != 0 || first_ != none || has_ended_; }
    void hand_over(Receiving &wanted) {
        if (own_size_ != 0) {
            wanted.bytes = own_->data();
            wanted.size = std::exchange(own_size_, uint16_t{0});
        } else if (first_ != none) {
            wanted.size = ring_->kept(first_).size;
            lent_ = take_first();
            wanted.bytes = ring_->buffer(lent_);
        } else {
            wanted.error = error_;
        }
    }
    void give_back_lent() {
        if (lent_ != none)
            ring_->give_back(std::exchange(lent_, none));
        if (own_size_ == 0 && !is_receiving_)
            own_.reset();
    }
    void keep(uint16_t id, uint16_t size) {
        ring_->kept(id) = {none, size};
        (first_ == none ? first_ : ring_->kept(last_).next) = id;
        last_ = id;
        if (++kept_ < most_kept || receiving_ || !is_receiving_ || is_held_up_)
            return;
        ring_->cancel(static_cast<ReceiveOperation *>(this));
        is_held_up_ = true;
    }
    uint16_t take_first() {
        const uint16_t id = first_;
        first_ = ring_->kept(id).next;
        --kept_;
        return id;
    }

    // ---- what goes ----

    void hand_in() {
        io_uring_sqe &request = ring_->request(static_cast<SendOperation *>(this));
        constexpr int flags = MSG_NOSIGNAL | MSG_WAITALL;
        std::array<iovec, 2> &pieces = sending_->pieces;
        if (pieces[1].iov_len == 0 || pieces[0].iov_len == 0) {
            const iovec &piece = pieces[pieces[0].iov_len == 0];
            io_uring_prep_send(&request, fd_, piece.iov_base, piece.iov_len, flags);
            return;
        }
        if (!header_)
            header_ = std::make_unique<msghdr>();
        header_->msg_iov = pieces.data();
        header_->msg_iovlen = pieces.size();
        io_uring_prep_sendmsg(&request, fd_, header_.get(), flags);
    }
    void have_sent(int result) {
        if (result >= 0)
            sending_->take_off(static_cast<size_t>(result));
        else if (result != -EINTR && result != -EAGAIN)
            sending_->error = -result;
        if (sending_->error == 0 && !sending_->is_sent())
            return hand_in();
        Sending &wanted = *std::exchange(sending_, nullptr);
        header_.reset();
        let_go_on(wanted);
    }

    Ring *ring_;  // null: the loop is gone
    int fd_;
    int error_ = 0;
    Receiving *receiving_ = nullptr;
    Sending *sending_ = nullptr;
    std::unique_ptr<msghdr> header_;  // of a send of two pieces
    std::unique_ptr<Own> own_;  // where the loop had no buffers left
    uint16_t own_size_ = 0;  // what is there of it, that nobody has had
    uint16_t first_ = none, last_ = none, kept_ = 0;  // what has come and nobody has had
    uint16_t lent_ = none;
    bool is_receiving_ = false;  // the kernel has the request
    bool is_held_up_ = false;  // it was told to end it
    bool has_ended_ = false;
    bool lacks_buffers_ = false;
    bool is_dropped_ = false;
};

}  // namespace

StreamBody *make_ring_stream(Io &io, int fd) { return new RingStream(io, fd); }

}  // namespace thalweg::io
