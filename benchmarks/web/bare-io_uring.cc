// benchmarks: a web server by hand for exactly one file: coroutines on io_uring, one kernel entry for whatever is ready
#include <cerrno>
#include <coroutine>
#include <cstdlib>
#include <cstring>
#include <liburing.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/resource.h>

#include "listen.h"
#include "page.h"

namespace {

constexpr unsigned SUBMITTED_AT_ONCE = 1024, COMPLETED_AT_ONCE = 8192;
constexpr unsigned BUFFERS = 512, BUFFER_SIZE = 1024;  // given back before the next completion is looked at
constexpr rlim_t MOST_CONNECTIONS = 16384;
constexpr int GROUP = 0;

struct Completion {
    int result;
    unsigned flags;
};

class Ring {
  public:
    Ring() {
        io_uring_params parameters{};
        parameters.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
        parameters.cq_entries = COMPLETED_AT_ONCE;
        may(io_uring_queue_init_params(SUBMITTED_AT_ONCE, &ring_, &parameters), "io_uring_setup");
        rlimit descriptors{};
        getrlimit(RLIMIT_NOFILE, &descriptors);
        const rlim_t files = descriptors.rlim_cur < MOST_CONNECTIONS ? descriptors.rlim_cur : MOST_CONNECTIONS;
        may(io_uring_register_files_sparse(&ring_, static_cast<unsigned>(files)), "a table of descriptors");
        io_uring_register_ring_fd(&ring_);
        void *memory = nullptr;
        need(posix_memalign(&memory, 4096, BUFFERS * sizeof(io_uring_buf)) == 0, "posix_memalign");
        buffer_ring_ = static_cast<io_uring_buf_ring *>(memory);
        io_uring_buf_reg reg{};
        reg.ring_addr = reinterpret_cast<uint64_t>(memory);
        reg.ring_entries = BUFFERS;
        reg.bgid = GROUP;
        may(io_uring_register_buf_ring(&ring_, &reg, 0), "a ring of buffers");
        io_uring_buf_ring_init(buffer_ring_);
        for (unsigned i = 0; i < BUFFERS; ++i)
            give_back(i);
    }

    io_uring_sqe *entry() {
        io_uring_sqe *free = io_uring_get_sqe(&ring_);
        while (free == nullptr) {
            io_uring_submit(&ring_);
            free = io_uring_get_sqe(&ring_);
        }
        return free;
    }

    // Nobody is told of a send that went well; of one that did not, who receives on the connection is.
    void send(int file, std::string_view bytes) {
        io_uring_sqe *sqe = entry();
        io_uring_prep_send(sqe, file, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_WAITALL);
        sqe->flags |= IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS;
        io_uring_sqe_set_data(sqe, nullptr);
    }

    void close(int file) {
        io_uring_sqe *sqe = entry();
        io_uring_prep_close_direct(sqe, static_cast<unsigned>(file));
        sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
        io_uring_sqe_set_data(sqe, nullptr);
    }

    void stop_receiving(void *task) {
        io_uring_sqe *sqe = entry();
        io_uring_prep_cancel(sqe, task, 0);
        sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
        io_uring_sqe_set_data(sqe, nullptr);
    }

    void receive(int file, void *task) {
        io_uring_sqe *sqe = entry();
        io_uring_prep_recv_multishot(sqe, file, nullptr, 0, 0);
        sqe->flags |= IOSQE_FIXED_FILE | IOSQE_BUFFER_SELECT;
        sqe->buf_group = GROUP;
        io_uring_sqe_set_data(sqe, task);
    }

    void accept(int listener, void *whose) {
        io_uring_sqe *sqe = entry();
        io_uring_prep_multishot_accept_direct(sqe, listener, nullptr, nullptr, 0);
        io_uring_sqe_set_data(sqe, whose);
    }

    std::string_view buffer(unsigned number, int size) const {
        return {buffers_.get() + number * BUFFER_SIZE, static_cast<size_t>(size)};
    }

    void give_back(unsigned number) {
        io_uring_buf_ring_add(buffer_ring_, buffers_.get() + number * BUFFER_SIZE, BUFFER_SIZE,
                              static_cast<unsigned short>(number), io_uring_buf_ring_mask(BUFFERS), 0);
        io_uring_buf_ring_advance(buffer_ring_, 1);
    }

    // Whatever was asked for is begun, whatever is complete is handed out, by one kernel entry.
    template <typename Each>
    void turn(const Each &each) {
        io_uring_submit_and_wait(&ring_, 1);
        unsigned head = 0, count = 0;
        io_uring_cqe *cqe = nullptr;
        io_uring_for_each_cqe(&ring_, head, cqe) {
            ++count;
            each(*cqe);
        }
        io_uring_cq_advance(&ring_, count);
    }

    Completion completion{};  // of the coroutine that is resumed

  private:
    static void may(int result, const char *what) {
        if (result >= 0)
            return;
        std::fprintf(stderr, "%s: %s\n", what, std::strerror(-result));
        std::exit(1);
    }

    io_uring ring_{};
    io_uring_buf_ring *buffer_ring_ = nullptr;
    std::unique_ptr<char[]> buffers_ = std::make_unique_for_overwrite<char[]>(BUFFERS * BUFFER_SIZE);
};

// One receive stays until it ends; its completions resume this coroutine.
struct Received {
    Ring &ring;
    int file;
    bool &armed;
    void *&self;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task) const {
        self = task.address();
        if (!armed)
            ring.receive(file, self);
        armed = true;
    }
    Completion await_resume() const noexcept {
        armed = (ring.completion.flags & IORING_CQE_F_MORE) != 0;
        return ring.completion;
    }
};

enum class Next { RECEIVE, CLOSE };

Next answer(Ring &ring, const Page &page, int file, std::string_view arrived, std::string &rest) {
    std::string_view bytes = rest.empty() ? arrived : std::string_view(rest.append(arrived));
    do {
        const Request request = page.next(bytes);
        if (request.size < 0)
            return Next::CLOSE;
        if (request.size == 0)
            break;
        bytes.remove_prefix(static_cast<size_t>(request.size));
        ring.send(file, request.answer);
        if (request.close)
            return Next::CLOSE;
    } while (!bytes.empty());
    if (!bytes.empty() || !rest.empty())
        rest = std::string(bytes);
    return Next::RECEIVE;
}

Detached serve(Ring &ring, const Page &page, int file) {
    std::string rest;
    bool armed = false, closing = false;
    void *self = nullptr;
    for (;;) {
        const Completion completion = co_await Received{ring, file, armed, self};
        if ((completion.flags & IORING_CQE_F_BUFFER) != 0) {
            const unsigned number = completion.flags >> IORING_CQE_BUFFER_SHIFT;
            if (!closing && completion.result > 0)
                closing = answer(ring, page, file, ring.buffer(number, completion.result), rest) == Next::CLOSE;
            ring.give_back(number);
            if (closing && armed)
                ring.stop_receiving(self);
        }
        const bool ended = completion.result <= 0 && completion.result != -ENOBUFS;
        if (!armed && (closing || ended))
            break;
    }
    ring.close(file);
}

}  // namespace

int main(int count, char **words) {
    need(count == 3, "usage: bare-io_uring PORT FILE");
    static Ring ring;
    static const Page page(words[2]);
    const int listener = listen_on(std::atoi(words[1]));
    ring.accept(listener, &ring);
    for (;;)
        ring.turn([listener](const io_uring_cqe &cqe) {
            void *whose = io_uring_cqe_get_data(&cqe);
            if (whose == &ring) {
                if (cqe.res >= 0)
                    serve(ring, page, cqe.res);
                if ((cqe.flags & IORING_CQE_F_MORE) == 0)
                    ring.accept(listener, &ring);
            } else if (whose != nullptr) {
                ring.completion = {cqe.res, cqe.flags};
                std::coroutine_handle<>::from_address(whose).resume();
            }
        });
}
