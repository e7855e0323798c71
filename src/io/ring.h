// io: a loop's io_uring, its requests, and the buffers that it receives into.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <liburing.h>
#include <string_view>
#include <vector>

#include <thalweg/runtime.h>

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

    // The next request; to be filled in. It is handed in with the loop's next turn, all at once. Null: nobody wants to know its end.
    io_uring_sqe &request(Operation *operation);
    void cancel(Operation *operation);
    // Waits until the kernel has done with it; what is done meanwhile is told in the next turn.
    void wait_for(Operation *operation);

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

  private:
    struct Done {
        Operation *operation;
        int result;
        uint32_t flags;
    };
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
    int epoll_;
    EpollReady epoll_ready_;
};

}  // namespace thalweg::io
