// measure: calls whose results could be kept: what they were asked, and what they gave.
#include "measure/repeated_call.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <vector>

#include <asm/termbits.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include "base/hash.h"
#include "measure/call_counts.h"

namespace thalweg::measure {

namespace {

constexpr size_t page = 4096;
// Of a result more is not compared: whoever reads larger blocks keeps them in a buffer, not in a cache of results.
constexpr size_t most_bytes = 1u << 16;

// What a call is asked. path: of the first of the two. descriptor: by its number. content: of a file, from where it stands, or from the
// offset in the argument that is named second.
enum class Arguments { none, path, path_at, descriptor, content, content_from, address };
// What it gives besides its value. bytes: as many as the value says. opened: the file behind the descriptor that it returns.
enum class Gives { value, bytes, stat, statx, structure, opened };

using Condition = bool (*)(const CallStart &);

struct Row {
    uint64_t number;
    Arguments arguments;
    size_t first;
    unsigned numbers;  // a bit for each argument that is a number and part of what is asked
    Gives gives;
    size_t at = 0;  // the argument that says where
    size_t size = 0;  // of a structure
    Condition when = nullptr;
};

constexpr unsigned bit(size_t argument) { return 1u << argument; }

template <size_t argument>
bool only_reads(const CallStart &call) {
    return (call.arguments[argument] & (O_ACCMODE | O_CREAT | O_TRUNC | O_PATH)) == O_RDONLY;
}
bool asks_for_flags(const CallStart &call) { return call.arguments[1] == F_GETFL || call.arguments[1] == F_GETFD; }
bool asks_for_terminal(const CallStart &call) { return call.arguments[1] == TCGETS; }
bool asks_where_it_stands(const CallStart &call) { return call.arguments[1] == 0 && call.arguments[2] == SEEK_CUR; }

constexpr Row rows[] = {
    {SYS_stat, Arguments::path, 0, 0, Gives::stat, 1},
    {SYS_lstat, Arguments::path, 0, 0, Gives::stat, 1},
    {SYS_newfstatat, Arguments::path_at, 0, bit(3), Gives::stat, 2},
    {SYS_statx, Arguments::path_at, 0, bit(2) | bit(3), Gives::statx, 4},
    {SYS_access, Arguments::path, 0, bit(1), Gives::value},
    {SYS_faccessat, Arguments::path_at, 0, bit(2), Gives::value},
    {SYS_faccessat2, Arguments::path_at, 0, bit(2) | bit(3), Gives::value},
    {SYS_readlink, Arguments::path, 0, 0, Gives::bytes, 1},
    {SYS_readlinkat, Arguments::path_at, 0, 0, Gives::bytes, 2},
    {SYS_open, Arguments::path, 0, bit(1), Gives::opened, 0, 0, only_reads<1>},
    {SYS_openat, Arguments::path_at, 0, bit(2), Gives::opened, 0, 0, only_reads<2>},
    {SYS_fstat, Arguments::descriptor, 0, 0, Gives::stat, 1},
    {SYS_read, Arguments::content, 0, bit(2), Gives::bytes, 1},
    {SYS_pread64, Arguments::content_from, 0, bit(2) | bit(3), Gives::bytes, 1},
    {SYS_fcntl, Arguments::descriptor, 0, bit(1), Gives::value, 0, 0, asks_for_flags},
    {SYS_ioctl, Arguments::descriptor, 0, bit(1), Gives::structure, 2, sizeof(termios), asks_for_terminal},
    {SYS_lseek, Arguments::descriptor, 0, bit(2), Gives::value, 0, 0, asks_where_it_stands},
    {SYS_connect, Arguments::address, 1, 0, Gives::value},
    {SYS_getcwd, Arguments::none, 0, 0, Gives::bytes, 0},
    {SYS_uname, Arguments::none, 0, 0, Gives::structure, 0, sizeof(utsname)},
    {SYS_getpid, Arguments::none, 0, 0, Gives::value},
    {SYS_getppid, Arguments::none, 0, 0, Gives::value},
    {SYS_getuid, Arguments::none, 0, 0, Gives::value},
    {SYS_geteuid, Arguments::none, 0, 0, Gives::value},
    {SYS_getgid, Arguments::none, 0, 0, Gives::value},
    {SYS_getegid, Arguments::none, 0, 0, Gives::value},
};

// As much of the bytes as can be read.
std::string bytes_at(pid_t thread, uint64_t address, size_t size) {
    std::string bytes(size, '\0');
    iovec here = {bytes.data(), size};
    iovec there = {reinterpret_cast<void *>(address),
                   size};  // NOLINT(performance-no-int-to-ptr): another process's address
    const ssize_t got = size == 0 ? 0 : ::process_vm_readv(thread, &here, 1, &there, 1, 0);
    bytes.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

// A string's end is not known before: page by page, for the page behind it may not be there.
std::optional<std::string> text_at(pid_t thread, uint64_t address) {
    std::string text;
    while (address != 0 && text.size() < page) {
        const std::string part = bytes_at(thread, address, page - address % page);
        if (part.empty())
            return {};
        const size_t end = part.find('\0');
        text += part.substr(0, end);
        if (end != part.npos)
            return text;
        address += part.size();
    }
    return {};
}

std::string target_of(const std::string &link) {
    std::error_code error;
    return std::filesystem::read_symlink(link, error).string();
}

// A file whose bytes stay where they are.
bool is_regular(const std::string &file) { return file.starts_with('/') && !file.starts_with("/dev/"); }

std::string position(pid_t thread, uint64_t descriptor) {
    std::ifstream lines(fmt::format("/proc/{}/fdinfo/{}", thread, static_cast<int32_t>(descriptor)));
    std::string word, number;
    lines >> word >> number;
    return word == "pos:" ? number : std::string();
}

uint64_t hash_of_structure(std::string bytes, size_t skipped_from, size_t skipped_to) {
    if (bytes.size() >= skipped_to)
        std::fill(bytes.begin() + static_cast<ptrdiff_t>(skipped_from),
                  bytes.begin() + static_cast<ptrdiff_t>(skipped_to), '\0');
    return hash_bytes(bytes);
}

// Which file it is and in which state; its content is not read for that.
uint64_t hash_of_opened(pid_t thread, int64_t descriptor) {
    const std::string link = fmt::format("/proc/{}/fd/{}", thread, descriptor);
    struct statx status{};
    if (::statx(AT_FDCWD, link.c_str(), 0, STATX_BASIC_STATS, &status) != 0)
        return 0;
    return hash_bytes(fmt::format("{} {} {} {} {} {} {}", status.stx_dev_major, status.stx_dev_minor, status.stx_ino,
                                  status.stx_size, status.stx_mode, status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec));
}

// That a file was read is no change of it: the time of access is left out.
uint64_t hash_of_result(pid_t thread, const CallStart &call, const Row &row, int64_t value) {
    if (value < 0)
        return static_cast<uint64_t>(value);
    const uint64_t address = call.arguments[row.at];
    constexpr size_t bytes_of_stat = 144, access_in_stat = 72, modified_in_stat = 88;
    switch (row.gives) {
    case Gives::value:
        return static_cast<uint64_t>(value);
    case Gives::bytes:
        return hash_bytes(bytes_at(thread, address, std::min(static_cast<size_t>(value), most_bytes)));
    case Gives::stat:
        return hash_of_structure(bytes_at(thread, address, bytes_of_stat), access_in_stat, modified_in_stat);
    case Gives::statx:
        return hash_of_structure(bytes_at(thread, address, sizeof(struct statx)), offsetof(struct statx, stx_atime),
                                 offsetof(struct statx, stx_btime));
    case Gives::structure:
        return hash_bytes(bytes_at(thread, address, row.size));
    case Gives::opened:
        return hash_of_opened(thread, value);
    }
    return 0;
}

}  // namespace

uint64_t CallResults::closed(uint64_t descriptor) const {
    const auto found = closed_.find(descriptor);
    return all_closed_ + (found == closed_.end() ? 0 : found->second);
}

const std::string &CallResults::file_of(pid_t thread, uint64_t descriptor) {
    const auto [place, is_new] = files_.try_emplace(descriptor);
    if (is_new || place->second.name.empty() || place->second.closed != closed(descriptor))
        place->second = {closed(descriptor),
                         target_of(fmt::format("/proc/{}/fd/{}", thread, static_cast<int32_t>(descriptor)))};
    return place->second.name;
}

std::optional<std::string> CallResults::path_asked(pid_t thread, std::optional<uint64_t> folder, uint64_t address) {
    const auto path = text_at(thread, address);
    if (!path || path->empty() || path->starts_with('/'))
        return path;
    const bool here = !folder || static_cast<int32_t>(*folder) == AT_FDCWD;
    return (here ? target_of(fmt::format("/proc/{}/cwd", thread)) : file_of(thread, *folder)) + "/" + *path;
}

std::optional<CallResults::Asked> CallResults::begun(pid_t thread, const CallStart &call) {
    if (call.key.architecture != AUDIT_ARCH_X86_64)
        return {};
    const auto *const row = std::ranges::find(rows, call.key.number, &Row::number);
    if (row == std::end(rows) || (row->when != nullptr && !row->when(call)))
        return {};
    const auto of_descriptor = [&](uint64_t number) {
        const uint64_t times = closed(number);
        return fmt::format("descriptor {} ({}){}", static_cast<int32_t>(number), file_of(thread, number),
                           times == 0 ? "" : fmt::format(", closed {} times before", times));
    };
    Asked asked{{}, static_cast<size_t>(row - std::begin(rows))};
    const uint64_t first = call.arguments[row->first];
    switch (row->arguments) {
    case Arguments::none:
        break;
    case Arguments::path:
    case Arguments::path_at: {
        const bool at = row->arguments == Arguments::path_at;
        const auto path =
            path_asked(thread, at ? std::optional(first) : std::nullopt, call.arguments[row->first + (at ? 1 : 0)]);
        if (!path)
            return {};
        asked.arguments = path->empty() ? of_descriptor(first) : *path;
        break;
    }
    case Arguments::descriptor:
        asked.arguments = of_descriptor(first);
        break;
    case Arguments::content:
    case Arguments::content_from: {
        const std::string &file = file_of(thread, first);
        if (!is_regular(file) || call.arguments[2] > most_bytes)
            return {};
        asked.arguments =
            row->arguments == Arguments::content_from ? file : fmt::format("{} from {}", file, position(thread, first));
        break;
    }
    case Arguments::address:
        asked.arguments =
            "address " + to_hex(hash_bytes(bytes_at(thread, first, std::min<uint64_t>(call.arguments[2], page))));
        break;
    }
    for (size_t i = 0; i < call.arguments.size(); ++i)
        if ((row->numbers & bit(i)) != 0)
            asked.arguments += fmt::format(", {:#x}", call.arguments[i]);
    return asked;
}

void CallResults::ended(pid_t thread, const CallStart &call, const Asked *asked, int64_t value) {
    if (asked != nullptr && value != -EINTR)
        caches_[asked->row].add(asked->arguments, hash_of_result(thread, call, rows[asked->row], value));
    if (call.key.architecture != AUDIT_ARCH_X86_64 || value < 0)
        return;
    if (WrittenFiles::looks_at(call))
        if (const std::string &file = file_of(thread, call.arguments[0]); is_regular(file))
            written_.ended(call, file, value);
    if (call.key.number == SYS_close)
        ++closed_[call.arguments[0]];
    if (call.key.number == SYS_dup2 || call.key.number == SYS_dup3)
        ++closed_[call.arguments[1]];
    if (call.key.number == SYS_close_range)
        ++all_closed_;
}

void CallResults::becomes_another_program() {
    for (auto &[row, cache] : caches_)
        cache.forget();
    files_.clear();
}

void CallResults::add_to(std::map<std::string, model::RepeatedCalls> &by_name) const {
    for (const auto &[row, cache] : caches_)
        cache.add_to(by_name[name_of_call({AUDIT_ARCH_X86_64, rows[row].number})]);
}

}  // namespace thalweg::measure
