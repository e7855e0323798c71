// measure: a row of the machine's table, and how its operation is prepared; private to this room.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <sched.h>

#include "base/result.h"
#include "measure/descriptor.h"
#include "model/machine.h"

namespace thalweg::measure {

// Does the row's operation so many times; 0, or the errno of the one that failed. Keeps what it needs.
using Work = std::function<int(uint64_t count)>;

struct MachineRow {
    const char *name;
    const char *what;
    // `folder`: an empty one of its own on the file system to be measured, or nothing.
    Result<Work> (*prepare)(const std::string &folder, uint32_t group);
    model::TimeKind time = model::TimeKind::processor;
    uint32_t group = 0;  // of io_uring: `prepare` gets it
    uint32_t operations = 1;  // that count as one in `seconds`: one run of Work(1) does so many
    const char *against = "";
};

std::span<const MachineRow> call_rows();  // functions, memory, the kernel's door
std::span<const MachineRow> exchange_rows();  // between threads and processes
std::span<const MachineRow> socket_rows();  // on sockets and numbers of descriptors
std::span<const MachineRow> file_rows();  // for each file system
std::span<const MachineRow> ring_rows();  // io_uring without files
std::span<const MachineRow> ring_file_rows();  // io_uring, for each file system

// Whether the row's operations are done before the submission returns: asked of a thread of its own, of which it is seen whether
// the kernel made workers for it.
Result<model::Completion> completion_of(const MachineRow &row, const std::string &folder);

// What the kernel hands to a worker in any case, because the request says so: that workers are seen is tried on it.
const MachineRow &worker_row();

// Pins what is measured, with its threads, processes and kernel workers, to the current processor: results then do not depend on the distance between
// two processors or on how deeply one sleeps. Best effort: what may not be pinned runs as it is.
class OneProcessor {
  public:
    OneProcessor();
    OneProcessor(const OneProcessor &) = delete;
    OneProcessor &operator=(const OneProcessor &) = delete;
    ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }

  private:
    cpu_set_t before_{};
};

Error failed(const char *what);  // with what errno says

// A file of `size` bytes in the folder, its data in the page cache.
Result<Descriptor> warm_file(const std::string &path, size_t size, int more_flags = 0);

// What every file row works on: this much is written and read over and over.
inline constexpr size_t warm_bytes = size_t{1} << 20;

}  // namespace thalweg::measure
