// io: the system's calls for files, and which of them go to io_uring.
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "io.h"

namespace THALWEG_TAME::detail {

namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

// io_uring does at once what needs no waiting: reads of what is in memory, closing, opening of files that are there. For what may wait
// inside the file system it wakes a thread of the kernel: to make or truncate a file, buffered writes, fsync and statx took 1.1 to 10 times
// as long that way as in a thread of this process (measured on Linux 6.18, ext4). Those go to the workers, as all do under epoll.
bool is_done_at_once(const FileWork &work) {
    return work.kind != FileWork::Kind::open || (work.flags & (O_CREAT | O_TRUNC | O_TMPFILE)) == 0;
}

}  // namespace

FileCallOwner make_file_call(FileWork &&work) {
    io::Io &here = io::Io::here();
    return here.ring() && is_done_at_once(work) ? io::make_ring_call(here, std::move(work))
                                                : io::make_pool_call(std::move(work));
}

transferred write_all(int fd, std::string_view bytes, uint64_t offset) {
    transferred all;
    while (all.size < bytes.size()) {
        const ssize_t part =
            pwrite(fd, bytes.data() + all.size, bytes.size() - all.size, static_cast<off_t>(offset + all.size));
        if (part > 0) {
            all.size += static_cast<size_t>(part);
        } else if (part == 0 || errno != EINTR) {
            all.error = part == 0 ? std::make_error_code(std::errc::no_space_on_device) : last_error();
            break;
        }
    }
    return all;
}

std::error_code sync_all(int fd) {
    for (;;) {
        if (fsync(fd) == 0)
            return {};
        if (errno != EINTR)
            return last_error();
    }
}

file_status status_of(int fd) {
    file_status found;
    if (fstat(fd, &found.info) != 0)
        found.error = last_error();
    return found;
}

file_status status_of(const std::string &path) {
    file_status found;
    if (stat(path.c_str(), &found.info) != 0)
        found.error = last_error();
    return found;
}

}  // namespace THALWEG_TAME::detail

namespace thalweg::io {

using tame::detail::FileResult;
using tame::detail::FileWork;

namespace {

FileResult open_now(const FileWork &work) {
    for (;;) {
        FileResult result;
        result.fd = open(work.path.c_str(), work.flags | O_CLOEXEC, work.mode);
        result.error = result.fd < 0 ? errno : 0;
        if (result.error != EINTR)
            return result;
    }
}

FileResult read_now(const FileWork &work) {
    FileResult result;
    while (result.size < work.into.size()) {
        const ssize_t part = pread(work.fd, work.into.data() + result.size, work.into.size() - result.size,
                                   static_cast<off_t>(work.offset + result.size));
        if (part == 0)
            break;
        if (part > 0) {
            result.size += static_cast<size_t>(part);
        } else if (errno != EINTR) {
            result.error = errno;
            break;
        }
    }
    return result;
}

}  // namespace

FileResult do_now(const FileWork &work) {
    switch (work.kind) {
    case FileWork::Kind::open:
        return open_now(work);
    case FileWork::Kind::read:
        return read_now(work);
    default:
        // Linux has closed it also where a signal came in between.
        return {.error = close(work.fd) == 0 || errno == EINTR ? 0 : errno};
    }
}

}  // namespace thalweg::io
