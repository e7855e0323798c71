// model: the table of system calls (signatures: POSIX.1-2024, Linux man-pages section 2).
#include "model/system_call.h"

#include <algorithm>
#include <array>

namespace thalweg::model {

namespace {

// A read moves an offset that others may share, and what it reads may be a pipe: that it is nobody's business has to be shown where it is
// left out. Closing may let go of locks and of what was unlinked.
constexpr SystemCall calls[] = {
    {.name = "accept", .gives = Gives::descriptor, .seen = Seen::others, .descriptor = 0},
    {.name = "accept4", .gives = Gives::descriptor, .seen = Seen::others, .descriptor = 0},
    {.name = "access", .gives = Gives::status, .seen = Seen::nobody},
    {.name = "aligned_alloc", .gives = Gives::address, .seen = Seen::nobody, .size = 1, .is_memory = true},
    // A call through a client's table, as <rpc/clnt.h> writes it: no function of this name is linked.
    {.name = "clnt_call", .gives = Gives::status, .seen = Seen::others},
    {.name = "close", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "connect", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "copy_file_range", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .size = 4},
    {.name = "creat", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "creat64", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "dup", .gives = Gives::descriptor, .seen = Seen::nobody, .descriptor = 0},
    {.name = "dup2", .gives = Gives::descriptor, .seen = Seen::others, .descriptor = 0},
    {.name = "epoll_create1", .gives = Gives::descriptor, .seen = Seen::nobody},
    {.name = "epoll_ctl", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "epoll_wait", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "eventfd", .gives = Gives::descriptor, .seen = Seen::nobody},
    {.name = "fchmod", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "fchown", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "fcntl", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "fcntl64", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "fdatasync", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "free", .gives = Gives::status, .seen = Seen::nobody, .buffer = 0, .is_memory = true},
    {.name = "fstat", .gives = Gives::status, .seen = Seen::nobody, .descriptor = 0, .buffer = 1},
    {.name = "fstat64", .gives = Gives::status, .seen = Seen::nobody, .descriptor = 0, .buffer = 1},
    {.name = "fstatat", .gives = Gives::status, .seen = Seen::nobody, .buffer = 2},
    {.name = "fstatat64", .gives = Gives::status, .seen = Seen::nobody, .buffer = 2},
    {.name = "fsync", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "ftruncate", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "ftruncate64", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "futimens", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "geteuid", .gives = Gives::status, .seen = Seen::nobody},
    {.name = "getpid", .gives = Gives::status, .seen = Seen::nobody},
    {.name = "getuid", .gives = Gives::status, .seen = Seen::nobody},
    {.name = "inotify_init", .gives = Gives::descriptor, .seen = Seen::nobody},
    {.name = "inotify_init1", .gives = Gives::descriptor, .seen = Seen::nobody},
    {.name = "ioctl", .gives = Gives::status, .seen = Seen::others, .descriptor = 0},
    {.name = "isatty", .gives = Gives::status, .seen = Seen::nobody, .descriptor = 0},
    {.name = "lseek", .gives = Gives::offset, .seen = Seen::others, .descriptor = 0, .offset = 1},
    {.name = "lseek64", .gives = Gives::offset, .seen = Seen::others, .descriptor = 0, .offset = 1},
    {.name = "lstat", .gives = Gives::status, .seen = Seen::nobody, .buffer = 1},
    {.name = "lstat64", .gives = Gives::status, .seen = Seen::nobody, .buffer = 1},
    {.name = "malloc", .gives = Gives::address, .seen = Seen::nobody, .size = 0, .is_memory = true},
    {.name = "mkdir", .gives = Gives::status, .seen = Seen::others},
    {.name = "mmap", .gives = Gives::address, .seen = Seen::others, .descriptor = 4, .size = 1, .offset = 5},
    {.name = "mmap64", .gives = Gives::address, .seen = Seen::others, .descriptor = 4, .size = 1, .offset = 5},
    {.name = "munmap", .gives = Gives::status, .seen = Seen::others, .buffer = 0, .size = 1},
    {.name = "open", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "open64", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "openat", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "openat64", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "pipe", .gives = Gives::status, .seen = Seen::nobody, .buffer = 0},
    {.name = "pipe2", .gives = Gives::status, .seen = Seen::nobody, .buffer = 0},
    {.name = "poll", .gives = Gives::status, .seen = Seen::others},
    {.name = "posix_fadvise", .gives = Gives::status, .seen = Seen::nobody, .descriptor = 0},
    {.name = "posix_fadvise64", .gives = Gives::status, .seen = Seen::nobody, .descriptor = 0},
    {.name = "posix_memalign", .gives = Gives::status, .seen = Seen::nobody, .size = 2, .is_memory = true},
    {.name = "pread",
     .gives = Gives::bytes,
     .seen = Seen::others,
     .descriptor = 0,
     .buffer = 1,
     .size = 2,
     .offset = 3},
    {.name = "pread64",
     .gives = Gives::bytes,
     .seen = Seen::others,
     .descriptor = 0,
     .buffer = 1,
     .size = 2,
     .offset = 3},
    {.name = "preadv", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .offset = 3},
    {.name = "pwrite",
     .gives = Gives::bytes,
     .seen = Seen::others,
     .descriptor = 0,
     .buffer = 1,
     .size = 2,
     .offset = 3},
    {.name = "pwrite64",
     .gives = Gives::bytes,
     .seen = Seen::others,
     .descriptor = 0,
     .buffer = 1,
     .size = 2,
     .offset = 3},
    {.name = "pwritev", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .offset = 3},
    {.name = "read", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .buffer = 1, .size = 2},
    {.name = "readv", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0},
    {.name = "realloc", .gives = Gives::address, .seen = Seen::nobody, .buffer = 0, .size = 1, .is_memory = true},
    {.name = "recv", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .buffer = 1, .size = 2},
    {.name = "recvfrom", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .buffer = 1, .size = 2},
    {.name = "recvmsg", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0},
    {.name = "rename", .gives = Gives::status, .seen = Seen::others},
    {.name = "select", .gives = Gives::status, .seen = Seen::others},
    {.name = "send", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .buffer = 1, .size = 2},
    {.name = "sendfile", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .size = 3},
    {.name = "sendfile64", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .size = 3},
    {.name = "sendmsg", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0},
    {.name = "sendto", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .buffer = 1, .size = 2},
    {.name = "signalfd", .gives = Gives::descriptor, .seen = Seen::others},
    {.name = "socket", .gives = Gives::descriptor, .seen = Seen::nobody},
    {.name = "socketpair", .gives = Gives::status, .seen = Seen::nobody, .buffer = 3},
    {.name = "stat", .gives = Gives::status, .seen = Seen::nobody, .buffer = 1},
    {.name = "stat64", .gives = Gives::status, .seen = Seen::nobody, .buffer = 1},
    {.name = "timerfd_create", .gives = Gives::descriptor, .seen = Seen::nobody},
    {.name = "unlink", .gives = Gives::status, .seen = Seen::others},
    {.name = "utimensat", .gives = Gives::status, .seen = Seen::others},
    {.name = "write", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0, .buffer = 1, .size = 2},
    {.name = "writev", .gives = Gives::bytes, .seen = Seen::others, .descriptor = 0},
};

constexpr bool before(const SystemCall &a, const SystemCall &b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(calls), std::end(calls), before));

}  // namespace

const SystemCall *system_call(std::string_view name) {
    const auto *found =
        std::lower_bound(std::begin(calls), std::end(calls), name,
                         [](const SystemCall &call, std::string_view wanted) { return call.name < wanted; });
    return found != std::end(calls) && found->name == name ? found : nullptr;
}

}  // namespace thalweg::model
