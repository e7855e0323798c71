// measure: how much was written to files, and in how many calls.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "measure/asking_call.h"
#include "model/workload.h"

namespace thalweg::measure {

class WrittenFiles {
  public:
    // A call that writes where the descriptor stands, or brings what was written to the disk.
    static bool looks_at(const CallStart &call);
    // Such a call has ended well, on this file; `value`: what it returned.
    void ended(const CallStart &call, const std::string &file, int64_t value);
    void add(const WrittenFiles &others);
    // Of those that were written to at all.
    std::vector<model::WrittenFile> most_often_written() const;

  private:
    std::map<std::string, model::WrittenFile> files_;
};

}  // namespace thalweg::measure
