// io: a stream under io_uring: one request receives all that comes, into the loop's buffers; sends are a request each.
#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

#include "io.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

class RingStream;

struct RingSending final : Sending, Operation {
    msghdr header{};  // of two pieces

    RingSending(RingStream &body, std::array<iovec, 2> given);
};

class RingStream final : public Member<StreamBody> {
  public:
    RingStream(Io &io, int fd) : Member(io, fd), ring_(io.ring()) {}
    RingStream(const RingStream &) = delete;
    RingStream &operator=(const RingStream &) = delete;
    ~RingStream() {
        if (has_own_ && ring_)
            ring_->own_buffers().erase(this);
    }

    Sent send(std::string_view header, std::string_view body) override {
        if (sending_) [[unlikely]]
            refuse_second("sends");
        if (header.empty() && body.empty())
            return Sent(0);
        if (!ring_)
            return Sent(ECANCELED);
        sending_ = new RingSending(*this, {piece(header), piece(body)});
        hand_in();
        return Sent(*sending_);
    }
    void forget(Sending &) noexcept override {
        ring_->cancel(static_cast<Operation *>(sending_));
        ring_->wait_for(static_cast<Operation *>(sending_));
        sending_ = nullptr;
    }
    void drop() noexcept override {
        if (!ring_) {
            close(fd_);
            is_dropped_ = 1;
            if (phase_ == idle)
                delete this;
            return;
        }
        Sending *sends = sending_;
        if (sends)
            forget(*sends);
        give_back_lent();
        while (first_ != none)
            ring_->give_back(take_first());
        if (is_receiving_)
            ring_->cancel(Ring::mark_of(this));
        io_uring_sqe &closes = ring_->request(nullptr);
        io_uring_prep_close(&closes, fd_);
        closes.flags |= IOSQE_CQE_SKIP_SUCCESS;
        is_dropped_ = 1;
        if (phase_ != idle)
            has_failed(ECANCELED);
        else
            told();
        let_go_cancelled(sends);
    }
    void loop_goes() noexcept override {
        leave();
        Sending *sends = sending_;
        if (sends)
            forget(*sends);
        if (is_receiving_) {
            ring_->cancel(Ring::mark_of(this));
            ring_->wait_for(Ring::mark_of(this));
            is_receiving_ = 0;
        }
        ring_ = nullptr;
        if (is_dropped_) {
            if (phase_ == idle)
                delete this;
            return;
        }
        if (phase_ == waiting)
            has_failed(ECANCELED);
        let_go_cancelled(sends);
    }

    // The kernel tells.
    void have_received(int result, uint32_t flags) {
        is_receiving_ = (flags & IORING_CQE_F_MORE) != 0;
        if (is_dropped_) {
            if ((flags & IORING_CQE_F_BUFFER) != 0)
                ring_->give_back(static_cast<uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT));
            if (phase_ == idle)
                told();
            return;
        }
        if (result > 0 && (flags & IORING_CQE_F_BUFFER) != 0) {
            keep(static_cast<uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT), static_cast<uint16_t>(result));
        } else if (result > 0) {
            ring_->own_buffers()[this]->size = static_cast<uint16_t>(result);
            lacks_buffers_ = 0;
        } else if (result == -ENOBUFS) {
            lacks_buffers_ = 1;  // others have them all: this one goes on with a buffer of its own
        } else if (result != -ECANCELED && result != -EINTR && result != -EAGAIN) {
            has_ended_ = 1;
            error_ = static_cast<uint8_t>(-result);
        }
        if (phase_ == waiting && !hand_over())
            ask_for_more();
    }

    void have_sent(int result) {
        if (result >= 0)
            sending_->take_off(static_cast<size_t>(result));
        else if (result != -EINTR && result != -EAGAIN)
            sending_->error = -result;
        if (sending_->error == 0 && !sending_->is_sent())
            return hand_in();
        let_go_on(*std::exchange(sending_, nullptr));
    }

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

  private:
    static constexpr uint16_t none = UINT16_MAX;
    // So many buffers wait for a function that does not receive; what comes then waits in the socket, and the other side is held up.
    // 32 KiB: the kernel keeps 128 KiB of a connection by default.
    static constexpr uint8_t most_kept = 8;

    // ---- what comes ----

    bool look() override {
        if (!ring_) {
            has_failed(ECANCELED);
            return true;
        }
        give_back_lent();
        if (hand_over())
            return true;
        ask_for_more();
        return false;
    }
    void told() noexcept override {
        if (!is_receiving_)
            delete this;
    }

    void ask_for_more() {
        if (is_receiving_)
            return;
        io_uring_sqe &request = ring_->request(Ring::mark_of(this));
        if (lacks_buffers_) {
            std::unique_ptr<Ring::Own> &own = ring_->own_buffers()[this];
            own = std::make_unique_for_overwrite<Ring::Own>();
            has_own_ = 1;
            io_uring_prep_recv(&request, fd_, own->bytes.data(), own->bytes.size(), 0);
        } else {
            io_uring_prep_recv_multishot(&request, fd_, nullptr, 0, 0);
            request.flags |= IOSQE_BUFFER_SELECT;
            request.buf_group = Ring::buffer_group;
        }
        is_receiving_ = 1;
        is_held_up_ = 0;
    }
    // False: there is nothing. What goes on may drop the stream.
    bool hand_over() {
        if (has_own_ && hand_over_own())
            return true;
        if (first_ != none) {
            lent_ = take_first();
            has_come(ring_->buffer(lent_), ring_->kept(lent_).size);
        } else if (has_ended_ && error_ != 0) {
            has_failed(error_);
        } else if (has_ended_) {
            has_come(nullptr, 0);
        } else {
            return false;
        }
        return true;
    }
    bool hand_over_own() {
        Ring::Own &own = *ring_->own_buffers()[this];
        const size_t size = std::exchange(own.size, uint16_t{0});
        if (size != 0)
            has_come(own.bytes.data(), size);
        return size != 0;
    }
    void give_back_lent() {
        if (lent_ != none)
            ring_->give_back(std::exchange(lent_, none));
        if (has_own_ && !is_receiving_ && ring_->own_buffers()[this]->size == 0) {
            ring_->own_buffers().erase(this);
            has_own_ = 0;
        }
    }
    void keep(uint16_t id, uint16_t size) {
        ring_->kept(id) = {none, size};
        (first_ == none ? first_ : ring_->kept(last_).next) = id;
        last_ = id;
        if (++kept_ < most_kept || phase_ == waiting || !is_receiving_ || is_held_up_)
            return;
        ring_->cancel(Ring::mark_of(this));
        is_held_up_ = 1;
    }
    uint16_t take_first() {
        const uint16_t id = first_;
        first_ = ring_->kept(id).next;
        --kept_;
        return id;
    }

    // ---- what goes ----

    void hand_in() {
        io_uring_sqe &request = ring_->request(sending_);
        constexpr int flags = MSG_NOSIGNAL | MSG_WAITALL;
        std::array<iovec, 2> &pieces = sending_->pieces;
        if (pieces[1].iov_len == 0 || pieces[0].iov_len == 0) {
            const iovec &piece = pieces[pieces[0].iov_len == 0];
            io_uring_prep_send(&request, fd_, piece.iov_base, piece.iov_len, flags);
            return;
        }
        sending_->header.msg_iov = pieces.data();
        sending_->header.msg_iovlen = pieces.size();
        io_uring_prep_sendmsg(&request, fd_, &sending_->header, flags);
    }

    Ring *ring_;  // null: the loop is gone
    RingSending *sending_ = nullptr;
    uint16_t first_ = none, last_ = none;  // what has come and nobody has had
    uint16_t lent_ = none;
    uint8_t kept_ = 0;  // so many have come
    uint8_t error_ = 0;  // Linux's end at 133
};

static_assert(sizeof(RingStream) == 64, "a byte more is one of every idle connection");

RingSending::RingSending(RingStream &stream, std::array<iovec, 2> given)
    : Sending(stream, given), Operation{[](Operation *self, int result, uint32_t) {
          static_cast<RingStream &>(static_cast<RingSending *>(self)->body).have_sent(result);
      }} {}

}  // namespace

StreamBody *make_ring_stream(Io &io, int fd) { return new RingStream(io, fd); }

void have_received(StreamBody &ring_stream, int result, uint32_t flags) {
    static_cast<RingStream &>(ring_stream).have_received(result, flags);
}

}  // namespace thalweg::io
