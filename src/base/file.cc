// base: whole files, read and written.
#include "base/file.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <stdlib.h>
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

// The number of an open descriptor that `path` is a name of (/dev/stdout, /dev/fd/3, /proc/self/fd/3), or -1. Such a name
// must not be replaced, whatever file the descriptor is open on.
int descriptor_named(const std::string &path) {
    std::string name = path;
    char target[64];
    if (const ssize_t length = readlink(path.c_str(), target, sizeof target); length > 0 && target[0] == '/')
        if (const std::string_view there(target, static_cast<size_t>(length)); there.starts_with("/proc/self/fd/"))
            name = there;
    for (const std::string_view folder : {std::string_view("/proc/self/fd/"), std::string_view("/dev/fd/")}) {
        int number = -1;
        const char *end = name.data() + name.size();
        if (name.starts_with(folder) && std::from_chars(name.data() + folder.size(), end, number).ptr == end)
            return number;
    }
    return -1;
}

// What is there already and is no file: written to, not replaced. -1 and errno where it can't be.
int open_special(const std::string &path) {
    if (const int named = descriptor_named(path); named >= 0)
        return fcntl(named, F_DUPFD_CLOEXEC, 0);
    return open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

Status write_special(const std::string &path, std::string_view bytes) {
    const int descriptor = open_special(path);
    if (descriptor < 0)
        return failed("write", path);
    int problem = write_all(descriptor, bytes);
    if (close(descriptor) != 0 && problem == 0)
        problem = errno;
    errno = problem;
    return problem == 0 ? Status(Done{}) : failed("write", path);
}

// In mkostemp's way: a name that nobody can guess, O_EXCL, mode 0600.
int make_beside(const std::string &path, std::string &made) {
    made = path + ".XXXXXX";
    return mkostemp(made.data(), O_CLOEXEC);
}

mode_t mode_of(Readers readers) {
    if (readers == Readers::owner)
        return 0600;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
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

int write_all(int descriptor, std::string_view bytes) {
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t written = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        done += static_cast<size_t>(written);
    }
    return 0;
}

Status write_file(const std::string &path, std::string_view bytes, Readers readers) {
    struct stat there;
    const bool special = stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode);
    if (special || descriptor_named(path) >= 0)
        return write_special(path, bytes);
    std::string temporary;
    const int descriptor = make_beside(path, temporary);
    if (descriptor < 0)
        return failed("write", path);
    int problem = write_all(descriptor, bytes);
    if (problem == 0 && fchmod(descriptor, mode_of(readers)) != 0)
        problem = errno;
    if (close(descriptor) != 0 && problem == 0)
        problem = errno;
    if (problem == 0 && rename(temporary.c_str(), path.c_str()) != 0)
        problem = errno;
    if (problem == 0)
        return Done{};
    unlink(temporary.c_str());
    errno = problem;
    return failed("write", path);
}

void remove_output(const std::string &path) {
    struct stat there;
    if (lstat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode))
        unlink(path.c_str());
}

}  // namespace thalweg
