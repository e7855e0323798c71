// base: whole files, read and written.
#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {

namespace {

struct Closer {
    void operator()(int *fd) const { close(*fd); }
};

Error failed(const char *what, const std::string &path) {
    return fail(ErrorCode::environment, "cannot {} {}: {}", what, path, std::strerror(errno));
}

// 0, or errno.
int write_all(int fd, const std::string &bytes) {
    for (size_t done = 0; done < bytes.size();) {
        ssize_t written = write(fd, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        done += static_cast<size_t>(written);
    }
    return 0;
}

}  // namespace

Result<std::string> read_file(const std::string &path) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return failed("open", path);
    std::unique_ptr<int, Closer> closer(&fd);
    std::string bytes;
    char block[1 << 16];
    while (true) {
        ssize_t count = read(fd, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failed("read", path);
        if (count == 0)
            return bytes;
        bytes.append(block, static_cast<size_t>(count));
        if (bytes.size() > max_file_bytes)
            return fail(ErrorCode::environment, "{} is larger than {} bytes: is it the right file?", path,
                        max_file_bytes);
    }
}

Status write_file(const std::string &path, const std::string &bytes) {
    struct stat there;
    // A device or a pipe (/dev/stdout, process substitution) is written to, not replaced.
    bool special = stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
    std::string temporary = special ? path : fmt::format("{}.{}.tmp", path, getpid());
    int fd = open(temporary.c_str(), O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_TRUNC), 0666);
    if (fd < 0)
        return failed("write", path);
    int problem = write_all(fd, bytes);
    if (close(fd) != 0 && problem == 0)
        problem = errno;
    if (problem == 0 && !special && rename(temporary.c_str(), path.c_str()) != 0)
        problem = errno;
    if (problem == 0)
        return Done{};
    if (!special)
        unlink(temporary.c_str());
    errno = problem;
    return failed("write", path);
}

}  // namespace thalweg
