// measure: how much was written to files, and in how many calls.
#include "measure/written_files.h"

#include <algorithm>
#include <tuple>

#include <linux/audit.h>
#include <sys/syscall.h>

namespace thalweg::measure {

namespace {

struct Row {
    uint64_t number;
    bool writes;  // else it brings what was written to the disk
};

// Who writes at an offset of his own (pwrite) does not write one after another.
constexpr Row rows[] = {{SYS_write, true}, {SYS_writev, true}, {SYS_fsync, false}, {SYS_fdatasync, false}};

const Row *row_of(const CallStart &call) {
    const auto *const row = std::ranges::find(rows, call.key.number, &Row::number);
    return call.key.architecture != AUDIT_ARCH_X86_64 || row == std::end(rows) ? nullptr : row;
}

}  // namespace

bool WrittenFiles::looks_at(const CallStart &call) { return row_of(call) != nullptr; }

void WrittenFiles::ended(const CallStart &call, const std::string &file, int64_t value) {
    const Row *row = row_of(call);
    if (row == nullptr)
        return;
    model::WrittenFile &written = files_[file];
    if (row->writes) {
        ++written.calls;
        written.bytes += static_cast<uint64_t>(value);
    } else {
        ++written.synced;
    }
}

void WrittenFiles::add(const WrittenFiles &others) {
    for (const auto &[file, written] : others.files_) {
        model::WrittenFile &own = files_[file];
        own.calls += written.calls;
        own.bytes += written.bytes;
        own.synced += written.synced;
    }
}

std::vector<model::WrittenFile> WrittenFiles::most_often_written() const {
    std::vector<model::WrittenFile> all;
    for (const auto &[file, written] : files_) {
        if (written.calls == 0)
            continue;
        all.push_back(written);
        all.back().file = file;
    }
    std::ranges::sort(all, [](const model::WrittenFile &a, const model::WrittenFile &b) {
        return std::tie(b.calls, a.file) < std::tie(a.calls, b.file);
    });
    all.resize(std::min(all.size(), model::max_written_files));
    return all;
}

}  // namespace thalweg::measure
