// measure: what operations cost by io_uring, in groups, and which of them the kernel hands to a thread of its own.
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <liburing.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <thread>

#include "measure/machine_row.h"
#include "measure/machine_sockets.h"

namespace thalweg::measure {

namespace {

constexpr uint32_t largest_group = 32;
constexpr size_t page_bytes = 4096;

struct Ring {
    io_uring ring{};
    bool there = false;
    bool is_linked = false;  // each of a group is begun when the one before has succeeded
    Descriptor file;
    DeafPair sockets;
    epoll_event event{.events = EPOLLIN, .data = {}};
    std::string path;
    std::array<char, page_bytes> bytes{};
    std::array<int, largest_group> results{};
    size_t at = 0;

    Ring() = default;
    Ring(const Ring &) = delete;
    Ring &operator=(const Ring &) = delete;
    ~Ring() {
        if (there)
            ::io_uring_queue_exit(&ring);
    }
    uint64_t next_page() {
        at = (at + page_bytes) % warm_bytes;
        return at;
    }
};

// One more operation of a group, number i.
using Fill = void (*)(Ring &ring, io_uring_sqe *entry, uint32_t i);

// Hands in `group` operations, waits for all, and gives what the first that failed says.
int run_group(Ring &ring, uint32_t group, Fill fill) {
    for (uint32_t i = 0; i < group; ++i) {
        io_uring_sqe *entry = ::io_uring_get_sqe(&ring.ring);
        fill(ring, entry, i);
        ::io_uring_sqe_set_data64(entry, i);
        if (ring.is_linked && i + 1 < group)
            entry->flags |= IOSQE_IO_LINK;
    }
    int handed_in = ::io_uring_submit_and_wait(&ring.ring, group);
    if (handed_in < 0 && handed_in != -EINTR)
        return -handed_in;
    int error = 0;
    for (uint32_t i = 0; i < group; ++i) {
        io_uring_cqe *done = nullptr;
        int waited = 0;
        do
            waited = ::io_uring_wait_cqe(&ring.ring, &done);
        while (waited == -EINTR);
        if (waited < 0)
            return -waited;
        ring.results[::io_uring_cqe_get_data64(done)] = done->res;
        if (done->res < 0 && error == 0)
            error = -done->res;
        ::io_uring_cqe_seen(&ring.ring, done);
    }
    return error;
}

void fill_nothing(Ring &, io_uring_sqe *entry, uint32_t) { ::io_uring_prep_nop(entry); }
void fill_read(Ring &ring, io_uring_sqe *entry, uint32_t) {
    ::io_uring_prep_read(entry, ring.file.number(), ring.bytes.data(), page_bytes, ring.next_page());
}
void fill_write(Ring &ring, io_uring_sqe *entry, uint32_t) {
    ::io_uring_prep_write(entry, ring.file.number(), ring.bytes.data(), page_bytes, ring.next_page());
}
void fill_open(Ring &ring, io_uring_sqe *entry, uint32_t) {
    ::io_uring_prep_openat(entry, AT_FDCWD, ring.path.c_str(), O_RDONLY | O_CLOEXEC, 0);
}
void fill_close(Ring &ring, io_uring_sqe *entry, uint32_t i) { ::io_uring_prep_close(entry, ring.results[i]); }

void fill_send(Ring &ring, io_uring_sqe *entry, uint32_t) {
    ::io_uring_prep_send(entry, ring.sockets.ours.number(), ring.bytes.data(), message_bytes, MSG_NOSIGNAL);
}
void fill_watch(Ring &ring, io_uring_sqe *entry, uint32_t) {
    ::io_uring_prep_epoll_ctl(entry, ring.file.number(), ring.sockets.ours.number(), EPOLL_CTL_MOD, &ring.event);
}

Result<std::shared_ptr<Ring>> make_ring(unsigned flags = 0) {
    auto ring = std::make_shared<Ring>();
    const int error = ::io_uring_queue_init(largest_group, &ring->ring, flags);
    ring->there = error == 0;
    errno = -error;
    if (error != 0)
        return failed("io_uring_setup");
    cpu_set_t processors;
    CPU_ZERO(&processors);
    ::sched_getaffinity(0, sizeof processors, &processors);
    ::io_uring_register_iowq_aff(&ring->ring, sizeof processors, &processors);  // workers don't go by their task's own
    return ring;
}

Result<std::shared_ptr<Ring>> ring_with_file(const std::string &folder) {
    Result<std::shared_ptr<Ring>> ring = make_ring();
    if (!ring)
        return ring;
    (*ring)->path = folder + "/ring";
    Result<Descriptor> file = warm_file((*ring)->path, warm_bytes);
    if (!file)
        return file.error();
    (*ring)->file = std::move(*file);
    return ring;
}

// As cheap as it gets: one thread hands in and takes out, and nothing is done behind its back. `file` is a set of epoll with the socket in it.
Result<std::shared_ptr<Ring>> ring_with_sockets(bool is_linked) {
    Result<std::shared_ptr<Ring>> made = make_ring(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
    if (!made)
        return made;
    Ring &ring = **made;
    Result<DeafPair> sockets = deaf_pair();
    if (!sockets)
        return sockets.error();
    ring.sockets = std::move(*sockets);
    ring.is_linked = is_linked;
    ring.file = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
    if (::epoll_ctl(ring.file.number(), EPOLL_CTL_ADD, ring.sockets.ours.number(), &ring.event) != 0)
        return failed("epoll_ctl");
    if (::io_uring_register_ring_fd(&ring.ring) != 1)
        return failed("io_uring_register");
    return made;
}

void fill_for_worker(Ring &, io_uring_sqe *entry, uint32_t) {
    ::io_uring_prep_nop(entry);
    entry->flags |= IOSQE_ASYNC;
}

// `second` may be null: the group is done then.
template <Fill first, Fill second>
Result<Work> grouped(const std::string &folder, uint32_t group) {
    const Result<std::shared_ptr<Ring>> made = folder.empty() ? make_ring() : ring_with_file(folder);
    if (!made)
        return made.error();
    return Work([ring = *made, group](uint64_t count) {
        int error = 0;
        for (uint64_t i = 0; i < count && error == 0; ++i) {
            error = run_group(*ring, group, first);
            if constexpr (second != nullptr)
                error = error == 0 ? run_group(*ring, group, second) : error;
        }
        return error;
    });
}

template <Fill fill, bool is_linked>
Result<Work> on_sockets(const std::string &, uint32_t group) {
    const Result<std::shared_ptr<Ring>> made = ring_with_sockets(is_linked);
    if (!made)
        return made.error();
    return Work([ring = *made, group](uint64_t count) {
        int error = 0;
        for (uint64_t i = 0; i < count && error == 0; ++i)
            error = run_group(*ring, group, fill);
        return error;
    });
}

// Copies of a descriptor are made one by one, and closed by the ring.
Result<Work> closes(const std::string &, uint32_t group) {
    const Result<std::shared_ptr<Ring>> made = ring_with_sockets(false);
    if (!made)
        return made.error();
    return Work([ring = *made, group](uint64_t count) {
        int error = 0;
        for (uint64_t i = 0; i < count && error == 0; ++i) {
            for (uint32_t k = 0; k < group; ++k) {
                ring->results[k] = ::dup(ring->file.number());
                if (ring->results[k] < 0)
                    return errno;
            }
            error = run_group(*ring, group, fill_close);
        }
        return error;
    });
}

constexpr auto nothing = grouped<fill_nothing, nullptr>;
constexpr auto reads = grouped<fill_read, nullptr>;
constexpr auto writes = grouped<fill_write, nullptr>;
constexpr auto for_worker = grouped<fill_for_worker, nullptr>;
constexpr auto opens = grouped<fill_open, fill_close>;

constexpr MachineRow row(const char *name, const char *what, uint32_t group, decltype(nothing) prepare,
                         const char *against) {
    return {.name = name, .what = what, .prepare = prepare, .group = group, .operations = group, .against = against};
}

// The kernel's workers for requests of the calling thread are threads of the process, named after it.
size_t workers_of_this_thread() {
    const std::string name = fmt::format("iou-wrk-{}", ::syscall(SYS_gettid));
    size_t found = 0;
    std::error_code ignored;
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        std::string comm;
        std::getline(std::ifstream(task.path() / "comm"), comm);
        found += comm == name ? 1 : 0;
    }
    return found;
}

}  // namespace

Result<model::Completion> completion_of(const MachineRow &asked, const std::string &folder) {
    constexpr uint64_t asked_groups = 4;
    Result<model::Completion> answer = model::Completion::at_once;
    std::thread([&] {
        const Result<Work> work = asked.prepare(folder, asked.group);
        if (!work) {
            answer = work.error();
            return;
        }
        errno = (*work)(asked_groups);
        if (errno != 0)
            answer = failed(asked.name);
        else if (workers_of_this_thread() != 0)
            answer = model::Completion::worker;
    }).join();
    return answer;
}

const MachineRow &worker_row() {
    static constexpr MachineRow only = row("ring-worker", "nothing, by a worker that was asked for", 1, for_worker, "");
    return only;
}

std::span<const MachineRow> ring_rows() {
    static constexpr auto what = "nothing, by io_uring";
    static constexpr auto send = "send-udp by io_uring";
    static constexpr auto linked_send = "the same, each when the one before has succeeded";
    static constexpr auto watch = "epoll-ctl by io_uring, each when the one before has succeeded";
    static constexpr auto close = "dup-close, closed by io_uring";
    static constexpr MachineRow rows[] = {
        row("ring-nop", what, 1, nothing, "system-call"),
        row("ring-nop", what, 4, nothing, "system-call"),
        row("ring-nop", what, 8, nothing, "system-call"),
        row("ring-nop", what, largest_group, nothing, "system-call"),
        row("ring-send", send, 4, on_sockets<fill_send, false>, "send-udp"),
        row("ring-send", send, 8, on_sockets<fill_send, false>, "send-udp"),
        row("ring-send", send, largest_group, on_sockets<fill_send, false>, "send-udp"),
        row("ring-send-linked", linked_send, 4, on_sockets<fill_send, true>, "send-udp"),
        row("ring-send-linked", linked_send, 8, on_sockets<fill_send, true>, "send-udp"),
        row("ring-send-linked", linked_send, largest_group, on_sockets<fill_send, true>, "send-udp"),
        row("ring-epoll-ctl-linked", watch, 8, on_sockets<fill_watch, true>, "epoll-ctl"),
        row("ring-epoll-ctl-linked", watch, largest_group, on_sockets<fill_watch, true>, "epoll-ctl"),
        row("ring-dup-close", close, 8, closes, "dup-close"),
        row("ring-dup-close", close, largest_group, closes, "dup-close"),
    };
    return rows;
}

std::span<const MachineRow> ring_file_rows() {
    static constexpr auto read = "read-4096 by io_uring";
    static constexpr auto write = "write-4096 by io_uring";
    static constexpr auto open = "open-close by io_uring";
    static constexpr MachineRow rows[] = {
        row("ring-read", read, 1, reads, "read-4096"),
        row("ring-read", read, 4, reads, "read-4096"),
        row("ring-read", read, 8, reads, "read-4096"),
        row("ring-read", read, largest_group, reads, "read-4096"),
        row("ring-write", write, 1, writes, "write-4096"),
        row("ring-write", write, 4, writes, "write-4096"),
        row("ring-write", write, 8, writes, "write-4096"),
        row("ring-write", write, largest_group, writes, "write-4096"),
        row("ring-open-close", open, 1, opens, "open-close"),
        row("ring-open-close", open, 4, opens, "open-close"),
        row("ring-open-close", open, 8, opens, "open-close"),
        row("ring-open-close", open, largest_group, opens, "open-close"),
    };
    return rows;
}

}  // namespace thalweg::measure
