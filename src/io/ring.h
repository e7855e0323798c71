// io: a loop's io_uring, its requests, and the buffers that it receives into.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <liburing.h>
#include <memory>
#include <unordered_map>
#include <vector>

#include <thalweg/runtime.h>
#include <thalweg/tame/stream.h>

namespace thalweg::io {

// A request that the kernel has; it must live until it is done for the last time.
struct Operation {
    // flags: IORING_CQE_F_MORE and the like.
    void (*done)(Operation *self, int result, uint32_t flags);
};

class Ring final : public thalweg_poller {
  public:
    // Throws std::system_error.
    explicit Ring(thalweg_loop *loop);
    Ring(const Ring &) = delete;
    Ring &operator=(const Ring &) = delete;
    ~Ring();

    // What the kernel gives back when a request is done: who is told of it.
    using Mark = uint64_t;
    // A request for somebody: as long as the kernel has it, something is to come.
    static Mark mark_of(Operation *operation) { return operation ? idle_mark_of(operation) | awaited_bit : 0; }
    // One that is there in case something happens; who waits for that says so (Member).
    static Mark idle_mark_of(Operation *operation) { return reinterpret_cast<Mark>(operation); }
    // Of what a stream receives: a stream has no operation for it, since each byte of a stream is one of every idle connection.
    static Mark mark_of(tame::detail::StreamBody *stream) { return reinterpret_cast<Mark>(stream) | stream_bit; }

    // The next request; to be filled in. It is handed in with the loop's next turn, all at once. Null: nobody wants to know its end.
    io_uring_sqe &request(Mark mark);
    io_uring_sqe &request(Operation *operation) { return request(mark_of(operation)); }
    void cancel(Mark mark);
    void cancel(Operation *operation) { cancel(mark_of(operation)); }
    // Waits until the kernel has done with it, and gives its result; what is done meanwhile is told in the next turn.
    int wait_for(Mark mark);
    int wait_for(Operation *operation) { return wait_for(mark_of(operation)); }
    bool has_awaited() const { return awaited_ != 0; }

    static constexpr uint16_t buffer_group = 0;
    static constexpr size_t buffer_size = 4096;  // bytes; a page: most requests and answers fit
    // Of a loop. So many are received between two turns at most; more wait in their sockets.
    static constexpr size_t buffer_count = 256;

    char *buffer(uint16_t id) { return buffers_.data() + id * buffer_size; }
    void give_back(uint16_t id);
    // Of a buffer that a stream keeps: the one after it, and how much is in it.
    struct Kept {
        uint16_t next, size;
    };
    Kept &kept(uint16_t id) { return kept_[id]; }

    // Of a stream that found the loop's buffers all taken; few at a time.
    struct Own {
        std::array<char, buffer_size> bytes;
        uint16_t size = 0;  // what is there of it, that nobody has had
    };
    std::unordered_map<const void *, std::unique_ptr<Own>> &own_buffers() { return own_buffers_; }

  private:
    static constexpr Mark stream_bit = 1, awaited_bit = 2;  // operations and streams lie at multiples of 8
    // Of each request, and of its end: 1 where somebody awaits it.
    static unsigned counts(Mark mark) { return (mark & awaited_bit) != 0; }
    struct Done {
        Mark mark;
        int result;
        uint32_t flags;
    };
    void tell(const Done &done);
    static thalweg_io_turn wait_turn(thalweg_poller *self, int64_t timeout_ns);
    void hand_in_and_wait(int64_t timeout_ns);
    bool take(Done &done);
    void put_off_what_is_done();
    void watch_epoll();
    void make_buffers();

    struct EpollReady : Operation {
        bool is_asked_for = false, is_ready = false;
    };

    io_uring ring_{};
    io_uring_buf_ring *buffer_ring_ = nullptr;
    std::vector<char> buffers_;
    std::array<Kept, buffer_count> kept_{};
    std::deque<Done> put_off_;
    unsigned awaited_ = 0;
    std::unordered_map<const void *, std::unique_ptr<Own>> own_buffers_;
    int epoll_;
    EpollReady epoll_ready_;
};

}  // namespace thalweg::io
