// io: a loop's io_uring.
#include "ring.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <system_error>

#include "streams.h"

namespace thalweg::io {

namespace {

constexpr unsigned requests = 256;  // handed in at once; more are handed in as they come
// A turn of thousands of connections; the kernel keeps what is more than that.
constexpr unsigned answers = 4096;
constexpr int64_t ns_per_s = 1'000'000'000;

void check(int result, const char *what) {
    if (result < 0)
        throw std::system_error(-result, std::generic_category(), what);
}

}  // namespace

Ring::Ring(thalweg_loop *loop) : thalweg_poller{wait_turn}, epoll_(thalweg_loop_epoll(loop)) {
    io_uring_params parameters{};
    // One thread hands in, and what has come is looked at when the loop waits, not in the middle of the program: two interrupts fewer
    // for each request.
    parameters.flags =
        IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
    parameters.cq_entries = answers;
    check(io_uring_queue_init_params(requests, &ring_, &parameters), "io_uring is not to be had");
    epoll_ready_.done = [](Operation *self, int, uint32_t) {
        auto *ready = static_cast<EpollReady *>(self);
        ready->is_asked_for = false;
        ready->is_ready = true;
    };
    try {
        make_buffers();
    } catch (...) {
        io_uring_queue_exit(&ring_);
        throw;
    }
}

void Ring::make_buffers() {
    const size_t size = buffer_count * sizeof(io_uring_buf);
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        check(-errno, "io_uring's buffers can't be made");
    buffer_ring_ = static_cast<io_uring_buf_ring *>(memory);
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<uint64_t>(memory);
    registration.ring_entries = buffer_count;
    registration.bgid = buffer_group;
    if (const int result = io_uring_register_buf_ring(&ring_, &registration, 0); result < 0) {
        munmap(memory, size);
        check(result, "io_uring's buffers can't be made");
    }
    io_uring_buf_ring_init(buffer_ring_);
    buffers_.resize(buffer_count * buffer_size);
    for (uint16_t id = 0; id < buffer_count; ++id)
        give_back(id);
}

Ring::~Ring() {
    io_uring_submit(&ring_);  // descriptors that are still to be closed
    io_uring_queue_exit(&ring_);
    munmap(buffer_ring_, buffer_count * sizeof(io_uring_buf));
}

void Ring::give_back(uint16_t id) {
    io_uring_buf_ring_add(buffer_ring_, buffer(id), buffer_size, id, io_uring_buf_ring_mask(buffer_count), 0);
    io_uring_buf_ring_advance(buffer_ring_, 1);
}

io_uring_sqe &Ring::request(Mark mark) {
    io_uring_sqe *request = io_uring_get_sqe(&ring_);
    while (!request) {
        // The kernel takes no more before it has room for the answers.
        if (io_uring_submit(&ring_) < 0)
            put_off_what_is_done();
        request = io_uring_get_sqe(&ring_);
    }
    awaited_ += counts(mark);
    io_uring_sqe_set_data64(request, mark);  // which the functions that fill a request in leave alone
    return *request;
}

void Ring::cancel(Mark mark) {
    io_uring_sqe &cancels = request(nullptr);
    io_uring_prep_cancel64(&cancels, mark, 0);
    cancels.flags |= IOSQE_CQE_SKIP_SUCCESS;
}

bool Ring::take(Done &done) {
    unsigned head = 0;
    io_uring_cqe *answer = nullptr;
    io_uring_for_each_cqe(&ring_, head, answer) {
        done = {io_uring_cqe_get_data64(answer), answer->res, answer->flags};
        io_uring_cqe_seen(&ring_, answer);
        return true;
    }
    return false;
}

void Ring::put_off_what_is_done() {
    io_uring_get_events(&ring_);
    for (Done done{}; take(done);)
        put_off_.push_back(done);
}

int Ring::wait_for(Mark mark) {
    const auto is_its_end = [mark](const Done &done) {
        return done.mark == mark && (done.flags & IORING_CQE_F_MORE) == 0;
    };
    awaited_ -= counts(mark);
    const auto known = std::find_if(put_off_.begin(), put_off_.end(), is_its_end);
    if (known != put_off_.end()) {
        const int result = known->result;
        put_off_.erase(known);
        return result;
    }
    std::optional<int> result;
    while (!result) {
        hand_in_and_wait(-1);
        for (Done done{}; take(done);) {
            if (is_its_end(done))
                result = done.result;
            else
                put_off_.push_back(done);
        }
    }
    return *result;
}

void Ring::hand_in_and_wait(int64_t timeout_ns) {
    if (timeout_ns == 0 || !put_off_.empty()) {
        io_uring_submit_and_get_events(&ring_);
        return;
    }
    __kernel_timespec timeout{timeout_ns / ns_per_s, timeout_ns % ns_per_s};
    io_uring_cqe *first = nullptr;
    io_uring_submit_and_wait_timeout(&ring_, &first, 1, timeout_ns < 0 ? nullptr : &timeout, nullptr);
}

void Ring::watch_epoll() {
    if (epoll_ready_.is_asked_for)
        return;
    epoll_ready_.is_asked_for = true;
    io_uring_sqe &polls = request(idle_mark_of(&epoll_ready_));
    io_uring_prep_poll_add(&polls, epoll_, POLLIN);
}

void Ring::tell(const Done &done) {
    if ((done.mark & stream_bit) != 0) {
        have_received(*reinterpret_cast<tame::detail::StreamBody *>(done.mark - stream_bit), done.result, done.flags);
    } else if (done.mark != 0) {
        auto *operation = reinterpret_cast<Operation *>(done.mark & ~awaited_bit);
        if ((done.flags & IORING_CQE_F_MORE) == 0)
            awaited_ -= counts(done.mark);
        operation->done(operation, done.result, done.flags);
    }
}

thalweg_io_turn Ring::wait_turn(thalweg_poller *self, int64_t timeout_ns) {
    Ring &ring = *static_cast<Ring *>(self);
    ring.watch_epoll();
    ring.hand_in_and_wait(timeout_ns);
    ring.epoll_ready_.is_ready = false;
    size_t done = 0;
    while (!ring.put_off_.empty()) {
        const Done first = ring.put_off_.front();
        ring.put_off_.pop_front();
        ring.tell(first);
        ++done;
    }
    // Only what is there now: what comes while functions run is the next turn's.
    for (unsigned left = io_uring_cq_ready(&ring.ring_); left != 0; --left) {
        Done next{};
        if (!ring.take(next))
            break;
        ring.tell(next);
        ++done;
    }
    return {done - ring.epoll_ready_.is_ready, ring.epoll_ready_.is_ready};
}

}  // namespace thalweg::io
