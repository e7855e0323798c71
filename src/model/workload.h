// model: what kind of work one run of a program did, and what follows from it. JSON (docs/formats/workload.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace thalweg::model {

// What the kernel counts of a process and of the children that it waited for.
struct Usage {
    uint64_t user_us = 0;
    uint64_t system_us = 0;
    uint64_t minor_faults = 0;
    uint64_t major_faults = 0;  // a page that had to be read from a disk
    uint64_t voluntary_switches = 0;
    uint64_t involuntary_switches = 0;
    uint64_t blocks_in = 0;  // of 512 bytes, that went to or came from a disk
    uint64_t blocks_out = 0;
    uint64_t max_rss_kib = 0;
    bool operator==(const Usage &) const = default;
};

// A stretch of the run, of the program and its children together.
struct WorkSample {
    uint64_t end_us = 0;  // since the start
    uint64_t user_us = 0;
    uint64_t system_us = 0;
    uint64_t threads = 0;  // at its end
    bool operator==(const WorkSample &) const = default;
};

struct ErrorCount {
    std::string error;  // "ENOENT"
    uint64_t count = 0;
    bool operator==(const ErrorCount &) const = default;
};

struct CallCount {
    std::string name;  // "read"
    uint64_t count = 0;
    uint64_t time_ns = 0;        // from entry to exit, waiting and tracing included
    uint64_t without_waiting =
        0;  // asked whether something is ready, or gave up the processor, and did not wait for it
    std::vector<ErrorCount> errors;
    bool operator==(const CallCount &) const = default;
};

// Entries of the caches that are looked at: the last result alone; a handful; as many as `ls` keeps of users' names (Spinellis, Figure 4.10).
inline constexpr std::array<size_t, 3> cache_sizes = {1, 16, 64};

struct RepeatedExample {
    std::string arguments;
    uint64_t count = 0;  // in one process
    bool operator==(const RepeatedExample &) const = default;
};

// The same call with the same arguments, again and again in one process: what a cache of its results would have given.
struct RepeatedCalls {
    std::string name;  // "openat"
    uint64_t calls = 0;  // of which arguments and result could be looked at
    uint64_t arguments = 0;  // different ones
    std::array<uint64_t, cache_sizes.size()> hits{};  // the result was kept, and right, in a cache of so many entries
    uint64_t changed = 0;  // another result than the last time with these arguments: what was kept would be wrong
    RepeatedExample commonest;
    RepeatedExample changing;  // the count is of its changes
    uint64_t entries = 0;  // of the cache that is advised; 0: none is
    uint64_t saved_ns = 0;  // in this run by that cache, its upkeep taken off
    std::string why;
    bool operator==(const RepeatedCalls &) const = default;
};

// What was written to a regular file where its writer stood in it (write, writev), by all processes.
struct WrittenFile {
    std::string file;
    uint64_t calls = 0;
    uint64_t bytes = 0;
    uint64_t synced = 0;  // times that it was brought to the disk (fsync, fdatasync)
    uint64_t saved_ns = 0;  // in this run, if blocks were written instead; 0: that is not advised
    std::string why;
    bool operator==(const WrittenFile &) const = default;
};

struct ThreadWork {
    uint64_t process = 0;
    uint64_t thread = 0;  // 0: several together, that there is no room for one by one
    std::string name;
    uint64_t user_us = 0;  // as they were when it was last looked at
    uint64_t system_us = 0;
    uint64_t ready_us = 0;  // it could have run, and no processor was free
    std::vector<CallCount> calls;
    bool operator==(const ThreadWork &) const = default;
};

// Spinellis, "Code Quality", Table 4.1. mixed: user and system time are near each other, and neither is near real time.
enum class WorkClass { not_judged, io_bound, kernel_bound, cpu_bound, mixed };
inline constexpr std::array<const char *, 5> work_class_words = {"not judged", "I/O-bound", "kernel-bound", "CPU-bound",
                                                                 "mixed"};
inline const char *word(WorkClass kind) { return work_class_words[static_cast<size_t>(kind)]; }

// seen: something that was noticed in this run. diagnose: what to look at next. resolve: what may make it faster.
enum class AdviceKind { seen, diagnose, resolve };
inline constexpr std::array<const char *, 3> advice_kind_words = {"seen", "diagnose", "resolve"};
inline const char *word(AdviceKind kind) { return advice_kind_words[static_cast<size_t>(kind)]; }

struct Advice {
    AdviceKind kind = AdviceKind::seen;
    std::string text;
    bool operator==(const Advice &) const = default;
};

struct Workload {
    std::vector<std::string> command;
    uint32_t exit_code = 0;  // 128 + signal when a signal ended it
    uint32_t signal = 0;
    uint64_t real_us = 0;
    Usage usage;  // of the program and of the children that it waited for
    Usage children;  // of these alone, as exactly as the kernel tells it (times in steps of 10 ms)
    uint64_t ready_us = 0;  // of all threads seen: ready to run while no processor was free; at least
    std::vector<WorkSample> samples;
    std::vector<ThreadWork> threads;
    bool traced = false;  // its calls were counted, which makes it slower
    std::vector<CallCount> calls;
    std::vector<RepeatedCalls> repeated;  // by name
    std::vector<WrittenFile> written;  // those with the most calls, at most max_written_files
    std::vector<std::string> problems;  // what could not be measured
    WorkClass kind = WorkClass::not_judged;
    std::string why;  // the class, in numbers
    std::vector<Advice> advice;
    bool operator==(const Workload &) const = default;
};

// Where a run is long, or has many threads, neighbours are put together.
inline constexpr size_t max_samples = 600;
inline constexpr size_t max_threads_told = 1024;
// Kinds of system calls, and of errors of one of them: the kernel has some 450 and 133.
inline constexpr size_t max_call_rows = 4096;
// A program that writes to more files writes little to most of them.
inline constexpr size_t max_written_files = 256;

Status validate(const Workload &workload);
std::string write_workload(const Workload &workload);
Result<Workload> read_workload(const std::string &text);

}  // namespace thalweg::model
