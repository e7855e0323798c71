// measure: calls whose results could be kept: what they were asked, and what they gave; and files that are written to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <sys/types.h>

#include "measure/asking_call.h"
#include "measure/result_cache.h"
#include "measure/written_files.h"
#include "model/workload.h"

namespace thalweg::measure {

// Of one process. Descriptors are told apart by how often their number was closed: a number that is given out again is another file.
class CallResults {
  public:
    struct Asked {
        std::string arguments;
        size_t row = 0;  // of the table of such calls
    };
    // `thread` stands still at the call's begin. None: what it gives can't be kept, or was not understood.
    std::optional<Asked> begun(pid_t thread, const CallStart &call);
    // It stands still at the call's end; `value`: what the call returned.
    void ended(pid_t thread, const CallStart &call, const Asked *asked, int64_t value);
    void becomes_another_program();
    void add_to(std::map<std::string, model::RepeatedCalls> &by_name) const;
    const WrittenFiles &written() const { return written_; }

  private:
    // A name that was asked for once: /proc takes as long to tell it as the call that is looked at.
    struct File {
        uint64_t closed = 0;
        std::string name;
    };
    uint64_t closed(uint64_t descriptor) const;
    const std::string &file_of(pid_t thread, uint64_t descriptor);
    std::optional<std::string> path_asked(pid_t thread, std::optional<uint64_t> folder, uint64_t address);

    std::map<size_t, ResultCache> caches_;  // by row
    std::map<uint64_t, uint64_t> closed_;  // how often, by descriptor
    uint64_t all_closed_ = 0;
    std::map<uint64_t, File> files_;  // by descriptor
    WrittenFiles written_;
};

}  // namespace thalweg::measure
