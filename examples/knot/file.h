// examples: an open file
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace knot {

// The descriptor ends with it.
class File {
  public:
    File() = default;
    // get() is negative where it can't be opened.
    explicit File(const std::string &path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    File(File &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    File &operator=(File &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~File() {
        if (fd_ >= 0)
            close(fd_);
    }
    int get() const { return fd_; }

  private:
    int fd_ = -1;
};

}  // namespace knot
