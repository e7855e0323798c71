// io: what is done with a file, by the loop's io_uring.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "files.h"
#include "io.h"
#include "streams.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

class RingCall final : Operation, public Member<FileCall> {
  public:
    RingCall(Io &io, FileWork &&work)
        : Operation{[](Operation *self, int result, uint32_t) { static_cast<RingCall *>(self)->is_done(result); }},
          Member(io), ring_(io.ring()), work_(std::move(work)) {}
    ~RingCall() {
        if (function) {
            // What is being closed will be.
            if (work_.kind != FileWork::Kind::close)
                ring_->cancel(this);
            note(ring_->wait_for(this));
        }
        if (result_.fd >= 0)
            close(result_.fd);
    }

    std::coroutine_handle<> begin(std::coroutine_handle<> waiter) override {
        function = waiter;
        hand_in();
        return ready.leave();
    }
    void drop() noexcept override { delete this; }
    FileResult take() override {
        const FileResult result = result_;
        result_.fd = -1;
        return result;
    }
    // The function ends where it waits, as one that waits for another thread, and so do those that wait for it.
    void loop_goes() noexcept override {
        leave();
        if (function)
            function.destroy();
    }

    std::coroutine_handle<> function;  // null: it does not wait any more

  private:
    // The kernel reads no more than 2 GiB at once, and tells how much in an int.
    static constexpr size_t most_at_once = size_t{1} << 30;

    void hand_in() {
        io_uring_sqe &request = ring_->request(this);
        switch (work_.kind) {
        case FileWork::Kind::open:
            io_uring_prep_openat(&request, AT_FDCWD, work_.path.c_str(), work_.flags | O_CLOEXEC, work_.mode);
            break;
        case FileWork::Kind::read: {
            const std::span<char> rest = work_.into.subspan(result_.size);
            io_uring_prep_read(&request, work_.fd, rest.data(),
                               static_cast<unsigned>(std::min(rest.size(), most_at_once)), work_.offset + result_.size);
            break;
        }
        default:
            io_uring_prep_close(&request, work_.fd);
        }
    }
    // True: it is over.
    bool note(int result) {
        const bool was_interrupted = result == -EINTR || result == -EAGAIN;
        if (was_interrupted && work_.kind != FileWork::Kind::close)
            return false;
        if (result < 0) {
            result_.error = was_interrupted ? 0 : -result;
            return true;
        }
        if (work_.kind == FileWork::Kind::open)
            result_.fd = result;
        else if (work_.kind == FileWork::Kind::read)
            result_.size += static_cast<size_t>(result);
        return work_.kind != FileWork::Kind::read || result == 0 || result_.size == work_.into.size();
    }
    void is_done(int result) {
        if (note(result))
            let_go_on(*this);
        else
            hand_in();
    }

    Ring *ring_;
    FileWork work_;
    FileResult result_;
};

}  // namespace

FileCallOwner make_ring_call(Io &io, FileWork &&work) { return FileCallOwner(new RingCall(io, std::move(work))); }

}  // namespace thalweg::io
