// measure: what sending, closing and watching cost, for which io_uring and vector calls would stand.
#include "measure/machine_sockets.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "measure/machine_row.h"

namespace thalweg::measure {

namespace {

constexpr uint32_t messages = 8;  // of a group, as writes-8

Result<Work> sends(const std::string &, uint32_t) {
    Result<DeafPair> pair = deaf_pair();
    if (!pair)
        return pair.error();
    auto held = std::make_shared<DeafPair>(std::move(*pair));
    return Work([held](uint64_t count) {
        const std::array<char, message_bytes> bytes{};
        for (uint64_t i = 0; i < count * messages; ++i)
            if (::send(held->ours.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0)
                return errno;
        return 0;
    });
}

// What stands where its messages lie is written anew for each group, as a program would have to.
Result<Work> sends_at_once(const std::string &, uint32_t) {
    Result<DeafPair> pair = deaf_pair();
    if (!pair)
        return pair.error();
    auto held = std::make_shared<DeafPair>(std::move(*pair));
    return Work([held](uint64_t count) {
        std::array<char, message_bytes> bytes{};
        for (uint64_t i = 0; i < count; ++i) {
            std::array<iovec, messages> parts;
            std::array<mmsghdr, messages> group{};
            for (uint32_t k = 0; k < messages; ++k) {
                parts[k] = {bytes.data(), bytes.size()};
                group[k].msg_hdr.msg_iov = &parts[k];
                group[k].msg_hdr.msg_iovlen = 1;
            }
            errno = 0;
            if (::sendmmsg(held->ours.number(), group.data(), messages, MSG_NOSIGNAL) != messages)
                return errno != 0 ? errno : EAGAIN;
        }
        return 0;
    });
}

Result<Work> watch(const std::string &, uint32_t) {
    Result<DeafPair> pair = deaf_pair();
    if (!pair)
        return pair.error();
    auto held = std::make_shared<DeafPair>(std::move(*pair));
    auto set = std::make_shared<Descriptor>(::epoll_create1(EPOLL_CLOEXEC));
    epoll_event event{.events = EPOLLIN, .data = {}};
    if (::epoll_ctl(set->number(), EPOLL_CTL_ADD, held->ours.number(), &event) != 0)
        return failed("epoll_ctl");
    return Work([held, set](uint64_t count) {
        epoll_event wanted{.events = EPOLLIN, .data = {}};
        for (uint64_t i = 0; i < count; ++i)
            if (::epoll_ctl(set->number(), EPOLL_CTL_MOD, held->ours.number(), &wanted) != 0)
                return errno;
        return 0;
    });
}

Result<Work> dup_close(const std::string &, uint32_t) {
    auto file = std::make_shared<Descriptor>(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (file->number() < 0)
        return failed("open of /dev/null");
    return Work([file](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) {
            const int copy = ::dup(file->number());
            if (copy < 0 || ::close(copy) != 0)
                return errno;
        }
        return 0;
    });
}

// A number that no descriptor has: beyond any limit of open files (fs.nr_open is at most 2^31 - 64).
constexpr int no_descriptor = INT32_MAX - 1;

Result<Work> close_absent(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            if (::close(no_descriptor) == 0 || errno != EBADF)
                return ECANCELED;
        return 0;
    });
}

Result<Work> list_descriptors(const std::string &, uint32_t) {
    return Work([](uint64_t count) {
        std::array<char, 256> entries;
        for (uint64_t i = 0; i < count; ++i) {
            const Descriptor list(::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
            if (list.number() < 0 || ::syscall(SYS_getdents64, list.number(), entries.data(), entries.size()) < 0)
                return errno;
        }
        return 0;
    });
}

}  // namespace

Result<DeafPair> deaf_pair() {
    DeafPair pair{Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)),
                  Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0))};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    sockaddr *any = reinterpret_cast<sockaddr *>(&address);
    if (::bind(pair.theirs.number(), any, size) != 0 || ::getsockname(pair.theirs.number(), any, &size) != 0 ||
        ::connect(pair.ours.number(), any, size) != 0)
        return failed("connect to 127.0.0.1");
    sock_filter none = {BPF_RET | BPF_K, 0, 0, 0};
    const sock_fprog filter{1, &none};
    if (::setsockopt(pair.theirs.number(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0)
        return failed("setsockopt(SO_ATTACH_FILTER)");
    return pair;
}

std::span<const MachineRow> socket_rows() {
    static constexpr MachineRow rows[] = {
        {.name = "send-udp",
         .what = "a message of 100 bytes by UDP to a socket that drops it, 8 in a row",
         .prepare = sends,
         .operations = messages},
        {.name = "sendmmsg-8",
         .what = "the same, 8 by one call",
         .prepare = sends_at_once,
         .operations = messages,
         .against = "send-udp"},
        {.name = "epoll-ctl", .what = "epoll_ctl(EPOLL_CTL_MOD) of a socket", .prepare = watch},
        {.name = "dup-close", .what = "dup and close of a descriptor of /dev/null", .prepare = dup_close},
        {.name = "close-absent", .what = "close of a number that is no descriptor", .prepare = close_absent},
        {.name = "list-descriptors",
         .what = "open, read and close of /proc/self/fd: which numbers are descriptors",
         .prepare = list_descriptors},
    };
    return rows;
}

}  // namespace thalweg::measure
