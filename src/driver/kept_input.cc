// driver: the standard input of several runs: all get the same bytes.
#include "driver/kept_input.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"

namespace thalweg::driver {

namespace {

constexpr size_t block_bytes = size_t{1} << 16;  // what a pipe holds

void shut(int &descriptor) {
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

Error cannot(const char *what, const std::string &path, int problem) {
    return fail(ErrorCode::usage, "cannot {} {}: {}", what, path, std::strerror(problem));
}

// The rest of a file that was read in part, as a file of its own.
Status copy_rest(int from, const std::string &to) {
    const int file = ::open(to.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    int problem = file < 0 ? errno : 0;
    std::string block(block_bytes, '\0');
    for (ssize_t got = 1; problem == 0 && got != 0;) {
        got = ::read(from, block.data(), block.size());
        if (got < 0 && errno != EINTR)
            problem = errno;
        if (got > 0)
            problem = write_all(file, std::string_view(block.data(), static_cast<size_t>(got)));
    }
    if (file >= 0)
        ::close(file);
    return problem == 0 ? Status(Done{}) : cannot("keep a copy of", "standard input", problem);
}

}  // namespace

// A thread that reads the stream, keeps what comes and hands it on, until it is stopped or the stream ends.
class KeptInput::Tee {
  public:
    static Result<std::unique_ptr<Tee>> start(int stream, const std::string &kept) {
        std::unique_ptr<Tee> tee(new Tee(stream));
        int ends[2];
        tee->kept_ = ::open(kept.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        tee->stop_ = ::eventfd(0, EFD_CLOEXEC);
        if (tee->kept_ < 0 || tee->stop_ < 0 || ::pipe2(ends, O_CLOEXEC) != 0)
            return fail(ErrorCode::environment, "cannot keep standard input: {}", std::strerror(errno));
        tee->reader_ = ends[0];
        tee->writer_ = ends[1];
        ::fcntl(tee->writer_, F_SETFL, O_NONBLOCK);
        // Signals are for the thread that waits for them; a reader that has gone is an error of write, not the end of us.
        sigset_t all, before;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        tee->thread_ = std::thread([raw = tee.get()] { raw->run(); });
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return tee;
    }

    ~Tee() {
        stop();
        for (int *descriptor : {&kept_, &stop_, &reader_, &writer_})
            shut(*descriptor);
    }

    int reader() const { return reader_; }

    // The error of keeping, 0: none.
    int stop() {
        if (thread_.joinable()) {
            const uint64_t one = 1;
            while (::write(stop_, &one, sizeof one) < 0 && errno == EINTR) {
            }
            thread_.join();
        }
        return problem_;
    }

  private:
    explicit Tee(int stream) : stream_(stream) {}

    // False: it is time to stop.
    bool wait_for(int descriptor, short event) const {
        pollfd waiting[] = {{stop_, POLLIN, 0}, {descriptor, event, 0}};
        while (::poll(waiting, 2, -1) < 0 && errno == EINTR) {
        }
        return waiting[0].revents == 0;
    }

    void run() {
        std::string block(block_bytes, '\0');
        while (wait_for(stream_, POLLIN)) {
            const ssize_t got = ::read(stream_, block.data(), block.size());
            if (got < 0 && (errno == EINTR || errno == EAGAIN))
                continue;
            if (got <= 0)
                break;
            const std::string_view bytes(block.data(), static_cast<size_t>(got));
            problem_ = write_all(kept_, bytes);
            if (problem_ != 0 || !hand_on(bytes))
                break;
        }
        shut(writer_);
    }

    bool hand_on(std::string_view bytes) {
        while (!bytes.empty()) {
            if (!wait_for(writer_, POLLOUT))
                return false;
            const ssize_t written = ::write(writer_, bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR && errno != EAGAIN)
                return false;
            bytes.remove_prefix(written > 0 ? static_cast<size_t>(written) : 0);
        }
        return true;
    }

    int stream_;
    int kept_ = -1;
    int stop_ = -1;
    int reader_ = -1;
    int writer_ = -1;
    int problem_ = 0;
    std::thread thread_;
};

KeptInput::KeptInput(KeptInput &&other) noexcept
    : path_(std::move(other.path_)), stream_(std::exchange(other.stream_, -1)), file_(std::move(other.file_)),
      tee_(std::move(other.tee_)) {}

KeptInput::~KeptInput() {
    tee_.reset();
    shut(stream_);
}

Result<KeptInput> KeptInput::of(const std::string &named) {
    KeptInput input;
    const std::string words = named.empty() ? "standard input" : named;
    // Of our own input a second descriptor: the first one's place is what a run gets.
    int file = named.empty() ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(named.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 && named.empty())
        return input;  // closed
    struct stat status{};
    if (file < 0 || ::fstat(file, &status) != 0)
        return cannot("read", words, errno);
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
        input.stream_ = file;
        return input;
    }
    const off_t at = S_ISREG(status.st_mode) ? ::lseek(file, 0, SEEK_CUR) : 0;
    Status kept = Done{};
    const std::string reopened = named.empty() ? fmt::format("/proc/self/fd/{}", STDIN_FILENO) : named;
    if (S_ISREG(status.st_mode) && at == 0 && ::access(reopened.c_str(), R_OK) == 0) {
        input.path_ = reopened;
    } else if (S_ISREG(status.st_mode)) {
        auto made = TemporaryFile::make("stdin", "");
        kept = made ? copy_rest(file, made->path()) : Status(made.error());
        if (made)
            input.file_.emplace(std::move(*made));
        input.path_ = input.file_ ? input.file_->path() : "";
    } else if (!named.empty()) {
        input.path_ = named;
    } else if (::isatty(file) != 0) {
        note("standard input is a terminal, and what is typed can't be given to several runs: each gets /dev/null "
             "(--stdin FILE)");
    }
    shut(file);
    return kept ? Result<KeptInput>(std::move(input)) : Result<KeptInput>(kept.error());
}

Result<int> KeptInput::start() {
    auto made = TemporaryFile::make("stdin", "");
    if (!made)
        return made.error();
    file_.emplace(std::move(*made));
    path_ = file_->path();
    auto tee = Tee::start(stream_, path_);
    if (!tee)
        return tee.error();
    tee_ = std::move(*tee);
    return tee_->reader();
}

Status KeptInput::stop() {
    const int problem = tee_->stop();
    tee_.reset();
    shut(stream_);
    if (problem != 0)
        return fail(ErrorCode::environment,
                    "cannot keep standard input in {}: {}; make room there, or name another folder "
                    "with TMPDIR",
                    path_, std::strerror(problem));
    struct stat status{};
    const bool known = ::stat(path_.c_str(), &status) == 0;
    note(fmt::format("standard input was kept for the runs that follow: {} bytes", known ? status.st_size : 0));
    return Done{};
}

}  // namespace thalweg::driver
