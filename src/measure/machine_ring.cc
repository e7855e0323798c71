// measure: what operations cost by io_uring, in groups, and which of them the kernel hands to a thread of its own.
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <liburing.h>
#include <sys/syscall.h>
#include <thread>

#include "measure/machine_row.h"

namespace thalweg::measure {

namespace {

constexpr uint32_t largest_group = 32;
constexpr size_t page_bytes = 4096;

struct Ring {
    io_uring ring{};
    bool there = false;
    Descriptor file;
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

Result<std::shared_ptr<Ring>> make_ring() {
    auto ring = std::make_shared<Ring>();
    const int error = ::io_uring_queue_init(largest_group, &ring->ring, 0);
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
    static constexpr MachineRow rows[] = {
        row("ring-nop", what, 1, nothing, "system-call"),
        row("ring-nop", what, 4, nothing, "system-call"),
        row("ring-nop", what, 8, nothing, "system-call"),
        row("ring-nop", what, largest_group, nothing, "system-call"),
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
