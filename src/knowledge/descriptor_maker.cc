// knowledge: the calls that make descriptors, and where their flags are (Linux man-pages section 2).
#include "knowledge/descriptor_maker.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <algorithm>

#include "knowledge/function.h"

namespace thalweg::knowledge {

namespace {

// What F_GETFL gives of a file that was opened depends on its file system's driver; of what the kernel makes itself it is known (fs/pipe.c,
// net/socket.c, fs/anon_inodes.c: the access mode and O_NONBLOCK), and asked for once where the program runs.
constexpr DescriptorMaker makers[] = {
    {"accept", "accept4", 3, 3, SOCK_CLOEXEC, SOCK_NONBLOCK, none, {O_RDWR, -1}},
    {"accept4", "accept4", 4, 3, SOCK_CLOEXEC, SOCK_NONBLOCK, none, {O_RDWR, -1}},
    {"dup", "fcntl", 1, 1, F_DUPFD_CLOEXEC, 0, none, {-1, -1}, -1, 0, 1},
    {"epoll_create1", "epoll_create1", 1, 0, EPOLL_CLOEXEC, 0, none, {O_RDWR, -1}},
    {"eventfd", "eventfd", 2, 1, EFD_CLOEXEC, EFD_NONBLOCK, none, {O_RDWR, -1}},
    {"fcntl", "fcntl", 3, 1, F_DUPFD_CLOEXEC, 0, none, {-1, -1}, 1, F_DUPFD},
    {"inotify_init", "inotify_init1", 0, 0, IN_CLOEXEC, IN_NONBLOCK, none, {O_RDONLY, -1}},
    {"inotify_init1", "inotify_init1", 1, 0, IN_CLOEXEC, IN_NONBLOCK, none, {O_RDONLY, -1}},
    {"open", "open", 3, 1, O_CLOEXEC, 0, none, {-1, -1}},
    {"openat", "openat", 4, 2, O_CLOEXEC, 0, none, {-1, -1}},
    {"pipe", "pipe2", 1, 1, O_CLOEXEC, O_NONBLOCK, 0, {O_RDONLY, O_WRONLY}},
    {"pipe2", "pipe2", 2, 1, O_CLOEXEC, O_NONBLOCK, 0, {O_RDONLY, O_WRONLY}, 1, 0},
    {"signalfd", "signalfd", 3, 2, SFD_CLOEXEC, SFD_NONBLOCK, none, {O_RDWR, -1}, 0, -1},
    {"socket", "socket", 3, 1, SOCK_CLOEXEC, SOCK_NONBLOCK, none, {O_RDWR, -1}},
    {"socketpair", "socketpair", 4, 1, SOCK_CLOEXEC, SOCK_NONBLOCK, 3, {O_RDWR, O_RDWR}},
    {"timerfd_create", "timerfd_create", 2, 1, TFD_CLOEXEC, TFD_NONBLOCK, none, {O_RDWR, -1}},
};

}  // namespace

const DescriptorMaker *descriptor_maker(std::string_view name) {
    const std::string_view names = function(name).names;
    const auto *found = std::ranges::find(makers, names.substr(0, names.find(' ')), &DescriptorMaker::name);
    return found != std::end(makers) ? found : nullptr;
}

}  // namespace thalweg::knowledge
