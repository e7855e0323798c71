// thalweg: a file in tamed functions (library thalweg_io), read and written at offsets without blocking the loop.
//
//     opened page = co_await open_file("index.html");
//     std::array<char, 4096> bytes;
//     transferred got = co_await page.handle.read(bytes, 0);
//
// Of what has offsets: regular files and block devices. What is looked at or filled belongs to the waiting function: where that ends, it does
// so when the kernel, or the other thread, has done with it. An error is in what is awaited, and not thrown. A file belongs to no loop; it is
// awaited in the thread that has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <thalweg/tame/threads.h>

namespace THALWEG_TAME {

// As much as there was, or could be written before the error.
struct transferred {
    size_t size = 0;
    std::error_code error;
};

struct file_status {
    struct ::stat info{};
    std::error_code error;
};

class file;
struct opened;

namespace detail {

// One operation, before it is asked for.
struct FileWork {
    enum class Kind : uint8_t { open, read, close };
    Kind kind;
    int fd = -1;
    std::span<char> into{};
    uint64_t offset = 0;
    std::string path{};
    int flags = 0;
    mode_t mode = 0;
};
struct FileResult {
    size_t size = 0;
    int fd = -1;
    int error = 0;
};

// One under way: in io_uring, or in another thread.
class FileCall {
  public:
    FileCall() = default;
    FileCall(const FileCall &) = delete;
    FileCall &operator=(const FileCall &) = delete;
    virtual std::coroutine_handle<> begin(std::coroutine_handle<> function) = 0;
    // Once: a descriptor that was opened is the caller's.
    virtual FileResult take() = 0;
    // It is gone when the kernel, or the thread, has done with it; waits until then.
    virtual void drop() noexcept = 0;

    static void *operator new(size_t size) { return pool.take(size); }
    static void operator delete(void *memory, size_t size) { pool.give(memory, size); }

  protected:
    ~FileCall() = default;
};
struct DropFileCall {
    void operator()(FileCall *call) const noexcept { call->drop(); }
};
using FileCallOwner = std::unique_ptr<FileCall, DropFileCall>;
FileCallOwner make_file_call(FileWork &&work);

template <class Result>
class FileWait : public Wait {
  public:
    static constexpr const char *waits_for = "a file";

    explicit FileWait(FileWork &&work) : call_(make_file_call(std::move(work))) {}
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) { return call_->begin(function); }
    Result await_resume();

  private:
    FileCallOwner call_;
};
// What is awaited; the call itself is made where it is.
template <class Result>
class FileAsked {
  public:
    explicit FileAsked(FileWork work) : work_(std::move(work)) {}
    FileWait<Result> operator co_await() && { return FileWait<Result>(std::move(work_)); }

  private:
    FileWork work_;
};

transferred write_all(int fd, std::string_view bytes, uint64_t offset);
std::error_code sync_all(int fd);
file_status status_of(int fd);
file_status status_of(const std::string &path);

}  // namespace detail

class file {
  public:
    file() = default;
    // Of an open descriptor, which is the file's from now on.
    explicit file(int fd) : fd_(fd) {}
    file(file &&other) noexcept : fd_(other.release()) {}
    file &operator=(file &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    // Closes it, and tells of no error.
    ~file() {
        if (fd_ >= 0)
            ::close(fd_);
    }

    explicit operator bool() const { return fd_ >= 0; }
    int descriptor() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }

    // Until the buffer is full, or the file's end: less than was asked for is all that there is.
    auto read(std::span<char> into, uint64_t offset) const {
        return detail::FileAsked<transferred>(
            {.kind = detail::FileWork::Kind::read, .fd = fd_, .into = into, .offset = offset});
    }
    // All of it, or an error.
    auto write(std::string_view bytes, uint64_t offset) const {
        return blocking([fd = fd_, bytes, offset] { return detail::write_all(fd, bytes, offset); });
    }
    // What was written is on the disk.
    auto sync() const {
        return blocking([fd = fd_] { return detail::sync_all(fd); });
    }
    auto status() const {
        return blocking([fd = fd_] { return detail::status_of(fd); });
    }
    // It is no file any more, even where there was an error. To be awaited.
    [[nodiscard]] auto close() {
        return detail::FileAsked<std::error_code>({.kind = detail::FileWork::Kind::close, .fd = release()});
    }

  private:
    int fd_ = -1;
};

struct opened {
    file handle;
    std::error_code error;

    explicit operator bool() const { return static_cast<bool>(handle); }
};

// flags: O_RDONLY and the like; mode: of a file that O_CREAT makes.
inline auto open_file(std::string path, int flags = O_RDONLY, mode_t mode = 0666) {
    return detail::FileAsked<opened>(
        {.kind = detail::FileWork::Kind::open, .path = std::move(path), .flags = flags, .mode = mode});
}
inline auto status_of(std::string path) {
    return blocking([path = std::move(path)] { return detail::status_of(path); });
}

namespace detail {

template <class Result>
Result FileWait<Result>::await_resume() {
    const FileResult result = call_->take();
    const std::error_code error(result.error, std::generic_category());
    if constexpr (std::is_same_v<Result, transferred>)
        return {result.size, error};
    else if constexpr (std::is_same_v<Result, opened>)
        return {file(result.fd), error};
    else
        return error;
}

}  // namespace detail

}  // namespace THALWEG_TAME
