// recorder: the counters of LLVM's IR instrumentation, in a mapped file from the first one on.
#include "recorder/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/mapped_file.h"

extern "C" {
extern __attribute__((weak)) uint64_t thalweg_probe_counters[];
extern __attribute__((weak)) const uint64_t thalweg_probe_counter_count;
}

namespace thalweg::recorder {

namespace {

// What the pass gave them: whole pages.
size_t mapped_bytes() {
    const size_t bytes = counter_count() * sizeof(uint64_t);
    return (bytes + raw::counters_offset - 1) / raw::counters_offset * raw::counters_offset;
}

// Of what begins at the address.
uint64_t symbol_number(const SymbolMap &symbols, uint64_t address) {
    const Place place = symbols.find(address);
    return place.symbol == raw::none || place.offset != 0 ? 0 : uint64_t{place.symbol} + 1;
}

bool write_all(int descriptor, const void *bytes, size_t size, off_t at) {
    while (size > 0) {
        const ssize_t written = pwrite(descriptor, bytes, size, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes = static_cast<const char *>(bytes) + written;
        size -= static_cast<size_t>(written);
        at += written;
    }
    return true;
}

bool fill_and_map(int descriptor, const raw::Header &header, bool with_counts) {
    const size_t bytes = counter_count() * sizeof(uint64_t);
    if (with_counts && !write_all(descriptor, thalweg_probe_counters, bytes, raw::counters_offset))
        return false;
    if (!write_all(descriptor, &header, sizeof header, 0))
        return false;
    return mmap(thalweg_probe_counters, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
                raw::counters_offset) != MAP_FAILED;
}

}  // namespace

uint64_t counter_count() { return &thalweg_probe_counter_count == nullptr ? 0 : thalweg_probe_counter_count; }

size_t counter_file_size() { return raw::counters_offset + mapped_bytes(); }

void count_target(raw::Call &call, uint64_t address, const SymbolMap &symbols) {
    thalweg_probe_call_target_count *rarest = &call.targets[0];
    for (thalweg_probe_call_target_count &target : call.targets) {
        if (target.address == address || target.count == 0) {
            if (target.address != address)
                target = {address, symbol_number(symbols, address), 0};
            ++target.count;
            return;
        }
        if (target.count < rarest->count)
            rarest = &target;
    }
    // As LLVM's own runtime has it: what comes often wins a place in the end.
    // Another thread may take from it at the same time, so the count that was looked at is the one that is lessened: it never falls below 0.
    ++call.others;
    const uint64_t count = __atomic_load_n(&rarest->count, __ATOMIC_RELAXED);
    if (count <= 1) {
        *rarest = {address, symbol_number(symbols, address), 1};
    } else {
        __atomic_store_n(&rarest->count, count - 1, __ATOMIC_RELAXED);
        ++call.others;
    }
}

bool map_counters(const char *path, const raw::Header &header, bool with_counts) {
    const int descriptor = open_new_file(path, counter_file_size());
    if (descriptor < 0)
        return false;
    const bool done = fill_and_map(descriptor, header, with_counts);
    const int problem = errno;
    close(descriptor);
    if (!done)
        unlink(path);
    errno = problem;
    return done;
}

bool count_in(void *bytes, const raw::Header &header, bool with_counts) {
    char *counts = static_cast<char *>(bytes) + raw::counters_offset;
    if (with_counts)
        memcpy(counts, thalweg_probe_counters, counter_count() * sizeof(uint64_t));
    memcpy(bytes, &header, sizeof header);
    // A second mapping of the same pages (mremap(2): an old size of 0, of a shared mapping).
    return mremap(counts, 0, mapped_bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, thalweg_probe_counters) != MAP_FAILED;
}

}  // namespace thalweg::recorder
